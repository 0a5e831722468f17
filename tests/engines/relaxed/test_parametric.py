"""The parametric simplex meets the optimum at every price of time, as a general solver finds it."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from irregular import irregular
from scipy.optimize import linprog

from core.engines.relaxed import parametric
from core.engines.relaxed.parametric import ARRIVED, GOING_ON, ParametricSimplex, Stretch
from core.vocabulary.arrays import FloatArray

Program = tuple[FloatArray, FloatArray]


@st.composite
def programs(draw, largest_cost=6):
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


def walked(program, steps=256):
    simplex = ParametricSimplex(*program)
    stretches = [simplex.walk(steps)]
    while simplex.state == GOING_ON:
        stretches.append(simplex.walk(steps))
    return simplex, Stretch.joined(stretches)


def shares(optima, k, machines):
    """What share of each task type optimum k has on each machine type."""
    tasks = optima.key.shape[1]
    placed = np.zeros((tasks, machines))
    named = optima.task[k] >= 0
    np.add.at(placed, (optima.task[k, named], optima.machine[k, named]), optima.share[k, named])
    placed[np.arange(tasks), optima.key[k]] += 1 - placed.sum(axis=1)
    return placed


def least(program, price):
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


def cost(program, placed, price):
    loads, costs = program
    work = np.where(placed > 0, loads, 0.0) * placed
    paid = np.where(placed > 0, costs, 0.0) * placed
    return float(paid.sum() + price * work.sum(axis=0).max())


@given(programs(), st.floats(0, 1))
@examples(12)
def test_at_any_price_it_costs_what_a_general_solver_finds(program, where):
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
@examples(20)
def test_the_prices_prove_the_optimum(program, where):
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
@examples(20)
def test_each_optimum_ends_where_the_next_begins(program):
    _, optima = walked(program)
    assert optima.end[-1] == np.inf
    assert (optima.end > optima.begin).all()
    np.testing.assert_allclose(optima.begin[1:], optima.end[:-1], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(optima.begin[0], 0.0, atol=1e-9)


@given(programs(), st.integers(1, 5))
@examples(15)
def test_it_does_not_matter_how_many_steps_are_taken_at_a_time(program, steps):
    once, at_once = walked(program)
    often, bit_by_bit = walked(program, steps)
    assert once.state == often.state == ARRIVED
    machines = program[0].shape[1]
    # After a tie either may have an optimum more, which costs the same at any price.
    ends = np.unique(np.concatenate([at_once.begin, bit_by_bit.begin]))
    for price in [*ends, *(ends[1:] + ends[:-1]) / 2, ends[-1] + 1]:
        costs = [
            cost(program, shares(optima, int(np.searchsorted(optima.end, price)), machines), price)
            for optima in (at_once, bit_by_bit)
        ]
        assert costs[0] == pytest.approx(costs[1], rel=1e-7, abs=1e-7)


def test_one_machine_type_has_one_optimum():
    simplex, optima = walked((np.full((3, 1), 1 / 3), np.full((3, 1), 1 / 3)))
    assert simplex.state == ARRIVED
    assert optima.begin.tolist() == [0.0]
    assert optima.end.tolist() == [np.inf]


def test_by_hand():
    # The cheap machine type is twice as slow; sharing pays once a second costs more than 3/2.
    simplex, optima = walked((np.array([[1.0, 2.0]]), np.array([[4.0, 1.0]])))
    assert simplex.state == ARRIVED
    np.testing.assert_allclose(optima.end, [1.5, np.inf], rtol=1e-9)
    np.testing.assert_allclose(shares(optima, 0, 2), [[0.0, 1.0]], atol=1e-9)
    np.testing.assert_allclose(shares(optima, 1, 2), [[2 / 3, 1 / 3]], rtol=1e-9)


def test_a_share_of_next_to_nothing_keeps_its_digits():
    """What is left on the slow machine type is 1 in 2.26e9 and 1; so it is no longer the key."""
    _, optima = walked((np.array([[1.13e9, 0.5]]), np.array([[0.0, 1.0]])))
    assert optima.key.tolist() == [[0], [1]]
    assert (optima.task[1, 1], optima.machine[1, 1]) == (0, 0)
    assert optima.share[1, 1] == pytest.approx(1 / (1 + 2.26e9), rel=1e-12)


def irregular_program(tasks, machines):
    """Of some pairs a third is impossible."""
    system = irregular(tasks, machines)
    loads, costs = np.array(system.etc), np.array(system.dynamic_energy)
    impossible = np.add.outer(np.arange(tasks), 2 * np.arange(machines)) % 7 == 3
    loads[impossible] = costs[impossible] = np.inf
    return loads / loads.min(axis=1).sum(), costs / costs.min(axis=1).sum()


Optimum = tuple[float, float, float]


def path(tasks, machines, steps):
    """Steps taken; where each optimum ends, what it costs at that price and its makespan; and the
    keys of the first and the last.
    """
    program = irregular_program(tasks, machines)
    simplex, optima = walked(program, steps)
    known = []
    for k in range(len(optima.end)):
        placed = shares(optima, k, machines)
        paid, timed = (cost(program, placed, price) for price in (0.0, 1.0))
        known.append((float(optima.end[k]), paid, timed))
    return simplex.steps, known, [optima.key[0].tolist(), optima.key[-1].tolist()]


# Whoever changes the walk on purpose finds other steps, but the same optima.
@pytest.mark.parametrize(
    ("tasks", "machines", "at_a_time", "steps", "known", "keys"),
    [
        (
            5,
            3,
            256,
            3,
            [
                (0.4434031175430524, 1.0, 1.4404761904761905),
                (3.554315917168284, 1.0070593439540927, 1.4316147082684931),
                (4.91286763823903, 1.0579240998050832, 1.468168762134415),
                (np.inf, 1.2479771516345517, 1.6195370648878582),
            ],
            [[2, 0, 2, 1, 2], [2, 0, 1, 1, 2]],
        ),
        (
            9,
            4,
            3,
            6,
            [
                (0.46404232234335785, 0.9999999999999999, 1.706766917293233),
                (0.8023941055142004, 1.0827556679171424, 1.611186119044962),
                (0.8620840809037489, 1.2171793044836852, 1.578081560122783),
                (1.5162808973856012, 1.2466276421585507, 1.5733704250416845),
                (1.9681499384709449, 1.2503482915501667, 1.5746372748780515),
                (19.77926758662159, 1.3132657882738767, 1.605586934449685),
                (np.inf, 1.509117570608996, 1.7915368444592699),
            ],
            [[2, 3, 3, 2, 0, 3, 3, 0, 2], [2, 3, 0, 2, 0, 3, 0, 1, 2]],
        ),
        (
            4,
            5,
            1,
            8,
            [
                (0.5243803010463582, 1.0, 1.486842105263158),
                (1.286985515342407, 1.0430610329657215, 1.4477851927628045),
                (2.6662304925571134, 1.1412283715037583, 1.4696755745157781),
                (4.519145577065913, 1.152752164955087, 1.47687723847252),
                (4.595002515777789, 1.249884395877192, 1.5525159748245603),
                (6.4995067204248675, 1.3317408249566798, 1.616558174467088),
                (7.611055105718552, 1.3480439929743806, 1.6303529724316657),
                (7.836918942304016, 1.3712732514473576, 1.650530189084874),
                (np.inf, 1.5937521695514592, 1.8446205376834912),
            ],
            [[3, 2, 0, 1], [2, 2, 0, 1]],
        ),
        (
            12,
            2,
            256,
            4,
            [
                (0.23878009077721293, 1.0, 1.7764350453172204),
                (0.24015243975535758, 1.0266914300875565, 1.6913439980633873),
                (0.27026136256228994, 1.0605087893655198, 1.584345135312573),
                (6.288033961615171, 1.0608074111249988, 1.5835388201447635),
                (np.inf, 1.0756846435889487, 1.5960500933032136),
            ],
            [[0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 1]],
        ),
    ],
)
def test_the_walk_over_irregular_programs(tasks, machines, at_a_time, steps, known, keys):
    taken, found, ends = path(tasks, machines, at_a_time)
    assert (taken, ends) == (steps, keys)
    np.testing.assert_allclose(found, known, rtol=1e-8)


def test_it_begins_where_each_task_type_is_cheapest():
    """Of what takes longest there the makespan is made; all other machine types wait."""
    loads = np.array([[2.0, 5.0, np.inf], [1.0, 3.0, 4.0], [4.0, 1.0, 6.0]])
    costs = np.array([[9.0, 2.0, np.inf], [5.0, 3.0, 8.0], [2.0, 7.0, 1.0]])
    simplex = ParametricSimplex(loads, costs)
    assert simplex.loads.tolist() == [[2, 5, 1], [1, 3, 4], [4, 1, 6]]
    np.testing.assert_allclose(simplex.costs, costs, rtol=1e-10)
    # Ties are broken by next to nothing, upwards, and of large costs no more than of 1.
    possible = np.isfinite(costs)
    change = simplex.costs[possible] - costs[possible]
    assert (change >= 0).all()
    assert change.max() <= 1.01e-11
    assert len(set(change.tolist())) > 4
    basis = simplex.basis
    assert basis.key.tolist() == [1, 1, 2]
    # Type 1 has 5 + 3, type 2 has 6.
    assert basis.task.tolist() == [parametric._SLACK, parametric._MAKESPAN, parametric._SLACK]
    assert basis.machine.tolist() == [0, 1, 2]
    assert basis.inverse.tolist() == [[1, -1, 0], [0, -1, 0], [0, -1, 1]]
    assert np.argwhere(basis.basic).tolist() == [[0, 1], [1, 1], [2, 2]]
    assert basis.waiting.tolist() == [True, False, True]
    assert (simplex.price, simplex.steps, simplex.state) == (0.0, 0, GOING_ON)


def test_small_costs_are_changed_by_a_share_of_what_a_task_type_costs():
    costs = np.array([[0.0, -1e-3], [0.25, 4.0]])
    changed = ParametricSimplex(np.ones((2, 2)), costs).costs - costs
    draws = np.random.default_rng(0).random((2, 2))
    np.testing.assert_allclose(changed, 1e-11 * draws * [[0.5, 0.5], [0.5, 1]], atol=1e-15)


def test_the_columns_of_a_basis():
    loads, key = np.array([[2.0, 5.0, 7.0], [1.0, 3.0, 4.0]]), np.array([1, 0])
    column = np.full(3, 9.0)
    for task, machine, expected in (
        (parametric._MAKESPAN, 2, [-1, -1, -1]),
        (parametric._SLACK, 2, [0, 0, 1]),
        (0, 0, [2, -5, 0]),
        (0, 2, [0, -5, 7]),
        (1, 1, [-1, 3, 0]),
    ):
        parametric._column(loads, key, task, machine, column)
        assert column.tolist() == expected


def basis_by_hand():
    """Types 0 and 1 are split: 0 on 1 and a little on 0, 1 on 0 and a little on 2."""
    loads = np.array([[2.0, 5.0, 7.0], [4.0, 3.0, 6.0]])
    return loads, parametric._Basis(
        np.array([1, 0]),
        np.array([0, parametric._MAKESPAN, 1]),
        np.array([0, 1, 2]),
        np.zeros((3, 3)),
        np.zeros((2, 3), np.bool_),
        np.zeros(3, np.bool_),
    )


def test_a_basis_is_inverted_and_its_shares_end_all_machines_at_once():
    loads, basis = basis_by_hand()
    parametric._invert(loads, basis)
    columns = np.array([[2.0, -5.0, 0.0], [-1.0, -1.0, -1.0], [-4.0, 0.0, 6.0]]).T
    np.testing.assert_allclose(basis.inverse @ columns, np.eye(3), atol=1e-14)
    share, key_share = np.zeros(3), np.zeros(2)
    parametric._find_shares(
        loads, basis.key, basis.task, basis.inverse, np.full(3, 7.0), share, key_share
    )
    makespan = share[1]
    np.testing.assert_allclose(key_share, [1 - share[0], 1 - share[2]])
    ends = [2 * share[0] + 4 * key_share[1], 5 * key_share[0], 6 * share[2]]
    np.testing.assert_allclose(ends, makespan)


def test_a_key_changes_places_with_another_column_of_its_type():
    loads, basis = basis_by_hand()
    basis = basis._replace(task=np.array([0, parametric._MAKESPAN, 0]))
    parametric._invert(loads, basis)
    parametric._change_key(0, basis)
    assert basis.key.tolist() == [0, 0]
    assert basis.machine.tolist() == [1, 1, 2]
    changed = basis.inverse.copy()
    parametric._invert(loads, basis)
    np.testing.assert_allclose(changed, basis.inverse, atol=1e-14)


def test_stretches_are_joined_one_after_another():
    _, optima = walked(irregular_program(5, 3))
    parts = [Stretch._make(values[a:b] for values in optima) for a, b in ((0, 2), (2, 99))]
    for joined, whole in zip(Stretch.joined(parts), optima, strict=True):
        np.testing.assert_array_equal(joined, whole)


def in_basis(basis):
    """Which pairs and which waiting times the columns of a basis are."""
    basic, waiting = np.zeros_like(basis.basic), np.zeros_like(basis.waiting)
    basic[np.arange(len(basis.key)), basis.key] = True
    named = basis.task >= 0
    basic[basis.task[named], basis.machine[named]] = True
    waiting[basis.machine[basis.task == parametric._SLACK]] = True
    return basic, waiting


@pytest.mark.parametrize(("tasks", "machines"), [(5, 3), (9, 4), (4, 5), (12, 2)])
def test_which_columns_are_in_the_basis_is_known_after_each_step(tasks, machines):
    simplex = ParametricSimplex(*irregular_program(tasks, machines))
    while simplex.state == GOING_ON:
        simplex.walk(1)
        basic, waiting = in_basis(simplex.basis)
        np.testing.assert_array_equal(simplex.basis.basic, basic)
        np.testing.assert_array_equal(simplex.basis.waiting, waiting)
        # One column for each task type and each machine type, one of them the makespan.
        assert basic.sum() + waiting.sum() == tasks + machines - 1


@pytest.mark.parametrize(
    ("between", "most", "times"), [(64, 1e6, 1), (3, 1e6, 3), (2, 1e6, 4), (64, 0.0, 7)]
)
def test_the_basis_is_inverted_at_first_and_now_and_then_and_after_a_lossy_step(
    monkeypatch, between, most, times
):
    """Six steps, and a seventh that finds no column to enter."""
    inverted, original = [], parametric._invert

    def invert(loads, basis):
        inverted.append(basis)
        original(loads, basis)

    monkeypatch.setattr(parametric, "_invert", invert)
    monkeypatch.setattr(parametric, "_walk", parametric._walk.function)
    monkeypatch.setattr(parametric, "_STEPS_BETWEEN_INVERSIONS", between)
    monkeypatch.setattr(parametric, "_MOST_MULTIPLE", most)
    simplex = ParametricSimplex(*irregular_program(9, 4))
    simplex.walk(10)
    assert (simplex.state, simplex.steps) == (ARRIVED, 6)
    assert len(inverted) == times
