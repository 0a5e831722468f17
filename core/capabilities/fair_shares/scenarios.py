"""Scenarios like the published ones: bags that arrive in a burst, at workers with slow links.

What was drawn is known of the publication, but neither the platform nor how sizes were drawn within
their limits; these were chosen such that averages of rivals come near to the published ones.
"""

import math

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.network import Network
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

MEGABYTE = 1e6


def published_scenario(
    seed: int,
    bags: int = 20,
    workers: int = 10,
    each: int = 1,
    most_work: float = 409.0,
    most_data: float = 6000.0,
) -> ArrivingBags:
    """Bags on workers, which are so many machines `each` that together are one of the publication.

    Release dates are log-normal; work and data are log-uniform, from 31 Gflop and 400 MB a bag to
    the most (Gflop, MB); tasks are as many as keep 3.1 Gflop and 40 MB each, but at least 10.
    """
    rng = np.random.default_rng(seed)
    release = np.sort(rng.lognormal(4.0, 1.2, bags))
    work = np.exp(rng.uniform(math.log(31), math.log(most_work), bags))
    data = np.exp(rng.uniform(math.log(400), math.log(most_data), bags))
    tasks = np.maximum(10, np.floor(np.minimum(work / 3.1, data / 40)))
    speeds = rng.uniform(0.05, 0.8, workers)
    links = rng.uniform(4, 12.5, workers)
    system = System(
        tuple(TaskType(f"bag {k + 1}", int(count)) for k, count in enumerate(tasks)),
        tuple(MachineType(f"worker {u + 1}", each) for u in range(workers)),
        (work / tasks)[:, None] / speeds * each,
    )
    network = Network.of(system, 40 * MEGABYTE, links * MEGABYTE / each)
    return ArrivingBags(system, release - release.min(), data / tasks * MEGABYTE, network)
