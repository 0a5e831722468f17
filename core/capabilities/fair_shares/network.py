"""Over what tasks get their data: the links from the master to its machines, and their memory."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from core.vocabulary.arrays import FloatArray
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.ranges import Range
from core.vocabulary.system import System

BANDWIDTH: Final = Range(1e-3, math.inf, "B/s")
MEMORY: Final = Range(0.0, math.inf, "B")


@dataclass(frozen=True, eq=False)
class Network:
    """What the master can send, in bytes a second, and what machines can hold, in bytes.

    `bandwidth` is what the master sends to all machines together. One machine of type j receives
    at most `links[j]`, and holds at most `memory[j]` of data of tasks that have not run. Each may
    be infinite. Without memory, a machine computes tasks as it receives them.
    """

    bandwidth: float
    links: FloatArray
    memory: FloatArray

    def __post_init__(self) -> None:
        for name in ("links", "memory"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    @classmethod
    def of(
        cls,
        system: System,
        bandwidth: float = math.inf,
        links: npt.ArrayLike = math.inf,
        memory: npt.ArrayLike = math.inf,
    ) -> Self:
        """A network with one number for all machine types, or a number for each."""
        types = len(system.machine_types)
        return cls(
            bandwidth,
            np.broadcast_to(np.asarray(links, float), types),
            np.broadcast_to(np.asarray(memory, float), types),
        )

    def problems(self, system: System) -> Iterator[Problem]:
        """What is wrong with it as the network of this system."""
        if self.bandwidth not in BANDWIDTH:
            message = f"the bandwidth of the master is {self.bandwidth:g}; give {BANDWIDTH}"
            yield Problem("network", "", "bandwidth", message)
        for column, values, allowed in (
            ("link", self.links, BANDWIDTH),
            ("memory", self.memory, MEMORY),
        ):
            yield from column_problems("machines", column, system.machine_names, values, allowed)


def column_problems(
    table: str, column: str, names: tuple[str, ...], values: FloatArray, allowed: Range
) -> Iterator[Problem]:
    """Values of a column that are outside of the allowed range, or not one for each name."""
    if values.shape != (len(names),):
        message = f"has {values.size} values for {len(names)} rows; give one for each"
        yield Problem(table, "", column, message)
        return
    for name, value in zip(names, values.tolist(), strict=True):
        if value not in allowed:
            yield Problem(table, name, column, f"is {value:g}; give {allowed}")


def refuse(problems: Iterator[Problem]) -> None:
    """Raise `InvalidInput` if there are any."""
    found = list(problems)
    if found:
        raise InvalidInput(found)


def frozen(values: npt.ArrayLike) -> FloatArray:
    """A copy that cannot be changed."""
    array = np.array(values, float)
    array.setflags(write=False)
    return array
