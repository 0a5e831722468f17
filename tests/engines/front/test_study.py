"""A study says what is impossible and what was achieved, by any method, and agrees with itself."""

from dataclasses import replace

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems
from studied import assert_sound

import core.engines.front.methods
import core.engines.front.study
from core.engines.front.known import NO_PROOFS
from core.engines.front.methods import METHODS, Lp, method_named
from core.engines.front.study import Areas, study, sweep_idle_power
from core.engines.front.wish import Deadline, EnergyBudget
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import NoPowerData, System

SYSTEMS = systems(with_apc=True, dyadic=True)


def integral(schedule):
    """Joules under the power curve: from event to event, the watts of all machines then."""
    system, blocks = schedule.system, schedule.blocks()
    times = np.unique(np.concatenate([[0.0], blocks.start, blocks.end]))
    middles = (times[:-1] + times[1:]) / 2
    watts = np.full(len(middles), system.machine_counts @ system.idle_power)
    for row in range(len(blocks)):
        kind = blocks.machine_type[row]
        during = (blocks.start[row] < middles) & (middles < blocks.end[row])
        rise = system.apc[blocks.task_type[row], kind] - system.idle_power[kind]
        watts[during] += blocks.machines[row] * rise
    return float(watts @ np.diff(times))


@given(SYSTEMS)
@examples(4)
def test_without_seconds_it_is_recovery_alone_and_always_the_same(system):
    found, again = (study(system, effort=Effort(0)) for _ in range(2))
    assert_sound(found, system)
    assert "polish" not in found.seconds
    np.testing.assert_array_equal(found.points, again.points)
    np.testing.assert_array_equal(found.front.points, again.front.points)
    for one, other in zip(found.schedules, again.schedules, strict=True):
        np.testing.assert_array_equal(one.tasks, other.tasks)
    # Nothing but what recovery gave: what has an equal point is there once.
    assert len(found.points) == len(np.unique(found.progression.assigned, axis=0))


@given(SYSTEMS)
@examples(3)
def test_polish_adds_to_what_recovery_gave(system):
    before, after = (
        study(system, effort=Effort(0)),
        study(system, effort=Effort(seconds=0.02, threads=2)),
    )
    assert_sound(after, system)
    assert {tuple(point) for point in before.points} <= {tuple(point) for point in after.points}
    assert ("polish" in after.seconds) != ("settle" in after.seconds)
    assert ("settle" in after.seconds) == (after.proofs.settled is not None)


@given(schedules(SYSTEMS))
@examples(15)
def test_energy_is_the_integral_of_the_power_curve(schedule):
    assert schedule.energy == pytest.approx(integral(schedule), rel=1e-9, abs=1e-9)


