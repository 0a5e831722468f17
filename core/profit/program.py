"""The most profit a second that divisible schedules can make, as a linear program.

By the substitution of Charnes and Cooper, r being bags a second and z = r x the tasks of each pair
that start in a second:

    maximise    revenue r + sum_ij z_ij (reward_i - k_ij) - standing costs
    subject to  sum_j z_ij = T_i r                       bags are complete
                sum_i z_ij ETC_ij <= M_j                 no machine is more than busy
                sum_ij z_ij d_ij <= cap - idle power     the average power stays below the cap
                z, r >= 0

k being what a task costs, d the joules that it draws above idle power. Where r is 0, nothing is
run. Where there is a period, r is one bag in it; and where tasks are rewarded one by one, bags need
not be complete.
"""

from dataclasses import dataclass

import highspy
import numpy as np

from core.front.proven import Proven
from core.lp.highs import silent_highs
from core.model.arrays import FloatArray
from core.model.system import System
from core.profit.proof import PartOfBag, proven_profit
from core.profit.terms import ROUNDING, Terms
from core.relaxed import SolverFailed, met_bound, trace_front
from core.say.words import Sense, power

_TOLERANCE = 1e-10
# Loads, draws and costs beyond are capped: no solver copes with any range. The proof knows the true
# ones.
_MOST = 1e9
# Rates below this share of the largest possible are what solvers leave of 0.
_NOT_RUNNING = 1e-9
# Power to spare below this share of what is drawn at work is rounding, not room.
_NOTHING_TO_SPARE = 1e-9
# Amounts below cannot be divided by.
_NOTHING = 1e-200


