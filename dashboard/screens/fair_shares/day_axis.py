"""An axis of time with times of day at its ticks."""

from typing import Any, Final

import numpy as np

from core.capabilities.fair_shares.day_clock import DayClock
from core.vocabulary.say.words import DAY, HOUR, MINUTE, Sense
from dashboard.parts.charts.drawing import Drawing

_STEPS: Final = (
    *(1.0, 5.0, 10.0, 30.0),
    *(minutes * MINUTE for minutes in (1, 5, 10, 15, 30)),
    *(hours * HOUR for hours in (1, 2, 3, 6, 12)),
)
_MOST_TICKS: Final = 7


def day_axis(drawing: Drawing, clock: DayClock, first: float, last: float) -> None:
    """The axis from `first` to `last`, in seconds since time 0."""
    span = max(last - first, 1e-9)
    step = next((one for one in _STEPS if span / one <= _MOST_TICKS), None)
    if step is None:
        step = DAY * max(round(span / DAY / _MOST_TICKS), 1)
    if span < _STEPS[0]:
        step = span
    begin = np.ceil((first + clock.begins) / step) * step - clock.begins
    ticks = np.arange(begin, last + step / 1e6, step)
    look: dict[str, Any] = {
        "tickvals": ticks.tolist(),
        "ticktext": [clock.said(float(tick), Sense.PLAIN, span) for tick in ticks],
        "range": [first - 0.02 * span, last + 0.04 * span],
    }
    drawing.x_axis("Time of day", **look)
