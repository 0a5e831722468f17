"""Improve schedules all along a front at once, for as long as one likes.

The threads go from place to place along the front. At each they anneal towards the deadline there:
moves cost the energy of tasks, and load beyond the deadline costs at the rate at which the front
itself trades. Whatever is met on the way goes into an archive by makespan, so that work for one
deadline serves its neighbours, too.
"""

import math
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count

import numpy as np

from core.budget import Budget
from core.front.filling import between, fill
from core.recover import assign, round_rows
from core.recover.annealing import Annealer
from core.recover.archive import Archive
from core.relaxed import Front
from core.schedule import Schedule
from core.system import FloatArray, IntArray, System

# How finely makespans are told apart, and what an archive may hold at most, in numbers.
SLOTS = 600
MOST_NUMBERS = 20_000_000
# Whoever asks to stop waits no longer than this for a step to end.
LONGEST_STEP_SECONDS = 0.02

# At how many places along the front to anneal, and for how long at each: first tasks on machine
# types, then tasks on machines. Found by trial, as what follows.
PLACES = 320
NEAR = (0.98, 1.04)
TYPES_SECONDS = 0.005
STAY_SECONDS = 0.01
# How far loads may exceed a deadline where it pays, as a share; the hottest temperature, as a share
# of the square of a task's mean load, for tasks settled on machine types and for others; how far to
# cool; which pairs tasks move to, as a share of the bound wasted, and of what a task costs on
# average.
EXCESS = 0.001
WARM, HOT = 0.001, 0.02
COOLING = 1e-4
DEAREST_MOVE = 0.002
DEAREST_TASKS = 2.0


def too_large(system: System) -> bool:
    """Whether a system is left as it is, for want of memory."""
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
    """The best schedule found for every stretch of makespans, those given among the candidates.

    With `near` only makespans of about so many seconds are worked on. `report` is told, from time
    to time, the seconds spent and the (joules, seconds) of the best so far. Schedules of systems
    that are `too_large` come back as they are.
    """
    if too_large(front.system):
        return list(schedules)
    search = _Search(front, _slots(front.system), schedules, budget, report)
    if near is not None:
        search.stay_near(near)
    with ThreadPoolExecutor(budget.threads) as pool:
        list(pool.map(search.run, range(seed, seed + budget.threads)))
    return search.schedules()


@dataclass(frozen=True, eq=False)
class _Place:
    """A deadline on the front, in shortest makespans, and how to work towards it.

    `waste` and `idle_tolls` are what the front's line there charges, in least energies; `placed` is
    what runs where on the front, rounded; `line` weighs energies and makespans.
    """

    deadline: float
    toll_weight: float
    waste: FloatArray
    idle_tolls: FloatArray
    targets: IntArray
    placed: IntArray
    line: FloatArray


