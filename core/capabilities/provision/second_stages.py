"""What machines are worth once a scenario is known: the second stage of a plan.

maximise    sum_ij worth_ij x_ij             x_ij machines of type j are busy with task type i
subject to  sum_j x_ij / time_ij <= arrivals_i
sum_i x_ij           <= counts_j
sum_ij failures_j x_ij              <= failures a second   } where they
sum_ij powers_ij x_ij + idle counts <= watts               } are limited
x >= 0
"""

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.futures.uncertainty import Scenarios
from core.capabilities.provision.plan import Plan
from core.engines.lp.many import ManyPrograms
from core.engines.lp.program import Program
from core.engines.lp.simplex import Shape
from core.vocabulary.arrays import FloatArray, IntArray

MOST_CAUTION: Final = 0.999
"""With more, what comes in all but the worst scenarios would count nothing: of two purchases that
are as good in the worst, the other scenarios are to decide, not the cost alone."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What is maximised: reward less all other objectives, each times what one unit of it counts.

    With `caution`, that share of the aim is the mean of the worst scenarios alone (a share `worst`
    of all), the rest is the mean of all. The former is known as the conditional value at risk.
    """

    reward: float = 1.0
    cost: float = 0.0
    failures: float = 0.0
    power: float = 0.0
    caution: float = 0.0
    worst: float = 0.05

    def measure(self, values: FloatArray) -> float:
        """The aim, of values of equally likely scenarios."""
        mean = (1 - self.caution) * float(values.mean())
        return mean + (self.caution * self.mean_of_worst(values) if self.caution else 0)

    def mean_of_worst(self, values: FloatArray) -> float:
        """The mean of the worst of some values, those of equally likely scenarios."""
        return float(self.of_worst(values) @ values)

    def of_worst(self, values: FloatArray) -> FloatArray:
        """Weights of scenarios, which sum to 1, so that they give the mean of the worst."""
        left = self.worst * len(values)
        weights = np.empty(len(values))
        ranks = np.arange(len(values))
        weights[np.argsort(values, kind="stable")] = np.clip(left - ranks, 0.0, 1.0) / left
        return weights


@dataclass(frozen=True, slots=True, eq=False)
class MachineWorth:
    """What counts of machines are worth in each scenario, and an upper bound on what any other
    counts are worth, which is proven: `constants + slopes @ counts`.
    """

    values: FloatArray
    constants: FloatArray
    slopes: FloatArray
    busy: FloatArray
    """Machines that are busy with each possible pair, a line a scenario: any that earn so much."""


class KnownFutures(NamedTuple):
    """What each scenario is worth if it is known before machines are bought, the counts that it
    takes, a line a scenario, and what the change costs.
    """

    values: FloatArray
    counts: FloatArray
    costs: FloatArray


class BusyPairs(NamedTuple):
    """The pairs that can run, and the worth of one machine busy with each, a line a scenario."""

    tasks: IntArray
    machines: IntArray
    worth: FloatArray


