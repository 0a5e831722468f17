"""No schedule of whole tasks has a smaller worst stretch than the optimum for divisible ones."""

import itertools
import math
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from stretch.made import made

from core.stretch.bags import ArrivingBags
from core.stretch.optimum import least_stretch


def worst_stretches(bags: ArrivingBags) -> Iterator[float]:
    """That of each order of all tasks and each machine for each of them.

    The master sends one task after the other, as fast as it and the link can. Each machine
    computes tasks in the order in which it received them.
    """
    tasks = [k for k, task in enumerate(bags.system.task_types) for _ in range(task.count)]
    network, machines = bags.network, range(len(bags.system.machine_types))
    for order in sorted(set(itertools.permutations(tasks))):
        for places in itertools.product(machines, repeat=len(tasks)):
            sent, free, ends = 0.0, [0.0] * len(machines), Counter[int]()
            for k, j in zip(order, places, strict=True):
                data, release = float(bags.data[k]), float(bags.release[k])
                arrived = release
                if data:
                    sent = max(sent, release) + data / min(network.bandwidth, network.links[j])
                    arrived = sent
                free[j] = max(free[j], arrived) + float(bags.system.etc[k, j])
                ends[k] = max(ends[k], free[j])
            yield max((ends[k] - bags.release[k]) / bags.ideal[k] for k in ends)


def tiny(seed: int) -> ArrivingBags:
    rng = np.random.default_rng(seed)
    counts = [(2, 2), (3, 1), (1, 1, 2), (1, 3)][seed % 4]
    return made(
        counts,
        rng.integers(1, 6, (2, len(counts))),
        rng.integers(0, 3, len(counts)),
        rng.integers(0, 4, len(counts)),
        links=rng.integers(1, 3, 2),
        bandwidth=float(rng.integers(1, 4)),
    )


@pytest.mark.parametrize("seed", range(40))
def test_no_schedule_of_tiny_bags_is_below(seed: int) -> None:
    bags = tiny(seed)
    best = min(worst_stretches(bags))
    found = least_stretch(bags, early=False)
    assert found.stretch <= best * (1 + 1e-9)
    assert math.isfinite(best)


def test_a_schedule_can_have_it() -> None:
    """Two bags, each best on its own machine, in one go."""
    bags = made((2, 2), [[1, 50], [50, 1]])
    assert min(worst_stretches(bags)) == pytest.approx(1.02)
    assert least_stretch(bags).stretch == pytest.approx(1.02)
