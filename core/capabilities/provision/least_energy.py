"""The purchase of whole machines after which the work of a week takes the least energy, while the
longest queue is no longer than today's.

With counts c, the work of each hour is shared out among machine types, and waits for one of them:
the work that waits for a machine type is at most what its machines do in the longest queue of
today. The least energy above idle of this linear program is convex in the counts, and prices u of
an hour of each machine type in each hour of the week bound it from below: each task takes its
energy and what its time costs at these prices at least, less what all hours of machines are worth.
If the queue of the whole week, done as fast as possible (`week_search.py`), is no longer than
today's, the linear program is feasible: it can do the same.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.queue import WeekQueue
from core.capabilities.provision.week_search import (
    GAP,
    NEAR,
    Tangents,
    WeekProgram,
    WeekSearch,
)
from core.engines.lp.program import Infeasible, Program
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import never
from core.vocabulary.calendar import HOURS_OF_WEEK
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import HOUR
from core.vocabulary.tolerances import METHODS_AGREE

_NO_POWERS = (
    "are not there, so nobody knows what the work takes on each machine type; give the study of a "
    "system with powers of pairs (apc), or look for the least wait"
)


@dataclass(frozen=True, slots=True, eq=False)
class LeastEnergy:
    """The cheapest purchase found of those after which a week takes the least energy, with the
    `queue` if the work is done as fast as possible. Energies are joules a week: `energy` after the
    purchase and `before` it, infinite if today's machines cannot do all the work. No purchase that
    keeps all limits, and after which no queue is longer than today's, takes less than `bound`.
    """

    purchase: Purchase
    queue: WeekQueue
    energy: float
    before: float
    bound: float
    tries: int

    @property
    def gap(self) -> float:
        """By which share of it the energy may be above the least."""
        return max(self.energy - self.bound, 0.0) / (self.energy or 1.0)

    @property
    def is_proven(self) -> bool:
        """Whether no purchase takes less energy by more than a thousandth."""
        return self.gap <= GAP

    @property
    def saved(self) -> float:
        """Joules that a week takes less than before; NaN if today's machines cannot do the work."""
        return self.before - self.energy if np.isfinite(self.before) else np.nan


def least_energy(
    plan: Plan, profile: FloatArray, should_stop: Callable[[], bool] = never
) -> LeastEnergy:
    """The purchase with the least energy, if tasks arrive at the rates of a plan times the shares
    of `profile` (hours x task types).

    Raises `Infeasible` if after no purchase the queue is as short as today's; `InvalidInput` for a
    plan without powers, and for limits that depend on what machines do; and `Cancelled`.
    """
    if plan.powers is None:
        raise InvalidInput([Problem("apc", "", "", _NO_POWERS)])
    search = EnergySearch(plan, plan.powers, profile, should_stop)
    purchase, bound = search.found()
    queue = WeekQueue(search.today, search.queue(purchase.counts)[0])
    week = HOURS_OF_WEEK / len(profile) * search.unit
    before = search.energy(plan.counts) if np.isfinite(search.most) else np.inf
    after = search.energy(purchase.counts)
    return LeastEnergy(purchase, queue, after * week, before * week, bound * week, search.tries)


class EnergySearch(WeekSearch):
    """The value is the energy of all hours, in `unit` joules."""

    title, step, share = "least energy", METHODS_AGREE, GAP / 4

    def __init__(
        self,
        plan: Plan,
        powers: FloatArray,
        profile: FloatArray,
        should_stop: Callable[[], bool],
    ) -> None:
        super().__init__(plan, profile, should_stop)
        self.today = self.queue(plan.counts)[0]
        self.most = float(self.today.max())
        self.hours = WeekWork(plan, powers, self.arrivals, self.most + 2 * NEAR)
        self.idle = plan.idle_powers * len(profile) * HOUR
        joules = self.hours.tangent(np.zeros((len(profile), len(self.idle))))[1]
        self.unit = max(abs(joules), float(self.idle @ plan.counts), 1.0)

    def program(self, *, whole: bool) -> WeekProgram:
        program = WeekProgram(self.plan, self.arrivals, whole=whole, further=True)
        most = (self.most + NEAR / 2) / HOUR
        program.stage.program.set_column_bounds(program.longest, 0.0, most)
        program.add(self._energy_tangent(np.zeros_like(self.hours.prices)))
        return program

    def value(self, counts: FloatArray) -> tuple[float, Tangents]:
        queue, tangents = self.queue(counts)
        energy = self.energy(counts)
        if np.isfinite(energy):
            tangents = tangents.joined(self._energy_tangent(self.hours.prices))
        longest = float(queue.max())
        keeps = longest <= self.most + NEAR and np.isfinite(longest)
        return energy if keeps else np.inf, tangents

    def energy(self, counts: FloatArray) -> float:
        """The least energy, if no task waits longer than today; else infinite."""
        return (self.hours.energy(counts) + float(self.idle @ counts)) / self.unit

    def _energy_tangent(self, prices: FloatArray) -> Tangents:
        slope, at = self.hours.tangent(prices)
        of = np.array([len(self.arrivals)])
        return Tangents(of, (slope - self.idle)[None] / self.unit, np.array([at]) / self.unit)


