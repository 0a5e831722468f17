"""Bags made from rows of numbers, as tests write them: the examples, and random ones."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.capabilities.fair_shares.bags import ArrivingBags, Network
from core.capabilities.fair_shares.tasks.outcome import StretchScores
from core.capabilities.fair_shares.tasks.policies import PolicyScores
from core.capabilities.fair_shares.trials import TrialScores
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

Row = Sequence[float]


def made(
    counts: Sequence[int],
    seconds: Sequence[Row],
    data: Row | float = 0.0,
    release: Row | float = 0.0,
    *,
    links: Row | float = 1.0,
    bandwidth: float = 1.0,
    memory: Row | float = math.inf,
) -> ArrivingBags:
    """`seconds` has a line a worker, each a machine; a single line is of one worker."""
    times = np.asarray(seconds, float).T
    system = System(
        tuple(TaskType(f"T{k}", count) for k, count in enumerate(counts)),
        tuple(MachineType(f"M{u}", 1) for u in range(times.shape[1])),
        times,
    )
    return ArrivingBags(
        system,
        np.broadcast_to(release, len(counts)),
        np.broadcast_to(data, len(counts)),
        Network.of(system, bandwidth, links, memory),
    )


def random_far_apart(seed: int, decades: float) -> ArrivingBags:
    """`random_bags` whose times, data and releases are up to so many powers of ten larger or
    smaller, each bag by itself.
    """
    made, rng = random_bags(seed, bags=5), np.random.default_rng(seed + 9)
    times, releases, data = 10.0 ** rng.uniform(-decades, decades, (3, len(made.release)))
    system = replace(made.system, etc=made.system.etc * times[:, None])
    return replace(made, system=system, release=made.release * releases, data=made.data * data)


def powered(bags: ArrivingBags, watts: Sequence[Row], idle: Row) -> ArrivingBags:
    """The bags on machines that draw so much: a line of watts a machine, and its idle power."""
    system = bags.system
    machines = tuple(
        MachineType(machine.name, machine.count, float(power))
        for machine, power in zip(system.machine_types, idle, strict=True)
    )
    apc = np.where(np.isfinite(system.etc), np.asarray(watts, float).T, np.nan)
    return replace(bags, system=replace(system, machine_types=machines, apc=apc))


def random_powered(seed: int, bags: int = 4, workers: int = 3) -> ArrivingBags:
    """`random_bags` with powers; machines may draw less at work than idle."""
    made, rng = random_bags(seed, bags, workers), np.random.default_rng(seed + 1)
    shape = made.system.etc.T.shape
    watts = rng.integers(1, 20, shape).astype(float)
    return powered(made, watts.tolist(), rng.choice([0.0, 1.0, 5.0], shape[0]).tolist())


def compute_only(counts: Sequence[int], release: Row | float = 0.0) -> ArrivingBags:
    """One worker that takes a second for each task, and no data."""
    return made(counts, [[1.0] * len(counts)], release=release)


def f9(memory: float = math.inf) -> ArrivingBags:
    """The link is wanted early, and the machine late."""
    return made((1, 2, 1), [[1, 1, 1e-9]], data=(0, 1, 1), release=(0, 0, 1), memory=memory)


def f10() -> ArrivingBags:
    return made((4, 4), [[1, 0.25], [1, 0.25]], data=(0.25, 1))


def f12(memory: float = math.inf) -> ArrivingBags:
    return made(
        (10, 6, 4),
        [[2, 4, 1], [4, 1, 1]],
        data=(1, 2, 4),
        release=(0, 3, 5),
        links=2,
        bandwidth=3,
        memory=memory,
    )


def random_bags(seed: int, bags: int = 4, workers: int = 3) -> ArrivingBags:
    """Up to so many; some pairs cannot run, some releases are equal, memory may be small."""
    rng = np.random.default_rng(seed)
    bags, workers = int(rng.integers(1, bags + 1)), int(rng.integers(1, workers + 1))
    times: npt.NDArray[np.float64] = rng.integers(1, 9, (bags, workers)) / rng.choice(
        [1.0, 2.0, 3.0]
    )
    possible = rng.random((bags, workers)) < 0.85
    possible[np.arange(bags), rng.integers(0, workers, bags)] = True
    memory = rng.choice([math.inf, 0.0, 1.5, 6.0], workers)
    system = System(
        tuple(TaskType(f"T{k}", int(rng.integers(1, 9))) for k in range(bags)),
        tuple(MachineType(f"M{u}", int(rng.integers(1, 4))) for u in range(workers)),
        np.where(possible, times, math.inf),
    )
    return ArrivingBags(
        system,
        rng.integers(0, 12, bags) * 1.0,
        rng.integers(0, 5, bags) * 1.0,
        Network.of(
            system,
            float(rng.choice([math.inf, 2.0, 3.5])),
            rng.choice([1.0, 2.0, math.inf], workers),
            memory if rng.random() < 0.5 else math.inf,
        ),
    )


def three_policies(*worst: float) -> TrialScores:
    """A trial with these worst stretches; the best possible one is 2."""
    names = ("fifo-rr", "spt-dd", "mwma-ms")
    return TrialScores(
        2.0,
        tuple(
            PolicyScores(name, StretchScores(one, one, 3_600.0 * one, 9e3, 9e3), (), 0.1)
            for name, one in zip(names, worst, strict=True)
        ),
    )


UNLIKE = (
    three_policies(8.0, 4.0, 3.0),
    three_policies(9.0, 5.0, 7.0),
    three_policies(8.1, 4.1, 4.4),
)
"""FIFO RR is far worse in each trial; MWMA MS is sometimes better than SPT DD, sometimes worse."""