@given(schedules(SYSTEMS), st.lists(st.integers(0, 64), min_size=3, max_size=3))
def test_idle_watts_never_lower_the_energy_of_a_schedule(schedule, more):
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
def test_every_method_answers(two_by_two, method):
    system = two_by_two(20, 10)
    found = study(system, method_named(method, generations=20), effort=Effort(0.5))
    assert_sound(found, system)
    assert found.method == method
    np.testing.assert_allclose(found.front.points, [(1380, 18), (1404, 10.8)])
    phases = {
        "lp": ["bound", "recover", "settle"],
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


def test_areas_of_the_system_worked_out_by_hand(two_by_two):
    found = study(two_by_two(), Lp(2.0), effort=Effort(0))
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


@pytest.mark.thorough
def test_patterns_prove_more_than_the_lines():
    system = load_sample("nine")
    found = study(system, effort=Effort(work=0.8))
    assert_sound(found, system)
    assert found.proofs.patterns is not None
    lines = replace(found, proofs=NO_PROOFS)
    assert found.areas().between < lines.areas().between
    assert found.areas().outer == pytest.approx(found.areas().inner + found.areas().between)
    assert found.areas().loose == lines.areas().loose
    for energy, makespan in found.points:
        assert found.front.least_energy(makespan) <= found.proven.least_energy(makespan) <= energy
    assert (np.diff(found.outer[:, 0]) >= 0).all()
    assert (np.diff(found.outer[:, 1]) <= 0).all()


@pytest.mark.thorough
@pytest.mark.parametrize(
    "asked",
    [
        {"effort": Effort(0)},
        {"method": "bound"},
        {"method": Lp(wish=Deadline(3000.0))},
        {"effort": Effort(work=0.1)},
    ],
)
def test_nothing_is_proven_by_patterns_unasked(asked):
    found = study(load_sample("nine"), **{"effort": Effort(0.6), **asked})
    assert found.proofs.patterns is None
    assert "patterns" not in found.seconds
    assert found.proven.least_energy(3000.0) == found.front.least_energy(3000.0)


def test_the_bound_alone_has_areas_and_a_nadir(two_by_two):
    found = study(two_by_two(), method="bound")
    assert found.nadir.tolist() == pytest.approx([1404, 30])
    assert len(found.achieved) == len(found.inner) == len(found.progression.assigned) == 0
    areas = found.areas()
    assert areas.inner == 0
    assert areas.between == areas.outer == pytest.approx(5558.4)
    assert areas.loose > areas.outer
    assert len(found.to_frame()) == 0


def test_a_frame_has_a_row_for_each_schedule(two_by_two):
    found = study(two_by_two(100, 30), effort=Effort(0))
    frame = found.to_frame()
    assert list(frame.columns) == ["energy", "makespan", "energy_gap", "time_gap", "on_front"]
    assert frame.dtypes.astype(str).tolist() == [*["float64"] * 4, "bool"]
    assert (frame.index.name, frame.index.tolist()) == ("schedule", [*range(len(frame))])
    assert [found.schedules[row].energy for row in frame.index] == frame["energy"].tolist()
    assert [found.schedules[row].makespan for row in frame.index] == frame["makespan"].tolist()
    assert frame.loc[frame["on_front"], "energy_gap"].tolist() == found.gaps
    assert (frame["time_gap"] == found.proven.time_gaps(found.points)).all()
    assert (frame["time_gap"] != frame["energy_gap"]).any()


def test_one_point_is_enough_of_a_front(two_by_two):
    found = study(two_by_two(100, 30), effort=Effort(0.05))
    assert_sound(found, found.system)
    assert len(found.front) == 1
    assert found.areas().between >= 0
    bound = study(two_by_two(100, 30), method="bound")
    assert bound.areas() == Areas(0.0, 0.0, 0.0, 0.0)


@pytest.mark.thorough
def test_many_tasks_and_machines_are_no_obstacle(two_by_two):
    small = two_by_two(10, 5)
    system = small.with_counts(small.task_counts * 10**11, small.machine_counts * 10**5)
    found = study(system, effort=Effort(600))
    assert_sound(found, system)
    assert found.front.exact
    # What is left is between neighbouring schedules, not between them and the bound.
    assert found.areas().between <= 0.01 * found.areas().outer


def test_impossible_pairs_idle_machine_types_and_watts_below_idle():
    system = System(
        (TaskType("none", 0), TaskType("1", 7), TaskType("2", 5)),
        (MachineType("absent", 0), MachineType("A", 2, 50.0), MachineType("B", 3, 5.0)),
        np.array([[1.0, np.inf, np.inf], [2.0, 3.0, 4.0], [np.inf, 5.0, np.inf]]),
        np.array([[9.0, np.nan, np.nan], [9.0, 20.0, 30.0], [np.nan, 60.0, np.nan]]),
    )
    found = study(system, Lp(wish=EnergyBudget(1e9)), effort=Effort(0.1))
    assert_sound(found, system)


def test_without_watts_there_is_no_study(two_by_two):
    system = two_by_two()
    with pytest.raises(NoPowerData):
        study(replace(system, apc=None))


def test_idle_power_is_swept_as_if_one_by_one():
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


@pytest.mark.parametrize(("done", "begun"), [(0, 0), (1, 1), (2, 2), (9, 4)])
def test_a_sweep_that_is_stopped_begins_no_further_front(monkeypatch, done, begun):
    traced = []

    def traces(system, budget):
        traced.append(system)
        return trace_front(system, budget)

    monkeypatch.setattr(core.engines.front.study, "trace_front", traces)
    system = load_sample("two-by-two")
    fronts = sweep_idle_power(system, [0.0, 0.1, 0.2, 0.3], lambda: len(traced) >= done)
    assert (len(fronts), len(traced)) == (begun, begun)


@pytest.mark.parametrize(("seconds", "nadir"), [(0, [1404, 30]), (1, [1430, 30])])
def test_the_nadir_is_that_of_vertices_and_schedules(two_by_two, seconds, nadir):
    """The fastest schedule takes more than the front ever does, since its tasks are whole."""
    assert study(two_by_two(), effort=Effort(seconds)).nadir.tolist() == pytest.approx(nadir)


def test_what_single_tasks_prove_is_in_the_study():
    """Eleven tasks on ten machines: some machine runs two, which the divisible front never does."""
    etc = 10.0 + np.arange(11.0)[:, None] + np.zeros(10)
    system = System(
        tuple(TaskType(f"t{i}") for i in range(11)),
        tuple(MachineType(f"m{j}") for j in range(10)),
        etc,
        np.full((11, 10), 100.0),
    )
    found = study(system, effort=Effort(0.2))
    assert found.proofs.fitted is not None
    assert found.front.points[-1, 1] == pytest.approx(16.5)
    # 10 s and 11 s on one machine; what is proven comes near.
    assert 19.99 <= found.proven.soonest <= 21.0
