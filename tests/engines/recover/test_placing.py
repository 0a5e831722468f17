"""The integer program places whole tasks as well as trying every placement does."""

import itertools
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENCE
from strategies import systems

from core.engines.lp.program import Program, ProgramSolution
from core.engines.recover.along import place_within
from core.engines.relaxed import trace_front
from core.engines.relaxed.front import Placements
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def compositions(tasks: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """Every way to share tasks among machine types."""
    for cuts in itertools.combinations(range(tasks + kinds - 1), kinds - 1):
        ends = (-1, *cuts, tasks + kinds - 1)
        yield tuple(b - a - 1 for a, b in itertools.pairwise(ends))


def every_point(system: System) -> FloatArray:
    """(joules, seconds) of every placement of whole tasks, the machines of a type sharing them."""
    kinds = len(system.machine_types)
    rows = [
        [row for row in compositions(count, kinds) if not (np.array(row)[~able] > 0).any()]
        for count, able in zip(system.task_counts.tolist(), system.can_run, strict=True)
    ]
    placed = [np.array(choice, float) for choice in itertools.product(*rows)]
    return Placements.dense(placed).points(system)


def point(system: System, placed: IntArray) -> FloatArray:
    found: FloatArray = Placements.dense([placed.astype(float)]).points(system)[0]
    return found


def anywhere(system: System) -> FloatArray:
    return np.where(system.can_run, 0.0, np.inf)


SMALL = systems(3, 3, with_apc=True, dyadic=True, max_count=4)


@given(SMALL, st.floats(0, 1))
@examples(20)
def test_within_an_energy_limit_no_placement_is_faster(system: System, share: float) -> None:
    points = every_point(system)
    thriftiest, dearest = points[:, 0].min(), points[:, 0].max()
    limit = float((thriftiest + share * (dearest - thriftiest)) * (1 + 1e-9) + 1e-9)
    placed = place_within(system, anywhere(system), limit, PATIENCE)
    assert placed is not None
    assert (placed.sum(axis=1) == system.task_counts).all()
    assert (placed[~system.can_run] == 0).all()
    energy, makespan = point(system, placed)
    assert energy <= limit * (1 + 1e-5) + 1e-5
    affordable = points[:, 0] <= limit
    assert makespan <= points[affordable, 1].min() * (1 + 2e-5)


def test_nothing_is_placed_within_the_impossible(two_by_two: Callable[..., System]) -> None:
    system = two_by_two()
    front = trace_front(system)
    waste = front.waste(1)
    assert place_within(system, waste, 899.0, PATIENCE) is None
    placed = place_within(system, waste, 901.0, PATIENCE)
    assert placed is not None
    assert point(system, placed).tolist() == [900.0, 30.0]


def test_the_fastest_placement_is_found_where_energy_does_not_matter(
    two_by_two: Callable[..., System],
) -> None:
    system = two_by_two()
    placed = place_within(system, anywhere(system), 1e9, PATIENCE)
    assert placed is not None
    assert point(system, placed)[1] == 11.0


def test_only_the_least_wasteful_machine_types_are_considered() -> None:
    kinds = 12
    system = System(
        (TaskType("t", 12),),
        tuple(MachineType(f"m{j}") for j in range(kinds)),
        np.ones((1, kinds)),
        np.ones((1, kinds)),
    )
    waste = np.arange(kinds, dtype=float)[None, ::-1]
    placed = place_within(system, waste, 100.0, PATIENCE)
    assert placed is not None
    # Nine types share twelve tasks: two each at most.
    assert placed.max() == 2
    assert (placed[0, :3] == 0).all()


def test_too_many_tasks_are_not_even_tried(two_by_two: Callable[..., System]) -> None:
    system = two_by_two()
    large = system.with_counts(system.task_counts * 10**6, system.machine_counts)
    assert place_within(large, anywhere(large), 1e300, PATIENCE) is None


@pytest.mark.parametrize(
    ("joules", "point_found"),
    [(1379.0, None), (1381.0, (1380.0, 18.0)), (1401.0, (1400.0, 12.0)), (1431.0, (1430.0, 11.0))],
)
def test_what_idle_machines_draw_counts_against_the_limit(
    two_by_two: Callable[..., System], joules: float, point_found: tuple[float, float] | None
) -> None:
    """The fastest placement draws 1100 J above idle power, and is within each of these limits
    where that is left out.
    """
    system = two_by_two(20.0, 10.0)
    placed = place_within(system, anywhere(system), joules, PATIENCE)
    assert (placed is None) == (point_found is None)
    if placed is not None:
        assert tuple(point(system, placed).tolist()) == point_found


@pytest.mark.parametrize(("tasks", "tried"), [(999_999, True), (10**6, True), (10**6 + 1, False)])
def test_a_million_tasks_are_placed_and_one_more_are_not(tasks: int, tried: bool) -> None:
    system = System((TaskType("t", tasks),), (MachineType("m"),), np.ones((1, 1)), np.ones((1, 1)))
    placed = place_within(system, anywhere(system), 1e9, PATIENCE)
    assert (placed is not None) == tried


def test_an_answer_that_loses_a_task_is_none(
    two_by_two: Callable[..., System], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole numbers are whole for a solver within its tolerance: one may come out as another."""
    searched = Program.search

    def losing(program: Program) -> ProgramSolution | None:
        solution = searched(program)
        assert solution is not None
        solution.values[int(solution.values[:-1].argmax())] -= 1
        return solution

    monkeypatch.setattr(Program, "search", losing)
    assert place_within(two_by_two(), anywhere(two_by_two()), 1e9, PATIENCE) is None
