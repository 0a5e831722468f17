"""How to pick a schedule: by a wish or by a click; and what it gives up."""

from functools import partial
from typing import Final, NamedTuple

import streamlit as st

from core.capabilities.trade_offs.how_wrong import how_wrong
from core.engines.front.axis import Axis
from core.engines.front.replies import Reply, gives_up, reply, wish_title
from core.engines.front.study import Study
from core.engines.front.wish import PowerCap, StatedWish, WishParameter
from core.engines.peak.capped import keeps
from core.vocabulary.say.units import Unit
from core.vocabulary.say.words import Sense, power, rounded
from core.vocabulary.without_work import AS_GIVEN
from dashboard.parts.charts.drawing import Frame
from dashboard.parts.charts.text import plain
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.in_browser import Along, Handle, show_handle
from dashboard.parts.fields.typed import LONGEST
from dashboard.parts.frame import markup
from dashboard.parts.frame.trade_off_state import WISH, set_wish
from dashboard.screens.trade_offs.front_chart import Picture, frame_of
from dashboard.screens.trade_offs.picking import (
    as_typed,
    entry_of,
    proven_near,
    typed,
    unit_of,
    usual,
)
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.trade_off_settings import WISH_AMOUNT, WISH_LABELS, TradeOffSettings

_KIND: Final = "trade_offs.wish.kind"
_AMOUNT: Final = "trade_offs.wish.amount"
_DRAGGED_DIGITS: Final = 4
_REFUSED: Final = "trade_offs.wish.refused"


class _Refused(NamedTuple):
    """What a person typed that is no goal, which stays in its field, and why; and the goal in
    force: with another, nothing of this is shown.
    """

    wish: StatedWish
    text: str
    reason: str


def answer_wish(study: Study, wish: StatedWish | None, axis: Axis) -> Reply | None:
    """The answer to the wish in force, which is stated on this axis. The schedule that it picks
    becomes the chosen one.
    """
    if wish is None or not len(study.points):
        return None
    answer = reply(study, wish, axis)
    chosen, title = session.chosen(), wish_title(wish, axis)
    if chosen is None or (chosen.schedule, chosen.title) != (answer.pick.schedule, title):
        session.choose(answer.pick.schedule, title, wish.wish(axis.per_joule))
    return answer


def show_wish(study: Study, settings: TradeOffSettings) -> None:
    """The kinds of goals, and the amount of the selected one."""
    wish: StatedWish | None = st.session_state[WISH]
    kind, of_carbon = None if wish is None else wish.kind, settings.axis == "carbon"
    kind_key = session.fresh_key(_KIND, kind)
    st.segmented_control(
        "Your goal",
        list(WISH_LABELS),
        default=kind,
        format_func=lambda one: "Carbon" if one == "budget" and of_carbon else WISH_LABELS[one],
        key=kind_key,
        on_change=_take_kind,
        args=(study, settings, kind_key),
        help="Wattfront picks the schedule that meets the goal best. Worth of time: how many "
        "joules one second is worth to you. A click on a schedule picks that schedule instead.",
    )
    if wish is None:
        return
    fastest = (study.achieved if len(study.achieved) else study.front.points)[-1, 1]
    axis = settings.axis_of(wish.kind, float(study.nadir[0]))
    unit = unit_of(wish.kind, study.front, axis)
    entry = entry_of(wish.kind, unit)
    refused: _Refused | None = st.session_state.get(_REFUSED)
    if refused is not None and refused.wish != wish:
        refused = None
    text = as_typed(wish, unit) if refused is None else refused.text
    at = session.fresh_key(f"{_AMOUNT} {wish.kind} {unit.symbol}", text)
    st.text_input(
        entry.label,
        text,
        key=at,
        max_chars=LONGEST,
        placeholder=entry.example,
        help=f"Type for example {entry.example}. A number alone is in {unit.symbol}.",
        on_change=_take_amount,
        args=(wish.kind, unit, float(fastest), at),
    )
    if refused is not None:
        st.html(f'<p class="wf-refused" role="alert">{plain(refused.reason)}</p>')


