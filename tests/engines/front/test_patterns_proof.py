"""A proof by patterns says what its prices prove, is refused if it is too large, and compares."""

import numpy as np
import pytest

from core.engines.front.patterns import PatternProof, Patterns
from core.engines.front.proven import Proven
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.steps import Steps
from core.vocabulary.system import System


def proof_of(
    shortest: float, longest: float, *rows: tuple[float, int], worth_a_step: float = 0.0
) -> PatternProof:
    prices, until = zip(*rows, strict=True) if rows else ((), ())
    return PatternProof(
        shortest,
        longest,
        worth_a_step,
        np.array(prices, float).reshape(-1, 1),
        np.array(until, np.int64),
    )


def test_a_proof_is_evaluated_as_its_prices_prove(fast_and_slow: Proven) -> None:
    # At 20 J a task: 40 J, less the 18.5 J that the slow machine earns from 3 s on. That row counts
    # for 50,000 cells, up to 4 s. At 2 J: 4 J, less 0.5 J, and 1 J from 6 s on.
    proof = proof_of(1.5, 7.0, (20.0, 50_000), (2.0, 10**9))
    found = proof.evaluated(fast_and_slow.front.system)
    makespans = np.array([1.0, 1.5, 2.9, 3.0, 3.9, 4.1, 5.9, 6.0, 6.9])
    expected = [40, 40, 40, 21.5, 21.5, 3.5, 3.5, 3, 3]
    assert found.steps.needed(makespans) == pytest.approx(np.array(expected))
    assert found.steps.begins[0] == 0.0
    assert found.steps.needed(np.array([7.1])) == -np.inf
    assert found.proof is proof


def test_rows_count_for_so_many_cells_from_the_shortest_makespan(fast_and_slow: Proven) -> None:
    system = fast_and_slow.front.system
    step = 5e-5
    for until in (0, 1):
        one = proof_of(1.5, 7.0, (20.0, until)).evaluated(system).steps
        assert one.needed(np.array([1.0, 1.5])) == pytest.approx([40, 40])
        assert one.needed(np.array([1.5 + 1.5 * step])) == -np.inf
    two = proof_of(1.5, 7.0, (20.0, 2)).evaluated(system).steps
    assert two.needed(np.array([1.5 + 1.5 * step])) == pytest.approx(40)
    assert two.needed(np.array([1.5 + 2.5 * step])) == -np.inf


def test_steps_worth_less_are_left_out(fast_and_slow: Proven) -> None:
    proof = proof_of(1.5, 7.0, (20.0, 10**9), worth_a_step=1e9)
    steps = proof.evaluated(fast_and_slow.front.system).steps
    # But for the last, beyond which nothing is fast_and_slow.
    assert steps.joules == pytest.approx(np.array([3.0, -np.inf]))


@pytest.mark.parametrize(
    ("shortest", "longest", "fault"),
    [
        (0.0, 0.0, "goes from 0.0 s to 0.0 s, which is"),
        (-1.0, 1.0, "goes from -1.0 s to 1.0 s"),
        (0.5, 0.5, None),
        (0.5, 5.0, None),
        (0.5, 5.01, "goes from 0.5 s to 5.01 s"),
        (2.0, 20.0, None),
        (2.0, 20.1, "goes from"),
        (2.0, 1.9, "goes from 2.0 s to 1.9 s"),
        (np.nan, 1.0, "goes from"),
    ],
)
def test_makespans_of_a_proof(
    fast_and_slow: Proven, shortest: float, longest: float, fault: str | None
) -> None:
    found = proof_of(shortest, longest, (20.0, 1)).fault(fast_and_slow.front.system)
    assert found == fault if fault is None else found is not None and found.startswith(fault)


