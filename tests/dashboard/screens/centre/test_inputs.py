"""A target by the hour of the clock is that of each step, also when the clock is moved."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import numpy as np
from shown_days import small_answer

from core.capabilities.centre.files.centre_file import CentreFile, DayGrid
from core.engines.signals.kinds import CARBON, TARGET
from dashboard.screens.centre.inputs import target_corners, with_target
from dashboard.screens.centre.target_panel import has_target


def file_of(begin: str, hours: int) -> CentreFile:
    zone = "Europe/London"
    begins = datetime.fromisoformat(begin).replace(tzinfo=ZoneInfo(zone)).timestamp()
    file = small_answer().file
    grid = DayGrid(begins, 900.0, 4 * hours, zone)
    all_day = {**file.signals.all_day, TARGET: 2000.0}
    signals = replace(file.signals, came={}, forecast={}, all_day=all_day)
    return replace(file, grid=grid, signals=signals)


def test_levels_hold_from_their_hours_on() -> None:
    file = file_of("2026-08-01T01:00", 24)
    changed = with_target(file, ((17.0, 0.7), (1.0, 1.5), (21.0, 1.5)))
    target = changed.day().curves.target
    assert target.tolist() == [1500.0] * 64 + [700.0] * 16 + [1500.0] * 16
    assert target_corners(changed, target) == [(0.0, 1500.0), (57600.0, 700.0), (72000.0, 1500.0)]
    assert has_target(changed)
    moved = replace(file, moved={TARGET: 7, CARBON: 7})
    assert with_target(moved, ((1.0, 1.5),)).moved == {CARBON: 7}, "what is typed is of this day"


def test_hours_are_those_of_the_clock() -> None:
    longer = with_target(file_of("2026-10-25T00:00", 25), ((0.0, 1.0), (12.0, 2.0)))
    assert (longer.day().curves.target == 1000).sum() == 13 * 4
    week = with_target(file_of("2026-08-01T00:00", 48), ((0.0, 1.0), (12.0, 2.0)))
    assert np.array_equal(*np.split(week.day().curves.target, 2))


def test_without_a_target_the_files_hold() -> None:
    file = file_of("2026-08-01T00:00", 24)
    assert with_target(file, ()) is file
    assert (file.day().curves.target == 2000).all()
    assert not has_target(small_answer().file)
