"""Energy of nodes without work over the share of jobs that wait for a start, for several plans."""

from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.capabilities.switch_off.advice import SHARES, SleepAdvice, SleepOutcome
from core.capabilities.switch_off.told import energy_a_year, few_percent
from core.vocabulary.say.units import energy_unit
from core.vocabulary.say.words import Sense, counted, duration
from dashboard.parts.charts.drawing import CLICKED, Drawing
from dashboard.parts.charts.palette import BOUND, GHOST, OURS, RIVAL

HEIGHT: Final = 380
_SEEN: Final = 0.25
"""Plans with more jobs that wait are off the chart, if enough others are on it."""
_ENOUGH: Final = 4
_NAMED: Final = 0.45
"""Where along the axis lines have their names."""
_ROOM: Final = 1.12


def front_figure(advice: SleepAdvice) -> go.Figure:
    """Waits to the right, energy a year upwards. A click on a point says its share of jobs that may
    wait, as a place in `SHARES`.
    """
    drawing, ours = Drawing(), advice.judged
    on, least = ours.a_year(ours.always_on), ours.a_year(ours.least)
    unit = energy_unit(on)
    chosen, judged = ([pair[half] for pair in advice.front] for half in (0, 1))

    def place_of(one: SleepOutcome) -> tuple[float, float]:
        return 100 * one.share_of_waits, one.a_year(one.joules) / unit.size

    shares = [one.share_of_waits for one in judged]
    near = [one for one in shares if one <= _SEEN]
    widest = max(near if len(near) >= _ENOUGH else shares)
    right = 100 * max(widest, ours.share_of_waits, SHARES[1])
    lines = [
        np.array(sorted(map(place_of, outcomes), key=lambda at: (at[0], -at[1]))).T
        for outcomes in (chosen, judged)
    ]
    first, second = (float(np.interp(_NAMED * right, x, y)) for x, y in lines)
    for (x, y), height, upper, colour, width, text in (
        (lines[0], first, first > second, GHOST, 1.5, "first half: chosen"),
        (lines[1], second, first <= second, OURS, 2.5, "second half: judged"),
    ):
        drawing.add_line(colour, width, x=x.tolist(), y=y.tolist())
        drawing.add_annotation(
            text=text,
            font={"color": colour},
            x=_NAMED * right,
            y=height,
            xanchor="left" if upper else "right",
            yanchor="bottom" if upper else "top",
        )
    x, y = map(list, zip(*map(place_of, judged), strict=True))
    drawing.add_scatter(
        x=x,
        y=y,
        mode="markers",
        marker={"color": OURS, "size": 9},
        customdata=[(SHARES.index(one.plan.most_waits), _said(one)) for one in judged],
        showlegend=False,
        **CLICKED,
    )
    here = place_of(ours)
    drawing.add_ring(x=[here[0]], y=[here[1]])
    left = -0.03 * right
    for level, colour, text, below in (
        (on, RIVAL, "All nodes on", False),
        (least, BOUND, "Least possible if no job waits (proven)", True),
    ):
        drawing.add_hline(level / unit.size, {"color": colour, "width": 1.5, "dash": "dash"})
        drawing.add_annotation(
            text=text,
            x=right * _ROOM,
            xanchor="right",
            y=level / unit.size,
            yanchor="top" if below else "bottom",
        )
    drawing.x_axis("Jobs that wait for a node to start (%)", range=[left, right * _ROOM])
    drawing.y_axis(f"Nodes without work ({unit.symbol} a year)", range=[0, _ROOM * on / unit.size])
    return drawing.figure(HEIGHT, hovermode="closest")


def _said(one: SleepOutcome) -> str:
    if not np.isfinite(one.plan.after):
        return "No node sleeps"
    return (
        f"<b>{energy_a_year(one, one.saved)} a year less</b><br>"
        f"{few_percent(one.share_of_waits)} of the jobs wait<br>asleep after "
        f"{duration(one.plan.after, Sense.PLAIN)}, "
        f"{counted(sum(one.plan.awake), 'node')} always awake"
    )
