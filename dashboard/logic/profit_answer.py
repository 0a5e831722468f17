"""The figures of what is earned."""

import math

from core.profit.conditions import Conditions
from core.profit.earn import Profit
from core.profit.prices import PriceSteps
from core.profit.words import told
from core.words import duration, energy
from dashboard.logic.answer import Figure
from dashboard.logic.units import watts


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
    more = money.say_rate(told(profit.gap, profit), math.ceil)
    said = [
        Figure(
            "At most",
            money.say_rate(told(profit.bound.value, profit), math.ceil),
            "No schedule earns more; this is proven by the prices of the linear program.",
        ),
        Figure(
            "Found",
            money.say_rate(told(profit.value, profit), math.floor),
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
