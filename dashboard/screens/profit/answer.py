"""The key figures of profit."""

import math

from core.capabilities.profit.earn import Profit
from core.capabilities.profit.prices import PriceSteps
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.words import told
from core.shells.told.told import KeyFigure
from core.vocabulary.say.words import Sense, duration, energy, power


def figures(profit: Profit, steps: PriceSteps, settings: ProfitSettings) -> list[KeyFigure]:
    """The key figures."""
    money, terms = settings.money, profit.bound.terms
    price = KeyFigure(
        "Price per batch",
        money.say(terms.price, Sense.PLAIN),
        f"The break-even price is {money.say(steps.break_even + terms.overhead, Sense.PLAIN)}"
        + ("." if math.isinf(terms.power_cap) else ", without the power cap."),
    )
    if not profit.bound.runs:
        return [
            KeyFigure(
                "Machines on",
                money.say_rate(profit.idle_profit, Sense.PLAIN),
                "The profit of machines that are on and run nothing.",
            ),
            KeyFigure(
                "Switched off",
                money.say_rate(profit.off_profit, Sense.PLAIN),
                "The profit if all machines are switched off: depreciation is still due.",
            ),
            price,
        ]
    more = money.say_rate(told(profit.gap, profit), Sense.UPPER_BOUND)
    said = [
        KeyFigure(
            "Upper bound",
            money.say_rate(told(profit.most, profit), Sense.UPPER_BOUND),
            "It is proven that no schedule earns more.",
        ),
        KeyFigure(
            "Found",
            money.say_rate(told(profit.value, profit), Sense.EARNED),
            f"The profit of the schedule found. Any other schedule earns at most {more} more.",
        ),
        price,
    ]
    earned = profit.earnings
    if earned is None:
        return said
    waits = earned.period > earned.schedule.makespan
    return [
        *said,
        KeyFigure(
            "Period",
            duration(earned.period, Sense.SPENT),
            "The time from the start of a batch to the start of the next: the makespan"
            + (", and a pause that the power cap requires." if waits else "."),
        ),
        KeyFigure(
            "Energy per batch",
            energy(earned.energy, Sense.SPENT),
            "The energy of the machines in one period, idle power included.",
        ),
        KeyFigure(
            "Average power",
            power(earned.power, Sense.SPENT, terms.power_cap),
            "The average power of the whole site, which the power cap limits.",
        ),
        KeyFigure(
            "Peak power",
            power(profit.peak, Sense.SPENT, terms.power_cap),
            "The most that the whole site draws at any moment. No setting limits it yet.",
        ),
    ]
