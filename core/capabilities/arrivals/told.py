"""What is said of policies on the same workloads: how much each earns of what is possible at most,
and with which energy; and of methods for bags, which do all jobs, how soon they are done.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Protocol

import numpy as np

from core.capabilities.arrivals.bags_told import (
    bags_lead,
    bags_sentences,
    bags_tables,
    expected_data,
)
from core.capabilities.arrivals.classes_told import classes_tables
from core.capabilities.arrivals.labels import policy_label
from core.capabilities.arrivals.made.job_sizes import NO_SIZES, JobSizes
from core.capabilities.arrivals.question import UNLIMITED
from core.capabilities.arrivals.sizes_told import offered_tables
from core.capabilities.arrivals.stops_told import stops_data, stops_sentences, stops_tables
from core.capabilities.arrivals.trials import (
    PolicyTrial,
    ReplayComparison,
    joules_of,
    joules_of_jobs,
    makespan_of,
    worth_of,
)
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS
from core.capabilities.arrivals.value_told import (
    cost_column,
    prices_data,
    prices_table,
    sizes_cost,
    sizes_table,
    value_columns,
    value_data,
    value_sentences,
)
from core.engines.logs.types.requeued import LostWork
from core.engines.replay.classes import JobClass
from core.shells.told.bars import ToldBar, ToldBars
from core.shells.told.money import energy_cost_figure, money_columns, priced_said
from core.shells.told.told import KeyFigure, Told, ToldTable, checked
from core.vocabulary.arrays import FloatArray
from core.vocabulary.prices.site import Site
from core.vocabulary.say.means import mean_within, share_within
from core.vocabulary.say.phrases import points, points_up
from core.vocabulary.say.words import (
    DAY,
    NOTHING,
    Sense,
    amount,
    counted,
    difference,
    duration,
    energies,
    energy,
    share,
)

WITHOUT_WAITING = (
    "The worth without waiting is what all jobs would be worth if each began when it arrived, on "
    "its fastest option."
)
_BOUND_MEANING = "The bound is proven, also for who knows beforehand what arrives."


class KnownOfJobs(Protocol):
    """What is known of jobs beside their workload: what their log lost, their classes and sizes."""

    @property
    def lost(self) -> LostWork | None: ...

    @property
    def classes(self) -> Sequence[JobClass]: ...

    @property
    def sizes(self) -> JobSizes: ...


_budget, _jobs = map(attrgetter, ("budget", "jobs"))


def _beside(one: PolicyTrial) -> float:
    """What machines drew beside jobs (J)."""
    return difference(joules_of(one), joules_of_jobs(one))


def told(
    found: ReplayComparison,
    workload: str,
    site: Site | None = None,
    known: KnownOfJobs | None = None,
) -> Told:
    """All that is said of policies on a workload of this name, the best first, what their energy
    costs at a site, and what is `known` of its jobs. Policies are compared on the trials that all
    of them have.
    """
    data = replay_data(found, site)
    if known is not None and (lost := known.lost) is not None:
        said = {"requeued_jobs": lost.jobs, "stops": lost.attempts}
        data |= {"log": {**said, "lost_core_seconds": lost.core_seconds}}
    offered = NO_SIZES if known is None else known.sizes
    if offered.rows:
        data |= {"sizes_cost": {one: sizes_cost(found, one, offered) for one in found.ranked}}
    if not found.ranked:
        return Told("No workload was replayed under all policies.", data=data)
    of_bags = found.question.of_bags
    return Told(
        lead=bags_lead(found) if of_bags else _lead(found),
        sentences=tuple(_sentences(found, workload, site)),
        figures=tuple(_figures(found, site)),
        tables=(
            *(bags_tables(found) if of_bags else ()),
            _policies(found, site, offered),
            *(() if of_bags else _tables_of_value(found, offered)),
            *(() if of_bags else tables_of_jobs(found, known)),
        ),
        data=data,
    )


def _tables_of_value(found: ReplayComparison, offered: JobSizes) -> Iterator[ToldTable]:
    if (sizes := sizes_table(found)) is not None:
        yield sizes
    yield from offered_tables(offered)
    if found.prices is not None:
        yield prices_table(found.prices)


def tables_of_jobs(found: ReplayComparison, known: KnownOfJobs | None) -> Iterator[ToldTable]:
    """What stopping jobs costs, also in their log, and their classes; as far as there are any."""
    yield from stops_tables(found, None if known is None else known.lost)
    yield from classes_tables(() if known is None else known.classes)


def whole_said(found: ReplayComparison) -> str:
    """What shares of worth are of."""
    return "what is possible at most" if found.question.bounded else "the worth without waiting"


def energy_said(found: ReplayComparison, policy: str) -> str:
    """What a policy draws on average, written like its budget if there is one."""
    joules, budget = found.mean(policy, joules_of), found.mean(policy, _budget)
    return energies(joules, budget)[0] if math.isfinite(budget) else energy(joules, Sense.PLAIN)


def worth_bars(found: ReplayComparison) -> ToldBars:
    """What each policy earns, as a share of what is possible at most if that is known."""
    bars = tuple(
        ToldBar(
            policy_label(one),
            found.share(one).over(0.01),
            f"{share_within(found.share(one))} with {energy_said(found, one)}",
        )
        for one in found.ranked
    )
    limit = 100.0 if found.question.bounded else None
    title = f"Worth (% of {whole_said(found).replace('the worth', 'that')})"
    return ToldBars(title, bars, limit, "possible at most")


def _lead(found: ReplayComparison) -> str:
    best = found.ranked[0]
    most = " most:" if len(found.ranked) > 1 else ""
    part = share_within(found.share(best))
    proven = " (proven)" if found.question.bounded else ""
    return f"{policy_label(best)} earns{most} {part} of {whole_said(found)}{proven}."


def _sentences(found: ReplayComparison, workload: str, site: Site | None) -> Iterator[str]:
    """The workload, its energy budget, how sure the first place is, how energy is priced, and what
    was checked.
    """
    yield _workload(found, workload)
    yield _allowed(found)
    if len(found.ranked) > 1:
        yield _second(found)
    if not found.question.of_bags:
        yield from value_sentences(found)
    yield from stops_sentences(found)
    yield from priced_said(site, knows_hours=found.knows_hours)
    names = ", ".join(map(policy_label, found.refused))
    disagrees = f"an independent check disagrees with the outcomes of {names}."
    agrees = "a judge that shares no code with the replays agrees with each."
    yield from checked(agrees, [disagrees] if names else [])
    if found.question.of_bags:
        yield from bags_sentences(found)
        return
    yield WITHOUT_WAITING
    if found.question.bounded:
        yield _BOUND_MEANING


def _workload(found: ReplayComparison, workload: str) -> str:
    question, days = found.question, len(found.common)
    jobs = counted(round(found.mean(found.ranked[0], _jobs)), "job")
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
    name, budget = policy_label(best), found.mean(best, _budget)
    if not math.isfinite(budget):
        return f"There is no energy budget; {name} takes {energy_said(found, best)}."
    spent, allowed = energies(found.mean(best, joules_of_jobs), budget)
    part = found.question.budget.share
    of_free = ""
    if part is not None:
        free = policy_label(UNLIMITED)
        of_free = f", {share(part, Sense.TYPED)} of what they take under “{free}” without one"
    mean = " on average" if len(found.common) > 1 else ""
    said = f"Jobs may take {allowed}{_period(found)}{mean}{of_free}; under {name} they take {spent}"
    beside = found.mean(best, _beside)
    if beside <= 0:
        return f"{said}."
    more = energy(beside, Sense.PLAIN)
    return f"{said}. The budget is for jobs alone: machines that are on take {more} besides."


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
    name = policy_label(second)
    if found.question.of_bags:
        later = duration(found.more(second, first, makespan_of).mean, Sense.PLAIN)
        return f"{name} is next, {later} later."
    gap = found.more(first, second, worth_of, found.wholes)
    below = points(gap.mean)
    if gap.mean <= 0:
        return f"{name} is as good."
    if not isinstance(found.question.source, str):
        return f"{name} is next, {below} percentage points below on this workload."
    if not gap.known:
        next_one = f"{name} is next, {below} percentage points below."
        if found.question.trials > 1:
            return next_one
        more = "One day is not enough to rank policies: choose more days to see how sure that is."
        return f"{next_one} {more}"
    sure = "" if gap.low > 0 else " More days may change the order."
    between = f"{below} ± {points_up(gap.half_width)}"
    return f"{name} is next, {between} percentage points below on the same days.{sure}"


def _figures(found: ReplayComparison, site: Site | None) -> Iterator[KeyFigure]:
    best = found.ranked[0]
    jobs, completed = found.mean(best, _jobs), found.mean(best, attrgetter("score.completed"))
    if found.question.of_bags:
        makespan = duration(found.mean(best, makespan_of), Sense.PLAIN)
        yield KeyFigure("Makespan", makespan, "When the last task of a bag ends.")
    else:
        yield from _worth_figures(found, best)
    yield KeyFigure(
        "Energy",
        energy_said(found, best),
        "What the jobs, and machines that are on, drew from the beginning to the end.",
    )
    if site is not None:
        mean = " on average" if len(found.common) > 1 else ""
        yield energy_cost_figure("Cost", found.cost(best, site), site, f"Of this energy{mean}")
    yield KeyFigure(
        "Jobs done",
        share(completed / jobs if jobs else None, Sense.PLAIN),
        f"{amount(completed, Sense.PLAIN)} of {amount(jobs, Sense.PLAIN)} jobs ran to their "
        "end. The others were dropped, or still waited at the end.",
    )
    yield KeyFigure(
        "Mean time to the end",
        duration(found.mean(best, attrgetter("score.mean_flow")), Sense.PLAIN),
        "From the arrival of a job to its end.",
    )


def _worth_figures(found: ReplayComparison, best: str) -> Iterator[KeyFigure]:
    bounded, worth = found.question.bounded, found.mean(best, worth_of)
    yield KeyFigure(
        "Worth",
        share_within(found.share(best)),
        f"What the jobs earned: {amount(worth, Sense.EARNED)}, as a share of {whole_said(found)}.",
    )
    yield KeyFigure(
        "Possible at most",
        amount(float(found.bound_values.mean()), Sense.UPPER_BOUND) if bounded else NOTHING,
        "The worth of 100 %. No policy can earn more, not even one that knows all that comes. "
        "Duality of linear programming proves this.",
    )


def _policies(found: ReplayComparison, site: Site | None, offered: JobSizes) -> ToldTable:
    """A row for each policy, the best first: means over the trials."""
    order, of_bags = found.ranked, found.question.of_bags

    def means(figure: str) -> list[float]:
        return [found.mean(one, attrgetter(f"score.{figure}")) for one in order]

    def seconds(figure: str, sense: Sense) -> list[str]:
        return [duration(mean, sense) for mean in means(figure)]

    def numbers(figure: str) -> list[str]:
        return [amount(mean, Sense.PLAIN) for mean in means(figure)]

    columns = {"Method" if of_bags else "Policy": [policy_label(one) for one in order]}
    if not of_bags:
        columns["Worth"] = [mean_within(found.interval(one, worth_of)) for one in order]
        if found.question.bounded:
            columns["Of what is possible"] = [share_within(found.share(one)) for one in order]
        columns["Of the worth without waiting"] = [
            share_within(found.published_share(one)) for one in order
        ]
        currency = "" if site is None else site.currency
        columns |= value_columns(found) | cost_column(found, offered, currency)
    columns["Energy"] = [energy_said(found, one) for one in order]
    if site is not None:
        columns |= money_columns((found.cost(one, site) for one in order), site)
    budgets = [found.mean(one, _budget) for one in order]
    if math.isfinite(budgets[0]):
        drawn = list(zip(means("joules_of_jobs"), budgets, strict=True))
        if any(found.mean(one, _beside) > 0 for one in order):
            columns["Energy of jobs"] = [energies(*one)[0] for one in drawn]
        columns["Of the budget"] = [
            share(joules / budget if budget > 0 else None, Sense.SPENT) for joules, budget in drawn
        ]
    columns |= {
        "Jobs done": numbers("completed"),
        "Dropped": numbers("dropped"),
        "Mean time to the end": seconds("mean_flow", Sense.PLAIN),
        "Worst delay factor": numbers("max_stretch"),
        "Makespan": seconds("makespan", Sense.SPENT),
    }
    title = f"{'Methods' if of_bags else 'Policies'} beside each other"
    return ToldTable.of_columns(title, columns, marked=0)


def with_replay_times(policies: ToldTable, found: ReplayComparison) -> ToldTable:
    """The table of the policies with the mean time that a replay took on this computer."""
    means = (found.mean(policy, attrgetter("score.seconds")) for policy in found.ranked)
    took = [duration(seconds, Sense.PLAIN) for seconds in means]
    rows = tuple((*row, time) for row, time in zip(policies.rows, took, strict=True))
    return replace(policies, head=(*policies.head, "Replayed in"), rows=rows)


def replay_data(found: ReplayComparison, site: Site | None = None) -> dict[str, object]:
    """Means over the trials for each policy, with intervals of 95 % confidence, and what its energy
    costs at a site; None where something is not known.
    """

    def mean(bounds: FloatArray) -> float | None:
        return float(bounds.mean()) if bounds.size else None

    return {
        "policies": {policy: _of_policy(found, policy, site) for policy in found.ranked},
        "bound": mean(found.bound_values),
        "makespan_bound": mean(found.bag_bounds("makespan")),
        "energy_bound": mean(found.bag_bounds("joules")),
        "jobs": found.mean(found.ranked[0], _jobs) if found.ranked else None,
        "trials": len(found.common),
        **prices_data(found),
    }


def _of_policy(found: ReplayComparison, policy: str, site: Site | None) -> dict[str, object]:
    def mean(figure: str) -> float:
        return found.mean(policy, attrgetter(f"score.{figure}"))

    share = found.share(policy) if found.question.bounded else None
    published, behind = found.published_share(policy), found.more(found.ranked[0], policy, worth_of)
    budget, seconds, events = found.mean(policy, _budget), mean("seconds"), mean("events")
    counted_alike = ("completed", "dropped", "mean_flow", "max_stretch", "makespan")
    return {
        "worth": mean("worth"),
        "worth_share": share.mean if share else None,
        "published_share": published.mean,
        "energy": mean("joules"),
        "energy_of_jobs": mean("joules_of_jobs"),
        **({} if site is None else found.cost(policy, site)._asdict()),
        "budget": budget if math.isfinite(budget) else None,
        **{name: mean(name) for name in counted_alike},
        "confidence95": {
            "worth": found.interval(policy, worth_of).ends,
            "worth_share": share.ends if share else None,
            "published_share": published.ends,
            "energy": found.interval(policy, joules_of).ends,
            "worth_behind_best": behind.ends,
        },
        "seconds": seconds,
        "seconds_per_event": seconds / events if events else None,
        "verified": policy not in found.refused,
        **value_data(found, policy),
        **stops_data(found, policy),
        **(expected_data(found, policy) if policy in BAG_METHODS else {}),
    }


_ALL_FAILED = 5


def replay_failures(found: ReplayComparison) -> list[str]:
    """A sentence for each of the first replays that failed."""
    said = [f"the replay of {one.input} failed: {one.why}" for one in found.failed[:_ALL_FAILED]]
    more = len(found.failed) - _ALL_FAILED
    return [*said, f"... and {more} more"] if more > 0 else said
