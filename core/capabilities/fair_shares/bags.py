"""Bags that arrive: tasks of one type each, with a release date and data to be sent over a network.

How long a bag takes if it has all machines for itself is its ideal duration, in closed form. Its
stretch is how many times longer it takes in truth, from its release to the end of its last task.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.ranges import Range
from core.vocabulary.system import System

BANDWIDTH: Final = Range(1e-3, math.inf, "B/s")
MEMORY: Final = Range(0.0, math.inf, "B")
RELEASE: Final = Range(-1e12, 1e12, "s")
DATA: Final = Range(0.0, 1e18, "B a task")


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


@dataclass(frozen=True, eq=False)
class ArrivingBags:
    """The tasks of each type of a system, as bags that arrive.

    `release[i]` is when the bag of task type i becomes known (s), `data[i]` what is sent for each
    of its tasks (bytes). Results return for free. Raises `InvalidInput`, which lists every problem.
    """

    system: System
    release: FloatArray
    data: FloatArray
    network: Network

    def __post_init__(self) -> None:
        object.__setattr__(self, "release", frozen(self.release))
        object.__setattr__(self, "data", frozen(self.data))
        refuse(self._problems())

    def _problems(self) -> Iterator[Problem]:
        names = self.system.task_names
        yield from column_problems("tasks", "release", names, self.release, RELEASE)
        yield from column_problems("tasks", "data", names, self.data, DATA)
        yield from self.network.problems(self.system)

    @cached_property
    def present(self) -> IntArray:
        """The task types with at least one task. These are the bags, in this order everywhere."""
        return np.flatnonzero(self.system.task_counts)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each bag."""
        return tuple(self.system.task_names[i] for i in self.present)

    @cached_property
    def work(self) -> "BagWork":
        """The bags on their workers, as numbers."""
        return BagWork.of(self)

    @cached_property
    def ideal(self) -> FloatArray:
        """Seconds that each bag takes at least if it has all machines for itself."""
        return self.work.counts / self.work.throughput


@dataclass(frozen=True, eq=False)
class BagWork:
    """What computations need of bags, one line a bag and one column a worker.

    A worker is all machines with the same times, energies, link and memory: what they do together,
    any one of them does a part of. `seconds` is what a task takes on the worker (infinite where it
    cannot run), `links` and `memory` are those of all its machines. The first release is at 0.
    `joules` are what a task adds to what machines draw idle (infinite where it cannot run), and
    `idle_power` (W) is that of the whole system; both are 0 if powers are unknown.

    Work that has begun has a `start` (s): nothing is sent or computed before. Then `counts` are the
    tasks that have not been sent, of all `tasks`, and `stock` those that are on each worker. Dates
    and ideal durations are still those of whole bags.
    """

    counts: FloatArray
    release: FloatArray
    data: FloatArray
    seconds: FloatArray
    links: FloatArray
    memory: FloatArray
    bandwidth: float
    machine_types: tuple[tuple[int, ...], ...]
    """The machine types of each worker."""
    joules: FloatArray
    idle_power: float
    tasks: FloatArray
    stock: FloatArray
    start: float = 0.0

    @classmethod
    def of(cls, bags: ArrivingBags) -> "BagWork":
        """The bags with tasks, on the workers with machines that can run any of them."""
        system, network, here = bags.system.always_on, bags.network, bags.present
        known = system.apc is not None
        joules = system.dynamic_energy[here] if known else np.zeros((len(here), len(system.etc[0])))
        alike: dict[bytes, list[int]] = {}
        for j in np.flatnonzero(system.can_run[here].any(axis=0)).tolist():
            limits = network.links[[j]], network.memory[[j]]
            own = np.concatenate([system.etc[here, j], joules[:, j], *limits])
            alike.setdefault(own.tobytes(), []).append(j)
        groups = tuple(tuple(types) for types in alike.values())
        first = np.array([types[0] for types in groups])
        machines = np.array([system.machine_counts[list(types)].sum() for types in groups], float)
        counts = system.task_counts[here].astype(float)
        return cls(
            counts,
            bags.release[here] - bags.release[here].min(),
            bags.data[here],
            system.etc[np.ix_(here, first)] / machines,
            network.links[first] * machines,
            network.memory[first] * machines,
            network.bandwidth,
            groups,
            joules[:, first],
            system.total_idle_power if known else 0.0,
            counts,
            np.zeros((len(here), len(groups))),
        )

    @property
    def opens(self) -> FloatArray:
        """From when on tasks of each bag can be sent and computed."""
        return np.maximum(self.release, self.start)

    @cached_property
    def link_seconds(self) -> FloatArray:
        """Seconds that the data of a task takes on the whole link of each worker."""
        return self.data[:, None] / self.links

    @cached_property
    def master_seconds(self) -> FloatArray:
        """Seconds that the data of a task takes if the master sends nothing else."""
        return self.data / self.bandwidth

    @cached_property
    def throughput(self) -> FloatArray:
        """Tasks a second of each bag, if it has all machines for itself: nothing is faster."""
        most = (1 / np.maximum(self.seconds, self.link_seconds)).sum(axis=1)
        rates: FloatArray = 1 / np.maximum(self.master_seconds, 1 / most)
        return rates

    @property
    def stock_seconds(self) -> FloatArray:
        """Seconds that each worker computes the stock of each bag."""
        return self.stock * np.where(self.stock > 0, self.seconds, 0.0)

    @property
    def alone(self) -> FloatArray:
        """Seconds in which each bag can be done from now on if it has all machines for itself."""
        seconds: FloatArray = self.stock_seconds.max(axis=1) + self.counts / self.throughput
        return seconds
