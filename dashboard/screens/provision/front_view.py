"""A closer look at two objectives: which two, the front with its regions, and the point that was
picked.
"""

from typing import Any, Final

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from core.capabilities.provision.comparison import Outcome
from core.capabilities.provision.fronts.answer import gap_said
from core.capabilities.provision.goals.answer import mean_said
from core.capabilities.provision.objectives import OBJECTIVES, PlanObjective
from core.capabilities.provision.words import LEAST_POWER
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import begun
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, CHOSEN, FEASIBLE, OURS
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.charts.text import plain
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame import markup
from dashboard.patches.credible import is_place
from dashboard.screens.provision.answer import ProvisionAnswer, ProvisionAsked
from dashboard.screens.provision.charts import LOOKS, TITLES
from dashboard.screens.provision.desk import desk_of
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.screens.provision.sweeps import (
    Pair,
    TwoObjectives,
    goal_title,
    pair_title,
    pairs_of,
    point_said,
    with_goal,
)
from dashboard.screens.provision.words import front_notes
from dashboard.workspace import session

_HEIGHT: Final = 420
_KILO: Final = 1e-3
_WORDS_A_LINE: Final = 8


def two_figure(
    found: TwoObjectives, answer: ProvisionAnswer, picked: int | None = None
) -> go.Figure:
    """The first objective is up, the second to the right. A point that was picked has a ring."""
    drawing, inputs = Drawing(), answer.asked.inputs
    up, right = found.front.names
    unit = np.array([_scale(up, inputs), _scale(right, inputs)])
    _add_regions(drawing, found, unit)
    chain = unit * found.front.chain
    said = [
        "<br>".join(_short(plain(line)) for line in point_said(found, k, answer.plan, inputs))
        for k in range(len(chain))
    ]
    drawing.add_scatter(
        x=chain[:, 1],
        y=chain[:, 0],
        mode="lines+markers",
        line={"color": OURS, "width": 2},
        marker={"size": 10},
        name="Front",
        customdata=[[k, text] for k, text in enumerate(said)],
        hovertemplate="%{customdata[1]}<extra></extra>",
    )
    if picked is not None:
        at = {"x": [chain[picked, 1]], "y": [chain[picked, 0]]}
        drawing.add_ring(**at, name="Picked", showlegend=True)
    for method, one in answer.outcomes.items():
        _add_method(drawing, found, answer, method, one)
    drawing.x_axis(_title(right, inputs))
    drawing.y_axis(_title(up, inputs))
    return drawing.figure(_HEIGHT, above=64)


def _add_regions(drawing: Drawing, found: TwoObjectives, unit: FloatArray) -> None:
    """All that is possible, and where the true means of points are."""
    if len(found.possible):
        up, right = (unit * found.possible).T
        drawing.add_area(FEASIBLE, x=right, y=up, name="Possible on average")
    for number, outline in enumerate(found.regions):
        up, right = (unit * outline).T
        look = {"name": "95 % region of a mean", "legendgroup": "region"}
        drawing.add_line(BOUND, 1, x=right, y=up, showlegend=number == 0, **look)


def _add_method(
    drawing: Drawing, found: TwoObjectives, answer: ProvisionAnswer, method: str, one: Outcome
) -> None:
    """The purchase of a method, where its means are known."""
    inputs = answer.asked.inputs
    means = [(name, _mean(name, one)) for name in found.front.names]
    known = [(name, mean) for name, mean in means if mean is not None]
    if len(known) < len(means):
        return
    marker = {**LOOKS[method].marker, "size": 10}
    if method == "rp":
        marker["color"] = CHOSEN
    said = ", ".join(mean_said(name, mean, inputs.rates) for name, mean in known)
    y, x = ([_scale(name, inputs) * mean] for name, mean in known)
    drawing.add_scatter(
        x=x,
        y=y,
        mode="markers",
        marker=marker,
        name=TITLES[method],
        customdata=[f"{TITLES[method]}: {plain(said)}"],
    )


def _mean(name: PlanObjective, one: Outcome) -> float | None:
    known = {"reward": one.reward, "cost": one.purchase.cost, "failures": one.failures}
    return known.get(name, one.power)


def _scale(name: PlanObjective, inputs: PlanInputs) -> float:
    """What an objective is multiplied by for its axis."""
    return {"cost": 1.0, "power": _KILO}.get(name, inputs.rate_seconds)


def _title(name: PlanObjective, inputs: PlanInputs) -> str:
    return {
        "reward": f"Expected {inputs.rates.noun} ({plain(inputs.rates.money)})",
        "failures": f"Mean failures ({inputs.rates.every})",
        "power": "Mean power (kW)",
        "cost": f"Cost ({plain(inputs.currency)})",
    }[name]


def _short(text: str) -> str:
    """A text in lines of a few words."""
    words = text.split(" ")
    lines = [words[k : k + _WORDS_A_LINE] for k in range(0, len(words), _WORDS_A_LINE)]
    return "<br>".join(" ".join(line) for line in lines)


_CHART: Final = "provision_closer"
_PICKED: Final = "provision.front.picked"


def choose_pair(found: ProvisionAnswer) -> Pair:
    """The choice of two objectives."""
    pairs = {pair_title(pair, found.rate): pair for pair in pairs_of(found.plan)}
    chosen: str = show_look("Two objectives", [*pairs], "provision.front", wrap=True)
    return pairs[chosen] if chosen in pairs else next(iter(pairs.values()))


def show_front(found: ProvisionAnswer, data: TwoObjectives) -> list[str]:
    """The chart and the point that was picked. Returns the notes on the view."""
    place = _picked(found, data)
    up, right = data.front.names

    def take(mark: list[Any]) -> None:
        if mark and is_place(mark[0], len(data.front.points)):
            st.session_state[_PICKED] = (found.asked, data.front.names, mark[0])

    show_chart(
        two_figure(data, found, place),
        _CHART,
        take=take,
        alt=f"Chart: the mean {up} against the mean {right}, with the front, all that is possible, "
        "and the 95 % regions of the means",
    )
    if place is None:
        st.caption("Click a point of the front to see what is bought there.")
    else:
        _show_point(found, data, place)
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


def _show_point(found: ProvisionAnswer, data: TwoObjectives, place: int) -> None:
    """What is bought at a point, and its means as limits of another objective."""
    with st.container(border=True, key="front-point"):
        said = point_said(data, place, found.plan, found.asked.inputs)
        st.html(markup.items(f"{line}." for line in said))
        with st.container(horizontal=True, gap="small"):
            up, right = data.front.names
            for seek, keep in ((right, up), (up, right)):
                mean = float(data.front.points[place].objectives[OBJECTIVES.index(keep)])
                show_button(
                    goal_title(seek, keep, found.rate),
                    _take_goal,
                    found,
                    seek,
                    keep,
                    mean,
                    icon="flag",
                    key=f"provision.front.{seek}",
                    help="Finds what to buy with this objective and this limit, with all "
                    "scenarios. Undo goes back.",
                )


def _take_goal(
    found: ProvisionAnswer, seek: PlanObjective, keep: PlanObjective, mean: float
) -> None:
    """Another goal, which is to be answered at once."""
    desk = desk_of(session.system())
    desk.change(with_goal(desk.inputs, seek, keep, mean))
    desk.requested = ProvisionAsked(found.asked.fingerprint, desk.inputs)
