"""Local time: clocks of places that are moved twice a year, and what they show in UTC."""

import math
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from difflib import get_close_matches
from typing import Final, NamedTuple, Self
from zoneinfo import ZoneInfo, available_timezones

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.say.words import DAY

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
UTC_NAME: Final = "UTC"
LEAST_MOMENT: Final = 0.0
MOST_MOMENT: Final = 8e9
"""Seconds since 1970; the last year is 2223."""


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
    since it was moved forward (as if it had not been), and `repeated` those that it showed twice.
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
    if not len(walls):
        return InUTC(walls, np.zeros(0, bool), np.zeros(0, bool))
    clock = LocalClock.between(zone, float(walls.min()) - 2 * DAY, float(walls.max()) + 2 * DAY)
    first = walls - clock.ahead_at(walls - DAY)
    second = walls - clock.ahead_at(walls + DAY)
    is_first = clock.ahead_at(first) == walls - first
    is_second = clock.ahead_at(second) == walls - second
    repeated = is_first & is_second & (first != second)
    chosen = is_second & ~is_first
    move = np.searchsorted(clock.moved, second, side="right")
    for each in np.unique(move[repeated]).tolist():
        rows = np.flatnonzero(repeated & (move == each))
        back = np.maximum.accumulate(np.diff(walls[rows], prepend=-np.inf) <= 0)
        said = np.full(len(rows), -1) if later is None else later[rows]
        chosen[rows] = np.where(said >= 0, said > 0, back)
    return InUTC(np.where(chosen, second, first), ~(is_first | is_second), repeated)


@dataclass(frozen=True)
class LocalClock:
    """What the clock of a place shows: it is `ahead[k]` seconds ahead of UTC before the moment
    `moved[k]`, from the move before on, and `ahead[-1]` after the last.
    """

    moved: FloatArray
    ahead: FloatArray

    @classmethod
    def between(cls, zone: ZoneInfo, begin: float, end: float) -> Self:
        """The clock in a span, in seconds since 1970; at most one move a day is known."""
        moments = [*np.arange(begin, end, DAY).tolist(), end]
        offsets = [_ahead(zone, moment) for moment in moments]
        changes = [k for k in range(len(offsets) - 1) if offsets[k] != offsets[k + 1]]
        moved = [_move(zone, moments[k], moments[k + 1]) for k in changes]
        return cls(np.array(moved), np.array([*(offsets[k] for k in changes), offsets[-1]]))

    def ahead_at(self, moments: FloatArray) -> FloatArray:
        """By how many seconds the clock is ahead of UTC."""
        ahead: FloatArray = self.ahead[np.searchsorted(self.moved, moments, side="right")]
        return ahead


def _ahead(zone: ZoneInfo, moment: float) -> float:
    at = (EPOCH + timedelta(seconds=moment)).astimezone(zone).utcoffset()
    return 0.0 if at is None else at.total_seconds()


def _move(zone: ZoneInfo, before: float, after: float) -> float:
    """The second at which a clock is moved, between two moments."""
    low, high, offset = math.floor(before), math.ceil(after), _ahead(zone, before)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _ahead(zone, middle) == offset else (low, middle)
    return float(high)


def midnight_of(day: date, zone: ZoneInfo) -> float:
    """When a day begins at a place, in seconds since 1970; where clocks skip midnight, when the
    clock is moved.
    """
    begin = datetime(day.year, day.month, day.day, tzinfo=zone)
    return begin.astimezone(UTC).timestamp()


def moment_said(seconds: float, zone: ZoneInfo | None = None) -> str:
    """A moment in words: 2026-08-01 14:30, in UTC unless a zone is given."""
    at = EPOCH + timedelta(seconds=round(seconds))
    text = f"{at.astimezone(zone or UTC):%Y-%m-%d %H:%M:%S}"
    return f"{text.removesuffix(':00')} {zone.key if zone else UTC_NAME}"
