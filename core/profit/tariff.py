"""Prices of electricity that change over the day: when to begin a bag, and what it then costs."""

from dataclasses import dataclass

import numpy as np

from core.schedule import Schedule
from core.system import FloatArray, NoPowerData
from core.words import DAY

# Costs that differ by less, as a share, are equal.
_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class DayTariff:
    """From second `begins[k]` of a day on, a joule costs `price[k]`; the first begins at 0."""

    begins: FloatArray
    price: FloatArray

    def __post_init__(self) -> None:
        begins, price = np.asarray(self.begins, float), np.asarray(self.price, float)
        object.__setattr__(self, "begins", begins)
        object.__setattr__(self, "price", price)
        if begins.shape != price.shape or not len(begins) or begins[0] != 0:
            raise ValueError("a tariff is a price from second 0 on, and one for each later step")
        if (np.diff(begins) <= 0).any() or begins[-1] >= DAY:
            raise ValueError("the steps of a tariff are in order, within a day of 86,400 s")
        if not (np.isfinite(price).all() and (price >= 0).all()):
            raise ValueError("prices are 0 or more, and finite")

    def at(self, seconds: FloatArray) -> FloatArray:
        """Money a joule so many seconds after midnight, days later included."""
        step = np.searchsorted(self.begins, seconds % DAY, side="right") - 1
        price: FloatArray = self.price[step]
        return price

    def spent(self, seconds: FloatArray) -> FloatArray:
        """Money for one watt from midnight until so many seconds later, days later included."""
        days, rest = np.divmod(seconds, DAY)
        until = np.append(0.0, np.cumsum(self.price * np.diff(self.begins, append=DAY)))
        step = np.searchsorted(self.begins, rest, side="right") - 1
        spent: FloatArray = (
            days * until[-1] + until[step] + self.price[step] * (rest - self.begins[step])
        )
        return spent


@dataclass(frozen=True, slots=True)
class Start:
    """When to begin, in seconds after midnight, and what the electricity then costs."""

    second: float
    cost: float


def power_curve(schedule: Schedule) -> tuple[FloatArray, FloatArray]:
    """Seconds at which the power changes, from 0 to the makespan, and the watts in between."""
    system, blocks = schedule.system, schedule.blocks()
    if system.apc is None:
        raise NoPowerData
    above_idle = (
        system.apc[blocks.task_type, blocks.machine_type] - system.idle_power[blocks.machine_type]
    )
    times, place = np.unique(np.concatenate([[0.0], blocks.start, blocks.end]), return_inverse=True)
    change = np.zeros(len(times))
    number = len(blocks)
    np.add.at(change, place[1 : number + 1], blocks.machines * above_idle)
    np.add.at(change, place[number + 1 :], -blocks.machines * above_idle)
    return times, system.total_idle_power + np.cumsum(change)[:-1]


def cost_from(schedule: Schedule, tariff: DayTariff, second: float) -> float:
    """Money for the electricity of a schedule begun so many seconds after midnight."""
    times, watts = power_curve(schedule)
    return float(watts @ np.diff(tariff.spent(second + times)))


def best_start(schedule: Schedule, tariff: DayTariff) -> Start:
    """The cheapest second of the day to begin; of equal ones the earliest.

    The cost is linear between the starts at which some change of power meets some change of price,
    so the cheapest is one of those, and bends there by the product of the two changes.
    """
    times, watts = power_curve(schedule)
    falls = -np.diff(watts, prepend=0.0, append=0.0)
    rises_of_price = np.diff(tariff.price, prepend=tariff.price[-1])
    meetings = ((tariff.begins[:, None] - times) % DAY).ravel()
    order = np.argsort(meetings)
    order = order[meetings[order] > 0]
    starts = np.append(0.0, meetings[order])
    bends = np.append(falls @ tariff.at(times), (rises_of_price[:, None] * falls).ravel()[order])
    slopes = np.cumsum(bends)
    costs = watts @ np.diff(tariff.spent(times)) + np.append(
        0.0, np.cumsum(slopes[:-1] * np.diff(starts))
    )
    cheapest = int(np.argmax(costs <= costs.min() + _SAME * np.abs(costs).max()))
    second = float(starts[cheapest])
    return Start(second, float(watts @ np.diff(tariff.spent(second + times))))
