"""When to start one batch if prices change over the day: the usual tariff, and a sentence."""

import math
from dataclasses import dataclass, replace

import numpy as np

from core.capabilities.profit.day import Day
from core.capabilities.profit.day_tariff import HOURS, DailySteps
from core.capabilities.profit.settings import ENERGY_PRICE, ProfitSettings
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.money import Money
from core.vocabulary.say.words import HOUR, Sense, clock, rounded
from core.vocabulary.tolerances import SAME

FROM = "from"
PRICE = "price"
# In the usual tariff, nights are cheaper and days more expensive by this share.
_SWING = 0.25
_USUAL_DAY = ((0.0, -1), (7.0, 1), (20.0, -1))
# Up to so many corners of the cost curve are drawn exactly.
_MOST_CORNERS = 2_000


def with_tariff(settings: ProfitSettings) -> ProfitSettings:
    """The settings with a tariff of the day; the usual one if there is none."""
    if settings.day_tariff:
        return settings
    price = settings.price_a_kwh
    steps = tuple(
        (hour, rounded(price * (1 + _SWING * way), Sense.PLAIN)) for hour, way in _USUAL_DAY
    )
    return replace(settings, day_tariff=steps)


def steps_of(rows: list[dict[str, object]]) -> DailySteps:
    """The steps of the price, from the rows with an hour and a price. Of equal hours the last row
    counts.
    """
    found: dict[float, float] = {}
    for row in rows:
        hour, price = (_number(row.get(name)) for name in (FROM, PRICE))
        if 0 <= hour < HOURS and price in ENERGY_PRICE:
            found[hour] = price
    return tuple(sorted(found.items()))


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


@dataclass(frozen=True, eq=False)
class Costs:
    """The cost of electricity of one batch (money), over the hour of the day at which it starts."""

    hours: FloatArray
    money: FloatArray


def costs(day: Day) -> Costs:
    """The exact cost curve; one point every quarter of an hour if it has too many corners."""
    starts = day.starts
    if len(starts.seconds) <= _MOST_CORNERS:
        return Costs(starts.seconds / HOUR, starts.costs)
    hours = np.union1d(np.arange(0.0, HOURS + 0.25, 0.25), [day.best.second / HOUR])
    return Costs(hours, np.interp(hours * HOUR, starts.seconds, starts.costs))


def sentence(day: Day, money: Money) -> str:
    """When to start, and how much money that saves."""
    best, worst = day.best, day.worst
    spread = worst.cost - best.cost
    if spread <= SAME * abs(worst.cost):
        cost = money.say(best.cost, Sense.SPENT)
        return f"Start at any time: electricity costs {cost} at every hour."
    earned = day.profit(best)
    outcome = (
        f"earns {money.say(earned, Sense.EARNED)}"
        if earned >= 0
        else f"loses {money.say(-earned, Sense.SPENT)}"
    )
    return (
        f"Start at {clock(best.second)}: electricity then costs "
        f"{money.say(best.cost, Sense.SPENT)}, and the batch {outcome}. A start at "
        f"{clock(worst.second)} would cost {money.say(spread, Sense.PLAIN)} more."
    )
