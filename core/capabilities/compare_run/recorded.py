"""The records of a log that are of the tasks of one schedule."""

import math
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.engines.logs.reading.sacct import MEASURED, is_finished, state_called
from core.engines.logs.reading.store import RunStore, Stopped
from core.engines.slurm.job_arrays import JobArrays
from core.engines.slurm.job_names import PREFIX, JobName
from core.files.findings import shown, shown_list
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.budget import never
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import counted

PART_SIZE: Final = 1 << 18
"""Records and tasks of a part, more or less: a machine is never divided."""

RECORD: Final = np.dtype(
    [
        ("task", "i8"),
        ("job", "i8"),
        ("start", "f8"),
        ("end", "f8"),
        ("joules", "f8"),
        ("node", "i4"),
        ("state", "i4"),
    ]
)
"""One start of a task. `node` and `state` are numbers of texts of a log, -1 for unknown ones."""

RecordArray = np.ndarray[Any, Any]
"""An array of `RECORD`s."""


class RecordParts:
    """Files below a folder, each with the records of some machines that follow each other.

    `sizes` says how many records and tasks each machine has. Part p has the machines from
    `first[p]` to before `first[p + 1]`; every machine is in a part.
    """

    def __init__(self, folder: Path, sizes: IntArray) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="parts-", dir=folder))
        before = np.cumsum(sizes) - sizes
        _, first, self._part = np.unique(
            before // PART_SIZE, return_index=True, return_inverse=True
        )
        self.first: IntArray = np.append(first, len(sizes))

    def __len__(self) -> int:
        return len(self.first) - 1

    def add(self, machine: IntArray, records: RecordArray) -> None:
        """Append records, each of a machine."""
        part = self._part[machine]
        order = np.argsort(part, kind="stable")
        bounds = np.searchsorted(part[order], np.arange(len(self) + 1))
        for number in np.flatnonzero(np.diff(bounds)).tolist():
            with self._path(number).open("ab") as stream:
                stream.write(records[order[bounds[number] : bounds[number + 1]]].data)

    def read(self, number: int) -> RecordArray:
        """The records of a part, in the order in which they were added."""
        path = self._path(number)
        return np.fromfile(path, RECORD) if path.exists() else np.zeros(0, RECORD)

    def _path(self, number: int) -> Path:
        return self._folder / str(number)


NO_TASK: Final = -1


class TaskNumbers:
    """Numbers the tasks of job arrays from 0: type by type, and within a type by their index."""

    def __init__(self, arrays: JobArrays) -> None:
        blocks = arrays.blocks
        self.machine: IntArray = _machine_of_rows(arrays)
        """For each job array its machine, counted from 0 among those that have tasks."""
        of_type = np.zeros(len(arrays.system.task_types), np.int64)
        np.add.at(of_type, blocks.task_type, blocks.count)
        self.end = np.cumsum(of_type)
        """The number, for each task type, after that of its last task."""
        self.begin = self.end - of_type
        first = self.begin[blocks.task_type] + arrays.first_index
        self._by_task = np.argsort(first)
        self._first = first[self._by_task]

    def rows(self, task: IntArray) -> IntArray:
        """The job arrays that have these tasks."""
        return self._by_task[np.searchsorted(self._first, task, "right") - 1]


