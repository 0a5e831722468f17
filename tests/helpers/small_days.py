"""Small days in place of the published ones, for all figures on days under a budget."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from benchmarks.publications.arrivals import budget, causes, curie, testbed
from benchmarks.publications.arrivals.days import DayScore
from benchmarks.publications.arrivals.publication import ArrivalsMeasured
from benchmarks.publications.arrivals.uncertain_runs import measure, measure_readings
from core.capabilities.arrivals.made.synthetic import BudgetSettings, draw_budget_day
from core.capabilities.arrivals.made.testbed import BladeSettings, draw_testbed
from core.engines.compute.executors import InThisThread
from core.engines.replay.outcome import ReplayScore
from core.engines.replay.workload import Workload

TRIALS = 2


def scores(worth: Sequence[float]) -> list[DayScore]:
    """Trials with these worths of 10; each draws 2 J in four events of half a second."""
    made = [ReplayScore(one, 2.0, 2.0, 3, 1, 5.0, 2.0, 9.0, 2.0, 4) for one in worth]
    return [DayScore(score, 4, 10.0) for score in made]


def small_day(a_day: int, trial: int) -> Workload:
    return draw_budget_day(BudgetSettings(a_day=a_day / 100, cores=2_000, seed=trial))


def small_fine_day(trial: int) -> Workload:
    return draw_budget_day(BudgetSettings(50, budget.FINE_STATES, 2_000, trial))


def small_variant(settings: BudgetSettings, a_day: int, trial: int) -> Workload:
    return draw_budget_day(replace(settings, a_day=a_day / 100, cores=2_000, seed=trial))


def small_blades(trial: int) -> Workload:
    return draw_testbed(BladeSettings(length=3600.0, seed=trial))


def small_trace(_share: float, trial: int) -> Workload:
    return small_day(budget.FEW, trial)


@cache
def small_measured() -> ArrivalsMeasured:
    """All that the figures need, of two trials."""
    engine = InThisThread()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "drawn_day", small_day)
        patch.setattr(testbed, "three_hours", small_blades)
        patch.setattr(testbed, "one_state_day", small_blades)
        patch.setattr(curie, "drawn_workload", small_trace)
        patch.setattr(budget, "fine_day", small_fine_day)
        patch.setattr(causes, "drawn_variant", small_variant)
        few = budget.measure(TRIALS, budget.FEW, engine, lambda _: None)
        return ArrivalsMeasured(
            few,
            budget.measure(TRIALS, budget.MANY, engine, lambda _: None),
            budget.measure_fine(TRIALS, few.gigajoule, engine, lambda _: None),
            causes.measure(TRIALS, engine, lambda _: None),
            curie.measure(TRIALS, (), engine, lambda _: None),
            testbed.measure(TRIALS, engine, lambda _: None),
            measure(2, lambda _: None, engine, tasks=12),
            measure_readings(1, engine=engine, tasks=12),
        )
