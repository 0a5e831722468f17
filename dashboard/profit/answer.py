"""The figures of what is earned."""

import math

from core.profit.conditions import ProfitSettings
from core.profit.earn import Profit
from core.profit.prices import PriceSteps
from core.profit.words import told
from core.say.words import Sense, duration, energy, power
from dashboard.common.answer import KeyFigure


def figures(profit: Profit, steps: PriceSteps, conditions: ProfitSettings) -> list[KeyFigure]:
    """The figures to read first."""
    money, terms = conditions.money, profit.bound.terms
    price = KeyFigure(
        "Price a batch",
        money.say(terms.price, Sense.PLAIN),
        f"It breaks even at {money.say(steps.break_even + terms.overhead, Sense.PLAIN)}"
        + ("." if math.isinf(terms.power_cap) else ", without the power cap."),
    )
    if not profit.bound.runs:
        return [
            KeyFigure(
                "Machines on",
                money.say_rate(profit.idle_profit, Sense.PLAIN),
                "What idle machines earn.",
            ),
            KeyFigure(
                "Switched off",
                money.say_rate(profit.off_profit, Sense.PLAIN),
                "What machines that are all switched off earn: depreciation is still due.",
            ),
            price,
        ]
    more = money.say_rate(told(profit.gap, profit), Sense.UPPER_BOUND)
    said = [
        KeyFigure(
            "At most",
            money.say_rate(told(profit.most, profit), Sense.UPPER_BOUND),
            "No schedule earns more; this is proven by the prices of the linear program.",
        ),
        KeyFigure(
            "Found",
            money.say_rate(told(profit.value, profit), Sense.EARNED),
            f"The schedule found earns this; any schedule earns at most {more} more.",
        ),
        price,
    ]
    earned = profit.earnings
    if earned is None or not math.isfinite(earned.period):
        return said
    waits = earned.period > earned.schedule.makespan
    return [
        *said,
        KeyFigure(
            "Time from batch to batch",
            duration(earned.period, Sense.SPENT),
            "Of the schedule found"
            + (": its makespan, and a pause that the power cap demands." if waits else "."),
        ),
        KeyFigure(
            "Energy a batch",
            energy(earned.energy, Sense.SPENT),
            "At the machines, idle power between included.",
        ),
        KeyFigure(
            "Average power",
            power(earned.power, Sense.SPENT, terms.power_cap),
            "Of the site: what the power cap is about.",
        ),
    ]
