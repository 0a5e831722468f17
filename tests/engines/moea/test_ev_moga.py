"""The archive of ev-MOGA keeps one solution of a box, none behind another, and both ends."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.engines.moea.dominance import dominated_by, front
from core.engines.moea.ev_moga import BoxArchive, boxes_of, by_ev_moga, is_worse
from core.engines.moea.problem import EvolutionPace, GeneProblem, Solutions
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Budget

rows = st.lists(st.tuples(*[st.integers(0, 30)] * 3), min_size=1, max_size=30)


def solutions(values: FloatArray, violation: float = 0.0) -> Solutions:
    return Solutions(np.arange(len(values))[:, None], values, np.full(len(values), violation))


def test_the_box_of_a_point_computed_by_hand() -> None:
    """Fixture C12; a value that is the least is in box 0."""
    point, most = np.array([3.0, 8.0, 4.9]), np.array([10.0, 20.0, 5.0])
    assert boxes_of(point, np.zeros(3), most, 5).tolist() == [2, 2, 5]
    assert boxes_of(
        np.array([0.0, 20.0, 7.0]), np.zeros(3), np.array([10.0, 20.0, 0.0]), 5
    ).tolist() == [
        0,
        5,
        0,
    ]


@given(drawn=rows, boxes=st.integers(1, 6), parts=st.integers(1, 4))
def test_the_archive_has_the_ends_and_one_of_each_box(
    drawn: list[tuple[int, ...]], boxes: int, parts: int
) -> None:
    values = np.array(drawn, float)
    first, *others = np.array_split(values, parts)
    archive = BoxArchive(solutions(first), boxes)
    for other in others:
        archive.offer(solutions(other))
    kept = archive.kept.values
    best = values[front(values)]
    assert (kept[:, None] == best[None]).all(axis=2).any(axis=1).all()
    assert kept.min(axis=0).tolist() == best.min(axis=0).tolist()
    least, most = kept.min(axis=0), kept.max(axis=0)
    found = boxes_of(kept, least, most, boxes)
    assert len(np.unique(found, axis=0)) == len(found)
    assert not dominated_by(found[:, None], found[None]).any()


def test_of_a_box_the_nearest_to_its_middle_is_kept() -> None:
    """Boxes of 10 to 10 between 0 and 20: (14, 13) is nearer to (15, 15) than (11, 18)."""
    ends = np.array([[0.0, 20.0], [20.0, 0.0]])
    for order in ([0, 1], [1, 0]):
        inside = np.array([[6.0, 7.0], [9.0, 2.0]])[order]
        archive = BoxArchive(solutions(np.concatenate((ends, inside))), 2)
        assert sorted(archive.kept.values.tolist()) == [[0, 20], [6, 7], [20, 0]]


def test_a_box_behind_another_is_let_go() -> None:
    """(12, 3) is in box (2, 1), behind (9, 9) in box (1, 1), although it is not dominated."""
    values = np.array([[0.0, 20.0], [20.0, 0.0], [12.0, 3.0], [9.0, 9.0]])
    kept = BoxArchive(solutions(values), 2).kept.values
    assert sorted(kept.tolist()) == [[0, 20], [9, 9], [20, 0]]


def test_who_violates_less_is_better_whatever_the_values() -> None:
    archive = BoxArchive(solutions(np.array([[1.0, 1.0]]), violation=2.0))
    archive.offer(solutions(np.array([[0.0, 0.0]]), violation=3.0))
    assert archive.kept.violation.tolist() == [2.0]
    archive.offer(solutions(np.array([[9.0, 9.0]]), violation=1.0))
    assert archive.kept.values.tolist() == [[9.0, 9.0]]
    archive.offer(solutions(np.array([[10.0, 8.0], [8.0, 10.0]])))
    assert len(archive.kept) == 2
    two = Solutions(np.zeros((3, 1), int), np.array([[2.0], [1.0], [5.0]]), np.array([1.0, 1.0, 0]))
    assert is_worse(two, two, 1).tolist() == [True, False, False]
    assert is_worse(two, two, 2).tolist() == [True, True, False]


def countdown(mutated: list[IntArray], crossed: list[IntArray]) -> GeneProblem:
    """One gene, which is to be small: mutation makes it less by 1, and recombination by 100 for one
    child and 200 for the other. It begins at 10, 11 and 12. What is changed is noted.
    """

    def cross(_: object, one: IntArray, other: IntArray) -> tuple[IntArray, IntArray]:
        crossed.append(np.concatenate((one, other)))
        return one - 100, other - 200

    def mutate(_: object, rows: IntArray) -> IntArray:
        mutated.append(rows.copy())
        return rows - 1

    return GeneProblem(
        1,
        lambda rows: (rows.astype(float), np.zeros(len(rows))),
        lambda _, count: np.arange(10, 10 + count)[:, None],
        cross,
        mutate,
    )


def test_a_pair_has_a_parent_of_the_population_and_one_of_the_archive() -> None:
    """The archive has the least alone, and each child of it is less by 1. The child of the other
    parent takes the place of one that is worse, so in the end all of the population were replaced.
    """
    seen: list[IntArray] = []
    pace = EvolutionPace(3, 60, 0.0)
    found = by_ev_moga(countdown(seen, []), pace, brood=2, budget=Budget())
    living, archived = np.concatenate([rows.T for rows in seen]).T
    assert archived.tolist() == list(range(10, -50, -1))
    assert found.genes.tolist() == [[-50]]
    assert set(living[:2].tolist()) <= {10, 11, 12}
    assert len(set(living.tolist())) > 10
    assert (living[-5:] < 0).all()
    assert (living >= archived).all()


def test_pairs_are_recombined_or_mutated() -> None:
    crossed: list[IntArray] = []
    pace = EvolutionPace(3, 1, 1.0)
    found = by_ev_moga(countdown([], crossed), pace, brood=6, budget=Budget())
    assert crossed[0][3:].tolist() == [[10]] * 3
    assert found.genes.tolist() == [[10 - 200]]
    half = [
        by_ev_moga(countdown([], []), EvolutionPace(3, 1, 0.5), brood=2, budget=Budget(), seed=seed)
        for seed in range(40)
    ]
    least = [int(one.genes[0, 0]) for one in half]
    assert set(least) == {9, -190}
    assert 10 < least.count(9) < 30


def test_an_odd_brood_leaves_one_child_out() -> None:
    found = by_ev_moga(countdown([], []), EvolutionPace(3, 1, 1.0), brood=1, budget=Budget())
    assert found.genes.tolist() == [[-90]] or found.genes[0, 0] in (-89, -88)


def test_what_is_offered_twice_is_kept_once_and_the_older() -> None:
    archive = BoxArchive(solutions(np.array([[1.0, 2.0]])))
    first = archive.kept
    archive.offer(solutions(np.array([[1.0, 2.0], [1.0, 3.0]])))
    assert archive.kept is first
    archive.offer(solutions(np.array([[1.0, 1.0]])))
    assert archive.kept.values.tolist() == [[1.0, 1.0]]


def test_boxes_are_also_told_apart_where_values_differ_by_little() -> None:
    values = np.array([[0.25, 0.5]])
    assert boxes_of(values, np.array([0.0, 0.4]), np.array([0.5, 0.6]), 10).tolist() == [[5, 5]]
    assert boxes_of(values, np.array([0.0, 0.4]), np.array([0.5, 0.6])).max() == 25
