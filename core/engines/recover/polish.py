"""Polish of one schedule: local search towards its bound until the budget is spent.

Each thread anneals from the given schedule, first quickly, then slowly (see
`core.engines.recover.annealing`). If every task has a type of its own and machines are few, the
threads search large neighbourhoods instead and share the best schedule so far (see
`core.engines.recover.regrouping`).

Large systems are cut into equal slices: a tenth of the tasks on a tenth of the machines is the same
problem, ten times smaller. So one slice stands for nearly all of the system. The remainder of the
division, with a few slices added, is a second small system.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.engines.recover.annealing import Annealer, AnnealingGoal, AnnealingProblem
from core.engines.recover.assignment import assign, round_rows
from core.engines.recover.regrouping import Regrouper
from core.engines.recover.states import cost_of
from core.engines.relaxed import Bound, lower_bound
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.budget import Budget
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import INSTANT, PRODUCT_ROUNDING

# This many slices are added to the remainder, so that it is not too uneven. Tried on 40 systems
# like nine with 1,000 to 30,000 machines: 1, 2, 4 and 8 do alike; with 16 fewer can be sliced.
_ABSORBING = 4
# The bound of the parts must be below the current schedule by at least this share of its gap.
_WORTHWHILE = 0.5


@dataclass(frozen=True, eq=False)
class Slices:
    """`repeats` times the system of `slice`, and once that of `rest`, are the whole system."""

    slice: Bound
    repeats: int
    rest: Bound

    def together(self, system: System, one: Schedule, rest: Schedule) -> Schedule:
        """The schedule of the whole system from one of the slice and one of the rest."""
        return Schedule.from_groups(
            system,
            np.concatenate([one.machine_type, rest.machine_type]),
            np.concatenate([one.machines * self.repeats, rest.machines]),
            np.concatenate([one.tasks, rest.tasks]),
        )


def slice_system(bound: Bound, schedule: Schedule, most_cells: int) -> Slices | None:
    """Slices of at most `most_cells` machines x task types; None where slicing loses too much.

    It is only for makespans: the idle time of one part depends on the makespan of the other, so
    their energies do not add up.
    """
    system = bound.system
    cells = system.machines * len(system.task_types)
    least = -(-cells // most_cells)
    if bound.objective.energy > 0 or least <= _ABSORBING:
        return None
    pieces = _best_number(bound, least)
    repeats = pieces - _ABSORBING
    tasks, machines = system.task_counts // pieces, system.machine_counts // pieces
    if not _can_run(system, tasks, machines):
        return None
    one = system.with_counts(tasks, machines)
    rest = system.with_counts(
        system.task_counts - repeats * tasks, system.machine_counts - repeats * machines
    )
    bounds = [lower_bound(part, bound.objective) for part in (one, rest)]
    allowed = bound.value + (1 - _WORTHWHILE) * (schedule.makespan - bound.value)
    if max(part.value for part in bounds) > allowed:
        return None
    return Slices(bounds[0], repeats, bounds[1])


def _best_number(bound: Bound, least: int) -> int:
    """The number of pieces, from `least` to twice that, that divides the system most evenly.

    If tasks and machines, at the bound's prices, divide in the same proportion, the parts have the
    bound of the whole. The number is best whose worse part is nearest to that.
    """
    system = bound.system
    numbers = np.arange(least, 2 * least + 1)
    seconds = np.where(system.can_run, system.etc, 0.0)
    cheapest = np.where(system.can_run, seconds * bound.prices, np.inf).min(axis=1)
    work = np.where(system.task_counts > 0, cheapest, 0.0)
    shares = [
        (counts // numbers[:, None]) @ worth / (counts @ worth)
        for counts, worth in ((system.task_counts, work), (system.machine_counts, bound.prices))
    ]
    repeats = numbers - _ABSORBING
    slices, rests = (
        tasks / np.maximum(machines, np.finfo(float).tiny)
        for tasks, machines in (shares, [1 - repeats * share for share in shares])
    )
    return int(numbers[np.argmin(np.maximum(slices, rests))])


def _can_run(system: System, tasks: IntArray, machines: IntArray) -> bool:
    runs: BoolArray = np.any(np.isfinite(system.etc) & (machines > 0), axis=1)
    return bool(tasks.any() and runs[tasks > 0].all())


# The constants below were found by trial; `python -m benchmarks bags single-tasks` measures their
# results. Up to this many machines x task types, annealing converges in seconds; above, a slice of
# the system is polished and repeated.
MOST_SETTLED_CELLS = 3_000
# The largest system that is polished whole when it cannot be sliced: each thread has a copy.
MOST_CELLS = 4_000_000
# Large neighbourhoods are searched for up to this many machines x tasks.
MOST_REGROUPED_CELLS = 60_000
# This many rounds of large neighbourhoods take some milliseconds.
ROUNDS_A_STEP = 10
# The units of work in a round, roughly.
ROUND_WORK = 1e-4
# The shares of the seconds that annealing gets: before large neighbourhoods, because it finds other
# schedules where machines run few tasks each; and in its first round elsewhere, to be quick.
ANNEALED_SHARE = 0.05
FIRST_ROUND_SHARE = 0.25
# No step is longer, so that a request to stop is answered soon.
LONGEST_STEP_SECONDS = 0.02

# The first temperature, as a share of the square of a task's mean load; and the last one, as a
# share of the first.
HOTTEST = 0.1
COOLING = 1e-4
# Tasks move only to pairs that waste at most this share of the bound, or at most the gap if that is
# less.
DEAREST_MOVE = 0.02


@dataclass(frozen=True, slots=True)
class _Leeway:
    """Loads up to `excess` above the bound's makespan cost nothing in annealing.

    `toll_weight` is the weight of tolls against the squares of the loads' excesses. Found by trial:
    with it, the toll saved by slightly more load equals the cost of the load at about the final
    gap.
    """

    excess: float
    toll_weight: float

    def goal(self, gap: float) -> AnnealingGoal:
        """The goal of annealing that begins with this gap."""
        return AnnealingGoal(1 + min(self.excess, gap / 4), self.toll_weight)


MANY_TASKS = _Leeway(excess=0.001, toll_weight=0.03)
LEAST_ENERGY = _Leeway(excess=0.0, toll_weight=0.1)


def polish(
    schedule: Schedule,
    bound: Bound,
    budget: Budget,
    *,
    seed: int = 0,
    report: Callable[[float, float], None] | None = None,
) -> Schedule:
    """A schedule at least as good for `bound.objective`, the best found within the budget.

    `report` gets, from time to time, the seconds spent and the best value so far. Of a large system
    a slice is polished and repeated. If a system cannot be sliced and has more than `MOST_CELLS`
    machines x task types, its schedule is returned unchanged.
    """
    cells = schedule.system.machines * len(schedule.system.task_types)
    sliced = (
        slice_system(bound, schedule, MOST_SETTLED_CELLS) if cells > MOST_SETTLED_CELLS else None
    )
    if sliced is not None:
        return _polish_slices(schedule, sliced, budget, seed, report)
    if cells > MOST_CELLS or bound.makespan <= 0:
        return schedule
    search = _PolishSearch(schedule, bound, budget, report)
    with ThreadPoolExecutor(budget.threads) as pool:
        for number, phase in enumerate(search.phases()):
            first = seed + number * budget.threads
            # Reading the results waits for every thread, and raises an error that one raised.
            list(pool.map(phase, range(first, first + budget.threads)))
    return search.best_schedule()


def _polish_slices(
    schedule: Schedule,
    sliced: Slices,
    budget: Budget,
    seed: int,
    report: Callable[[float, float], None] | None,
) -> Schedule:
    """Polish the slice and the remainder, each for half of the time, and join them."""
    polished = []
    for bound, share in ((sliced.slice, 0.5), (sliced.rest, 1.0)):
        part = assign(bound.system, round_rows(bound.placed, bound.system.task_counts))
        seconds = max(share * budget.left, INSTANT)
        polished.append(polish(part, bound, budget.part(seconds), seed=seed))
        if report is not None:
            report(budget.used, schedule.makespan)
    whole = sliced.together(schedule.system, *polished)
    if report is not None:
        report(budget.used, min(whole.makespan, schedule.makespan))
    return whole if whole.makespan < schedule.makespan else schedule


@dataclass(frozen=True, slots=True)
class _Problem:
    """The system in the units of the search: times in makespans, costs in `scale`, which is the
    bound, unless the bound is rounding error compared with what tasks cost.

    `waste` is how much more a task costs than on its best machine type, at the bound's prices of
    time. `tolls` are the costs in annealing: waste where only the makespan counts. Where energy
    counts, they are the costs themselves, because idle machines cost energy, too, which waste does
    not include.
    """

    machine_type: IntArray
    seconds: FloatArray
    waste: FloatArray
    costs: FloatArray
    tolls: FloatArray
    time_cost: float
    scale: float

    @classmethod
    def of(cls, bound: Bound) -> "_Problem":
        system = bound.system
        possible = system.can_run
        costs = np.where(possible, bound.objective.task_costs(system), 0.0)
        scale = max(abs(bound.value), PRODUCT_ROUNDING * float(np.abs(costs).max())) or 1.0
        costs /= scale
        seconds = np.where(possible, system.etc, 0.0)
        priced = np.where(possible, costs + bound.prices * seconds / scale, np.inf)
        cheapest = priced.min(axis=1, keepdims=True, initial=np.inf)
        waste = np.full(priced.shape, np.inf)
        np.subtract(priced, cheapest, out=waste, where=possible)
        return cls(
            np.repeat(np.arange(len(system.machine_types)), system.machine_counts),
            np.where(possible, seconds / bound.makespan, np.inf),
            waste,
            costs,
            costs if bound.objective.energy else waste,
            bound.objective.price_of_time(system) * bound.makespan / scale,
            scale,
        )

    def targets(self, dearest: float) -> IntArray:
        """The pairs that waste at most `dearest`, the least wasteful first."""
        task, machine = np.nonzero(self.waste <= dearest)
        order = np.argsort(self.waste[task, machine], kind="stable")
        return np.column_stack([task, machine])[order]

    def value(self, counts: IntArray, loads: FloatArray) -> float:
        """The objective, as a multiple of the bound."""
        own = cost_of(counts, self.costs, self.machine_type) if self.costs.any() else 0.0
        return float(own + self.time_cost * loads.max())


class _PolishSearch:
    """What the threads share: the problem, the clock, and the best counts so far."""

    def __init__(
        self,
        schedule: Schedule,
        bound: Bound,
        budget: Budget,
        report: Callable[[float, float], None] | None,
    ) -> None:
        self.given = schedule
        self.bound = bound
        self.budget = budget
        self.report = report
        self.problem = _Problem.of(bound)
        self.lock = threading.Lock()
        self.counts = np.repeat(schedule.tasks, schedule.machines, axis=0)
        loads = np.repeat(schedule.load, schedule.machines) / bound.makespan
        self.value = self.given_value = self.problem.value(self.counts, loads)

    @property
    def single_tasks(self) -> bool:
        """Whether to search large neighbourhoods, which are for makespans only."""
        few = self.counts.size <= MOST_REGROUPED_CELLS and len(self.counts) > 1
        return few and self.bound.objective.energy == 0 and int(self.counts.max()) == 1

    @property
    def leeway(self) -> _Leeway:
        return LEAST_ENERGY if self.bound.objective.energy else MANY_TASKS

    def phases(self) -> Iterator[Callable[[int], None]]:
        """The phases, one after another, that each thread does with a seed of its own."""
        seconds = self.budget.seconds
        if self.single_tasks:
            yield partial(self.anneal, until=ANNEALED_SHARE * seconds)
            yield self.regroup
            return
        yield partial(self.anneal, until=FIRST_ROUND_SHARE * seconds)
        yield partial(self.anneal, until=seconds)

    def anneal(self, seed: int, until: float) -> None:
        """Anneal once from the best schedule so far, until `until` seconds are spent."""
        problem = self.problem
        gap = self.value - 1
        if gap <= 0:
            return
        targets = problem.targets(min(DEAREST_MOVE, gap))
        annealer = Annealer(
            AnnealingProblem.of(problem.seconds, problem.tolls, targets, problem.machine_type),
            self.leeway.goal(gap),
            self.counts,
            seed,
        )
        system = self.given.system
        hottest = HOTTEST * (system.machines / system.tasks) ** 2
        begun = self.budget.used
        while not self.over(until):
            temperature = hottest * COOLING ** ((self.budget.used - begun) / (until - begun))
            annealer.run_for(LONGEST_STEP_SECONDS / 2, self.budget, temperature)
            self.offer(annealer.counts, problem.value(annealer.counts, annealer.loads))

    def regroup(self, seed: int) -> None:
        """Search large neighbourhoods; each new start is from the best schedule of all threads."""
        problem = self.problem
        kinds = problem.machine_type
        search = Regrouper(problem.seconds[:, kinds], problem.waste[:, kinds], self.counts, seed)
        while not self.over(self.budget.seconds):
            settled = search.run(ROUNDS_A_STEP, self.value)
            self.budget.spend(ROUNDS_A_STEP * ROUND_WORK)
            self.offer(search.counts, problem.value(search.counts, search.loads))
            if settled:
                search.start_from(*self.best())

    def over(self, until: float) -> bool:
        return self.value <= 1 or self.budget.used >= until or self.budget.should_stop()

    def best(self) -> tuple[float, IntArray]:
        """The best value so far, as a multiple of the bound, and its counts."""
        with self.lock:
            return self.value, self.counts

    def offer(self, counts: IntArray, value: float) -> None:
        """Store these counts if they are the best so far."""
        with self.lock:
            if value < self.value:
                self.value, self.counts = value, counts.copy()
            if self.report is not None:
                self.report(self.budget.used, self.value * self.problem.scale)

    def best_schedule(self) -> Schedule:
        if self.value >= self.given_value:
            return self.given
        single = np.ones(len(self.counts), np.int64)
        return Schedule.from_groups(
            self.given.system, self.problem.machine_type, single, self.counts
        )
