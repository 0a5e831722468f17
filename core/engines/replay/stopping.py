"""What stopping a job that runs for another one costs, and which jobs may be stopped."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np


class Technique(IntEnum):
    """Which jobs are stopped for a job that cannot start now."""

    NONE = 0
    GREEDY = 1
    """It starts where its measure is the highest, if that is above those of the jobs it stops."""
    DIFF = 2
    """It starts where its measure is the most above those of the jobs that it stops."""
    PAIR = 3
    """It runs before one other job or after it, whichever order has more of the measure."""
    TIERS = 4
    """It stops jobs of lower tiers, the lowest first, whatever they are worth."""
    PRICES = 5
    """It starts where its worth above its price is the most above what the jobs that it stops
    still are worth above the price of what remains of them, and the price of what they lose."""


class Whom(IntEnum):
    """Which jobs are stopped first, of those that may be."""

    MEASURE = 0
    """The jobs with the least measure."""
    YOUNGEST = 1
    OLDEST = 2
    LEAST_LOST = 3
    """The jobs that lose the fewest core-seconds."""


ALL: Final = 0.0
NOTHING: Final = np.inf
MOST_STOPS: Final = 1_000_000
"""More stops than a job has: there is no limit."""


@dataclass(frozen=True)
class Stopping:
    """What becomes of a job that is stopped. Its progress up to the last checkpoint is kept: of
    every `checkpoints` seconds of its own time (`ALL`: all of it; `NOTHING`: none). If any is kept,
    it goes on in the same pool.

    Its units are free `stop_seconds` after it is stopped, and when it goes on, it needs
    `resume_seconds` before it does. No job is stopped before it has run for `least_run` seconds, or
    more than `most_stops` times; those that `whom` says are stopped first.
    """

    checkpoints: float = ALL
    stop_seconds: float = 0.0
    resume_seconds: float = 0.0
    least_run: float = 0.0
    most_stops: int = MOST_STOPS
    whom: Whom = Whom.MEASURE

    def __post_init__(self) -> None:
        spans = (self.stop_seconds, self.resume_seconds, self.least_run)
        if not (np.isfinite(spans).all() and min(spans) >= 0.0):
            raise ValueError("stopping, going on and the least run take 0 s or more")
        if not self.checkpoints >= 0.0 or not self.most_stops >= 0.0:
            raise ValueError("checkpoints are 0 s or more apart, and stops are 0 or more")

    @property
    def is_free(self) -> bool:
        """Whether a job that is stopped loses nothing but time."""
        return self.checkpoints == ALL and self.stop_seconds == self.resume_seconds == 0.0


FREE: Final = Stopping()
"""As published: all progress is kept, and stopping takes no time."""