class WeekWork:
    """The program of the least energy above idle for the work of each hour, none of which waits
    longer than `wait` seconds; the hours are repeated for ever. `prices` (hours x machine types)
    are watts for a machine, at the counts that were tried last.
    """

    def __init__(self, plan: Plan, powers: FloatArray, arrivals: FloatArray, wait: float) -> None:
        self.times, self.powers, self.arrivals, self.wait = plan.times, powers, arrivals, wait
        hours, types = len(arrivals), len(plan.offers)
        self.prices = np.zeros((hours, types))
        best = np.where(np.isfinite(plan.times), plan.times, np.inf).min(axis=1)
        work = arrivals * best / HOUR
        self.scale = float(work.max()) or 1.0
        self.watts = float(np.abs(powers[np.isfinite(plan.times)]).max()) or 1.0
        self.program = Program(threads=1)
        each = (work / self.scale).ravel()
        done = self.program.add_rows(each, each).reshape(work.shape)
        self.room = self.program.add_rows(np.full(hours * types, -np.inf), 0.0)
        room = self.room.reshape(hours, types)
        hour, task, machine = np.nonzero((arrivals > 0)[:, :, None] & np.isfinite(plan.times))
        pairs = task, machine
        # A column is the hours of machines that run tasks of a type and an hour.
        self.program.add_columns(
            [
                (done[hour, task], best[task] / plan.times[pairs]),
                (room[hour, machine], np.ones(len(hour))),
            ],
            costs=powers[pairs] / self.watts,
        )
        own, then = room.ravel(), np.roll(room, -1, axis=0).ravel()
        self.waits = self.program.add_columns([(own, -1.0), (then, 1.0)])

    def energy(self, counts: FloatArray) -> float:
        """The least energy above idle with these counts, in joules; infinite if there is none."""
        machines = np.tile(counts / self.scale, len(self.arrivals))
        self.program.set_row_bounds(self.room, -np.inf, machines)
        most = machines * self.wait / HOUR if np.isfinite(self.wait) else np.inf
        self.program.set_column_bounds(self.waits, 0.0, most)
        try:
            found = self.program.minimise(("off", "on"), feasible=False)
        except Infeasible:
            return np.inf
        prices = np.maximum(-found.duals[self.room], 0.0) * self.watts
        self.prices = prices.reshape(self.prices.shape)
        return found.objective * self.scale * self.watts * HOUR

    def tangent(self, prices: FloatArray) -> tuple[FloatArray, float]:
        """For any prices, a slope s and a number: the energy above idle is at least that number
        less s times the counts.
        """
        if not np.isfinite(self.wait):  # an hour is worth the same whenever it is
            prices = np.broadcast_to(prices.mean(axis=0), prices.shape)
        falls = np.maximum(prices - np.roll(prices, -1, axis=0), 0.0).sum(axis=0)
        waited = falls * self.wait if falls.any() else falls
        slope = HOUR * prices.sum(axis=0) + waited
        runs = np.isfinite(self.times)
        times, powers = np.where(runs, self.times, 1.0), np.where(runs, self.powers, np.inf)
        costs = (times * (powers + prices[:, None, :])).min(axis=2)
        return slope, float((self.arrivals * costs).sum())
