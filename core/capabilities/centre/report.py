"""The section of the report on a day of a centre: power, temperature, worth of one more."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from core.capabilities.centre.answer import CentreAnswer, answered
from core.capabilities.centre.asked import AskedCentre
from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.plan import DayMeasures
from core.capabilities.centre.told import told, worth_bars
from core.engines.front.study import Study
from core.engines.signals.zones import EPOCH
from core.shells.report import markup
from core.shells.report.bars_picture import bars_picture
from core.shells.report.svg import Scale, SvgDrawing
from core.shells.studies.settings import Choice, StudySettings
from core.vocabulary.arrays import FloatArray
from core.vocabulary.problems import InvalidInput
from core.vocabulary.say.units import power_unit
from core.vocabulary.say.words import HOUR, Sense, amount

_TITLE: Final = "A day of the centre"
_CAPTION: Final = (
    "Above: what the centre draws, in bands that add up. The thick line is the target, the thin "
    "one green power. Below: the inside temperature, which must never be above its limit."
)
_WORTH: Final = (
    "By how much the bound falls, at most, with one more of each, and everything else as it is."
)


def section(_study: Study | None, settings: StudySettings, _choice: Choice | None) -> str:
    """The section on the centre of the study; empty if it has none. What is not known is computed
    again.
    """
    asked = settings.block(AskedCentre)
    if asked is None:
        return ""
    try:
        found = asked.found or answered(asked.here, asked.in_force, asked.methods, asked.curves)
    except InvalidInput as refused:
        lead = markup.paragraph("No plan keeps all that is asked.", "lead")
        return markup.section(
            _TITLE, lead, markup.items(fault.message for fault in refused.problems)
        )
    return markup.told_section(_TITLE, told(found), *_pictures(found))


def _pictures(found: CentreAnswer) -> Iterator[str]:
    measures = found.ours.measures
    if measures is not None:
        yield markup.figure(day_picture(found.file, measures), _CAPTION)
    if (bars := worth_bars(found)) is not None:
        yield markup.figure(bars_picture(bars), _WORTH)


class _Band(NamedTuple):
    """What `DayMeasures` calls a band of power, its name for people and its style."""

    measured: str
    said: str
    style: str


_BANDS: Final = (
    _Band("asleep", "asleep", "impossible"),
    _Band("busy", "at work", "t0"),
    _Band("idle", "awake without a job", "others"),
    _Band("starting", "starting", "t4"),
    _Band("fans", "fan", "t6"),
    _Band("compressor", "compressor", "t3"),
)
"""The bands from the bottom up."""
_LEFT, _RIGHT = 64.0, 728.0
_POWER: Final = (44.0, 260.0)
_INSIDE: Final = (300.0, 390.0)
"""From where to where each panel is, in pixels from above."""
_HEIGHT: Final = 432.0
_ROOM: Final = 1.05
_TICKS: Final = 7
_KEY: Final = 12.0


def day_picture(file: CentreFile, measures: DayMeasures) -> SvgDrawing:
    """Power in bands with target and green power, and the inside temperature, on one time axis."""
    day = file.day()
    drawing = SvgDrawing(_HEIGHT, "Power and inside temperature over the day")
    across = Scale(0.0, day.steps * day.step, _LEFT, _RIGHT)
    edges = across.of(day.step * np.arange(day.steps + 1.0))
    times = [(across(at), said) for at, said in _times(file)]
    for (top, bottom), last in ((_POWER, False), (_INSIDE, True)):
        drawing.grid([(x, said if last else "") for x, said in times], top, bottom)
    _draw_power(drawing, file, measures, edges)
    _draw_inside(drawing, file, measures, edges)
    title = f"{_moment(file, 0.0):%-d %B %Y}, {file.grid.zone}"
    drawing.text((_LEFT + _RIGHT) / 2, _HEIGHT - 8, title, "middle title")
    return drawing


def _moment(file: CentreFile, seconds: float) -> datetime:
    at = EPOCH + timedelta(seconds=file.grid.begins + seconds)
    return at.astimezone(ZoneInfo(file.grid.zone))


def _times(file: CentreFile) -> Iterator[tuple[float, str]]:
    """Moments of the day, in seconds since it began, and what the clock shows then."""
    every = HOUR * max(np.ceil(file.grid.seconds / HOUR / _TICKS), 0.25)
    for at in np.arange(0.0, file.grid.seconds + 1, every).tolist():
        yield at, f"{_moment(file, at):%H:%M}"


def _draw_power(
    drawing: SvgDrawing, file: CentreFile, measures: DayMeasures, edges: FloatArray
) -> None:
    curves = file.day().curves
    target, green = curves.target, curves.green
    seen = target[target < file.most_watts].max(initial=0.0)
    most = max(float(measures.power.max()), float(seen), 1.0) * _ROOM
    unit = power_unit(most)
    up = Scale(0.0, most / unit.size, _POWER[1], _POWER[0])
    _draw_side(drawing, up, f"Power ({unit.symbol})")
    below, key = np.zeros(len(measures.power)), _LEFT
    for band in _BANDS:
        watts = getattr(measures, band.measured)
        if not watts.any():
            continue
        above = below + watts
        lower, upper = (_stairs(edges, up.of(one / unit.size)) for one in (below, above))
        drawing.polygon(np.concatenate([upper, lower[::-1]]), band.style)
        below = above
        key = _draw_key(drawing, key, band)
    if green.any():
        shown = up.of(np.minimum(green, most) / unit.size)
        for style in ("halo", "interval"):
            drawing.line(_stairs(edges, shown), style)
    if (target < file.most_watts).any():
        drawing.line(_stairs(edges, up.of(np.minimum(target, most) / unit.size)), "chosen")


def _draw_key(drawing: SvgDrawing, left: float, band: _Band) -> float:
    """A square and its name above the panel; where the next begins."""
    drawing.bars([(left, _POWER[0] - 28, _KEY, _KEY)], band.style)
    drawing.text(left + _KEY + 5, _POWER[0] - 18, band.said, "start")
    return left + _KEY + 24 + _LETTER * len(band.said)


_LETTER: Final = 6.4


def _draw_inside(
    drawing: SvgDrawing, file: CentreFile, measures: DayMeasures, edges: FloatArray
) -> None:
    inside, limit = measures.inside, file.centre.limit
    low, high = min(float(inside.min()), limit) - 1, max(float(inside.max()), limit) + 1
    up = Scale(low, high, _INSIDE[1], _INSIDE[0])
    _draw_side(drawing, up, "Inside (°C)")
    drawing.line(np.stack([edges, up.of(inside)], axis=1), "stairs bound")
    drawing.line(np.array([[_LEFT, up(limit)], [_RIGHT, up(limit)]]), "axis")
    said = f"limit {amount(limit, Sense.TYPED, '°C')}"
    drawing.text(_RIGHT, up(limit) - 4, said, "end")


def _draw_side(drawing: SvgDrawing, up: Scale, title: str) -> None:
    for y, said in up.said(4):
        drawing.line(np.array([[_LEFT, y], [_RIGHT, y]]), "grid")
        drawing.text(_LEFT - 8, y + 4, said, "end")
    drawing.line(np.array([[_LEFT, up.start], [_RIGHT, up.start]]), "axis")
    drawing.text(14, (up.start + up.end) / 2, title, "middle title", turned=True)


def _stairs(edges: FloatArray, values: FloatArray) -> FloatArray:
    """The corners of a line with a value between each two edges."""
    return np.stack([np.repeat(edges, 2)[1:-1], np.repeat(values, 2)], axis=1)
