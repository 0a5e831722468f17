"""Where the tasks of a log ran is kept by name, and fits only a system with the same tasks."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tiny import tiny_systems

from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.placement import LogPlacement
from core.vocabulary.system import System


def system_of(counts: list[int], machines: str, etc: list[list[float]]) -> System:
    tasks = tuple(TaskType(f"t{k}", count) for k, count in enumerate(counts))
    return System(tasks, tuple(MachineType(name, 1) for name in machines), np.array(etc))


@given(tiny_systems(), st.data())
def test_the_order_of_types_does_not_matter(system: System, data: st.DataObject) -> None:
    placed = np.zeros(system.etc.shape, np.int64)
    for i, count in enumerate(system.task_counts.tolist()):
        able = np.flatnonzero(system.can_run[i]).tolist()
        for _ in range(count):
            placed[i, data.draw(st.sampled_from(able))] += 1
    tasks = data.draw(st.permutations(range(len(placed))))
    kinds = data.draw(st.permutations(range(placed.shape[1])))
    seen = LogPlacement(
        tuple(system.task_names[i] for i in tasks),
        tuple(system.machine_names[k] for k in kinds),
        placed[np.ix_(tasks, kinds)],
    )
    found = seen.on(system)
    assert found is not None
    assert (found[0] == placed).all()
    assert found[1] == 0


def test_tasks_that_ran_where_they_cannot_count_where_most_of_their_type_ran() -> None:
    system = system_of([6], "abc", [[1.0, 1.0, np.inf]])
    found = LogPlacement(("t0",), ("a", "b", "c"), np.array([[1, 3, 2]])).on(system)
    assert found is not None
    assert (found[0].tolist(), found[1]) == ([[1, 5, 0]], 2)
    nowhere = LogPlacement(("t0",), ("a", "b", "c"), np.array([[0, 0, 6]]))
    assert nowhere.on(system) is None


def test_other_tasks_and_machines_that_are_gone_have_no_place() -> None:
    seen = LogPlacement(("t0", "t1"), ("a", "b"), np.array([[1, 2], [0, 4]]))
    both = system_of([3, 4], "ab", [[1.0, 1.0]] * 2)
    assert seen.on(both) is not None
    assert seen.on(system_of([3, 5], "ab", [[1.0, 1.0]] * 2)) is None
    assert seen.on(system_of([3], "ab", [[1.0, 1.0]])) is None
    assert seen.on(system_of([3, 4], "a", [[1.0]] * 2)) is None
    more = system_of([3, 4], "abz", [[1.0] * 3] * 2)
    found = seen.on(more)
    assert found is not None
    assert found[0].tolist() == [[1, 2, 0], [0, 4, 0]]
    renamed = replace(both, task_types=(TaskType("x", 3), both.task_types[1]))
    assert seen.on(renamed) is None
    assert seen.fingerprint != replace(seen, counts=seen.counts + 1).fingerprint
