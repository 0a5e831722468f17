"""Whole tasks prove a makespan that no schedule gets below, and all of it where tasks are equal."""

import math

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from tiny import all_points, tiny_systems

from core.model.kinds import MachineType, TaskType
from core.model.system import System
from core.relaxed import MAKESPAN, lower_bound, soonest


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
