"""Accounting logs as workloads: what arrived, what was asked for, and how long it really took."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, NamedTuple, Self

import numpy as np

from core.capabilities.arrivals.files.workload_file import MEMORY_GB, WorkloadFile
from core.capabilities.arrivals.files.workload_reader import is_workload
from core.capabilities.arrivals.made.job_sizes import (
    GIGABYTES,
    NO_SIZES,
    USUAL_SPEED_UP,
    JobSizes,
    LoggedJobs,
    SpeedUp,
)
from core.engines.logs.reading.logs import LogProgress, is_log, read_logs
from core.engines.logs.reading.rejections import ABOVE_HEADER, JOB_STEP
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.accepting import Reason, repeated, states_of
from core.engines.logs.types.requeued import LostWork, requeued
from core.engines.logs.types.rule_parts import texts_of
from core.engines.replay.classes import (
    NO_CLASSES,
    ClassMatch,
    JobClass,
    JobClasses,
    classify,
    with_classes,
)
from core.engines.replay.workload import UNITS, WATTS, ArrivingJobs, Options, Pools, Truth, Workload
from core.engines.replay.worth import ALWAYS_ONE
from core.files.findings import Unreadable
from core.files.limits import JOB_ROWS
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.problems import InvalidInput, Problem, refusing
from core.vocabulary.say.words import Sense, counted, power, typed
from core.vocabulary.setting import Flag, NumberIn, OneOf, WholeIn, setting

LogUnit = Literal["cores", "nodes"]
UNIT_LABELS: Final[Mapping[LogUnit, str]] = {"cores": "A core", "nodes": "A node"}
_FACTS: Final[Mapping[LogUnit, str]] = {"cores": "MaxProcs", "nodes": "MaxNodes"}
"""What the comments of an SWF log call the size of the system."""
_USUAL: Final = frozenset({JOB_STEP, ABOVE_HEADER})
"""Reasons of rows that need no word."""
_IN_SWF: Final = {"qos": "queue", "account": "group", "name": "application"}
"""What stands in SWF logs for columns that they lack."""
_MIB_A_GB: Final = 1024.0
"""Logs say G for 1,024 M, as clouds say GB."""
_BRIEF: Final = 0.01
"""A share of the time in which jobs ran; shorter spans are brief."""


@dataclass(frozen=True)
class LogWork:
    """What a unit of the pool is, how many there are (None: as the log says, or as its jobs show),
    the watts of one while it works (None: by the energy in the log, or 0 if it has none), and what
    classes of jobs are worth: jobs of no class are worth 1, whenever they end. If there are
    `sizes`, each job runs in one of them, `speed_up` says how fast, and the pool has so much
    `memory` (GB; None: as much as jobs asked for at once).
    """

    unit: LogUnit = setting(
        "cores",
        OneOf(UNIT_LABELS, UNIT_LABELS.__getitem__),
        "A unit is",
        flag=Flag("", "what jobs take of the pool (default cores)"),
    )
    units: int | None = setting(
        None,
        WholeIn(UNITS),
        "Units in all",
        "If the log does not say it, as many as jobs ever had at once.",
        blank="As in the log",
        flag=Flag("N", "how many there are (default: as the log says, or as jobs had at once)"),
    )
    watts: float | None = setting(
        None,
        NumberIn(WATTS),
        "Watts of a busy unit",
        "Without a number, jobs draw the energy that the log says; if it says none, they draw "
        "nothing, and no energy budget limits them.",
        blank="As in the log",
        flag=Flag(
            "W",
            "what one draws while it works (default: by the energy in the log; without, 0)",
        ),
    )
    memory: float | None = setting(
        None,
        NumberIn(GIGABYTES),
        "Memory in all (GB)",
        "Of the cluster, where jobs run in sizes. If no number is given, as much as jobs asked for "
        "at once.",
        blank="As jobs asked for",
        flag=Flag(
            "GB", "--sizes: memory of the cluster (default: as much as jobs asked for at once)"
        ),
    )
    classes: JobClasses = NO_CLASSES
    sizes: JobSizes = NO_SIZES
    speed_up: SpeedUp = USUAL_SPEED_UP


USUAL_LOG_WORK: Final = LogWork()


class LeftOut(NamedTuple):
    """Why jobs of a log are left out: the column, what is wrong with it, and what to do."""

    column: str
    fault: str
    remedy: str


_REPEATED: Final[Mapping[str, LeftOut]] = {
    Reason.TWICE: LeftOut(
        "", "is of a job that another row has, too", "give each log once, without overlaps"
    ),
    Reason.PART: LeftOut("", f"is {Reason.PART}", "nothing is to be done"),
}


_NO_ARRIVAL: Final = LeftOut(
    "arrival", "has no time of arrival or start", "dump the log with Submit and Start"
)
_NO_SECONDS: Final = LeftOut(
    "run time", "has no time for which it ran", "such a job cannot be replayed"
)
_NO_SIZE: Final = LeftOut(
    "memory",
    "fits no size, by the memory that it asks for or by its name",
    "offer a larger size, or say the seconds of such jobs in one",
)


@dataclass(frozen=True)
class LogWorkload:
    """The workload of a log; what was done to it, in sentences; the rows that are left out, as
    warnings that name the first row of each kind; and what the log lost with requeued jobs.
    """

    file: WorkloadFile
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]
    lost: LostWork


def is_log_alone(path: Path) -> bool:
    """Whether a file is an accounting log, and no workload: a CSV of jobs may look like both."""
    return is_log(path) and not is_workload(path)


def work_of_logs(
    paths: Sequence[Path],
    work: LogWork,
    should_stop: Callable[[], bool],
    report: Callable[[LogProgress], None] | None,
) -> LogWorkload:
    """The workload of logs. Raises `InvalidInput` if there is none, and `Stopped`."""
    with refusing(Unreadable, of=""):
        store = read_logs(paths, should_stop=should_stop, report=report)
    try:
        return workload_of_log(store, work, paths[0].name)
    finally:
        store.close()


def workload_of_log(store: RunStore, work: LogWork, name: str = "log") -> LogWorkload:
    """One pool, on which each job takes the units that it had, for the time that it asked for; it
    really takes the time that it had. Jobs are in the order of their arrival, from 0 s on. Of a job
    that was requeued, the last attempt counts; it arrived with the first one.

    Raises `InvalidInput` if no job of the log can be used, or if two classes fit
    one, and with all that is wrong with its sizes.
    """
    submit, seconds = store.column("submit"), store.column("elapsed")
    no_submit = ~np.isfinite(submit)
    arrived = np.where(no_submit, store.column("start"), submit)
    limit = store.column("limit").astype(float)
    units = store.column(work.unit).astype(np.int64)
    again = repeated(store)
    twice = np.logical_or.reduce(list(again.values()))
    once, lost = ~twice, requeued(store, states_of(store), twice)
    arrived[lost.last] = np.fmin(arrived[lost.last], arrived[lost.first])
    busy = _Busy.of(store.column("start")[once], seconds[once], units[once])
    pool_units, assumed = _size(store, work, busy)
    left_out = [
        *((_REPEATED[reason], rows) for reason, rows in again.items()),
        (_NO_ARRIVAL, ~np.isfinite(arrived)),
        (_NO_SECONDS, ~(seconds > 0)),
        *_odd_units(work.unit, units, pool_units),
    ]
    sizing = _sizing(store, work, once & (seconds > 0) & (units > 0), pool_units, name)
    if sizing is not None:
        left_out.append((_NO_SIZE, work.sizes.fit_none(sizing.memory_gb, sizing.kind)))
    usable = ~np.logical_or.reduce([lost.lost, *(rows for _, rows in left_out)])
    problems = (*_unread(store), *_left_out(store, left_out, lost.lost))
    if not usable.any():
        message = "has no job that can be replayed; give a log with jobs that ran"
        raise InvalidInput([Problem(name, "", "", message), *problems])
    order = np.flatnonzero(usable)
    order = order[np.argsort(arrived[order], kind="stable")]
    estimate = np.fmax(limit[order], seconds[order])
    notes = [*store.notes, *([assumed] if assumed else [])]
    notes += [said] if (said := lost.work.in_words(work.unit)) else []
    notes += _adjusted(no_submit[order], limit[order], seconds[order])
    watts = np.asarray((work.watts or 0.0) * units[order], float)
    if work.watts is None:
        joules = store.column("joules")[order]
        if (joules > 0).any():
            watts, said = _drawn(joules, seconds[order], units[order], work.unit)
            notes.append(said)
    jobs, curves = ArrivingJobs.plain(arrived[order] - arrived[order[0]]), ALWAYS_ONE
    if work.classes.rows:
        found = _classified(store, work.classes, order)
        jobs, curves = with_classes(jobs, curves, work.classes, found.of_job)
        problems += found.problems
        if none := int(np.count_nonzero(found.of_job < 0)):
            verb = "is" if none == 1 else "are"
            notes.append(f"{counted(none, 'job')} {verb} of no class: worth 1, whenever done")
    options = Options.of(len(order), 0, units[order], estimate, watts)
    further, time = None, seconds[order] / estimate
    if sizing is not None:
        kind = sizing.kind[order]
        each = units[order], estimate, watts / units[order], sizing.memory_gb[order], kind
        options = work.sizes.options(LoggedJobs(*each), work.speed_up)
        further, time = {MEMORY_GB: sizing.there}, np.where(kind < 0, time, 1.0)
        notes += [*sizing.notes, *_sized(work, int(np.count_nonzero(kind >= 0)))]
        problems += sizing.problems
    pools = Pools.of(["cluster"], [pool_units], further=further)
    workload = Workload(pools, jobs, options, curves, name=name)
    truth = Truth(time, np.ones(len(order)))
    return LogWorkload(WorkloadFile(workload, truth), tuple(notes), problems, lost.work)


def _classified(store: RunStore, classes: JobClasses, order: IntArray) -> ClassMatch:
    """The classes of these runs, in this order, by the texts of the log."""

    def called(job: int) -> str:
        run = int(order[job])
        number, (log, line) = store.column("job", run, run + 1)[0], _place(store, run)
        return f"job {number} ({line} of {log})" if number > 0 else f"that of {line} of {log}"

    asked = {name for row in classes.rows for name in row.texts}
    columns = {name: name if name in store.texts else _IN_SWF.get(name, name) for name in asked}
    texts = {
        name: (texts_of(store, column), store.column(column)[order])
        for name, column in columns.items()
        if column in store.texts
    }
    return classify(classes, texts, len(order), called)


class _Sizing(NamedTuple):
    """What sizes need of a log: the memory that each run asks for (GB; NaN: not known), which of
    the kinds of the sizes it is, and how much memory there is; what is assumed of it, in words; and
    warnings.
    """

    memory_gb: FloatArray
    kind: IntArray
    there: float
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]


def _sizing(
    store: RunStore, work: LogWork, ran: BoolArray, cores: int, name: str
) -> _Sizing | None:
    """What sizes need of a log, some of whose runs `ran`, on a cluster of so many cores; None
    without sizes. Raises `InvalidInput` with all that is wrong with them.
    """
    sizes, found, notes = work.sizes, list[Problem](), list[str]()
    if not sizes.rows:
        return None
    if work.unit != "cores":
        message = "are cores, but a unit is a node; let a unit be a core (--unit cores)"
        found.append(Problem(sizes.label, "", "cores", message))
    ways = int(np.count_nonzero(ran)) * len(sizes.rows)
    if ways > JOB_ROWS:
        message = f"give {ways:,} ways to run jobs; at most {JOB_ROWS:,} are replayed; give fewer"
        found.append(Problem(sizes.label, "", "", f"{message} sizes, or a shorter log"))
    memory = _memory_gb(store)
    there = work.memory
    if there is None and np.isfinite(memory[ran]).all():
        begun, lasted = store.column("start")[ran], store.column("elapsed")[ran]
        there = float(_Busy.of(begun, lasted, np.ceil(memory[ran]).astype(np.int64)).most)
        said = f"assumed {typed(there)} GB, as much as jobs asked for at once"
        notes.append(f"the log does not say how much memory there is; {said}")
    elif there is None:
        message = (
            "is not known of all jobs, so that of the cluster is not, either; say how many GB it "
            "has in all (--memory GB)"
        )
        found.append(Problem(name, "", "memory", message))
    found += sizes.beyond(
        cores if work.unit == "cores" else math.inf, math.inf if there is None else there
    )
    titles = tuple(f"seconds:{kind}" for kind in sizes.kinds)
    rows = tuple(JobClass(name=kind) for kind in sizes.kinds)
    kinds = ClassMatch(np.full(len(memory), -1))
    try:
        if rows:
            classes = JobClasses(rows, sizes.label, titles)
            kinds = _classified(store, classes, np.arange(len(memory)))
    except InvalidInput as clash:
        found += _of_columns(clash.problems)
    if found:
        raise InvalidInput(found)
    return _Sizing(memory, kinds.of_job, there or 0.0, tuple(notes), _of_columns(kinds.problems))


def _memory_gb(store: RunStore) -> FloatArray:
    """The memory that each run asks for; NaN where the log does not say it, as where it says 0.
    It is cut to thousandths, as logs are kept in single precision: 1.1 GB fit a size of 1.1 GB.
    """
    memory = store.column("memory").astype(float) / _MIB_A_GB
    return np.where(memory > 0, np.floor(1000 * memory) / 1000, np.nan)


def _of_columns(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems of the columns of sizes that say what jobs of a name take."""
    return tuple(replace(one, row="", column=one.row) for one in problems)