class SecondStages:
    """The second stages of all scenarios of a plan. Each starts from its last optimum."""

    def __init__(self, plan: Plan, scenarios: Scenarios, weights: Weights) -> None:
        self.plan, self.weights, self.sets = plan, weights, scenarios.sets
        tasks, machines = np.nonzero(np.isfinite(plan.times))
        count, types = len(scenarios), len(plan.offers)
        times = _each(scenarios.times[:, tasks, machines], count)
        powers = None
        if scenarios.powers is not None:
            powers = _each(scenarios.powers[:, tasks, machines], count)
        worth = weights.reward * plan.rewards[tasks] / times
        worth -= weights.failures * plan.failure_rates[machines]
        if powers is not None:
            worth -= weights.power * powers
        self.pairs = BusyPairs(tasks, machines, worth)
        self.times, self.powers = times, powers
        fastest = np.where(np.isfinite(plan.times), scenarios.times, math.inf).min(axis=2)
        demand = scenarios.arrivals * fastest
        rows = _StageRows()
        shares = _each(fastest, count)[:, tasks] / times
        rows.add(tasks, shares, demand, np.zeros((len(plan.demands), types)))
        rows.add(machines, np.ones_like(times), np.zeros((count, types)), np.eye(types))
        limits, none = plan.limits, np.zeros(len(tasks), np.int64)
        if limits.failure_rate < math.inf and plan.failure_rates.any():
            unit = float(plan.failure_rates.max())
            rates = np.broadcast_to(plan.failure_rates[machines] / unit, times.shape)
            most = np.full((count, 1), limits.failure_rate / unit)
            rows.add(none, rates, most, np.zeros((1, types)))
        if limits.power < math.inf and powers is not None:
            unit = float(np.abs(powers).max()) or 1.0
            most = np.full((count, 1), limits.power / unit)
            rows.add(none, powers / unit, most, -plan.idle_powers[None] / unit)
        # Amounts of machines and worths are shares of these, so that they are about 1. Worths have
        # one in each scenario: where one pair is very fast, the others would be nothing elsewhere.
        self._unit = float(demand.sum(axis=1).mean()) or 1.0
        largest = np.abs(worth).max(axis=1)
        self._worth_unit = np.where(largest > 0, largest, 1.0)[:, None]
        starts = np.flatnonzero(np.diff(tasks, prepend=-1))
        most = np.maximum.reduceat(np.abs(worth), starts, axis=1) * demand[:, tasks[starts]]
        self.scale = float(most.sum(axis=1).mean()) or 1.0
        """About what all demand is worth, which no single odd scenario decides."""
        self._right = np.hstack(rows.right) / self._unit
        self._of_counts = np.vstack(rows.of_counts) / self._unit
        each = len(rows.at)
        self._at = np.stack(rows.at, axis=1).ravel()
        self._starts = np.arange(len(tasks) + 1) * each
        self._coefficients = np.stack(rows.entries, axis=2).reshape(count, -1)
        shape = Shape(rows.count, self._starts, self._at, len(tasks))
        self._programs = ManyPrograms(shape, self._coefficients, worth / self._worth_unit)

    def of(self, counts: FloatArray, *, thrifty: bool = False) -> MachineWorth:
        """What these counts are worth. Idle machines must keep the limit of power.

        If `thrifty`, machines are busy with what takes the least power of all that earns as much,
        and of that, with what has the fewest failures. This takes longer.
        """
        right = self._right + self._of_counts @ np.maximum(counts, 0.0)
        then = self._less_is_better() if thrifty else None
        optima = self._programs.maximise(np.maximum(right, 0.0), then=then)
        unit = self._worth_unit * self._unit
        return MachineWorth(
            optima.values * unit[:, 0],
            np.einsum("kr,kr->k", optima.prices, self._right) * unit[:, 0],
            optima.prices @ self._of_counts * unit,
            optima.x * self._unit,
        )

    def _less_is_better(self) -> FloatArray:
        """What decides between ways that earn the same (scenarios x criteria x pairs)."""
        failures = self.plan.failure_rates[self.pairs.machines]
        criteria = [] if self.powers is None else [self.powers]
        criteria.append(np.broadcast_to(failures, self.times.shape))
        units = [float(np.abs(criterion).max()) or 1.0 for criterion in criteria]
        shares = [-one / unit for one, unit in zip(criteria, units, strict=True)]
        return np.stack(shares, axis=1)

    def spent(self, purchase: Purchase) -> float:
        """What a purchase costs and its idle machines draw, as they are weighed."""
        idle = self.weights.power * float(self.plan.idle_powers @ purchase.counts)
        return self.weights.cost * purchase.cost + idle

    def aim(self, purchase: Purchase, worth: MachineWorth) -> float:
        """What is maximised: the worth of a purchase (`of` its counts), less what it takes."""
        return self.weights.measure(worth.values) - self.spent(purchase)

    def add_to(self, program: Program) -> list[tuple[IntArray, FloatArray]]:
        """Add all second stages to a program that minimises, less the mean worth; returns the
        entries of the columns of counts, which are to be added.
        """
        scenarios, rows = self._right.shape
        pairs = len(self.pairs.tasks)
        right = self._right * self._unit
        at = program.add_rows(-np.inf, right.ravel()).reshape(scenarios, rows)
        entries = [
            (at[:, one].ravel(), self._coefficients.reshape(scenarios, pairs, -1)[:, :, e].ravel())
            for e, one in enumerate(self._at.reshape(pairs, -1).T)
        ]
        program.add_columns(entries, -self.pairs.worth.ravel() / scenarios)
        of_counts = self._of_counts * self._unit
        return [
            (np.repeat(at[k][:, None], of_counts.shape[1], axis=1).T, -of_counts.T)
            for k in range(scenarios)
        ]

    def wait_and_see(self) -> "KnownFutures":
        """What is bought if each scenario is known before: of purchases that are worth as much, the
        cheapest, and of these, the one that buys and sells the fewest machines. Raises
        `SolverFailed` if no counts keep the limits.
        """
        plan, weights = self.plan, self.weights
        types, pairs = len(plan.offers), len(self.pairs.tasks)
        # Where machines draw less busy than idle, the second stages do not see to it that the idle
        # power of counts keeps the limit.
        idle_binds = self.powers is not None and bool((self.powers < 0).any())
        first, most = _first_stage_rows(plan, idle_binds=idle_binds)
        change = -self._of_counts * self._unit
        decisions = np.vstack([np.hstack([change, -change]), first])
        column, row = np.nonzero(decisions.T)
        starts = np.concatenate(
            [self._starts, self._starts[-1] + np.searchsorted(column, np.arange(1, 2 * types + 1))]
        )
        count = len(self._right)
        coefficients = np.broadcast_to(decisions.T[column, row], (count, len(row)))
        idle, unit = weights.power * plan.idle_powers, self._worth_unit
        worth = np.hstack([-weights.cost * plan.prices - idle, weights.cost * plan.resales + idle])
        programs = ManyPrograms(
            Shape(len(decisions), starts, np.concatenate([self._at, row]), pairs),
            np.hstack([self._coefficients, coefficients]),
            np.hstack([self.pairs.worth, np.broadcast_to(worth, (count, 2 * types))]) / unit,
        )
        right = np.hstack(
            [
                self._right + self._of_counts @ plan.counts,
                np.broadcast_to(most / self._unit, (count, len(most))),
            ]
        )
        less = np.hstack([np.zeros((2, pairs)), -_cost_and_change(plan)])
        optima = programs.maximise(right, then=np.tile(less, (count, 1, 1)))
        found = optima.x[:, pairs:] * self._unit
        values = optima.values * self._unit * unit[:, 0] - weights.power * float(
            plan.idle_powers @ plan.counts
        )
        buy, sell = found[:, :types], found[:, types:]
        costs = buy @ plan.prices - sell @ plan.resales
        return KnownFutures(values, plan.counts + buy - sell, costs)