class _Search:
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
        self.units = np.array([front.energy[0] or 1.0, front.makespan[-1]])
        possible = system.can_run
        self.seconds = np.where(possible, system.etc / self.units[1], np.inf)
        self.costs = np.where(possible, system.dynamic_energy / self.units[0], 0.0)
        self.time_cost = system.total_idle_power * self.units[1] / self.units[0]
        self.machine_type = np.repeat(np.arange(len(system.machine_types)), system.machine_counts)
        makespans = between(front.makespan, *fill(front.points, 2 / slots))[::-1]
        # A front of many vertices is filled by more.
        evenly = np.linspace(0, len(makespans) - 1, min(slots, len(makespans))).astype(int)
        self.limits = np.append(makespans[evenly] / self.units[1], np.inf)
        self.archive = self.new_archive()
        for schedule in schedules:
            counts = np.repeat(schedule.tasks, schedule.machines, axis=0)
            makespan = schedule.makespan / self.units[1]
            cost = float((schedule.placed * self.costs).sum()) + self.time_cost * makespan
            self.archive.offer(cost, makespan, counts)
        left, share = fill(front.points, 2 / PLACES)
        deadlines = between(front.makespan, left, share) / self.units[1]
        self.places = list(zip(left.tolist(), share.tolist(), deadlines.tolist(), strict=True))
        self.turns = count()
        self.lock = threading.Lock()

    def stay_near(self, makespan: float) -> None:
        """Keep to the places within `NEAR` of this makespan, or to the nearest."""
        share = np.array([deadline for *_, deadline in self.places]) * self.units[1] / makespan
        near = np.flatnonzero((share > NEAR[0]) & (share < NEAR[1]))
        chosen = near if len(near) else [np.abs(share - 1).argmin()]
        self.places = [self.places[index] for index in chosen]

    def new_archive(self) -> Archive:
        return Archive.empty(self.limits, self.costs, self.time_cost, len(self.machine_type))

    def place(self, left: int, share: float, deadline: float) -> _Place:
        """What is so far on the way from one vertex to the next."""
        system, front = self.system, self.front
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
        """Take turns at the places until the seconds are spent."""
        own = self.new_archive()
        while not self.over(np.inf):
            turn = next(self.turns)
            around, stop = divmod(turn, len(self.places))
            # Far apart, so that the picture becomes better everywhere; and made anew each time, for
            # all places of a large system at once would fill the memory.
            place = self.place(*self.places[_scattered(stop, len(self.places))])
            if around % 2:
                self.anneal(place, own, self.nearest(place), HOT, seed + turn)
            else:
                self.anneal(place, own, self.settled(place, seed + turn), WARM, seed + turn)
            with self.lock:
                self.archive.take_over(own)
                if self.report is not None:
                    self.report(self.budget.used, self.found() * self.units)

    def settled(self, place: _Place, seed: int) -> IntArray:
        """Counts after annealing as if each machine type were one machine, then assigned."""
        machines = np.maximum(self.system.machine_counts, 1)
        annealer = Annealer(
            self.seconds / machines,
            place.waste,
            place.targets,
            np.arange(len(machines)),
            np.ascontiguousarray(place.placed.T),
            seed,
            place.idle_tolls * machines,
        )
        self.cool(annealer, place, HOT, TYPES_SECONDS)
        schedule = assign(self.system, annealer.counts.T)
        return np.repeat(schedule.tasks, schedule.machines, axis=0)

    def nearest(self, place: _Place) -> IntArray:
        """The archived counts that are nearest to the line of a place."""
        with self.lock:
            slot = self.archive.filled[(self.found() @ place.line).argmin()]
            counts: IntArray = self.archive.counts[slot].copy()
        return counts

    def anneal(
        self, place: _Place, own: Archive, start: IntArray, hottest: float, seed: int
    ) -> None:
        """Cool down once from these counts, for the archive."""
        np.minimum(own.costs, self.archive.costs, out=own.costs)
        annealer = Annealer(
            self.seconds,
            place.waste,
            place.targets,
            self.machine_type,
            start,
            seed,
            place.idle_tolls,
            own,
        )
        self.cool(annealer, place, hottest, STAY_SECONDS)

    def cool(self, annealer: Annealer, place: _Place, hottest: float, seconds: float) -> None:
        machines = len(annealer.loads)
        weight = place.toll_weight * machines / self.system.machines
        hottest *= (place.deadline * machines / self.system.tasks) ** 2
        begun = self.budget.used
        moves = 1000
        while not self.over(begun + seconds):
            share = (self.budget.used - begun) / seconds
            started = time.perf_counter()
            annealer.run(moves, hottest * COOLING**share, place.deadline, weight)
            took = time.perf_counter() - started
            moves = max(100, int(moves * min(2.0, LONGEST_STEP_SECONDS / 4 / max(took, 1e-6))))

    def over(self, until: float) -> bool:
        return self.budget.used >= until or not self.budget.left or self.budget.should_stop()

    def found(self) -> FloatArray:
        """Energy and makespan of what is in the archive, in the units of the search."""
        filled = self.archive.filled
        return np.column_stack([self.archive.costs[filled], self.archive.makespans[filled]])

    def schedules(self) -> list[Schedule]:
        single = np.ones(len(self.machine_type), np.int64)
        return [
            Schedule.from_groups(self.system, self.machine_type, single, self.archive.counts[slot])
            for slot in self.archive.filled
        ]


def _scattered(turn: int, number: int) -> int:
    """A different whole number below `number` for each turn, neighbours in turn being far apart."""
    step = max(int(number * 0.618), 1)
    while math.gcd(step, number) > 1:
        step += 1
    return turn * step % number
