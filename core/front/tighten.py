"""Both bounds of the front brought together: schedules from above by polish, proofs from below by
patterns.
"""

from collections.abc import Callable, Sequence
from typing import Final

from core.budget import Budget, Stopwatch
from core.front import knapsack
from core.front.patterns import PatternBound, bound_by_patterns, promising, worthwhile
from core.front.polish import polish_along, too_large
from core.front.recovery import points_of
from core.front.wish import Wish
from core.recover import annealing, polish
from core.relaxed import MAKESPAN, Bound, Front
from core.schedule import Schedule
from core.system import FloatArray

# Of the seconds of polish, so much goes to the fast end alone.
FASTEST_SHARE: Final = 0.12
# Of all seconds, at most so much goes to finding out whether patterns prove anything, and so much
# to them if they do; from so many seconds on.
PROBE_SHARE: Final = 0.1
PATTERNS_SHARE: Final = 0.35
LEAST_SECONDS: Final = 0.5
# Seconds that are none, but that a budget may have.
_INSTANT: Final = 1e-6


def load_kernels() -> None:
    """Compile the kernels, or load them compiled, so that nobody's seconds are spent on it."""
    annealing.load_kernels()
    knapsack.load_kernels()


def tighten(
    front: Front,
    schedules: Sequence[Schedule],
    budget: Budget,
    clock: Stopwatch,
    *,
    wish: Wish | None = None,
    seed: int = 0,
    report: Callable[[float, FloatArray], None] | None = None,
) -> tuple[list[Schedule], PatternBound | None]:
    """The schedules and better ones, and what patterns prove beyond the lines of the front, if they
    do. With a wish all is spent on schedules that come near to it. `report` is told, from time to
    time, the seconds spent and the (joules, seconds) of the best so far.
    """
    found, seconds = list(schedules), budget.seconds
    whole = wish is None and not too_large(front.system)
    shared = False
    if whole and seconds >= LEAST_SECONDS and worthwhile(front):
        shared = promising(front, found, _part(budget, PROBE_SHARE * seconds))
        clock.lap("patterns")
    polishing = budget
    if shared:
        polishing = _part(budget, max(budget.left - PATTERNS_SHARE * seconds, _INSTANT))
    if whole:
        found.append(_fastest(front, found[-1], polishing, seed))
    near = None if wish is None else wish.makespan(front)
    found += polish_along(front, found, polishing, seed=seed, near=near, report=report)
    clock.lap("polish")
    if not shared:
        return found, None
    points, probed = points_of(found), clock.seconds["patterns"]
    patterns = bound_by_patterns(
        front, found, budget, report and (lambda spent: report(spent, points))
    )
    clock.lap("patterns")
    clock.seconds["patterns"] += probed
    return found, patterns


def _part(budget: Budget, seconds: float) -> Budget:
    """So many seconds of a budget, from now on."""
    return Budget(seconds, budget.threads, budget.should_stop)


def _fastest(front: Front, schedule: Schedule, budget: Budget, seed: int) -> Schedule:
    """The fast end polished by itself, for a share of the budget: there all machines are full, and
    what annealing in passing finds is not good enough.
    """
    last = len(front) - 1
    bound = Bound(
        front.system,
        MAKESPAN,
        float(front.lines.value[-1]),
        front.placed(last),
        front.lines.machine_prices[-1],
    )
    return polish(schedule, bound, _part(budget, FASTEST_SHARE * budget.seconds), seed=seed)
