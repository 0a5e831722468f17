"""Improve a schedule until it is close to the bound, for as long as one likes."""

from collections.abc import Callable

from core.budget import Budget
from core.relaxed import Bound
from core.schedule import Schedule


def polish(
    schedule: Schedule,
    bound: Bound,
    budget: Budget,
    *,
    seed: int = 0,
    report: Callable[[float, float], None] | None = None,
) -> Schedule:
    return schedule
