"""The kinds of tasks and of machines that a system has."""

from dataclasses import dataclass
from typing import Final, Literal

MARKET: Final = ("price", "resale", "failures_a_year")
"""What is known of machines that are bought and sold."""
OPTIONAL: Final = ("asleep_watts", *MARKET)
"""What a machine type may not say: None then."""
TypeKind = Literal["task type", "machine type"]


@dataclass(frozen=True, slots=True)
class TaskType:
    """A kind of task, and how many tasks of it there are to run."""

    name: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class MachineType:
    """A kind of machine, how many there are, and the watts of one that is on and runs no task.

    With `asleep_watts`, a machine is switched off when its last task ends, or never switched on,
    if it then draws so many watts in place of its idle power, and these are fewer. `price` is what
    a machine costs and `resale` what it brings, in the money of its site; `failures_a_year` are
    those of one that is always busy. None: nobody has said it.
    """

    name: str
    count: int = 1
    idle_power: float = 0.0
    asleep_watts: float | None = None
    price: float | None = None
    resale: float | None = None
    failures_a_year: float | None = None

    @property
    def watts_without_work(self) -> float:
        """Watts of one machine that has no task left: idle, or asleep."""
        asleep = self.asleep_watts
        return self.idle_power if asleep is None else min(asleep, self.idle_power)