def _sized(work: LogWork, said: int) -> Iterator[str]:
    """By what the times of jobs in sizes are known, so many of which the sizes say themselves."""
    sizes = counted(len(work.sizes.rows), "size")
    yield (
        f"jobs run in one of {sizes}; on other cores than they had, their times follow from "
        f"{work.speed_up.in_words}"
    )
    if said:
        verb = "takes" if said == 1 else "take"
        yield f"{counted(said, 'job')} {verb} the seconds that the sizes say"


def _place(store: RunStore, run: int) -> tuple[str, str]:
    """The log of a run, and its line."""
    log, line = (int(store.column(name, run, run + 1)[0]) for name in ("log", "line"))
    return store.logs[log].name, f"line {line:,}"


def _odd_units(unit: LogUnit, units: IntArray, there: int) -> Iterator[tuple[LeftOut, BoolArray]]:
    """Jobs that have no units of the pool, or more than there are."""
    none = f"has no number of {unit}"
    yield LeftOut(unit, none, "dump the log with it, or choose another"), units < 1
    many = f"has more {unit} than the {there:,} that there are"
    yield LeftOut(unit, many, f"give more {unit}"), units > there


def _adjusted(no_submit: BoolArray, limit: FloatArray, seconds: FloatArray) -> Iterator[str]:
    """What was done to jobs whose arrival or whose limit is not as it should be."""
    if began := int(np.count_nonzero(no_submit)):
        arrive = "has no time of arrival; it arrives when it began"
        if began > 1:
            arrive = "have no time of arrival; they arrive when they began"
        yield f"{counted(began, 'job')} {arrive}"
    if longer := int(np.count_nonzero(limit < seconds)):
        yield f"{counted(longer, 'job')} ran longer than asked for; the longer time is used"
    if silent := int(np.count_nonzero(np.isnan(limit))):
        yield f"{counted(silent, 'job')} asked for no time; the time that it took is used"


