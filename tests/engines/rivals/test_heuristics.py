"""The heuristics on counts do what the textbook does one task at a time."""

import heapq
import itertools
from collections.abc import Callable

import numpy as np
import pytest
from examples import examples, seeds
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.engines.rivals import RIVALS, Cancelled, TooLong, heuristics
from core.engines.rivals.heuristics import earliest_places
from core.engines.rivals.rival import machine_kinds, schedule_of_machines
from core.engines.verify.judge import verify
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

Groups = Callable[[Schedule], list[list[int]]]

# How much it is the turn of a task: the ends that its best and second-best machine offer.
URGENCY: dict[str, Callable[[float, float], float]] = {
    "min-min": lambda best, _: -best,
    "max-min": lambda best, _: best,
    "sufferage": lambda best, second: second - best,
}

# Small whole times: sums are exact, and ties are many.
exact = systems(dyadic=True, max_count=7)


def textbook(system: System, urgency: Callable[[float, float], float]) -> Schedule:
    """Every task looks at every machine before each placement."""
    kinds = machine_kinds(system).tolist()
    ready = [0.0] * len(kinds)
    tasks = np.zeros((len(kinds), len(system.task_types)), np.int64)
    waiting = [i for i, task in enumerate(system.task_types) for _ in range(task.count)]
    while waiting:
        offers = []
        for place, i in enumerate(waiting):
            ends = sorted((ready[k] + system.etc[i, kind], k) for k, kind in enumerate(kinds))
            best, machine = ends[0]
            second = ends[1][0] if len(ends) > 1 else np.inf
            offers.append((-urgency(best, second), place, machine, best))
        _, place, machine, end = min(offers)
        tasks[machine, waiting.pop(place)] += 1
        ready[machine] = end
    return schedule_of_machines(system, tasks)


@pytest.mark.parametrize("name", URGENCY)
@examples(5)
@given(system=exact)
def test_is_the_textbook(groups: Groups, name: str, system: System) -> None:
    assert groups(RIVALS[name].solve(system)) == groups(textbook(system, URGENCY[name]))


@pytest.mark.parametrize("name", URGENCY)
@pytest.mark.parametrize("seed", seeds(4, 20))
def test_is_the_textbook_where_the_best_machines_change_all_the_time(
    groups: Groups, name: str, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    system = System(
        tuple(TaskType(f"T{i}", 4) for i in range(6)),
        tuple(MachineType(f"M{j}", 1 + j % 2) for j in range(4)),
        rng.integers(1, 17, (6, 4)).astype(float),
    )
    assert groups(RIVALS[name].solve(system)) == groups(textbook(system, URGENCY[name]))


@pytest.mark.parametrize("name", URGENCY)
@examples(5)
@given(system=exact, looks=st.integers(1, 60))
def test_pausing_to_ask_whether_to_stop_changes_nothing(
    groups: Groups, name: str, system: System, looks: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heuristics, "LOOKS_BETWEEN_STOPS", looks)
        paused = RIVALS[name].solve(system)
    assert groups(paused) == groups(RIVALS[name].solve(system))


@pytest.mark.parametrize(
    ("name", "nine", "a_quarter"), [("min-min", 2987.62, 818.25), ("max-min", 2998.48, 731.77)]
)
def test_makespans_known_for_the_nine_environment(name: str, nine: float, a_quarter: float) -> None:
    system = load_sample("nine")
    fewer = tuple(TaskType(task.name, task.count // 4) for task in system.task_types)
    quarter = System(fewer, system.machine_types, system.etc)
    assert RIVALS[name].solve(system).makespan == pytest.approx(nine, abs=0.005)
    assert RIVALS[name].solve(quarter).makespan == pytest.approx(a_quarter, abs=0.005)


def test_sufferage_by_hand() -> None:
    # T2 would lose 16 s and T1 1 s, so T2 has the first choice; min-min would end after 6 s.
    system = System(
        (TaskType("T1"), TaskType("T2")),
        (MachineType("A"), MachineType("B")),
        np.array([[2.0, 3.0], [4.0, 20.0]]),
    )
    assert RIVALS["sufferage"].solve(system).load.tolist() == [4, 3]


@pytest.mark.parametrize("name", URGENCY)
def test_many_tasks_can_be_cancelled_and_run_out_of_time(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heuristics, "LOOKS_BETWEEN_STOPS", 1000)
    endless = System((TaskType("T", 10**12),), (MachineType("M", 2),), np.ones((1, 1)))
    asked = itertools.count()
    with pytest.raises(Cancelled, match=r"500 of 1,000,000,000,000 were placed"):
        RIVALS[name].solve(endless, should_stop=lambda: next(asked) == 0)
    with pytest.raises(TooLong, match=r"all would take about \d[\d,.dhmins ]+; allow more seconds"):
        RIVALS[name].solve(endless, seconds=1e-6)


# How a task ranks a machine, from its ready time and the seconds that the task takes there.
RANK: dict[str, Callable[[float, float], tuple[float, ...]]] = {
    "olb": lambda ready, _: (ready,),
    "mct": lambda ready, seconds: (ready + seconds,),
    "met": lambda ready, seconds: (seconds,),
}


def textbook_in_turn(system: System, rank: Callable[[float, float], tuple[float, ...]]) -> Schedule:
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
@examples(5)
@given(system=systems(dyadic=True, max_count=12))
def test_in_turn_is_the_textbook(groups: Groups, name: str, system: System) -> None:
    assert groups(RIVALS[name].solve(system)) == groups(textbook_in_turn(system, RANK[name]))


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
@examples(5)
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
