"""The objective: a weighted sum of energy and makespan."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import NoPowerData, System


@dataclass(frozen=True, slots=True)
class Objective:
    """`energy` x joules + `makespan` x seconds, weights not negative and not both 0."""

    energy: float
    makespan: float

    def __post_init__(self) -> None:
        weights = (self.energy, self.makespan)
        if not all(0 <= weight < np.inf for weight in weights) or not any(weights):
            raise ValueError(f"weights must be finite, 0 or more, and not both 0: {weights}")

    def task_costs(self, system: System) -> FloatArray:
        """What one task adds on each machine type at a fixed makespan; infinity where it cannot
        run.
        """
        if self.energy:
            return np.where(system.can_run, self.energy * system.dynamic_energy, np.inf)
        return np.where(system.can_run, 0.0, np.inf)

    def work_costs(self, system: System) -> FloatArray:
        """The cost of one task, the machine's idle power included; infinity where it cannot run."""
        costs = np.where(system.can_run, 0.0, np.inf)
        if self.energy:
            if system.apc is None:
                raise NoPowerData
            np.multiply(system.etc, system.apc, out=costs, where=system.can_run)
            costs *= self.energy
        return costs

    def waiting_prices(self, system: System) -> FloatArray:
        """The cost of a second in which a machine of each type waits for the makespan."""
        return self.energy * system.idle_power

    def price_of_time(self, system: System) -> float:
        """The cost of one more second of makespan: its own weight and all machines' idle power."""
        return self.makespan + self.energy * system.total_idle_power


MAKESPAN: Final = Objective(energy=0.0, makespan=1.0)
ENERGY: Final = Objective(energy=1.0, makespan=0.0)
