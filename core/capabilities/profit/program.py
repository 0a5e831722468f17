"""The upper bound on profit: the most profit a second of divisible schedules, as a linear program.

By the substitution of Charnes and Cooper, with r batches a second and z = r x the tasks of each
pair in a batch:

    maximise    revenue r + sum_ij z_ij (reward_i - k_ij) - standing costs
    subject to  sum_j z_ij = T_i r                       batches are complete
                sum_i z_ij ETC_ij <= M_j                 no machine is more than busy
                sum_ij z_ij d_ij <= cap - idle power     the average power stays below the cap
                z, r >= 0

where k is the cost of a task, and d the joules that it draws above idle power. If r is 0, nothing
is run. If a period is given, r is one batch in it, tasks have rewards, and the batch need not be
complete.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from core.capabilities.profit.proof import PartOfBatch, proven_profit
from core.capabilities.profit.terms import Terms
from core.engines.front.proven import Proven
from core.engines.lp.program import Entries, Infeasible, Program, ProgramSolution
from core.engines.relaxed import met_bound, trace_front
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.words import Sense, power
from core.vocabulary.system import System
from core.vocabulary.tolerances import (
    LARGEST_COEFFICIENT,
    LEAST_COEFFICIENT,
    NOT_DIVISIBLE,
    SAME,
    SAME_OPTIMUM,
    SOLVED_ZERO,
    SOLVER,
)

_FEW_BATCHES: Final = SOLVER**0.5
"""The solver cannot tell parts of so few batches in a unit of time: a longer unit is chosen."""


class CapTooLow(ValueError):
    """No schedule keeps the cap, or none was found. `least` is a lower bound on the average watts
    if it is `proven`, otherwise the least average watts of the schedules found.
    """

    def __init__(self, terms: Terms, least: float, proven: bool = True) -> None:
        # All arguments, because another process makes the error again from them.
        super().__init__(terms, least, proven)
        self.terms, self.least, self.proven = terms, least, proven

    def __str__(self) -> str:
        cap = self.terms.cap
        drawn = power(self.least, Sense.LOWER_BOUND if self.proven else Sense.SPENT, cap)
        said = (
            "on average the machines draw at least"
            if self.proven
            else "of the schedules found, the most frugal draws"
        )
        return (
            f"{said} {drawn}, above the cap of {power(cap, Sense.TYPED)} at the machines; raise "
            "the cap or switch machines off"
        )


@dataclass(frozen=True, eq=False)
class ProfitBound:
    """An upper bound on profit: `value` in money a second, proven by the prices.

    `rate` is batches a second in the optimum, 0 if running nothing is better; `placed` are the
    tasks of a batch on each machine type, of whole batches or of the accepted part.
    `machine_prices` is what a busy second of one machine of each type earns, `cap_price` what one
    more watt at the machines earns a second. `standing_costs` is what all machines cost a second
    while they run nothing.
    """

    terms: Terms
    value: float
    rate: float
    placed: FloatArray
    machine_prices: FloatArray
    cap_price: float
    standing_costs: float

    @property
    def runs(self) -> bool:
        return self.rate > 0

    @property
    def cap_value(self) -> float:
        """Money a second that one more watt of the cap, as in the terms, would earn."""
        return self.cap_price if self.terms.cap_at_machines else self.cap_price / self.terms.pue


def most_profit(system: System, terms: Terms) -> ProfitBound:
    """The optimum over divisible schedules, batch after batch.

    Raises `CapTooLow` if neither a schedule nor running nothing keeps the cap, `NoPowerData`
    without APC.
    """
    if terms.spare_power(system) < 0:
        # The power of a schedule that waits between batches approaches idle power, but stays above
        # it.
        least = system.total_idle_power
        if (system.dynamic_energy[system.can_run] < 0).any():
            least = min(least, Proven.of(trace_front(system)).least_power)
        if least > terms.cap * (1 + SAME):
            raise CapTooLow(terms, least)
    return _ProfitProgram(system, terms, None).optimum()


def most_profit_of_part(
    system: System, terms: Terms, rewards: FloatArray, period: float
) -> ProfitBound:
    """The optimum if only part of one batch need be run, within a period of so many seconds.

    `rewards[i]` is money for each task of type i that is run; `placed` are the accepted tasks.
    Raises the errors of `most_profit`.
    """
    return _ProfitProgram(system, terms, PartOfBatch(rewards, period)).optimum()


def placed_total(placed: FloatArray | IntArray, amounts: FloatArray) -> float:
    """The sum over all placed tasks of an amount for each task on each machine type. Amounts of
    pairs without tasks, which may be infinite, do not count.
    """
    return float((placed * np.where(placed > 0, amounts, 0.0)).sum())


class _ProfitProgram:
    """The program in units of its own, `second`, `money` and `joule`, in which numbers are about 1.

    Columns: the share of each task type on each machine type in such a second; batches. Rows: task
    types, machine types, and the cap if there is one.
    """

    def __init__(
        self, system: System, terms: Terms, part: PartOfBatch | None, second: float | None = None
    ) -> None:
        self.system, self.terms, self.part = system, terms, part
        self.can_be_longer = part is None and second is None
        # If negative, machines must run tasks that draw less than idle machines.
        self.spare = terms.spare_power(system)
        cells = system.can_run & (system.task_counts > 0)[:, None]
        self.task, self.machine = (index.astype(np.int64) for index in np.nonzero(cells))
        self.counts = system.task_counts[self.task].astype(float)
        self.gain = -terms.task_costs(system)[cells] * self.counts
        if part is not None:
            self.gain += part.rewards[self.task] * self.counts
        load = system.etc[cells] * self.counts / system.machine_counts[self.machine]
        draw = system.dynamic_energy[cells] * self.counts
        self.second = second or (self._in_turn(load) if part is None else part.period)
        gained = np.zeros(len(system.task_types))
        np.maximum.at(gained, self.task, self.gain)
        spent = self._in_turn(np.abs(self.gain))
        money = max(float(gained.sum()), spent, abs(terms.revenue))
        self.money = money if money > NOT_DIVISIBLE else 1.0
        joule = max(abs(self.spare) * self.second, SAME * float(np.abs(draw).max()))
        self.joule = joule if joule > NOT_DIVISIBLE else 1.0
        self.load = np.minimum(load / self.second, LARGEST_COEFFICIENT)
        self.draw = np.clip(draw / self.joule, -LARGEST_COEFFICIENT, LARGEST_COEFFICIENT)
        self.program = Program(
            primal_feasibility_tolerance=SOLVER,
            dual_feasibility_tolerance=SOLVER,
            small_matrix_value=LEAST_COEFFICIENT,
        )
        self._declare()

    def _in_turn(self, amounts: FloatArray) -> float:
        """The sum over task types of the least amount of each."""
        least = np.full(len(self.system.task_types), np.inf)
        np.minimum.at(least, self.task, amounts)
        return float(least[np.isfinite(least)].sum())

    def optimum(self) -> ProfitBound:
        system, terms = self.system, self.terms
        solution = self._solved()
        bags = float(solution.values[self.bags].sum())
        if self.can_be_longer and self._rate(bags) and bags < _FEW_BATCHES:
            return _ProfitProgram(system, terms, None, self.second / bags).optimum()
        cap_price = self._cap_price(solution)
        prices = self._machine_prices(solution, cap_price)
        rate = self._rate(bags)
        return ProfitBound(
            terms,
            proven_profit(system, terms, prices, cap_price, self.part),
            rate,
            self._placed(solution.values[self.cells]) if rate else np.zeros(system.etc.shape),
            prices,
            cap_price,
            terms.standing_costs(system),
        )

    def _declare(self) -> None:
        tasks, machines = self.system.etc.shape
        # Part of one batch is accepted within one period; whole batches run at any rate.
        least_done, least_bags, most_bags = (
            (0.0, 0.0, np.inf) if self.part is None else (-np.inf, 1.0, 1.0)
        )
        program = self.program
        self.done = program.add_rows(np.full(tasks, least_done), 0.0)
        self.busy = program.add_rows(-np.inf, np.ones(machines))
        entries: list[Entries] = [(self.done[self.task], 1.0), (self.busy[self.machine], self.load)]
        self.drawn = np.empty(0, np.int64)
        if np.isfinite(self.spare):
            self.drawn = program.add_rows(-np.inf, self.spare * self.second / self.joule)
            entries.append((np.full(len(self.task), self.drawn), self.draw))
        costs = np.clip(-self.gain / self.money, -LARGEST_COEFFICIENT, LARGEST_COEFFICIENT)
        costs[np.abs(costs) < LEAST_COEFFICIENT] = 0.0
        self.cells = program.add_columns(entries, costs)
        there = self.done[self.system.task_counts > 0]
        revenue = float(
            np.clip(self.terms.revenue / self.money, -LARGEST_COEFFICIENT, LARGEST_COEFFICIENT)
        )
        self.bags = program.add_columns([(there[None, :], -1.0)], -revenue, least_bags, most_bags)

    def _solved(self) -> ProgramSolution:
        try:
            # A cold start without presolve has solved programs that were too ill-conditioned with
            # it.
            return self.program.minimise(presolve=("on", "off"), feasible=self.spare >= 0)
        except Infeasible:
            raise CapTooLow(self.terms, self._least_power()) from None

    def _least_power(self) -> float:
        """A lower bound on the average watts of all machines, whatever is run or accepted."""
        self.program.set_costs(self.cells, self.draw)
        self.program.set_costs(self.bags, np.zeros(1))
        self.program.set_row_bounds(self.drawn, -np.inf, np.inf)
        saved = self.program.minimise().objective * self.joule / self.second
        return float(self.system.total_idle_power + saved)

    def _cap_price(self, solution: ProgramSolution) -> float:
        """Money a second that one more watt at the machines earns; 0 without a cap."""
        earned = np.maximum(-solution.duals[self.drawn] * self.money, 0.0)
        return float(earned.sum()) / self.joule

    def _machine_prices(self, solution: ProgramSolution, cap_price: float) -> FloatArray:
        """Money for a busy second of one machine of each type; for a type without machines, what
        the first one would earn with its best task.
        """
        system, tasks = self.system, len(self.system.task_types)
        duals = solution.duals * self.money
        there, counts = system.machine_counts > 0, system.task_counts
        prices = np.maximum(-duals[self.busy], 0.0) / self.second
        np.divide(prices, system.machine_counts, out=prices, where=there)
        new = np.isfinite(system.etc) & ~there & (counts > 0)[:, None]
        worth = np.divide(duals[self.done], counts, out=np.zeros(tasks), where=counts > 0)
        if self.part is not None:
            worth += self.part.rewards
        surplus = worth[:, None] - np.where(new, self.terms.task_costs(system), 0.0)
        surplus -= cap_price * np.where(new, system.dynamic_energy, 0.0)
        prices[~there] = 0.0
        paid = np.where(new, surplus / np.where(new, system.etc, 1.0), 0.0)
        most: FloatArray = np.maximum(prices, paid.max(axis=0))
        return most

    def _rate(self, batches: float) -> float:
        """The rate in batches a second."""
        if self.part is not None:
            return 1 / self.part.period
        rate = batches / self.second
        return rate if rate > SOLVED_ZERO / met_bound(self.system) else 0.0

    def _placed(self, shares: FloatArray) -> FloatArray:
        """Tasks of one batch on each machine type; whole batches are complete but for rounding."""
        placed = np.zeros(self.system.etc.shape)
        placed[self.task, self.machine] = np.maximum(shares, 0.0)
        if self.part is None:
            done = placed.sum(axis=1, keepdims=True)
            np.divide(placed, done, out=placed, where=done > 0)
        placed *= self.system.task_counts[:, None]
        return placed


class Regime(Enum):
    """How the most profitable divisible schedule runs."""

    RUNS_ON_FRONT = "runs_on_front"
    """No schedule is as good in both energy and makespan."""

    RUNS_OFF_FRONT = "runs_off_front"
    """It is slower and draws less power than any on the front: batches lose money, or the cap."""

    THROTTLED = "throttled"
    """All machines wait between batches, because of the cap."""

    DOES_NOT_RUN = "does_not_run"
    """A batch costs more than it brings, however it is run."""


def energy_and_regime(system: System, bound: ProfitBound) -> tuple[float, Regime]:
    """The joules in a period of the divisible optimum, and its regime."""
    if not bound.runs:
        return 0.0, Regime.DOES_NOT_RUN
    period = 1 / bound.rate
    energy = placed_total(bound.placed, system.dynamic_energy) + system.total_idle_power * period
    if period > divisible_makespan(system, bound.placed) * (1 + SAME_OPTIMUM):
        return energy, Regime.THROTTLED
    front = trace_front(system)
    slower = period > front.makespan[0] * (1 + SAME_OPTIMUM)
    if slower or energy > front.least_energy(period * (1 + SAME_OPTIMUM)) * (1 + SAME_OPTIMUM):
        return energy, Regime.RUNS_OFF_FRONT
    return energy, Regime.RUNS_ON_FRONT


def divisible_makespan(system: System, placed: FloatArray) -> float:
    """The makespan, in seconds, of these tasks on machine types if they can be split."""
    busy = (placed * np.where(placed > 0, system.etc, 0.0)).sum(axis=0)
    return float((busy / np.maximum(system.machine_counts, 1)).max())
