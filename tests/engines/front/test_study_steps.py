"""A study sorts what a method found, checks the best of it first, and joins what else is known."""

import time
from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from stand_ins import StandIns

import core.engines.front.study
from core.engines.front.known import Known, Proofs
from core.engines.front.methods import Found, Method, StudyProgress
from core.engines.front.study import study
from core.engines.recover.along import Progression
from core.engines.recover.settling import Settled
from core.engines.relaxed import trace_front
from core.vocabulary.budget import Effort
from core.vocabulary.schedule import Schedule

PROGRESSION = Progression(np.zeros((1, 2)), np.zeros((1, 2)), np.zeros((1, 2)))
# Tasks of either type on the first machine: 900 J in 30 s, 940 J in 28 s, 980 J in 26 s, 1,140 J
# in 18 s, 1,360 J in 12 s; 1,010 J in 27 s and 1,580 J in 14 s are dominated.
ON_FRONT = ((0, 0), (1, 0), (2, 0), (6, 0), (6, 2))
DOMINATED = ((0, 1), (6, 4))


@dataclass(frozen=True)
class Gives(Method):
    """Finds these schedules."""

    name: ClassVar[str] = "gives"
    schedules: tuple[Schedule, ...] = ()

    def run(self, study, /):
        study.clock.lap("giving")
        return Found(list(self.schedules), PROGRESSION, Proofs())


class Counts(Gives):
    """Can be given units of work."""

    counts_work: ClassVar[bool] = True


@pytest.fixture(scope="module")
def system(two_by_two):
    return two_by_two()


def ways(system, rows):
    return tuple(
        Schedule(system, np.arange(2), np.ones(2, np.int64), np.array([row, 6 - np.array(row)]))
        for row in rows
    )


@pytest.fixture
def all_seven(system):
    """In no order, one of them twice."""
    return Gives(ways(system, (*DOMINATED, *ON_FRONT[::-1], ON_FRONT[2])))


class Checks:
    """In the place of the judge: a check takes so many seconds, and finds fault with some."""

    def __init__(self, seconds=0.0, wrong=()):
        self.seconds, self.wrong = seconds, wrong
        self.checked: list[float] = []

    def __call__(self, schedule, system):
        assert schedule.system is system
        self.checked.append(schedule.energy)
        return SimpleNamespace(ok=schedule.energy not in self.wrong)

    def clock(self):
        return 100 + self.seconds * len(self.checked)


def checking(monkeypatch, checks):
    monkeypatch.setattr(core.engines.front.study, "verify", checks)
    monkeypatch.setattr(time, "perf_counter", checks.clock)
    return checks


def test_what_was_found_is_sorted_each_point_once(system, all_seven):
    found = study(system, all_seven)
    expected = [[900, 30], [940, 28], [980, 26], [1010, 27], [1140, 18], [1360, 12], [1580, 14]]
    assert found.points.tolist() == expected
    assert [[one.energy, one.makespan] for one in found.schedules] == expected
    assert found.on_front.tolist() == [True, True, True, False, True, True, False]
    assert found.achieved.tolist() == [expected[k] for k in (0, 1, 2, 4, 5)]
    assert (found.method, found.progression, found.verified) == ("gives", PROGRESSION, True)
    assert found.system is system
    assert list(found.seconds) == ["bound", "giving", "verify"]


def test_both_ends_are_checked_first_and_what_is_dominated_last(system, all_seven, monkeypatch):
    checks, reports = checking(monkeypatch, Checks()), list[StudyProgress]()
    found = study(system, all_seven, report=reports.append)
    assert checks.checked == [900, 1360, 980, 940, 1140, 1010, 1580]
    assert [(one.phase, one.spent, one.allowed) for one in reports] == [
        ("verify", done, 7) for done in range(1, 8)
    ]
    assert found.verified


@pytest.mark.parametrize("wrong", [900.0, 980.0, 1580.0])
def test_one_that_is_wrong_is_enough(system, all_seven, monkeypatch, wrong):
    checking(monkeypatch, Checks(wrong=[wrong]))
    found = study(system, all_seven)
    assert not found.verified
    assert len(found.schedules) == 7


