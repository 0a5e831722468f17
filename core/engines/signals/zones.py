"""Local time: clocks of places that are moved twice a year, and what they show in UTC."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from difflib import get_close_matches
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.say.words import DAY, HOUR

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
UTC_NAME: Final = "UTC"
LEAST_MOMENT: Final = 0.0
MOST_MOMENT: Final = 8e9
"""Seconds since 1970; the last year is 2223."""
_A_QUARTER: Final = HOUR / 4
"""All clocks that are moved since 1970 are moved at a quarter of an hour of UTC."""


def zone_called(name: str) -> ZoneInfo:
    """The time zone of this IANA name. Raises `ValueError` with those that are like it."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError) as unknown:
        known = {each.casefold(): each for each in available_timezones()}
        close = [known[each] for each in get_close_matches(name.casefold(), known)]
        remedy = f"did you mean {' or '.join(close)}?" if close else "give one as Europe/Berlin"
        raise ValueError(f"there is no time zone '{name[:40]}'; {remedy}") from unknown


class InUTC(NamedTuple):
    """Local times as seconds since 1970 in UTC; `missing` are those that no clock ever showed,
    since it was moved forward, and `repeated` those that it showed twice.
    """

    seconds: FloatArray
    missing: BoolArray
    repeated: BoolArray


def in_utc(walls: FloatArray, zone: ZoneInfo, later: BoolArray | None = None) -> InUTC:
    """Local times in UTC. They are in seconds since 1970 as the clock shows them, within
    `LEAST_MOMENT` and `MOST_MOMENT`.

    A time that the clock shows twice is the first, or the second from where the times of one such
    day go back; or as `later` says where it is 1 or 0, not where it is -1.
    """
    days, day_of = np.unique(np.floor(walls / DAY), return_inverse=True)
    begins = np.array([_offset(zone, day * DAY) for day in days.tolist()])
    ends = np.array([_offset(zone, (day + 1) * DAY) for day in days.tolist()])
    seconds = walls - begins[day_of]
    missing, repeated = np.zeros(len(walls), bool), np.zeros(len(walls), bool)
    for day in np.flatnonzero(begins != ends).tolist():
        rows = np.flatnonzero(day_of == day)
        clock = walls[rows]
        first, second = clock - begins[day], clock - ends[day]
        moved = _moved(zone, float(days[day] * DAY - begins[day]), float(ends[day]))
        is_first, is_second = first < moved, second >= moved
        both = is_first & is_second
        back = np.diff(clock[both], prepend=-np.inf) <= 0
        chosen = np.maximum.accumulate(back) if len(back) else back
        if later is not None:
            said = later[rows][both]
            chosen = np.where(said >= 0, said > 0, chosen)
        is_second[both] = chosen
        seconds[rows] = np.where(is_second, second, first)
        missing[rows], repeated[rows] = ~(is_first | is_second), both
    return InUTC(seconds, missing, repeated)


def _offset(zone: ZoneInfo, wall: float) -> float:
    """By how many seconds the clock is ahead of UTC at this local time."""
    at = (EPOCH + timedelta(seconds=wall)).replace(tzinfo=zone).utcoffset()
    return 0.0 if at is None else at.total_seconds()


def _moved(zone: ZoneInfo, midnight: float, after: float) -> float:
    """When a clock is moved in the day that begins at this moment, so that it is `after` s ahead."""
    quarters = int(1.25 * DAY / _A_QUARTER)
    moments = (midnight + k * _A_QUARTER for k in range(quarters))
    return next((at for at in moments if ahead(zone, at) == after), midnight + DAY)


def ahead(zone: ZoneInfo, moment: float) -> float:
    """By how many seconds the clock is ahead of UTC at a moment, in seconds since 1970."""
    at = (EPOCH + timedelta(seconds=moment)).astimezone(zone).utcoffset()
    return 0.0 if at is None else at.total_seconds()


def midnight_of(day: date, zone: ZoneInfo) -> float:
    """When a day begins at a place, in seconds since 1970; where clocks skip midnight, when the
    clock is moved.
    """
    begin = datetime(day.year, day.month, day.day, tzinfo=zone)
    return begin.astimezone(UTC).timestamp()


def local_steps(begin: float, end: float, zone: ZoneInfo) -> Iterator[tuple[float, float]]:
    """From `begin` to `end`: when each local day begins and a clock is moved, and the seconds that
    the clock is ahead from there on.
    """
    day = (EPOCH + timedelta(seconds=begin)).astimezone(zone).date()
    while (midnight := midnight_of(day, zone)) < end:
        offset = ahead(zone, midnight)
        yield midnight, offset
        day += timedelta(days=1)
        following = ahead(zone, midnight_of(day, zone))
        if following != offset:
            moved = _moved(zone, midnight, following)
            if moved < midnight_of(day, zone):
                yield moved, following


def moment_said(seconds: float, zone: ZoneInfo | None = None) -> str:
    """A moment in words: 2026-08-01 14:30, in UTC unless a zone is given."""
    at = EPOCH + timedelta(seconds=round(seconds))
    text = f"{at.astimezone(zone or UTC):%Y-%m-%d %H:%M:%S}"
    return f"{text.removesuffix(':00')} {zone.key if zone else UTC_NAME}"
