"""The task type and the machine type of each run."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.accepting import USED, Reason, Reasons
from core.engines.logs.types.names import unique_names
from core.engines.logs.types.nodes import Nodes, parts_with_nodes
from core.engines.logs.types.rule_parts import NOT_KEPT, SEVERAL, UNKNOWN, Rule, RunBlock
from core.engines.logs.types.settings import RunSettings
from core.vocabulary.arrays import BoolArray, IntArray

OTHERS: Final = "(others)"
"""The task type of all runs whose own type is rare."""
MOST_TASK_TYPES: Final = 200
"""Task types that are kept apart; more would make a system that nobody can read."""
MOST_MACHINE_TYPES: Final = 100
_BLOCK: Final = 1 << 19

TypeNumbers = npt.NDArray[np.int16]
"""Small numbers, since there are as many as runs."""


@dataclass(frozen=True)
class TaskTypes:
    """The task types that a rule gives: their runs, the most frequent first.

    The first `frequent` of them have at least `rare_below` runs. Of these `kept` stay apart, and
    all others are rare. `measurements` are the runs with and without a type.
    """

    rule: Rule
    keys: IntArray
    runs: IntArray
    rare_below: int
    measurements: int

    @property
    def frequent(self) -> int:
        return int((self.runs >= self.rare_below).sum())

    @property
    def kept(self) -> int:
        return min(self.frequent, MOST_TASK_TYPES)

    @property
    def names(self) -> list[str]:
        """The names of the kept types."""
        return unique_names(self.rule.name(int(key)) for key in self.keys[: self.kept])

    @property
    def share_kept(self) -> float:
        """The share of the measurements whose type is kept."""
        kept = int(self.runs[: self.kept].sum())
        return kept / self.measurements if self.measurements else 0.0


def find_task_types(
    rule: Rule, store: RunStore, reasons: Reasons, settings: RunSettings
) -> TaskTypes:
    """The task types of the runs that are measurements."""
    tally = Tally()
    for rows, block in store.parts(rule.columns):
        found = rule.keys(block)
        tally.add(found[(reasons.of_run[rows] == USED) & (found >= 0)])
    order = np.lexsort((tally.numbers, -tally.counts))
    measurements = int(np.count_nonzero(reasons.of_run == USED))
    least = settings.rare_below
    if least is None:
        least = min(max(measurements // 100, 1 if store.is_table else 3), 10)
    return TaskTypes(rule, tally.numbers[order], tally.counts[order], least, measurements)


@dataclass(frozen=True)
class Classified:
    """The types of each run: numbers in `task_names` and `machine_names`; `reasons` has why a run
    has none.
    """

    reasons: Reasons
    task: TypeNumbers
    machine: TypeNumbers
    task_names: tuple[str, ...]
    machine_names: tuple[str, ...]

    def part(self, rows: slice) -> tuple[IntArray, IntArray, BoolArray]:
        """The types of some runs, and which of them are used."""
        task, machine = self.task[rows].astype(np.int64), self.machine[rows].astype(np.int64)
        return task, machine, np.equal(self.reasons.of_run[rows], USED)

    def parts(self) -> Iterator[tuple[slice, tuple[IntArray, IntArray, BoolArray]]]:
        """The types of all runs, many runs at a time."""
        for first in range(0, len(self.task), _BLOCK):
            rows = slice(first, first + _BLOCK)
            yield rows, self.part(rows)

    def used_runs(
        self, store: RunStore, nodes: Nodes, names: Iterable[str]
    ) -> Iterator[tuple[RunBlock, IntArray, IntArray]]:
        """The columns of these names of the used runs and their `nodes`, many runs at a time, with
        their task types and machine types.
        """
        for rows, block in parts_with_nodes(store, nodes, names):
            used = np.flatnonzero(self.reasons.of_run[rows] == USED)
            task, machine = (of[rows][used].astype(np.int64) for of in (self.task, self.machine))
            yield {name: values[used] for name, values in block.items()}, task, machine

    @property
    def used(self) -> int:
        return int(np.count_nonzero(self.reasons.of_run == USED))

    @property
    def tasks(self) -> IntArray:
        """The used runs of each task type."""
        count = np.zeros(len(self.task_names), np.int64)
        for _, (task, _, used) in self.parts():
            count += np.bincount(task[used], minlength=len(count))
        return count


def classify(
    store: RunStore, types: TaskTypes, machines: Rule, reasons: Reasons, settings: RunSettings
) -> Classified:
    """The types of each run; `reasons` gets those why a run has none. Only types that have runs are
    left, machine types with most runs first.
    """
    task = np.full(len(store), UNKNOWN, np.int16)
    machine = np.full(len(store), UNKNOWN, np.int32)
    gathers = settings.rare == "gather" and types.kept < len(types.keys)
    names = [*types.names, *([OTHERS] if gathers else [])]
    of_machines = np.zeros(machines.count, np.int64)
    order = np.argsort(types.keys[: types.kept])
    ordered = types.keys[: types.kept][order]
    for rows, block in store.parts([*types.rule.columns, *machines.columns]):
        keys = types.rule.keys(block)
        of_machine = machines.keys(block)
        of_task = _positions(keys, ordered, order, types.kept if gathers else UNKNOWN)
        task[rows], machine[rows] = of_task, of_machine
        of_run = reasons.of_run[rows]
        for holds, reason in (
            ((keys == NOT_KEPT) | (of_machine == NOT_KEPT), Reason.NAME_NOT_KEPT),
            (keys == UNKNOWN, Reason.NO_TASK_TYPE),
            (of_machine == SEVERAL, Reason.SEVERAL_TYPES),
            (of_machine == UNKNOWN, Reason.NO_MACHINE_TYPE),
            (of_task == UNKNOWN, Reason.RARE),
        ):
            of_run[holds & (of_run == USED)] = reasons.number(reason)
        of_machines += np.bincount(of_machine[of_run == USED], minlength=len(of_machines))
    numbers = np.argsort(-of_machines, kind="stable")[:MOST_MACHINE_TYPES]
    numbers = numbers[of_machines[numbers] > 0]
    found = Classified(
        reasons,
        task,
        _renumbered(machine, numbers, machines.count),
        tuple(unique_names(names)),
        tuple(unique_names(machines.name(int(number)) for number in numbers)),
    )
    _lose(found, Reason.MANY_MACHINE_TYPES)
    return _only(found, found.tasks > 0, np.ones(len(numbers), bool))


def without_types(classified: Classified, tasks: BoolArray, machines: BoolArray) -> Classified:
    """Only these types; runs of the others are not used, because they are too few."""
    kept = _only(classified, tasks, machines)
    _lose(kept, Reason.FEW_RUNS)
    return kept


def _only(classified: Classified, tasks: BoolArray, machines: BoolArray) -> Classified:
    """Only these types."""
    return Classified(
        classified.reasons,
        _renumbered(classified.task, np.flatnonzero(tasks), len(tasks)),
        _renumbered(classified.machine, np.flatnonzero(machines), len(machines)),
        tuple(compress(classified.task_names, tasks)),
        tuple(compress(classified.machine_names, machines)),
    )


def _lose(classified: Classified, reason: str) -> None:
    """Runs that have lost one of their types are not used, for this reason."""
    number = classified.reasons.number(reason)
    for rows, (task, machine, used) in classified.parts():
        classified.reasons.of_run[rows][used & ((task < 0) | (machine < 0))] = number


def _positions(keys: IntArray, ordered: IntArray, order: IntArray, other: int) -> IntArray:
    """The number of each key's type; `other` for a key that is not kept."""
    if not len(ordered):
        return np.where(keys < 0, UNKNOWN, other)
    at = np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)
    found = np.where(ordered[at] == keys, order[at], other)
    return np.where(keys < 0, UNKNOWN, found)


