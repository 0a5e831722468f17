"""What a kWh costs over the day, or the CO2 that it emits: a bar for each span of hours."""

from collections.abc import Sequence
from typing import Final

import plotly.graph_objects as go

from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.say.words import HOUR, clock, typed
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import GAIN, OURS

_HEIGHT: Final = 190
_MOST_LABELS: Final = 12


def day_figure(day: Sequence[tuple[float, float, float]], title: str, unit: str) -> go.Figure:
    """A bar from each hour to the next, as high as its number; those of the least are green."""
    numbers = [number for _, _, number in day]
    least = min(numbers) if min(numbers) < max(numbers) else None
    said = [f"{typed(number)}" for number in numbers]
    drawing = Drawing()
    drawing.add_bar(
        x=[(begin + end) / 2 for begin, end, _ in day],
        width=[end - begin for begin, end, _ in day],
        y=numbers,
        marker={"color": [GAIN if number == least else OURS for number in numbers]},
        text=said if len(day) <= _MOST_LABELS else None,
        textposition="outside",
        cliponaxis=False,
        customdata=[
            f"{clock(begin * HOUR)} to {clock(end * HOUR)}<br>{number} {unit}"
            for (begin, end, _), number in zip(day, said, strict=True)
        ],
    )
    drawing.x_axis("Hour of the day", range=[0, HOURS_OF_DAY], dtick=3)
    drawing.y_axis(title, range=[0, 1.2 * (max(numbers) or 1.0)], nticks=5)
    return drawing.figure(_HEIGHT, bargap=0)
