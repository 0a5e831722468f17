"""The general solver finds every vertex, both ends first, and proves what it leaves out."""

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from strategies import systems

from core.engines.relaxed import ENERGY, MAKESPAN, lower_bound
from core.engines.relaxed import trace as module
from core.engines.relaxed.program import DivisibleProgram
from core.engines.relaxed.trace import Optimum, dichotomy
from core.vocabulary.budget import Budget
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


@given(systems(with_apc=True, dyadic=True))
@examples(6)
def test_whatever_the_budget_both_ends_are_there_and_the_lines_hold(system):
    whole = dichotomy(system)
    ends = dichotomy(system, Budget(should_stop=lambda: True))
    assert len(ends) == min(len(whole), 2)
    assert not ends.exact
    assert len(whole.slower) == len(whole.slower_placements) == len(whole.slower_lines) == 0
    np.testing.assert_allclose(ends.points[[0, -1]], whole.points[[0, -1]], rtol=1e-8, atol=1e-9)
    above = whole.points @ ends.lines.weights.T - ends.lines.value
    assert (above >= -1e-9 * (whole.points @ ends.lines.weights.T)).all()


@given(systems(with_apc=True, dyadic=True))
@examples(6)
def test_the_ends_are_best_in_one_and_then_in_the_other(system):
    front = dichotomy(system)
    thriftiest = lower_bound(system, ENERGY, then=MAKESPAN)
    fastest = lower_bound(system, MAKESPAN, then=ENERGY)
    size = 1e-7 * (1 + fastest.energy)
    assert front.energy[0] == pytest.approx(thriftiest.energy, rel=1e-7, abs=size)
    assert front.makespan[0] <= thriftiest.makespan * (1 + 1e-7)
    assert front.makespan[-1] == pytest.approx(fastest.makespan, rel=1e-7)
    assert front.energy[-1] <= fastest.energy * (1 + 1e-7) + size


def test_a_single_vertex_in_between_is_found_however_near_an_end():
    # Three machine types, the second hardly thriftier than the third.
    system = System(
        (TaskType("t", 60),),
        tuple(MachineType(name) for name in "ABC"),
        np.array([[1.0, 1.0, 1.0]]),
        np.array([[1.0, 2.0, 2.000001]]),
    )
    front = dichotomy(system)
    np.testing.assert_allclose(front.points, [(60, 60), (90, 30), (100.00002, 20)], rtol=1e-9)


def test_of_optima_that_tie_the_best_in_the_other_objective_is_taken():
    """At equal joules a task, and with the prices of the first objective."""
    system = System(
        (TaskType("T", 30),),
        (MachineType("fast"), MachineType("slow")),
        np.array([[1.0, 2.0]]),
        np.array([[20.0, 10.0]]),
    )
    found = Optimum.of(DivisibleProgram(system), ENERGY, MAKESPAN)
    assert found.point == pytest.approx([600, 20])
    assert found.placed.tolist() == [pytest.approx([20, 10])]
    assert found.prices.tolist() == [0, 0]
    one = Optimum.of(DivisibleProgram(system), MAKESPAN)
    assert one.point == pytest.approx([600, 20])
    assert one.prices == pytest.approx([2 / 3, 1 / 3])


Points = Sequence[tuple[float, float]]


@pytest.fixture
def found(monkeypatch, two_by_two):
    """What it finds of optima at these points, and whether it says that these are all.

    The ends are the first and the last; of the others the lowest is found, or the first of several.
    Number k is priced k + 1 on machine A, and 1 on B.
    """

    def find(points, budget=None):
        optima = [
            Optimum(ENERGY, np.full((2, 2), 3.0), np.array(point), np.array([k + 1.0, 1.0]))
            for k, point in enumerate(points)
        ]

        def lowest(_, objective, then=None):
            if then is not None:
                return optima[0] if objective is ENERGY else optima[-1]
            weights = np.array([objective.energy, objective.makespan])
            return min(optima, key=lambda each: float(weights @ each.point))

        monkeypatch.setattr(module, "Optimum", SimpleNamespace(of=lowest))
        seen = []
        monkeypatch.setattr(
            module, "front_of", lambda _, optima, *, complete: seen.append((optima, complete))
        )
        module.dichotomy(two_by_two(), budget)
        return seen[0]

    return find


CHAIN = [(0.0, 0.25), (0.0625, 0.125), (0.125, 0.0625), (0.25, 0.0)]


def test_each_line_has_the_slope_between_two_points_and_the_prices_that_prove_it(found):
    optima, complete = found(CHAIN)
    assert complete
    assert optima.points.tolist() == [list(point) for point in CHAIN]
    assert optima.lines.weights.tolist() == [[1, 0], [1, 0.5], [1, 1], [1, 2], [0, 1]]
    assert len(optima.placements) == 4
    # Of both ends of each line the first is found, and of the ends themselves each.
    ratio = optima.lines.machine_prices[1:, 0] / optima.lines.machine_prices[1:, 1]
    np.testing.assert_allclose(ratio, [1, 2, 3, 4])


@pytest.mark.parametrize("asked", [True, False])
def test_without_time_there_are_the_ends_and_a_line_that_the_prices_of_both_prove(found, asked):
    """It is asked to stop, or the second that it has is over."""
    budget = Budget(
        1.0, should_stop=lambda: asked, clock=iter([0.0, *[0.5 if asked else 1.0] * 9]).__next__
    )
    optima, complete = found(CHAIN, budget)
    assert not complete
    assert optima.points.tolist() == [list(CHAIN[0]), list(CHAIN[-1])]
    assert optima.lines.weights.tolist() == [[1, 0], [1, 1], [0, 1]]
    ratio = optima.lines.machine_prices[1:, 0] / optima.lines.machine_prices[1:, 1]
    np.testing.assert_allclose(ratio, [5 / 2, 4])


@pytest.mark.parametrize(
    ("middle", "kept"),
    [
        # An eighth of the way across, which is 8 J or 8 s, is next to an end; more is not.
        ((108.0, 112.0), False),
        ((112.0, 108.0), False),
        ((108.0625, 112.0), True),
        ((112.0, 108.0625), True),
        # Of 264 J and s a sixteenth is 16.5.
        ((123.75, 123.75), False),
        ((123.75, 123.6875), True),
        ((140.0, 140.0), False),
    ],
)
def test_a_vertex_is_apart_from_both_ends_and_far_enough_below_their_chord(
    found, monkeypatch, middle, kept
):
    monkeypatch.setattr(module, "SAME", 0.125)
    monkeypatch.setattr(module, "SOLVER", 0.0625)
    optima, _ = found([(100.0, 164.0), middle, (164.0, 100.0)])
    assert (list(middle) in optima.points.tolist()) is kept


@pytest.mark.parametrize("other", [(100.0, 90.0), (101.0, 100.0), (100.0, 100.0)])
def test_ends_of_the_same_energy_or_makespan_have_nothing_between(found, other):
    optima, complete = found([(100.0, 100.0), (50.0, 50.0), other])
    assert complete
    assert optima.points.tolist() == [[100, 100], list(other)]
    assert np.isfinite(optima.lines.weights).all()
    ratio = optima.lines.machine_prices[2, 0] / optima.lines.machine_prices[2, 1]
    assert ratio == pytest.approx(3)
