"""What a person says of bags that arrive, cell by cell, and the bags that this makes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

import numpy as np

from core import System
from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.changes import NO_CHANGE, BagsChange
from core.capabilities.fair_shares.day_clock import USUAL_CLOCK, DayClock
from core.capabilities.fair_shares.network import Network
from core.vocabulary.problems import InvalidInput, Problem

MOST_WORK: Final = 40_000
"""Square of the bags times kinds of machines that a page computes: half a minute at most."""


@dataclass(frozen=True, slots=True)
class BagInput:
    """A bag: how many tasks, when it is released (s), and the data of a task (bytes)."""

    tasks: int
    release: float = 0.0
    data: float = 0.0


@dataclass(frozen=True, slots=True)
class WorkerInput:
    """A machine type: how many machines, and what one of them receives (bytes a second) and holds
    (bytes) at most; None is no limit.
    """

    machines: int
    link: float | None = None
    memory: float | None = None


@dataclass(frozen=True, slots=True)
class BagsInputs:
    """Bags and machines in the order of the types of the system, the bandwidth of the master (bytes
    a second; None is no limit), and what is different in a what-if.

    `untyped` are cells of release dates that cannot be read, by row.
    """

    bags: tuple[BagInput, ...]
    workers: tuple[WorkerInput, ...]
    bandwidth: float | None = None
    clock: DayClock = USUAL_CLOCK
    change: BagsChange = NO_CHANGE
    untyped: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, bags: ArrivingBags) -> Self:
        """What the files of some bags say."""
        system, network = bags.system, bags.network
        return cls(
            tuple(
                BagInput(kind.count, release, data)
                for kind, release, data in zip(
                    system.task_types, bags.release.tolist(), bags.data.tolist(), strict=True
                )
            ),
            tuple(
                WorkerInput(kind.count, _finite(link), _finite(memory))
                for kind, link, memory in zip(
                    system.machine_types,
                    network.links.tolist(),
                    network.memory.tolist(),
                    strict=True,
                )
            ),
            _finite(network.bandwidth),
        )


def bags_of(system: System, inputs: BagsInputs) -> ArrivingBags:
    """The bags before any change. Raises `InvalidInput`."""
    if inputs.untyped:
        raise InvalidInput(_untyped(system, inputs))
    counted = replace(
        system,
        task_types=tuple(
            replace(kind, count=bag.tasks)
            for kind, bag in zip(system.task_types, inputs.bags, strict=True)
        ),
        machine_types=tuple(
            replace(kind, count=worker.machines)
            for kind, worker in zip(system.machine_types, inputs.workers, strict=True)
        ),
    )
    bags = ArrivingBags(
        counted,
        np.array([bag.release for bag in inputs.bags]),
        np.array([bag.data for bag in inputs.bags]),
        Network(
            _limit(inputs.bandwidth),
            np.array([_limit(worker.link) for worker in inputs.workers]),
            np.array([_limit(worker.memory) for worker in inputs.workers]),
        ),
    )
    if work_of(bags) > MOST_WORK:
        raise InvalidInput([_too_many(*bags.work.seconds.shape)])
    return bags


def work_of(bags: ArrivingBags) -> int:
    """How much there is to compute, compared with `MOST_WORK`."""
    there, workers = bags.work.seconds.shape
    return int(there * there * workers)


def _untyped(system: System, inputs: BagsInputs) -> Sequence[Problem]:
    found = []
    for row, text in inputs.untyped.items():
        try:
            inputs.clock.typed(text)
        except ValueError as fault:
            found.append(Problem("bags", system.task_names[row], "Released", str(fault)))
    return found


def _too_many(bags: int, workers: int) -> Problem:
    message = (
        f"{bags:,} bags on {workers:,} kinds of machines are more than this page computes at once; "
        "set the tasks of some bags to 0, or use wattfront stretch"
    )
    return Problem("bags", "", "", message)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _limit(value: float | None) -> float:
    return math.inf if value is None else value
