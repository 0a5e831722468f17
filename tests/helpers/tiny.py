"""Systems so small that every schedule of them can be tried, and what little is proven of them."""

from itertools import product

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.engines.front.proven import Proven
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.points import Steps
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


@st.composite
def tiny_systems(draw: st.DrawFn) -> System:
    """The second machine type is slower, and mostly saves; idle it may draw more than at work.
    Machines may be switched off when their last task ends.
    """
    types = draw(st.integers(1, 2))
    fast = draw(arrays(float, types, elements=st.integers(1, 9).map(float)))
    more = draw(arrays(float, types, elements=st.sampled_from([0.5, 1.0, 2.5, 3.0, 7.3])))
    watts = draw(arrays(float, (types, 2), elements=st.integers(0, 40).map(float)))
    idle = draw(st.sampled_from([0.0, 0.0, 1.0, 4.0, 50.0, 90.0]))
    asleep = draw(st.sampled_from([None, None, 0.0, 3.0]))
    return System(
        tuple(TaskType(str(i), draw(st.integers(1, 6 // types))) for i in range(types)),
        (
            MachineType("fast", draw(st.integers(1, 2)), idle, asleep),
            MachineType("slow", 1, idle, draw(st.sampled_from([asleep, None]))),
        ),
        np.column_stack([fast, fast + more]),
        watts + np.array([60.0, 0.0]),
    )


def all_schedules(system: System) -> list[Schedule]:
    """Every way to run the tasks of each type on single machines."""
    kinds = np.repeat(np.arange(len(system.machine_types)), system.machine_counts)
    single = np.ones(len(kinds), np.int64)
    rows = []
    for i, count in enumerate(system.task_counts.tolist()):
        most = [count if able else 0 for able in system.can_run[i, kinds]]
        ways = product(*(range(each + 1) for each in most))
        rows.append([way for way in ways if sum(way) == count])
    return [Schedule.from_groups(system, kinds, single, np.array(way).T) for way in product(*rows)]


def all_points(system: System) -> FloatArray:
    """(joules, seconds) of each of them."""
    return np.array([(way.energy, way.makespan) for way in all_schedules(system)])


def lines_alone(front: Front) -> Proven:
    """As if nothing but the lines of a front were known."""
    return Proven(front, Steps.none_before(float(front.lines.value[-1])))
