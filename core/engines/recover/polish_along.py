"""Polish of all schedules along a front at once, until the budget is spent.

The threads visit places along the front. The next place is the one with the largest remaining area
between schedules and bound, divided by the visits it has had. There they anneal towards the
deadline of the place: moves cost the energy of tasks, and load beyond the deadline costs what the
front's exchange rate says. Every state on the way goes into an archive by makespan, so that work
for one deadline serves its neighbours, too. Then descent makes the archived schedules around the
place cheaper.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from core.engines.recover import assign, round_rows
from core.engines.recover.annealing import Annealer, AnnealingGoal, AnnealingProblem
from core.engines.recover.assignment import even_out
from core.engines.recover.descent import Machines, descend
from core.engines.recover.polish import LONGEST_STEP_SECONDS
from core.engines.recover.states import Archive, cost_of, loads_of
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Budget
from core.vocabulary.plane.points import non_dominated
from core.vocabulary.plane.polygons import between, spread
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import NOT_DIVISIBLE

# The archive has this many slots, or fewer if all together would hold more numbers than this.
SLOTS = 1200
MOST_NUMBERS = 20_000_000

# These and the constants below were found by trial: `python -m benchmarks along` measures their
# results. The number of places along the front; the makespans that count as near to a wished one,
# as multiples of it; and the seconds at each place, for annealing on machine types and on machines.
PLACES = 320
NEAR = (0.98, 1.04)
TYPES_SECONDS = 0.0015
MACHINES_SECONDS = 0.005
# The units of work in a visit, without those of annealing, evening out and descent.
VISIT_WORK = 1e-3
# One of VISITS visits anneals on machines, the others on machine types. Where schedules waste more
# than MOST_WASTED, for example because a long task ends slightly late, every second visit on
# machines has tolls that are LOWER_TOLLS times lower.
VISITS = 3
LOWER_TOLLS = 8.0
# All as shares: by how much loads may exceed a deadline without cost; the first temperatures, of
# the square of a task's mean load; the last temperature, of the first; and the most that a move may
# waste, of the bound and of a task's mean cost.
EXCESS = 0.001
HOT_TYPES, HOT_MACHINES = 0.02, 0.01
COOLING = 1e-4
DEAREST_MOVE = 0.002
DEAREST_TASKS = 2.0
# Every place counts as having at least this area left, in least energies x shortest makespans, so
# that every place is visited.
LEAST_AREA = 1e-12
# Waste above this counts as this much, and so does a place without a schedule.
MOST_WASTED = 0.01


def too_large(system: System) -> bool:
    """Whether a system is too large for the memory of polish: its schedules are not changed."""
    return _slots(system) < PLACES


def _slots(system: System) -> int:
    cells = max(system.machines * len(system.task_types), 1)
    return min(SLOTS, MOST_NUMBERS // cells)


def polish_along(
    front: Front,
    schedules: Sequence[Schedule],
    budget: Budget,
    *,
    seed: int = 0,
    near: float | None = None,
    report: Callable[[float, FloatArray], None] | None = None,
) -> list[Schedule]:
    """The best schedule found for every interval of makespans; the given ones are candidates, too.

    With `near`, only makespans of about so many seconds are polished. `report` gets, from time to
    time, the seconds spent and the (joules, seconds) of the best so far. Schedules of systems that
    are `too_large` are returned unchanged.
    """
    if too_large(front.system):
        return list(schedules)
    search = _FrontSearch(front, _slots(front.system), schedules, budget, report)
    if near is not None:
        search.stay_near(near)
    with ThreadPoolExecutor(budget.threads) as pool:
        list(pool.map(search.run, range(seed, seed + budget.threads)))
    return search.schedules()


@dataclass(frozen=True, eq=False)
class _Place:
    """A deadline on the front, in shortest makespans, and the parameters of annealing towards it.

    `waste` and `idle_tolls` are at the prices of the front's line there, in least energies;
    `placed` is the rounded schedule on the front; `line` holds the weights of energy and makespan.
    """

    deadline: float
    toll_weight: float
    waste: FloatArray
    idle_tolls: FloatArray
    targets: IntArray
    placed: IntArray
    line: FloatArray


class _FrontSearch:
    """What the threads share. Times are in shortest makespans, tolls in least energies."""

    def __init__(
        self,
        front: Front,
        slots: int,
        schedules: Sequence[Schedule],
        budget: Budget,
        report: Callable[[float, FloatArray], None] | None,
    ) -> None:
        self.system = system = front.system
        self.front, self.budget, self.report = front, budget, report
        least = front.energy[0] if front.energy[0] > NOT_DIVISIBLE else 1.0
        self.units = np.array([least, front.makespan[-1]])
        possible = system.can_run
        self.seconds = np.where(possible, system.etc / self.units[1], np.inf)
        self.costs = np.where(possible, system.dynamic_energy / self.units[0], 0.0)
        self.time_cost = system.total_idle_power * self.units[1] / self.units[0]
        self.machine_type = np.repeat(np.arange(len(system.machine_types)), system.machine_counts)
        self.machines = Machines(self.seconds, self.costs, self.time_cost, self.machine_type)
        steps = np.unique(between(front.makespan, *spread(front.points, slots)))
        self.limits = np.append(steps / self.units[1], np.inf)
        self.least = np.interp(steps, front.makespan[::-1], front.energy[::-1]) / self.units[0]
        self.archive = self.new_archive()
        for schedule in schedules:
            self.offer(self.archive, np.repeat(schedule.tasks, schedule.machines, axis=0))
        left, share = spread(front.points, PLACES)
        self.deadlines = between(front.makespan, left, share)[::-1] / self.units[1]
        self.places = list(zip(left.tolist(), share.tolist(), strict=True))[::-1]
        # The slots nearest to place p are those from `begin[p]` to before `begin[p + 1]`.
        middles = (self.deadlines[1:] + self.deadlines[:-1]) / 2
        self.begin = np.r_[0, np.searchsorted(self.limits[:-1], middles), len(self.limits) - 1]
        self.visits = np.zeros(len(self.places), np.int64)
        self.open = np.ones(len(self.places), np.bool_)
        self.lock = threading.Lock()

    def stay_near(self, makespan: float) -> None:
        """Visit only the places within `NEAR` of this makespan, or the nearest one."""
        share = self.deadlines * self.units[1] / makespan
        self.open = (share > NEAR[0]) & (share < NEAR[1])
        self.open[np.abs(share - 1).argmin()] = True

    def new_archive(self) -> Archive:
        return Archive.empty(self.limits, self.costs, self.time_cost, len(self.machine_type))

    def place(self, number: int) -> _Place:
        """The place of this number, which is between two vertices of the front."""
        system, front = self.system, self.front
        left, share = self.places[number]
        deadline = float(self.deadlines[number])
        edge = front.edge(left)
        energy, makespan = front.lines.weights[edge]
        waste = front.waste(edge)
        dearest = max(DEAREST_MOVE, DEAREST_TASKS / system.tasks)
        task, machine = np.nonzero(waste <= dearest * abs(front.lines.value[edge]))
        order = np.argsort(waste[task, machine], kind="stable")
        worth = (makespan + energy * system.total_idle_power) * self.units[1] / self.units[0]
        return _Place(
            deadline,
            EXCESS * deadline * system.machines / worth if worth > 0 else 1.0,
            waste / self.units[0],
            front.lines.machine_prices[edge] * self.units[1] / self.units[0],
            np.column_stack([task, machine])[order],
            round_rows(front.placed(left, share), system.task_counts),
            front.lines.weights[edge] * self.units,
        )

    def run(self, seed: int) -> None:
        """Visit places until the seconds are spent."""
        own = self.new_archive()
        while not self.over(np.inf):
            with self.lock:
                number = self.next_place()
                self.visits[number] += 1
                visit = int(self.visits.sum())
            # Made anew for each visit, because all places of a large system would fill the memory.
            place = self.place(number)
            if visit % VISITS:
                self.anneal_types(place, own, seed + visit)
            else:
                if visit // VISITS % 2 and self.is_stuck(number):
                    place = replace(place, toll_weight=place.toll_weight / LOWER_TOLLS)
                self.anneal_machines(place, own, seed + visit)
            self.budget.spend(VISIT_WORK)
            with self.lock:
                self.archive.take_over(own)
                around = self.begin[[max(number - 1, 0), min(number + 2, len(self.places))]]
                self.budget.spend(descend(self.archive, self.machines, *around.tolist()))
                own.costs[:] = self.archive.costs
                if self.report is not None:
                    self.report(self.budget.used, self.points(self.best()) * self.units)

    def next_place(self) -> int:
        """The place with the most area left between front and archive, divided by its visits."""
        left = np.minimum(self.wasted()[:-1], MOST_WASTED) * np.diff(self.limits[:-1])
        before = np.append(0.0, np.cumsum(left))[np.minimum(self.begin, len(left))]
        worth = (np.diff(before) + LEAST_AREA) / (1 + self.visits)
        return int(np.where(self.open, worth, -np.inf).argmax())

    def is_stuck(self, number: int) -> bool:
        """Whether a slot around the place wastes `MOST_WASTED`."""
        begin, end = self.begin[number : number + 2].tolist()
        with self.lock:
            return bool((self.wasted()[begin : max(end, begin + 1)] > MOST_WASTED).any())

    def wasted(self) -> FloatArray:
        """For each slot, how much more than the front the cheapest schedule as fast costs."""
        wasted: FloatArray = np.minimum.accumulate(self.archive.costs[:-1]) - self.least
        return wasted

    def anneal_types(self, place: _Place, own: Archive, seed: int) -> None:
        """Anneal as if each machine type were one machine, then share its tasks evenly among
        machines.
        """
        machines = np.maximum(self.system.machine_counts, 1)
        problem = AnnealingProblem.of(
            self.seconds / machines,
            place.waste,
            place.targets,
            np.arange(len(machines)),
            place.idle_tolls * machines,
        )
        counts = np.ascontiguousarray(place.placed.T)
        annealer = Annealer(problem, self.goal(place, len(machines)), counts, seed)
        self.cool(annealer, place, HOT_TYPES, TYPES_SECONDS)
        schedule = assign(self.system, annealer.counts.T)
        counts = np.repeat(schedule.tasks, schedule.machines, axis=0)
        self.budget.spend(even_out(counts, self.seconds, self.machine_type))
        self.offer(own, counts)

    def offer(self, archive: Archive, counts: IntArray) -> None:
        makespan = float(loads_of(counts, self.seconds, self.machine_type).max())
        cost = float(cost_of(counts, self.costs, self.machine_type))
        archive.offer(cost + self.time_cost * makespan, makespan, counts)

    def nearest(self, place: _Place) -> IntArray:
        """The archived counts that are nearest to the line of a place."""
        with self.lock:
            best = self.best()
            slot = best[(self.points(best) @ place.line).argmin()]
            counts: IntArray = self.archive.counts[slot].copy()
        return counts

    def anneal_machines(self, place: _Place, own: Archive, seed: int) -> None:
        """Anneal the schedule nearest to the place, and offer all states to the archive."""
        problem = AnnealingProblem.of(
            self.seconds, place.waste, place.targets, self.machine_type, place.idle_tolls
        )
        goal = self.goal(place, len(self.machine_type))
        annealer = Annealer(problem, goal, self.nearest(place), seed, own)
        self.cool(annealer, place, HOT_MACHINES, MACHINES_SECONDS)

    def goal(self, place: _Place, machines: int) -> AnnealingGoal:
        """The goal of annealing at a place on so many machines."""
        return AnnealingGoal(place.deadline, place.toll_weight * machines / self.system.machines)

    def cool(self, annealer: Annealer, place: _Place, hottest: float, seconds: float) -> None:
        """Anneal for so many seconds, from the hottest temperature down to the last."""
        hottest *= (place.deadline * len(annealer.loads) / self.system.tasks) ** 2
        begun = self.budget.used
        while not self.over(begun + seconds):
            temperature = hottest * COOLING ** ((self.budget.used - begun) / seconds)
            annealer.run_for(LONGEST_STEP_SECONDS / 4, self.budget, temperature)

    def over(self, until: float) -> bool:
        return self.budget.used >= until or not self.budget.left or self.budget.should_stop()

    def best(self) -> IntArray:
        """The slots whose schedules no other dominates."""
        filled = self.archive.filled
        return filled[non_dominated(self.points(filled))]

    def points(self, slots: IntArray) -> FloatArray:
        """Energy and makespan of the schedules in these slots, in the units of the search."""
        return np.column_stack([self.archive.costs[slots], self.archive.makespans[slots]])

    def schedules(self) -> list[Schedule]:
        single = np.ones(len(self.machine_type), np.int64)
        return [
            Schedule.from_groups(self.system, self.machine_type, single, self.archive.counts[slot])
            for slot in self.best()
        ]
