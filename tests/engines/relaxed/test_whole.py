"""Whole tasks prove a makespan that no schedule gets below, and all of it where tasks are equal."""

import math

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from tiny import all_points, tiny_systems

from core.engines.relaxed import MAKESPAN, lower_bound, soonest
from core.engines.relaxed.whole import _sets, _too_short
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def alike(tasks: int, machines: int, seconds: tuple[float, ...]) -> System:
    return System(
        (TaskType("task", tasks),),
        tuple(MachineType(str(j), machines) for j in range(len(seconds))),
        np.array([seconds]),
    )


@given(tiny_systems())
@examples(30)
def test_no_schedule_is_faster(system: System) -> None:
    divisible = lower_bound(system, MAKESPAN).value
    assert divisible <= soonest(system, divisible) <= all_points(system)[:, 1].min()


@pytest.mark.parametrize(("tasks", "machines"), [(1, 1), (1, 1000), (7, 3), (1001, 10), (10**6, 7)])
def test_equal_tasks_on_equal_machines_are_settled(tasks: int, machines: int) -> None:
    system = alike(tasks, machines, (10 / 3,))
    found = soonest(system, lower_bound(system, MAKESPAN).value)
    assert found <= math.ceil(tasks / machines) * (10 / 3) <= found * (1 + 1e-11)


def test_unlike_machines_run_as_many_as_fit() -> None:
    # Within 9 s three and two machines run 3 x 2 + 3 x 1 tasks of 4 and 9 s, before that 3 x 2.
    system = alike(7, 3, (4.0, 9.0))
    assert soonest(system, lower_bound(system, MAKESPAN).value) == pytest.approx(9.0)


def test_long_tasks_of_several_types_share_machines() -> None:
    system = System(
        tuple(TaskType(str(i), 1) for i in range(3)),
        (MachineType("machine", 2),),
        np.array([[10.0], [10.0], [9.0]]),
    )
    # Two of the three are on one machine, each as long as the shortest at least.
    assert soonest(system, 14.5) == pytest.approx(18.0)


def test_where_whole_tasks_prove_no_more_it_is_what_it_was() -> None:
    system = alike(6, 3, (4.0,))
    assert soonest(system, 8.0) == 8.0


def test_the_longest_of_several_sets_counts() -> None:
    """On one machine two tasks of 10 s take 20 s, three of 4 s 12 s, and all at least 5 x 4 s."""
    system = System(
        (TaskType("long", 2), TaskType("short", 3)),
        (MachineType("machine"), MachineType("none", 0)),
        np.array([[10.0, 1.0], [4.0, 1.0]]),
    )
    assert soonest(system, 5.0) == pytest.approx(20.0, rel=1e-11)
    assert soonest(alike(3, 1, (4.0,)), 1.0) == pytest.approx(12.0, rel=1e-11)


def test_sets_are_the_tasks_of_each_type_and_of_the_longest_types_together() -> None:
    system = System(
        tuple(TaskType(name, n) for name, n in (("a", 2), ("none", 0), ("b", 1), ("c", 4))),
        (MachineType("A", 3), MachineType("B"), MachineType("none", 0)),
        np.array([[5.0, 6.0, 1.0], [9.0, 9.0, 9.0], [8.0, np.inf, 1.0], [np.inf, 3.0, 1.0]]),
    )
    times, tasks = _sets(system)
    a, b, c = [5, 6, np.inf], [8, np.inf, np.inf], [np.inf, 3, np.inf]
    assert times.tolist() == [a, b, c, b, a, [5, 3, np.inf]]
    assert tasks.tolist() == [2, 1, 4, 1, 3, 7]


def test_of_types_as_long_as_each_other_the_first_come_first() -> None:
    counts = np.arange(1, 41)
    system = System(
        tuple(TaskType(str(n), n) for n in counts.tolist()),
        (MachineType("machine"),),
        np.ones((40, 1)),
    )
    assert _sets(system)[1].tolist() == [*counts.tolist(), *np.cumsum(counts).tolist()]


@pytest.mark.parametrize(
    ("seconds", "short"),
    [(5.9, True), (6 * (1 - 2e-12), True), (6 * (1 - 5e-13), False), (6, False)],
)
def test_two_machines_run_two_tasks_of_3_s_each_in_6_s_but_for_rounding(
    seconds: float, short: bool
) -> None:
    found = _too_short(alike(4, 2, (3.0,)), np.array([[3.0]]), np.array([4.0]), seconds)
    assert found.tolist() == [short]
