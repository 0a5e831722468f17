"""A closer look at two objectives: which two, the front, and the point that was picked."""

from typing import Final

import streamlit as st

from core.capabilities.provision.fronts.answer import gap_said
from core.capabilities.provision.objectives import OBJECTIVES, PlanObjective
from core.capabilities.provision.words import LEAST_POWER
from core.vocabulary.say.words import begun
from dashboard.parts.charts.drawing import TOOLS
from dashboard.parts.fields.choice import show_choice
from dashboard.parts.frame import markup
from dashboard.patches.credible import mark_of
from dashboard.screens.provision.answer import ProvisionAnswer, ProvisionAsked
from dashboard.screens.provision.desk import PlanDesk
from dashboard.screens.provision.front import (
    Pair,
    TwoObjectives,
    goal_title,
    pair_title,
    pairs_of,
    point_said,
    with_goal,
)
from dashboard.screens.provision.front_chart import two_figure
from dashboard.screens.provision.words import front_notes
from dashboard.server.guard import callback

_CHART: Final = "provision_closer"
_PICKED: Final = "provision.front.picked"


def choose_pair(found: ProvisionAnswer) -> Pair:
    """The choice of two objectives."""
    pairs = {pair_title(pair): pair for pair in pairs_of(found.plan)}
    chosen: str = show_choice(
        "Two objectives",
        [*pairs],
        default=next(iter(pairs)),
        key="provision.front",
        persist_state="session",
        label_visibility="collapsed",
        wrap=True,
    )
    return pairs[chosen] if chosen in pairs else next(iter(pairs.values()))


def show_front(desk: PlanDesk, found: ProvisionAnswer, data: TwoObjectives) -> list[str]:
    """The chart and the point that was picked. Returns the notes on the view."""
    place = _picked(found, data)
    up, right = data.front.names

    @callback
    def take() -> None:
        mark = mark_of(st.session_state[_CHART])
        if mark and isinstance(mark[0], int) and 0 <= mark[0] < len(data.front.points):
            st.session_state[_PICKED] = (found.asked, data.front.names, mark[0])

    st.plotly_chart(
        two_figure(data, found, place),
        key=_CHART,
        config=TOOLS,
        on_select=take,
        selection_mode="points",
        alt=f"Chart: the mean {up} against the mean {right}, with the front, all that is possible, "
        "and the 95 % regions of the means",
    )
    if place is None:
        st.caption("Click a point of the front to see what is bought there.")
    else:
        _show_point(desk, found, data, place)
    if data.endless:
        st.info("All that is possible is not drawn, since it has no end:", icon=":material/info:")
        st.html(markup.problems(data.endless))
    notes = [f"{begun(gap_said(data.front))}."]
    if found.plan.powers is not None:
        notes.append(LEAST_POWER)
    return [*notes, *front_notes(found.asked.inputs)]


def _picked(found: ProvisionAnswer, data: TwoObjectives) -> int | None:
    """The point of this front that was picked."""
    asked, names, place = st.session_state.get(_PICKED, (None, None, -1))
    if (asked, names) != (found.asked, data.front.names):
        return None
    return place if place < len(data.front.points) else None


def _show_point(desk: PlanDesk, found: ProvisionAnswer, data: TwoObjectives, place: int) -> None:
    """What is bought at a point, and its means as limits of another objective."""
    with st.container(border=True, key="front-point"):
        said = point_said(data, place, found.plan, found.asked.inputs)
        st.html(markup.items(f"{line}." for line in said))
        with st.container(horizontal=True, gap="small"):
            up, right = data.front.names
            for seek, keep in ((right, up), (up, right)):
                mean = float(data.front.points[place].objectives[OBJECTIVES.index(keep)])
                st.button(
                    goal_title(seek, keep),
                    icon=":material/flag:",
                    on_click=callback(_take_goal),
                    args=(desk, found, seek, keep, mean),
                    key=f"provision.front.{seek}",
                    help="Finds what to buy with this objective and this limit, with all "
                    "scenarios. Undo goes back.",
                )


def _take_goal(
    desk: PlanDesk,
    found: ProvisionAnswer,
    seek: PlanObjective,
    keep: PlanObjective,
    mean: float,
) -> None:
    """Another goal, which is to be answered at once."""
    desk.change(with_goal(desk.inputs, seek, keep, mean))
    desk.requested = ProvisionAsked(found.asked.fingerprint, desk.inputs)
