"""The trade-off in the report: what is told, its picture, and the schedules on the front."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import numpy as np

from core.capabilities.trade_offs.here import here_said, you_are_here
from core.capabilities.trade_offs.told import BALANCED, told
from core.engines.front.axis import usual_axis
from core.engines.front.study import Study
from core.shells.report import markup
from core.shells.report.svg import Scale, SvgDrawing, draw_axes
from core.shells.report.tables import MOST_ROWS, evenly
from core.shells.studies.settings import Choice, StudySettings
from core.shells.told.told import ToldTable
from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.boundaries import extended
from core.vocabulary.say.units import energy_unit, time_unit
from core.vocabulary.say.words import Sense, amount, duration, share
from core.vocabulary.schedule import Schedule
from core.vocabulary.tolerances import NOT_DIVISIBLE


def section(study: Study, settings: StudySettings, choice: Choice | None) -> str:
    """What is told, the picture of the front, and its schedules; the chosen one is marked."""
    chosen = None if choice is None else choice.schedule
    caption = (
        "Down and left is better. No schedule, not even one that splits tasks, is in the grey "
        "region; schedules that exist dominate the blue one; better ones may be in between."
    )
    balanced = chosen if choice is not None and choice.title == BALANCED else None
    said = told(study, usual_axis(float(study.front.energy.max())), balanced=balanced)
    if len(study.achieved):
        here = you_are_here(settings.seen.placement, study.system)
        where = () if here is None else (here_said(here, study, chosen, settings.site),)
        table = schedules_table(study, settings, chosen)
        said = replace(said, sentences=(*where, *said.sentences), tables=(table,))
    picture = markup.figure(front_picture(study, chosen), caption)
    return markup.told_section("The trade-off", said, picture)


def schedules_table(
    study: Study, settings: StudySettings, chosen: Schedule | None = None
) -> ToldTable:
    """The schedules on the Pareto front, the fastest first; if they are many, an even selection."""
    points = study.achieved[::-1]
    here = None
    shown = evenly(len(points), MOST_ROWS)
    if chosen is not None:
        same = (points == [chosen.energy, chosen.makespan]).all(axis=1)
        if same.any():
            shown = np.union1d(shown, np.flatnonzero(same)[:1])
            here = int(np.searchsorted(shown, int(same.argmax())))
    joules, seconds = points[shown].T
    watts = np.divide(joules, seconds, out=np.full(len(shown), np.nan), where=seconds > 0)
    most = float(points[0, 0])
    saved = 1 - joules / most if most > 0 else np.full(len(shown), np.nan)
    energy, site = energy_unit(float(points[:, 0].max())), settings.site
    columns = {
        "Makespan": [duration(one, Sense.SPENT) for one in seconds.tolist()],
        f"Energy ({energy.symbol})": _amounts((joules / energy.size).tolist()),
    }
    if site is not None:
        columns[f"Cost ({site.currency})"] = _amounts(map(site.tariff.cost, joules.tolist()))
        if site.carbon:
            columns["Carbon (kg CO₂)"] = _amounts(map(site.tariff.carbon, joules.tolist()))
    gaps = study.proven.energy_gaps(points[shown])
    columns |= {
        "Average power (kW)": _amounts((watts / 1e3).tolist()),
        "Saved against the fastest": [share(one, Sense.EARNED) for one in saved.tolist()],
        "Above the bound, at most": [share(one, Sense.UPPER_BOUND) for one in gaps.tolist()],
    }
    more = len(points) - len(shown)
    note = f"{more:,} more lie in between; the study file has them." if more else ""
    return ToldTable.of_columns("Schedules on the Pareto front", columns, here, note)


def _amounts(values: Iterable[float]) -> list[str]:
    return [amount(one, Sense.SPENT) for one in values]


HEIGHT: Final = 430.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 62.0, 40.0, 744.0, 376.0
_CHARACTER: Final = 6.6
_ROOM: Final = 0.06
# For a front of one point, the axes extend by this share of its coordinates.
_LEAST_EXTENT: Final = 1e-3


def front_picture(study: Study, chosen: Schedule | None) -> SvgDrawing:
    """The picture: impossible below the proven lines, achieved above the staircase of schedules."""
    points = [study.front.points, study.achieved, study.nadir[None]]
    at = None if chosen is None else np.array([[chosen.energy, chosen.makespan]])
    seen = np.concatenate(points if at is None else [*points, at])
    energy, time = energy_unit(seen[:, 0].max()), time_unit(seen[:, 1].max())
    low, high = seen.min(axis=0), seen.max(axis=0)
    room = np.maximum(high - low, _LEAST_EXTENT * high)
    room = np.where(room > NOT_DIVISIBLE, room, 1.0)
    (left, bottom), (right, top) = low - _ROOM * room, high + _ROOM * room
    across = Scale(left / energy.size, right / energy.size, _LEFT, _RIGHT)
    up = Scale(bottom / time.size, top / time.size, _BOTTOM, _TOP)

    def placed(chain: FloatArray) -> FloatArray:
        return np.column_stack([across.of(energy.of(chain[:, 0])), up.of(time.of(chain[:, 1]))])

    corner = np.array([[right, top]])
    outer = extended(study.outer, right, top)
    below = np.array([[right, bottom], [left, bottom], [left, top]])
    drawing = SvgDrawing(HEIGHT, "Energy and makespan: what is impossible, possible, achieved")
    first = len(drawing.parts)
    drawing.polygon(placed(np.vstack([outer, below])), "impossible")
    drawing.polygon(placed(np.vstack([outer, corner])), "possible")
    if len(study.achieved):
        inner = extended(study.inner, right, top)
        drawing.polygon(placed(np.vstack([inner, corner])), "achieved")
        drawing.line(placed(inner), "stairs")
    drawing.line(placed(outer), "bound")
    drawing.clip(_LEFT, _TOP, _RIGHT - _LEFT, _BOTTOM - _TOP, first)
    drawing.dots(placed(study.front.points), 2.2, "vertex")
    drawing.dots(placed(study.achieved), 2.6, "schedule")
    if at is not None:
        drawing.dots(placed(at), 8, "chosen")
    draw_axes(drawing, across, up, (f"Energy ({energy.symbol})", f"Makespan ({time.symbol})"))
    _draw_key(drawing, with_schedules=bool(len(study.achieved)), with_choice=at is not None)
    return drawing


def _draw_key(drawing: SvgDrawing, *, with_schedules: bool, with_choice: bool) -> None:
    x, y = _LEFT, 20.0
    for style, said, shown in (
        ("impossible", "impossible (proven)", True),
        ("possible", "in between", True),
        ("achieved", "achieved", with_schedules),
    ):
        if shown:
            drawing.bars([(x, y - 9, 14, 11)], f"{style} key")
            drawing.text(x + 19, y, said, "start")
            x += 34 + _CHARACTER * len(said)
    for radius, style, said, shown in (
        (2.4, "vertex", "vertex of the bound", True),
        (2.8, "schedule", "schedule", with_schedules),
        (5.0, "chosen", "chosen", with_choice),
    ):
        if shown:
            drawing.dots(np.array([[x + 5, y - 4]]), radius, style)
            drawing.text(x + 14, y, said, "start")
            x += 30 + _CHARACTER * len(said)
