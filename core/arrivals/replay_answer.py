"""What `wattfront replay` answers to programs."""

import math

from core.arrivals.trials import PolicyMeans, PolicyTrial, ReplayComparison, worth_of
from core.arrivals.words import ranked
from core.model.intervals import Interval


def replay_data(found: ReplayComparison) -> dict[str, object]:
    """Means over the trials for each policy, with intervals of 95 % confidence; None where
    something is not known.
    """
    best, of_bags = ranked(found)[:1], found.bag_bound
    return {
        "policies": {policy: _of_policy(found.means(policy), best[0]) for policy in ranked(found)},
        "bound": float(found.bound_values.mean()) if found.bounds and found.common else None,
        "makespan_bound": None if of_bags is None else of_bags.makespan,
        "energy_bound": None if of_bags is None else of_bags.joules,
        "jobs": _mean_jobs(found),
        "trials": len(found.common),
    }


def _mean_jobs(found: ReplayComparison) -> float | None:
    counts = [len(found.question.file(trial).workload.jobs) for trial in found.common]
    return sum(counts) / len(counts) if counts else None


def _of_policy(means: PolicyMeans, best: str) -> dict[str, object]:
    share = means.bound_share
    budget = means.mean(lambda one: one.budget)
    events = means.mean(lambda one: one.score.events)
    seconds = means.mean(lambda one: one.score.seconds)
    return {
        "worth": means.mean(worth_of),
        "worth_share": share.mean if share else None,
        "published_share": means.published_share.mean,
        "energy": means.mean(_joules_of),
        "budget": budget if math.isfinite(budget) else None,
        "completed": means.mean(lambda one: one.score.completed),
        "dropped": means.mean(lambda one: one.score.dropped),
        "mean_flow": means.mean(lambda one: one.score.mean_flow),
        "max_stretch": means.mean(lambda one: one.score.max_stretch),
        "makespan": means.mean(lambda one: one.score.makespan),
        "confidence95": {
            "worth": _ends(means.interval(worth_of)),
            "worth_share": _ends(share) if share else None,
            "published_share": _ends(means.published_share),
            "energy": _ends(means.interval(_joules_of)),
            "worth_behind_best": _ends(means.behind(best)),
        },
        "seconds": seconds,
        "seconds_per_event": seconds / events if events else None,
        "verified": means.verified,
    }


def _joules_of(one: PolicyTrial) -> float:
    return one.score.joules


def _ends(interval: Interval) -> list[float] | None:
    """Low and high; None if one trial does not say how sure it is."""
    if not math.isfinite(interval.half_width):
        return None
    return [interval.low, interval.high]
