"""The task type and the machine type of each run."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.logs.store import RunStore
from core.model.arrays import BoolArray, IntArray
from core.model.system_problems import writable
from core.runs.accepting import (
    NO_MACHINE_TYPE,
    NO_TASK_TYPE,
    RARE,
    SEVERAL_TYPES,
    USED,
    Reasons,
)
from core.runs.machine_rules import SEVERAL, MachineRule
from core.runs.rule_parts import UNKNOWN
from core.runs.settings import RunSettings
from core.runs.task_rules import TaskRule

OTHERS: Final = "(others)"
"""The task type of all runs whose own type is rare."""
MOST_TASK_TYPES: Final = 200
"""Task types that are kept apart; more would make a system that nobody can read."""
MOST_MACHINE_TYPES: Final = 100

TypeNumbers = npt.NDArray[np.int32]


@dataclass(frozen=True)
class TaskTypes:
    """The task types that a rule gives: their runs, the most frequent first.

    `kept` is how many of them stay apart; the rest are rare.
    """

    rule: TaskRule
    keys: IntArray
    runs: IntArray
    kept: int

    @property
    def names(self) -> list[str]:
        """The names of the kept types."""
        return unique_names(self.rule.name(int(key)) for key in self.keys[: self.kept])

    @property
    def rare_runs(self) -> int:
        return int(self.runs[self.kept :].sum())

    @property
    def share_kept(self) -> float:
        """The share of the runs with a type whose type is kept."""
        total = int(self.runs.sum())
        return 1 - self.rare_runs / total if total else 0.0


def find_task_types(
    rule: TaskRule, store: RunStore, reasons: Reasons, settings: RunSettings
) -> TaskTypes:
    """The task types of the runs that are measurements."""
    keys, runs = np.zeros(0, np.int64), np.zeros(0, np.int64)
    first = 0
    for block in store.blocks(rule.columns):
        found = rule.keys(block)
        used = reasons.of_run[first : first + len(found)] == USED
        first += len(found)
        more, counts = np.unique(found[used & (found != UNKNOWN)], return_counts=True)
        keys, runs = _added(keys, runs, more, counts)
    order = np.lexsort((keys, -runs))
    keys, runs = keys[order], runs[order]
    kept = int(np.searchsorted(-runs, -settings.rare_below, side="right"))
    if settings.rare == "gather" and kept == 0:
        kept = min(1, len(runs))
    return TaskTypes(rule, keys, runs, min(kept, MOST_TASK_TYPES))


def _added(
    keys: IntArray, runs: IntArray, more: IntArray, counts: IntArray
) -> tuple[IntArray, IntArray]:
    every, place = np.unique(np.concatenate([keys, more]), return_inverse=True)
    total = np.bincount(place, np.concatenate([runs, counts]), len(every))
    return every, total.astype(np.int64)


@dataclass
class Classified:
    """The types of each run: numbers in `task_names` and `machine_names`; `reasons` has why a run
    has none.
    """

    reasons: Reasons
    task: TypeNumbers
    machine: TypeNumbers
    task_names: tuple[str, ...]
    machine_names: tuple[str, ...]

    def block(self, first: int, rows: int) -> tuple[IntArray, IntArray, BoolArray]:
        """The types of some runs, and which of them are used."""
        part = slice(first, first + rows)
        task, machine = self.task[part].astype(np.int64), self.machine[part].astype(np.int64)
        return task, machine, np.equal(self.reasons.of_run[part], USED)

    @property
    def used(self) -> int:
        return int((self.reasons.of_run == USED).sum())


def classify(
    store: RunStore,
    types: TaskTypes,
    machines: MachineRule,
    reasons: Reasons,
    settings: RunSettings,
    should_stop: Callable[[], bool] = lambda: False,
) -> Classified:
    """The types of each run; `reasons` gets those why a run has none."""
    task = np.full(len(store), UNKNOWN, np.int32)
    machine = np.full(len(store), UNKNOWN, np.int32)
    gathers = settings.rare == "gather" and types.kept < len(types.keys)
    order = np.argsort(types.keys[: types.kept])
    ordered = types.keys[: types.kept][order]
    first = 0
    for block in store.blocks([*types.rule.columns, machines.column]):
        if should_stop():
            break
        keys = types.rule.keys(block)
        of_machine = machines.types(block[machines.column])
        of_task = _positions(keys, ordered, order, types.kept if gathers else UNKNOWN)
        part = slice(first, first + len(keys))
        first += len(keys)
        task[part], machine[part] = of_task, of_machine
        of_run = reasons.of_run[part]
        for holds, reason in (
            (keys == UNKNOWN, NO_TASK_TYPE),
            (of_machine == SEVERAL, SEVERAL_TYPES),
            (of_machine == UNKNOWN, NO_MACHINE_TYPE),
            (of_task == UNKNOWN, RARE),
        ):
            of_run[holds & (of_run == USED)] = reasons.number(reason)
    names = unique_names([*types.names, *([OTHERS] if gathers else [])])
    return _without_unused(
        Classified(reasons, task, machine, tuple(names), tuple(unique_names(machines.names)))
    )


def _positions(keys: IntArray, ordered: IntArray, order: IntArray, other: int) -> IntArray:
    """The number of each key's type; `other` for a key that is not kept."""
    if not len(ordered):
        return np.where(keys == UNKNOWN, UNKNOWN, other)
    at = np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)
    found = np.where(ordered[at] == keys, order[at], other)
    return np.where(keys == UNKNOWN, UNKNOWN, found)


def _without_unused(found: Classified) -> Classified:
    """Only types that have runs; machine types with most runs first."""
    used = found.reasons.of_run == USED
    tasks = np.bincount(found.task[used], minlength=len(found.task_names))
    machines = np.bincount(found.machine[used], minlength=len(found.machine_names))
    order = np.argsort(-machines, kind="stable")[: int((machines > 0).sum())]
    return _chosen(found, np.flatnonzero(tasks), order)


def without_types(
    found: Classified, tasks: BoolArray, machines: BoolArray, reason: str
) -> Classified:
    """Only these types; runs of the others are not used, for this reason."""
    kept = _chosen(found, np.flatnonzero(tasks), np.flatnonzero(machines))
    lost = (kept.task == UNKNOWN) | (kept.machine == UNKNOWN)
    of_run = kept.reasons.of_run
    of_run[lost & (of_run == USED)] = kept.reasons.number(reason)
    return kept


def _chosen(found: Classified, tasks: IntArray, machines: IntArray) -> Classified:
    """The types with these numbers, in this order."""
    return Classified(
        found.reasons,
        _renumbered(found.task, tasks, len(found.task_names)),
        _renumbered(found.machine, machines, len(found.machine_names)),
        tuple(found.task_names[k] for k in tasks),
        tuple(found.machine_names[k] for k in machines),
    )


def _renumbered(numbers: TypeNumbers, order: IntArray, count: int) -> TypeNumbers:
    # The last two places are for numbers -2 and -1.
    lookup = np.full(count + 2, UNKNOWN, np.int32)
    lookup[order] = np.arange(len(order), dtype=np.int32)
    result: TypeNumbers = lookup[numbers]
    return result


def unique_names(names: Iterable[str]) -> list[str]:
    """The names, shortened and told apart by a number where they would be equal."""
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        plain = " ".join(writable(name[:_MOST_NAME]).split()) or "(none)"
        unique, k = plain, 2
        while unique in taken:
            unique, k = f"{plain} ({k})", k + 1
        taken.add(unique)
        found.append(unique)
    return found


_MOST_NAME: Final = 100
