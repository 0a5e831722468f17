"""Profit in words: a sentence, remarks, and the names of regimes."""

import math
from typing import Final

from core.capabilities.profit.earn import Profit
from core.capabilities.profit.regime import Regime
from core.capabilities.profit.settings import ProfitSettings
from core.engines.relaxed import Front
from core.vocabulary.say.money import Money
from core.vocabulary.say.phrases import peak_in_words
from core.vocabulary.say.words import Sense, as_sentence, duration, settled, share

REGIMES: Final = {
    Regime.RUNS_ON_FRONT: ("on the front", "no schedule is as good in both energy and makespan"),
    Regime.RUNS_OFF_FRONT: ("off the front", "slower than any schedule on it, at less power"),
    Regime.THROTTLED: ("throttled", "all machines wait between batches, because of the cap"),
    Regime.DOES_NOT_RUN: ("runs nothing", "a batch costs more than it brings, however it is run"),
}
"""The short name of each regime, and what it means."""


def sentence(profit: Profit, settings: ProfitSettings, front: Front) -> str:
    """The upper bound at this price and the profit of the schedule found, in a sentence; under a
    power cap, another on the peak.
    """
    peak = peak_said(profit)
    return f"{_earned(profit, settings, front)}{f' {as_sentence(peak)}' if peak else ''}"


def peak_said(profit: Profit) -> str:
    """A clause on the peak of the schedule found; empty without one or without a power cap."""
    cap = profit.bound.terms.power_cap
    if profit.earnings is None or math.isinf(cap):
        return ""
    return peak_in_words(profit.peak, cap)


def _earned(profit: Profit, settings: ProfitSettings, front: Front) -> str:
    said, money = settings.words(profit.bound.terms, front), settings.money
    if not profit.bound.runs:
        return f"{said} every batch costs more than it brings: {_running_nothing(profit, money)}"
    if profit.earnings is None:
        return (
            f"{said} no schedule found earns more than running nothing; at most "
            f"{money.say_rate(profit.most, Sense.UPPER_BOUND)} could be earned."
        )
    if told(profit.value, profit) < 0:
        return _loss(profit, money, said)
    found = money.say_rate(told(profit.value, profit), Sense.EARNED)
    if not told(profit.gap, profit):
        return f"{said} the schedule found earns {found}, and no schedule can earn more."
    less = share(profit.gap / profit.most, Sense.UPPER_BOUND)
    most = money.say_rate(profit.most, Sense.UPPER_BOUND)
    return (
        f"{said} the best you can earn is {most}; the schedule found earns {found} ({less} less)."
    )


def title(profit: Profit, money: Money) -> str:
    """The title of the schedule found."""
    return f"Earns {money.say_rate(told(profit.value, profit), Sense.EARNED)}"


def told(value: float, profit: Profit) -> float:
    """A profit in money a second; 0 if it is rounding error."""
    return settled(value, profit.flow)


def _loss(profit: Profit, money: Money, said: str) -> str:
    loss, best = money.say_rate(-profit.value, Sense.SPENT), told(profit.most, profit)
    if best >= 0:
        most = money.say_rate(best, Sense.UPPER_BOUND) if best else "nothing"
        return f"{said} the best you can earn is {most}; the schedule found loses {loss}."
    return (
        f"{said} every batch loses money: at least {money.say_rate(-best, Sense.LOWER_BOUND)}, and "
        f"{loss} with the schedule found."
    )


def _running_nothing(profit: Profit, money: Money) -> str:
    if not profit.idle_profit:
        return "running nothing is best, and loses nothing."
    return f"running nothing is best, and loses {_lost(profit.idle_profit, money)}."


def _lost(value: float, money: Money) -> str:
    return money.say_rate(-value, Sense.PLAIN) if value else "nothing"


def remarks(profit: Profit, money: Money) -> list[str]:
    """Sentences about an optimum that is not on the front, the cost of the cap, and what to do
    about a loss.
    """
    said = []
    capped = profit.bound.cap_price > 0
    if profit.regime is Regime.RUNS_OFF_FRONT:
        why = "the power cap holds it back" if capped else "it loses less the less power it draws"
        said.append(
            "The best is not on the front of energy and makespan: it is slower than it could be, "
            f"because {why}."
        )
    if profit.regime is Regime.THROTTLED:
        said.append(
            "The power cap makes all machines wait between batches: in the optimum a batch begins "
            f"every {duration(profit.bound_period, Sense.PLAIN)}."
        )
    if capped:
        more = money.say_rate(1e3 * profit.bound.cap_value, Sense.PLAIN)
        said.append(f"The power cap binds: one kilowatt more would earn {more} at first.")
    if profit.better_switched_off:
        said.append(
            f"Running nothing loses {_lost(profit.idle_profit, money)} with the machines on, and "
            f"{_lost(profit.off_profit, money)} with all switched off: the best, unless an "
            "agreement asks for batches or for machines that wait."
        )
    return said
