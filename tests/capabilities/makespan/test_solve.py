"""Whatever the method and the aim, `solve` gives a verified schedule and a bound below it."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from strategies import systems

import core.capabilities.makespan.methods
import core.engines.rivals.heuristics
from core.capabilities.makespan.methods import AIMS, METHODS, PHASES
from core.capabilities.makespan.solve import solve
from core.files.samples.named import SYSTEMS, load_sample
from core.vocabulary.budget import Cancelled, Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import NoPowerData, System

ON_ALL_SAMPLES = ("lp", "min-min")
ON_TWO = ("nine", "two-by-two")
TRIED = [
    (method, name)
    for method in METHODS
    if method != "cp-sat"
    for name in (SYSTEMS if method in ON_ALL_SAMPLES else ON_TWO)
]


def same(one, other):
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("machine_type", "machines", "tasks")
    )


@pytest.mark.parametrize(("method", "name"), TRIED)
def test_every_method_answers(method, name):
    system = load_sample(name)
    solution = solve(system, method=method, effort=Effort(0.05))
    assert solution.verdict.ok, solution.verdict.problems
    assert solution.method == method
    assert solution.aim == "makespan"
    assert solution.value == solution.schedule.makespan >= solution.bound.value
    excess = solution.schedule.makespan / solution.bound.value - 1
    assert solution.gap == (
        pytest.approx(excess) if excess > 1e-10 else pytest.approx(0, abs=1e-10)
    )
    assert tuple(solution.seconds) == PHASES
    assert all(seconds >= 0 for seconds in solution.seconds.values())


@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("name", ["nine", "ten", "testbed", "two-by-two"])
def test_polish_never_makes_it_worse(name, aim):
    system = load_sample(name).with_idle_fraction(0.1)
    paper = solve(system, minimise=aim, method="paper")
    polished = solve(system, minimise=aim, method="lp", effort=Effort(0.05))
    assert polished.verdict.ok
    assert polished.verdict.makespan == pytest.approx(polished.schedule.makespan, rel=1e-12)
    assert polished.verdict.energy == pytest.approx(polished.schedule.energy, rel=1e-12)
    assert paper.bound.value <= polished.bound.value <= polished.value <= paper.value
    assert (polished.bound.value == paper.bound.value) == (name != "two-by-two")


@examples(10)
@given(system=systems(dyadic=True, with_apc=True))
def test_any_system(system):
    for aim in AIMS:
        solution = solve(system, minimise=aim, method="paper")
        assert solution.verdict.ok, solution.verdict.problems
        assert solution.value >= solution.bound.value


def test_the_fixtures_of_nine():
    nine = load_sample("nine")
    paper = solve(nine, method="paper")
    assert paper.bound.value == pytest.approx(2597.2182, abs=1e-4)
    assert paper.value == pytest.approx(2778.00, abs=5e-3)
    integer = (paper.schedule.busy_seconds / nine.machine_counts).max()
    assert integer == pytest.approx(2666.75, abs=5e-3)
    assert paper.seconds["polish"] == 0


@pytest.mark.parametrize(
    ("fraction_watts", "joules", "seconds"), [((0, 0), 900, 30), ((20, 10), 1380, 18)]
)
def test_the_least_energy_of_the_two_by_two_instance(fraction_watts, joules, seconds, two_by_two):
    solution = solve(two_by_two(*fraction_watts), minimise="energy", method="paper")
    assert solution.value == solution.schedule.energy == pytest.approx(joules, rel=1e-12)
    assert solution.schedule.makespan == seconds
    assert 0 <= solution.gap < 1e-9


def test_among_schedules_of_the_least_energy_a_short_one():
    etc = np.array([[4.0, 1.0], [1.0, 1.0]])
    system = System(
        (TaskType("T1", 6), TaskType("T2", 6)), (MachineType("A"), MachineType("B")), etc, 60 / etc
    )
    schedule = solve(system, minimise="energy", method="paper").schedule
    assert (schedule.energy, schedule.makespan) == (720, 6)


@pytest.mark.parametrize("aim", AIMS)
def test_the_published_method_has_no_chance_in_it(aim):
    nine = load_sample("nine")
    first = solve(nine, minimise=aim, method="paper", effort=Effort(seed=1))
    second = solve(nine, minimise=aim, method="paper", effort=Effort(seed=2))
    assert same(first.schedule, second.schedule)


def test_stopped_at_once_the_published_schedule_is_still_there():
    nine = load_sample("nine")
    stopped = solve(nine, effort=Effort(60), should_stop=lambda: True)
    assert stopped.verdict.ok
    assert stopped.value <= solve(nine, method="paper").value


def test_progress_is_reported_and_ends_at_the_gap_of_the_solution():
    heard = []
    solution = solve(
        load_sample("nine"),
        effort=Effort(600),
        should_stop=lambda: len(heard) >= 20,
        report=heard.append,
    )
    assert [progress.spent for progress in heard] == sorted(progress.spent for progress in heard)
    gaps = [progress.gap for progress in heard]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] == pytest.approx(solution.gap, abs=1e-9)
    assert {progress.allowed for progress in heard} == {600}


@pytest.mark.parametrize("aim", AIMS)
def test_cancelled_in_the_middle_it_ends_there_with_the_best_so_far(aim):
    """In the middle by counted work: half a unit of it would take a second or two."""
    nine = load_sample("nine").with_idle_fraction(0.1)
    heard = []
    solution = solve(
        nine,
        minimise=aim,
        effort=Effort(work=0.5),
        should_stop=lambda: len(heard) >= 2,
        report=heard.append,
    )
    assert len(heard) >= 2
    assert heard[-1].spent < 0.25
    assert solution.verified
    assert solution.value <= solve(nine, minimise=aim, method="paper").value


@pytest.mark.parametrize("method", ["settle", "fitted_within", "polish"])
def test_a_cancel_is_passed_on(method, two_by_two, monkeypatch):
    """Whatever may take long is told whom to ask, and stops when it is told to."""
    asked = []

    def stop():
        asked.append(method)
        return True

    def spied(*given, **_):
        (should_stop,) = (one for one in map(_whom_to_ask, given) if one is not None)
        asked.clear()
        assert should_stop()
        assert asked == [method]
        return given[0] if method == "polish" else None

    monkeypatch.setattr(core.capabilities.makespan.methods, method, spied)
    assert solve(two_by_two(), effort=Effort(work=0.01), should_stop=stop).verified
    assert asked


def _whom_to_ask(given):
    return given if callable(given) else getattr(given, "should_stop", None)


def test_a_rival_is_told_whom_to_ask(two_by_two, monkeypatch):
    monkeypatch.setattr(core.engines.rivals.heuristics, "LOOKS_BETWEEN_STOPS", 1000)
    endless = two_by_two().with_counts(np.array([10**12, 1]), np.array([1, 1]))
    with pytest.raises(Cancelled, match=r"of 1,000,000,000,001 were placed"):
        solve(endless, method="min-min", should_stop=lambda: True)


def test_the_largest_counts():
    nine = load_sample("nine")
    largest = nine.with_counts(np.full(30, 10**12), np.full(9, 10**6))
    solution = solve(largest, method="paper")
    assert solution.verdict.ok
    assert solution.verdict.tasks == 30 * 10**12
    assert 0 <= solution.gap < 1e-6
    assert len(solution.schedule.machines) <= 9 * 31


def test_unknown_methods_and_impossible_aims():
    nine, unpowered = load_sample("nine"), load_sample("e3")
    with pytest.raises(ValueError, match="there is no method 'magic'; give one of lp, paper"):
        solve(nine, method="magic")
    with pytest.raises(NoPowerData):
        solve(unpowered, minimise="energy")
    with pytest.raises(ValueError, match="'min-min' minimises the makespan only"):
        solve(nine, minimise="energy", method="min-min")


@pytest.mark.parametrize("aim", ["makespan", "energy"])
@pytest.mark.parametrize("method", ["lp", "paper"])
@pytest.mark.parametrize(("tasks", "machines"), [(1, 1000), (7, 3), (3, 2)])
def test_few_equal_tasks_are_proven_to_be_done_as_well_as_can_be(aim, method, tasks, machines):
    system = System(
        (TaskType("task", tasks),),
        (MachineType("machine", machines, 30.0),),
        np.array([[10 / 3]]),
        np.array([[100.0]]),
    )
    solution = solve(system, minimise=aim, method=method, effort=Effort(0.05))
    assert solution.schedule.makespan == pytest.approx(-(-tasks // machines) * 10 / 3)
    assert solution.gap == 0.0
    assert solution.value == pytest.approx(solution.bound.value, rel=1e-9)
    assert solution.value >= solution.bound.value
