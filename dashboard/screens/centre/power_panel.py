"""What a centre draws: bands of power, the target with its excess, green power and the grid."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.method_plan import MethodPlan
from core.capabilities.centre.plan import DayMeasures, DayPlan
from core.capabilities.centre.settings import METHOD_NAMES
from core.vocabulary.say.units import Unit, power_unit
from core.vocabulary.say.words import Sense, power
from dashboard.parts.charts.palette import (
    GAIN,
    IDLE,
    INK,
    LOSS,
    OTHERS,
    PAPER,
    POSSIBLE,
    UNSEEN,
    distinct,
)
from dashboard.screens.centre.day_panels import LEFT, DayPanels

BUSY, FANS, COMPRESSOR, STARTING = map(distinct, (0, 6, 3, 4))
AWAKE, ASLEEP = OTHERS, IDLE
BANDS: Final = {
    "asleep": ("asleep", ASLEEP),
    "busy": ("at work", BUSY),
    "idle": ("awake without a job", AWAKE),
    "starting": ("starting", STARTING),
    "fans": ("fan", FANS),
    "compressor": ("compressor", COMPRESSOR),
}
"""The bands from the bottom up: what `DayMeasures` calls each, its name and its colour."""
_EXCESS: Final[dict[str, Any]] = {
    "shape": "/",
    "size": 6,
    "solidity": 0.4,
    "fgcolor": LOSS,
    "bgcolor": UNSEEN,
}
_ROOM: Final = 1.06


@dataclass(frozen=True, eq=False)
class ShownPlan:
    """A plan with what comes of it under the curves that came, and its name for people."""

    name: str
    plan: DayPlan
    measures: DayMeasures

    @classmethod
    def of(cls, one: MethodPlan) -> "ShownPlan | None":
        """What a method came to; None if it found no plan."""
        if one.found is None or one.measures is None:
            return None
        return cls(METHOD_NAMES[one.method], one.found.plan, one.measures)


def highest(file: CentreFile, plans: Sequence[ShownPlan]) -> float:
    """The highest power that is seen, in watts. A target that is above all power is not."""
    curves = file.day().curves
    most = max(float(one.measures.power.max()) for one in plans)
    green = min(float(curves.green.max()), 1.5 * most)
    seen = curves.target[curves.target < 1.5 * most]
    return max(most, green, float(seen.max(initial=0.0)), 1.0) * _ROOM


def add_power(
    panels: DayPanels, panel: str, shown: ShownPlan, most: float, *, is_first: bool
) -> None:
    """The bands of a plan, on an axis up to `most` watts. The first plan is in the legend."""
    unit = power_unit(most)
    green = panels.day.curves.green / unit.size
    if green.any():
        look = {"line": {"width": 0}, "fill": "tozeroy", "fillcolor": POSSIBLE}
        panels.add_steps(panel, green, POSSIBLE, **look)
    _add_bands(panels, panel, shown, unit, is_first=is_first)
    if green.any():
        panels.add_steps(panel, green, GAIN, name="green power", showlegend=is_first)
    _add_excess(panels, panel, shown, unit, is_first=is_first)
    if green.any():
        grid = np.where(green > 0, shown.measures.grid / unit.size, np.nan)
        look = {"name": "from the grid", "line": {"dash": "dot", "width": 1.5}}
        panels.add_steps(panel, grid, INK, showlegend=is_first, **look)
    panels.drawing.panel_axis(
        panel, left=LEFT, range=[0, most / unit.size], fixedrange=True, nticks=5
    )
    panels.add_title(panel, f"Power ({unit.symbol}): {shown.name}")
    panels.add_pointed(panel, 0.0, most / unit.size, _said(panels, shown.measures))


def _add_bands(
    panels: DayPanels, panel: str, shown: ShownPlan, unit: Unit, *, is_first: bool
) -> None:
    for name, (words, colour) in BANDS.items():
        watts = getattr(shown.measures, name)
        if watts.any():
            panels.add_steps(
                panel,
                watts / unit.size,
                PAPER,
                name=words,
                fillcolor=colour,
                stackgroup=panel,
                line={"width": 0.6},
                showlegend=is_first,
            )


def _add_excess(
    panels: DayPanels, panel: str, shown: ShownPlan, unit: Unit, *, is_first: bool
) -> None:
    """The target, and stripes on what is above it; nothing if no plan can reach the target."""
    target, watts = panels.day.curves.target, shown.measures.power
    if (target >= panels.file.most_watts).all():
        return
    panels.add_steps(panel, target / unit.size, INK, line={"width": 0})
    if shown.measures.over.any():
        panels.add_steps(
            panel,
            np.maximum(watts, target) / unit.size,
            LOSS,
            name="excess",
            fill="tonexty",
            fillcolor=UNSEEN,
            fillpattern=_EXCESS,
            line={"width": 0},
            showlegend=is_first,
        )
    panels.add_steps(
        panel, target / unit.size, INK, name="target", line={"width": 3}, showlegend=is_first
    )


def _said(panels: DayPanels, measures: DayMeasures) -> list[str]:
    """What a step draws, line by line."""
    curves, found = panels.day.curves, []
    for step in range(panels.day.steps):
        lines = [f"{power(float(measures.power[step]), Sense.PLAIN)} in all"]
        for name, (words, _) in reversed(BANDS.items()):
            watts = float(getattr(measures, name)[step])
            if watts > 0:
                lines.append(f"{words} {power(watts, Sense.PLAIN)}")
        if curves.target[step] < panels.file.most_watts:
            lines.append(f"target {power(float(curves.target[step]), Sense.PLAIN)}")
        if measures.over[step] > 0:
            lines.append(f"excess {power(float(measures.over[step]), Sense.PLAIN)}")
        if curves.green[step] > 0:
            lines.append(f"green power {power(float(curves.green[step]), Sense.PLAIN)}")
        lines.append(f"from the grid {power(float(measures.grid[step]), Sense.PLAIN)}")
        found.append("<br>".join(lines))
    return found
