"""No schedule of whole tasks has a smaller worst stretch than the optimum for divisible ones."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
import pytest
from capabilities.fair_shares.made import made
from examples import seeds

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.optimum import least_stretch

Arrival = tuple[float, int]
"""When a task has arrived at its machine, and its bag."""


def tasks_of(bags: ArrivingBags) -> list[int]:
    return [k for k, task in enumerate(bags.system.task_types) for _ in range(task.count)]


def one_after_the_other(bags: ArrivingBags) -> Iterator[list[list[Arrival]]]:
    """Each order of all tasks and each machine for each of them: the master sends one task at a
    time, as fast as it and the link can.
    """
    tasks, network = tasks_of(bags), bags.network
    machines = range(len(bags.system.machine_types))
    for order in sorted(set(itertools.permutations(tasks))):
        for places in itertools.product(machines, repeat=len(tasks)):
            sent, arrived = 0.0, [list[Arrival]() for _ in machines]
            for k, j in zip(order, places, strict=True):
                data, at = float(bags.data[k]), float(bags.release[k])
                if data:
                    at = sent = max(sent, at) + data / min(network.bandwidth, network.links[j])
                arrived[j].append((at, k))
            yield arrived


def side_by_side(bags: ArrivingBags) -> Iterator[list[list[Arrival]]]:
    """Each order of tasks for each link: all links send at once, and share the bandwidth as evenly
    as they allow.
    """
    tasks = tasks_of(bags)
    cuts = range(len(tasks) + 1)
    for order in sorted(set(itertools.permutations(tasks))):
        for at in itertools.combinations_with_replacement(cuts, len(bags.network.links) - 1):
            ends = (0, *at, len(tasks))
            yield arrivals(bags, [list(order[low:high]) for low, high in itertools.pairwise(ends)])


def arrivals(bags: ArrivingBags, queues: list[list[int]]) -> list[list[Arrival]]:
    now, left = 0.0, [0.0] * len(queues)
    sending: list[int | None] = [None] * len(queues)
    arrived = [list[Arrival]() for _ in queues]
    while any(queues) or any(k is not None for k in sending):
        for u, queue in enumerate(queues):
            while sending[u] is None and queue and bags.release[queue[0]] <= now:
                k = queue.pop(0)
                if bags.data[k]:
                    sending[u], left[u] = k, float(bags.data[k])
                else:
                    arrived[u].append((now, k))
        rates = even_rates(bags, [u for u, k in enumerate(sending) if k is not None])
        dates = [now + left[u] / rate for u, rate in rates.items()]
        dates += [d for q in queues if q for d in [float(bags.release[q[0]])] if d > now]
        if not dates:
            break
        until = min(dates)
        for u, rate in rates.items():
            left[u] -= rate * (until - now)
            if left[u] <= 1e-12:
                arrived[u].append((until, sending[u]))
                sending[u] = None
        now = until
    return arrived


def even_rates(bags: ArrivingBags, links: list[int]) -> dict[int, float]:
    rates, rest = {}, bags.network.bandwidth
    for place, u in enumerate(sorted(links, key=lambda u: bags.network.links[u])):
        rates[u] = min(float(bags.network.links[u]), rest / (len(links) - place))
        rest -= rates[u]
    return rates


def worst_stretches(bags: ArrivingBags, ways: Iterable[list[list[Arrival]]]) -> Iterator[float]:
    """Those of ways to send all tasks, if machines compute what is there in each order of bags."""
    for arrived in ways:
        for order in itertools.permutations(range(len(bags.ideal))):
            ends = Counter[int]()
            for j, there in enumerate(arrived):
                waits, now = list(there), 0.0
                while waits:
                    now = max(now, min(at for at, _ in waits))
                    task = min(
                        (one for one in waits if one[0] <= now), key=lambda one: order[one[1]]
                    )
                    waits.remove(task)
                    now += float(bags.system.etc[task[1], j])
                    ends[task[1]] = max(ends[task[1]], now)
            yield max((ends[k] - bags.release[k]) / bags.ideal[k] for k in ends)


def least_worst(bags: ArrivingBags) -> float:
    ways = itertools.chain(one_after_the_other(bags), side_by_side(bags))
    return min(worst_stretches(bags, ways))


def tiny(seed: int) -> ArrivingBags:
    """Of even seeds, both links together carry about what the master can send."""
    rng = np.random.default_rng(seed)
    counts = [(2, 2), (3, 1), (1, 1, 2), (1, 3)][seed % 4]
    links = rng.integers(1, 3, 2)
    least = 1 if seed % 2 else int(links.sum()) - 1
    return made(
        counts,
        rng.integers(1, 6, (2, len(counts))),
        rng.integers(0, 3, len(counts)),
        rng.integers(0, 4, len(counts)),
        links=links,
        bandwidth=float(rng.integers(least, least + 3)),
    )


@pytest.mark.parametrize("seed", seeds(12, 60))
def test_no_schedule_of_tiny_bags_is_below(seed: int) -> None:
    bags = tiny(seed)
    found = least_stretch(bags, early=False)
    assert found.stretch <= least_worst(bags) * (1 + 1e-9)


def test_links_share_what_the_master_can_send() -> None:
    """Two tasks of 1 MB and 1 s: one link after the other carries them until 2 s, and both at once
    until 1 s, if the master sends 2 MB/s.
    """
    bags = made((2,), [[1], [1]], data=1, bandwidth=2)
    assert min(worst_stretches(bags, one_after_the_other(bags))) == pytest.approx(3)
    assert min(worst_stretches(bags, side_by_side(bags))) == pytest.approx(2)
    slow = made((2,), [[1], [1]], data=1, bandwidth=1.5)
    assert arrivals(slow, [[0], [0]]) == [[(pytest.approx(4 / 3), 0)]] * 2
    unlike = made((2,), [[1], [1]], data=1, links=(1, 0.25), bandwidth=1.1)
    # 0.25 MB/s over the slow link, and what is left over the other one.
    (fast,), (late,) = arrivals(unlike, [[0], [0]])
    assert (fast[0], late[0]) == (pytest.approx(1 / 0.85), pytest.approx(4))


def test_a_schedule_can_have_it() -> None:
    """Two bags, each best on its own machine, in one go."""
    bags = made((2, 2), [[1, 50], [50, 1]])
    assert least_worst(bags) == pytest.approx(1.02)
    assert least_stretch(bags).stretch == pytest.approx(1.02)
