"""Methods for bags of tasks with uncertain times, by name: published ones, and ours.

- Offline: one plan of all tasks before the first arrives. Each core keeps its tasks and their
  order; only the times shift.
- Batch: all tasks that wait are planned anew at every tick at which there is news.
- Greedy: every task gets a core for good when it arrives.
- Weighed (ours): plans at ticks, too; it learns how much of its estimate a task takes, and prices
  machines by the front of the work that is left. One handle weighs energy against makespan.

Plans know estimates only, and when each task really ended once it has.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from core.capabilities.arrivals.uncertain.planning import (
    Bag,
    NextTask,
    OntoMachine,
    empty_plan,
    in_line,
)
from core.capabilities.arrivals.uncertain.running import (
    BagRuns,
    no_runs,
    run_batch,
    run_frozen,
    run_greedy,
)
from core.engines.relaxed import Front, trace_front
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.outcome import NOT_RUN, Decisions, ReplayOutcome
from core.engines.replay.policy import Measure
from core.engines.replay.workload import Truth, Workload
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import typed
from core.vocabulary.system import System
from core.vocabulary.tolerances import SUM_ROUNDING

TICK: Final = 60.0
"""Seconds between ticks; the publication does not print them."""
EXCHANGE: Final = Range(0.0, 1e15, "J/s")
"""What a second less of makespan may cost under the weighed method."""

When = Literal["offline", "batch", "greedy"]
EnergyCriterion = Literal["total", "task", "machine"]
"""What a machine of least energy is: by the energy of the task and of all machines that stay on
longer for it, by that of the task alone, or by that of the task and of its machine."""
_CRITERIA: Final[Mapping[EnergyCriterion, OntoMachine]] = {
    "total": OntoMachine.LEAST_ENERGY,
    "task": OntoMachine.LEAST_OWN_ENERGY,
    "machine": OntoMachine.LEAST_OF_MACHINE,
}


@dataclass(frozen=True)
class BagSettings:
    """How methods for bags are run: ticks are `every` so many seconds apart. Between them, a core
    that becomes free goes on with the last plan, as published, or `waits`. The last plan did not
    know that it would be free so soon, so the weighed method always waits.

    The weighed method takes a second less of makespan for `exchange` joules (exchange rate, J/s);
    None: for as much as all machines draw in a second while they are idle.
    """

    criterion: EnergyCriterion = "total"
    every: float = TICK
    waits: bool = False
    exchange: float | None = None


@dataclass(frozen=True)
class ListMethod:
    """When to plan, which task is next, and which machine gets it."""

    name: str
    label: str
    when: When
    next: NextTask
    onto: OntoMachine
    ours: bool = False


_TWO_PHASES: Final = (
    ("maxmin", "MaxMin", NextTask.LARGEST, OntoMachine.SOONEST),
    ("maxmin-energy", "MaxMIN", NextTask.LARGEST, OntoMachine.LEAST_ENERGY),
    ("suffmin-energy", "SuffMIN", NextTask.SUFFERING, OntoMachine.LEAST_ENERGY),
)
_GREEDY: Final = (
    ("min", "Min", NextTask.LARGEST, OntoMachine.SOONEST),
    ("min-energy", "MIN", NextTask.LARGEST, OntoMachine.LEAST_ENERGY),
)
_ALL: Final[Mapping[When, Sequence[tuple[str, str, NextTask, OntoMachine]]]] = {
    "offline": _TWO_PHASES,
    "batch": _TWO_PHASES,
    "greedy": _GREEDY,
}
METHODS: Final = {
    f"{when}-{name}": ListMethod(f"{when}-{name}", f"{when} {label}", when, following, onto)
    for when, methods in _ALL.items()
    for name, label, following, onto in methods
}
"""In the order of the published tables. Where they write MIN in capitals, it means energy."""
WEIGHED: Final = ListMethod(
    "weighed", "weighed", "batch", NextTask.LARGEST, OntoMachine.WEIGHED, ours=True
)
"""The longest task is next, since it may take all of its estimate."""
BAG_METHODS: Final[Mapping[str, ListMethod]] = {**METHODS, WEIGHED.name: WEIGHED}


def run_method(
    workload: Workload,
    truth: Truth,
    method: ListMethod,
    settings: BagSettings | None = None,
) -> ReplayOutcome:
    """What comes of a workload of tasks of one core under a method.

    Raises `InvalidInput` for jobs of several units, or with several options on one machine, and
    if no job may start from some time on.
    """
    bag = bag_of(workload)
    runs = no_runs(len(bag.arrival), len(bag.machine))
    onto = method.onto
    settings = settings or BagSettings()
    if onto is OntoMachine.LEAST_ENERGY:
        onto = _CRITERIA[settings.criterion]
    rule = (int(method.next), int(onto))
    plan = empty_plan(bag)
    exchange = bag.idle_watts if settings.exchange is None else settings.exchange
    plan.delay[0] = bag.idle_watts + exchange
    if method.when == "offline":
        # A task that arrives late may end late, however short it is.
        run_frozen(bag._replace(ordered=False), plan, rule, truth.time, runs)
    elif method.when == "greedy":
        run_greedy(bag, plan, rule, truth.time, runs)
    else:
        waits = settings.waits or method.ours
        run_batch(bag, plan, rule, truth.time, runs, settings.every, waits)
    moments = _planned_at(bag, method, runs, settings.every)
    return outcome_of(workload, truth, method.name, runs, moments)


def bag_of(workload: Workload) -> Bag:
    """A workload as the methods for bags take it: `run_method` says what is refused."""
    options, pools = workload.options, workload.pools
    job = options.job
    taken = np.zeros((len(job), 0)) if options.further is None else options.further
    faults = [
        Problem("options", workload.jobs.name(int(job[one])), column, message)
        for column, message, wrong in (
            (
                "units",
                "takes more than one core; methods for bags take tasks of one core each",
                options.units != 1,
            ),
            (
                "pool",
                "has two options on one machine; methods for bags take one",
                _repeated(job * len(pools) + options.pool),
            ),
            *(
                (name, "is taken; methods for bags share out cores alone", amounts > 0)
                for name, amounts in zip(pools.resources, taken.T, strict=False)
            ),
        )
        for one in np.flatnonzero(wrong)[:1].tolist()
    ]
    end = float(workload.horizon.end)
    if math.isfinite(end):
        message = f"is {typed(end)} s; methods for bags do all jobs, so leave the end out"
        faults.append(Problem("workload", "", "end", message))
    if faults:
        raise InvalidInput(faults)
    shape = (len(workload.jobs), len(pools))
    seconds, watts = np.full(shape, np.inf), np.zeros(shape)
    seconds[job, options.pool] = options.seconds
    watts[job, options.pool] = options.watts
    line, ordered = in_line(seconds)
    return Bag(
        workload.jobs.arrival,
        seconds,
        watts,
        line,
        ordered,
        np.concatenate([[0], np.cumsum(pools.units)]),
        np.repeat(np.arange(len(pools)), pools.units),
        float(pools.units @ pools.idle_watts),
        pools.units * pools.idle_watts,
    )


def _planned_at(bag: Bag, method: ListMethod, runs: BagRuns, every: float) -> FloatArray:
    """The moments of mapping events: the beginning, arrivals, or ticks with news."""
    if method.when == "offline":
        return np.zeros(1)
    if method.when == "greedy":
        return np.unique(bag.arrival)
    return np.unique(np.ceil(np.concatenate([bag.arrival, runs.end]) / every) * every)


def outcome_of(
    workload: Workload, truth: Truth, name: str, runs: BagRuns, moments: FloatArray
) -> ReplayOutcome:
    """The record of runs that were planned at such moments; every task is expected to end when its
    estimate is over.
    """
    options = workload.options
    place = np.full((len(workload.jobs), len(workload.pools)), NOT_RUN)
    place[options.job, options.pool] = np.arange(len(options.pool))
    option = place[np.arange(len(place)), runs.machine]
    estimated_end = runs.start + options.seconds[option]
    arrived = np.searchsorted(workload.jobs.arrival, moments, side="right")
    order = np.argsort(runs.start, kind="stable")
    begun = np.searchsorted(runs.start[order], moments, side="right")
    return ReplayOutcome(
        workload,
        truth,
        EnergyWindows.without_limit(workload.horizon),
        name,
        option,
        runs.start,
        runs.end,
        estimated_end,
        np.zeros(len(option), bool),
        Decisions(
            moments,
            np.maximum(arrived - begun, 0),
            np.full(len(moments), int(Measure.EARLIEST)),
        ),
    )


def _repeated(values: np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    again = np.ones(len(values), bool)
    again[np.unique(values, return_index=True)[1]] = False
    return again


_GROUPS: Final = 16
"""So many groups of tasks by their error of power; each task counts with the least of its group."""


@dataclass(frozen=True)
class BagBound:
    """Proven: no method ends before `makespan` (s), and none takes less than `joules`."""

    makespan: float
    joules: float


def bag_bound(workload: Workload, truth: Truth) -> BagBound:
    """What no method could have beaten for a bag, had it known how long each task takes.

    The bound is that of the divisible linear program (`core.engines.relaxed`), in which tasks may
    be split, with true times and powers. It knows all tasks from the beginning; but none ends
    before it has arrived and run on its fastest machine.
    """
    bag = bag_of(workload)
    always = workload.switching == "always on"
    system = _as_system(bag, truth, workload.pools.idle_watts * always, workload.pools.units)
    front = trace_front(system)
    soonest = bag.arrival + (bag.seconds * truth.time[:, None]).min(axis=1)
    makespan = max(float(front.lines.value[-1]), float(soonest.max()))
    return BagBound(
        makespan * (1 - SUM_ROUNDING), _least_joules(front, makespan) * (1 - SUM_ROUNDING)
    )


def _least_joules(front: Front, makespan: float) -> float:
    """What schedules take at least that last at least so long."""
    least = front.least_joules
    slower = front.slower_lines
    rising = slower.weights[:, 1] <= 0
    joules = (slower.value - slower.weights[:, 1] * makespan) / slower.weights[:, 0]
    return max(least, float(joules[rising].max(initial=0.0)))


def _as_system(bag: Bag, truth: Truth, idle: FloatArray, units: IntArray) -> System:
    """Tasks with what they really take and draw, each a task type or together with those alike."""
    seconds = bag.seconds * truth.time[:, None]
    power = truth.power
    groups = [np.array([task]) for task in range(len(seconds))]
    if _alike(bag):
        by_power = np.argsort(power, kind="stable")
        groups = [group for group in np.array_split(by_power, _GROUPS) if len(group)]
    etc = np.array([seconds[group].sum(axis=0) for group in groups])
    drawn = np.array([bag.watts[group[0]] * power[group].min() for group in groups])
    return System(
        tuple(TaskType(f"t{k}") for k in range(len(groups))),
        tuple(
            MachineType(f"m{k}", int(count), float(watts))
            for k, (count, watts) in enumerate(zip(units, idle, strict=True))
        ),
        etc,
        np.where(np.isfinite(etc), drawn + idle, np.nan),
    )


def _alike(bag: Bag) -> bool:
    """Whether all tasks speed up alike from machine to machine, and draw the same."""
    if not np.isfinite(bag.seconds).all():
        return False
    ratio = bag.seconds / bag.seconds[:, :1]
    same = np.abs(ratio / ratio[0] - 1) < SUM_ROUNDING
    return bool(same.all() and (bag.watts == bag.watts[0]).all())
