"""Idle watts and busy watts of machine types, from samples joined with runs by node and time."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import numpy as np

from core.engines.logs.metered.power_samples import PowerSamples, in_order, matched, moment
from core.engines.logs.pairs.machines import MachinesSeen
from core.engines.logs.pairs.measuring import Estimate, estimate
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.accepting import repeated
from core.engines.logs.types.classifying import Classified
from core.engines.logs.types.nodes import Nodes, parts_with_nodes
from core.files.findings import shown_list
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import HOUR, Sense, counted, duration
from core.vocabulary.tolerances import NO_SHARE, UNCLEAR

FEWEST: Final = 10
"""Samples that idle watts, or busy watts of a pair, need."""
WHOLE: Final = 0.95
"""The share of a node from which a task type has the whole of it."""
SURE: Final = 0.1
"""Busy watts by least squares count if their standard error is at most this share of them."""
_BLOCK: Final = 1 << 22
_TICKS: Final = 1000.0
"""Times are joined in whole milliseconds."""
_SHIFTS: Final = np.arange(-12, 14.25, 0.5) * HOUR
_SHIFTED: Final = 1.02
"""Samples are moved by hours if they then explain so many times as much of what is measured."""
_CLEAR: Final = 0.1
"""The share of the variance of watts that they must explain to be moved."""
_LOOKED_AT: Final = 50_000
_MOST: Final = 50_000_000
"""Runs, each once for each of its nodes: 2 GB."""
_LAST: Final = 8e9
"""The year 2223: moments behind it are no times."""
_NAMED: Final = 12


@dataclass(frozen=True)
class MeteredWatts:
    """The watts of a node of each machine type that does nothing, and of one whose whole is taken
    by a task type, for each pair of task type and machine type. `whole` pairs had nodes for
    themselves; the others are from least squares over what ran at once. `notes` say how the samples
    and the log fit.
    """

    idle: Mapping[int, Estimate] = field(default_factory=dict)
    busy: Mapping[tuple[int, int], Estimate] = field(default_factory=dict)
    whole: frozenset[tuple[int, int]] = frozenset()
    notes: tuple[str, ...] = ()

    def of_machines(self, machines: MachinesSeen) -> dict[tuple[int, int], Estimate]:
        """The busy watts of machines, where a node has several."""
        each = machines.per_node.tolist()
        return {
            (i, j): Estimate(found.runs, *(value / each[j] for value in found[1:]))
            for (i, j), found in self.busy.items()
        }


class _RunsOnNodes(NamedTuple):
    """Runs, once for each of their nodes: from when to when (s), of which task type (the number
    behind the last for a run that is not used), and with what share of the node.
    """

    node: IntArray
    begin: FloatArray
    end: FloatArray
    task: IntArray
    share: FloatArray


def measured_watts(
    samples: PowerSamples,
    store: RunStore,
    classified: Classified,
    nodes: Nodes,
    machines: MachinesSeen,
) -> MeteredWatts:
    """The watts that samples show. Raises `InvalidInput` if they and the log have no node or no
    time in common.
    """
    if machines.unit == "job" or not nodes.known:
        raise _refused(
            "watts are of nodes, but this log does not say which nodes its jobs had; add NodeList "
            "to the dump, and let a machine be a node, a core or a GPU"
        )
    places = matched(samples.nodes, nodes.names)
    unknown = [name for name in samples.nodes if name not in places]
    if not places:
        raise _refused(
            f"none of the nodes of the samples ({shown_list(unknown)}) is a node of the log "
            f"({shown_list(nodes.names)}); correct the names"
        )
    sampled = np.zeros(len(nodes.names), bool)
    sampled[[*places.values()]] = True
    join = _on_nodes(store, classified, nodes, machines, sampled)
    of_samples = np.array([places.get(name, -1) for name in samples.nodes], np.int64)
    node = of_samples[samples.node]
    used = (node >= 0) & (join.types[node] >= 0)
    shift = _shift(samples, node, used, join) if samples.is_absolute else 0.0
    begin, end = samples.begin + shift, samples.end + shift
    used &= (begin >= join.first) & (end <= join.last)
    if not used.any():
        raise _refused(
            f"no sample is of a node that ran a used job, from {moment(join.first)} to "
            f"{moment(join.last)}, when the log has all jobs; give samples of that time"
        )
    notes = [*samples.notes, *_said_of_join(samples, unknown, used, shift)]
    found = join.watts(node[used], begin[used], end[used], samples.watts[used])
    return replace(found, notes=tuple(notes))


def _refused(message: str) -> InvalidInput:
    return InvalidInput([Problem("", "", "watts", message)])


def _said_of_join(
    samples: PowerSamples, unknown: list[str], used: BoolArray, shift: float
) -> Iterator[str]:
    yield (
        f"{int(used.sum()):,} of {counted(len(samples), 'sample')} of power are of nodes and of "
        "the time of the log."
    )
    if unknown:
        yield f"Nodes with samples that the log does not know: {shown_list(unknown, _NAMED)}."
    if shift:
        way = "later" if shift > 0 else "earlier"
        hours = duration(abs(shift), Sense.PLAIN)
        yield (
            f"The clock of the log is {hours} {way} than that of the samples, by where both fit "
            "best; the samples were moved."
        )


def _on_nodes(
    store: RunStore,
    classified: Classified,
    nodes: Nodes,
    machines: MachinesSeen,
    sampled: BoolArray,
) -> "_Join":
    """What ran on nodes, each run once. Raises `InvalidInput` if no times are known on those that
    are sampled, or if there are too many runs.
    """
    again = np.logical_or.reduce([*repeated(store).values()])
    tasks, types = len(classified.task_names), len(classified.machine_names)
    column = nodes.column or ""
    parts: list[_RunsOnNodes] = []
    on_types: list[IntArray] = []
    total, first, last = 0, math.inf, -math.inf
    blocks = parts_with_nodes(store, nodes, ("start", "end", "elapsed", "cores", "gpus", column))
    for rows, block in blocks:
        begin = block["start"]
        end = np.where(np.isfinite(block["end"]), block["end"], begin + block["elapsed"])
        timed = np.flatnonzero(
            (end > begin) & (begin > 0) & (end < _LAST) & (block[column] >= 0) & ~again[rows]
        )
        task, machine, used = classified.part(rows)
        used &= (task >= 0) & (machine >= 0)
        one = {**block, "elapsed": np.ones(len(begin))}
        machine = np.maximum(machine, 0)
        each = machines.seconds(one, machine) / machines.per_node[machine] / block["nodes"]
        share = np.where(used, np.minimum(each, 1.0), 1.0)
        node, place = nodes.on(block[column][timed].astype(np.int64))
        node, run = node[sampled[node]], timed[place][sampled[node]]
        total += len(node)
        if total > _MOST:
            raise _refused(f"the log has more than {_MOST:,} runs on nodes; give one of fewer days")
        of_task = np.where(used, task, tasks)[run]
        first = min(first, float(end[timed].min(initial=math.inf)))
        last = max(last, float(begin[timed].max(initial=-math.inf)))
        parts.append(_RunsOnNodes(node, begin[run], end[run], of_task, share[run]))
        on_types.append((node * types + machine[run])[used[run]])
    if not total:
        raise _refused(
            "the log does not say when jobs ran on the nodes of the samples; add Start and End to "
            "the dump"
        )
    keys, counts = np.unique(np.concatenate(on_types), return_counts=True)
    of_node = np.full(len(nodes.names), -1, np.int64)
    order = np.argsort(counts, kind="stable")
    of_node[keys[order] // types] = keys[order] % types  # the most frequent comes last
    runs = _RunsOnNodes(*(np.concatenate(each) for each in zip(*parts, strict=True)))
    return _Join(of_node, runs, first, last, tasks)


class _Join:
    """The states of all nodes over time: between two of its events, a node runs the same.

    `types` has the machine type of each node, -1 without one. From `first` to `last` (s), the log
    has all jobs: from the first end of one to the last begin of one. Jobs that ended earlier or
    began later may be missing.
    """

    def __init__(
        self, types: IntArray, runs: _RunsOnNodes, first: float, last: float, tasks: int
    ) -> None:
        self.types, self.first, self.last, self._tasks = types, first, last, tasks
        self._origin = min(float(runs.begin.min()), first)
        self._span = int((max(float(runs.end.max()), last) - self._origin) * _TICKS) + 2
        self._starts, self._ends = (
            self._keys(runs.node, times) for times in (runs.begin, runs.end)
        )
        self._begun, self._ended = np.sort(self._starts), np.sort(self._ends)
        origin = np.arange(len(types), dtype=np.int64) * self._span
        self._edges = np.unique(np.concatenate([origin, self._starts, self._ends]))
        self._task, self._share = runs.task, runs.share

    def _keys(self, node: IntArray, times: FloatArray) -> IntArray:
        """Numbers in the order of nodes, and of times within each."""
        ticks = np.rint((times - self._origin) * _TICKS).astype(np.int64)
        return node * self._span + np.clip(ticks, 0, self._span - 1)

    def busy(self, node: IntArray, times: FloatArray) -> BoolArray:
        """Whether a node ran anything at a time."""
        keys = self._keys(node, times)
        begun, ended = (
            np.searchsorted(each, keys, side="right") for each in (self._begun, self._ended)
        )
        return np.asarray(begun > ended)

    def watts(
        self, node: IntArray, begin: FloatArray, end: FloatArray, watts: FloatArray
    ) -> MeteredWatts:
        """The watts of samples within the time of the log. A sample of a span counts if nothing
        began or ended within it.
        """
        at, until = self._keys(node, begin), self._keys(node, end)
        segment = np.searchsorted(self._edges, at, side="right") - 1
        last = np.searchsorted(self._edges, until, side="left") - 1
        steady = (segment == last) | (at == until)
        segment, watts = segment[steady], watts[steady]
        edges = len(self._edges)
        counts = np.bincount(segment, minlength=edges)
        sums = np.bincount(segment, watts, edges)
        squares = np.bincount(segment, np.square(watts), edges)
        seen = np.flatnonzero(counts)
        label = np.full(edges, -1, np.int64)
        machine = self.types[self._edges // self._span]
        fits = [_Fit(self._tasks) for _ in range(int(machine.max(initial=-1)) + 1)]
        for rows, shares in self._states(seen):
            label[rows] = self._labels(shares)
            for j, fit in enumerate(fits):
                of_type = machine[rows] == j
                some = rows[of_type]
                fit.add(shares[of_type], counts[some], sums[some], squares[some])
        groups = machine[segment] * (self._tasks + 1) + label[segment]
        groups[label[segment] < 0] = -1
        return self._found(_by_group(groups, watts), fits)

    def _states(self, wanted: IntArray) -> Iterator[tuple[IntArray, FloatArray]]:
        """Segments among those wanted, and what share of the node each task type has in them."""
        events = np.concatenate([self._starts, self._ends])
        order = np.argsort(events, kind="stable")
        place = np.searchsorted(self._edges, events[order])
        task = np.concatenate([self._task, self._task])[order]
        change = np.concatenate([self._share, -self._share])[order]
        step = max(_BLOCK // (self._tasks + 1), 1)
        carried = np.zeros(self._tasks + 1)
        for first in range(0, len(self._edges), step):
            size = min(step, len(self._edges) - first)
            low, high = np.searchsorted(place, [first, first + size])
            shares = np.zeros((size, self._tasks + 1))
            np.add.at(shares, (place[low:high] - first, task[low:high]), change[low:high])
            shares[0] += carried
            np.cumsum(shares, axis=0, out=shares)
            carried = shares[-1].copy()
            rows = wanted[np.searchsorted(wanted, first) : np.searchsorted(wanted, first + size)]
            kept = shares[rows - first]
            kept[kept < NO_SHARE] = 0.0
            yield rows, kept

    def _labels(self, shares: FloatArray) -> IntArray:
        """The number of the only task type, where it has the whole node; that behind the last where
        nothing runs; otherwise -1.
        """
        most = shares.argmax(axis=1)
        there = (shares > 0).sum(axis=1)
        alone = (there == 1) & (shares.max(axis=1) >= WHOLE) & (most < self._tasks)
        return np.where(there == 0, self._tasks, np.where(alone, most, -1))

    def _found(self, groups: Mapping[int, FloatArray], fits: list["_Fit"]) -> MeteredWatts:
        idle: dict[int, Estimate] = {}
        busy: dict[tuple[int, int], Estimate] = {}
        for group, values in groups.items():
            machine, label = divmod(group, self._tasks + 1)
            if len(values) >= FEWEST:
                found = estimate(values, "median")._replace(low=math.nan, high=math.nan)
                if label == self._tasks:
                    idle[machine] = found
                else:
                    busy[label, machine] = found
        whole = frozenset(busy)
        for machine, fit in enumerate(fits):
            at_rest, of_tasks = fit.solved(idle.get(machine))
            if at_rest is not None:
                idle.setdefault(machine, at_rest)
            for task, found in of_tasks.items():
                busy.setdefault((task, machine), found)
        return MeteredWatts(idle, busy, whole)


def _by_group(groups: IntArray, values: FloatArray) -> dict[int, FloatArray]:
    """The values of each group from 0 on, the smallest first."""
    groups, values = groups[groups >= 0], values[groups >= 0]
    order = in_order(groups)
    numbers, firsts = np.unique(groups[order], return_index=True)
    parts = np.split(values[order], firsts[1:])
    return {
        int(number): np.sort(part) for number, part in zip(numbers.tolist(), parts, strict=False)
    }


class _Fit:
    """Least squares over segments: watts = idle watts + shares x watts above them, none below 0."""

    def __init__(self, tasks: int) -> None:
        self._tasks = tasks
        self._products = np.zeros((tasks + 1, tasks + 1))  # the last column is 1
        self._sums = np.zeros(tasks + 1)
        self._squares = 0.0
        self._segments = 0
        self._present = np.zeros(tasks, np.int64)

    def add(
        self, shares: FloatArray, counts: IntArray, sums: FloatArray, squares: FloatArray
    ) -> None:
        """Add segments with the count of their samples, the sum of their watts and of squares."""
        known = shares[:, self._tasks] == 0  # runs that are not used have no type
        rows, counts = shares[known].copy(), counts[known]
        rows[:, self._tasks] = 1.0
        self._products += rows.T @ (rows * counts[:, None])
        self._sums += rows.T @ sums[known]
        self._squares += float(squares[known].sum())
        self._segments += len(rows)
        self._present += counts @ (rows[:, : self._tasks] > 0)

    def solved(self, at_rest: Estimate | None) -> tuple[Estimate | None, dict[int, Estimate]]:
        """The idle watts, if they were not known and are sure now, and the busy watts of the task
        types that are sure.
        """
        from scipy.optimize import nnls

        tasks = np.flatnonzero(self._present)
        samples = float(self._products[-1, -1])
        if not len(tasks):
            return None, {}
        columns = tasks if at_rest is not None else np.append(tasks, self._tasks)
        rest = 0.0 if at_rest is None else at_rest.value
        products = self._products[np.ix_(columns, columns)]
        sums = self._sums[columns] - rest * self._products[columns, -1]
        squares = self._squares - 2 * rest * self._sums[-1] + rest**2 * samples
        values, vectors = np.linalg.eigh(products)
        clear = values > values[-1] * UNCLEAR
        root = np.sqrt(values[clear])[:, None] * vectors[:, clear].T
        above = nnls(root, (vectors[:, clear].T @ sums) / np.sqrt(values[clear]))[0]
        left = max(squares - 2 * float(above @ sums) + float(above @ products @ above), 0.0)
        spread = math.sqrt(left / samples)
        inverse = np.square(vectors[:, clear]) @ (1 / values[clear])
        # Samples of one segment say the same: segments count as so many observations.
        error = spread * np.sqrt(inverse * samples / max(self._segments - len(columns), 1))
        error[np.square(vectors[:, ~clear]).sum(axis=1) > UNCLEAR] = math.inf
        if at_rest is None:
            rest, unsure = float(above[-1]), float(error[-1])
            at_rest = _fitted(int(samples), rest, unsure, spread)
            if at_rest is None:
                return None, {}
        found: dict[int, Estimate] = {}
        for k, task in enumerate(tasks.tolist()):
            seen = int(self._present[task])
            one = _fitted(seen, rest + float(above[k]), float(error[k]), spread)
            if one is not None:
                found[task] = one
        return at_rest, found


_QUARTILE, _DECILE, _CONFIDENT = 0.6745, 1.2816, 1.96
"""Quantiles of the standard normal distribution."""


def _fitted(samples: int, value: float, error: float, spread: float) -> Estimate | None:
    """Watts by least squares with their interval and spread; None if they are not sure."""
    if samples < FEWEST or value <= 0 or not error <= SURE * value:
        return None
    reach = _CONFIDENT * error
    ends = (value - _DECILE * spread, value - _QUARTILE * spread)
    tenth, quarter = (max(end, 0.0) for end in ends)
    above = (value + _QUARTILE * spread, value + _DECILE * spread)
    return Estimate(samples, value, max(value - reach, 0.0), value + reach, tenth, quarter, *above)


def _shift(samples: PowerSamples, node: IntArray, used: BoolArray, join: _Join) -> float:
    """By how many seconds to move samples, whose times have a zone, to the clock of the log: where
    nodes that run something draw most above those that do not.
    """
    some = np.flatnonzero(used)
    some = some[:: max(len(some) // _LOOKED_AT, 1)]
    explained = [
        _explained(join, node[some], samples.end[some] + move, samples.watts[some])
        for move in _SHIFTS
    ]
    best = int(np.argmax(explained))
    still = explained[int(np.flatnonzero(_SHIFTS == 0)[0])]
    clear = explained[best] > max(_SHIFTED * still, _CLEAR)
    return float(_SHIFTS[best]) if clear else 0.0


def _explained(join: _Join, node: IntArray, times: FloatArray, watts: FloatArray) -> float:
    """The share of the variance of watts within machine types that is between idle and busy
    samples; those of which the log says nothing explain nothing.
    """
    every = len(times)
    inside = (times >= join.first) & (times <= join.last)
    node, times, watts = node[inside], times[inside], watts[inside]
    if not len(node):
        return 0.0
    kind = join.types[node]
    group = kind * 2 + join.busy(node, times)
    counts = np.bincount(group, minlength=2 * int(kind.max()) + 2)
    sums = np.bincount(group, watts, len(counts))
    rest, busy = counts[::2], counts[1::2]
    mean = (sums[::2] + sums[1::2]) / np.maximum(rest + busy, 1)
    variance = float(np.square(watts - mean[kind]).sum())
    above = sums[1::2] / np.maximum(busy, 1) - sums[::2] / np.maximum(rest, 1)
    between = rest * busy / np.maximum(rest + busy, 1) * np.maximum(above, 0) ** 2
    return float(between.sum()) / variance * len(node) / every if variance > 0 else 0.0
