"""The expected reward of each way to choose, with its interval, beside what the method believed."""

from typing import Final

import plotly.graph_objects as go

from core.capabilities.provision.words import DECIDED, UNTOUCHED
from core.vocabulary.say.words import Sense, amount
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, OTHERS, OURS, RIVAL
from dashboard.parts.charts.text import plain
from dashboard.screens.provision.answer import ProvisionAnswer
from dashboard.screens.provision.words import rate

_HEIGHT: Final = 340


def value_figure(answer: ProvisionAnswer) -> go.Figure:
    """A dot with its 95 % interval is what a purchase is expected to earn; a diamond is what it
    would earn in the mean future; the line is the mean if each future were known.
    """
    drawing, inputs = Drawing(), answer.asked.inputs
    titles = list(DECIDED.values())
    outcomes = list(answer.outcomes.values())
    intervals = [answer.interval(method) for method in DECIDED]
    if answer.found.untouched is not None:
        titles.append(UNTOUCHED)
        outcomes.append(answer.found.untouched)
        intervals.append(answer.found.untouched.interval)
    unit = inputs.rate_seconds
    drawing.add_scatter(
        x=[one.believed * unit for one in outcomes],
        y=titles,
        mode="markers",
        name="Believed, from the mean future",
        marker={"symbol": "diamond-open", "size": 11, "color": RIVAL, "line": {"width": 2}},
        customdata=[f"in the mean future {plain(rate(one.believed, inputs))}" for one in outcomes],
        hovertemplate="%{y}: %{customdata}<extra></extra>",
    )
    drawing.add_scatter(
        x=[one.mean * unit for one in intervals],
        y=titles,
        mode="markers",
        name="Expected, with 95 % interval",
        marker={"size": 10, "color": [OURS] + [OTHERS] * (len(outcomes) - 1)},
        error_x={
            "type": "data",
            "array": [one.half_width * unit for one in intervals],
            "color": OTHERS,
            "thickness": 2,
        },
        customdata=[
            f"{plain(rate(one.mean, inputs))}, ± "
            f"{amount(one.half_width * unit, Sense.UPPER_BOUND, digits=2)}"
            for one in intervals
        ],
        hovertemplate="%{y}: %{customdata}<extra></extra>",
    )
    in_parts = answer.found.decision.in_parts
    seen = float(answer.found.wait_and_see.mean()) * unit
    drawing.add_vline(seen, line={"color": BOUND, "width": 1.5, "dash": "dash"})
    drawing.add_annotation(
        text="knowing the future" + ("" if in_parts is None else ", in parts"),
        x=seen,
        y=1,
        yref="y domain",
        xanchor="right",
        xshift=-4,
        yanchor="top",
        font={"size": 12, "color": BOUND},
    )
    drawing.x_axis(f"Expected reward ({plain(inputs.rates.money)})")
    # Room for a text above the first row.
    drawing.y_names(range=[len(titles) - 0.5, -0.9], automargin=True)
    return drawing.figure(_HEIGHT, above=46, right=24)
