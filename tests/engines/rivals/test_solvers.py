"""Solvers are exact on tiny systems, and end with a schedule or say why not."""

import itertools
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from strategies import systems

from core.engines.rivals import RIVALS, Cancelled, MissingExtra, NoScheduleFound, TooLong
from core.engines.rivals.solvers import whole_times
from core.engines.verify.judge import verify
from core.vocabulary.budget import Budget
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

CP_SAT = RIVALS["cp-sat"]


def test_finds_the_best_for_single_tasks_and_for_counts_with_broken_seconds(
    least_makespan: Callable[[System], float],
) -> None:
    system = System(
        (TaskType("single"), TaskType("three", 3), TaskType("two", 2)),
        (MachineType("pair", 2), MachineType("other", 1)),
        np.array([[3.14, np.inf], [1.41, 2.72], [1.62, 0.58]]),
    )
    assert CP_SAT.solve(system).makespan == pytest.approx(least_makespan(system))


@pytest.mark.thorough
def test_stopped_in_the_middle_it_gives_the_best_so_far(
    hard: System, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first schedule takes a tenth of a unit of the work that CP-SAT counts. It may do ten, and
    is asked to stop as soon as it has one.
    """
    found, told = tmp_path / "found", tmp_path / "told"
    counted = _COUNTED.format(found=str(found), told=str(told))
    (tmp_path / "sitecustomize.py").write_text(counted, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert verify(CP_SAT.solve(hard, seconds=500, should_stop=found.exists), hard).ok
    seconds, work = map(float, told.read_text(encoding="utf-8").split())
    assert 400 < seconds < 500
    assert 0 < work < 5


_COUNTED = """
from pathlib import Path
from ortools.sat.python import cp_model

class Found(cp_model.CpSolverSolutionCallback):
    def on_solution_callback(self):
        Path({found!r}).touch()

def solve(solver, model, search=cp_model.CpSolver.solve):
    solver.parameters.max_deterministic_time = 10
    status = search(solver, model, Found())
    seconds, work = solver.parameters.max_time_in_seconds, solver.response_proto.deterministic_time
    Path({told!r}).write_text(f"{{seconds}} {{work}}")
    return status

cp_model.CpSolver.solve = solve
"""
"""What the process of CP-SAT begins with: it counts, leaves a file when it has a schedule, and
tells of the seconds allowed and the work done.
"""


@given(system=systems())
def test_whole_times_are_the_true_ones_in_some_unit_rounded_up(system: System) -> None:
    times = whole_times(system)
    possible = system.can_run & (system.task_counts > 0)[:, None]
    assert ((times > 0) == possible).all()
    # The unit lies where every cell puts it: etc / times <= unit < etc / (times - 1).
    etc, whole = system.etc[possible], times[possible]
    unit = (etc / whole).max()
    assert (etc[whole > 1] / (whole[whole > 1] - 1) > unit * (1 - 1e-9)).all()
    assert float(system.task_counts @ times.max(axis=1)) < 2.0**62


@given(system=systems(dyadic=True))
def test_whole_seconds_stay_as_they_are(system: System) -> None:
    possible = system.can_run & (system.task_counts > 0)[:, None]
    assert (whole_times(system) == np.where(possible, system.etc, 0)).all()


@given(system=systems(dyadic=True))
def test_broken_seconds_become_ten_thousand_units_a_task(system: System) -> None:
    system = System(system.task_types, system.machine_types, system.etc * 0.1234567)
    times = whole_times(system)
    fastest = np.where(times > 0, times, times.max()).min(axis=1)
    assert system.task_counts @ fastest >= 10_000 * system.tasks


@pytest.mark.thorough
def test_cp_sat_says_when_there_was_no_time_for_a_schedule(hard: System) -> None:
    with pytest.raises(TooLong, match=r"found no schedule in 0\.000000001 s; allow more seconds"):
        CP_SAT.solve(hard, seconds=1e-9)


@pytest.mark.thorough
def test_cp_sat_can_be_stopped(hard: System) -> None:
    with pytest.raises(Cancelled, match="stopped before CP-SAT had found a schedule"):
        CP_SAT.solve(hard, seconds=2, should_stop=lambda: True)


def test_stopped_later_it_gives_what_was_found(
    two_by_two: Callable[..., System], monkeypatch: pytest.MonkeyPatch
) -> None:
    system = two_by_two()

    def found_before(_problem: Path, answer: Path, budget: Budget) -> str:
        assert budget.should_stop()
        tasks = np.zeros((system.machines, len(system.task_types)), np.int64)
        tasks[0] = system.task_counts
        np.savez(answer, status="FEASIBLE", tasks=tasks)
        return ""

    monkeypatch.setitem(CP_SAT.method.__globals__, "_search", found_before)
    schedule = CP_SAT.solve(system, should_stop=lambda: True)
    assert verify(schedule, system).ok


def test_names_the_extra_to_install(
    two_by_two: Callable[..., System], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ortools", None)
    with pytest.raises(MissingExtra, match=r"pip install 'wattfront\[cp-sat\]'"):
        CP_SAT.solve(two_by_two())


def test_repeats_what_a_failing_search_complained_of(
    two_by_two: Callable[..., System], monkeypatch: pytest.MonkeyPatch
) -> None:
    # An interpreter that cannot begin, as one with a broken OR-tools.
    monkeypatch.setenv("PYTHONHOME", "/nowhere")
    with pytest.raises(NoScheduleFound, match=r"(?s)CP-SAT ended without an answer: .*\S"):
        CP_SAT.solve(two_by_two())


HIGHS = RIVALS["integer-program"]


@given(system=systems(max_task_types=2, max_machine_types=2, dyadic=True, max_count=2))
def test_finds_the_best(least_makespan: Callable[[System], float], system: System) -> None:
    assert HIGHS.solve(system).makespan == least_makespan(system)


@pytest.mark.thorough
def test_gives_the_best_so_far_when_the_seconds_pass(hard: System) -> None:
    schedule = HIGHS.solve(hard, seconds=0.5, threads=2)
    assert verify(schedule, hard).ok


def test_threads_may_differ_from_run_to_run(two_by_two: Callable[..., System]) -> None:
    makespans = [HIGHS.solve(two_by_two(), threads=n).makespan for n in (1, 2, 1)]
    assert makespans == [11, 11, 11]


def test_large_counts_come_back_whole() -> None:
    system = System(
        (TaskType("T1", 10**9), TaskType("T2", 10**9 + 7)),
        (MachineType("A", 2), MachineType("B", 1)),
        np.array([[1.0, 2.0], [3.0, 5.0]]),
    )
    assert verify(HIGHS.solve(system, seconds=1), system).ok


def test_says_when_there_was_no_time_for_a_schedule(hard: System) -> None:
    with pytest.raises(TooLong, match=r"passed while .*; allow more seconds"):
        HIGHS.solve(hard, seconds=1e-9)


def test_can_be_stopped(hard: System) -> None:
    asked = itertools.count()
    with pytest.raises(Cancelled, match="looking for its first schedule"):
        HIGHS.solve(hard, seconds=60, should_stop=lambda: next(asked) > 0)
