"""What was found on the page Arrivals, in words."""

import math
from collections.abc import Iterable

from core.arrivals.words import policy_label
from core.model.intervals import Interval
from core.say.within import points as points_said
from core.say.within import points_up, share_within
from core.say.words import DAY, NOTHING, Sense, amount, counted, duration, energies, energy, share
from core.told.told import KeyFigure
from dashboard.arrivals.found import ArrivalsFound


def sentence(found: ArrivalsFound) -> str:
    """The best policy, and how near it is to what was possible."""
    best = found.ranked[0]
    said = f"{in_percent(found.worth_share(best))} of {whole_said(found)}"
    if len(found.policies) == 1:
        return f"{policy_label(best)} earns {said}."
    return f"{policy_label(best)} earns most: {said}."


def whole_said(found: ArrivalsFound) -> str:
    """What all shares of worth are of."""
    return "what is possible at most" if found.is_bounded else "what jobs could be worth"


def in_percent(interval: Interval) -> str:
    """A share with its interval: "78.3 ± 0.4 %"; without one if there is one day only."""
    if not math.isfinite(interval.half_width):
        return share(interval.mean, Sense.PLAIN)
    return share_within(interval.mean, interval.half_width)


def sentences(found: ArrivalsFound) -> list[str]:
    """The budget; how sure the first place is; and jobs that did not run."""
    return [*filter(None, [_budget(found), _second(found)])]


def _budget(found: ArrivalsFound) -> str:
    """Means of the days so far, as the figures of policies are."""
    days = list(found.days.values())
    facts, jobs = days[0], counted(round(_mean(one.jobs for one in days)), "job")
    of = ""
    if found.settings.all_days > 1:
        first = f"the first of {found.settings.all_days} days"
        of = f" These are means of {len(days)} days." if len(days) > 1 else f" This is {first}."
    if not math.isfinite(facts.joules):
        spent = energy(_mean(one.free_joules for one in days), Sense.PLAIN)
        return f"{jobs}. There is no energy budget; Max UPR spends {spent}.{of}"
    time = duration(facts.budget_seconds, Sense.PLAIN)
    each = "a day" if facts.budget_seconds == DAY else f"in {time}"
    if not facts.has_end:
        jobs += f" within {duration(facts.arriving_seconds, Sense.PLAIN)}"
        each = "for all of them"
    said = f"{energy(_mean(one.allowed for one in days), Sense.PLAIN)} {each}"
    part = "" if found.settings.budget is None else _part(found.settings.budget)
    return f"{jobs}, and an energy budget of {said}{part}.{of}"


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)


def _part(budget: float) -> str:
    return f", which is {share(budget, Sense.TYPED)} of what Max UPR spends without one"


def _second(found: ArrivalsFound) -> str:
    if len(found.policies) < 2:
        return ""
    first, second = found.ranked[:2]
    gap = found.difference(first, second)
    name = policy_label(second)
    points = points_said(gap.mean)
    if gap.mean <= 0:
        return f"{name} is as good."
    if found.settings.workload == "own":
        return f"{name} is next, {points} percentage points below on this workload."
    if not math.isfinite(gap.half_width):
        return (
            f"{name} is next, {points} percentage points below. One day says little: choose more "
            "days to see how sure that is."
        )
    sure = "" if gap.low > 0 else " More days may change the order."
    below = f"{points} ± {points_up(gap.half_width)} percentage points below on the same days."
    return f"{name} is next, {below}{sure}"


def energy_said(found: ArrivalsFound, joules: float) -> str:
    """What a policy draws on average, written like the budget if there is one."""
    budget = _mean(one.allowed for one in found.days.values())
    if not math.isfinite(budget):
        return energy(joules, Sense.PLAIN)
    return energies(joules, budget)[0]


def figures(found: ArrivalsFound) -> list[KeyFigure]:
    """The key figures of the best policy."""
    best = found.ranked[0]
    earned = amount(found.of(best, "worth").mean, Sense.EARNED)
    jobs = sum(facts.jobs for facts in found.days.values()) / len(found.days)
    completed = found.of(best, "completed").mean
    return [
        KeyFigure(
            "Worth",
            in_percent(found.worth_share(best)),
            f"What the jobs earned: {earned}, as a share of {whole_said(found)}"
            + (
                "."
                if found.is_bounded
                else " if each began when it arrived, on its fastest option."
            ),
        ),
        KeyFigure(
            "Possible at most",
            amount(found.possible, Sense.UPPER_BOUND) if found.is_bounded else NOTHING,
            "The worth of 100 %. No policy can earn more, not even one that knows all that comes. "
            "Duality of linear programming proves this.",
        ),
        KeyFigure(
            "Energy",
            energy_said(found, found.of(best, "joules").mean),
            "What the jobs, and machines that are on, drew from the beginning to the end.",
        ),
        KeyFigure(
            "Jobs done",
            share(completed / jobs if jobs else None, Sense.PLAIN),
            f"{amount(completed, Sense.PLAIN)} of {amount(jobs, Sense.PLAIN)} jobs ran to their "
            "end. The others were dropped, or still waited at the end.",
        ),
        KeyFigure(
            "Mean flow",
            duration(found.of(best, "mean_flow").mean, Sense.PLAIN),
            "From the arrival of a job to its end.",
        ),
    ]
