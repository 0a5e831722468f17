"""How far times are off with each number of kinds of operations, and which number is taken."""

from typing import Final

import plotly.graph_objects as go

from core.capabilities.provision.futures.varying import NEAR_ENOUGH, OperationsFound
from core.vocabulary.say.words import Sense, counted, share
from core.vocabulary.tolerances import METHODS_AGREE
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, CHOSEN, OURS

_HEIGHT: Final = 280
_PERCENT: Final = 100.0


def kinds_figure(found: OperationsFound) -> go.Figure:
    """The mean error over the number of kinds, in percent of the times. The largest error, which is
    many times that, is said where a reader points.
    """
    drawing, taken = Drawing(), found.taken
    kinds = [one.kinds for one in found.tried]
    drawing.add_scatter(
        x=kinds,
        y=[_PERCENT * one.mean_error for one in found.tried],
        mode="lines+markers",
        name="Mean error",
        line={"color": OURS, "width": 2},
        marker={"color": OURS, "size": 8},
        cliponaxis=False,
        customdata=[
            f"{counted(one.kinds, 'kind')}: mean error {_said(one.mean_error)}, "
            f"largest {_said(one.worst_error)}"
            for one in found.tried
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    drawing.add_scatter(
        x=[taken.kinds],
        y=[_PERCENT * taken.mean_error],
        mode="markers",
        name="Taken",
        marker={"symbol": "circle-open", "size": 17, "color": CHOSEN, "line": {"width": 3}},
        cliponaxis=False,
        hoverinfo="skip",
    )
    near = _PERCENT * NEAR_ENOUGH
    drawing.add_hline(near, line={"color": BOUND, "width": 1.5, "dash": "dash"})
    drawing.add_annotation(
        text="near enough", x=0, xref="x domain", y=near, xanchor="left", yanchor="bottom"
    )
    drawing.x_axis("Kinds of operations", tickvals=kinds, range=[kinds[0] - 0.3, kinds[-1] + 0.3])
    drawing.y_axis("Mean error (% of the time)", rangemode="tozero")
    return drawing.figure(_HEIGHT, above=46)


def kinds_in_words(found: OperationsFound) -> str:
    """Which number is taken, and why."""
    taken, near = counted(found.taken.kinds, "kind"), share(NEAR_ENOUGH, Sense.TYPED)
    if found.taken.mean_error <= NEAR_ENOUGH:
        return f"{taken} of operations: the fewest with a mean error of at most {near}."
    return f"{taken} of operations: no number has a mean error of at most {near}; this is nearest."


def kinds_alt(found: OperationsFound) -> str:
    """The picture for those who do not see it."""
    each = ", ".join(f"{one.kinds}: {_said(one.mean_error)}" for one in found.tried)
    return f"Line chart: mean error of times by the number of kinds of operations; {each}"


def _said(error: float) -> str:
    return share(0.0 if error <= METHODS_AGREE else error, Sense.UPPER_BOUND)
