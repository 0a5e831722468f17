"""The time of a day by the clock of its centre, as charts show it."""

from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import Any, Final, NamedTuple, Self
from zoneinfo import ZoneInfo

import numpy as np

from core.capabilities.centre.files.centre_file import DayGrid
from core.engines.signals.zones import EPOCH, LocalClock
from core.vocabulary.say.words import DAY, HOUR, MINUTE

_TICKS: Final = 7
"""At most so many times of day stand beside each other on a phone."""
_APART: Final = tuple(
    minutes * MINUTE for minutes in (5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 720, 1440)
)


class OneDate(NamedTuple):
    """A date by the clock of a centre: from when to when it lasts, in seconds since the first day
    began, and what the clock shows when it begins there, in hours.
    """

    name: str
    begins: float
    ends: float
    hour: float


@dataclass(frozen=True, eq=False)
class CentreClock:
    """The clock of a place from the begin of a day to its end, in seconds since 1970."""

    begins: float
    ends: float
    clock: LocalClock
    zone: str

    @classmethod
    def of(cls, grid: DayGrid) -> Self:
        clock = LocalClock.between(ZoneInfo(grid.zone), grid.begins - DAY, grid.ends + DAY)
        return cls(grid.begins, grid.ends, clock, grid.zone)

    def _shown(self, seconds: float) -> float:
        """What the clock shows, in seconds since 1970, so long after the day began."""
        moment = self.begins + seconds
        return moment + float(self.clock.ahead_at(np.array([moment]))[0])

    def said(self, seconds: float) -> str:
        """The time so long after the day began, with the date if it is of another day."""
        first, now = self._shown(0.0), self._shown(seconds)
        at = EPOCH + timedelta(seconds=round(now))
        text = f"{at:%H:%M}" if round(now) % 60 == 0 else f"{at:%H:%M:%S}"
        return text if now // DAY == first // DAY else f"{text} on {at.day} {at:%B}"

    def typed(self, seconds: float) -> str:
        """The time so long after the day began as a person types it in a table of jobs."""
        local = f"{EPOCH + timedelta(seconds=self._shown(seconds)):%Y-%m-%dT%H:%M:%S}"
        local = local.removesuffix(":00")
        return local.partition("T")[2] if 0 <= seconds < DAY else local

    def hour(self, seconds: float) -> float:
        """The hour of the day so long after the day began."""
        return round(self._shown(seconds) % DAY / HOUR, 6)

    @property
    def date(self) -> str:
        """The day on which it begins."""
        at = EPOCH + timedelta(seconds=self._shown(0.0))
        return f"{at.day} {at:%B %Y}"

    def dates(self) -> list[OneDate]:
        """The dates from begin to end, each with its day of the week."""
        moments = np.arange(np.ceil(self.begins / MINUTE) * MINUTE, self.ends, MINUTE)
        shown = moments + self.clock.ahead_at(moments)
        inside = moments[(shown % DAY == 0) & (moments > self.begins)] - self.begins
        edges = [0.0, *inside.tolist(), self.ends - self.begins]
        found = []
        for begins, ends in pairwise(edges):
            at = EPOCH + timedelta(seconds=self._shown(begins))
            found.append(OneDate(f"{at:%a} {at.day} {at:%b}", begins, ends, self.hour(begins)))
        return found

    def ticks(self, span: tuple[float, float] | None = None) -> dict[str, list[Any]]:
        """Round times of day, at the hours since the day began; the days after the first have their
        dates. They are those of a span, in seconds since the day began, or of all of it.
        """
        first, last = span or (0.0, self.ends - self.begins)
        apart = next((one for one in _APART if (last - first) / one < _TICKS), _APART[-1])
        begins, ends = self.begins + first, self.begins + last
        moments = np.arange(np.ceil(begins / MINUTE) * MINUTE, ends + 1, MINUTE)
        shown = moments + self.clock.ahead_at(moments)
        at = np.flatnonzero(shown % apart == 0)
        if apart == DAY:
            at = at[:: -(-len(at) // _TICKS) or 1]
        texts, before = [], (EPOCH + timedelta(seconds=self._shown(0.0))).date()
        for second in shown[at].tolist():
            now = EPOCH + timedelta(seconds=second)
            date = f"{now.day} {now:%b}"
            dated = "" if now.date() == before else f"<br>{date}"
            before = now.date()
            texts.append(date if apart == DAY else f"{now:%H:%M}{dated}")
        return {"tickvals": ((moments[at] - self.begins) / HOUR).tolist(), "ticktext": texts}
