"""Annealing moves jobs of a plan, and what it returns is as good in all and sound."""

from dataclasses import replace

import numpy as np
import pytest
from centre_days import centre_days, day_of, faults, parasol_day, plan_or_none
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.plan import DayPlan, executing, measured, server_powers
from core.capabilities.centre.rivals.annealing import ROUNDS, annealed, temperatures
from core.capabilities.centre.rivals.as_usual import as_usual
from core.capabilities.centre.rivals.due_first import due_first
from core.capabilities.centre.rivals.thermostat import cheapest_safe
from core.vocabulary.budget import Budget
from core.vocabulary.tolerances import SAME


def test_there_are_83_temperatures_and_12_rounds() -> None:
    """Fixture C10."""
    found = temperatures()
    assert len(found) == 83
    assert found[:3].tolist() == pytest.approx([1, 0.8, 0.64])
    assert found[-1] > 1e-8 >= 0.8 * found[-1]
    assert ROUNDS == 12


@given(day=centre_days(), seed=st.integers(0, 9))
def test_plans_stay_sound_and_get_no_worse(day: CentreDay, seed: int) -> None:
    plans = [plan for plan in (plan_or_none(day, as_usual), plan_or_none(day, due_first)) if plan]
    found = annealed(day, plans, moves=2, seed=seed)
    assert len(found) == len(plans)
    for before, after in zip(plans, found, strict=True):
        assert faults(day, after) == []
        assert after.awake is before.awake
        was, now = measured(day, before), measured(day, after)
        assert now.lateness <= was.lateness
        for one, other in ((now.cost, was.cost), (now.excess, was.excess)):
            assert one <= other + SAME * max(abs(other), 1)


def cooled_to(day: CentreDay, coolest: float) -> CentreDay:
    """A day of a room that may be cooled so far."""
    return replace(day, centre=replace(day.centre, coolest=coolest))


def late_plan() -> tuple[CentreDay, DayPlan]:
    """40 jobs on 64 servers that are all awake, each as late as the day allows."""
    day = parasol_day(40)
    group = np.arange(len(day.jobs))
    starts = group, day.steps - day.jobs.length, day.jobs.count
    awake = np.full((1, day.steps), 64)
    watts = server_powers(day, executing(day, *starts), awake).sum(axis=0)
    return day, DayPlan(*starts, awake, *cheapest_safe(day, np.maximum(watts, 64 * 26)))


def test_what_is_late_without_need_gets_earlier() -> None:
    day, plan = late_plan()
    (found,) = annealed(day, [plan], seed=1)
    was, now = measured(day, plan), measured(day, found)
    assert now.lateness < 0.5 * was.lateness
    assert now.excess <= was.excess * (1 + SAME)
    assert faults(day, found) == []


def test_a_seed_gives_the_same_again() -> None:
    day, plan = late_plan()
    found = [annealed(day, [plan], moves=5, seed=seed)[0] for seed in (1, 1, 2)]
    starts = [list(zip(one.group.tolist(), one.start.tolist(), strict=True)) for one in found]
    assert starts[0] == starts[1]
    assert starts[0] != starts[2]


def test_when_the_budget_is_spent_plans_stay_as_they_are() -> None:
    day, plan = late_plan()
    told: list[tuple[int, int]] = []
    stopped = Budget(should_stop=lambda: True)
    found = annealed(day, [plan, plan], budget=stopped, report=lambda *done: told.append(done))
    assert told == [(1, 2), (2, 2)]
    assert [measured(day, one).lateness for one in found] == [measured(day, plan).lateness] * 2


def test_no_move_makes_it_too_warm() -> None:
    """A job of all servers can run while the compressor does, and at no other time."""
    day = cooled_to(day_of([(0, 64, 10, 0, 0.0)], 60), 0.0)
    starts = np.array([0]), np.array([40]), np.array([1])
    awake = np.full((1, 60), 64)
    runs = np.arange(60) >= 38
    speed = np.where(runs, 0.0, 0.8)
    plan = DayPlan(*starts, awake, speed, runs)
    assert faults(day, plan) == []
    (found,) = annealed(day, [plan], seed=1)
    assert faults(day, found) == []
    assert 0 < found.start[0] < 40


def test_no_move_leaves_a_room_that_is_cooled_too_far() -> None:
    """A job that warms the room while the compressor runs stays, though it is late."""
    day = cooled_to(day_of([(0, 64, 10, 0, 0.0)], 60), 22.375)
    starts = np.array([0]), np.array([40]), np.array([1])
    awake = np.full((1, 60), 64)
    runs = (np.arange(60) >= 40) & (np.arange(60) < 50)
    plan = DayPlan(*starts, awake, np.where(runs, 0.0, 0.8), runs)
    assert faults(day, plan) == []
    (found,) = annealed(day, [plan], seed=1)
    assert found.start.tolist() == [40]
    (found,) = annealed(cooled_to(day, 0.0), [plan], seed=1)
    assert found.start[0] < 40
