"""What is said of policies on the same workloads: how much each earns of what is possible at most,
and with which energy.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter

import numpy as np

from core.capabilities.arrivals.policies import POLICIES
from core.capabilities.arrivals.trials import PolicyMeans, ReplayComparison, worth_of
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS
from core.shells.told.told import KeyFigure, Told, ToldTable, checked
from core.vocabulary.intervals import Interval
from core.vocabulary.say.phrases import points, points_up, share_within
from core.vocabulary.say.units import Unit
from core.vocabulary.say.words import (
    DAY,
    NOTHING,
    Sense,
    amount,
    counted,
    duration,
    energies,
    energy,
    share,
)

PUBLISHED_MAXIMUM = (
    "The published maximum is what all jobs would be worth if each began when it arrived, on its "
    "fastest option."
)
_joules, _makespan, _budget = map(attrgetter, ("score.joules", "score.makespan", "budget"))
_BOUND_MEANING = "The bound is proven, also for who knows beforehand what arrives."


def told(found: ReplayComparison, workload: str) -> Told:
    """All that is said of policies on a workload of this name, the best first. Policies are
    compared on the trials that all of them have.
    """
    data = replay_data(found)
    if not found.ranked:
        return Told("No day was replayed under all policies.", data=data)
    return Told(
        lead=_lead(found),
        sentences=tuple(_sentences(found, workload)),
        figures=tuple(_figures(found)),
        tables=(_policies(found),),
        data=data,
    )


def whole_said(found: ReplayComparison) -> str:
    """What shares of worth are of."""
    return "what is possible at most" if found.question.bounded else "the published maximum"


def energy_said(means: PolicyMeans) -> str:
    """What a policy draws on average, written like its budget if there is one."""
    joules, budget = means.mean(_joules), means.mean(_budget)
    return energies(joules, budget)[0] if math.isfinite(budget) else energy(joules, Sense.PLAIN)


def _lead(found: ReplayComparison) -> str:
    best = found.ranked[0]
    if found.question.of_bags:
        ends = duration(found.means(best).mean(_makespan), Sense.PLAIN)
        first = " first" if len(found.ranked) > 1 else ""
        return f"Bags end{first} under the method {policy_label(best)}: after {ends} on average."
    most = " most:" if len(found.ranked) > 1 else ""
    part = in_percent(found.means(best).share)
    proven = " (proven)" if found.question.bounded else ""
    return f"{policy_label(best)} earns{most} {part} of {whole_said(found)}{proven}."


def _sentences(found: ReplayComparison, workload: str) -> Iterator[str]:
    """The workload, its energy budget, how sure the first place is, and what was checked."""
    yield _workload(found, workload)
    yield _allowed(found)
    if len(found.ranked) > 1:
        yield _second(found)
    wrong = [policy_label(one) for one in found.ranked if not found.means(one).verified]
    disagrees = f"an independent check disagrees with the outcomes of {', '.join(wrong)}."
    agrees = "a judge that shares no code with the replays agrees with each."
    yield from checked(agrees, [disagrees] if wrong else [])
    if not found.question.of_bags:
        yield PUBLISHED_MAXIMUM
        if found.question.bounded:
            yield _BOUND_MEANING
    if (least := found.bag_bound) is not None:
        makespan = duration(least.makespan, Sense.LOWER_BOUND)
        joules = energy(least.joules, Sense.LOWER_BOUND)
        yield f"No method could have taken less than {makespan}, or less than {joules} (proven)."


def _workload(found: ReplayComparison, workload: str) -> str:
    question, days = found.question, len(found.common)
    jobs = counted(round(found.means(found.ranked[0]).mean(lambda one: one.jobs)), "job")
    if not isinstance(question.source, str):
        horizon, arrival = question.source.workload.horizon, question.source.workload.jobs.arrival
        if math.isfinite(horizon.end) or len(arrival) < 2:
            return f"The workload: {workload}, {jobs}."
        within = duration(float(np.ptp(arrival)), Sense.PLAIN)
        return f"The workload: {workload}, {jobs} within {within}."
    kind = "bag" if question.of_bags else "day"
    said = f"The workload: {workload}, {counted(days, kind)} drawn from seed {question.seed} on; "
    mean = f"{jobs} a {kind} on average." if days > 1 else f"{jobs}."
    asked = f" {counted(question.trials, kind)} were asked for." if days < question.trials else ""
    return said + mean + asked


def _allowed(found: ReplayComparison) -> str:
    best = found.ranked[0]
    means, name = found.means(best), policy_label(best)
    budget = means.mean(_budget)
    if not math.isfinite(budget):
        return f"There is no energy budget; {name} takes {energy_said(means)}."
    spent, allowed = energies(means.mean(_joules), budget)
    part = found.question.budget.share
    of_free = (
        "" if part is None else f", {share(part, Sense.TYPED)} of what Max UPR takes without one"
    )
    mean = " on average" if len(found.common) > 1 else ""
    return f"Jobs may take {allowed}{_period(found)}{mean}{of_free}; {name} takes {spent}."


def _period(found: ReplayComparison) -> str:
    """What the energy budget of a given workload is for: all of its jobs, a day, or its horizon."""
    source = found.question.source
    if isinstance(source, str):
        return ""
    horizon = source.workload.horizon
    length = horizon.end - horizon.begin
    if not math.isfinite(length):
        return " for all of them"
    return " a day" if length == DAY else f" in {duration(length, Sense.PLAIN)}"


def _second(found: ReplayComparison) -> str:
    first, second = found.ranked[:2]
    gap, name = found.means(first).ahead(second), policy_label(second)
    if found.question.of_bags:
        later = found.means(second).mean(_makespan) - found.means(first).mean(_makespan)
        return f"{name} is next, {duration(later, Sense.PLAIN)} later."
    below = points(gap.mean)
    if gap.mean <= 0:
        return f"{name} is as good."
    if not isinstance(found.question.source, str):
        return f"{name} is next, {below} percentage points below on this workload."
    if not math.isfinite(gap.half_width):
        next_one = f"{name} is next, {below} percentage points below."
        if found.question.trials > 1:
            return next_one
        more = "One day is not enough to rank policies: choose more days to see how sure that is."
        return f"{next_one} {more}"
    sure = "" if gap.low > 0 else " More days may change the order."
    between = f"{below} ± {points_up(gap.half_width)}"
    return f"{name} is next, {between} percentage points below on the same days.{sure}"


def _figures(found: ReplayComparison) -> Iterator[KeyFigure]:
    """The key figures of the best policy."""
    means = found.means(found.ranked[0])
    jobs = means.mean(lambda one: one.jobs)
    completed = means.mean(lambda one: one.score.completed)
    if found.question.of_bags:
        makespan = duration(means.mean(_makespan), Sense.PLAIN)
        yield KeyFigure("Makespan", makespan, "When the last task of a bag ends.")
    else:
        yield from _worth_figures(found, means)
    yield KeyFigure(
        "Energy",
        energy_said(means),
        "What the jobs, and machines that are on, drew from the beginning to the end.",
    )
    yield KeyFigure(
        "Jobs done",
        share(completed / jobs if jobs else None, Sense.PLAIN),
        f"{amount(completed, Sense.PLAIN)} of {amount(jobs, Sense.PLAIN)} jobs ran to their "
        "end. The others were dropped, or still waited at the end.",
    )
    yield KeyFigure(
        "Mean flow",
        duration(means.mean(lambda one: one.score.mean_flow), Sense.PLAIN),
        "From the arrival of a job to its end.",
    )


def _worth_figures(found: ReplayComparison, means: PolicyMeans) -> Iterator[KeyFigure]:
    bounded = found.question.bounded
    yield KeyFigure(
        "Worth",
        in_percent(means.share),
        f"What the jobs earned: {amount(means.mean(worth_of), Sense.EARNED)}, as a share of "
        f"{whole_said(found)}.",
    )
    yield KeyFigure(
        "Possible at most",
        amount(float(found.bound_values.mean()), Sense.UPPER_BOUND) if bounded else NOTHING,
        "The worth of 100 %. No policy can earn more, not even one that knows all that comes. "
        "Duality of linear programming proves this.",
    )


def _policies(found: ReplayComparison) -> ToldTable:
    """A row for each policy, the best first: means over the trials."""
    every = [found.means(policy) for policy in found.ranked]

    def means(figure: str) -> list[float]:
        return [one.mean(lambda trial: getattr(trial.score, figure)) for one in every]

    def seconds(figure: str, sense: Sense) -> list[str]:
        return [duration(mean, sense) for mean in means(figure)]

    def numbers(figure: str) -> list[str]:
        return [amount(mean, Sense.PLAIN) for mean in means(figure)]

    columns = {"Policy": [policy_label(one.policy) for one in every]}
    if not found.question.of_bags:
        columns["Worth"] = [interval_in_words(one.interval(worth_of)) for one in every]
        if found.question.bounded:
            columns["Of what is possible"] = [in_percent(one.share) for one in every]
        columns["Of the published maximum"] = [in_percent(one.published_share) for one in every]
    columns["Energy"] = [energy_said(one) for one in every]
    if math.isfinite(every[0].mean(_budget)):
        columns["Of the budget"] = [
            share(_part(one.mean(_joules), one.mean(_budget)), Sense.SPENT) for one in every
        ]
    columns |= {
        "Jobs done": numbers("completed"),
        "Dropped": numbers("dropped"),
        "Mean flow": seconds("mean_flow", Sense.PLAIN),
        "Largest stretch": numbers("max_stretch"),
        "Makespan": seconds("makespan", Sense.SPENT),
    }
    return ToldTable.of_columns("Policies beside each other", columns, marked=0)


def with_replay_times(policies: ToldTable, found: ReplayComparison) -> ToldTable:
    """The table of the policies with the mean time that a replay took on this computer."""
    means = (found.means(policy).mean(lambda one: one.score.seconds) for policy in found.ranked)
    took = [duration(seconds, Sense.PLAIN) for seconds in means]
    rows = tuple((*row, time) for row, time in zip(policies.rows, took, strict=True))
    return replace(policies, head=(*policies.head, "Replayed in"), rows=rows)


def _part(part: float, whole: float) -> float | None:
    return part / whole if whole > 0 else None


def replay_data(found: ReplayComparison) -> dict[str, object]:
    """Means over the trials for each policy, with intervals of 95 % confidence; None where
    something is not known.
    """
    best, of_bags = found.ranked[:1], found.bag_bound
    return {
        "policies": {policy: _of_policy(found.means(policy), best[0]) for policy in found.ranked},
        "bound": float(found.bound_values.mean()) if found.bounds and found.common else None,
        "makespan_bound": None if of_bags is None else of_bags.makespan,
        "energy_bound": None if of_bags is None else of_bags.joules,
        "jobs": found.means(best[0]).mean(lambda one: one.jobs) if best else None,
        "trials": len(found.common),
    }


def _of_policy(means: PolicyMeans, best: str) -> dict[str, object]:
    share, budget = means.bound_share, means.mean(_budget)
    seconds, events = (means.mean(attrgetter(f"score.{name}")) for name in ("seconds", "events"))
    counted_alike = ("completed", "dropped", "mean_flow", "max_stretch", "makespan")
    return {
        "worth": means.mean(worth_of),
        "worth_share": share.mean if share else None,
        "published_share": means.published_share.mean,
        "energy": means.mean(_joules),
        "budget": budget if math.isfinite(budget) else None,
        **{name: means.mean(attrgetter(f"score.{name}")) for name in counted_alike},
        "confidence95": {
            "worth": _ends(means.interval(worth_of)),
            "worth_share": _ends(share) if share else None,
            "published_share": _ends(means.published_share),
            "energy": _ends(means.interval(_joules)),
            "worth_behind_best": _ends(means.behind(best)),
        },
        "seconds": seconds,
        "seconds_per_event": seconds / events if events else None,
        "verified": means.verified,
    }


def _ends(interval: Interval) -> list[float] | None:
    """Low and high; None if one trial does not say how sure it is."""
    if not math.isfinite(interval.half_width):
        return None
    return [interval.low, interval.high]


_ALL_FAILED = 5


def policy_label(name: str) -> str:
    """The name of a policy or method for people."""
    return POLICIES[name].label if name in POLICIES else BAG_METHODS[name].label


def interval_in_words(interval: Interval) -> str:
    """`7,421 ± 31`, or the mean alone if one trial does not say how sure it is."""
    mean = amount(interval.mean, Sense.PLAIN)
    if not math.isfinite(interval.half_width):
        return mean
    return f"{mean} ± {amount(interval.half_width, Sense.PLAIN)}"


def in_percent(interval: Interval) -> str:
    """A share with its interval: "78.3 ± 0.4 %"; the mean alone if one trial does not say how sure
    it is.
    """
    if not math.isfinite(interval.half_width):
        return share(interval.mean, Sense.PLAIN)
    return share_within(interval.mean, interval.half_width)


def mean_in_unit(interval: Interval, unit: Unit) -> str:
    """A time or an energy with its interval: `45.9 ± 7.4 h`; the mean alone if one trial does not
    say how sure it is.
    """
    mean = amount(interval.mean / unit.size, Sense.PLAIN)
    if not math.isfinite(interval.half_width):
        return f"{mean} {unit.symbol}"
    width = amount(interval.half_width / unit.size, Sense.UPPER_BOUND, digits=2)
    return f"{mean} ± {width} {unit.symbol}"


def replay_failures(found: ReplayComparison) -> list[str]:
    """A sentence for each of the first replays that failed."""
    said = [f"the replay of {one.input} failed: {one.why}" for one in found.failed[:_ALL_FAILED]]
    more = len(found.failed) - _ALL_FAILED
    return [*said, f"... and {more} more"] if more > 0 else said
