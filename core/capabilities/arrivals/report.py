"""The section of the report on work that arrives: what each policy earns, and with which energy."""

from dataclasses import replace
from typing import Final

from core.capabilities.arrivals.asked import WORKLOADS
from core.capabilities.arrivals.bags_told import told as told_of_bags
from core.capabilities.arrivals.report_picture import ProvenLimit, RatedBar, bars_picture
from core.capabilities.arrivals.study_block import AskedArrivals, arrivals_in
from core.capabilities.arrivals.told import told, whole_said
from core.capabilities.arrivals.trials import ReplayComparison, compare_policies
from core.capabilities.arrivals.uncertain.trials import BagTrials, proven, tried
from core.capabilities.arrivals.words import policy_label
from core.engines.compute.executors import InThisThread
from core.engines.front.study import Study
from core.shells.report import markup
from core.shells.studies.settings import Choice, StudySettings
from core.vocabulary.intervals import Interval
from core.vocabulary.say.words import Sense, duration

_TITLE: Final = "Work that arrives"
_MOST_DAYS: Final = 3
"""More would make a report wait that computes them; `wattfront replay` takes them all."""


_INTERVALS: Final = " Lines at the ends are intervals of 95 %."


def section(_study: Study | None, settings: StudySettings, _choice: Choice | None) -> str:
    """The section on what was found; if nothing is known, the first days are replayed again."""
    asked = arrivals_in(settings)
    if asked is None:
        return ""
    found = _computed(asked) if asked.found is None else asked.found
    return _of_bags(found) if isinstance(found, BagTrials) else _of_policies(asked, found)


def _computed(asked: AskedArrivals) -> ReplayComparison | BagTrials:
    settings = replace(asked.settings, days=min(asked.settings.days, _MOST_DAYS))
    if settings.of_bags:
        bags = BagTrials(settings)
        for bag, method in bags.left:
            bags = bags.with_run(method, bag, tried(settings, bag, method))
        for bag in bags.unproven:
            bags = bags.with_bound(bag, proven(settings, bag))
        return bags
    found = compare_policies(settings.question(asked.given), InThisThread())
    return replace(found, question=replace(found.question, trials=asked.settings.days))


def _of_policies(asked: AskedArrivals, found: ReplayComparison) -> str:
    """What the policies earn; the best is named first."""
    given, order = asked.given, found.ranked
    name = WORKLOADS[asked.settings.workload] if given is None else given.name
    if not order:
        return markup.told_section(_TITLE, told(found, name))
    bounded, of = found.question.bounded, whole_said(found)
    limit = ProvenLimit(100.0, "possible at most") if bounded else None
    bars = [
        RatedBar(policy_label(one), _scaled(found.means(one).share, 0.01), one == order[0])
        for one in order
    ]
    caption = f"What the jobs earn under each policy, as a share of {of}."
    caption += _INTERVALS if len(found.common) > 1 else ""
    caption += " No policy can pass the line." if bounded else ""
    picture = markup.figure(bars_picture(bars, f"Worth (% of {of})", limit), caption)
    return markup.told_section(_TITLE, told(found, name), picture)


def _of_bags(found: BagTrials) -> str:
    """What the methods expect of bags, and what then happens."""
    if not found.methods:
        return markup.told_section(_TITLE, told_of_bags(found))
    order = sorted(found.methods, key=lambda one: found.mean(one, "seconds").mean)
    unit, bound = found.unit("seconds"), found.bound("seconds")
    bars = [
        RatedBar(policy_label(one), _scaled(found.mean(one, "seconds"), unit.size), not k)
        for k, one in enumerate(order)
    ]
    least = None
    if bound is not None:
        least = ProvenLimit(
            bound / unit.size, f"possible at least: {duration(bound, Sense.LOWER_BOUND)}"
        )
    caption = "The mean time after which the last task of a bag ends under each method."
    caption += " No method can end before the line." if least else ""
    caption += _INTERVALS if found.settings.days > 1 else ""
    picture = markup.figure(bars_picture(bars, f"Makespan ({unit.symbol})", least), caption)
    return markup.told_section(_TITLE, told_of_bags(found), picture)


def _scaled(interval: Interval, unit: float) -> Interval:
    return Interval(interval.mean / unit, interval.half_width / unit)
