"""The lists have the least cost within each makespan, of every part of the tasks and no other."""

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from called import kernels_called

from core.engines.recover import part_lists
from core.engines.recover.part_lists import PartLists, Parts, load_kernels
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

TWO_TYPES = System(
    (TaskType("T", 2), TaskType("U", 1)),
    (MachineType("A", 2, 1.0), MachineType("B", 1)),
    np.array([[2.0, 1.0], [np.inf, 3.0]]),
    np.array([[4.0, 9.0], [np.nan, 2.0]]),
)


def entries(lists):
    """(seconds, cost) of what is in the list of each part."""
    pairs = list(zip(lists.seconds.tolist(), lists.costs.tolist(), strict=True))
    begin = lists.begin.tolist()
    return [pairs[a:b] for a, b in pairwise(begin)]


def built(parts, kinds):
    """The lists of machines of these types, and how much was looked through in all."""
    lists, looked = PartLists.of_no_machines(len(parts.counts)), 0
    for kind in kinds:
        lists, pairs = lists.with_machine(parts, kind, 10**6)
        looked += pairs
    return lists, looked


def enumerated(parts, kinds):
    """The same by trying every way to share each part among the machines."""
    numbers = range(len(parts.counts))
    ways = [set() for _ in numbers]
    for runs in product(numbers, repeat=len(kinds)):
        counts = parts.counts[list(runs)].sum(axis=0)
        loads = [float(parts.loads[kind, part]) for kind, part in zip(kinds, runs, strict=True)]
        if (counts <= parts.most).all() and max(loads) < np.inf:
            cost = sum(float(parts.costs[kind, p]) for kind, p in zip(kinds, runs, strict=True))
            ways[int(counts @ parts.radix)].add((max(loads), cost))
    lists = []
    for found in ways:
        best = []
        for seconds, cost in sorted(found):
            if not best or cost < best[-1][1]:
                best.append((seconds, cost))
        lists.append(best)
    return lists


def test_the_parts_of_two_tasks_and_one_are_numbered_from_none_to_all():
    parts = Parts.of(TWO_TYPES)
    assert parts.most.tolist() == [2, 1]
    assert parts.radix.tolist() == [1, 3]
    assert parts.counts.tolist() == [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]]
    assert parts.loads.tolist() == [[0, 2, 4, np.inf, np.inf, np.inf], [0, 1, 2, 3, 4, 5]]
    # Joules above idle power: 3 W for 2 s on A, 9 W for 1 s and 2 W for 3 s on B.
    assert parts.costs.tolist() == [[0, 6, 12, 0, 6, 12], [0, 9, 18, 6, 15, 24]]
    unpowered = Parts.of(
        replace(
            TWO_TYPES,
            apc=None,
            machine_types=tuple(replace(kind, idle_power=0.0) for kind in TWO_TYPES.machine_types),
        )
    )
    assert unpowered.loads.tolist() == parts.loads.tolist()
    assert not unpowered.costs.any()


def test_three_types_are_counted_in_mixed_places():
    parts = Parts.of(
        System(
            (TaskType("T", 1), TaskType("U", 2), TaskType("V", 3)),
            (MachineType("A"),),
            np.array([[1.0], [10.0], [100.0]]),
            np.ones((3, 1)),
        )
    )
    assert parts.radix.tolist() == [1, 2, 6]
    assert len(parts.counts) == 24
    assert parts.counts[[1, 2, 6, 23]].tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 2, 3]]
    assert parts.loads[0, [1, 2, 6, 23]].tolist() == [1.0, 10.0, 100.0, 321.0]


def test_no_machines_run_no_tasks_and_nothing_else():
    none = PartLists.of_no_machines(3)
    assert entries(none) == [[(0.0, 0.0)], [], []]


