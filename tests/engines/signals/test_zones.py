"""Local times are the moments that a clock showed them, also on the days when it is moved."""

from datetime import UTC, date, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.signals.zones import in_utc, midnight_of, moment_said, zone_called

ZONES = (
    *("UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/Goose_Bay"),
    *("Australia/Lord_Howe", "Asia/Kolkata", "America/Santiago", "Africa/Cairo"),
)


def seconds(*parts: int) -> float:
    return datetime(*parts, tzinfo=UTC).timestamp()


@given(st.sampled_from(ZONES), st.lists(st.integers(10**6, 2 * 10**9), min_size=1, max_size=30))
def test_what_a_clock_shows_leads_back(name, moments) -> None:
    zone = zone_called(name)
    shown = [datetime.fromtimestamp(moment, zone) for moment in sorted(moments)]
    walls = np.array([one.replace(tzinfo=UTC).timestamp() for one in shown])
    found = in_utc(walls, zone, np.array([one.fold for one in shown]))
    assert found.seconds.tolist() == sorted(moments)
    assert not found.missing.any()


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Europe/Berlin", (2026, 10, 25)),
        ("Europe/Berlin", (2026, 3, 29)),
        ("America/Goose_Bay", (2005, 10, 30)),
        ("Australia/Lord_Howe", (2026, 4, 5)),
        ("America/Santiago", (2026, 4, 5)),
    ],
)
def test_on_days_when_clocks_are_moved_times_in_order_are_told_apart(zone, day) -> None:
    place = zone_called(zone)
    moments = seconds(*day) - 20 * 3600 + 600.0 * np.arange(360)
    shown = [datetime.fromtimestamp(moment, place) for moment in moments]
    found = in_utc(np.array([one.replace(tzinfo=UTC).timestamp() for one in shown]), place)
    assert (found.seconds == moments).all()
    assert len(set(found.seconds - moments)) == 1


def test_a_day_of_25_hours_has_one_hour_twice_and_one_of_23_hours_lacks_one() -> None:
    berlin = zone_called("Europe/Berlin")
    autumn = seconds(2026, 10, 25) + 3600 * np.array([1, 2, 2, 3])
    found = in_utc(autumn, berlin)
    assert found.repeated.tolist() == [False, True, True, False]
    assert np.diff(found.seconds).tolist() == [3600] * 3
    spring = in_utc(seconds(2026, 3, 29) + 3600.0 * np.array([1, 2, 3]), berlin)
    assert spring.missing.tolist() == [False, True, False]
    assert (spring.seconds - seconds(2026, 3, 29)).tolist() == [0, 3600, 3600]


def test_the_hours_of_two_years_are_told_apart_each_for_itself() -> None:
    berlin = zone_called("Europe/Berlin")
    twice = np.array([seconds(year, 10, day, 2) for year, day in ((2025, 26), (2026, 25))])
    found = in_utc(np.repeat(twice, 2), berlin)
    assert (found.seconds - np.repeat(twice, 2)).tolist() == [-7200, -3600] * 2


def test_a_mark_says_which_of_two_equal_times_is_meant() -> None:
    berlin = zone_called("Europe/Berlin")
    two = np.array([seconds(2026, 10, 25, 2)])
    first, second = (in_utc(two, berlin, np.array([later])).seconds[0] for later in (0, 1))
    assert second - first == 3600
    assert in_utc(two, berlin, np.array([-1])).seconds[0] == first
    marked = in_utc(np.repeat(two, 3), berlin, np.array([1, 0, -1])).seconds
    assert marked.tolist() == [second, first, second]
    assert len(in_utc(np.zeros(0), berlin).seconds) == 0


def test_midnight_is_that_of_the_place() -> None:
    assert midnight_of(date(2026, 7, 1), zone_called("Asia/Kolkata")) == seconds(
        2026, 6, 30, 18, 30
    )
    assert moment_said(seconds(2026, 7, 1, 12), zone_called("Asia/Kolkata")) == (
        "2026-07-01 17:30 Asia/Kolkata"
    )
    assert moment_said(1.0) == "1970-01-01 00:00:01 UTC"


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("Europe/Berlln", "did you mean Europe/Berlin"),
        ("../../etc/passwd", "give one as Europe/Berlin"),
        ("", "give one as Europe/Berlin"),
        ("<b>" * 50, "give one as Europe/Berlin"),
        ("\0", "give one as"),
    ],
)
def test_an_unknown_zone_is_refused_with_those_that_are_like_it(name, remedy) -> None:
    with pytest.raises(ValueError, match=remedy):
        zone_called(name)