def _drawn(
    joules: FloatArray, seconds: FloatArray, units: IntArray, unit: LogUnit
) -> tuple[FloatArray, str]:
    """What jobs drew on average while they ran (W), and how that is known. Slurm writes 0 where
    nothing measures; such jobs draw as much for each unit as the others on average.
    """
    known = joules > 0  # which NaN is not
    usual = float(joules[known].sum()) / float(seconds[known] @ units[known])
    watts = np.minimum(np.where(known, joules / seconds, usual * units), WATTS.high)
    one = unit.removesuffix("s")
    said = f"jobs draw what the log says, {power(usual, Sense.PLAIN)} a {one} on average"
    if unknown := int(np.count_nonzero(~known)):
        verb = "draws" if unknown == 1 else "draw"
        said += f"; {counted(unknown, 'job')} of unknown energy {verb} so much, too"
    return watts, said


def _unread(store: RunStore) -> Iterator[Problem]:
    """Rows that the reader could make no jobs of; steps of jobs are as they should be."""
    for reason, count in store.rejected.items():
        if reason in _USUAL or not count:
            continue
        first = next(iter(store.examples.get(reason, ())), None)
        rows = "; the row is left out" if count == 1 else f"; {count:,} such rows are left out"
        message = f"{reason}{rows}; correct it, or go on without"
        log, line = ("", "") if first is None else (first.log, f"line {first.line:,}")
        yield Problem(log or store.logs[0].name, line, "", message, "warning")


