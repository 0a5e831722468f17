"""The section of the report on work that arrives: what each policy earns, and with which energy."""

import math
from dataclasses import replace
from html import escape
from typing import Final

import numpy as np

from core.arrivals.asked import WORKLOADS, ArrivalsSettings
from core.arrivals.bag_trials import BagTrials, proven, tried
from core.arrivals.report_picture import ProvenLimit, RatedBar, bars_picture
from core.arrivals.study_block import AskedArrivals, arrivals_in
from core.arrivals.trials import PolicyMeans, ReplayComparison, compare_policies
from core.arrivals.uncertain_methods import BAG_METHODS, WEIGHED
from core.arrivals.words import (
    BOUND_MEANING,
    PUBLISHED_MAXIMUM,
    bags_lead,
    mean_in_unit,
    policy_label,
    ranked,
)
from core.engine.executors import InThisThread
from core.front.study import Study
from core.model.intervals import Interval
from core.report import markup
from core.say.within import points as points_said
from core.say.within import points_up, share_within
from core.say.words import NOTHING, Sense, amount, counted, duration, energies, energy, share
from core.studies.settings import Choice, StudySettings

_TITLE: Final = "Work that arrives"
_MOST_DAYS: Final = 3
"""More would make a report wait that computes them; `wattfront replay` takes them all."""


def section(_study: Study | None, settings: StudySettings, _choice: Choice | None) -> str:
    """The section on what was found; if nothing is known, the first days are replayed again."""
    asked = arrivals_in(settings)
    if asked is None:
        return ""
    found = _computed(asked) if asked.found is None else asked.found
    content = _of_bags(found) if isinstance(found, BagTrials) else _of_policies(asked, found)
    return markup.section(_TITLE, *content)


def _computed(asked: AskedArrivals) -> ReplayComparison | BagTrials:
    settings = replace(asked.settings, days=min(asked.settings.days, _MOST_DAYS))
    if settings.of_bags:
        bags = BagTrials(settings)
        for bag, method in bags.left:
            bags = bags.with_run(method, bag, tried(settings, bag, method))
        for bag in bags.unproven:
            bags = bags.with_bound(bag, proven(settings, bag))
        return bags
    return compare_policies(settings.question(asked.given), InThisThread())


def _of_policies(asked: AskedArrivals, found: ReplayComparison) -> list[str]:
    """What the policies earn; the best is named first."""
    if not found.common or not found.question.policies:
        return [markup.paragraph("No day was replayed under all policies.", "lead")]
    order = ranked(found)
    best = found.means(order[0])
    limit = ProvenLimit(100.0, "possible at most") if found.bounds else None
    bars = [
        RatedBar(policy_label(one), _percent(_part(found.means(one))), one == order[0])
        for one in order
    ]
    of = "what is possible at most" if found.bounds else "the published maximum"
    caption = f"What the jobs earn under each policy, as a share of {of}."
    caption += " Lines at the ends are intervals of 95 %." if len(found.common) > 1 else ""
    caption += " No policy can pass the line." if limit else ""
    return [
        markup.paragraph(_lead(order, best), "lead"),
        markup.items(_said(asked, found, order)),
        markup.figure(bars_picture(bars, f"Worth (% of {of})", limit), caption),
        "<h3>Policies beside each other</h3>",
        _policies_table(found, order),
    ]


def _part(means: PolicyMeans) -> Interval:
    """What a policy earns of what is possible at most; of the published maximum if no bound is
    known.
    """
    return means.bound_share or means.published_share


def _lead(order: list[str], best: PolicyMeans) -> str:
    of_bound = best.bound_share
    if of_bound is not None:
        said = f"{share(of_bound.mean, Sense.EARNED)} of what is possible at most (proven)"
    else:
        said = f"{share(best.published_share.mean, Sense.EARNED)} of the published maximum"
    name = policy_label(order[0])
    return f"{name} earns {said}." if len(order) == 1 else f"{name} earns most: {said}."


def _said(asked: AskedArrivals, found: ReplayComparison, order: list[str]) -> list[str]:
    """The workload, its energy budget, how sure the first place is, and what was checked."""
    said = [_workload(asked, found), _budget(asked, found, order[0])]
    if len(order) > 1:
        said.append(_second(found, order))
    wrong = [policy_label(one) for one in order if not found.means(one).verified]
    if wrong:
        names = ", ".join(wrong)
        said.append(f"NOT verified: an independent check disagrees with the outcomes of {names}.")
    else:
        said.append("Checked: a judge that shares no code with the replays agrees with each.")
    return [*said, PUBLISHED_MAXIMUM, *([BOUND_MEANING] if found.bounds else [])]


def _workload(asked: AskedArrivals, found: ReplayComparison) -> str:
    settings, days = asked.settings, len(found.common)
    jobs = counted(len(found.question.file(found.common[0]).workload.jobs), "job")
    if asked.given is not None and settings.workload == "own":
        return f"The workload: {asked.given.name}, {jobs}."
    drawn = f"{counted(days, 'day')} drawn from seed {settings.seed} on"
    said = f"The workload: {WORKLOADS[settings.workload]}, {drawn}; {jobs} on the first."
    if days < settings.days:
        said += f" {counted(settings.days, 'day')} were asked for."
    return said


