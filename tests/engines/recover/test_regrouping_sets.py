"""Moves are gathered into sets, and two sets that together fill the room are found."""

import itertools

import numpy as np
import pytest

from core.engines.recover import regrouping


def to_match(machines):
    """Two collections of 60 sets at random, the room to fill, and an empty grid."""
    rng = np.random.default_rng(machines)
    sets, others = (regrouping._listed(regrouping._Sets.empty(machines), 60) for _ in range(2))
    for one in (sets, others):
        one.added[1:] = rng.uniform(-0.4, 0.4, (59, machines))
        one.waste[1:] = rng.uniform(-0.01, 0.05, 59)
    room = rng.uniform(-0.3, 0.1, machines)
    grid = regrouping._Grid(np.zeros(regrouping._TABLE, np.int64), np.zeros(60, np.int64))
    return sets, others, room, grid


@pytest.mark.parametrize(
    ("machines", "cell"), [(2, 10.0), (3, 10.0), (4, 10.0), (6, 10.0), (3, 0.3), (6, 0.3)]
)
def test_no_better_match_is_missed_that_fills_the_room_to_within_half_a_cell(machines, cell):
    """That is every match where cells are large."""
    sets, others, room, grid = to_match(machines)
    left, a, b = regrouping._match(sets, others, room, 0.7, cell, grid)
    off = sets.added[:, None] + others.added - room
    all_left = np.maximum(off, 0.0).sum(axis=2) + 0.7 * (sets.waste[:, None] + others.waste)
    near = (np.abs(off[:, :, : min(machines - 1, 4)]) <= cell / 2).all(axis=2)
    near[0, 0] = False
    assert near.sum() > 3
    assert near.sum() == 60 * 60 - 1 or cell < 1
    assert (a, b) != (0, 0), "neither is changed"
    assert left == pytest.approx(all_left[a, b])
    assert left <= all_left[near].min() + 1e-12


@pytest.mark.thorough
def test_sets_are_all_that_waste_up_to_the_limit():
    """Of up to three moves of different task types of one half, and of no other half."""
    task, giver, taker = np.array([[0, 0, 1, 2, 3, 4], [0, 0, 1, 1, 0, 0], [1, 2, 0, 2, 1, 1]])
    waste = np.array([0.3, 0.1, -0.1, 0.2, 0.15, 0.0])
    off_giver, on_taker = np.random.default_rng(0).random((2, 6))
    moves = regrouping._Moves(task, giver, taker, off_giver, on_taker, waste)
    half = np.array([0, 0, 0, 0, 1])
    sets = regrouping._Sets.empty(3)
    number = regrouping._list_sets(0, half, 0.25, np.argsort(waste), moves, sets)
    listed = {tuple(sorted(int(move) for move in row if move >= 0)) for row in sets.moves[:number]}
    allowed = {
        picked
        for size in range(4)
        for picked in itertools.combinations(range(5), size)
        if len({int(task[move]) for move in picked}) == size
        # Moves are added the cheapest first, and every set on the way is within the limit.
        and all(part <= 0.25 for part in itertools.accumulate(sorted(waste[list(picked)])))
    }
    assert listed == allowed
    assert number == len(allowed)
    for row, added, wasted in zip(sets.moves, sets.added, sets.waste[:number], strict=False):
        picked = [int(move) for move in row if move >= 0]
        expected = np.zeros(3)
        for move in picked:
            expected[giver[move]] -= off_giver[move]
            expected[taker[move]] += on_taker[move]
        assert added == pytest.approx(expected)
        assert wasted == pytest.approx(waste[picked].sum())


def test_machines_are_chosen_among_them_one_that_is_late():
    random = np.array([12345], np.uint64)
    chosen = np.zeros(3, np.int64)
    loads = np.array([1.0, 1.5, 1.25, 0.5, 2.0])
    assert not regrouping._choose(random, loads, 2.0, chosen)
    first, others = set(), set()
    for _ in range(60):
        assert regrouping._choose(random, loads, 1.25, chosen)
        assert len(set(chosen.tolist())) == 3
        first.add(int(chosen[0]))
        others |= set(chosen[1:].tolist())
    assert first == {1, 4}
    assert others == {0, 1, 2, 3, 4}


def test_the_moves_listed_are_those_of_the_chosen_machines_that_do_not_waste_too_much():
    counts = np.array([[1, 0], [0, 0], [2, 1]])
    waste = np.array([[0.1, 0.3, 0.2], [0.0, 0.25, 0.5]])
    seconds = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    pairs = regrouping._Pairs(seconds, waste)
    moves = regrouping._Moves(*np.zeros((3, 12), np.int64), *np.zeros((3, 12)))
    number = regrouping._list_moves(counts, pairs, 0.25, np.array([2, 0, 1]), moves)
    listed = [tuple(int(column[k]) for column in moves[:3]) for k in range(number)]
    # Of the first type machine 1 would waste too much; of the second it wastes just the most.
    assert listed == [(0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 0, 2)]
    assert moves.waste[:number].tolist() == pytest.approx([-0.1, 0.1, -0.5, -0.25])
    assert moves.off_giver[:number].tolist() == [3.0, 1.0, 6.0, 6.0]
    assert moves.on_taker[:number].tolist() == [1.0, 3.0, 4.0, 5.0]
