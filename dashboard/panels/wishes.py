"""Picking a schedule: by a wish, or by hand, and what the choice gives up."""

from typing import Final

import streamlit as st

from core.front.wish import Wish
from core.schedule import Schedule
from core.study import Study
from dashboard import session
from dashboard.charts.text import plain
from dashboard.guard import callback
from dashboard.logic.axis import Axis
from dashboard.logic.options import AMOUNT
from dashboard.logic.picking import (
    KINDS,
    Asked,
    Kind,
    Reply,
    gives_up,
    proven_near,
    reply,
    unit_of,
    usual,
)
from dashboard.panels.front_options import WISH, set_wish

BY_HAND: Final = "hand"
_KIND: Final = "trade_offs.wish.kind"
_AMOUNT: Final = "trade_offs.wish.amount"


def answer_wish(study: Study, wish: Asked | None, axis: Axis) -> Reply | None:
    """The answer to the wish in force; the schedule that it picks is the chosen one."""
    if wish is None or not len(study.points):
        return None
    answer = reply(study, wish, axis)
    chosen, title = session.chosen(), wish.words(axis)
    if chosen is None or (chosen.schedule, chosen.title) != (answer.pick.schedule, title):
        session.choose(answer.pick.schedule, title, wish.wish)
    return answer


def choose_by_hand(schedule: Schedule, title: str, wish: Wish | None = None) -> None:
    """A click is a choice of its own: no wish is in force any more, even if it once was for one."""
    set_wish(None)
    session.choose(schedule, title, wish)


def show_wish(study: Study, axis: Axis) -> None:
    """The kind of wish, and how much."""
    wish: Asked | None = st.session_state[WISH]
    kind = BY_HAND if wish is None else wish.kind
    kind_key = session.fresh_key(_KIND, kind)
    titles: dict[str, str] = {BY_HAND: "Click"}
    titles.update({str(kind): title for kind, title in KINDS.items()})
    left, right = st.columns(2, gap="small", vertical_alignment="bottom", wrap=False)
    left.selectbox(
        "Pick by",
        titles,
        list(titles).index(kind),
        format_func=titles.__getitem__,
        key=kind_key,
        on_change=_take_kind,
        args=(study, axis, kind_key),
    )
    if wish is None:
        return
    unit = unit_of(wish.kind, study.front, axis)
    amount = float(f"{wish.amount / unit.size:.6g}")
    at = session.fresh_key(f"{_AMOUNT} {wish.kind} {unit.symbol}", amount)
    right.number_input(
        f"At most ({unit.symbol})" if wish.kind != "rate" else f"A second is worth ({unit.symbol})",
        min_value=0.0,
        value=amount,
        key=at,
        step=float(f"{amount / 20:.1g}") or 1.0,
        format="%.6g",
        on_change=_take_amount,
        args=(wish.kind, unit.size, at),
    )


@callback
def _take_kind(study: Study, axis: Axis, at: str) -> None:
    kind: Kind | str = st.session_state[at]
    if kind not in KINDS:
        set_wish(None)
        return
    set_wish(usual(kind, study.front, unit_of(kind, study.front, axis)))


@callback
def _take_amount(kind: Kind, size: float, at: str) -> None:
    amount = st.session_state[at] * size
    set_wish(Asked(kind, AMOUNT.nearest(amount)))


def show_chosen(study: Study, answer: Reply | None, axis: Axis) -> None:
    """The chosen schedule in a sentence, and the way to it."""
    chosen = session.chosen()
    if chosen is None:
        st.caption("Click a schedule in the chart or the table, or say what you wish for.")
        return
    if chosen.fingerprint_of_system != study.system.fingerprint:
        if st.session_state[WISH] is not None:
            st.caption("Picking anew …")
            return
        st.caption(":material/history: The schedule picked before belongs to other settings:")
        st.text(chosen.title)
        return
    with st.container(key="chosen", gap="small"):
        if answer is not None and not answer.met:
            st.warning(answer.sentence, icon=":material/block:")
        else:
            st.html(f"<strong>{plain(chosen.title)}</strong>")
            schedule = chosen.schedule
            said = gives_up(study, schedule, axis) + " " + proven_near(study.proven, schedule, axis)
            st.text(said if answer is None else answer.sentence)
        if st.button("Inspect", icon=":material/view_timeline:", type="primary"):
            st.switch_page("views/schedule.py")