def test_a_proof_that_takes_too_long_is_none(fast_and_slow: Proven) -> None:
    system = fast_and_slow.front.system
    too_large = "is too large to be checked"
    assert proof_of(2.0, 3.0, *[(20.0, 1)] * 60).fault(system) is None
    assert proof_of(2.0, 3.0, *[(20.0, 1)] * 61).fault(system) == too_large
    assert proof_of(2.0, 15.0, (20.0, 1)).fault(many_types(2000)) == too_large


def many_types(types: int, seconds: float = 1.0, tasks: int = 2) -> System:
    return System(
        tuple(TaskType(str(i), tasks) for i in range(types)),
        (MachineType("m"),),
        np.full((types, 1), seconds),
        np.full((types, 1), 1.0),
    )


@pytest.mark.parametrize(
    ("seconds", "tasks", "most"), [(1.0, 2, 1500), (1.0, 3, 1000), (2.0, 100, 1000)]
)
def test_thirty_million_numbers_are_not_too_many(seconds: float, tasks: int, most: int) -> None:
    # Of two tasks of a type there are two lots, of three or of the five that fit there are three;
    # and 10 s are 10,000 cells.
    proof = proof_of(2.0, 10.0, (20.0, 1))
    assert proof.fault(many_types(most, seconds, tasks)) is None
    assert proof.fault(many_types(most + 1, seconds, tasks)) is not None


def patterns(shortest: float, begins: list[float], joules: list[float]) -> Patterns:
    steps = Steps(np.array(begins), np.array(joules))
    return Patterns(steps, proof_of(shortest, 9.0))


@pytest.mark.parametrize(
    ("mine", "its", "beyond"),
    [
        # More here, less there: 4 J s against 3 J s, and the other way round.
        (([1, 3, 4], [12, 5, -np.inf]), ([1, 3, 4], [10, 8, -np.inf]), True),
        (([1, 3, 4], [12, 5, -np.inf]), ([1, 3, 4], [10, 9.5, -np.inf]), False),
        (([1, 2, 3, 4], [10, 6, 3, -np.inf]), ([1, 2, 3, 4], [12, 5, 3.5, -np.inf]), False),
        # A little more is more, as much is not.
        (([1, 2], [10.5, -np.inf]), ([1, 2], [10, -np.inf]), True),
        (([1, 2], [10, -np.inf]), ([1, 2], [10, -np.inf]), False),
        # Where one knows nothing, it is as if it knew the least that either proves.
        (([1, 3], [8, -np.inf]), ([1, 2], [9, -np.inf]), False),
        (([1, 3, 5], [9, 8, -np.inf]), ([1, 2], [9, -np.inf]), True),
        (([1], [-np.inf]), ([1], [-np.inf]), False),
    ],
)
def test_which_of_two_proves_more(
    mine: tuple[list[float], list[float]], its: tuple[list[float], list[float]], beyond: bool
) -> None:
    assert patterns(1.0, *mine).beyond(patterns(1.0, *its)) == beyond


def test_makespans_that_one_says_nothing_about_do_not_count() -> None:
    # From 2 s on the other proves more; before, it does not say.
    mine = patterns(1.0, [0.5, 2.0, 3.0], [99.0, 5.0, -np.inf])
    its = patterns(2.0, [0.5, 2.0, 3.0], [9.0, 6.0, -np.inf])
    assert its.beyond(mine)
    assert not mine.beyond(its)


@pytest.mark.parametrize(
    ("shortest", "cells"),
    [(1.0, 20_000), (1.5, 30_000), (2.0, 20_000), (4.9, 24_500), (7.0, 28_000), (12.0, 24_000)],
)
def test_cells_are_round_numbers_and_twenty_thousand_at_least(shortest: float, cells: int) -> None:
    """Of 1, 2, 2.5 and 5 times a power of ten the largest that leaves so many."""
    system = many_types(1, shortest / 2)
    found = proof_of(shortest, shortest * 1.0001, (5.0, 1)).evaluated(system).steps
    assert found.begins[1] - shortest == pytest.approx(shortest / cells, rel=1e-3)