def test_the_lists_of_one_machine_and_of_two_worked_out_by_hand():
    parts = Parts.of(TWO_TYPES)
    one, pairs = PartLists.of_no_machines(6).with_machine(parts, 0, 100)
    assert entries(one) == [[(0, 0)], [(2, 6)], [(4, 12)], [], [], []]
    # No part but none at all is done without a machine, so each is looked at once.
    assert pairs == 3
    both, pairs = one.with_machine(parts, 1, 100)
    assert entries(both) == [
        [(0, 0)],
        [(1, 9), (2, 6)],
        [(2, 15), (4, 12)],
        [(3, 6)],
        [(3, 12)],
        [(4, 18)],
    ]
    # Of the six parts 1, 2, 3, 1, 2 and 3: those where the first machine runs a U are nowhere.
    assert pairs == 12


KINDS = [(0,), (1, 1), (0, 1), (0, 0, 1), (1, 0, 1)]


@pytest.mark.parametrize("kinds", KINDS)
def test_they_are_those_of_every_way_to_share_the_tasks(kinds):
    random = np.random.default_rng(sum(kinds) + len(kinds))
    etc = random.integers(1, 6, (2, 2)).astype(float)
    etc[random.integers(2), 0] = np.inf
    # Idle machines may draw more than those at work.
    idle = float(random.integers(0, 9))
    system = System(
        (TaskType("T", 3), TaskType("U", 2)),
        (MachineType("A", 2, idle), MachineType("B", 2, idle)),
        etc,
        np.where(np.isinf(etc), np.nan, random.integers(0, 9, (2, 2))),
    )
    parts = Parts.of(system)
    lists, _ = built(parts, kinds)
    assert entries(lists) == enumerated(parts, kinds)
    for part, listed in enumerate(entries(lists)):
        for place, (seconds, cost) in enumerate(listed):
            runs = lists.machines(parts, part, int(lists.begin[part]) + place)
            assert [kind for kind, _ in runs] == list(kinds[::-1])
            assert sum(parts.counts[each] for _, each in runs).tolist() == (
                parts.counts[part].tolist()
            )
            assert max(float(parts.loads[kind, each]) for kind, each in runs) == seconds
            assert sum(float(parts.costs[kind, each]) for kind, each in runs) == cost


def test_lists_grow_beyond_the_room_that_they_begin_with():
    """On one machine more time is less cost: 40 tasks can be shared in 41 ways, all worth it."""
    system = System(
        (TaskType("T", 40),),
        (MachineType("fast"), MachineType("thrifty")),
        np.array([[1.0, 41.0]]),
        np.array([[100.0, 1.0]]),
    )
    parts = Parts.of(system)
    lists, looked = built(parts, (0, 1))
    assert entries(lists)[40] == enumerated(parts, (0, 1))[40]
    assert len(entries(lists)[40]) == 41
    # One of each part alone; with the second machine, as many as are split.
    assert looked == 41 + 41 * 42 // 2


@pytest.mark.parametrize(("most", "pairs", "last"), [(8, 9, 0), (9, 12, 8), (12, 12, 8)])
def test_who_has_looked_through_too_much_ends_with_the_part_at_hand(most, pairs, last):
    parts = Parts.of(TWO_TYPES)
    one, _ = built(parts, (0,))
    both, looked = one.with_machine(parts, 1, most)
    assert looked == pairs
    assert both.begin.tolist() == [0, 1, 3, 5, 6, 7, last]


def test_beside_a_part_goes_the_cheapest_of_all_else_that_is_done_by_then():
    parts = Parts.of(TWO_TYPES)
    both, _ = built(parts, (0, 1))
    # Beside one task T go T and U, in 3 s at 12 J; beside U two T, in 2 s at 15 J or in 4 s at 12.
    part = np.array([1, 1, 1, 3, 3, 3, 5, 5])
    loads = np.array([0, 2.9, 3.0, 1.9, 2.0, 4.0, 0.0, 1.0])
    seconds = np.zeros((len(part), 6))
    seconds[np.arange(len(part)), part] = loads
    found = [int(both.beside(row, part[k : k + 1])[0]) for k, row in enumerate(seconds)]
    begin = both.begin
    assert found == [-1, -1, begin[4], -1, begin[2], begin[2] + 1, 0, 0]