class _StageRows:
    """Rows of all second stages: where pairs have entries, and right-hand sides."""

    def __init__(self) -> None:
        self.count = 0
        self.at: list[IntArray] = []
        self.entries: list[FloatArray] = []
        self.right: list[FloatArray] = []
        self.of_counts: list[FloatArray] = []

    def add(
        self, at: IntArray, entries: FloatArray, right: FloatArray, of_counts: FloatArray
    ) -> None:
        """Rows, one for each pair; the right-hand side is `right + of_counts @ counts`."""
        self.at.append(self.count + at)
        self.entries.append(entries)
        self.right.append(right)
        self.of_counts.append(of_counts)
        self.count += len(of_counts)


def _first_stage_rows(plan: Plan, *, idle_binds: bool) -> tuple[FloatArray, FloatArray]:
    """What binds whatever comes: rows times what is bought and sold are at most `most`. The limit
    of power is among it where `idle_binds`; else the second stages keep it, too.
    """
    limits, types = plan.limits, len(plan.offers)
    every, ones = np.eye(types), np.ones((1, types))
    unit = float(plan.prices.max()) or 1.0
    upper, lower = np.isfinite(plan.most), plan.least > 0
    total = plan.counts.sum()
    spent = np.hstack([plan.prices, -plan.resales])[None] / unit
    rows, most = [spent], [np.array([limits.budget / unit])]

    def add(changes: FloatArray, at_most: FloatArray) -> None:
        rows.append(np.hstack([changes, -changes]))
        most.append(at_most)

    add(every[upper], (plan.most - plan.counts)[upper])
    add(-every[lower], (plan.counts - plan.least)[lower])
    if limits.most_machines < math.inf:
        add(ones, np.array([limits.most_machines - total]))
    if limits.least_machines > 0:
        add(-ones, np.array([total - limits.least_machines]))
    if idle_binds and limits.power < math.inf:
        watts = float(plan.idle_powers.max()) or 1.0
        room = limits.power - float(plan.idle_powers @ plan.counts)
        add(plan.idle_powers[None] / watts, np.array([room / watts]))
    for rule in plan.rules:
        of_counts = rule.of_counts
        row = np.hstack([rule.of_buy + of_counts, rule.of_sell - of_counts])
        scale = float(np.abs(row).max()) or 1.0
        rows.append(row[None] / scale)
        most.append(np.array([(rule.most - float(of_counts @ plan.counts)) / scale]))
    if plan.rules:
        rows.append(np.hstack([0 * every, every]))
        most.append(plan.counts)
    return np.vstack(rows), np.concatenate(most)


def _cost_and_change(plan: Plan) -> FloatArray:
    """The cost of one machine bought, and sold, as a share of the highest price; and its count."""
    unit = float(plan.prices.max()) or 1.0
    costs = np.hstack([plan.prices, -plan.resales]) / unit
    return np.vstack([costs, np.ones_like(costs)])


def _each(values: FloatArray, count: int) -> FloatArray:
    """A line for each scenario, where there is one for all."""
    return np.repeat(values, count, axis=0) if len(values) == 1 < count else values
