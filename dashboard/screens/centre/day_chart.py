"""A day of a centre from top to bottom: power, curves, temperature, and which server runs what."""

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.capabilities.centre.files.centre_file import CURVE_KINDS, CentreFile
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import Sense, amount
from dashboard.parts.charts.palette import GHOST, LOSS, OTHERS, OURS
from dashboard.parts.charts.text import plain
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
Panel = tuple[float, Callable[[str], None]]
"""The height of a panel, in pixels, and what draws it."""


def day_figure(file: CentreFile, shown: ShownPlan, usual: ShownPlan | None = None) -> go.Figure:
    """The day under a plan; what happens as `usual` stands beside it, band for band, if given."""
    panels = DayPanels(file)
    plans = [shown] if usual is None else [shown, usual]
    most = highest(panels, plans)
    parts: list[Panel] = [
        (_POWER, partial(_power, panels, one, most, place == 0)) for place, one in enumerate(plans)
    ]
    curves = {"price", "carbon", "outside"}
    parts += [
        (_CURVE, partial(_curve, panels, name)) for name in CURVE_KINDS if name in curves
        and np.ptp(getattr(panels.day.curves, name)) > 0
    ]
    parts.append((_INSIDE, partial(_inside, panels, plans)))
    parts.append((_STRIP, partial(_strip, panels, shown)))
    for rows in server_rows(panels.day, shown.plan):
        servers = panels.day.centre.kinds[rows.kind].count
        parts.append((jobs_height(servers), partial(add_jobs, panels, rows=rows)))
    whole = panels.drawing.panels([height for height, _ in parts], _APART)
    for place, (_, draw) in enumerate(parts):
        draw(panels.drawing.panel(place))
    panels.add_time()
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


def _power(panels: DayPanels, shown: ShownPlan, most: float, is_first: bool, panel: str) -> None:
    add_power(panels, panel, shown, most, is_first=is_first)


def _curve(panels: DayPanels, name: str, panel: str) -> None:
    """A curve as it came, and dashed as it was forecast."""
    came: FloatArray = getattr(panels.day.curves, name)
    titles = {
        "price": f"Price ({plain(panels.file.currency)} a kWh)",
        "carbon": "Carbon intensity (g of CO₂ a kWh)",
        "outside": "Outside temperature (°C)",
    }
    units = {"price": f"{plain(panels.file.currency)} a kWh", "carbon": "g of CO₂ a kWh", "outside": "°C"}
    title, said = titles[name], [amount(one, Sense.PLAIN, units[name]) for one in came.tolist()]
    low, high = float(came.min()), float(came.max())
    if CURVE_KINDS[name] in panels.file.signals.forecast:
        forecast: FloatArray = getattr(panels.file.day("forecast").curves, name)
        low, high = min(low, float(forecast.min())), max(high, float(forecast.max()))
        panels.add_steps(panel, forecast, OTHERS, line={"dash": "dash", "width": 1.5})
        title += f": {coloured(OURS, 'came')} {coloured(OTHERS, 'forecast')}"
        said = [
            f"{text}, forecast {amount(one, Sense.PLAIN, units[name])}"
            for text, one in zip(said, forecast.tolist(), strict=True)
        ]
    panels.add_steps(panel, came, OURS)
    _add_axis(panels, panel, low, high)
    panels.add_title(panel, title)
    _point(panels, panel, low, high, said)


def _add_axis(panels: DayPanels, panel: str, low: float, high: float) -> None:
    low, high = _ends(low, high)
    panels.drawing.panel_axis(panel, left=LEFT, range=[low, high], fixedrange=True, nticks=4)


def _ends(low: float, high: float) -> tuple[float, float]:
    room = _ROOM * (high - low) or 1.0
    return low - room, high + room


def _point(panels: DayPanels, panel: str, low: float, high: float, said: list[str]) -> None:
    panels.add_pointed(panel, *_ends(low, high), said)


def _inside(panels: DayPanels, plans: list[ShownPlan], panel: str) -> None:
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
    every = np.concatenate([one.measures.inside for one in plans])
    low, high = min(float(every.min()), limit - 1), max(float(every.max()), limit)
    _add_axis(panels, panel, low, high)
    names = [coloured(LOSS, f"limit {limit:g} °C")]
    for colour, one in zip((OURS, GHOST), plans, strict=False):
        names += [coloured(colour, one.name.lower())] if others else []
    panels.add_title(panel, f"Inside temperature (°C): {' '.join(names)}")
    said = [f"{one:.2f} °C when it begins" for one in inside[:-1].tolist()]
    _point(panels, panel, low, high, said)


def _strip(panels: DayPanels, shown: ShownPlan, panel: str) -> None:
    """What cools in each step; the stronger the colour, the faster the fan."""
    plan = shown.plan
    middles, widths = (panels.edges[:-1] + panels.edges[1:]) / 2, np.diff(panels.edges)
    for colour, strength in ((FANS, plan.speed), (COMPRESSOR, plan.compressor * 1.0)):
        on = np.flatnonzero(strength)
        if len(on):
            panels.drawing.add_bar(
                x=middles[on],
                y=np.ones(len(on)),
                width=widths[on],
                marker={"color": colour, "opacity": (0.35 + 0.65 * strength[on]).tolist(), "line": {"width": 0}},
                showlegend=False,
                hoverinfo="skip",
                yaxis=panel,
            )
    panels.drawing.panel_axis(panel, range=[0, 1], fixedrange=True, showticklabels=False, showgrid=False)
    panels.add_title(panel, f"Cooled by {coloured(FANS, 'fan')} {coloured(COMPRESSOR, 'compressor')}")
    said = [
        "cooled by the compressor"
        if runs
        else (f"cooled by the fan at {100 * speed:.0f} % of its speed" if speed else "not cooled")
        for speed, runs in zip(plan.speed.tolist(), plan.compressor.tolist(), strict=True)
    ]
    panels.add_pointed(panel, 0.0, 1.0, said)
