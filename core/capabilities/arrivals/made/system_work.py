"""A system as a workload: its task types arrive at rates, and run on its machines."""

from dataclasses import dataclass, field, replace

import numpy as np

from core.capabilities.arrivals.files.classes_file import inspect_classes_bytes
from core.capabilities.arrivals.made.patterns import ArrivalPattern, constant, draw_arrivals, hourly
from core.engines.replay.classes import (
    ANY,
    MATCHED,
    NO_CLASSES,
    ClassMatch,
    JobClass,
    JobClasses,
    classify,
    with_classes,
)
from core.engines.replay.energy import DAY_SECONDS
from core.engines.replay.workload import ArrivingJobs, Horizon, Options, Pools, Workload
from core.engines.replay.worth import ALWAYS_ONE, WorthCurves, WorthPiece
from core.files.findings import Findings, Reading, shown, shown_list
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.words import HOUR
from core.vocabulary.system import System


@dataclass(frozen=True)
class SystemWork:
    """How work arrives: `a_day` jobs on average, as the pattern says, for `length` seconds from
    midnight on. A job is of a type as often as the type has tasks in the system. Classes of jobs
    are found by the names of task types.
    """

    a_day: float
    pattern: ArrivalPattern = field(default_factory=constant)
    length: float = DAY_SECONDS
    seed: int = 0
    classes: JobClasses = NO_CLASSES


@dataclass(frozen=True)
class HourlyWork:
    """How many jobs of each task type arrive in each hour of a day, on average:
    `rates[hour][type]`, for `length` seconds from midnight on.

    With `fades`, the worth of a job falls on a straight line, to 0 so many seconds after its
    arrival, unless a class says what it is worth. The jobs of a type depend on the numbers of that
    type alone. Classes of jobs are found by the names of task types.
    """

    rates: tuple[tuple[float, ...], ...]
    length: float = DAY_SECONDS
    fades: float | None = None
    seed: int = 0
    classes: JobClasses = NO_CLASSES

    @property
    def a_day(self) -> FloatArray:
        """The jobs of each type in a day, on average."""
        return np.asarray(np.array(self.rates, float).sum(axis=0))


def workload_of_system(system: System, work: SystemWork, name: str = "") -> Workload:
    """A pool for each machine type, whose machines run one job at a time; each job is worth 1.

    A machine draws its idle power always, and the rest of its power while it works; a power below
    the idle power counts as no rest.
    """
    random = np.random.default_rng(work.seed)
    tasks = system.task_counts
    arrival = draw_arrivals(random, work.pattern, work.a_day, work.length)
    kind = random.choice(len(tasks), len(arrival), p=tasks / tasks.sum())
    jobs = ArrivingJobs.plain(arrival, kind, system.task_names)
    return _on_machines(
        system, *_classed(system, jobs, ALWAYS_ONE, work.classes), work.length, name
    )


def workload_of_hours(system: System, work: HourlyWork, name: str = "") -> Workload:
    """The same, with numbers of each type for each hour. Raises `InvalidInput` if a type that
    arrives runs on no machine that is there.
    """
    rates = np.array(work.rates, float)
    arrivals = [
        draw_arrivals(np.random.default_rng([work.seed, kind]), hourly(column), total, work.length)
        if total > 0
        else np.zeros(0)
        for kind, (column, total) in enumerate(zip(rates.T, work.a_day.tolist(), strict=True))
    ]
    arrival = np.concatenate(arrivals)
    kind = np.repeat(np.arange(len(arrivals)), [len(one) for one in arrivals])
    order = np.argsort(arrival, kind="stable")
    jobs = ArrivingJobs.plain(arrival[order], kind[order], system.task_names)
    curves = ALWAYS_ONE
    if work.fades is not None:
        pieces = (WorthPiece(0.0, 1.0, 0.0, 0.0), WorthPiece(work.fades, 0.0, 0.0, 0.0))
        curves = WorthCurves((pieces,), ("fades",))
    classed = _classed(system, jobs, curves, work.classes)
    return _on_machines(system, *classed, work.length, name)


def classes_of_types(system: System, classes: JobClasses) -> ClassMatch:
    """The class of each task type. Raises `InvalidInput` if two classes fit one."""
    names = system.task_names
    texts = {"name": (names, np.arange(len(names)))}
    return classify(classes, texts, len(names), lambda kind: f"task type {shown(names[kind])}")


def inspect_classes_of_types(
    system: System, name: str, data: bytes
) -> Reading[tuple[JobClass, ...]]:
    """What a file of classes says of the task types that it has a class for, by their names. One
    that has none of them is refused.
    """

    def read(findings: Findings) -> tuple[JobClass, ...]:
        classes = inspect_classes_bytes(name, data).require()
        found = classes_of_types(system, classes)
        for problem in found.problems:
            findings.add(problem)
        texts = dict.fromkeys(MATCHED, "")
        rows = [
            replace(classes.rows[number], **{**texts, "name": kind})
            for kind, number in zip(system.task_names, found.of_job.tolist(), strict=True)
            if number >= 0 and not kind.endswith(ANY)
        ]
        if not rows:
            types = shown_list(system.task_names)
            findings.file_error(name, f"has no class for a task type; give some of {types} as name")
        return tuple(rows)

    return Reading.of(name, read)


def usual_rates(system: System, busy: float, most: float) -> FloatArray:
    """Jobs of each type in an hour, mixed as the tasks of the system: so many that its machines
    would work for a share `busy` of the time if each took the mean time of its type, at most
    `most` in all.
    """
    there, tasks = system.machine_counts, system.task_counts
    mix = tasks / tasks.sum()
    fits = system.can_run & (there > 0)
    seconds = np.where(fits, system.etc, 0.0) @ there / np.maximum(fits @ there, 1)
    hour = float(mix @ seconds)
    jobs = min(busy * float(there.sum()) * HOUR / hour, most) if hour > 0 else 0.0
    return np.asarray(jobs * mix)


def _classed(
    system: System, jobs: ArrivingJobs, curves: WorthCurves, classes: JobClasses
) -> tuple[ArrivingJobs, WorthCurves]:
    if not classes.rows:
        return jobs, curves
    return with_classes(jobs, curves, classes, classes_of_types(system, classes).of_job[jobs.type])


def _on_machines(
    system: System, jobs: ArrivingJobs, curves: WorthCurves, length: float, name: str
) -> Workload:
    there = np.flatnonzero(system.machine_counts > 0)
    kind: IntArray = jobs.type
    job, pool = np.nonzero(system.can_run[:, there][kind])
    type_of, machine = kind[job], there[pool]
    idle = system.always_on.idle_power[there]
    watts = np.zeros(len(job))
    if system.apc is not None:
        watts = np.maximum(system.apc[type_of, machine] - idle[pool], 0.0)
    names = [system.machine_names[one] for one in there.tolist()]
    pools = Pools.of(names, system.machine_counts[there], idle_watts=idle)
    seconds = system.etc[type_of, machine]
    options = Options.of(job, pool, 1, seconds, watts, jobs=len(kind))
    return Workload(pools, jobs, options, curves, Horizon(0.0, length), name=name)
