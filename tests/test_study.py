"""A study says what is impossible and what was achieved, by any method, and agrees with itself."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules, systems

import core.study
from core.budget import NoScheduleFound
from core.front.recovery import points_of
from core.front.wish import Deadline, EnergyBudget
from core.problems import Problem
from core.relaxed import trace_front
from core.samples import load_sample
from core.schedule import Schedule
from core.study import METHODS, Areas, Progress, Study, study, sweep_idle_power
from core.system import MachineType, NoPowerData, System, TaskType
from core.verify import Verdict, verify

SYSTEMS = systems(with_apc=True, dyadic=True)


def integral(schedule: Schedule) -> float:
    """Joules under the power curve: from event to event, the watts of all machines then."""
    system, blocks = schedule.system, schedule.blocks()
    assert system.apc is not None
    times = np.unique(np.concatenate([[0.0], blocks.start, blocks.end]))
    middles = (times[:-1] + times[1:]) / 2
    watts = np.full(len(middles), system.machine_counts @ system.idle_power)
    for row in range(len(blocks)):
        kind = blocks.machine_type[row]
        during = (blocks.start[row] < middles) & (middles < blocks.end[row])
        rise = system.apc[blocks.task_type[row], kind] - system.idle_power[kind]
        watts[during] += blocks.machines[row] * rise
    return float(watts @ np.diff(times))


def assert_sound(found: Study, system: System) -> None:
    """What holds for any study: sorted, distinct, verified, above the bound, marked rightly."""
    assert found.system == system
    assert found.verified
    assert all(verify(schedule, system).ok for schedule in found.schedules)
    np.testing.assert_array_equal(found.points, points_of(list(found.schedules)))
    assert len(np.unique(found.points, axis=0)) == len(found.points)
    assert (np.diff(found.points[:, 0]) >= 0).all()
    for point, best in zip(found.points, found.on_front, strict=True):
        others = (found.points <= point).all(axis=1) & (found.points != point).any(axis=1)
        assert best == (not others.any())
    weighed = found.points @ found.front.lines.weights.T
    size = 1e-9 * (1 + weighed)
    assert (weighed >= found.front.lines.value - size).all()
    assert (np.diff(found.achieved[:, 1]) < 0).all()


@given(SYSTEMS)
@settings(max_examples=20)
def test_without_seconds_it_is_recovery_alone_and_always_the_same(system: System) -> None:
    found, again = (study(system, seconds=0) for _ in range(2))
    assert_sound(found, system)
    assert "polish" not in found.seconds
    np.testing.assert_array_equal(found.points, again.points)
    np.testing.assert_array_equal(found.front.points, again.front.points)
    for one, other in zip(found.schedules, again.schedules, strict=True):
        np.testing.assert_array_equal(one.tasks, other.tasks)
    # Nothing but what recovery gave: what has an equal point is there once.
    assert len(found.points) == len(np.unique(found.progression.assigned, axis=0))


@given(SYSTEMS)
@settings(max_examples=8)
def test_polish_adds_to_what_recovery_gave(system: System) -> None:
    before, after = study(system, seconds=0), study(system, seconds=0.02, threads=2)
    assert_sound(after, system)
    assert {tuple(point) for point in before.points} <= {tuple(point) for point in after.points}
    assert "polish" in after.seconds


@given(schedules(SYSTEMS))
@settings(max_examples=30)
def test_energy_is_the_integral_of_the_power_curve(schedule: Schedule) -> None:
    assert schedule.energy == pytest.approx(integral(schedule), rel=1e-9, abs=1e-9)


def test_energy_is_the_integral_of_the_power_curve_for_what_is_found() -> None:
    found = study(load_sample("nine"), spacing=0.5, seconds=0)
    for schedule in found.schedules:
        assert schedule.energy == pytest.approx(integral(schedule), rel=1e-9)


@given(schedules(SYSTEMS), st.lists(st.integers(0, 64), min_size=3, max_size=3))
def test_idle_watts_never_lower_the_energy_of_a_schedule(
    schedule: Schedule, more: list[int]
) -> None:
    system = schedule.system
    raised = replace(
        system,
        machine_types=tuple(
            replace(kind, idle_power=kind.idle_power + watts)
            for kind, watts in zip(system.machine_types, more, strict=False)
        ),
    )
    assert replace(schedule, system=raised).energy >= schedule.energy


@pytest.mark.parametrize("method", METHODS)
def test_every_method_answers(two_by_two: Callable[..., System], method: str) -> None:
    system = two_by_two(20, 10)
    found = study(system, method=method, seconds=0.5, generations=20)
    assert_sound(found, system)
    assert found.method == method
    np.testing.assert_allclose(found.front.points, [(1380, 18), (1404, 10.8)])
    phases = {
        "lp": ["bound", "recover", "patterns", "polish"],
        "bound": ["bound"],
        "paper": ["bound", "sweep", "recover"],
        "nsga2": ["bound", "evolve"],
        "nsga2-seeded": ["bound", "sweep", "recover", "evolve"],
    }[method]
    assert list(found.seconds) == [*phases, "verify"]
    assert all(seconds >= 0 for seconds in found.seconds.values())
    assert bool(len(found.points)) == (method != "bound")
    areas = found.areas()
    assert areas.outer == pytest.approx(areas.inner + areas.between)
    assert -1e-9 <= areas.between <= areas.loose + 1e-9


@pytest.mark.parametrize(
    ("method", "schedules"), [("paper", True), ("nsga2-seeded", True), ("nsga2", False)]
)
def test_without_seconds_nothing_evolves(
    two_by_two: Callable[..., System], method: str, schedules: bool
) -> None:
    found = study(two_by_two(), method=method, seconds=0)
    assert "evolve" not in found.seconds
    assert bool(len(found.points)) == schedules
    assert found.areas().inner >= 0


def test_evolution_is_the_same_for_the_same_seed() -> None:
    system = load_sample("two-by-two")
    runs = [study(system, method="nsga2", seed=seed, seconds=60, generations=5) for seed in (3, 3)]
    np.testing.assert_array_equal(runs[0].points, runs[1].points)


def test_areas_of_the_system_worked_out_by_hand(two_by_two: Callable[..., System]) -> None:
    found = study(two_by_two(), spacing=2.0, seconds=0)
    assert found.points.tolist() == [[900, 30], [1140, 18], [1360, 12]]
    assert found.nadir.tolist() == pytest.approx([1404, 30])
    areas = found.areas()
    assert (areas.outer, areas.inner, areas.between) == pytest.approx((5558.4, 3432, 2126.4))
    assert areas.loose == pytest.approx(3212.945455)
    # Beyond this nadir schedules are 1.2 s slower than the bound, however much they may draw.
    wider = found.areas(2 * found.nadir)
    assert wider.between - areas.between == pytest.approx(1404 * 1.2)
    assert wider.outer == pytest.approx(wider.inner + wider.between)
    assert found.outer[0].tolist() == pytest.approx([900, 30])
    assert found.inner.tolist() == [[900, 30], [1140, 30], [1140, 18], [1360, 18], [1360, 12]]


def test_patterns_prove_more_than_the_lines() -> None:
    system = load_sample("nine")
    found = study(system, seconds=2, threads=2)
    assert_sound(found, system)
    assert found.patterns is not None
    lines = replace(found, patterns=None)
    assert found.areas().between < 0.95 * lines.areas().between
    assert found.areas().outer == pytest.approx(found.areas().inner + found.areas().between)
    assert found.areas().loose == lines.areas().loose
    for energy, makespan in found.points:
        assert found.front.least_energy(makespan) <= found.least_energy(makespan) <= energy
    assert (np.diff(found.outer[:, 0]) >= 0).all()
    assert (np.diff(found.outer[:, 1]) <= 0).all()


@pytest.mark.parametrize(
    "effort", [{"seconds": 0}, {"method": "bound"}, {"wish": Deadline(3000.0)}, {"seconds": 0.1}]
)
def test_nothing_is_proven_by_patterns_unasked(effort: dict[str, Any]) -> None:
    found = study(load_sample("nine"), **{"seconds": 0.6, **effort})
    assert found.patterns is None
    assert "patterns" not in found.seconds
    assert found.least_energy(3000.0) == found.front.least_energy(3000.0)


def test_the_bound_alone_has_areas_and_a_nadir(two_by_two: Callable[..., System]) -> None:
    found = study(two_by_two(), method="bound")
    assert found.nadir.tolist() == pytest.approx([1404, 30])
    assert len(found.achieved) == len(found.inner) == len(found.progression.assigned) == 0
    areas = found.areas()
    assert areas.inner == 0
    assert areas.between == areas.outer == pytest.approx(5558.4)
    assert areas.loose > areas.outer


def test_one_point_is_enough_of_a_front(two_by_two: Callable[..., System]) -> None:
    found = study(two_by_two(100, 30), seconds=0.05)
    assert_sound(found, found.system)
    assert len(found.front) == 1
    assert found.areas().between >= 0
    bound = study(two_by_two(100, 30), method="bound")
    assert bound.areas() == Areas(0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("method", METHODS)
def test_stopped_at_once_there_is_a_front_and_what_was_found(method: str) -> None:
    system = load_sample("nine")
    if method in ("lp", "bound", "nsga2"):
        found = study(system, method=method, spacing=0.2, seconds=600, should_stop=lambda: True)
        assert_sound(found, system)
        assert bool(len(found.points)) == (method != "bound")
    else:
        with pytest.raises(NoScheduleFound):
            study(system, method=method, seconds=600, should_stop=lambda: True)


def test_it_reports_and_ends_when_told_to() -> None:
    system = load_sample("nine")
    reports: list[Progress] = []
    found = study(
        system,
        spacing=0.2,
        seconds=10,
        threads=2,
        should_stop=lambda: len(told(reports, "polish")) >= 4,
        report=reports.append,
    )
    assert_sound(found, system)
    assert len(told(reports, "polish")) >= 4
    for progress in told(reports, "polish"):
        assert 0 < progress.spent < progress.allowed == 10
        assert len(progress.points) > 0
        assert progress.points.shape[1] == 2


def told(reports: list[Progress], phase: str) -> list[Progress]:
    return [progress for progress in reports if progress.phase == phase]


@pytest.mark.parametrize(
    ("method", "phases"),
    [
        ("lp", ["recover", "verify"]),
        ("paper", ["sweep", "recover", "verify"]),
        ("nsga2", ["evolve", "verify"]),
        ("nsga2-seeded", ["sweep", "recover", "evolve", "verify"]),
    ],
)
def test_every_phase_that_counts_reports_to_its_end(
    two_by_two: Callable[..., System], method: str, phases: list[str]
) -> None:
    reports: list[Progress] = []
    seconds = 60.0 if "evolve" in phases else 0.0
    study(two_by_two(), method=method, seconds=seconds, generations=20, report=reports.append)
    assert list(dict.fromkeys(progress.phase for progress in reports)) == phases
    for phase in phases:
        spent = [progress.spent for progress in told(reports, phase)]
        assert spent == sorted(set(spent))
        last = told(reports, phase)[-1]
        assert last.spent == last.allowed - (phase == "sweep")
        if phase == "evolve":
            assert last.allowed == 20


def test_who_stops_recovery_has_both_ends_at_least() -> None:
    system = load_sample("nine")
    reports: list[Progress] = []
    whole = study(system, spacing=0.05, seconds=0)
    found = study(
        system,
        spacing=0.05,
        seconds=0,
        should_stop=lambda: len(told(reports, "recover")) >= 5,
        report=reports.append,
    )
    assert_sound(found, system)
    assert 2 <= len(found.progression.assigned) <= 5 < len(whole.progression.assigned)
    np.testing.assert_array_equal(
        found.progression.assigned[[0, -1]], whole.progression.assigned[[0, -1]]
    )


def test_who_stops_verification_has_the_schedules_that_were_verified(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = load_sample("nine")
    reports: list[Progress] = []
    whole = study(system, spacing=0.05, seconds=0)
    monkeypatch.setattr(core.study, "LAST_CHECKS_SECONDS", 0.0)
    found = study(
        system,
        spacing=0.05,
        seconds=0,
        should_stop=lambda: len(told(reports, "verify")) >= 9,
        report=reports.append,
    )
    assert_sound(found, system)
    assert len(found.schedules) == 9 < len(whole.schedules)
    np.testing.assert_array_equal(found.achieved[[0, -1]], whole.achieved[[0, -1]])
    assert set(map(tuple, found.achieved)) <= set(map(tuple, whole.achieved))


def test_one_schedule_that_fails_the_check_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    system = load_sample("two-by-two")
    first = study(system, seconds=0).schedules[0]

    def doubting(schedule: Schedule, system: System) -> Verdict:
        if schedule.energy != first.energy:
            return verify(schedule, system)
        return replace(verify(schedule, system), problems=(Problem("schedule", "", "", "no"),))

    monkeypatch.setattr(core.study, "verify", doubting)
    assert not study(system, seconds=0).verified


def test_a_front_that_is_known_is_not_traced_again(two_by_two: Callable[..., System]) -> None:
    front = trace_front(two_by_two())
    assert study(two_by_two(), seconds=0, front=front).front is front


def test_with_an_energy_budget_there_are_schedules_made_for_it() -> None:
    system = load_sample("nine")
    front = trace_front(system)
    wish = EnergyBudget(float(front.energy.mean()))

    def best(found: Study) -> float:
        return float(found.points[found.points[:, 0] <= wish.joules, 1].min())

    without = study(system, seconds=0, front=front, spacing=0.05)
    made = study(system, seconds=0, front=front, spacing=0.05, wish=wish)
    assert best(made) < best(without)


def test_the_published_method_stays_as_published_whatever_is_wished(
    two_by_two: Callable[..., System],
) -> None:
    plain, wished = (
        study(two_by_two(), method="paper", spacing=2.0, seconds=0, wish=wish)
        for wish in (None, EnergyBudget(1320.0))
    )
    np.testing.assert_array_equal(plain.points, wished.points)


def test_with_a_deadline_polish_works_there() -> None:
    system = load_sample("nine")
    front = trace_front(system)
    deadline = float(front.makespan.mean())
    reports: list[Progress] = []
    found = study(
        system,
        front=front,
        wish=Deadline(deadline),
        spacing=0.05,
        seconds=600,
        threads=2,
        should_stop=lambda: len(told(reports, "polish")) >= 12,
        report=reports.append,
    )
    before = study(system, front=front, spacing=0.05, seconds=0)

    def gap(found: Study) -> float:
        met = found.points[found.points[:, 1] <= deadline, 0].min()
        return float(met / front.least_energy(deadline) - 1)

    assert gap(found) < gap(before) / 2


def test_many_tasks_and_machines_are_no_obstacle(two_by_two: Callable[..., System]) -> None:
    small = two_by_two(10, 5)
    system = small.with_counts(small.task_counts * 10**11, small.machine_counts * 10**5)
    found = study(system, seconds=600)
    assert_sound(found, system)
    assert found.front.exact
    # What is left is between neighbouring schedules, not between them and the bound.
    assert found.areas().between <= 0.01 * found.areas().outer


def test_impossible_pairs_idle_machine_types_and_watts_below_idle() -> None:
    system = System(
        (TaskType("none", 0), TaskType("1", 7), TaskType("2", 5)),
        (MachineType("absent", 0), MachineType("A", 2, 50.0), MachineType("B", 3, 5.0)),
        np.array([[1.0, np.inf, np.inf], [2.0, 3.0, 4.0], [np.inf, 5.0, np.inf]]),
        np.array([[9.0, np.nan, np.nan], [9.0, 20.0, 30.0], [np.nan, 60.0, np.nan]]),
    )
    found = study(system, seconds=0.1, wish=EnergyBudget(1e9))
    assert_sound(found, system)


def test_without_watts_there_is_no_study(two_by_two: Callable[..., System]) -> None:
    system = two_by_two()
    with pytest.raises(NoPowerData):
        study(replace(system, apc=None))


def test_an_unknown_method_is_named(two_by_two: Callable[..., System]) -> None:
    with pytest.raises(ValueError, match="no method 'magic'; there are lp, bound"):
        study(two_by_two(), method="magic")


def test_idle_power_is_swept_as_if_one_by_one() -> None:
    system = load_sample("nine")
    fractions = [0.0, 0.1, 0.25, 1.0]
    fronts = sweep_idle_power(system, fractions)
    for front, fraction in zip(fronts, fractions, strict=True):
        alone = trace_front(system.with_idle_fraction(fraction))
        np.testing.assert_array_equal(front.points, alone.points)
    least = np.array([front.utopia[0] for front in fronts])
    assert (np.diff(least) >= -1e-9 * least[1:]).all()
    assert least[-1] > least[0]
    np.testing.assert_allclose([front.utopia[1] for front in fronts], fronts[0].utopia[1])
