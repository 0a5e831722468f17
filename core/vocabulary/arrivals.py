"""How often tasks of each type arrive, hour by hour."""

from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import System


@dataclass(frozen=True, eq=False, slots=True)
class HourlyArrivals:
    """`rates[hour, type]` tasks of a type arrive in an hour of the day, on average over the `days`
    in which they were counted. `names` are those of the types.
    """

    names: tuple[str, ...]
    rates: FloatArray
    days: float

    @property
    def fingerprint(self) -> str:
        """Equal arrivals, and only they, have equal fingerprints."""
        told = repr((self.names, self.days)).encode()
        return sha256(told + self.rates.tobytes()).hexdigest()

    def of(self, system: System) -> FloatArray:
        """The rates of the types of a system, in its order; 0 for types that are not known."""
        place = {name: k for k, name in enumerate(self.names)}
        known = [place.get(name, len(self.names)) for name in system.task_names]
        nothing = np.zeros((len(self.rates), 1))
        return np.hstack([self.rates, nothing])[:, known]