@pytest.mark.parametrize(
    ("seconds", "left"),
    [
        (0.1, [900, 940, 980, 1010, 1140, 1360, 1580]),
        (0.4, [900, 980, 1360]),
        (0.49, [900, 980, 1360]),
        (0.5, [900, 1360]),
        (5.0, [900, 1360]),
    ],
)
def test_whoever_stops_waits_a_second_for_what_was_found_to_be_checked(
    system, all_seven, monkeypatch, seconds, left
):
    checks = checking(monkeypatch, Checks(seconds, wrong=[900]))
    found = study(system, all_seven, should_stop=lambda: len(checks.checked) < 7)
    assert found.points[:, 0].tolist() == left
    assert [one.energy for one in found.schedules] == left
    assert not found.verified


def test_without_a_stop_all_are_checked_however_long_it_takes(system, all_seven, monkeypatch):
    checks = checking(monkeypatch, Checks(1000.0))
    assert study(system, all_seven).verified
    assert len(checks.checked) == 7


@pytest.mark.parametrize(
    ("method", "effort", "loaded"),
    [
        (Counts(), Effort(1.0), True),
        (Counts(), Effort(0.0), False),
        (Counts(), Effort(0.0, work=1.0), True),
        (Counts(), Effort(1.0, work=0.0), False),
        (Gives(), Effort(1.0), False),
    ],
)
def test_kernels_are_loaded_before_a_clock_starts_that_they_would_spend(
    system, monkeypatch, method, effort, loaded
):
    steps = StandIns(monkeypatch, core.engines.front.study)
    steps.gives(load_kernels=None)
    study(system, method, effort=effort)
    assert bool(steps.calls["load_kernels"]) == loaded


def test_a_front_is_traced_unless_it_is_known(system, monkeypatch):
    front = trace_front(system)
    steps = StandIns(monkeypatch, core.engines.front.study)
    steps.gives(trace_front=front)

    def stop():
        return False

    assert study(system, Gives(), front=front).front is front
    assert not steps.calls["trace_front"]
    assert study(system, Gives(), should_stop=stop).front is front
    traced, budget = steps.one("trace_front").given
    assert traced is system
    assert budget.should_stop is stop


@pytest.fixture
def three(system):
    """900 J in 30 s, 1,140 J in 18 s, 1,360 J in 12 s."""
    return study(system, Gives(ways(system, (ON_FRONT[0], ON_FRONT[3], ON_FRONT[4]))))


def test_what_is_known_already_changes_nothing(system, three):
    assert three.with_known(Known.nothing(system)) is three
    same = Known.nothing(system).with_schedules(three.schedules)
    assert three.with_known(same) is three


def test_what_is_known_besides_is_joined(system, three):
    one, other = ways(system, (ON_FRONT[1], DOMINATED[0]))
    known = Known.nothing(system).with_schedules([one, other], np.array([[940, 28], [1010, 27]]))
    joined = three.with_known(known)
    expected = [[900, 30], [940, 28], [1010, 27], [1140, 18], [1360, 12]]
    assert joined.points.tolist() == expected
    assert [[each.energy, each.makespan] for each in joined.schedules] == expected
    assert joined.on_front.all()
    assert joined.schedules[0] is three.schedules[0]
    better = three.with_known(
        Known.nothing(system).with_schedules([one], np.array([[930.0, 11.0]]))
    )
    assert better.on_front.tolist() == [True, True, False, False]


def test_so_are_proofs(system, three):
    settled = Settled(tuple(three.schedules), 0.0)
    known = Known.nothing(system).proving(proofs=Proofs(settled=settled))
    joined = three.with_known(known)
    assert joined.proofs.settled is settled
    assert joined.proven.settled is settled
    assert joined.schedules is three.schedules
    assert three.proofs.settled is None


def test_a_gap_that_is_infinite_is_none(three):
    three.__dict__["proven"] = SimpleNamespace(energy_gaps=lambda points: points[:, 1] / [3, 0, 6])
    with np.errstate(divide="ignore"):
        assert three.gaps == [10.0, None, 2.0]
