"""Lower bounds in steps, in the plane of makespan and energy above idle power."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from core.vocabulary.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Steps:
    """No schedule has a makespan below `begins[0]` seconds.

    One with a makespan from `begins[k]` to before `begins[k + 1]` draws at least `joules[k]` above
    idle power, which is all that its tasks add. Every faster schedule draws at least as much:
    `begins` ascend, `joules` descend. Joules are negative where machines may draw less at work than
    idle, and minus infinity where nothing is known.
    """

    begins: FloatArray
    joules: FloatArray

    @classmethod
    def none_before(cls, seconds: float) -> Self:
        """Steps that say only that no schedule has a shorter makespan."""
        return cls(np.array([seconds]), np.array([-np.inf]))

    @classmethod
    def of_cells(cls, begins: FloatArray, joules: FloatArray, worth_a_step: float) -> Self:
        """`descending` from cells of makespans: `joules[k]` is for those from `begins[k]` to before
        `begins[k + 1]`; beyond the last, nothing is known. Steps that add fewer joule-seconds than
        `worth_a_step` are left out.
        """
        falling = np.append(np.maximum.accumulate(joules[::-1])[::-1], -np.inf)
        kept, lost = [len(joules)], 0.0
        seconds = np.diff(begins).tolist()
        values = falling.tolist()
        for cell in range(len(joules) - 1, -1, -1):
            if values[cell] == values[kept[-1]]:
                continue
            lost += (values[cell] - values[kept[-1]]) * seconds[cell]
            if lost > worth_a_step:
                kept.append(cell)
                lost = 0.0
        ends = np.array(kept[::-1])
        return cls.descending(begins[np.append(0, ends[:-1] + 1)], falling[ends])

    @classmethod
    def descending(cls, begins: FloatArray, joules: FloatArray) -> Self:
        """Steps from the least joules of makespans from `begins[k]` to before the next; infinity
        where no such schedule exists. What slower schedules need, faster ones need, too.
        """
        falling = np.maximum.accumulate(joules[::-1])[::-1]
        first = int(np.isposinf(falling).sum())
        begins, falling = begins[first:], falling[first:]
        new = np.append(True, np.diff(falling) < 0)
        return cls(begins[new], falling[new])

    def raised_to(self, other: "Steps") -> "Steps":
        """Steps that say all that both prove."""
        begins = np.union1d(self.begins, other.begins)
        begins = begins[begins >= max(self.begins[0], other.begins[0])]
        return Steps.descending(begins, np.maximum(self.needed(begins), other.needed(begins)))

    def needed(self, makespans: FloatArray) -> FloatArray:
        """Joules above idle power that each of these makespans needs; none is below `begins[0]`."""
        needed: FloatArray = self.joules[np.searchsorted(self.begins, makespans, side="right") - 1]
        return needed
