"""The answer about profit, for people and for programs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.capabilities.profit.day import Day
from core.capabilities.profit.day_tariff import Start
from core.capabilities.profit.earn import Profit, ProfitProgress
from core.capabilities.profit.prices import PriceSteps
from core.capabilities.profit.program import ProfitBound
from core.capabilities.profit.words import REGIMES, peak_said, told
from core.vocabulary.say.columns import (
    VERIFIED,
    exact_duration,
    exact_energy,
    exact_money,
    exact_power,
    size_in_words,
    spent_of,
    table,
    took,
)
from core.vocabulary.say.words import HOUR, Sense, amount, clock, share
from core.vocabulary.tolerances import SAME

_DEAREST: Final = 5


@dataclass(frozen=True, slots=True)
class MoneyRate:
    """How rates of money are written: money in so many seconds."""

    seconds: float

    @property
    def unit(self) -> str:
        return "money per hour" if self.seconds == HOUR else "money per second"

    def of(self, rate: float) -> float:
        """The rate in this unit, from money a second."""
        return rate * self.seconds

    def said(self, rate: float, sense: Sense) -> str:
        """`1,234.5 an hour`."""
        return f"{exact_money(self.of(rate), sense)} {self.per}"

    @property
    def per(self) -> str:
        return "an hour" if self.seconds == HOUR else "a second"


def profit_as_data(profit: Profit, steps: PriceSteps, money: MoneyRate) -> dict[str, object]:
    """The answer as data, in seconds, joules and watts; null where nothing runs."""
    system, bound, earned = profit.system, profit.bound, profit.earnings
    terms = bound.terms
    return {
        "upper_bound": money.of(profit.most),
        "profit": money.of(profit.value),
        "gap": money.of(profit.gap),
        "bound_energy": profit.bound_energy if bound.runs else None,
        "bound_makespan": profit.bound_period if bound.runs else None,
        "energy": earned.energy if earned else None,
        "makespan": earned.schedule.makespan if earned else None,
        "average_power": _power(profit),
        "peak_power": profit.peak,
        "on_front": profit.on_front,
        "verified": profit.verified,
        "period": earned.period if earned else None,
        "runs": earned is not None,
        "regime": profit.regime.value,
        "loses": profit.loses,
        "better_switched_off": profit.better_switched_off,
        "idle_profit": money.of(profit.idle_profit),
        "off_profit": money.of(profit.off_profit),
        "price": terms.price,
        "break_even_price": steps.break_even + terms.overhead,
        "thriftiest_from_price": steps.thriftiest_from + terms.overhead,
        "fastest_from_price": steps.fastest_from + terms.overhead,
        "cap_price": money.of(bound.cap_value),
        "machine_values": {
            machine.name: money.of(value)
            for machine, value in zip(
                system.machine_types, profit.machine_values.tolist(), strict=True
            )
        },
        "unit": money.unit,
        "tasks": system.tasks,
        "machines": system.machines,
    }


def profit_report(
    name: str,
    profit: Profit,
    steps: PriceSteps,
    money: MoneyRate,
    day: list[tuple[str, str]],
    seconds: Mapping[str, float],
) -> str:
    """The profit, its upper bound, the regime, and what would change it, in words."""
    bound, terms = profit.bound, profit.bound.terms
    break_even = exact_money(steps.break_even + terms.overhead, Sense.PLAIN)
    rows = [
        ("system", size_in_words(profit.system)),
        ("profit", money.said(told(profit.value, profit), Sense.EARNED)),
        ("at most", f"{money.said(told(profit.most, profit), Sense.UPPER_BOUND)}, by any schedule"),
        ("gap", gap_in_money(profit.most, told(profit.gap, profit), money)),
        *_schedule(profit),
        ("way", ": ".join(REGIMES[profit.regime])),
    ]
    if profit.better_switched_off:
        rows.append(("agreement", _agreement(profit, money)))
    rows += [
        ("price", f"{exact_money(terms.price, Sense.PLAIN)} a batch"),
        ("break even", f"at {break_even} a batch{_without_cap(profit)}"),
    ]
    rows += [
        *cap_row(bound, money),
        ("machines", f"one more would earn {_machines(profit, money)}"),
        *day,
        ("verified", VERIFIED[profit.verified]),
        ("took", took(seconds)),
    ]
    peak = peak_said(profit)
    first = f"{name}: {_meaning(profit, money)}{f'; {peak}' if peak else ''}"
    return f"{first}\n{table(rows)}"


def _meaning(profit: Profit, money: MoneyRate) -> str:
    runs = profit.earnings is not None
    if not profit.loses:
        profits = f"a profit of {money.said(told(profit.value, profit), Sense.EARNED)}"
        return profits if runs else "running nothing is best"
    loss = f"a loss of {money.said(-profit.value, Sense.SPENT)}"
    return f"{loss}, the least found" if runs else f"{loss}, because running nothing is best"


def gap_in_money(most: float, gap: float, money: MoneyRate) -> str:
    """The gap as money, and as a share of the bound if that is meaningful."""
    if gap <= SAME * abs(most):
        return "no schedule earns more (proven)"
    said = f"at most {money.said(gap, Sense.UPPER_BOUND)} more could be earned (proven)"
    return f"{said}, {share(gap / most, Sense.UPPER_BOUND)}" if 0 < gap < most else said


def cap_row(bound: ProfitBound, money: MoneyRate) -> list[tuple[str, str]]:
    """A row that says what the power cap costs, if it costs anything."""
    if not bound.cap_price:
        return []
    return [("cap", f"a kilowatt more would earn {money.said(1e3 * bound.cap_value, Sense.PLAIN)}")]


def profit_progress(money: MoneyRate, unit: str = "s") -> Callable[[ProfitProgress], str]:
    """`polish, 1.2 of 2 s: 21.3 an hour so far`; `unit` is that of the budget of polish."""

    def said(progress: ProfitProgress) -> str:
        spent = ""
        if progress.allowed:
            spent = f", {spent_of(progress.spent, progress.allowed, unit)}"
        profit = (
            ""
            if progress.profit is None
            else f": {money.said(progress.profit, Sense.EARNED)} so far"
        )
        return f"{progress.phase}{spent}{profit}"

    return said


def day_as_data(day: Day, chosen: Start) -> dict[str, object]:
    """The starts of one batch as data: seconds after midnight, and money."""
    return {
        name: {"second": start.second, "electricity": start.cost, "profit": day.profit(start)}
        for name, start in (("start", chosen), ("best", day.best), ("worst", day.worst))
    }


def day_rows(day: Day, chosen: Start) -> list[tuple[str, str]]:
    """Rows that say when to begin one batch, what it then earns, and what other starts cost."""
    best, worst = day.best, day.worst
    cost, lowest, highest = (
        exact_money(start.cost, Sense.SPENT) for start in (chosen, best, worst)
    )
    earned = exact_money(day.profit(chosen), Sense.EARNED)
    begin = f"at {clock(chosen.second)}: electricity costs {cost}, the batch earns {earned}"
    rows = [("begin", begin)]
    if chosen.cost > best.cost * (1 + SAME):
        rows.append(("cheapest", f"at {clock(best.second)}, electricity for {lowest}"))
    return [*rows, ("dearest", f"at {clock(worst.second)}, electricity for {highest}")]


def _schedule(profit: Profit) -> list[tuple[str, str]]:
    earned = profit.earnings
    if earned is None:
        return [("on average", f"{exact_power(_power(profit), Sense.PLAIN)} (idle machines)")]
    cap = profit.bound.terms.power_cap
    rows = [("makespan", exact_duration(earned.schedule.makespan, Sense.SPENT))]
    if earned.period > earned.schedule.makespan:
        period = exact_duration(earned.period, Sense.SPENT)
        rows.append(("period", f"{period}; the next batch waits for the cap"))
    return [
        *rows,
        ("energy", f"{exact_energy(earned.energy, Sense.SPENT)} a batch"),
        ("on average", exact_power(earned.power, Sense.SPENT, cap)),
        ("peak", exact_power(profit.peak, Sense.SPENT, cap)),
    ]


def _agreement(profit: Profit, money: MoneyRate) -> str:
    """What to do about a loss, with and without an agreement that asks for batches."""
    off = f"switch all machines off, which would earn {money.said(profit.off_profit, Sense.PLAIN)}"
    if profit.earnings is None:
        return f"without one that keeps machines on, {off}"
    return f"without one that asks for batches, {off}; with one, this is the least loss found"


def _machines(profit: Profit, money: MoneyRate) -> str:
    values = profit.machine_values
    best = np.argsort(-values)[:_DEAREST].tolist()
    rates = [money.of(told(float(values[kind]), profit)) for kind in best]
    said = ", ".join(
        f"{profit.system.machine_names[kind]} {amount(rate, Sense.UPPER_BOUND)}"
        for kind, rate in zip(best, rates, strict=True)
    )
    return f"{money.per} at most: {said}{', ...' if len(values) > _DEAREST else ''}"


def _without_cap(profit: Profit) -> str:
    return " without the cap" if np.isfinite(profit.bound.terms.power_cap) else ""


def _power(profit: Profit) -> float:
    """The average watts that the cap limits, or would limit."""
    if profit.earnings is not None:
        return profit.earnings.power
    return profit.bound.terms.metered(profit.system.total_idle_power)
