"""The section of the report on work that arrives: what each policy earns, and with which energy."""

from dataclasses import replace
from typing import Final

import numpy as np

from core.capabilities.arrivals.bags_told import makespan_bars
from core.capabilities.arrivals.study_block import AskedArrivals
from core.capabilities.arrivals.told import told, whole_said, worth_bars
from core.capabilities.arrivals.trials import ReplayComparison, compare_policies
from core.engines.compute.executors import InThisThread
from core.engines.front.study import Study
from core.shells.report import markup
from core.shells.report.svg import Scale, SvgDrawing
from core.shells.studies.settings import Choice, StudySettings
from core.shells.told.bars import ToldBars
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


_LEFT, _TOP, _RIGHT, _BELOW = 210.0, 30.0, 744.0, 46.0
_ROW: Final = 26.0
_BAR: Final = 0.62
_CAP: Final = 4.0
_ROOM: Final = 1.04


def bars_picture(told: ToldBars) -> SvgDrawing:
    """The bars from top to bottom, with the title of the axis below them."""
    height = _TOP + _ROW * len(told.bars) + _BELOW
    bottom = height - _BELOW
    across = Scale(0.0, _ROOM * (told.end or 1.0), _LEFT, _RIGHT)
    drawing = SvgDrawing(height, told.axis)
    drawing.grid(across.said(6), _TOP, bottom)
    for row, (bar, (below, above)) in enumerate(zip(told.bars, told.sides, strict=True)):
        top = _TOP + _ROW * (row + (1 - _BAR) / 2)
        middle, mean = top + _ROW * _BAR / 2, across(max(bar.value.mean, 0.0))
        style = "others" if row else "schedule"
        drawing.bars([(_LEFT, top, mean - _LEFT, _ROW * _BAR)], style)
        drawing.text(_LEFT - 8, middle + 4, bar.label, "end")
        if bar.value.known:
            low, high = across(bar.value.mean - below), across(bar.value.mean + above)
            _draw_interval(drawing, low, high, middle)
    drawing.line(np.array([[_LEFT, _TOP], [_LEFT, bottom]]), "axis")
    if told.limit is not None:
        x = across(told.limit)
        drawing.line(np.array([[x, _TOP - 6], [x, bottom]]), "bound")
        drawing.text(x, _TOP - 12, told.limit_said, "end" if x > (_LEFT + _RIGHT) / 2 else "start")
    drawing.text((_LEFT + _RIGHT) / 2, height - 8, told.axis, "middle title")
    return drawing


def _draw_interval(drawing: SvgDrawing, low: float, high: float, y: float) -> None:
    """In ink on paper, so that also the half that lies on the bar is seen."""
    lines = [[[low, y], [high, y]], *([[x, y - _CAP], [x, y + _CAP]] for x in (low, high))]
    for style in ("halo", "interval"):
        for line in lines:
            drawing.line(np.array(line), style)
