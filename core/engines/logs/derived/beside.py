"""What a log says beside its system: arrivals, requests, and when nodes were busy."""

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from core.engines.logs.derived.derivation import Derivation
from core.engines.logs.pairs.needs import amounts_requested
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.accepting import USED
from core.engines.logs.types.classifying import Tally
from core.engines.logs.types.nodes import Nodes, parts_with_nodes
from core.engines.logs.types.rule_parts import RunBlock, texts_of
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.calendar import HOURS_OF_DAY, HOURS_OF_WEEK, WEEKDAYS
from core.vocabulary.node_use import BusyChanges, NodeUse
from core.vocabulary.requests import AMOUNTS, ON_A_NODE, TIMES_PLANNED, LogRequests, Request
from core.vocabulary.say.words import DAY, HOUR

_MONDAY: Final = 4 * DAY
"""The first midnight of the clock that begins a Monday: day 0 was a Thursday."""
_PERIODS: Final = ((HOURS_OF_DAY, 0.0), (HOURS_OF_WEEK, _MONDAY))
"""Hours of a period, and when one begins (s)."""


def arrivals_in(derivation: Derivation, store: RunStore) -> HourlyArrivals | None:
    """The runs that are used, by the hour of the cluster's clock in which they were submitted, or
    began where the log says no more; also by the hour of the week, if it is long enough. None if it
    does not say when.

    An hour that the log has less than once, at its ends, counts as once.
    """
    found = derivation.classified
    runs = {period: np.zeros((period[0], len(found.task_names))) for period in _PERIODS}
    first, last = math.inf, -math.inf
    for rows, block in store.parts(["submit", "start"]):  # all at once would take much memory
        submit, start = block["submit"], block["start"]
        moment = np.where(np.isfinite(submit), submit, start)
        known = (found.reasons.of_run[rows] == USED) & np.isfinite(moment)
        moment, task = moment[known], found.task[rows][known]
        first = min(first, float(moment.min(initial=math.inf)))
        last = max(last, float(moment.max(initial=-math.inf)))
        for (hours, begins), counts in runs.items():
            hour = ((moment - begins) % (hours * HOUR) // HOUR).astype(np.int64)
            np.add.at(counts, (hour, task), 1)
    if first > last:
        return None
    days = (last - first) / DAY
    of_day, of_week = (
        counts / np.maximum(hours_between(first - begins, last - begins, hours), 1.0)[:, None]
        for (hours, begins), counts in runs.items()
    )
    week = of_week if days >= len(WEEKDAYS) else None
    return HourlyArrivals(found.task_names, of_day, days, week)


def hours_between(first: float, last: float, hours: int = HOURS_OF_DAY) -> FloatArray:
    """How often each hour of the day, or of another period of so many hours, is between two moments
    (s); parts of an hour count as such.
    """
    periods, rest = divmod(last - first, hours * HOUR)
    begins = HOUR * np.arange(2 * hours)
    begin = first % (hours * HOUR)
    parts = np.clip(begin + rest - begins, 0.0, HOUR) - np.clip(begin - begins, 0.0, HOUR)
    shares: FloatArray = periods + parts.reshape(2, hours).sum(axis=0) / HOUR
    return shares


_SIZE: Final = 1 << 21
"""More than different texts in a column, so that a number of a type and a text is a number."""
_TRES: Final = {"cores": b"cpu", "gpus": b"gres/gpu"}


def requests_in(derivation: Derivation, store: RunStore) -> LogRequests | None:
    """What used runs requested, or were given where the log has no requests. A run without a limit
    of its time counts with `TIMES_PLANNED` times what it took. None if a machine is no node.
    """
    machines, found = derivation.machines, derivation.classified
    if machines.unit != "node":
        return None
    texts = [name for name in ("reqtres", "partition") if name in store.texts]
    requested = {}
    if "reqtres" in texts:
        requested = {name: amounts_requested(store, key) for name, key in _TRES.items()}
    shape = len(found.task_names), len(AMOUNTS)
    least, most, partitions = np.full(shape, np.inf), np.zeros(shape), Tally()
    columns = ("cores", "gpus", "memory", "limit", "elapsed", *texts)
    for block, task, machine in found.used_runs(store, Nodes(store), columns):
        asked = _asked(block, requested)
        np.minimum.at(least, task, asked)
        np.maximum.at(most, task, asked)
        if "partition" in texts:
            partitions.add(machine * _SIZE + block["partition"].astype(np.int64) + 1)
    least = np.where(np.isfinite(least), least, 0.0)
    sizes = np.column_stack([machines.cores, machines.gpus, machines.memory])
    return LogRequests(
        dict(zip(found.task_names, map(_request, least), strict=True)),
        dict(zip(found.task_names, map(_request, most), strict=True)),
        dict(zip(found.machine_names, map(_request, sizes), strict=True)),
        _most_frequent(partitions, store, found.machine_names),
    )


def _asked(block: RunBlock, requested: dict[str, FloatArray]) -> FloatArray:
    """The amounts of each run, in the order of `AMOUNTS`."""
    on_node = []
    for name in ON_A_NODE:
        amount = np.nan_to_num(block[name].astype(np.float64))
        if name in requested:
            said = requested[name][block["reqtres"]]
            amount = np.where(np.isnan(said), amount, said)
        on_node.append(np.ceil(amount / block["nodes"]))
    limit = block["limit"].astype(np.float64)
    seconds = np.where(np.isfinite(limit) & (limit > 0), limit, TIMES_PLANNED * block["elapsed"])
    return np.column_stack([*on_node, seconds, block["nodes"]])


def _request(amounts: FloatArray) -> Request:
    cores, gpus, memory, *more = amounts.tolist()
    seconds, nodes = more or (0.0, 0.0)
    return Request(int(cores), int(gpus), memory, seconds, int(nodes))


def _most_frequent(tally: Tally, store: RunStore, names: tuple[str, ...]) -> dict[str, str]:
    if not len(tally.numbers):
        return {}
    texts = [*texts_of(store, "partition")]
    found: dict[str, str] = {}
    for place in np.argsort(-tally.counts, kind="stable").tolist():
        machine, text = divmod(int(tally.numbers[place]), _SIZE)
        if text and (name := texts[text - 1]):
            found.setdefault(names[machine], name)
    return found


MOST_STAYS: Final = 500_000
"""If there are more stays of jobs on nodes, only the latest are looked at."""
_PARTS: Final = 1 << 20
"""Shares of a node are counted in whole parts, rounded down: so sums are exact, and shares that
fill a node do not take another one.
"""


class _Jobs(NamedTuple):
    """Jobs: when they ran (s), the places of their machine types, and how many nodes they had, or
    what share of one; their lists of nodes, and their clusters.
    """

    start: FloatArray
    end: FloatArray
    types: IntArray
    nodes: FloatArray
    lists: IntArray
    clusters: IntArray

    def only(self, chosen: BoolArray | IntArray) -> "_Jobs":
        start, end, types, nodes, lists, clusters = self
        times = start[chosen], end[chosen]
        return _Jobs(*times, types[chosen], nodes[chosen], lists[chosen], clusters[chosen])


def node_use(derivation: Derivation, store: RunStore) -> NodeUse | None:
    """When nodes of each machine type were busy: node by node where a log names its nodes, else by
    the share of a node that each job had. All jobs whose machine type is known count, also those
    that are no measurements. None if the log does not say when they ran.
    """
    nodes = Nodes(store)
    named = nodes.are_counted and bool((nodes.of_lists > 0).any())
    stays = nodes.of_lists if named else None
    parts: list[_Jobs] = []
    for part in _jobs(derivation, store, nodes, nodes.column if named else None):
        parts.append(part)
        if 2 * sum(len(one.start) for one in parts) > 3 * MOST_STAYS:
            parts = [_latest(parts, stays)]  # a log of millions of jobs takes no more memory
    if not any(len(part.start) for part in parts):
        return None
    jobs = _latest(parts, stays)
    begin, end = float(jobs.start.min()), float(jobs.end.max())
    machines, names = derivation.machines, derivation.classified.machine_names
    if named:
        changes, known = _by_node(jobs, nodes, len(names))
    else:
        changes = [_by_share(jobs.only(jobs.types == kind)) for kind in range(len(names))]
        known = _Named((), np.zeros(0, np.int64), np.zeros(0))
    most = np.array([one.most for one in changes])
    seen = np.bincount(known.types, minlength=len(names))
    there = np.maximum(np.maximum(machines.nodes, most), seen)
    return NodeUse(names, there, machines.per_node, begin, end, tuple(changes), *known)


def _jobs(
    derivation: Derivation, store: RunStore, nodes: Nodes, listed: str | None
) -> Iterator[_Jobs]:
    """The jobs block by block; `listed` is the column of their nodes."""
    machines, settings = derivation.machines, derivation.settings
    clusters = "cluster" if "cluster" in store.texts else None
    texts = [name for name in (listed, clusters) if name]
    for rows, block in parts_with_nodes(store, nodes, ["start", "end", "cores", "gpus", *texts]):
        types = derivation.classified.machine[rows].astype(np.int64)
        ran = (types >= 0) & (block["end"] > block["start"])
        if settings.begin is not None and settings.end is not None:
            ran &= (block["start"] >= settings.begin) & (block["start"] < settings.end)
        none = np.full(len(types), -1, np.int64)
        lists = none
        if listed:
            lists = block[listed].astype(np.int64)
            ran &= nodes.of_lists[lists] > 0
        kind = np.maximum(types, 0)
        share = np.maximum(
            block["cores"] / np.maximum(machines.cores, 1)[kind],
            block["gpus"] / np.maximum(machines.gpus, 1)[kind],
        )
        had = np.where(share > 0, np.minimum(share, block["nodes"]), block["nodes"])
        of = block[clusters].astype(np.int64) if clusters else none
        yield _Jobs(block["start"], block["end"], types, had, lists, of).only(ran)


def _latest(parts: Sequence[_Jobs], stays_of_lists: IntArray | None) -> _Jobs:
    """The latest of these jobs by their start, with at most `MOST_STAYS` stays."""
    jobs = _Jobs(*map(np.concatenate, zip(*parts, strict=True)))
    jobs = jobs.only(np.argsort(jobs.start, kind="stable"))
    stays = np.ones_like(jobs.lists) if stays_of_lists is None else stays_of_lists[jobs.lists]
    # The latest job is looked at whatever it has.
    return jobs.only(np.cumsum(stays[::-1])[::-1] <= max(MOST_STAYS, int(stays[-1])))


class _Named(NamedTuple):
    """Nodes, the places of their machine types, and how long each was busy (s)."""

    names: tuple[str, ...]
    types: IntArray
    busy: FloatArray


def _by_node(jobs: _Jobs, nodes: Nodes, types: int) -> tuple[list[BusyChanges], _Named]:
    """A node is busy while at least one job is on it. It is of the type of most of its jobs; a job
    counts with the type of its first node. Nodes of equal names in two clusters are two.
    """
    node, job = nodes.on(jobs.lists)
    clusters = int(jobs.clusters.max()) + 2
    keys, node = np.unique(node * clusters + jobs.clusters[job] + 1, return_inverse=True)
    pairs, times = np.unique(node * types + jobs.types[job], return_counts=True)
    order = np.lexsort((times, pairs // types))
    last = np.flatnonzero(np.diff(pairs[order] // types, append=-1))
    of_node = pairs[order][last] % types
    first_node = np.zeros(len(jobs.start), np.int64)
    first_node[job[::-1]] = node[::-1]
    kind = of_node[first_node]
    # The stays of each node, one after the other on one line of time.
    order = np.argsort(node, kind="stable")
    node, job = node[order], job[order]
    begin = jobs.start[0]
    line = node * (jobs.end.max() - begin + 1.0)
    until = np.maximum.accumulate(line + jobs.end[job] - begin)
    first = np.append(True, line[1:] + jobs.start[job[1:]] - begin > until[:-1])
    heads = np.flatnonzero(first)
    tails = np.append(heads[1:], len(node)) - 1
    ends = until[tails] - line[tails] + begin
    leaders = job[heads]
    busy = np.bincount(node[heads], ends - jobs.start[leaders], len(keys)).astype(np.float64)
    taken = np.bincount(leaders, minlength=len(jobs.start))
    changes = [
        _changes(jobs.start[kind == one], taken[kind == one], ends[kind[leaders] == one])
        for one in range(types)
    ]
    names = tuple(nodes.names[key] for key in (keys // clusters).tolist())
    return changes, _Named(names, of_node, busy)


def _changes(starts: FloatArray, taken: IntArray, ends: FloatArray) -> BusyChanges:
    """Jobs that take so many nodes, and the moments at which one becomes free."""
    free, count = np.unique(ends, return_counts=True)
    times, by = np.concatenate([free, starts]), np.concatenate([-count, taken])
    order = np.lexsort((np.arange(len(times)) >= len(free), times))
    return BusyChanges(times[order], by[order])


def _by_share(jobs: _Jobs) -> BusyChanges:
    """As few nodes are busy as the shares of the jobs that run could fill."""
    parts = np.maximum(np.floor(jobs.nodes * _PARTS), 1).astype(np.int64)
    begins = np.repeat([False, True], len(parts))
    times = np.concatenate([jobs.end, jobs.start])
    order = np.lexsort((begins, times))
    load = np.cumsum(np.concatenate([-parts, parts])[order])
    by = np.diff(-(-load // _PARTS), prepend=0)
    kept = begins[order] | (by != 0)
    return BusyChanges(times[order][kept], by[kept])
