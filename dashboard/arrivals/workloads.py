"""The workload of a day: drawn, or as a person gave it."""

import math
from dataclasses import dataclass
from functools import lru_cache

from core.arrivals.synthetic import BudgetSettings, draw_budget_day
from core.arrivals.testbed import BladeSettings, draw_testbed
from core.arrivals.workload_file import WorkloadFile
from core.replay.workload import Truth
from dashboard.arrivals.settings import ArrivalsSettings, WorkloadName


@dataclass(frozen=True, eq=False, slots=True)
class GivenWorkload:
    """A workload that a person gave: the name and the digest of its file, and what it says."""

    name: str
    digest: str
    file: WorkloadFile

    @property
    def has_budget(self) -> bool:
        """Whether the file says what a day may spend."""
        return math.isfinite(self.file.day_joules)


def drawn(settings: ArrivalsSettings, given: GivenWorkload | None, day: int) -> WorkloadFile:
    """The workload of a day, counted from 0. Equal settings and days give equal workloads."""
    if settings.workload == "own":
        if given is None:
            raise ValueError("no workload was given")
        return given.file
    return _drawn(settings.workload, settings.jobs, settings.seed + day)


@lru_cache(maxsize=2)
def _drawn(name: WorkloadName, jobs: int, seed: int) -> WorkloadFile:
    """A process of the server draws a day once for all policies."""
    if name == "testbed":
        workload = draw_testbed(BladeSettings(seed=seed))
    else:
        workload = draw_budget_day(BudgetSettings(a_day=jobs, seed=seed))
    return WorkloadFile(workload, Truth.as_estimated(len(workload.jobs)))