def _renumbered(
    numbers: npt.NDArray[np.signedinteger[Any]], order: IntArray, count: int
) -> TypeNumbers:
    """The numbers by their places in `order`; `UNKNOWN` for those that are not there."""
    # The last places are for negative numbers.
    lookup = np.full(count - NOT_KEPT, UNKNOWN, np.int16)
    lookup[order] = np.arange(len(order))
    result: TypeNumbers = lookup[numbers]
    return result


_AT_ONCE: Final = 1 << 18


class Tally:
    """Different numbers, the least first, and how often each came."""

    def __init__(self) -> None:
        self.numbers: IntArray = np.zeros(0, np.int64)
        self.counts: IntArray = np.zeros(0, np.int64)

    def add(self, numbers: IntArray, counts: IntArray | None = None) -> None:
        """Count these numbers: each once, or as often as `counts` says."""
        if counts is None:
            numbers, counts = np.unique(numbers, return_counts=True)
        else:
            numbers, place = np.unique(numbers, return_inverse=True)
            # Sums of whole numbers are exact in floating point up to 2^53.
            counts = np.bincount(place, counts, len(numbers)).astype(np.int64)
        every = np.union1d(self.numbers, numbers)
        total = np.zeros(len(every), np.int64)
        total[np.searchsorted(every, self.numbers)] = self.counts
        total[np.searchsorted(every, numbers)] += counts
        self.numbers, self.counts = every, total


