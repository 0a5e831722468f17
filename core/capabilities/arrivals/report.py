"""The section of the report on work that arrives: what each policy earns, and with which energy."""

from dataclasses import replace
from typing import Final

from core.capabilities.arrivals.bags_told import makespan_bars
from core.capabilities.arrivals.study_block import AskedArrivals
from core.capabilities.arrivals.told import told, whole_said, worth_bars
from core.capabilities.arrivals.trials import ReplayComparison, compare_policies
from core.engines.compute.executors import InThisThread
from core.engines.front.study import Study
from core.shells.report import markup
from core.shells.report.bars_picture import bars_picture
from core.shells.studies.settings import Choice, StudySettings
from core.vocabulary.prices.site import Site

_TITLES: Final = ("Work that arrives", "Tasks with uncertain run times")
_MOST_DAYS: Final = 3
"""More would make a report wait that computes them; `wattfront replay` takes them all."""


_INTERVALS: Final = " Lines at the ends are intervals of 95 %."


def section(_study: Study | None, settings: StudySettings, _choice: Choice | None) -> str:
    """A section on what was found of each question; what is not known is replayed again, the first
    days of it.
    """
    asked = sorted(settings.each(AskedArrivals), key=lambda one: one.settings.of_bags)
    return "".join(_section(one, settings.site) for one in asked)


def _section(asked: AskedArrivals, site: Site | None) -> str:
    found = _computed(asked) if asked.found is None else asked.found
    picture = _picture(found) if found.ranked else ""
    said = told(found, asked.settings.called(asked.given), site, asked.given)
    return markup.told_section(_TITLES[asked.settings.of_bags], said, picture)


def _computed(asked: AskedArrivals) -> ReplayComparison:
    settings = replace(asked.settings, days=min(asked.settings.days, _MOST_DAYS))
    found = compare_policies(settings.question(asked.given), InThisThread())
    return replace(found, question=replace(found.question, trials=asked.settings.days))


def _picture(found: ReplayComparison) -> str:
    """What the policies earn, or when bags end under each method."""
    if found.question.of_bags:
        bars, limit = makespan_bars(found), " No method can end before the line."
        caption = "The mean time after which the last task of a bag ends under each method."
    else:
        bars, limit = worth_bars(found), " No policy can pass the line."
        caption = f"What the jobs earn under each policy, as a share of {whole_said(found)}."
    caption += _INTERVALS if len(found.common) > 1 else ""
    caption += limit if bars.limit is not None else ""
    return markup.figure(bars_picture(bars), caption)
