"""The parametric simplex meets the optimum at every price of time, as a general solver finds it."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from core.model.arrays import FloatArray
from core.relaxed.parametric import ARRIVED, GOING_ON, ParametricSimplex, Stretch

Program = tuple[FloatArray, FloatArray]


@st.composite
def programs(draw: st.DrawFn, largest_cost: int = 6) -> Program:
    """Loads and costs: ties of every kind, impossible pairs, costs below 0, single rows, columns.

    Their rows' least values sum to about 1.
    """
    shape = draw(st.integers(1, 8)), draw(st.integers(1, 5))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    if draw(st.booleans()):
        loads = random.integers(1, 4, shape).astype(float)
        costs = random.integers(-2, largest_cost, shape).astype(float)
    else:
        loads, costs = random.uniform(0.1, 3, shape), random.uniform(-1, 3, shape)
    impossible = random.random(shape) < draw(st.sampled_from([0.0, 0.3]))
    impossible[np.arange(shape[0]), random.integers(0, shape[1], shape[0])] = False
    loads[impossible], costs[impossible] = np.inf, np.inf
    return loads / loads.min(axis=1).sum(), costs / max(np.abs(costs).min(axis=1).sum(), 1.0)


def walked(program: Program, steps: int = 256) -> tuple[ParametricSimplex, Stretch]:
    simplex = ParametricSimplex(*program)
    stretches = [simplex.walk(steps)]
    while simplex.state == GOING_ON:
        stretches.append(simplex.walk(steps))
    return simplex, Stretch.joined(stretches)


def shares(optima: Stretch, k: int, machines: int) -> FloatArray:
    """What share of each task type optimum k has on each machine type."""
    tasks = optima.key.shape[1]
    placed = np.zeros((tasks, machines))
    named = optima.task[k] >= 0
    np.add.at(placed, (optima.task[k, named], optima.machine[k, named]), optima.share[k, named])
    placed[np.arange(tasks), optima.key[k]] += 1 - placed.sum(axis=1)
    return placed


def least(program: Program, price: float) -> float:
    """The optimum at this price of time, by another solver."""
    loads, costs = program
    (tasks, machines), (task, machine) = loads.shape, np.nonzero(np.isfinite(costs))
    cells = np.arange(len(task))
    done = np.zeros((tasks, len(cells) + 1))
    done[task, cells] = 1.0
    work = np.zeros((machines, len(cells) + 1))
    work[machine, cells] = loads[task, machine]
    work[:, -1] = -1.0
    solved = linprog(
        np.append(costs[task, machine], price),
        A_ub=work,
        b_ub=np.zeros(machines),
        A_eq=done,
        b_eq=np.ones(tasks),
    )
    assert solved.success
    return float(solved.fun)


def cost(program: Program, placed: FloatArray, price: float) -> float:
    loads, costs = program
    work = np.where(placed > 0, loads, 0.0) * placed
    paid = np.where(placed > 0, costs, 0.0) * placed
    return float(paid.sum() + price * work.sum(axis=0).max())


@given(programs(), st.floats(0, 1))
@examples(50)
def test_at_any_price_it_costs_what_a_general_solver_finds(program: Program, where: float) -> None:
    simplex, optima = walked(program)
    assert simplex.state == ARRIVED
    machines = program[0].shape[1]
    last = float(optima.begin[-1])
    for price in (0.0, where * last, 2 * last + 1):
        k = int(np.searchsorted(optima.end, price))
        placed = shares(optima, k, machines)
        assert (placed > -1e-9).all()
        assert (placed[np.isinf(program[1])] == 0).all()
        placed = np.maximum(placed, 0.0)
        expected = least(program, price)
        assert cost(program, placed, price) == pytest.approx(expected, rel=1e-7, abs=1e-7)


@given(programs(), st.floats(0, 1))
def test_the_prices_prove_the_optimum(program: Program, where: float) -> None:
    loads, costs = program
    _, optima = walked(program)
    price = where * float(optima.begin[-1])
    k = int(np.searchsorted(optima.end, price))
    prices = optima.fixed[k] + price * optima.rising[k]
    assert (prices > -1e-9).all()
    assert prices.sum() == pytest.approx(price, abs=1e-9)
    possible = np.isfinite(costs)
    charged = np.full(costs.shape, np.inf)
    np.add(costs, np.where(possible, loads, 0.0) * prices, out=charged, where=possible)
    assert charged.min(axis=1).sum() == pytest.approx(least(program, price), rel=1e-7, abs=1e-7)


@given(programs())
def test_each_optimum_ends_where_the_next_begins(program: Program) -> None:
    _, optima = walked(program)
    assert optima.end[-1] == np.inf
    assert (optima.end > optima.begin).all()
    np.testing.assert_allclose(optima.begin[1:], optima.end[:-1], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(optima.begin[0], 0.0, atol=1e-9)


@given(programs(), st.integers(1, 5))
def test_it_does_not_matter_how_many_steps_are_taken_at_a_time(
    program: Program, steps: int
) -> None:
    once, at_once = walked(program)
    often, bit_by_bit = walked(program, steps)
    assert once.state == often.state == ARRIVED
    last = float(at_once.begin[-1])
    assert bit_by_bit.begin[-1] == pytest.approx(last, rel=1e-6, abs=1e-9)
    machines = program[0].shape[1]
    for price in np.linspace(0, last + 1, 5).tolist():
        costs = [
            cost(program, shares(optima, int(np.searchsorted(optima.end, price)), machines), price)
            for optima in (at_once, bit_by_bit)
        ]
        assert costs[0] == pytest.approx(costs[1], rel=1e-7, abs=1e-7)


def test_one_machine_type_has_one_optimum() -> None:
    simplex, optima = walked((np.full((3, 1), 1 / 3), np.full((3, 1), 1 / 3)))
    assert simplex.state == ARRIVED
    assert optima.begin.tolist() == [0.0]
    assert optima.end.tolist() == [np.inf]


def test_by_hand() -> None:
    # The cheap machine type is twice as slow; sharing pays once a second costs more than 3/2.
    simplex, optima = walked((np.array([[1.0, 2.0]]), np.array([[4.0, 1.0]])))
    assert simplex.state == ARRIVED
    np.testing.assert_allclose(optima.end, [1.5, np.inf], rtol=1e-9)
    np.testing.assert_allclose(shares(optima, 0, 2), [[0.0, 1.0]], atol=1e-9)
    np.testing.assert_allclose(shares(optima, 1, 2), [[2 / 3, 1 / 3]], rtol=1e-9)