class RunsOnNodes:
    """Counts the runs of each machine type on each node. Nodes of the same name in two clusters are
    two nodes.
    """

    def __init__(self, store: RunStore, nodes: Nodes, types: int) -> None:
        self._nodes = nodes
        self._types = types
        clusters = ("cluster",) if "cluster" in store.texts else ()
        self._clusters = len(store.values("cluster")) + 1 if clusters else 1
        self.columns: tuple[str, ...] = (nodes.column, *clusters) if nodes.column else ()
        """The columns that it looks at; none if the log names no nodes."""
        self._lists = Tally()

    def add(self, block: RunBlock, types: IntArray) -> None:
        """Count the runs of a block, whose machine types are `types`."""
        if self.columns:
            lists, *clusters = (block[column].astype(np.int64) for column in self.columns)
            keys = lists * self._clusters + (clusters[0] + 1 if clusters else 0)
            self._lists.add((keys * self._types + types)[lists >= 0])

    @cached_property
    def _on_nodes(self) -> tuple[IntArray, IntArray, IntArray]:
        """Nodes, machine types, and the runs of each pair; by node."""
        lists, types = np.divmod(self._lists.numbers, self._types)
        lists, clusters = np.divmod(lists, self._clusters)
        found = Tally()
        ends = np.cumsum(self._nodes.of_lists[lists])
        first = 0
        while first < len(lists):
            before = int(ends[first - 1]) if first else 0
            last = max(int(np.searchsorted(ends, before + _AT_ONCE, side="right")), first + 1)
            nodes, place = self._nodes.on(lists[first:last])
            place += first
            nodes = nodes * self._clusters + clusters[place]
            found.add(nodes * self._types + types[place], self._lists.counts[place])
            first = last
        nodes, of_type = np.divmod(found.numbers, self._types)
        return nodes, of_type, found.counts

    @property
    def nodes_of_types(self) -> IntArray:
        """How many nodes each type has; a node counts with the type of which it ran most runs."""
        nodes, types, runs = self._on_nodes
        order = np.lexsort((types, -runs, nodes))
        firsts = order[np.flatnonzero(np.diff(nodes[order], prepend=-1))]
        return np.bincount(types[firsts], minlength=self._types)

    @property
    def several(self) -> int:
        """How many nodes ran runs of several types."""
        _, times = np.unique(self._on_nodes[0], return_counts=True)
        return int((times > 1).sum())

    @property
    def share_of_several(self) -> float:
        """The share of the nodes that ran runs of several types; 0 without nodes."""
        nodes = len(np.unique(self._on_nodes[0]))
        return self.several / nodes if nodes else 0.0
