"""The verdict on an outcome: what was checked, in sentences, and the result."""

from dataclasses import dataclass
from typing import Final

from core.vocabulary.problems import Problem

JOBS_ONCE: Final = "each job runs at most once"
OWN_OPTIONS: Final = "each job runs on an option of its own, with the pool and units of that option"
ARRIVED: Final = "no job starts, or is dropped, before it arrives"
WITHIN_HORIZON: Final = "no job starts at or after the end of the horizon"
TRUE_TIMES: Final = "each job takes its true time"
PROMISES: Final = "each job is expected to take its estimated time, and ends no later"
CAPACITY: Final = "no pool has more units at work than it has"
DROPPED_ONLY: Final = "no job that was dropped runs"
ENERGY_BUDGET: Final = "the jobs draw no more than each window of the energy budget allows"
SAME_JOB_WORTH: Final = "the worth of each job is that of its curve, computed again"
SAME_JOB_ENERGY: Final = "the energy of each job is its power times its time, computed again"
SAME_WORTH: Final = "the worth is that of all jobs, added up again"
SAME_JOULES: Final = "the energy is that of all jobs and idle machines, added up again"

OUTCOME_CHECKS: Final = (
    JOBS_ONCE,
    OWN_OPTIONS,
    ARRIVED,
    WITHIN_HORIZON,
    TRUE_TIMES,
    PROMISES,
    CAPACITY,
    DROPPED_ONLY,
    ENERGY_BUDGET,
    SAME_JOB_WORTH,
    SAME_JOB_ENERGY,
    SAME_WORTH,
    SAME_JOULES,
)


@dataclass(frozen=True, slots=True)
class OutcomeVerdict:
    """What was checked, what is wrong, and the recomputed figures.

    `ran`, `dropped` and `waiting` are numbers of jobs; `waiting` never ran and were not dropped.
    `joules` includes machines that are on or asleep. `mean_flow` (s) is from arrival to end. The
    figures are valid only if `ok`. Of each kind of fault only a few are listed, followed by the
    number of the rest.
    """

    problems: tuple[Problem, ...]
    ran: int
    dropped: int
    waiting: int
    worth: float
    joules: float
    makespan: float
    mean_flow: float
    checks: tuple[str, ...] = OUTCOME_CHECKS

    @property
    def ok(self) -> bool:
        return not self.problems
