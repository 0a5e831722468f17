"""What came of whole tasks: when each was sent, had arrived, started and ended, and the scores."""

from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Final

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags
from core.vocabulary.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class StretchScores:
    """The worst stretch and the sum of all; the longest time that a bag takes from its release to
    its end, and the sum of all; and the time from the first release to the end of all (s).
    """

    max_stretch: float
    sum_stretch: float
    max_flow: float
    sum_flow: float
    makespan: float

    def as_dict(self) -> dict[str, float]:
        return asdict(self)


SCORE_NAMES: Final = tuple(field.name for field in fields(StretchScores))


@dataclass(frozen=True, eq=False)
class TaskOutcome:
    """A line a task. `bag` counts in `bags.names`; `machine_type` is a type of the system, and
    `machine` counts its machines from 0. Times are in seconds, as the releases are.

    From `sent` on, data of the task are sent, and they have `arrived` before it starts.
    """

    bags: ArrivingBags
    policy: str
    bag: IntArray
    machine_type: IntArray
    machine: IntArray
    sent: FloatArray
    arrived: FloatArray
    start: FloatArray
    end: FloatArray

    @cached_property
    def completion(self) -> FloatArray:
        """When the last task of each bag ends (s)."""
        last = np.full(len(self.bags.names), -np.inf)
        np.maximum.at(last, self.bag, self.end)
        return last

    @cached_property
    def flows(self) -> FloatArray:
        """How long each bag takes from its release on (s)."""
        flows: FloatArray = self.completion - self.bags.release[self.bags.present]
        return flows

    @cached_property
    def stretches(self) -> FloatArray:
        """The stretch of each bag."""
        stretches: FloatArray = self.flows / self.bags.ideal
        return stretches

    @cached_property
    def scores(self) -> StretchScores:
        return self.scores_over(self.bags.ideal)

    def scores_over(self, baseline: FloatArray) -> StretchScores:
        """The scores, with stretches as multiples of these durations (s)."""
        stretches, flows = self.flows / baseline, self.flows
        return StretchScores(
            float(stretches.max()),
            float(stretches.sum()),
            float(flows.max()),
            float(flows.sum()),
            float(self.completion.max() - self.bags.release[self.bags.present].min()),
        )
