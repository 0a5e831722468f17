"""Green power: what panels give under the sun."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.engines.signals.kinds import GREEN, SUN
from core.engines.signals.signal import Signal
from core.files.numbers import number_cell
from core.vocabulary.problems import refuse
from core.vocabulary.ranges import Range

PANELS: Final = Range(0, 10**9, "panels")
RATED_KW: Final = Range(0.001, 1000.0, "kW a panel")
PERFORMANCE_RATIO: Final = Range(0.01, 1.0, "as a fraction")
STANDARD_SUN: Final = 1000.0
"""Panels are rated under so many W/m²."""


@dataclass(frozen=True, slots=True)
class SolarPanels:
    """Panels of equal rated power. The performance ratio is the share of the rated power that
    arrives under the standard sun: heat, dust, cables and inverters take the rest; 0.75 to 0.85 is
    usual.
    """

    count: int
    rated_kw: float
    performance_ratio: float = 0.8

    def __post_init__(self) -> None:
        asked = (
            ("panels", self.count, PANELS),
            ("rated kW", self.rated_kw, RATED_KW),
            ("performance ratio", self.performance_ratio, PERFORMANCE_RATIO),
        )
        refuse(
            f"{name}: {number_cell(value)} is out of range; give {allowed}"
            for name, value, allowed in asked
            if value not in allowed
        )

    @property
    def rated_watts(self) -> float:
        return self.count * self.rated_kw * 1000

    def power(self, sun: Signal) -> Signal:
        """The watts that they give under a sun in W/m², at most their rated power; a forecast of
        the sun is one of the power.
        """
        if sun.kind != SUN:
            refuse([f"panels need the sun in {SUN.unit}, not {sun.kind.said}; give that curve"])
        watts = self.rated_watts * self.performance_ratio * sun.values / STANDARD_SUN
        return replace(sun, kind=GREEN, values=np.minimum(watts, self.rated_watts))
