"""What patterns prove: steps that no schedule is below, in the plane of makespan and energy."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from core.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class PatternBound:
    """No schedule faster than `makespans[k + 1]` has less than `joules[k]`, nor has any at all less
    than the last joules. Makespans ascend, joules descend; no schedule is faster than the first.
    """

    makespans: FloatArray
    joules: FloatArray

    @classmethod
    def of_cells(
        cls, begins: FloatArray, joules: FloatArray, least: float, worth_a_step: float
    ) -> Self:
        """From what the makespans of each cell need at least: makespans from `begins[k]` to before
        `begins[k + 1]`, `joules[k]`; all others `least`. Steps that are worth fewer joule-seconds
        are left out.
        """
        falling = np.append(np.maximum(np.minimum.accumulate(joules), least), least)
        kept, lost = [len(joules)], 0.0
        seconds = np.diff(begins).tolist()
        values = falling.tolist()
        for cell in range(len(joules) - 1, -1, -1):
            lost += (values[cell] - values[kept[-1]]) * seconds[cell]
            if lost > worth_a_step:
                kept.append(cell)
                lost = 0.0
        ends = np.array(kept[::-1])
        starts = np.append(0, ends[:-1] + 1)
        return cls(begins[starts], falling[ends])

    def least_energy(self, deadline: float) -> float:
        """Joules that no schedule of at most so many seconds has less than; infinity if there is
        none.
        """
        place = int(np.searchsorted(self.makespans, deadline, side="right")) - 1
        return float(self.joules[place]) if place >= 0 else np.inf

    def least_makespan(self, energy_budget: float) -> float:
        """Seconds that no schedule of at most so many joules is faster than; infinity if there is
        none.
        """
        place = int(np.searchsorted(-self.joules, -energy_budget))
        return float(self.makespans[place]) if place < len(self.makespans) else np.inf
