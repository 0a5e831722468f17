"""A day of a centre from top to bottom: power, curves, temperature, and which server runs what."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Literal

import numpy as np
import plotly.graph_objects as go

from core.capabilities.centre.day import Curves
from core.capabilities.centre.files.centre_file import CURVE_KINDS, CentreFile
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import Sense, amount, joined, share
from dashboard.parts.charts.drawing import spanning
from dashboard.parts.charts.palette import GHOST, LOSS, OTHERS, OURS
from dashboard.parts.charts.text import plain
from dashboard.screens.centre.clock_axis import OneDate
from dashboard.screens.centre.day_panels import LEFT, DayPanels, coloured
from dashboard.screens.centre.jobs_panel import add_jobs, jobs_height
from dashboard.screens.centre.power_panel import (
    COMPRESSOR,
    FANS,
    ShownPlan,
    add_power,
    highest,
)
from dashboard.screens.centre.server_rows import server_rows

_POWER: Final = 250.0
_CURVE: Final = 58.0
_INSIDE: Final = 96.0
_STRIP: Final = 12.0
_APART: Final = 30.0
_ABOVE: Final = 46.0
_BELOW: Final = 60.0
_ROOM: Final = 0.12
"""Above and below a line, as a share of its range."""
_FAINT: Final = 0.35
"""The opacity of the slowest fan."""
PanelCurve = Literal["price", "carbon", "outside"]
CURVES: Final[dict[PanelCurve, tuple[str, str]]] = {
    "price": ("Price", ""),
    "carbon": ("Carbon intensity", "g of CO₂"),
    "outside": ("Outside temperature", "°C"),
}
"""The curves that have a panel if they change: names and units; that of money is in the file."""
PER_KWH: Final[dict[PanelCurve, str]] = {"price": " a kWh", "carbon": " a kWh", "outside": ""}
Panel = tuple[float, Callable[[str], None]]
"""The height of a panel, in pixels, and what draws it."""


def day_figure(
    file: CentreFile, plans: Sequence[ShownPlan], date: OneDate | None = None
) -> go.Figure:
    """The day under a plan, the first; others stand beside it, band for band. Of several days, it
    may show one date.
    """
    panels, shown = DayPanels(file), plans[0]
    most = highest(file, plans)
    parts: list[Panel] = [
        (_POWER, partial(_power, panels, one, most, place == 0)) for place, one in enumerate(plans)
    ]
    seen = [name for name in CURVES if not is_flat(panels.day.curves, name)]
    parts += [(_CURVE, partial(_curve, panels, name)) for name in seen]
    parts.append((_INSIDE, partial(_inside, panels, plans)))
    parts.append((_STRIP, partial(_strip, panels, shown)))
    for rows in server_rows(panels.day, shown.plan):
        servers = panels.day.centre.kinds[rows.kind].count
        parts.append((jobs_height(servers), partial(add_jobs, panels, rows=rows)))
    whole = panels.drawing.panels([height for height, _ in parts], _APART)
    for place, (_, draw) in enumerate(parts):
        draw(panels.drawing.panel(place))
    panels.add_time(date)
    return panels.drawing.figure(
        whole + _ABOVE + _BELOW,
        above=_ABOVE,
        barmode="overlay",
        hovermode="closest",
        hoverlabel={"align": "left"},
        showlegend=True,
        uniformtext={"minsize": 11, "mode": "hide"},
        legend={
            "orientation": "h",
            "x": 0,
            "y": 1 + 20 / whole,
            "yanchor": "bottom",
            "traceorder": "normal",
        },
    )


def is_flat(curves: Curves, name: PanelCurve) -> bool:
    """Whether a curve is the same all day."""
    return float(np.ptp(getattr(curves, name))) == 0


def _power(panels: DayPanels, shown: ShownPlan, most: float, is_first: bool, panel: str) -> None:
    add_power(panels, panel, shown, most, is_first=is_first)


def _curve(panels: DayPanels, name: PanelCurve, panel: str) -> None:
    """A curve as it came, and dashed as it was forecast."""
    title, unit = CURVES[name]
    money = plain(panels.file.currency)
    came: FloatArray = getattr(panels.day.curves, name)
    every, said = [came], [amount(one, Sense.PLAIN, unit or money) for one in came.tolist()]
    named = f"{title} ({unit or money}{PER_KWH[name]})"
    if CURVE_KINDS[name] in panels.file.signals.forecast:
        forecast: FloatArray = getattr(panels.file.day("forecast").curves, name)
        panels.add_steps(panel, forecast, OTHERS, line={"dash": "dash", "width": 1.5})
        named += f": {coloured(OURS, 'came')} {coloured(OTHERS, 'forecast')}"
        every.append(forecast)
        said = [
            f"{text}, forecast {amount(one, Sense.PLAIN, unit or money)}"
            for text, one in zip(said, forecast.tolist(), strict=True)
        ]
    panels.add_steps(panel, came, OURS)
    panels.add_title(panel, named)
    _show_range(panels, panel, np.concatenate(every), said)


def _show_range(panels: DayPanels, panel: str, values: FloatArray, said: list[str]) -> None:
    """The axis of a panel with room for these values, and what is said of each step."""
    low, high = spanning(float(values.min()), float(values.max()), 1e-6)
    room = _ROOM * (high - low)
    ends = low - room, high + room
    panels.drawing.panel_axis(panel, left=LEFT, range=[*ends], nticks=4)
    panels.add_pointed(panel, *ends, said)


def _inside(panels: DayPanels, plans: Sequence[ShownPlan], panel: str) -> None:
    """The inside temperature, which must not be above the limit."""
    limit = panels.day.centre.limit
    shown, *others = plans
    for one in others:
        panels.drawing.add_line(
            GHOST, 1.5, "dash", x=panels.edges, y=one.measures.inside, yaxis=panel
        )
    inside = shown.measures.inside
    panels.drawing.add_line(OURS, 2, x=panels.edges, y=inside, yaxis=panel)
    ends = panels.edges[[0, -1]]
    panels.drawing.add_line(LOSS, 1.5, "dash", x=ends, y=[limit, limit], yaxis=panel)
    names = [coloured(LOSS, f"limit {amount(limit, Sense.TYPED, '°C')}")]
    for colour, one in zip((OURS, GHOST), plans, strict=False):
        names += [coloured(colour, one.name.lower())] if others else []
    panels.add_title(panel, f"Inside temperature (°C): {' '.join(names)}")
    said = [f"{amount(one, Sense.PLAIN, '°C')} when it begins" for one in inside[:-1].tolist()]
    every = [one.measures.inside for one in plans]
    _show_range(panels, panel, np.concatenate([*every, [limit]]), said)


def _strip(panels: DayPanels, shown: ShownPlan, panel: str) -> None:
    """What cools in each step; the stronger the colour, the faster the fan."""
    plan = shown.plan
    for colour, strength in ((FANS, plan.speed), (COMPRESSOR, plan.compressor * 1.0)):
        on = np.flatnonzero(strength)
        if len(on):
            opacity = (_FAINT + (1 - _FAINT) * strength[on]).tolist()
            panels.drawing.add_bar(
                x=panels.middles[on],
                y=np.ones(len(on)),
                width=np.diff(panels.edges)[on],
                marker={"color": colour, "opacity": opacity, "line": {"width": 0}},
                showlegend=False,
                hoverinfo="skip",
                yaxis=panel,
            )
    look = {"showticklabels": False, "showgrid": False}
    panels.drawing.panel_axis(panel, range=[0, 1], **look)
    colours = f"{coloured(FANS, 'fan')} {coloured(COMPRESSOR, 'compressor')}"
    panels.add_title(panel, f"Cooled by {colours}")
    panels.add_pointed(panel, 0.0, 1.0, [*map(_cooling_said, plan.speed, plan.compressor)])


def _cooling_said(speed: float, runs: bool) -> str:
    if runs:
        return "cooled by the compressor"
    return (
        f"cooled by the fan at {share(speed, Sense.PLAIN)} of its speed" if speed else "not cooled"
    )


def all_day(file: CentreFile) -> str:
    """What is the same all day, and so has no panel; empty if nothing is."""
    day = file.day()
    said = []
    for name, (title, unit) in CURVES.items():
        if is_flat(day.curves, name):
            value = float(getattr(day.curves, name)[0])
            words = amount(value, Sense.PLAIN, unit or file.currency)
            said.append(f"{title.lower()} {words}{PER_KWH[name]}")
    return f"All day: {joined(said)}." if said else ""