class CapTooLow(ValueError):
    """No schedule keeps the cap, or none was found that does: on average the machines draw `least`
    watts at least, or with the most frugal schedule found where that is not `proven`.
    """

    def __init__(self, terms: Terms, least: float, proven: bool = True) -> None:
        # All arguments, for another process makes it anew from these.
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
    """What no schedule earns more than: `value` money a second, proven by the prices.

    `rate` is bags a second in the optimum, 0 where it is better not to run; `placed` the tasks of a
    bag on each machine type, whole bags or what is accepted of one. `machine_prices` is what a busy
    second of one machine of each type earns, `cap_price` what a watt more at the machines would, a
    second; `standing_costs` is what all machines cost a second without running anything.
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
        """Money a second that one watt more of the cap, as the terms give it, would earn."""
        return self.cap_price if self.terms.cap_at_machines else self.cap_price / self.terms.pue


def most_profit(system: System, terms: Terms) -> ProfitBound:
    """The optimum over divisible schedules, bag after bag.

    Raises `CapTooLow` where no schedule keeps the cap, nor running nothing; `NoPowerData` without
    APC.
    """
    if terms.spare_power(system) < 0:
        # Whoever may wait between bags comes near to idle power, but not below it.
        least = system.total_idle_power
        if (system.dynamic_energy[system.can_run] < 0).any():
            least = min(least, Proven.of(trace_front(system)).least_power)
        if least > terms.cap * (1 + ROUNDING):
            raise CapTooLow(terms, least)
    return _Program(system, terms, None).optimum()


def most_profit_of_part(
    system: System, terms: Terms, rewards: FloatArray, period: float
) -> ProfitBound:
    """The optimum when only part of one bag need be run, within a period of so many seconds.

    `rewards[i]` is money for each task of type i that is run; `placed` says which are accepted.
    Raises as `most_profit` does.
    """
    return _Program(system, terms, PartOfBag(rewards, period)).optimum()


class _Program:
    """The program in units that suit the system: a `second`, a `money` and a `joule` of its own.

    Columns: the share of a task type on a machine type in such a second, cell by cell; bags. Rows:
    task types, machine types, the cap where there is one.
    """

    def __init__(self, system: System, terms: Terms, part: PartOfBag | None) -> None:
        self.system, self.terms, self.part = system, terms, part
        # Below 0 machines must be at work, where that draws less than waiting.
        self.spare = terms.spare_power(system)
        cells = system.can_run & (system.task_counts > 0)[:, None]
        self.task, self.machine = (index.astype(np.int64) for index in np.nonzero(cells))
        self.counts = system.task_counts[self.task].astype(float)
        self.gain = -terms.task_costs(system)[cells] * self.counts
        if part is not None:
            self.gain += part.rewards[self.task] * self.counts
        load = system.etc[cells] * self.counts / system.machine_counts[self.machine]
        draw = system.dynamic_energy[cells] * self.counts
        self.second = self._in_turn(load) if part is None else part.period
        gained = np.zeros(len(system.task_types))
        np.maximum.at(gained, self.task, self.gain)
        spent = self._in_turn(np.abs(self.gain))
        money = max(float(gained.sum()), spent, abs(terms.revenue))
        self.money = money if money > _NOTHING else 1.0
        joule = max(abs(self.spare) * self.second, _NOTHING_TO_SPARE * float(np.abs(draw).max()))
        self.joule = joule if joule > _NOTHING else 1.0
        self.load = np.minimum(load / self.second, _MOST)
        self.draw = np.clip(draw / self.joule, -_MOST, _MOST)

    def _in_turn(self, amounts: FloatArray) -> float:
        """The sum over the task types, each where it is least."""
        least = np.full(len(self.system.task_types), np.inf)
        np.minimum.at(least, self.task, amounts)
        return float(least[np.isfinite(least)].sum())

    def optimum(self) -> ProfitBound:
        system, terms = self.system, self.terms
        solution = self._solved()
        duals = np.array(solution.row_dual) * self.money
        cap_price = max(-float(duals[-1]), 0.0) / self.joule if self._capped else 0.0
        prices = self._machine_prices(duals, cap_price)
        shares = np.array(solution.col_value)
        rate = self._rate(shares[-1])
        return ProfitBound(
            terms,
            proven_profit(system, terms, prices, cap_price, self.part),
            rate,
            self._placed(shares[:-1] / shares[-1]) if rate else np.zeros(system.etc.shape),
            prices,
            cap_price,
            terms.standing_costs(system),
        )

    @property
    def _capped(self) -> bool:
        return bool(np.isfinite(self.spare))

    def _model(self) -> highspy.HighsLp:
        (tasks, machines), cells = self.system.etc.shape, len(self.task)
        there = np.flatnonzero(self.system.task_counts)
        rows, values = [self.task, tasks + self.machine], [np.ones(cells), self.load]
        room = np.ones(machines)
        if self._capped:
            rows.append(np.full(cells, tasks + machines))
            values.append(self.draw)
            room = np.append(room, self.spare * self.second / self.joule)
        each = len(rows)
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = cells + 1, tasks + len(room)
        costs = np.append(-self.gain, -self.terms.revenue) / self.money
        lp.col_cost_ = np.clip(costs, -_MOST, _MOST)
        least_bags, most_bags = (0.0, np.inf) if self.part is None else (1.0, 1.0)
        lp.col_lower_ = np.append(np.zeros(cells), least_bags)
        lp.col_upper_ = np.append(np.full(cells, np.inf), most_bags)
        least_done = 0.0 if self.part is None else -np.inf
        lp.row_lower_ = np.append(np.full(tasks, least_done), np.full(len(room), -np.inf))
        lp.row_upper_ = np.append(np.zeros(tasks), room)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = np.append(np.arange(cells + 1) * each, each * cells + len(there))
        lp.a_matrix_.index_ = np.append(np.column_stack(rows).ravel(), there)
        lp.a_matrix_.value_ = np.append(np.column_stack(values).ravel(), -np.ones(len(there)))
        return lp

    def _solved(self) -> highspy.HighsSolution:
        highs = silent_highs()
        highs.setOptionValue("primal_feasibility_tolerance", _TOLERANCE)
        highs.setOptionValue("dual_feasibility_tolerance", _TOLERANCE)
        highs.passModel(self._model())
        # A cold start without presolve has solved what was too ill-conditioned with it.
        for presolve in ("on", "off"):
            highs.setOptionValue("presolve", presolve)
            highs.run()
            status = highs.getModelStatus()
            if status == highspy.HighsModelStatus.kOptimal:
                return highs.getSolution()
            if status == highspy.HighsModelStatus.kInfeasible and self.spare < 0:
                raise CapTooLow(self.terms, self._least_power(highs))
            highs.clearSolver()
        raise SolverFailed(
            "HiGHS returned no optimum of the profit program, which has one; the range of times, "
            "powers or counts may be too wide for it"
        )

    def _least_power(self, highs: highspy.Highs) -> float:
        """Watts that all machines draw at least, on average, whatever is run or accepted."""
        cells = len(self.task)
        highs.changeColsCost(
            cells + 1, np.arange(cells + 1, dtype=np.int32), np.append(self.draw, 0.0)
        )
        highs.changeRowBounds(highs.getNumRow() - 1, -highspy.kHighsInf, highspy.kHighsInf)
        highs.run()
        saved = highs.getInfo().objective_function_value * self.joule / self.second
        return float(self.system.total_idle_power + saved)

    def _machine_prices(self, duals: FloatArray, cap_price: float) -> FloatArray:
        """Money a busy second of one machine; of a type that is not there, what the first of it
        would be paid for the task that it is best at.
        """
        system, tasks = self.system, len(self.system.task_types)
        there, counts = system.machine_counts > 0, system.task_counts
        prices = np.maximum(-duals[tasks : tasks + len(there)], 0.0) / self.second
        np.divide(prices, system.machine_counts, out=prices, where=there)
        new = np.isfinite(system.etc) & ~there & (counts > 0)[:, None]
        worth = np.divide(duals[:tasks], counts, out=np.zeros(tasks), where=counts > 0)
        if self.part is not None:
            worth += self.part.rewards
        surplus = worth[:, None] - np.where(new, self.terms.task_costs(system), 0.0)
        surplus -= cap_price * np.where(new, system.dynamic_energy, 0.0)
        prices[~there] = 0.0
        paid = np.where(new, surplus / np.where(new, system.etc, 1.0), 0.0)
        most: FloatArray = np.maximum(prices, paid.max(axis=0))
        return most

    def _rate(self, bags: float) -> float:
        """Bags a second."""
        if self.part is not None:
            return 1 / self.part.period
        rate = bags / self.second
        return rate if rate > _NOT_RUNNING / met_bound(self.system) else 0.0

    def _placed(self, shares: FloatArray) -> FloatArray:
        """Tasks of one bag on each machine type; those of a whole bag to within rounding."""
        placed = np.zeros(self.system.etc.shape)
        placed[self.task, self.machine] = np.maximum(shares, 0.0)
        if self.part is None:
            done = placed.sum(axis=1, keepdims=True)
            np.divide(placed, done, out=placed, where=done > 0)
        placed *= self.system.task_counts[:, None]
        return placed
