"""Worth at other energy budgets; and expected beside actual makespan and energy of bags."""

from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.capabilities.arrivals.bags_told import ACTUAL, EXPECTED
from core.capabilities.arrivals.told import policy_label
from core.capabilities.arrivals.trials import BagFigure, ReplayComparison
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.means import share_within
from core.vocabulary.say.units import Unit, energy_unit, time_unit
from core.vocabulary.say.words import Sense, duration, energy, share
from dashboard.parts.charts.bars import whiskers
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, INK, OTHERS, OURS, RIVAL, distinct
from dashboard.screens.arrivals.replaying import STEPS, BudgetScores

_BUDGETS_HEIGHT: Final = 400
_SYMBOLS: Final = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star", "hexagon")
_DASHES: Final = ("solid", "dash", "dot", "dashdot")


def budgets_said(scores: BudgetScores) -> str:
    """Which policy earns most at the least budget, and at the largest, as far as that is known."""
    said = []
    for step in (STEPS[0], STEPS[-1]):
        found = [(scores.of(one, step), one) for one in scores.found.compared.question.policies]
        earned = [(one, policy) for one, policy in found if one is not None]
        if earned:
            best, policy = max(earned, key=lambda pair: pair[0].mean)
            said.append(
                f"At {share(step, Sense.TYPED)}, {policy_label(policy)} earns most: "
                f"{share_within(best)}."
            )
    return " ".join(said)


def budgets_figure(scores: BudgetScores) -> go.Figure:
    """A line for each policy, as far as results are there; the present budget is marked."""
    drawing = Drawing()
    for rank, policy in enumerate(scores.found.compared.question.policies):
        there = [(step, one) for step in STEPS if (one := scores.of(policy, step)) is not None]
        sides = [
            (100 * below, 100 * above) for below, above in (one.sides(0.0) for _, one in there)
        ]
        drawing.add_scatter(
            x=[100 * step for step, _ in there],
            y=[100 * one.mean for _, one in there],
            mode="lines+markers",
            name=policy_label(policy),
            line={"color": distinct(rank), "width": 2, "dash": _DASHES[rank % len(_DASHES)]},
            marker={"size": 7, "symbol": _SYMBOLS[rank % len(_SYMBOLS)]},
            error_y=whiskers(sides, visible=any(map(any, sides)), thickness=1),
            customdata=[
                f"{policy_label(policy)}, budget {share(step, Sense.TYPED)}: {share_within(one)}"
                for step, one in there
            ],
        )
    if (now := scores.found.settings.budget) is not None:
        drawing.mark(100 * now, "now", OTHERS)
    drawing.x_axis(
        "Energy budget (% of what is spent without one)",
        range=[100 * STEPS[0] - 3, 100 * STEPS[-1] + 3],
    )
    drawing.y_axis("Worth (% of that without waiting)", rangemode="tozero")
    return drawing.figure(_BUDGETS_HEIGHT, above=64, showlegend=True)


_TITLES: Final[dict[BagFigure, str]] = {"makespan": "Makespan", "joules": "Energy"}
_BOX_ROW: Final = 46
_OFF: Final = 0.2


def boxes_figure(found: ReplayComparison, figure: BagFigure) -> go.Figure:
    """A box is the middle half of all bags, the line in it their median, the whiskers the least and
    the most. The dashed line is the mean of the lower bounds.
    """
    drawing, methods = Drawing(), [one for one in BAG_METHODS if one in found.trials]
    say, unit_of = (duration, time_unit) if figure == "makespan" else (energy, energy_unit)
    unit = unit_of(max(float(found.values(m, EXPECTED[figure]).max()) for m in methods))
    for title, of, colour, off in (
        ("expected from estimates", EXPECTED[figure], RIVAL, -_OFF),
        ("actual", ACTUAL[figure], OURS, _OFF),
    ):
        quarters = np.array(
            [np.percentile(found.values(m, of), (0, 25, 50, 75, 100)) for m in methods]
        )
        hovers = []
        for row in quarters.tolist():
            least, middle, most = (say(row[k], Sense.PLAIN) for k in (0, 2, 4))
            hovers.append(f"{title}: median {middle}, from {least} to {most}")
        _add_boxes(drawing, quarters, unit, title, colour, off, hovers)
    if (bounds := found.bag_bounds(figure)).size:
        bound = float(bounds.mean())
        said = f"lower bound: {say(bound, Sense.LOWER_BOUND)}"
        drawing.mark(bound / unit.size, said, BOUND)
    drawing.x_axis(f"{_TITLES[figure]} ({unit.symbol})", rangemode="tozero")
    room = 0.0 if bounds.size else 0.4  # for the label of the bound
    names = [BAG_METHODS[method].label for method in methods]
    drawing.rows(names, range=[len(methods) - room, -0.6], automargin=True)
    return drawing.figure(
        120 + _BOX_ROW * len(methods), above=40, barmode="overlay", showlegend=True
    )


def _add_boxes(
    drawing: Drawing,
    quarters: FloatArray,
    unit: Unit,
    title: str,
    colour: str,
    off: float,
    said: list[str],
) -> None:
    least, low, middle, high, most = quarters.T / unit.size
    rows = np.arange(len(quarters)) + off
    ends = list(zip(middle - least, most - middle, strict=True))
    drawing.add_bar(
        orientation="h",
        width=0.34,
        y=rows,
        base=low.tolist(),
        x=np.maximum(high - low, 1e-9 * most),
        name=title,
        marker={"color": colour},
        customdata=said,
    )
    drawing.add_scatter(
        x=middle,
        y=rows,
        mode="markers",
        marker={"symbol": "line-ns", "size": 13, "line": {"width": 2.5, "color": INK}},
        error_x=whiskers(ends, thickness=1.2, color=INK),
        customdata=said,
        showlegend=False,
    )
