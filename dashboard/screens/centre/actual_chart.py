"""Where a forecast was wrong, and what it cost by then: panels with the time of the day."""

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.capabilities.centre.answer import CentreAnswer
from core.capabilities.centre.files.centre_file import CURVE_KINDS
from core.capabilities.centre.method_plan import MethodPlan
from core.capabilities.centre.objectives import DayAim
from core.capabilities.centre.recover import by_step
from core.capabilities.centre.settings import AIM_NAMES
from core.capabilities.centre.told import said
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import Sense, amount
from dashboard.parts.charts.drawing import spanning
from dashboard.parts.charts.palette import LOSS, OTHERS, OURS
from dashboard.parts.charts.text import plain
from dashboard.screens.centre.day_panels import LEFT, DayPanels, coloured

_CURVE: Final = 90.0
_COST: Final = 110.0
_APART: Final = 34.0
_ABOVE: Final = 26.0
_BELOW: Final = 60.0
_ROOM: Final = 0.12
_SHOWN: Final = {
    "price": ("Price", "", 1.0),
    "carbon": ("Carbon intensity", "g of CO₂ a kWh", 1.0),
    "outside": ("Outside temperature", "°C", 1.0),
    "green": ("Green power", "kW", 1000.0),
    "target": ("Target", "kW", 1000.0),
}
"""The title of each curve, its unit, and how much of the model's is one of it."""
_SIZES: Final[dict[DayAim, tuple[str, float]]] = {
    "cost": ("", 1.0),
    "carbon": ("kg of CO₂", 1000.0),
    "energy": ("kWh", 1.0),
    "excess": ("kWh", 1.0),
}
"""The unit of each aim that can be counted step by step, and its size."""


def actual_figure(answer: CentreAnswer) -> go.Figure | None:
    """A panel for each curve with a forecast, as it was forecast when the day began and as it came;
    and what not knowing has cost until each step, if that is known. None if there is no panel.
    """
    panels = DayPanels(answer.file)
    parts: list[tuple[float, Callable[[str], None]]] = [
        (_CURVE, partial(_curve, panels, name))
        for name, kind in CURVE_KINDS.items()
        if (signal := answer.file.signals.of(kind, "forecast")) is not None and signal.is_forecast
    ]
    price = answer.not_knowing
    if price is not None and answer.asked.minimise in _SIZES:
        parts.append((_COST, partial(_cost, panels, answer, price.knowing)))
    if not parts:
        return None
    whole = panels.drawing.panels([height for height, _ in parts], _APART)
    for place, (_, draw) in enumerate(parts):
        draw(panels.drawing.panel(place))
    panels.add_time()
    return panels.drawing.figure(
        whole + _ABOVE + _BELOW, above=_ABOVE, barmode="overlay", hovermode="closest"
    )


def _curve(panels: DayPanels, name: str, panel: str) -> None:
    title, unit, size = _SHOWN[name]
    unit = unit or f"{plain(panels.file.currency)} a kWh"
    came: FloatArray = getattr(panels.day.curves, name) / size
    forecast: FloatArray = getattr(panels.file.known_at(0.0), name) / size
    panels.add_steps(panel, forecast, OTHERS, line={"dash": "dash", "width": 1.5})
    panels.add_steps(panel, came, OURS)
    panels.add_title(
        panel, f"{title} ({unit}): {coloured(OURS, 'came')} {coloured(OTHERS, 'forecast')}"
    )
    pairs = zip(came.tolist(), forecast.tolist(), strict=True)
    _show(
        panels,
        panel,
        np.append(came, forecast),
        [
            f"{amount(one, Sense.PLAIN, unit)}, forecast {amount(said, Sense.PLAIN, unit)}"
            for one, said in pairs
        ],
    )


def _cost(panels: DayPanels, answer: CentreAnswer, knowing: MethodPlan, panel: str) -> None:
    """The aim of our plan less that of one who knows all, until each step."""
    ours, aim = answer.ours, answer.asked.minimise
    if ours.measures is None or knowing.measures is None:
        return
    unit, size = _SIZES[aim]
    more = by_step(panels.day, ours.measures)[aim] - by_step(panels.day, knowing.measures)[aim]
    until = np.cumsum(more)
    panels.add_steps(panel, until / size, LOSS)
    panels.add_title(
        panel,
        f"{AIM_NAMES[aim]} more than if all were known, so far "
        f"({unit or plain(answer.file.currency)})",
    )
    words = [plain(said(answer, aim, one)) for one in until.tolist()]
    _show(panels, panel, np.append(until / size, 0.0), words)


def _show(panels: DayPanels, panel: str, values: FloatArray, words: list[str]) -> None:
    low, high = spanning(float(values.min()), float(values.max()), 1e-6)
    ends = low - _ROOM * (high - low), high + _ROOM * (high - low)
    panels.drawing.panel_axis(panel, left=LEFT, range=[*ends], nticks=4)
    panels.add_pointed(panel, *ends, words)