@pytest.mark.parametrize(
    ("time", "cost", "listed"),
    [
        # Before all, between, behind all.
        (0.5, 9.5, [(0.5, 9.5), (1, 9), (3, 5), (4, 2)]),
        (2, 7, [(1, 9), (2, 7), (3, 5), (4, 2)]),
        (5, 1, [(1, 9), (3, 5), (4, 2), (5, 1)]),
        # No better than what is sooner, or as soon.
        (2, 9, [(1, 9), (3, 5), (4, 2)]),
        (2, 10, [(1, 9), (3, 5), (4, 2)]),
        (3, 5, [(1, 9), (3, 5), (4, 2)]),
        (3, 6, [(1, 9), (3, 5), (4, 2)]),
        (5, 2, [(1, 9), (3, 5), (4, 2)]),
        # In place of one, of two, of all.
        (3, 4, [(1, 9), (3, 4), (4, 2)]),
        (2, 5, [(1, 9), (2, 5), (4, 2)]),
        (2, 4, [(1, 9), (2, 4), (4, 2)]),
        (2, 2, [(1, 9), (2, 2)]),
        (1, 8, [(1, 8), (3, 5), (4, 2)]),
        (0.5, 9, [(0.5, 9), (3, 5), (4, 2)]),
        (0.5, 2, [(0.5, 2)]),
        (4, 1, [(1, 9), (3, 5), (4, 1)]),
    ],
)
def test_what_enters_a_list_takes_the_place_of_what_is_no_better(time, cost, listed):
    seconds, joules = np.array([1.0, 3.0, 4.0, -7.0]), np.array([9.0, 5.0, 2.0, -7.0])
    held = part_lists._enter(seconds, joules, 3, float(time), float(cost))
    assert list(zip(seconds[:held], joules[:held], strict=True)) == listed


def test_into_an_empty_list_anything_enters():
    seconds, joules = np.zeros(1), np.zeros(1)
    assert part_lists._enter(seconds, joules, 0, 2.0, 3.0) == 1
    assert (seconds.tolist(), joules.tolist()) == ([2.0], [3.0])


def test_parts_within_a_part_are_passed_in_their_order():
    most, radix = np.array([2, 0, 1]), np.array([1, 3, 9])
    digits = np.zeros(3, np.int64)
    part, passed = 0, []
    while part >= 0:
        passed.append((part, digits.tolist()))
        part = part_lists._next_within(part, digits, most, radix)
    assert passed == [
        (0, [0, 0, 0]),
        (1, [1, 0, 0]),
        (2, [2, 0, 0]),
        (9, [0, 0, 1]),
        (10, [1, 0, 1]),
        (11, [2, 0, 1]),
    ]
    assert part == -1
    assert digits.tolist() == [0, 0, 0]


def test_what_no_entry_is_made_of_is_nothing():
    parts = Parts.of(TWO_TYPES)
    one, _ = built(parts, (0,))
    loads, costs = parts.loads[1], parts.costs[1]
    made = part_lists._made_of(parts.counts, loads, costs, one.lists, 4, 3.0, 12.0)
    # U on B, and T before it on A.
    assert made == (3, one.begin[1])
    for time, cost in ((3.0, 11.0), (2.0, 12.0)):
        made = part_lists._made_of(parts.counts, loads, costs, one.lists, 4, time, cost)
        assert made == (-1, -1)


def test_a_longer_list_begins_with_what_there_was():
    longer = part_lists._longer(np.array([1.0, 2.0, 3.0]))
    assert longer.shape == (6,)
    assert longer[:3].tolist() == [1.0, 2.0, 3.0]


def test_what_is_loaded_is_what_lists_call():
    parts = Parts.of(TWO_TYPES)

    def asked():
        lists, _ = built(parts, (0, 1))
        lists.beside(parts.loads[0], np.array([1]))
        lists.machines(parts, 4, int(lists.begin[4]))

    called = kernels_called(asked)
    assert {name for name, _ in called} == {"_add_machine", "_beside", "_made_of"}
    assert called <= kernels_called(load_kernels)