class JobNumbers:
    """For each name of a log: `first` is the number of the task with index 0 in its job array, or
    `NO_TASK` for a job of something else; tasks end before `end`. `machine` is that of its tasks,
    and `run` a position in `runs`.
    """

    def __init__(self, arrays: JobArrays, tasks: TaskNumbers, names: Sequence[str]) -> None:
        blocks = arrays.blocks
        keys = zip(blocks.machine_type.tolist(), blocks.first_machine.tolist(), strict=True)
        positions = dict(zip(keys, tasks.machine.tolist(), strict=True))
        # One more than there are names: position -1 is for names that were not kept.
        self.first = np.full(len(names) + 1, NO_TASK)
        self.end = np.zeros(len(names) + 1, np.int64)
        self.machine = np.zeros(len(names) + 1, np.int64)
        self.run = np.zeros(len(names) + 1, np.int64)
        self.other_schedules: set[str] = set()
        runs: dict[str, int] = {}
        for number, text in enumerate(names):
            name = JobName.parse(text) if text.startswith(PREFIX) else None
            if name is None:
                continue
            machine = positions.get((name.machine_type, name.machine))
            if name.schedule != arrays.digest:
                self.other_schedules.add(name.schedule)
            elif machine is not None and name.task_type < len(tasks.end):
                self.first[number] = tasks.begin[name.task_type] + name.first_index
                self.end[number] = tasks.end[name.task_type]
                self.machine[number] = machine
                self.run[number] = runs.setdefault(name.run, len(runs))
        self.runs = tuple(runs)

    @property
    def ours(self) -> BoolArray:
        """Which names are of jobs of the schedule."""
        found: BoolArray = self.first != NO_TASK
        return found


def _machine_of_rows(arrays: JobArrays) -> IntArray:
    blocks = arrays.blocks
    changes = (np.diff(blocks.machine_type) | np.diff(blocks.first_machine)) != 0
    return np.concatenate([[0], np.cumsum(changes)])[: len(blocks)]


RAN: Final = 0
FAILED: Final = 1
UNFINISHED: Final = 2

_NEVER_STARTED: Final = "None assigned"
"""What `sacct` has in place of nodes for a job that was cancelled before it started."""
_PENDING: Final = -2
"""The task of a record of tasks that have not started; see
`core.engines.logs.reading.values.read_jobs`.
"""


@dataclass(frozen=True, eq=False)
class RunRecords:
    """Record k: task `task[k]` (`TaskNumbers`) of job array `row[k]`, on machine `machine[k]`,
    ran on the nodes of number `node[k]` from `start[k]` to `end[k]`.

    Moments are in seconds from the first start. `state` is `RAN`, `FAILED` or `UNFINISHED`, and
    `said` the number of its text. `joules` is NaN where the log has no energy.
    """

    machine: IntArray
    row: IntArray
    task: IntArray
    start: FloatArray
    end: FloatArray
    node: IntArray
    state: IntArray
    said: IntArray
    joules: FloatArray

    def __len__(self) -> int:
        return len(self.task)

    def chosen(self, which: IntArray | BoolArray) -> "RunRecords":
        """The chosen records, in the order in which they are chosen."""
        return RunRecords(*(getattr(self, one.name)[which] for one in fields(self)))


@dataclass(frozen=True, eq=False, slots=True)
class RecordedPart:
    """All records of the machines from `first` to before `end`, by machine, start and row; the
    machines of its records count from 0.
    """

    first: int
    end: int
    records: RunRecords

    @property
    def ended(self) -> RunRecords:
        """The records that say how a task ended."""
        return self.records.chosen(self.records.state != UNFINISHED)


@dataclass(frozen=True, eq=False, slots=True)
class RecordedRun:
    """What a log says of one run of the scripts of a schedule.

    `nodes` and `states` are the texts of its nodes and states; the last of each is blank, for
    unknown ones. `begin` is its first start. `runs` are the runs that the log has, in the order of
    their last starts; `others` is the number of jobs that are not of the schedule. Without
    `knows_states`, all count as run.
    """

    arrays: JobArrays
    tasks: TaskNumbers
    stored: RecordParts
    nodes: tuple[str, ...]
    states: tuple[str, ...]
    begin: float
    run: str
    runs: tuple[str, ...]
    others: int
    knows_states: bool

    def parts(
        self, machines: IntArray | None = None, should_stop: Callable[[], bool] = never
    ) -> Iterator[RecordedPart]:
        """All records in parts, or those parts that have some of these machines. They are on disk
        as long as the store of the log. Raises `Stopped`.
        """
        kinds = _kinds(self.states) if self.knows_states else np.full(len(self.states), RAN)
        bounds = self.stored.first.tolist()
        for number in range(len(self.stored)):
            if should_stop():
                raise Stopped
            first, end = bounds[number : number + 2]
            if machines is None or ((machines >= first) & (machines < end)).any():
                records = self._records(_once(self.stored.read(number), kinds), kinds, first)
                yield RecordedPart(first, end, records)

    def _records(self, stored: RecordArray, kinds: IntArray, first: int) -> RunRecords:
        row = self.tasks.rows(stored["task"])
        records = RunRecords(
            self.tasks.machine[row] - first,
            row,
            stored["task"],
            stored["start"] - self.begin,
            stored["end"] - self.begin,
            stored["node"],
            kinds[stored["state"]],
            stored["state"],
            stored["joules"],
        )
        return records.chosen(np.lexsort((row, records.start, records.machine)))