def _budget(asked: AskedArrivals, found: ReplayComparison, best: str) -> str:
    means = found.means(best)
    joules, budget = means.mean(lambda one: one.score.joules), means.mean(lambda one: one.budget)
    name = policy_label(best)
    if not math.isfinite(budget):
        return f"There is no energy budget; {name} takes {energy(joules, Sense.PLAIN)}."
    spent, allowed = energies(joules, budget)
    part = asked.settings.budget
    of_free = "" if part is None else f", {share(part, Sense.TYPED)} of what Max UPR takes without"
    mean = " on average" if len(found.common) > 1 else ""
    return f"Jobs may take {allowed}{mean}{of_free}; {name} takes {spent}."


def _second(found: ReplayComparison, order: list[str]) -> str:
    first, second = order[:2]
    whole = found.bound_values if found.bounds else found.values(first, lambda one: one.maximum)
    gain = found.values(first, lambda one: one.score.worth) - found.values(
        second, lambda one: one.score.worth
    )
    gap = Interval.of(np.divide(gain, whole, out=np.zeros(len(whole)), where=whole > 0))
    name = policy_label(second)
    if gap.mean <= 0:
        return f"{name} is as good."
    if not math.isfinite(gap.half_width):
        on = "one day" if isinstance(found.question.source, str) else "workload"
        return f"{name} is next, {points_said(gap.mean)} percentage points below, on this {on}."
    between = f"{points_said(gap.mean)} ± {points_up(gap.half_width)}"
    sure = "" if gap.low > 0 else " More days may change the order."
    return f"{name} is next, {between} percentage points below on the same days.{sure}"


def _policies_table(found: ReplayComparison, order: list[str]) -> str:
    rows = []
    for policy in order:
        means = found.means(policy)
        of_bound = means.bound_share
        joules, allowed = (
            means.mean(lambda one: one.score.joules),
            means.mean(lambda one: one.budget),
        )
        part = joules / allowed if math.isfinite(allowed) and allowed > 0 else None
        rows.append(
            [
                escape(policy_label(policy)),
                _share(means.published_share),
                NOTHING if of_bound is None else _share(of_bound),
                energy(joules, Sense.PLAIN),
                share(part, Sense.SPENT),
                amount(means.mean(lambda one: one.score.completed), Sense.PLAIN),
                amount(means.mean(lambda one: one.score.dropped), Sense.PLAIN),
                duration(means.mean(lambda one: one.score.mean_flow), Sense.PLAIN),
            ]
        )
    head = ["Policy", "Of the published maximum", "Of the bound", "Energy", "Of the budget"]
    head += ["Jobs done", "Dropped", "Mean flow"]
    return markup.table(head, rows, marked=0)


def _of_bags(found: BagTrials) -> list[str]:
    """What the methods expect of bags, and what then happens."""
    if not found.methods:
        return [markup.paragraph("No bag was run yet.", "lead")]
    order = sorted(found.methods, key=lambda one: found.mean(one, "seconds").mean)
    best = order[0]
    bags = len(found.of(best, "seconds"))
    settings = found.settings
    said = (
        f"The workload: {counted(bags, 'bag')} of tasks of one core on {settings.machines} "
        f"machines, drawn from seed {settings.seed} on, with {settings.errors} errors of estimates."
    )
    unit = found.unit("seconds")
    bars = [
        RatedBar(BAG_METHODS[one].label, _scaled(found.mean(one, "seconds"), unit.size), not k)
        for k, one in enumerate(order)
    ]
    bound = found.bound("seconds")
    least = None
    if bound is not None:
        least = ProvenLimit(
            bound / unit.size, f"possible at least: {duration(bound, Sense.LOWER_BOUND)}"
        )
    caption = "The mean time after which the last task of a bag ends under each method."
    caption += " No method can end before the line." if least else ""
    caption += " Lines at the ends are intervals of 95 %." if bags > 1 else ""
    return [
        markup.paragraph(bags_lead(found), "lead"),
        markup.items([said, *_exchange(settings)]),
        markup.figure(bars_picture(bars, f"Makespan ({unit.symbol})", least), caption),
        "<h3>Expected from estimates, and what then happened</h3>",
        _bags_table(found, order),
    ]


def _exchange(settings: ArrivalsSettings) -> list[str]:
    """What a second is worth, if somebody has said it."""
    if settings.exchange is None or WEIGHED.name not in settings.methods:
        return []
    joules = energy(settings.exchange, Sense.TYPED)
    return [f"The method {WEIGHED.label} takes a second less of makespan for {joules}."]


def _bags_table(found: BagTrials, order: list[str]) -> str:
    columns = {
        "Expected makespan": "expected_seconds",
        "Actual makespan": "seconds",
        "Expected energy": "expected_joules",
        "Actual energy": "joules",
    }
    units = {figure: found.unit(figure) for figure in columns.values()}
    rows = [
        [
            escape(BAG_METHODS[one].label),
            *(mean_in_unit(found.mean(one, figure), unit) for figure, unit in units.items()),
            *(_above(found, one, figure) for figure in ("seconds", "joules")),
        ]
        for one in order
    ]
    head = ["Method", *columns]
    head += ["Makespan above the bound", "Energy above the bound"]
    return markup.table(head, rows, marked=0)


def _above(found: BagTrials, method: str, figure: str) -> str:
    part = found.above_bound(method, figure)
    return NOTHING if part is None else f"at most {share(part.mean, Sense.UPPER_BOUND)}"


def _share(interval: Interval) -> str:
    if not math.isfinite(interval.half_width):
        return share(interval.mean, Sense.PLAIN)
    return share_within(interval.mean, interval.half_width)


def _percent(interval: Interval) -> Interval:
    return _scaled(interval, 0.01)


def _scaled(interval: Interval, unit: float) -> Interval:
    return Interval(interval.mean / unit, interval.half_width / unit)
