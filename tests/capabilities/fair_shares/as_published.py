"""The optimum as it is published: a program of amounts sent, computed and waiting for each interval
between two milestones, each solved from nothing by scipy, and a search by halves over them.

Each machine is a worker of its own. It shares nothing with the code under test but the bags.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from core.capabilities.fair_shares.bags import ArrivingBags
from core.vocabulary.arrays import FloatArray


class Raw(NamedTuple):
    """Numbers of the bags; a line of `seconds` a machine, a column a bag."""

    counts: FloatArray
    release: FloatArray
    data: FloatArray
    seconds: FloatArray
    links: FloatArray
    memory: FloatArray
    bandwidth: float
    ideal: FloatArray
    start: float = -math.inf
    stock: FloatArray | None = None
    """Tasks that are on each machine at the start, in lines and columns like `seconds`."""


def raw(bags: ArrivingBags) -> Raw:
    system, network = bags.system, bags.network
    here = [k for k, task in enumerate(system.task_types) if task.count]
    machines = [j for j, machine in enumerate(system.machine_types) for _ in range(machine.count)]
    counts = np.array([system.task_types[k].count for k in here], float)
    seconds, data = system.etc[np.ix_(here, machines)].T, bags.data[here]
    links = network.links[machines]
    ideal = []
    for k in range(len(here)):
        rate = 0.0
        for u in range(len(machines)):
            limits = [1 / seconds[u, k]]
            limits += [links[u] / data[k]] if data[k] else []
            rate += min(limits)
        ideal.append(counts[k] / min([rate] + ([network.bandwidth / data[k]] if data[k] else [])))
    return Raw(
        counts,
        bags.release[here],
        data,
        seconds,
        links,
        network.memory[machines],
        network.bandwidth,
        np.array(ideal),
    )


Date = tuple[float, float]
"""Its constant, and how fast it rises with the stretch."""


def dates_of(one: Raw, stretch: float) -> tuple[list[Date], list[range]]:
    """The dates in their order at a stretch, and the intervals of each bag."""
    releases = [(max(float(release), one.start), 0.0) for release in one.release]
    deadlines = [(float(r), float(d)) for r, d in zip(one.release, one.ideal, strict=True)]
    dates = sorted({*releases, *deadlines}, key=lambda date: date[0] + date[1] * stretch)
    windows = [
        range(dates.index(release), dates.index(due))
        for release, due in zip(releases, deadlines, strict=True)
    ]
    return dates, windows


def least_in(
    one: Raw,
    dates: Sequence[Date],
    windows: Sequence[range],
    bounds: tuple[float, float | None],
    *,
    early_at: float | None = None,
    energy: tuple[FloatArray, float] | None = None,
    method: str = "highs",
) -> tuple[float, FloatArray] | None:
    """The least stretch within the bounds in this order of dates, or how early tasks end there.

    With `energy` (joules of a task by machine and bag, and watts), the least of these joules and
    of watts x what dates rise with, which need not be the stretch.
    """
    bags, machines = len(one.counts), len(one.links)
    column: dict[tuple[Any, ...], int] = {"S": 0}
    for what, k, u in itertools.product(("send", "compute"), range(bags), range(machines)):
        if math.isfinite(one.seconds[u, k]):
            column.update({(what, k, u, j): len(column) + n for n, j in enumerate(windows[k])})
    for k, u in itertools.product(range(bags), range(machines)):
        if math.isfinite(one.seconds[u, k]):
            inner = windows[k][1:]
            column.update({("wait", k, u, j): len(column) + n for n, j in enumerate(inner)})
    at_most: list[tuple[dict[int, float], float]] = []
    equal: list[tuple[dict[int, float], float]] = []

    def row(
        of: Callable[[int, int, int], tuple[str, float]], j: int, us: range
    ) -> dict[int, float]:
        found: dict[int, float] = {}
        for k, u in itertools.product(range(bags), us):
            what, value = of(k, u, j)
            if (what, k, u, j) in column:
                found[column[what, k, u, j]] = value
        return found

    def within(entries: dict[int, float], j: int, capacity: float) -> None:
        base, slope = dates[j + 1][0] - dates[j][0], dates[j + 1][1] - dates[j][1]
        if math.isfinite(capacity):
            at_most.append(({**entries, 0: -capacity * slope}, capacity * base))

    for j in range(len(dates) - 1):
        send = lambda k, u, j: ("send", one.data[k])  # noqa: E731
        within(row(send, j, range(machines)), j, one.bandwidth)
        for u in range(machines):
            within(row(send, j, range(u, u + 1)), j, one.links[u])
            compute = lambda k, u, j: ("compute", one.seconds[u, k])  # noqa: E731
            within(row(compute, j, range(u, u + 1)), j, 1.0)
            if math.isfinite(one.memory[u]):
                wait = lambda k, u, j: ("wait", one.data[k])  # noqa: E731
                at_most.append((row(wait, j, range(u, u + 1)), one.memory[u]))
    for k in range(bags):
        sent = {place: 1.0 for name, place in column.items() if name[:2] == ("send", k)}
        equal.append((sent, one.counts[k]))
        for u, j in itertools.product(range(machines), windows[k]):
            if ("send", k, u, j) not in column:
                continue
            balance = {column["send", k, u, j]: 1.0, column["compute", k, u, j]: -1.0}
            if ("wait", k, u, j) in column:
                balance[column["wait", k, u, j]] = 1.0
            if ("wait", k, u, j + 1) in column:
                balance[column["wait", k, u, j + 1]] = -1.0
            there = one.stock is not None and j == windows[k][0]
            equal.append((balance, -float(one.stock[u, k]) if there else 0.0))
    costs = np.zeros(len(column))
    costs[0] = 1.0
    if early_at is not None:
        bounds, costs[0] = (early_at, early_at), 0.0
        for name, place in column.items():
            if name[0] == "compute":
                _, k, _, j = name
                end = dates[j + 1][0] + dates[j + 1][1] * early_at
                costs[place] = end / (one.counts[k] * one.ideal[k])
    if energy is not None:
        joules, costs[0] = energy
        for name, place in column.items():
            if name[0] == "compute":
                costs[place] = joules[name[2], name[1]]
    found = linprog(
        costs,
        *_matrix(at_most, len(column)),
        *_matrix(equal, len(column)),
        [bounds] + [(0, None)] * (len(column) - 1),
        method=method,
    )
    return (float(found.fun), found.x) if found.status == 0 else None


def _matrix(
    rows: Sequence[tuple[dict[int, float], float]], columns: int
) -> tuple[Any, list[float]] | tuple[None, None]:
    if not rows:
        return None, None
    triples = [(value, r, c) for r, (row, _) in enumerate(rows) for c, value in row.items()]
    values, at, of = zip(*triples, strict=True)
    return coo_array((values, (at, of)), (len(rows), columns)).tocsr(), [right for _, right in rows]


def milestones_of(one: Raw) -> list[float]:
    """All stretches above 1 where two dates meet, found pair by pair."""
    found = set()
    for k, m in itertools.permutations(range(len(one.counts)), 2):
        found.add((one.release[m] - one.release[k]) / one.ideal[k])
        if one.ideal[k] != one.ideal[m]:
            found.add((one.release[m] - one.release[k]) / (one.ideal[k] - one.ideal[m]))
    return sorted(float(stretch) for stretch in found if stretch > 1)


def least_by_halves(bags: ArrivingBags, method: str = "highs") -> float:
    """The search of the publication."""
    one = raw(bags)
    ends = [1.0, *milestones_of(one)]
    low, high, best = 0, len(ends) - 1, None
    while low <= high:
        middle = (low + high) // 2
        last = middle + 1 == len(ends)
        upper = None if last else ends[middle + 1]
        dates, windows = dates_of(one, ends[middle] + 1 if last else (ends[middle] + upper) / 2)
        found = least_in(one, dates, windows, (ends[middle], upper), method=method)
        if found is None:
            low = middle + 1
        else:
            best, high = found[0], middle - 1
    assert best is not None
    return best


def possible(bags: ArrivingBags, stretch: float) -> bool:
    """Whether all deadlines can be kept at this stretch."""
    return can_have(raw(bags), stretch)


def can_have(one: Raw, stretch: float) -> bool:
    dates, windows = dates_of(one, stretch)
    return least_in(one, dates, windows, (stretch, stretch)) is not None


def least_by_bisection(bags: ArrivingBags, near: float = 1e-6) -> float:
    low, high = 1.0, 2.0
    while not possible(bags, high):
        low, high = high, 2 * high
    while high - low > near:
        middle = (low + high) / 2
        low, high = (low, middle) if possible(bags, middle) else (middle, high)
    return high


def least_energy(bags: ArrivingBags, stretch: float) -> float | None:
    """The least joules of plans of at most this stretch; None if there are none.

    When the last task ends is searched between any two dates that follow each other: all deadlines
    after it are moved to it.
    """
    system, one = bags.system, raw(bags)
    assert system.apc is not None
    one = one._replace(release=one.release - one.release.min())
    machines = [j for j, machine in enumerate(system.machine_types) for _ in range(machine.count)]
    idle = np.array([system.machine_types[j].idle_power for j in machines])
    here = [k for k, task in enumerate(system.task_types) if task.count]
    watts = system.apc[np.ix_(here, machines)].T - idle[:, None]
    joules = np.where(np.isfinite(one.seconds), one.seconds, 0) * np.nan_to_num(watts)
    energy, found = (joules, float(idle.sum())), []
    due = one.release + stretch * one.ideal
    last = float(one.release.max())
    for low, high in itertools.pairwise(sorted({last, *(each for each in due if each > last)})):
        before = {(float(date), 0.0) for date in (*one.release, *due) if date <= low}
        dates = [*sorted(before), (0.0, 1.0)]
        windows = [
            range(
                dates.index((float(r), 0.0)), dates.index((float(d), 0.0) if d <= low else (0, 1))
            )
            for r, d in zip(one.release, due, strict=True)
        ]
        best = least_in(one, dates, windows, (low, high), energy=energy)
        found += [] if best is None else [best[0]]
    return min(found, default=None)


def earliest_mean(bags: ArrivingBags, stretch: float) -> float:
    """The second stage at this stretch: the mean over bags of when tasks end, in ideal durations.

    Dates count from the first release.
    """
    one = raw(bags)
    one = one._replace(release=one.release - one.release.min())
    dates, windows = dates_of(one, stretch)
    found = least_in(one, dates, windows, (stretch, stretch), early_at=stretch)
    assert found is not None
    return found[0] / len(one.counts)