def _left_out(
    store: RunStore, kinds: Sequence[tuple[LeftOut, BoolArray]], before: BoolArray
) -> Iterator[Problem]:
    """A warning for each kind that has rows beside those `before`; a row counts for its first
    fault.
    """
    for kind, rows in kinds:
        fresh = np.flatnonzero(rows & ~before)
        before = before | rows
        if not fresh.size:
            continue
        first = int(fresh[0])
        log, line = _place(store, first)
        such = "the job is left out" if fresh.size == 1 else f"{fresh.size:,} such jobs left out"
        message = f"{kind.fault}; {such}; {kind.remedy}"
        yield Problem(log, line, kind.column, message, "warning")


class _Busy(NamedTuple):
    """How many units jobs had: most at any moment, at least those of the widest job; and most but
    for `_BRIEF` of the time, as times that are rounded to seconds let jobs overlap.
    """

    most: int
    usual: int

    @classmethod
    def of(cls, start: FloatArray, seconds: FloatArray, units: IntArray) -> Self:
        """As far as the log says when jobs began."""
        known = np.isfinite(start) & (seconds > 0) & (units > 0)
        first, last, taken = start[known], (start + seconds)[known], units[known]
        widest = int(units.max(initial=0))
        time = np.concatenate([last, first])  # what ends at a moment makes room for what begins
        order = np.argsort(time, kind="stable")
        busy = np.cumsum(np.concatenate([-taken, taken])[order])
        spans = np.where(busy[:-1] > 0, np.diff(time[order]), 0.0)
        by_units = np.argsort(-busy[:-1], kind="stable")
        longest = np.cumsum(spans[by_units])
        brief = np.searchsorted(longest, _BRIEF * longest[-1:].sum(), side="right")
        most = int(busy.max(initial=0))
        usual = int(busy[by_units[brief]]) if brief < len(longest) else most
        return cls(max(most, widest), max(usual, widest))


def _size(store: RunStore, work: LogWork, busy: _Busy) -> tuple[int, str]:
    """How many units there are, and what is assumed of it, in words."""
    if stated := work.units or _size_in_log(store, _FACTS[work.unit]):
        return stated, ""
    nodes = _size_in_log(store, _FACTS["nodes"])
    if work.unit == "cores" and nodes:
        each = max(-(-busy.usual // nodes), 1)
        cores = each * nodes
        return cores, (
            f"the log says that there are {counted(nodes, 'node')}, but not how many cores; "
            f"assumed {cores:,}, which is {each:,} a node, the least that hold what jobs had at "
            "once"
        )
    return busy.most, (
        f"the log does not say how many {work.unit} there are; assumed {busy.most:,}, as many as "
        "jobs had at once"
    )


def _size_in_log(store: RunStore, fact: str) -> int:
    """What the comments of the logs say of the size of the system; 0 if they do not."""
    found = 0
    for log in store.logs:
        said = log.facts.get(fact, "").split()
        if said and said[0].isdecimal():
            found = max(found, int(said[0][:12]))
    return found
