"""When to begin one batch where prices change over the day: what is usual, and in words."""

import math
from dataclasses import dataclass, replace

import numpy as np

from core.model.arrays import FloatArray
from core.model.tolerances import SAME
from core.profit.conditions import RANGES, ProfitSettings
from core.profit.day import Day
from core.profit.day_tariff import HOURS, Steps
from core.say.money import Money
from core.say.words import HOUR, Sense, clock, rounded

FROM = "from"
PRICE = "price"
# Nights are cheaper, days dearer than the price there is, by this share.
_SWING = 0.25
_USUAL_DAY = ((0.0, -1), (7.0, 1), (20.0, -1))
# Corners of the cost are drawn as they are up to so many.
_MOST_CORNERS = 2_000


def with_tariff(conditions: ProfitSettings) -> ProfitSettings:
    """The conditions with a tariff: until somebody says another, nights are cheaper than days."""
    if conditions.day_tariff:
        return conditions
    price = conditions.price_a_kwh
    steps = tuple(
        (hour, rounded(price * (1 + _SWING * way), Sense.PLAIN)) for hour, way in _USUAL_DAY
    )
    return replace(conditions, day_tariff=steps)


def steps_of(rows: list[dict[str, object]]) -> Steps:
    """Those rows of a table that say an hour and a price, each hour once: the last of it counts."""
    found: dict[float, float] = {}
    for row in rows:
        hour, price = (_number(row.get(name)) for name in (FROM, PRICE))
        if 0 <= hour < HOURS and price in RANGES["energy_price"]:
            found[hour] = price
    return tuple(sorted(found.items()))


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


@dataclass(frozen=True, eq=False)
class Costs:
    """Money for the electricity of one batch, over the hour of the day at which it begins."""

    hours: FloatArray
    money: FloatArray


def costs(day: Day) -> Costs:
    """Exact, or every quarter of an hour where it bends too often."""
    starts = day.starts
    if len(starts.seconds) <= _MOST_CORNERS:
        return Costs(starts.seconds / HOUR, starts.costs)
    hours = np.union1d(np.arange(0.0, HOURS + 0.25, 0.25), [day.best.second / HOUR])
    return Costs(hours, np.interp(hours * HOUR, starts.seconds, starts.costs))


def sentence(day: Day, money: Money) -> str:
    """When to begin, and what that is worth."""
    best, worst = day.best, day.worst
    spread = worst.cost - best.cost
    if spread <= SAME * abs(worst.cost):
        cost = money.say(best.cost, Sense.SPENT)
        return f"Begin whenever you like: electricity costs {cost} at any hour."
    earned = day.profit(best)
    outcome = (
        f"earns {money.say(earned, Sense.EARNED)}"
        if earned >= 0
        else f"loses {money.say(-earned, Sense.SPENT)}"
    )
    return (
        f"Begin at {clock(best.second)}: electricity then costs "
        f"{money.say(best.cost, Sense.SPENT)}, and the batch {outcome}. At {clock(worst.second)} "
        f"it would cost {money.say(spread, Sense.PLAIN)} more."
    )
