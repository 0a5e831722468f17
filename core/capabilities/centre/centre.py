"""A centre: servers that can sleep, a room that has to stay cool, and what cools it."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray

FanLaw = Literal["cubic", "linear"]
FAN_LAWS: Final[tuple[FanLaw, ...]] = ("cubic", "linear")
USUAL_COOLEST: Final = 18.0
"""°C: below, ASHRAE recommends no room for servers to be."""
SPEEDS: Final = np.linspace(0.05, 1.0, 20)
"""Fan speeds that plans choose from, as shares of the full speed."""


@dataclass(frozen=True, slots=True)
class ServerKind:
    """Servers that are alike: `count` of them, each drawing so many watts while it works, is idle
    or sleeps. A start takes `start_seconds`, in which it draws `start_joules` and takes no job.
    """

    name: str
    count: int
    busy_watts: float
    idle_watts: float
    asleep_watts: float
    start_seconds: float = 0.0
    start_joules: float = 0.0

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError("a kind has at least 1 server")
        if not 0 <= self.asleep_watts <= self.idle_watts <= self.busy_watts < math.inf:
            raise ValueError("0 <= asleep <= idle <= busy watts is needed")
        if not (0 <= self.start_seconds < math.inf and 0 <= self.start_joules < math.inf):
            raise ValueError("a start takes 0 or more seconds and joules")


@dataclass(frozen=True, slots=True)
class Cooling:
    """A fan that blows outside air in, and a compressor; a step has one of them or none.

    At share s of its speed the fan draws `fan_watts` times s cubed (or times s, by a `linear` fan
    law) and takes out `fan_heat` watts for each kelvin that it is colder outside. The compressor
    draws `compressor_watts` and takes out `compressor_heat` watts.
    """

    fan_watts: float
    fan_heat: float
    compressor_watts: float
    compressor_heat: float
    fan_law: FanLaw = "cubic"

    def __post_init__(self) -> None:
        values = self.fan_watts, self.fan_heat, self.compressor_watts, self.compressor_heat
        if not all(0 <= value < math.inf for value in values):
            raise ValueError("what cools draws and takes out 0 or more watts")
        if self.fan_law not in FAN_LAWS:
            raise ValueError(f"the fan law must be one of {', '.join(FAN_LAWS)}")

    def fan_power(self, speed: FloatArray) -> FloatArray:
        """Watts of the fan at each speed."""
        return np.asarray(self.fan_watts * (speed**3 if self.fan_law == "cubic" else speed))


@dataclass(frozen=True, slots=True)
class Heat:
    """How the inside temperature of the next step follows from that of a step:

    kept x inside + outside x (outside temperature) + per_watt x (watts of the servers)
        - fan x (speed) x (by how much it is colder outside, in kelvin, or 1)
        - compressor x (1 while it runs)

    `by_difference` says that the fan takes out the more, the colder it is outside; by the linear
    form (ARX) it does not matter. All have the unit of a temperature for a step of the grid.
    """

    kept: float
    outside: float
    per_watt: float
    fan: float
    compressor: float
    by_difference: bool


@dataclass(frozen=True, slots=True)
class PhysicalRoom:
    """A room of one temperature: `capacity` joules warm it by a kelvin, `leak` watts pass its walls
    for each kelvin of difference.
    """

    capacity: float
    leak: float

    def heat(self, cooling: Cooling, step: float) -> Heat:
        """The law of a step of so many seconds."""
        share = step / self.capacity
        return Heat(
            1 - share * self.leak,
            share * self.leak,
            share,
            share * cooling.fan_heat,
            share * cooling.compressor_heat,
            by_difference=True,
        )


@dataclass(frozen=True, slots=True)
class LinearRoom:
    """A room that was fitted to measurements (ARX, linear in its inputs), for steps of
    `step_seconds`.
    """

    kept: float
    outside: float
    per_watt: float
    fan: float
    compressor: float
    step_seconds: float

    def heat(self, _: Cooling, step: float) -> Heat:
        """The law of a step, which must be as long as those that were measured."""
        if step != self.step_seconds:
            raise ValueError(
                f"the room was measured in steps of {self.step_seconds:g} s, not of {step:g} s"
            )
        return Heat(
            self.kept, self.outside, self.per_watt, self.fan, self.compressor, by_difference=False
        )


Room = PhysicalRoom | LinearRoom


@dataclass(frozen=True)
class Centre:
    """Servers of several kinds in a room. It is `first` degrees Celsius inside when a day begins,
    and must never be more than `limit` after that. Fan and compressor must not bring it below
    `coolest`; without them it may be cooler.
    """

    kinds: tuple[ServerKind, ...]
    cooling: Cooling
    room: Room
    limit: float
    first: float
    coolest: float = USUAL_COOLEST
    name: str = "centre"

    def __post_init__(self) -> None:
        if not self.kinds:
            raise ValueError("a centre has servers of at least one kind")
        if len({kind.name for kind in self.kinds}) < len(self.kinds):
            raise ValueError("kinds of servers have different names")
        if not (math.isfinite(self.limit) and math.isfinite(self.first)):
            raise ValueError("temperatures must be numbers")
        if not self.coolest <= self.limit:
            raise ValueError("the limit of the room must be above the least that it is cooled to")
        if self.first > self.limit:
            raise ValueError(
                f"it is {self.first:g} °C inside at first, above the limit of {self.limit:g} °C"
            )

    def heat(self, step: float) -> Heat:
        """The law of the room for steps of so many seconds. Raises `ValueError` if these are too
        long: a room that is warmer now must not be cooler after a step with the same cooling.
        """
        heat = self.room.heat(self.cooling, step)
        kept = heat.kept - heat.fan * heat.by_difference
        if not 0 <= kept <= heat.kept < 1:
            raise ValueError(
                f"a step of {step:g} s is too long for the room: a warmer room would be the cooler "
                "one after it. Take shorter steps, or a larger heat capacity"
            )
        if min(heat.outside, heat.per_watt, heat.fan, heat.compressor) < 0:
            raise ValueError("servers and outside air must warm a room, fan and compressor cool it")
        return heat

    @cached_property
    def counts(self) -> IntArray:
        """Servers of each kind."""
        return np.array([kind.count for kind in self.kinds], np.int64)

    @cached_property
    def busy(self) -> FloatArray:
        """Watts of a server of each kind at work."""
        return np.array([kind.busy_watts for kind in self.kinds])

    @cached_property
    def idle(self) -> FloatArray:
        """Watts of a server of each kind that is awake and has nothing to do."""
        return np.array([kind.idle_watts for kind in self.kinds])

    @cached_property
    def asleep(self) -> FloatArray:
        """Watts of a server of each kind that sleeps."""
        return np.array([kind.asleep_watts for kind in self.kinds])

    def start_steps(self, step: float) -> IntArray:
        """How many whole steps before a server of each kind takes a job its start begins."""
        return np.array(
            [
                max(math.ceil(kind.start_seconds / step), int(kind.start_joules > 0))
                for kind in self.kinds
            ],
            np.int64,
        )

    def start_watts(self, step: float) -> FloatArray:
        """Watts of a server of each kind that starts, in each step of its start: what the start
        draws, and what it draws asleep before that; never less than asleep.
        """
        more = [
            max(0.0, kind.start_joules - kind.start_seconds * kind.asleep_watts)
            for kind in self.kinds
        ]
        return self.asleep + np.array(more) / (step * np.maximum(self.start_steps(step), 1))


def parasol() -> Centre:
    """The published centre of 64 small servers. What the publication does not say (room, fan law,
    heat that is taken out) is ours, chosen so that at 25 °C outside the full fan just holds the
    limit under full load, and the compressor cools under any.
    """
    return Centre(
        kinds=(ServerKind("atom", 64, 30.0, 22.0, 3.0),),
        cooling=Cooling(410.0, 1000.0, 2300.0, 5500.0),
        room=PhysicalRoom(5e5, 50.0),
        limit=27.0,
        first=26.5,
        name="parasol",
    )
