"""The section of the report on work that arrives: what each policy earns, and with which energy."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.arrivals.bags_told import unit_of_bags
from core.capabilities.arrivals.study_block import AskedArrivals
from core.capabilities.arrivals.told import policy_label, told, whole_said
from core.capabilities.arrivals.trials import ReplayComparison, compare_policies, makespan_of
from core.engines.compute.executors import InThisThread
from core.engines.front.study import Study
from core.shells.report import markup
from core.shells.report.svg import Scale, SvgDrawing, tick
from core.shells.studies.settings import Choice, StudySettings
from core.vocabulary.intervals import Interval
from core.vocabulary.say.words import Sense, duration

_TITLE: Final = "Work that arrives"
_MOST_DAYS: Final = 3
"""More would make a report wait that computes them; `wattfront replay` takes them all."""


_INTERVALS: Final = " Lines at the ends are intervals of 95 %."


def section(_study: Study | None, settings: StudySettings, _choice: Choice | None) -> str:
    """The section on what was found; if nothing is known, the first days are replayed again."""
    asked = settings.block(AskedArrivals)
    if asked is None:
        return ""
    found = _computed(asked) if asked.found is None else asked.found
    picture = (_makespans if found.question.of_bags else _worths)(found) if found.ranked else ""
    return markup.told_section(_TITLE, told(found, asked.settings.called(asked.given)), picture)


def _computed(asked: AskedArrivals) -> ReplayComparison:
    settings = replace(asked.settings, days=min(asked.settings.days, _MOST_DAYS))
    found = compare_policies(settings.question(asked.given), InThisThread())
    return replace(found, question=replace(found.question, trials=asked.settings.days))


def _worths(found: ReplayComparison) -> str:
    """What the policies earn."""
    bounded, of = found.question.bounded, whole_said(found)
    caption = f"What the jobs earn under each policy, as a share of {of}."
    caption += _INTERVALS if len(found.common) > 1 else ""
    caption += " No policy can pass the line." if bounded else ""
    limit = ProvenLimit(100.0, "possible at most") if bounded else None
    bars = _bars(found, found.share, 0.01)
    return markup.figure(bars_picture(bars, f"Worth (% of {of})", limit), caption)


def _makespans(found: ReplayComparison) -> str:
    """When bags end under each method."""
    unit, bounds = unit_of_bags(found, "makespan"), found.bag_bounds("makespan")
    least = None
    if bounds.size:
        said = f"possible at least: {duration(float(bounds.mean()), Sense.LOWER_BOUND)}"
        least = ProvenLimit(float(bounds.mean()) / unit.size, said)
    caption = "The mean time after which the last task of a bag ends under each method."
    caption += " No method can end before the line." if least else ""
    caption += _INTERVALS if len(found.common) > 1 else ""
    bars = _bars(found, lambda one: found.interval(one, makespan_of), unit.size)
    return markup.figure(bars_picture(bars, f"Makespan ({unit.symbol})", least), caption)


def _bars(
    found: ReplayComparison, mean: Callable[[str], Interval], unit: float
) -> list["RatedBar"]:
    """A bar for each policy, the best first."""
    return [
        RatedBar(policy_label(one), _scaled(mean(one), unit), not place)
        for place, one in enumerate(found.ranked)
    ]


def _scaled(interval: Interval, unit: float) -> Interval:
    return Interval(interval.mean / unit, interval.half_width / unit)


WIDTH: Final = 760.0
_LEFT, _TOP, _RIGHT, _BELOW = 210.0, 30.0, 744.0, 46.0
_ROW: Final = 26.0
_BAR: Final = 0.62
_CAP: Final = 4.0
_ROOM: Final = 1.04


class RatedBar(NamedTuple):
    """A bar in the unit of the axis; the best has a colour of its own."""

    label: str
    value: Interval
    is_best: bool


class ProvenLimit(NamedTuple):
    """A line that no bar passes, and the text at it."""

    value: float
    text: str


def bars_picture(bars: Sequence[RatedBar], axis: str, limit: ProvenLimit | None) -> SvgDrawing:
    """The bars from top to bottom; `axis` is the title below them."""
    height = _TOP + _ROW * len(bars) + _BELOW
    bottom = height - _BELOW
    sides = [_sides(bar.value, limit) for bar in bars]
    ends = [bar.value.mean + above for bar, (_, above) in zip(bars, sides, strict=True)]
    most = max(*ends, 0.0 if limit is None else limit.value) or 1.0
    across = Scale(0.0, _ROOM * most, _LEFT, _RIGHT)
    drawing = SvgDrawing(WIDTH, height, axis)
    for value in across.ticks(6):
        x = across(value)
        drawing.line(np.array([[x, _TOP], [x, bottom]]), "grid")
        drawing.text(x, bottom + 17, tick(value), "middle")
    for row, (bar, (below, above)) in enumerate(zip(bars, sides, strict=True)):
        top = _TOP + _ROW * (row + (1 - _BAR) / 2)
        middle, mean = top + _ROW * _BAR / 2, across(max(bar.value.mean, 0.0))
        style = "schedule" if bar.is_best else "others"
        drawing.bars([(_LEFT, top, mean - _LEFT, _ROW * _BAR)], style)
        drawing.text(_LEFT - 8, middle + 4, bar.label, "end")
        if math.isfinite(bar.value.half_width):
            low, high = across(bar.value.mean - below), across(bar.value.mean + above)
            _draw_interval(drawing, low, high, middle)
    drawing.line(np.array([[_LEFT, _TOP], [_LEFT, bottom]]), "axis")
    if limit is not None:
        x = across(limit.value)
        drawing.line(np.array([[x, _TOP - 6], [x, bottom]]), "bound")
        drawing.text(x, _TOP - 12, limit.text, "end" if x > (_LEFT + _RIGHT) / 2 else "start")
    drawing.text((_LEFT + _RIGHT) / 2, height - 8, axis, "middle title")
    return drawing


def _sides(value: Interval, limit: ProvenLimit | None) -> tuple[float, float]:
    """How far the interval of a bar reaches below and above its end: not past the limit either."""
    if limit is None:
        return value.sides(0.0)
    return value.sides(limit.value) if value.mean > limit.value else value.sides(0.0, limit.value)


def _draw_interval(drawing: SvgDrawing, low: float, high: float, y: float) -> None:
    """In ink on paper, so that also the half that lies on the bar is seen."""
    lines = [[[low, y], [high, y]], *([[x, y - _CAP], [x, y + _CAP]] for x in (low, high))]
    for style in ("halo", "interval"):
        for line in lines:
            drawing.line(np.array(line), style)
