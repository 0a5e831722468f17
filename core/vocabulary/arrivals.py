"""How often tasks of each type arrive, by the hour of the day and of the week."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import System


@dataclass(frozen=True, eq=False, slots=True)
class HourlyArrivals:
    """`rates[hour, type]` tasks of a type arrive in an hour of the day, on average over the `days`
    in which they were counted; `week[hour, type]` in an hour of the week, which begins on
    Monday at midnight, if a week or more was counted. `names` are those of the types.
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
