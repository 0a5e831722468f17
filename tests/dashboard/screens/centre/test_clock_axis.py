"""Times of a day are those of the clock of its centre, also when that is moved."""

from datetime import datetime
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.files.centre_file import DayGrid
from core.vocabulary.say.words import HOUR
from dashboard.screens.centre.clock_axis import CentreClock


def clock_of(begin: str, hours: float, zone: str = "Europe/London") -> CentreClock:
    begins = datetime.fromisoformat(begin).replace(tzinfo=ZoneInfo(zone)).timestamp()
    return CentreClock.of(DayGrid(begins, 900.0, round(4 * hours), zone))


def test_a_day_of_24_hours() -> None:
    clock = clock_of("2026-08-01T00:00", 24)
    ticks = clock.ticks()
    assert ticks["tickvals"] == [0, 4, 8, 12, 16, 20, 24]
    assert ticks["ticktext"][:2] == ["00:00", "04:00"]
    assert ticks["ticktext"][-1] == "00:00<br>2 Aug"
    assert clock.date == "1 August 2026"
    assert clock.said(9.25 * HOUR) == "09:15"
    assert clock.said(90.0) == "00:01:30"
    assert clock.said(25 * HOUR) == "01:00 on 2 August"


def test_days_on_which_clocks_are_moved() -> None:
    longer = clock_of("2026-10-25T00:00", 25)
    assert longer.said(HOUR) == longer.said(2 * HOUR) == "01:00"
    assert longer.ticks()["tickvals"] == [0, 5, 9, 13, 17, 21, 25]
    shorter = clock_of("2026-03-29T00:00", 23)
    assert [shorter.said(hours * HOUR) for hours in (0, 1)] == ["00:00", "02:00"]
    assert shorter.ticks()["tickvals"] == [0, 3, 7, 11, 15, 19, 23]


@given(st.floats(0.25, 400.0), st.integers(0, 95))
def test_ticks_fit_beside_each_other(hours: float, begin: int) -> None:
    start = f"2026-08-01T{begin // 4:02}:{begin % 4 * 15:02}"
    clock = clock_of(start, hours)
    ticks = clock.ticks()
    assert len(ticks["tickvals"]) <= 9
    assert len(ticks["tickvals"]) == len(ticks["ticktext"])
    assert all(0 <= at <= hours + 0.25 for at in ticks["tickvals"])
