"""The records of a log that are of the tasks of one schedule."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final

import numpy as np

from core.batch.plan import BatchPlan
from core.compare_run.job_numbers import JobNumbers, TaskNumbers
from core.compare_run.unusable import check_columns, no_job, no_numbers, no_run
from core.logs.sacct import MEASURED, is_finished, state_called
from core.logs.store import RunStore
from core.model.arrays import BoolArray, FloatArray, IntArray

RAN: Final = 0
FAILED: Final = 1
UNFINISHED: Final = 2

_NEVER_STARTED: Final = "None assigned"
"""What `sacct` has in place of nodes for a job that was cancelled before it started."""
_PENDING: Final = -2
"""The task of a record of tasks that have not started; see `core.logs.values.read_jobs`."""


@dataclass(frozen=True, eq=False)
class Records:
    """Record k: task `task[k]` (`TaskNumbers`) of row `row[k]` of a plan, on machine `machine[k]`,
    ran on the nodes of number `node[k]` from `start[k]` to `end[k]`.

    Moments are in seconds. `state` is `RAN`, `FAILED` or `UNFINISHED`; `run` the run of
    `submit.sh`. `joules` is NaN where the log has no energy.
    """

    machine: IntArray
    row: IntArray
    task: IntArray
    start: FloatArray
    end: FloatArray
    node: IntArray
    state: IntArray
    joules: FloatArray
    job: IntArray
    run: IntArray

    def __len__(self) -> int:
        return len(self.task)

    def chosen(self, which: IntArray | BoolArray) -> "Records":
        """These records, in this order."""
        return Records(*(getattr(self, one.name)[which] for one in fields(self)))


@dataclass(frozen=True, eq=False, slots=True)
class RecordedRun:
    """What a log says of one run of the scripts of a schedule.

    `records` are those that ended, by machine, start and row; their moments count from the first
    start. `nodes` are the texts of their nodes, blank for unknown ones. `running` tasks had
    started, but not ended. `runs` are the runs that the log has, in the order of their last starts;
    `others` is the number of jobs that are not of the schedule. Without `knows_states`, all count
    as run.
    """

    plan: BatchPlan
    tasks: TaskNumbers
    records: Records
    nodes: tuple[str, ...]
    run: str
    runs: tuple[str, ...]
    running: int
    others: int
    knows_states: bool


def read_recorded(plan: BatchPlan, store: RunStore, run: str | None = None) -> RecordedRun:
    """What a log says of a run of the schedule, by default of the one that started last.

    Raises `InvalidInput` if the log cannot say it. The memory depends on the number of records of
    the schedule: about 320 bytes for each.
    """
    check_columns(store)
    tasks = TaskNumbers(plan)
    names = JobNumbers(plan, tasks, store.values("name"))
    blocks = list(_blocks(store, names, tasks))
    records = Records(
        *(
            np.concatenate([getattr(block.records, one.name) for block in blocks])
            for one in fields(Records)
        )
    )
    if not len(records):
        if any(block.without_task for block in blocks):
            raise no_numbers(store)
        raise no_job(store, plan.digest, names.other_schedules)
    last = np.full(len(names.runs), -math.inf)
    np.maximum.at(last, records.run, records.start)
    in_order = [names.runs[k] for k in np.argsort(last, kind="stable") if last[k] > -math.inf]
    chosen = in_order[-1] if run is None else run
    if chosen not in in_order:
        raise no_run(store, chosen, in_order)
    records = _once(records.chosen(records.run == names.runs.index(chosen)))
    ended = records.chosen(records.state != UNFINISHED)
    begin = ended.start.min(initial=math.inf)
    ended.start[:] -= begin
    ended.end[:] -= begin
    return RecordedRun(
        plan,
        tasks,
        ended.chosen(np.lexsort((ended.row, ended.start, ended.machine))),
        store.values("nodelist") if "nodelist" in store.texts else ("",),
        chosen,
        tuple(in_order),
        len(np.setdiff1d(records.task, ended.task)),
        sum(block.others for block in blocks),
        "state" in store.texts,
    )


@dataclass(frozen=True, slots=True)
class _Block:
    """The records in a part of a log, how many jobs are others, and how many have no task."""

    records: Records
    others: int
    without_task: int


def _blocks(store: RunStore, names: JobNumbers, tasks: TaskNumbers) -> Iterator[_Block]:
    states, away = _states(store), _never_started(store)
    texts = [name for name in ("state", "nodelist") if name in store.texts]
    for block in store.blocks(["name", "job", "task", "start", "end", "joules", *texts]):
        name, index = block["name"], block["task"]
        ours = names.ours[name]
        number = names.first[name] + index
        node = block["nodelist"] if "nodelist" in texts else np.zeros(len(name), np.int64)
        there = ours & (index >= 0) & (number < names.end[name])
        at = np.flatnonzero(there)
        row = tasks.rows(number[at])
        fits = tasks.machine[row] == names.machine[name[at]]
        others = len(name) - int(ours.sum()) + int((ours & (index >= 0)).sum()) - int(fits.sum())
        at, row = at[fits], row[fits]
        state = states[block["state"][at]] if "state" in texts else np.full(len(at), RAN)
        start = block["start"][at]
        end = np.where(np.isfinite(block["end"][at]), block["end"][at], start)
        records = Records(
            tasks.machine[row],
            row,
            number[at],
            start,
            np.maximum(start, end),
            node[at],
            state,
            np.where(block["joules"][at] > 0, block["joules"][at], np.nan),
            block["job"][at],
            names.run[name[at]],
        )
        started = np.isfinite(start) & ~away[node[at]]
        yield _Block(
            records.chosen(started), others, int((ours & (index < 0) & (index != _PENDING)).sum())
        )


def _states(store: RunStore) -> IntArray:
    """`RAN`, `FAILED` or `UNFINISHED` for each text of a state; the last is for unknown ones."""
    found = [UNFINISHED]
    if "state" in store.texts:
        found = [*map(_state, store.values("state")), UNFINISHED]
    return np.array(found)


def _state(text: str) -> int:
    state = state_called(text)
    if state == MEASURED:
        return RAN
    return FAILED if state and is_finished(state) else UNFINISHED


def _never_started(store: RunStore) -> BoolArray:
    nodes = store.values("nodelist") if "nodelist" in store.texts else ()
    return np.array([*(text == _NEVER_STARTED for text in nodes), False])


def _once(records: Records) -> Records:
    """Each start of a task once: logs that were joined may have it twice, at first as running."""
    finished = records.state != UNFINISHED
    order = np.lexsort((records.end, finished, records.start, records.job, records.task))
    records = records.chosen(order)
    another = np.ones(len(records), bool)
    another[:-1] = (
        (np.diff(records.task) != 0) | (np.diff(records.job) != 0) | (np.diff(records.start) != 0)
    )
    return records.chosen(another)