@callback
def _take_kind(study: Study, settings: TradeOffSettings, at: str) -> None:
    kind: WishParameter | None = st.session_state[at]
    st.session_state[_REFUSED] = None
    if kind is None:
        set_wish(None)
        return
    axis = settings.axis_of(kind, float(study.nadir[0]))
    set_wish(usual(kind, study.front, unit_of(kind, study.front, axis), axis))


@callback
def _take_amount(kind: WishParameter, unit: Unit, fastest: float, at: str) -> None:
    try:
        set_wish(typed(st.session_state[at], kind, unit, fastest))
        st.session_state[_REFUSED] = None
    except ValueError as refused:
        st.session_state[_REFUSED] = _Refused(
            st.session_state[WISH], st.session_state[at], str(refused)
        )


def show_wish_handle(picture: Picture, wish: StatedWish | None, axis: Axis) -> None:
    """Shows a handle on the line of the wish, if it has a line to drag."""
    handle, take = None, partial(_take_handle, wish, axis, frame_of(picture))
    if wish is not None and wish.kind in _ALONG:
        frame, unit = frame_of(picture), unit_of(wish.kind, picture.study.front, axis)
        one = _si(wish.kind, frame)
        handle = Handle(
            _ALONG[wish.kind],
            (wish.si_amount(axis.per_joule) if wish.kind == "money" else wish.amount) / one,
            (axis.of(one) if wish.kind == "money" else one) / unit.size,
            unit.symbol,
            as_typed(wish, unit),
            wish_title(wish, axis),
        )
    show_handle("front", handle, take)


_ALONG: Final[dict[WishParameter, Along]] = {
    "deadline": "y",
    "budget": "x",
    "money": "x",
    "cap": "slope",
}


def _si(kind: WishParameter, frame: Frame) -> float:
    """One unit of the chart in SI units: seconds, joules or watts."""
    if kind == "deadline":
        return frame.time.size
    joules = frame.axis.joules(1.0)
    return joules / frame.time.size if kind == "cap" else joules


def _take_handle(wish: StatedWish | None, axis: Axis, frame: Frame, at: float, held: bool) -> None:
    """Takes the wish from its dragged line. The address changes when the line is released."""
    session.hold_address(held)
    if wish is None or wish.kind not in _ALONG:
        return
    amount = at * _si(wish.kind, frame)
    amount = axis.of(amount) if wish.kind == "money" else amount
    size = axis.joules(1.0) if wish.kind == "budget" else 1.0
    entered = rounded(amount / size, Sense.PLAIN, _DRAGGED_DIGITS) * size
    set_wish(StatedWish(wish.kind, WISH_AMOUNT.nearest(entered)))


def show_chosen(study: Study, answer: Reply | None, axis: Axis) -> None:
    """The chosen schedule in a sentence, and a button that opens it."""
    chosen = session.chosen()
    if chosen is None:
        st.caption("Choose a goal, or click a schedule in the chart or in the table.")
        return
    if chosen.fingerprint_of_system != study.system.fingerprint:
        if st.session_state[WISH] is not None:
            st.caption("Picking a schedule …")
            return
        st.caption(":material/history: The schedule that you picked belongs to other settings:")
        st.text(chosen.title)
        return
    with st.container(key="chosen", gap="small"):
        if answer is not None and not answer.met:
            st.warning(answer.sentence, icon=":material/block:")
        else:
            st.html(f"<strong>{plain(chosen.title)}</strong>")
            schedule = chosen.schedule
            against = gives_up(study, schedule, axis, chosen.wish)
            near = proven_near(study.proven, schedule, axis)
            st.text(f"{against} {near}" if answer is None else answer.sentence)
            assumed = session.workspace().idle != AS_GIVEN
            if said := [*how_wrong(schedule, study, assumed=assumed)]:
                with st.expander("How wrong may the watts be?"):
                    st.html(markup.items(said))
        wish = chosen.wish
        if isinstance(wish, PowerCap) and not keeps(chosen.schedule, wish.watts):
            never = f"Never above {power(wish.watts, Sense.TYPED)} instead"
            show_button(never, set_wish, StatedWish("peak", wish.watts), icon="vertical_align_top")
        if st.button("Inspect", icon=":material/view_timeline:", type="primary"):
            st.switch_page("screens/schedule/page.py")