def read_recorded(
    arrays: JobArrays,
    store: RunStore,
    run: str | None = None,
    should_stop: Callable[[], bool] = never,
) -> RecordedRun:
    """What a log says of a run of the schedule, by default of the one that started last.

    Raises `InvalidInput` if the log cannot say it, and `Stopped`. The records go to disk, into the
    folder of the store. The memory is that of the names in the log, and of the records of some
    hundred thousand tasks, or of the machine that has most.
    """
    check_columns(store)
    tasks = TaskNumbers(arrays)
    names = JobNumbers(arrays, tasks, store.values("name"))
    sizes = np.bincount(tasks.machine, arrays.blocks.count).astype(np.int64)
    last = np.full(len(names.runs), -math.inf)
    others, without_task = 0, 0
    for block in _blocks(store, names, tasks, should_stop):
        np.maximum.at(last, block.run, block.records["start"])
        sizes += np.bincount(block.machine, minlength=len(sizes))
        others, without_task = others + block.others, without_task + block.without_task
    in_order = [names.runs[k] for k in np.argsort(last, kind="stable") if last[k] > -math.inf]
    if not in_order:
        if without_task:
            raise no_numbers(store)
        raise no_job(store, arrays.digest, names.other_schedules)
    chosen = in_order[-1] if run is None else run
    if chosen not in in_order:
        raise no_run(store, chosen, in_order)
    states = (*_values(store, "state"), "")
    finished = _kinds(states) != UNFINISHED if "state" in store.texts else np.array([True])
    stored = RecordParts(store.folder, sizes)
    begin, started = math.inf, math.inf
    for block in _blocks(store, names, tasks, should_stop):
        mine = block.run == names.runs.index(chosen)
        records = block.records[mine]
        stored.add(block.machine[mine], records)
        started = records["start"].min(initial=started)
        begin = records["start"][finished[records["state"]]].min(initial=begin)
    return RecordedRun(
        arrays,
        tasks,
        stored,
        (*_values(store, "nodelist"), ""),
        states,
        float(begin if begin < math.inf else started),
        chosen,
        tuple(in_order),
        others,
        "state" in store.texts,
    )


@dataclass(frozen=True, slots=True)
class _Block:
    """The records in a part of a log with their machines and runs, how many jobs are others, and
    how many have no task.
    """

    records: RecordArray
    machine: IntArray
    run: IntArray
    others: int
    without_task: int


def _blocks(
    store: RunStore, names: JobNumbers, tasks: TaskNumbers, should_stop: Callable[[], bool]
) -> Iterator[_Block]:
    away = np.array([*(text == _NEVER_STARTED for text in _values(store, "nodelist")), False])
    texts = [name for name in ("state", "nodelist") if name in store.texts]
    for block in store.blocks(["name", "job", "task", "start", "end", "joules", *texts]):
        if should_stop():
            raise Stopped
        name, index = block["name"], block["task"]
        ours = names.ours[name]
        number = names.first[name] + index
        at = np.flatnonzero(ours & (index >= 0) & (number < names.end[name]))
        fits = tasks.machine[tasks.rows(number[at])] == names.machine[name[at]]
        at = at[fits]
        others = len(name) - int(ours.sum()) + int((ours & (index >= 0)).sum()) - len(at)
        node = block["nodelist"][at] if "nodelist" in texts else np.full(len(at), -1)
        started = np.isfinite(block["start"][at]) & ~away[node]
        at, node = at[started], node[started]
        start = block["start"][at]
        end = np.where(np.isfinite(block["end"][at]), block["end"][at], start)
        records = np.empty(len(at), RECORD)
        records["task"], records["job"] = number[at], block["job"][at]
        records["start"], records["end"] = start, np.maximum(start, end)
        records["joules"] = np.where(block["joules"][at] > 0, block["joules"][at], np.nan)
        records["node"] = node
        records["state"] = block["state"][at] if "state" in texts else -1
        yield _Block(
            records,
            names.machine[name[at]],
            names.run[name[at]],
            others,
            int((ours & (index < 0) & (index != _PENDING)).sum()),
        )


