"""Many small programs of one shape: their optima are those of HiGHS, and their prices prove it."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import linprog

from core.engines.lp.many import ManyPrograms
from core.engines.lp.program import SolverFailed
from core.engines.lp.simplex import Shape
from core.vocabulary.tolerances import SOLVED_ZERO, SOLVER

EXACT = {"primal_feasibility_tolerance": SOLVER, "dual_feasibility_tolerance": SOLVER}


def dense(seed, count=3):
    """Random programs of one shape, and their matrices: some columns are not keyed."""
    random = np.random.default_rng(seed)
    keys, others, columns = random.integers(1, 5), random.integers(0, 4), random.integers(1, 12)
    free = random.integers(0, 3)
    rows = keys + others
    starts, row = [0], []
    for c in range(columns + free):
        own = [int(random.integers(keys))] if c < columns else []
        more = keys + np.flatnonzero(random.random(others) < 0.6)
        row += [*own, *more.tolist()]
        starts.append(len(row))
    shape = Shape(int(rows), np.array(starts), np.array(row, np.int64), int(columns))
    entries = np.round(random.uniform(-1, 2, (count, len(row))), 1)
    for c in range(columns):
        entries[:, starts[c]] = random.uniform(0.1, 2, count)
    worth = np.round(random.uniform(-1, 2, (count, columns + free)), 1)
    worth[:, columns:] = -np.abs(worth[:, columns:])
    matrices = []
    for k in range(count):
        matrix = np.zeros((rows, columns + free))
        for c in range(columns + free):
            matrix[row[starts[c] : starts[c + 1]], c] = entries[k, starts[c] : starts[c + 1]]
        matrices.append(matrix)
    return ManyPrograms(shape, entries, worth), matrices, worth


def right_of(matrices, seed, low):
    random = np.random.default_rng(seed)
    return np.round(random.uniform(low, 3, (len(matrices), len(matrices[0]))), 1)


def by_highs(matrices, worth, right):
    """The optima, None where there is none."""
    found = [
        linprog(-w, a, b, method="highs") for a, w, b in zip(matrices, worth, right, strict=True)
    ]
    return [-one.fun if one.status == 0 else None for one in found]


def maximise(programs, right):
    try:
        return programs.maximise(right)
    except SolverFailed:
        return None


@given(st.integers(0, 2**32), st.integers(0, 2**32), st.integers(0, 2**32))
def test_optima_are_those_of_highs(seed, first, second):
    """From the beginning, and after right-hand sides have changed, below 0, too."""
    programs, matrices, worth = dense(seed)
    for other, low in ((first, 0.0), (second, -0.5)):
        right = right_of(matrices, other, low)
        wanted = by_highs(matrices, worth, right)
        found = maximise(programs, right)
        if found is None:
            assert None in wanted
            return
        np.testing.assert_allclose(found.values, np.array(wanted, float), atol=1e-7)
        for k, matrix in enumerate(matrices):
            assert (found.x[k] >= 0).all()
            assert (matrix @ found.x[k] <= right[k] + 1e-7).all()
            assert found.values[k] == pytest.approx(worth[k] @ found.x[k], abs=1e-9)
            assert (found.prices[k] >= 0).all()
            assert found.prices[k] @ right[k] == pytest.approx(found.values[k], abs=1e-7)
            keyed = programs.shape.keyed
            gains = worth[k] - found.prices[k] @ matrix
            assert (gains[:keyed] <= 1e-14).all()


def test_a_second_solve_takes_few_steps():
    programs, matrices, _ = dense(5, 40)
    right = right_of(matrices, 1, 0.5)
    first = programs.maximise(right)
    assert programs.maximise(right).steps == 0
    again = programs.maximise(right * 1.01)
    assert again.steps < first.steps / 2


def test_a_basis_that_leads_nowhere_is_forgotten():
    programs, matrices, _ = dense(4)
    right = right_of(matrices, 4, 0.5)
    expected = programs.maximise(right)
    programs.bases[:] = 0  # one column several times has no inverse
    found = programs.maximise(right)
    assert found.values == pytest.approx(expected.values)
    assert found.x == pytest.approx(expected.x)


@example(62, 0)  # if the first criterion may fall by 1e-8, the second gains 1e-6
@given(st.integers(0, 2**32), st.integers(0, 2**32))
def test_of_equal_optima_further_criteria_decide(seed, other):
    """One after the other, as HiGHS does among the optima of what came before: what has a price
    there is used up, and what would cost is not done. All else stays.
    """
    programs, matrices, worth = dense(seed)
    worth[:] = np.sign(worth)  # so that many columns tie
    programs = ManyPrograms(programs.shape, programs.coefficients, worth)
    right = right_of(matrices, other, 0.0)
    random = np.random.default_rng(other)
    then = -random.integers(0, 3, (len(worth), 2, worth.shape[1])).astype(float)
    plain = maximise(programs, right)
    if plain is None:
        return
    bases = programs.bases.copy()
    found = programs.maximise(right, then=then)
    assert (np.sort(programs.bases) == np.sort(bases)).all()
    np.testing.assert_allclose(found.values, plain.values, atol=1e-9)
    np.testing.assert_allclose(found.prices, plain.prices, atol=1e-9)
    for k, matrix in enumerate(matrices):
        assert (found.x[k] >= 0).all()
        assert (matrix @ found.x[k] <= right[k] + 1e-7).all()
        spent, idle = np.zeros(len(matrix), bool), np.zeros(matrix.shape[1], bool)
        for criterion in [worth[k], *then[k]]:
            best = linprog(
                -criterion,
                *(matrix[~spent], right[k, ~spent], matrix[spent], right[k, spent]),
                [(0, 0 if never else None) for never in idle],
                method="highs",
                options=EXACT,
            )
            assert criterion @ found.x[k] == pytest.approx(-best.fun, abs=1e-6)
            spent[~spent] = best.ineqlin.marginals < -SOLVED_ZERO
            idle |= best.lower.marginals > SOLVED_ZERO
