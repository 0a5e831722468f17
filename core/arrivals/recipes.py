"""Workloads that are drawn anew for each trial, by name."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.arrivals.synthetic import BudgetSettings, draw_budget_day
from core.arrivals.testbed import BUDGET as TESTBED_BUDGET
from core.arrivals.testbed import EVERY as TESTBED_EVERY
from core.arrivals.testbed import LENGTH as TESTBED_LENGTH
from core.arrivals.testbed import BladeSettings, draw_testbed
from core.arrivals.uncertain import UncertainSettings, draw_uncertain
from core.arrivals.workload_file import WorkloadFile
from core.replay.clock import EVERY
from core.replay.energy import DAY_SECONDS
from core.replay.workload import Truth

_DAY_JOULES: Final = {5_000: 12e9, 10_000: 15e9}
"""The published budgets, by jobs a day."""


@dataclass(frozen=True)
class Recipe:
    """How to draw a workload by a seed, and the seconds between its mapping events."""

    name: str
    sentence: str
    draw: Callable[[int], WorkloadFile]
    every: float = EVERY
    of_bags: bool = False
    """Its jobs are tasks of one core, for the methods of `core.arrivals.uncertain_methods`."""


def _budget(a_day: int) -> Callable[[int], WorkloadFile]:
    def draw(seed: int) -> WorkloadFile:
        workload = draw_budget_day(BudgetSettings(a_day, seed=seed))
        truth = Truth.as_estimated(len(workload.jobs))
        return WorkloadFile(workload, truth, _DAY_JOULES[a_day])

    return draw


def _testbed(seed: int) -> WorkloadFile:
    workload = draw_testbed(BladeSettings(seed=seed))
    a_day = TESTBED_BUDGET * DAY_SECONDS / TESTBED_LENGTH
    return WorkloadFile(workload, Truth.as_estimated(len(workload.jobs)), a_day)


def _uncertain(seed: int) -> WorkloadFile:
    case = draw_uncertain(UncertainSettings(seed=seed))
    return WorkloadFile(case.workload, case.truth, math.inf)


RECIPES: Final[Mapping[str, Recipe]] = {
    one.name: one
    for one in (
        Recipe(
            "budget",
            "A day of about 5,000 parallel jobs on 100,000 cores, 12 GJ a day.",
            _budget(5_000),
        ),
        Recipe(
            "budget-10000",
            "A day of about 10,000 parallel jobs on 100,000 cores, 15 GJ a day.",
            _budget(10_000),
        ),
        Recipe(
            "testbed",
            "Three hours of benchmarks on four clusters of 16 cores, 2.8 MJ in all.",
            _testbed,
            TESTBED_EVERY,
        ),
        Recipe(
            "uncertain",
            "1,024 tasks on 8 machines, whose true times are below their estimates.",
            _uncertain,
            of_bags=True,
        ),
    )
}


@lru_cache(maxsize=2)
def drawn(name: str, seed: int) -> WorkloadFile:
    """The workload of a recipe and a seed; the same for the same two."""
    return RECIPES[name].draw(seed)
