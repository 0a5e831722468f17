"""How wrong assumed powers may be: between which factors a schedule stays the best for its time.

The energy of a schedule is linear in each factor. So among the schedules found, the range follows
from two sums of each. What is proven follows from the prices of the front: any prices prove a
bound for any powers. Between the ends it is proven, too: the bound is concave in powers and prices
together, so that prices between those of the ends prove at least what is between their bounds.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.engines.front.proven import share_above
from core.engines.front.study import Study
from core.engines.relaxed import Front
from core.engines.relaxed.certificate import proven_bounds
from core.vocabulary.arrays import FloatArray
from core.vocabulary.ranges import Range
from core.vocabulary.say.without_work import rest_word
from core.vocabulary.say.words import Sense, power, share, typed
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME, ULP

FACTORS: Final = Range(0.0, 5.0, "times what is assumed")
AssumedPart = Callable[[Schedule], float]
"""The joules of a schedule that an assumed power stands for."""


@dataclass(frozen=True, slots=True)
class Holding:
    """From `low` to `high` times an assumed power, no other schedule found is as fast as this one
    and takes less energy; and the least energy of any as fast is proven to be at most a share of
    `above` less.
    """

    low: float
    high: float
    above: float


def without_work(schedule: Schedule) -> float:
    """Joules of machines after their last task."""
    return float(schedule.idle_energy.sum())


def of_estimates(schedule: Schedule) -> float:
    """Joules of tasks whose pair is an estimate."""
    system = schedule.system
    if system.apc is None or system.estimated is None:
        return 0.0
    joules = np.where(system.estimated, system.etc * system.apc, 0.0)
    return float((schedule.placed * joules)[system.estimated].sum())


def scaled(system: System, part: AssumedPart, factor: float) -> System:
    """The system with so many times the power that `part` is about."""
    if part is without_work:
        return system.with_idle_power((factor * system.idle_power).tolist())
    if system.apc is None or system.estimated is None:
        return system
    return replace(system, apc=np.where(system.estimated, factor * system.apc, system.apc))


def holding(schedule: Schedule, study: Study, part: AssumedPart) -> Holding | None:
    """Where a schedule stays the best of those found for its time; None if it is not, or if no
    power of this kind is part of it.
    """
    joules, seconds, own = schedule.energy, schedule.makespan, part(schedule)
    as_fast = [one for one in study.schedules if one.makespan <= seconds * (1 + SAME)]
    low, high = FACTORS.low, FACTORS.high
    for one in as_fast:
        more, slope = one.energy - joules, own - part(one)
        if more < -SAME * joules:
            return None
        turns = 1 + max(more, 0.0) / slope if abs(slope) > SAME * joules else 1.0
        if slope > SAME * joules:
            high = min(high, turns)
        elif slope < -SAME * joules:
            low = max(low, turns)
    ends = [scaled(schedule.system, part, factor) for factor in (low, high)]
    drawn = [joules + (factor - 1) * own for factor in (low, high)]
    least = [least_by_prices(study.front, one, seconds) for one in ends]
    above = max(map(share_above, drawn, least))
    return Holding(low, high, above) if own > SAME * joules else None


def least_by_prices(front: Front, system: System, seconds: float) -> float:
    """A lower bound on the joules of schedules of a system that are done in so many seconds. It has
    the tasks, machines and times of that of the front, whose prices prove it.
    """
    lines = front.lines
    rates: FloatArray = lines.weights[:-1, 1]
    best = int(np.argmax(lines.value[:-1] - rates * seconds))
    near = slice(max(best - 1, 0), best + 2)
    dearer = system.idle_power - front.system.idle_power
    before = lines.machine_prices[:-1][near]
    # As they are, or so that each task costs as much as before on a machine that is always busy.
    prices = np.maximum(np.concatenate([before, before + dearer]), 0.0)
    rates = np.maximum(prices @ system.machine_counts - system.total_idle_power, 0.0)
    bounds = proven_bounds(system, np.column_stack([np.ones(len(rates)), rates]), prices)
    least = bounds - rates * seconds
    return float((least - 4 * ULP * (np.abs(bounds) + rates * seconds)).max())


def how_wrong(schedule: Schedule, study: Study, *, assumed: bool) -> Iterator[str]:
    """How wrong the estimated powers may be, and if they are `assumed`, those without work."""
    system = schedule.system
    idle = power(system.total_idle_power, Sense.PLAIN)
    kinds: list[tuple[bool, AssumedPart, str]] = [
        (assumed, without_work, f"Power {rest_word(system)}, {idle} for all machines"),
        (system.estimated_pairs > 0, of_estimates, "Powers of estimated pairs"),
    ]
    for asked, part, title in kinds:
        found = holding(schedule, study, part) if asked else None
        if found is not None:
            low, high = math.ceil(100 * found.low) / 100, math.floor(100 * found.high) / 100
            proven = (
                f", and at most {share(found.above, Sense.UPPER_BOUND)} above the best possible"
            )
            yield (
                f"{title}: from {typed(low)} to {typed(high)} {FACTORS.unit}, this schedule stays "
                f"the best found for its time{proven if math.isfinite(found.above) else ''}."
            )
