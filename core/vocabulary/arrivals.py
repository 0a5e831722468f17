"""How often tasks of each type arrive, by the hour of the day and of the week."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final, Self

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.calendar import HOURS_OF_DAY, WEEKDAYS
from core.vocabulary.system import System

_EACH_DAY: Final = (len(WEEKDAYS), 1)


@dataclass(frozen=True, eq=False, slots=True)
class HourlyArrivals:
    """`rates[hour, type]` tasks of a type arrive in an hour of the day, on average over the `days`
    in which they were counted, 0 if a person said it; `week[hour, type]` in an hour of the week,
    which begins on Monday at midnight, if a week or more was counted, or a person said days.
    `names` are those of the types.
    """

    names: tuple[str, ...]
    rates: FloatArray
    days: float
    week: FloatArray | None = None

    @property
    def fingerprint(self) -> str:
        """Equal arrivals, and only they, have equal fingerprints."""
        told = repr((self.names, self.days)).encode()
        week = b"" if self.week is None else self.week.tobytes()
        return sha256(told + self.rates.tobytes() + week).hexdigest()

    def of(self, system: System) -> FloatArray:
        """The rates of the types of a system, in its order; 0 for types that are not known."""
        return self._of(self.rates, system.task_names)

    def named(self, names: Sequence[str]) -> Self:
        """The same of types of these names, in this order; 0 for types that are not known."""
        week = None if self.week is None else self._of(self.week, names)
        return replace(self, names=tuple(names), rates=self._of(self.rates, names), week=week)

    @property
    def by_day(self) -> FloatArray:
        """The tasks of each type that arrive on each day of the week, Monday first."""
        return np.asarray(self._whole_week.reshape(len(WEEKDAYS), HOURS_OF_DAY, -1).sum(axis=1))

    def with_rates(self, rates: FloatArray) -> Self:
        """What a person says with other rates by hour of the day: in each hour of the week comes
        more or less in proportion, and as many as on average where nothing came in that hour.
        """
        week = self.week
        if week is not None:
            before, after = (np.tile(one, _EACH_DAY) for one in (self.rates, rates))
            week = _changed(week, before, after)
        return replace(self, rates=rates, days=0.0, week=week)

    def with_days(self, by_day: FloatArray) -> Self:
        """What a person says with other numbers of tasks on the days of the week: the hours of a
        day keep their shares, those of the mean day where nothing came. The rates change as the
        mean of the week.
        """
        week, there = self._whole_week, self.rates.sum(axis=0)
        usual = np.divide(
            self.rates, there, where=there > 0, out=np.full_like(self.rates, 1 / HOURS_OF_DAY)
        )
        before, after = (np.repeat(one, HOURS_OF_DAY, axis=0) for one in (self.by_day, by_day))
        now = np.where(before > 0, _changed(week, before, after), after * np.tile(usual, _EACH_DAY))
        means = (one.reshape(len(WEEKDAYS), HOURS_OF_DAY, -1).mean(axis=0) for one in (week, now))
        return replace(self, rates=_changed(self.rates, *means), days=0.0, week=now)

    @property
    def _whole_week(self) -> FloatArray:
        return np.tile(self.rates, _EACH_DAY) if self.week is None else self.week

    def profile(self, names: Sequence[str]) -> FloatArray:
        """How often tasks of types of these names arrive in each hour of the week, or else of the
        day, in shares of their mean; 1 for types that are not known.
        """
        rates = self._of(self.rates if self.week is None else self.week, names)
        means = rates.mean(axis=0)
        shares: FloatArray = np.divide(rates, means, where=means > 0, out=np.ones_like(rates))
        return shares

    def _of(self, rates: FloatArray, names: Sequence[str]) -> FloatArray:
        place = {name: k for k, name in enumerate(self.names)}
        known = [place.get(name, len(self.names)) for name in names]
        nothing = np.zeros((len(rates), 1))
        return np.asarray(np.hstack([rates, nothing])[:, known])


def _changed(values: FloatArray, before: FloatArray, after: FloatArray) -> FloatArray:
    """The values in the proportion of what has changed; what is there after where nothing was."""
    factors = np.divide(after, before, where=before > 0, out=np.zeros_like(values))
    return np.where(before > 0, values * factors, after)
