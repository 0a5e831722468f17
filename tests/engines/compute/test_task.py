"""What travels is the same on the other side, and what was there already is not there twice."""

import numpy as np
import pytest

from core.capabilities.makespan.solve import solve
from core.capabilities.profit.earn import earn
from core.capabilities.profit.terms import Terms
from core.engines.compute.task import packed, unpacked
from core.engines.front.study import study
from core.engines.rivals import MissingExtra
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.schedule import ImpossibleSchedule
from core.vocabulary.system import NoPowerData, System


@pytest.fixture(scope="module")
def made():
    return study(load_sample("two-by-two"), effort=Effort(0))


def test_a_study_is_the_same_on_the_other_side(made):
    there = unpacked(packed(made))
    assert there.system == made.system
    assert there.points.tolist() == made.points.tolist()
    assert there.areas() == made.areas()
    assert [one.tasks.tolist() for one in there.schedules] == [
        one.tasks.tolist() for one in made.schedules
    ]


def test_arrays_that_may_not_be_changed_still_may_not(made):
    there = unpacked(packed(made))
    for array in (there.system.etc, there.system.apc, there.schedules[0].tasks):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


def test_what_is_there_is_named_and_not_sent(made):
    content = packed(made, (made.front, made.system))
    here = unpacked(content, (made.front, made.system))
    assert here.front is made.front
    assert all(schedule.system is made.system for schedule in here.schedules)
    assert len(content) < len(packed(made)) - len(packed(made.system))


def test_what_is_there_is_told_by_identity_and_not_by_being_equal(made):
    double = System(*(getattr(made.system, name) for name in System.__match_args__))
    there = unpacked(packed(made, (double,)), (None,))
    assert there.system == made.system


@pytest.mark.parametrize(
    "failure",
    [
        NoPowerData(),
        InvalidInput([Problem("f", "c", "v", "wrong")]),
        ImpossibleSchedule("no"),
        MissingExtra("install it"),
    ],
)
def test_failures_that_pages_know_arrive_as_what_they_are(failure):
    there = unpacked(packed(failure))
    assert type(there) is type(failure)
    assert str(there) == str(failure)
    assert getattr(there, "problems", None) == getattr(failure, "problems", None)


def test_solutions_and_earnings_travel(made):
    solution = solve(made.system, method="paper")
    assert unpacked(packed(solution)).gap == solution.gap
    profit = earn(made.system, Terms(price=1.0), effort=Effort(0))
    assert unpacked(packed(profit)).value == profit.value
    assert np.isfinite(profit.value)
