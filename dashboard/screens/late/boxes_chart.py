"""Expected beside actual makespan and energy of bags of tasks, for each method."""

from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.capabilities.arrivals.bags_told import ACTUAL, EXPECTED
from core.capabilities.arrivals.trials import BagFigure, ReplayComparison
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.units import Unit, energy_unit, time_unit
from core.vocabulary.say.words import Sense, duration, energy
from dashboard.parts.charts.bars import whiskers
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, INK, OURS, RIVAL

_TITLES: Final[dict[BagFigure, str]] = {"makespan": "Makespan", "joules": "Energy"}
_BOX_ROW: Final = 46
_OFF: Final = 0.2


def boxes_figure(found: ReplayComparison, figure: BagFigure) -> go.Figure:
    """A box is the middle half of all bags, the line in it their median, the whiskers the least and
    the most; of a single bag, a bar. The dashed line is the mean of the lower bounds.
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
        if len(found.common) == 1:
            quarters[:, 1] = 0.0  # of a single bag, bars begin at 0
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
