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

from core.highs import silent_highs
from core.profit.terms import Terms
from core.relaxed import SolverFailed, met_bound
from core.system import FloatArray, IntArray, System

# Rounding errors of the proof are a few hundred units in the last place; this is far more.
_MARGIN = 1e-12
# Rates below this share of the largest possible are what solvers leave of 0.
_NOT_RUNNING = 1e-9


class CapTooLow(ValueError):
    """Even idle machines draw more than the cap."""


@dataclass(frozen=True, eq=False)
class ProfitBound:
    """What no schedule earns more than: `value` money a second, proven by the prices.

    `rate` is bags a second in the optimum, 0 where it is better not to run; `placed` the tasks of a
    bag on each machine type, whole bags or what is accepted of one. `machine_prices` is what a busy
    second of one machine of each type earns, `cap_price` what a watt more of the cap would, a
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


def most_profit(system: System, terms: Terms) -> ProfitBound:
    """The optimum over divisible schedules, bag after bag.

    Raises `CapTooLow` where even waiting breaks the cap, `NoPowerData` without APC.
    """
    return _optimum(system, terms, None, None)


def most_profit_of_part(
    system: System, terms: Terms, rewards: FloatArray, period: float
) -> ProfitBound:
    """The optimum when only part of one bag need be run, within a period of so many seconds.

    `rewards[i]` is money for each task of type i that is run; `placed` says which are accepted.
    """
    return _optimum(system, terms, rewards, period)


def _optimum(
    system: System, terms: Terms, rewards: FloatArray | None, period: float | None
) -> ProfitBound:
    costs, standing = terms.task_costs(system), terms.standing_costs(system)
    spare = terms.cap - system.total_idle_power
    if spare < 0:
        raise CapTooLow(
            f"idle machines alone draw {system.total_idle_power:,.6g} W, above the cap of "
            f"{terms.cap:,.6g} W at the machines; raise the cap or switch machines off"
        )
    task, machine = (
        index.astype(np.int64)
        for index in np.nonzero(system.can_run & (system.task_counts > 0)[:, None])
    )
    counts = system.task_counts[task].astype(float)
    cost = costs[task, machine] * counts
    gain = -cost if rewards is None else rewards[task] * counts - cost
    load = system.etc[task, machine] * counts / system.machine_counts[machine]
    draw = system.dynamic_energy[task, machine] * counts
    shape = system.etc.shape
    second = period or _least_sum(load, task, shape[0])
    unit = max(_least_sum(np.abs(gain), task, shape[0]), abs(terms.revenue)) or 1.0
    cells, capped = len(task), bool(np.isfinite(spare))
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = cells + 1, shape[0] + shape[1] + capped
    lp.col_cost_ = np.append(-gain, -terms.revenue) / unit
    lp.col_lower_ = np.append(np.zeros(cells), 0.0 if period is None else 1.0)
    lp.col_upper_ = np.append(np.full(cells, np.inf), np.inf if period is None else 1.0)
    least_done = np.zeros(shape[0]) if rewards is None else np.full(shape[0], -np.inf)
    lp.row_lower_ = np.concatenate([least_done, np.full(shape[1] + capped, -np.inf)])
    lp.row_upper_ = np.concatenate([np.zeros(shape[0]), np.ones(shape[1]), [1.0][:capped]])
    there = np.flatnonzero(system.task_counts)
    rows = [task, shape[0] + machine]
    values = [np.ones(cells), load / second]
    if capped:
        # With nothing to spare any draw is too much: a large number forbids what is above idle.
        rows.append(np.full(cells, shape[0] + shape[1]))
        values.append(draw / max(spare * second, 1e-9 * float(np.abs(draw).max())))
    each = len(rows)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.append(np.arange(cells + 1) * each, each * cells + len(there))
    lp.a_matrix_.index_ = np.append(np.column_stack(rows).ravel(), there)
    lp.a_matrix_.value_ = np.append(np.column_stack(values).ravel(), -np.ones(len(there)))
    highs = silent_highs()
    highs.setOptionValue("primal_feasibility_tolerance", 1e-10)
    highs.setOptionValue("dual_feasibility_tolerance", 1e-10)
    highs.passModel(lp)
    highs.run()
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise SolverFailed("HiGHS returned no optimum of the profit program, which has one")
    solution = highs.getSolution()
    share, dual = np.array(solution.col_value), -np.array(solution.row_dual)
    prices = np.maximum(dual[shape[0] : shape[0] + shape[1]], 0.0) * unit / second
    prices = np.divide(
        prices, system.machine_counts, out=np.zeros(shape[1]), where=system.machine_counts > 0
    )
    cap_price = max(float(dual[-1]), 0.0) * unit / (second * spare) if capped and spare else 0.0
    if spare == 0:
        # Nothing may be drawn: any price high enough that no bag pays proves it.
        least_draw = _least_sum(draw, task, shape[0])
        cap_price = max(terms.revenue, 0.0) / least_draw if least_draw > 0 else 0.0
    rate = float(share[-1]) / second
    fastest = 1 / met_bound(system)
    if rate < _NOT_RUNNING * fastest:
        rate = 0.0
    placed = np.zeros(shape)
    if rate:
        placed[task, machine] = np.maximum(share[:-1], 0.0) / share[-1] * counts
    most_bags = fastest if period is None else 1 / period
    value = _proven(system, terms, rewards, prices, cap_price, most_bags)
    return ProfitBound(terms, value, rate, placed, prices, cap_price, standing)


def _proven(
    system: System,
    terms: Terms,
    rewards: FloatArray | None,
    prices: FloatArray,
    cap_price: float,
    most_bags: float,
) -> float:
    """What these prices prove that no schedule of at most so many bags a second earns more than.

    Machines and cap are worth what they are priced at; besides, each bag earns its revenue less
    what its tasks cost at these prices, each where it is cheapest.
    """
    rows = system.task_counts > 0
    counts = system.task_counts[rows].astype(float)
    possible = system.can_run[rows]
    priced = np.where(possible, terms.task_costs(system)[rows], np.inf)
    priced += np.where(possible, prices * system.etc[rows], 0.0)
    priced += np.where(possible, cap_price * system.dynamic_energy[rows], 0.0)
    least = priced.min(axis=1)
    spare = terms.cap - system.total_idle_power
    worth = float(system.machine_counts @ prices) + (cap_price * spare if cap_price else 0.0)
    size = abs(terms.revenue) + float(counts @ np.abs(least))
    if rewards is None:
        earned = max(terms.revenue - float(counts @ least), 0.0)
    else:
        size += float(counts @ np.abs(rewards[rows]))
        earned = terms.revenue + float(counts @ np.maximum(rewards[rows] - least, 0.0))
    standing = terms.standing_costs(system)
    margin = _MARGIN * (worth + most_bags * size + standing)
    return worth + most_bags * earned - standing + margin


def _least_sum(terms: FloatArray, task: IntArray, tasks: int) -> float:
    least = np.full(tasks, np.inf)
    np.minimum.at(least, task, terms)
    return float(least[np.isfinite(least)].sum()) or 1.0
