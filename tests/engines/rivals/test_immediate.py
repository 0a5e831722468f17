"""OLB, MET and MCT in closed form do what the textbook does one task at a time."""

import heapq
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.engines.rivals import RIVALS
from core.engines.rivals.heuristics import earliest_places
from core.engines.rivals.rival import machine_kinds, schedule_of_machines
from core.engines.verify.judge import verify
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

Groups = Callable[[Schedule], list[list[int]]]

# How a task ranks a machine, from its ready time and the seconds that the task takes there.
RANK: dict[str, Callable[[float, float], tuple[float, ...]]] = {
    "olb": lambda ready, _: (ready,),
    "mct": lambda ready, seconds: (ready + seconds,),
    "met": lambda ready, seconds: (seconds,),
}


def textbook(system: System, rank: Callable[[float, float], tuple[float, ...]]) -> Schedule:
    """Every task in its turn looks at every machine; MET, among equal ones, for the free first."""
    kinds = machine_kinds(system).tolist()
    ready = [0.0] * len(kinds)
    tasks = np.zeros((len(kinds), len(system.task_types)), np.int64)
    for i, task in enumerate(system.task_types):
        able = [k for k, kind in enumerate(kinds) if np.isfinite(system.etc[i, kind])]
        for _ in range(task.count):
            chosen = min(
                able,
                key=lambda k: (*rank(ready[k], system.etc[i, kinds[k]]), kinds[k], ready[k], k),
            )
            tasks[chosen, i] += 1
            ready[chosen] += system.etc[i, kinds[chosen]]
    return schedule_of_machines(system, tasks)


@pytest.mark.parametrize("name", RANK)
@given(system=systems(dyadic=True, max_count=12))
def test_is_the_textbook(groups: Groups, name: str, system: System) -> None:
    assert groups(RIVALS[name].solve(system)) == groups(textbook(system, RANK[name]))


machine = st.tuples(st.integers(0, 50), st.integers(1, 9))


@given(st.lists(machine, min_size=1, max_size=6), st.integers(1, 300))
def test_earliest_places_are_those_that_a_heap_hands_out(
    offers_and_steps: list[tuple[int, int]], n: int
) -> None:
    offer, seconds = (np.array(column, float) for column in zip(*offers_and_steps, strict=True))
    taken = [0] * len(offer)
    heap = [(start, k) for k, start in enumerate(offer)]
    heapq.heapify(heap)
    for _ in range(n):
        start, k = heap[0]
        taken[k] += 1
        heapq.heapreplace(heap, (start + seconds[k], k))
    assert earliest_places(offer, seconds, n).tolist() == taken


@pytest.mark.parametrize("name", RANK)
@given(system=systems(max_count=200))
def test_any_times_give_a_schedule(name: str, system: System) -> None:
    assert verify(RIVALS[name].solve(system), system).ok


@pytest.mark.parametrize(
    ("name", "by_type"),
    [
        ("olb", [6 * 10**11, 4 * 10**11]),
        ("met", [10**12, 0]),
        ("mct", [6 * 10**11, 4 * 10**11]),
    ],
)
def test_as_many_tasks_as_are_allowed(name: str, by_type: list[int]) -> None:
    system = System(
        (TaskType("T", 10**12),),
        (MachineType("fast", 4), MachineType("slow", 4)),
        np.array([[2.0, 3.0]]),
    )
    schedule = RIVALS[name].solve(system)
    assert schedule.placed.tolist() == [by_type]
