"""How far times are off with each number of kinds of operations, and which number is taken."""

from typing import Final

import plotly.graph_objects as go

from core.model.tolerances import METHODS_AGREE
from core.provision.varying import NEAR_ENOUGH, OperationsFound
from core.say.words import Sense, counted, share
from dashboard.common.drawing import Drawing
from dashboard.common.palette import BOUND, CHOSEN, OTHERS, OURS

_HEIGHT: Final = 300
_PERCENT: Final = 100.0


def kinds_figure(found: OperationsFound) -> go.Figure:
    """The mean and the largest error over the number of kinds, in percent of the times."""
    drawing, taken = Drawing(), found.taken
    kinds = [one.kinds for one in found.tried]
    for name, errors, colour, dash, symbol in (
        ("Largest error", [one.worst_error for one in found.tried], OTHERS, "dot", "square"),
        ("Mean error", [one.mean_error for one in found.tried], OURS, "solid", "circle"),
    ):
        drawing.add_scatter(
            x=kinds,
            y=[_PERCENT * error for error in errors],
            mode="lines+markers",
            name=name,
            line={"color": colour, "width": 2, "dash": dash},
            marker={"color": colour, "size": 8, "symbol": symbol},
            customdata=[
                f"{counted(one.kinds, 'kind')}: {name.lower()} {_said(error)}"
                for one, error in zip(found.tried, errors, strict=True)
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    drawing.add_scatter(
        x=[taken.kinds],
        y=[_PERCENT * taken.mean_error],
        mode="markers",
        name="Taken",
        marker={"symbol": "circle-open", "size": 17, "color": CHOSEN, "line": {"width": 3}},
        hoverinfo="skip",
    )
    drawing.add_hline(_PERCENT * NEAR_ENOUGH, line={"color": BOUND, "width": 1.5, "dash": "dash"})
    drawing.x_axis("Kinds of operations", tickvals=kinds, range=[kinds[0] - 0.3, kinds[-1] + 0.3])
    drawing.y_axis("Error (% of the time)", rangemode="tozero")
    return drawing.figure(_HEIGHT, above=46)


def kinds_in_words(found: OperationsFound) -> str:
    """Which number is taken, and why."""
    taken, near = counted(found.taken.kinds, "kind"), share(NEAR_ENOUGH, Sense.TYPED)
    if found.taken.mean_error <= NEAR_ENOUGH:
        return f"{taken} of operations: the fewest with a mean error of at most {near}."
    return f"{taken} of operations: no number has a mean error of at most {near}; this is nearest."


def _said(error: float) -> str:
    return share(0.0 if error <= METHODS_AGREE else error, Sense.UPPER_BOUND)


def kinds_alt(found: OperationsFound) -> str:
    """The picture for those who do not see it."""
    each = ", ".join(f"{one.kinds}: {_said(one.mean_error)}" for one in found.tried)
    return f"Line chart: mean error of times by the number of kinds of operations; {each}"
