"""Closes the gap from both sides: polish improves schedules, and patterns raise the lower bound."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from core.engines.front.patterns import Patterns, PatternSearch, worthwhile
from core.engines.front.proven import Proven
from core.engines.front.wish import Wish
from core.engines.recover import polish
from core.engines.recover.along import points_of
from core.engines.recover.polish_along import polish_along, too_large
from core.engines.relaxed import ENERGY, MAKESPAN, Bound, Front, lower_bound
from core.engines.relaxed.whole import are_few
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Budget, Stopwatch
from core.vocabulary.plane.points import sorted_front
from core.vocabulary.schedule import Schedule
from core.vocabulary.tolerances import INSTANT

# The share of polish for the fastest schedule. All shares are set by judgement; `python -m
# benchmarks along` measures the gaps that result.
FASTEST_SHARE: Final = 0.12
# The largest shares of the budget for patterns: to find out whether they prove anything, to
# continue if they do, and to continue for a wish. With a budget below LEAST_SECONDS, patterns are
# left out.
PROBE_SHARE: Final = 0.1
PATTERNS_SHARE: Final = 0.35
WISH_SHARE: Final = 0.15
# While no schedule meets the wish, this share goes to the end of the front nearest to it.
END_SHARE: Final = 0.4
LEAST_SECONDS: Final = 0.5


def tighten(
    proven: Proven,
    schedules: Sequence[Schedule],
    budget: Budget,
    clock: Stopwatch,
    *,
    wish: Wish | None = None,
    seed: int = 0,
    report: Callable[[float, FloatArray], None] | None = None,
) -> tuple[list[Schedule], Patterns | None]:
    """The schedules with better ones, and the patterns, if they prove more than is proven.

    With a wish, the budget is spent on schedules near it, and on bounds for it. `report` gets, from
    time to time, the seconds spent and the (joules, seconds) of the best so far.
    """
    front, found, seconds = proven.front, list(schedules), budget.seconds
    whole = wish is None and not too_large(front.system)

    def spent() -> float:
        return min(budget.used, seconds)

    def telling(best: FloatArray) -> Callable[..., None] | None:
        return report and (lambda *_: report(spent(), best))

    search = None
    if whole and seconds >= LEAST_SECONDS and worthwhile(proven, found):
        search = _search_that_proves_more(proven, found, budget.part(PROBE_SHARE * seconds))
        clock.lap("patterns")
    polishing = budget
    pays = wish is not None and _pays_for_wish(proven, found, wish, seconds)
    if search is not None or pays:
        share = WISH_SHARE if pays else PATTERNS_SHARE
        polishing = budget.part(max(budget.left - share * seconds, INSTANT))
    if whole:
        found.append(
            _polished_fastest(front, found[-1], polishing, seed, telling(_pareto_points(found)))
        )
    elif wish is not None and wish.excess(points_of(found)).min() > 0:
        found += _polished_at_limit(wish, front, found, polishing, seed)
    near = None if wish is None else wish.makespan(front)
    found += polish_along(
        front,
        found,
        polishing,
        seed=seed,
        near=near,
        report=report and (lambda _, best: report(spent(), best)),
    )
    clock.lap("polish")
    if wish is not None and pays:
        search = PatternSearch(proven, found, wish)
    elif search is not None:
        search.aim_at(found)
    else:
        return found, None
    search.run(budget, report=telling(_pareto_points(found)))
    clock.lap("patterns")
    return found, search.proven()


def _pays_for_wish(
    proven: Proven, schedules: Sequence[Schedule], wish: Wish, seconds: float
) -> bool:
    """Whether to seek patterns for a wish: if tasks are few, and the bound may improve."""
    few = are_few(proven.front.system) and not wish.beyond(proven.front)
    return few and seconds >= LEAST_SECONDS and worthwhile(proven, schedules)


def _pareto_points(schedules: list[Schedule]) -> FloatArray:
    """(joules, seconds) of the schedules that no other dominates."""
    return sorted_front(points_of(schedules))


def _search_that_proves_more(
    proven: Proven, schedules: Sequence[Schedule], budget: Budget
) -> PatternSearch | None:
    """A search that has proven more where these schedules leave most area; None if it proved
    nothing.
    """
    search = PatternSearch(proven, schedules)
    search.run(budget, enough=1)
    return search if search.gains else None


def _polished_at_limit(
    wish: Wish, front: Front, schedules: Sequence[Schedule], budget: Budget, seed: int
) -> list[Schedule]:
    """The schedule at the end of the front that a limit is near, polished by itself, because very
    few schedules may meet that limit.
    """
    system, points = front.system, points_of(list(schedules))
    share = budget.part(END_SHARE * max(budget.left, INSTANT))
    if np.isfinite(wish.energy_limit):
        thriftiest = schedules[int(points[:, 0].argmin())]
        bound = lower_bound(system, ENERGY, then=MAKESPAN)
        return [polish(thriftiest, bound, share, seed=seed)]
    if np.isfinite(wish.time_limit):
        fastest = schedules[int(points[:, 1].argmin())]
        return [polish(fastest, _fast_bound(front), share, seed=seed)]
    return []


def _polished_fastest(
    front: Front,
    schedule: Schedule,
    budget: Budget,
    seed: int,
    report: Callable[[float, float], None] | None,
) -> Schedule:
    """The fastest schedule polished by itself, for a share of the budget: all its machines are
    full, so short visits of annealing hardly improve it.
    """
    share = budget.part(FASTEST_SHARE * budget.seconds)
    return polish(schedule, _fast_bound(front), share, seed=seed, report=report)


def _fast_bound(front: Front) -> Bound:
    """The bound on the makespan that the front has found."""
    return Bound(
        front.system,
        MAKESPAN,
        float(front.lines.value[-1]),
        front.placed(len(front) - 1),
        front.lines.machine_prices[-1],
    )
