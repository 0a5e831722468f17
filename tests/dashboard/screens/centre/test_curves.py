"""Curves of other dates move by whole days, and keep their hours by the clock of the centre."""

from datetime import datetime
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.files.centre_file import DayGrid
from core.engines.signals.kinds import PRICE
from core.engines.signals.signal import Signal
from core.vocabulary.say.words import DAY, HOUR
from dashboard.screens.centre.curves import missing, moved_to

LONDON = ZoneInfo("Europe/London")


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=LONDON).timestamp()


def grid(begin: str) -> DayGrid:
    return DayGrid(at(begin), 900.0, 96, LONDON.key)


def hours(begin: float, count: int, issued: float | None = None) -> Signal:
    """A price for each hour, of its number."""
    begins = begin + HOUR * np.arange(count)
    when = None if issued is None else np.full(count, issued)
    return Signal(PRICE, begins, np.full(count, HOUR), np.arange(count), when)


@pytest.mark.parametrize(
    ("begin", "count", "days", "first"),
    [
        ("2025-08-01T00:00", 24, 365, 0),
        ("2026-08-03T00:00", 24, -2, 0),
        ("2025-08-01T00:00", 72, 363, 48),
        ("2026-08-03T00:00", 72, -2, 0),
        ("2026-01-15T00:00", 24, 198, 0),
    ],
)
def test_days_and_hours(begin: str, count: int, days: int, first: int) -> None:
    """The nearest day of several; also from winter to summer, when clocks differ by an hour."""
    day = grid("2026-08-01T00:00")
    (found,), by = moved_to(day, [hours(at(begin), count)])
    assert by == days
    assert not missing(day, found)
    assert found.values[found.begins == day.begins].tolist() == [first]


def test_a_forecast_is_made_as_long_before_as_it_was() -> None:
    (found,), _ = moved_to(grid("2026-08-01T00:00"), [hours(at("2025-08-01T00:00"), 24, 5e8)])
    assert found.issued is not None
    assert found.begins[0] - found.issued[0] == at("2025-08-01T00:00") - 5e8


@given(st.integers(-900, 900).filter(lambda days: abs(days) > 1), st.integers(1, 4))
def test_any_whole_days_cover_the_day(days: int, length: int) -> None:
    day = DayGrid(at("2026-08-01T00:00"), 900.0, 96, "UTC")
    given = hours(day.begins + days * DAY, 24 * length)
    if float(given.begins[0]) < day.ends and float(given.ends[-1]) > day.begins:
        return
    (found,), by = moved_to(day, [given])
    assert not missing(day, found)
    assert found.begins[0] - given.begins[0] == by * DAY
