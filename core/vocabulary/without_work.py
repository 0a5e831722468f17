"""What machines draw that have no task left, as a person sets it for every question."""

from dataclasses import dataclass
from typing import Final

from core.vocabulary.ranges import IDLE_FRACTION, Range
from core.vocabulary.setting import Flag, NumberIn, setting
from core.vocabulary.system import NoPowerData, System

ASLEEP: Final = Range(0.0, 1e5, "W")
USUAL_IDLE_SHARE: Final = 0.3
"""Idle power as a share of the power at work, where nobody says it."""
USUAL_ASLEEP_WATTS: Final = 10.0
"""What a machine draws that is switched off, where nobody says it: its management controller and
its power supply.
"""
USUAL_START_SECONDS: Final = 180.0
"""How long a machine takes to start, with its power at work, where nobody says it."""


@dataclass(frozen=True, slots=True)
class WithoutWork:
    """`idle_power` is a share of the mean power at work. With `asleep_watts`, a machine is switched
    off when its last task ends, or never switched on. None is as the system says.
    """

    idle_power: float | None = setting(
        None,
        NumberIn(IDLE_FRACTION),
        flag=Flag(
            "FRACTION",
            "an idle machine draws this fraction of the mean power of its column in apc (0 to 1; "
            "default: its own)",
        ),
        parameter="idle",
    )
    asleep_watts: float | None = setting(
        None,
        NumberIn(ASLEEP),
        "A machine that is switched off draws (W)",
        "Its management controller and power supply. A meter shows it.",
        flag=Flag(
            "W",
            "machines are switched off when their last task ends, or never on, and then draw W "
            "watts, if that is less than idle (default: they stay on)",
        ),
        parameter="asleep",
    )

    def of(self, system: System) -> System:
        """The system with these powers. Raises `NoPowerData` if they are set and it has no APC."""
        if self != AS_GIVEN and system.apc is None:
            raise NoPowerData
        if self.idle_power is not None:
            system = system.with_idle_fraction(self.idle_power)
        asleep = self.asleep_watts
        return system if asleep is None else system.with_asleep_watts(asleep)


AS_GIVEN: Final = WithoutWork()
"""What the system says."""
