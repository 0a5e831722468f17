"""A study says how far it is, ends when it is told to, and keeps what it has by then."""

import itertools
import time

import numpy as np
import pytest
from irregular import single_tasks
from studied import assert_sound, stopped, told

from core.engines.front.methods import METHODS, Lp, method_named
from core.engines.front.study import study
from core.engines.recover import assign, polish, round_rows
from core.engines.relaxed import MAKESPAN, lower_bound
from core.files.samples.named import load_sample
from core.vocabulary.budget import Budget, Effort, NoScheduleFound


@pytest.mark.parametrize("method", METHODS)
def test_stopped_at_once_there_is_a_front_and_what_was_found(method):
    system = load_sample("nine")
    if method in ("lp", "bound", "nsga2"):
        found = study(
            system, method_named(method, spacing=0.2), effort=Effort(600), should_stop=lambda: True
        )
        assert_sound(found, system)
        assert bool(len(found.points)) == (method != "bound")
    else:
        with pytest.raises(NoScheduleFound):
            study(system, method=method, effort=Effort(600), should_stop=lambda: True)


def test_it_reports_and_ends_when_told_to():
    system = load_sample("nine")
    reports = []
    found = study(
        system,
        Lp(0.2),
        effort=Effort(seconds=10, threads=2),
        should_stop=lambda: len(told(reports, "polish")) >= 4,
        report=reports.append,
    )
    assert_sound(found, system)
    assert len(told(reports, "polish")) >= 4
    for progress in told(reports, "polish"):
        assert 0 < progress.spent < progress.allowed == 10
        assert len(progress.points) > 0
        assert progress.points.shape[1] == 2


@pytest.mark.parametrize(
    ("method", "phases"),
    [
        ("lp", ["recover", "verify"]),
        ("paper", ["sweep", "recover", "verify"]),
        ("nsga2", ["evolve", "verify"]),
        ("nsga2-seeded", ["sweep", "recover", "evolve", "verify"]),
    ],
)
def test_every_phase_that_counts_reports_to_its_end(two_by_two, method, phases):
    reports = []
    seconds = 60.0 if "evolve" in phases else 0.0
    study(
        two_by_two(),
        method_named(method, generations=20),
        effort=Effort(seconds),
        report=reports.append,
    )
    assert list(dict.fromkeys(progress.phase for progress in reports)) == phases
    for phase in phases:
        spent = [progress.spent for progress in told(reports, phase)]
        assert spent == sorted(set(spent))
        last = told(reports, phase)[-1]
        assert last.spent == last.allowed - (phase == "sweep")
        if phase == "evolve":
            assert last.allowed == 20


def test_who_stops_recovery_has_both_ends_at_least():
    system = load_sample("nine")
    whole = study(system, Lp(0.05), effort=Effort(0))
    found = stopped(system, "recover", 5, method=Lp(0.05), effort=Effort(0))
    assert_sound(found, system)
    assert 2 <= len(found.progression.assigned) <= 5 < len(whole.progression.assigned)
    np.testing.assert_array_equal(
        found.progression.assigned[[0, -1]], whole.progression.assigned[[0, -1]]
    )


@pytest.fixture
def slowly(monkeypatch):
    """From when it is called the clock leaps ahead, and whoever calls what it gives has to wait."""

    def begin():
        ticks = itertools.count()
        monkeypatch.setattr(time, "perf_counter", lambda: 1000.0 * next(ticks))
        waits = itertools.cycle([0.0, 0.005, 0.001])
        return lambda *_: time.sleep(next(waits))

    return begin


def contents(schedule):
    return [part.tobytes() for part in (schedule.machine_type, schedule.machines, schedule.tasks)]


def proof(found):
    return found.proofs.patterns.proof


@pytest.mark.thorough
def test_a_study_is_the_same_on_a_slow_computer(slowly):
    system = load_sample("six").with_idle_fraction(0.0)
    told = []
    fast = study(system, Lp(0.2), effort=Effort(work=0.6, seed=3), report=told.append)
    again = study(system, Lp(0.2), effort=Effort(work=0.6, seed=3), report=slowly())
    assert [contents(s) for s in fast.schedules] == [contents(s) for s in again.schedules]
    np.testing.assert_array_equal(proof(fast).prices, proof(again).prices)
    np.testing.assert_array_equal(proof(fast).until, proof(again).until)
    spent = [progress.spent for progress in told if progress.phase == "polish"]
    assert 0 < min(spent) < 0.1
    assert 0.5 < max(spent) <= 0.6


@pytest.mark.thorough
def test_another_seed_or_more_work_is_another_study():
    system = load_sample("six").with_idle_fraction(0.0)
    first, other, more = (
        study(system, Lp(0.2), effort=Effort(work=work, seed=seed))
        for work, seed in ((0.1, 0), (0.1, 1), (0.3, 0))
    )
    assert not np.array_equal(first.points, other.points)
    assert more.areas(first.nadir).inner > first.areas(first.nadir).inner


def like_machines():
    """So many that a slice is polished."""
    nine = load_sample("nine")
    return nine.with_counts(nine.task_counts * 10, nine.machine_counts * 10)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "make", [lambda: single_tasks(64, 6, 3), like_machines, lambda: load_sample("nine")]
)
def test_polish_is_the_same_on_a_slow_computer(make, slowly):
    system = make()
    bound = lower_bound(system, MAKESPAN)
    begun = assign(system, round_rows(bound.placed, system.task_counts))
    fast = polish(begun, bound, Budget.of_work(0.2), seed=1)
    again = polish(begun, bound, Budget.of_work(0.2), seed=1, report=slowly())
    assert contents(fast) == contents(again)
    assert fast.makespan < begun.makespan


def test_work_is_counted_on_one_thread():
    with pytest.raises(ValueError, match="counted on one thread, not on 2"):
        Budget(threads=2, clock=Budget.of_work(1.0).clock)
