"""What is earned, in a sentence, and what else there is to know about it."""

import math

from core.profit.earn import Profit
from core.profit.prices import PriceSteps
from core.profit.regime import Regime
from core.relaxed import Front
from core.words import duration, energy, share
from dashboard.logic.answer import Figure
from dashboard.logic.profit_conditions import Conditions
from dashboard.logic.profit_money import Money
from dashboard.logic.schedule_units import watts

# Profits below this share of what comes in and goes out are rounding.
_NOTHING = 1e-9


def sentence(profit: Profit, conditions: Conditions, front: Front) -> str:
    """What can be earned at most at this price, and what the schedule found earns."""
    said, money = conditions.words(profit.bound.terms, front), conditions.money
    if not profit.bound.runs:
        return f"{said} every bag costs more than it brings: {_running_nothing(profit, money)}"
    if profit.earnings is None:
        return (
            f"{said} no schedule found earns more than running nothing; at most "
            f"{money.say_rate(profit.bound.value, math.ceil)} could be earned."
        )
    if _told(profit.value, profit) < 0:
        return _loss(profit, money, said)
    found = money.say_rate(_told(profit.value, profit), math.floor)
    if not _told(profit.gap, profit):
        return f"{said} the schedule found earns {found}, and no schedule can earn more."
    less = share(profit.gap / profit.bound.value, math.ceil)
    return (
        f"{said} the best you can earn is {money.say_rate(profit.bound.value, math.ceil)}; the "
        f"schedule found earns {found} ({less} less)."
    )


def _told(value: float, profit: Profit) -> float:
    """Money a second; 0 where it is rounding."""
    terms, rate = profit.bound.terms, profit.bound.rate
    scale = rate * (terms.price + terms.overhead) + profit.bound.standing_costs
    return value if abs(value) > _NOTHING * scale else 0.0


def _loss(profit: Profit, money: Money, said: str) -> str:
    loss, best = money.say_rate(-profit.value, math.ceil), _told(profit.bound.value, profit)
    if best >= 0:
        most = money.say_rate(best, math.ceil) if best else "nothing"
        return f"{said} the best you can earn is {most}; the schedule found loses {loss}."
    return (
        f"{said} every bag loses money: at least {money.say_rate(-best, math.floor)}, and "
        f"{loss} with the schedule found."
    )


def _running_nothing(profit: Profit, money: Money) -> str:
    if not profit.idle_profit:
        return "running nothing is best, and loses nothing."
    return f"running nothing is best, and loses {_lost(profit.idle_profit, money)}."


def _lost(value: float, money: Money) -> str:
    return money.say_rate(-value) if value else "nothing"


def remarks(profit: Profit, money: Money) -> list[str]:
    """Where the optimum is, if not on the front; what the cap costs; what to do about a loss."""
    said = []
    capped = profit.bound.cap_price > 0
    if profit.regime is Regime.RUNS_OFF_FRONT:
        why = "the power cap holds it back" if capped else "it loses less the less power it draws"
        said.append(
            f"The best is not on the front of energy and makespan: it is slower than need be, for "
            f"{why}."
        )
    if profit.regime is Regime.THROTTLED:
        said.append(
            "The power cap makes all machines wait between bags: in the optimum one begins every "
            f"{duration(profit.bound_period)}."
        )
    if capped:
        more = money.say_rate(1e3 * profit.bound.cap_value)
        said.append(f"The power cap binds: one kilowatt more would earn {more} at first.")
    if profit.better_switched_off:
        said.append(
            f"Running nothing loses {_lost(profit.idle_profit, money)} with the machines on, and "
            f"{_lost(profit.off_profit, money)} with all switched off: the best, unless an "
            "agreement asks for bags or for machines that wait."
        )
    return said


def figures(profit: Profit, steps: PriceSteps, conditions: Conditions) -> list[Figure]:
    """The figures to read first."""
    money, terms = conditions.money, profit.bound.terms
    price = Figure(
        "Price a bag",
        money.say(terms.price),
        f"It breaks even at {money.say(steps.break_even + terms.overhead, math.ceil)}"
        + ("." if math.isinf(terms.power_cap) else ", without the power cap."),
    )
    if not profit.bound.runs:
        return [
            Figure("Machines on", money.say_rate(profit.idle_profit), "What idle machines earn."),
            Figure(
                "Switched off",
                money.say_rate(profit.off_profit),
                "What machines that are all switched off earn: depreciation is still due.",
            ),
            price,
        ]
    more = money.say_rate(_told(profit.gap, profit), math.ceil)
    said = [
        Figure(
            "At most",
            money.say_rate(_told(profit.bound.value, profit), math.ceil),
            "No schedule earns more; this is proven by the prices of the linear program.",
        ),
        Figure(
            "Found",
            money.say_rate(_told(profit.value, profit), math.floor),
            f"What is proposed earns so much; any schedule earns at most {more} more.",
        ),
        price,
    ]
    earned = profit.earnings
    if earned is None or not math.isfinite(earned.period):
        return said
    waits = earned.period > earned.schedule.makespan
    return [
        *said,
        Figure(
            "A bag every",
            duration(earned.period, math.ceil),
            "Of the schedule found"
            + (": its makespan, and a pause that the power cap demands." if waits else "."),
        ),
        Figure(
            "Energy a bag", energy(earned.energy), "At the machines, idle power between included."
        ),
        Figure("Average power", watts(earned.power), "Of the site: what the power cap is about."),
    ]