def _values(store: RunStore, column: str) -> Sequence[str]:
    """The texts of a column, none if the log does not have it."""
    return store.values(column) if column in store.texts else ()


def _kinds(states: tuple[str, ...]) -> IntArray:
    """`RAN`, `FAILED` or `UNFINISHED` for each text of a state."""
    return np.array([_kind(state_called(text)) for text in states])


def _kind(state: str) -> int:
    if state == MEASURED:
        return RAN
    return FAILED if state and is_finished(state) else UNFINISHED


def _once(records: RecordArray, kinds: IntArray) -> RecordArray:
    """Each start of a task once: logs that were joined may have it twice, at first as running."""
    finished = kinds[records["state"]] != UNFINISHED
    keys = ("task", "job", "start")
    order = np.lexsort((records["end"], finished, *(records[key] for key in reversed(keys))))
    records = records[order]
    another = np.ones(len(records), bool)
    another[:-1] = np.any([np.diff(records[key]) != 0 for key in keys], axis=0)
    return records[another]


DUMP: Final = (
    "sacct --parsable2 --duplicates --starttime=DATE "
    "--format=JobID,JobName,State,Start,End,NodeList,ConsumedEnergyRaw"
)
"""How to dump what is needed."""


def check_columns(store: RunStore) -> None:
    """Raise `InvalidInput` unless there are jobs with names, numbers and starts."""
    missing = list(_missing(store))
    if not len(store):
        raise _refused(store, "", f"has no jobs; dump them with {DUMP}")
    if missing:
        raise InvalidInput(
            Problem(_label(store), "", column, f"is missing; dump the jobs with {DUMP}")
            for column in missing
        )


def _missing(store: RunStore) -> Iterator[str]:
    if "name" not in store.texts:
        yield "JobName"
    if "job" not in store.known:
        yield "JobID"
    if "start" not in store.known:
        yield "Start"


def no_job(store: RunStore, digest: str, others: Collection[str]) -> InvalidInput:
    names = store.values("name")
    if cut := [name for name in names if name.startswith(f"{PREFIX}-") and name.endswith("+")]:
        return _refused(
            store, "JobName", f"has names that are cut off ('{shown(cut[0])}'); dump with {DUMP}"
        )
    said = f"has no job of this schedule that started, which would be called {PREFIX}-{digest}-…"
    if others:
        return _refused(
            store,
            "",
            f"{said}; it has jobs of {counted(len(others), 'other schedule')} "
            f"({shown_list(sorted(others))}), so give the system and the schedule that were "
            "exported",
        )
    return _refused(store, "", f"{said}; give a log of the days on which its jobs ran")


def no_numbers(store: RunStore) -> InvalidInput:
    """The log does not say which task of a job array a job is."""
    said = f"does not say the tasks of job arrays, as JobIDRaw does not; dump with {DUMP}"
    return _refused(store, "JobID", said)


def no_run(store: RunStore, run: str, runs: Sequence[str]) -> InvalidInput:
    return _refused(
        store, "", f"has no run '{shown(run)}' of this schedule; give one of {shown_list(runs)}"
    )


def _refused(store: RunStore, column: str, message: str) -> InvalidInput:
    return InvalidInput([Problem(_label(store), "", column, message)])


def _label(store: RunStore) -> str:
    return shown_list((log.name for log in store.logs), 3)
