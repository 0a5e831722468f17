"""The interior point method for days, held against HiGHS."""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from core.engines.lp.interior import BoundedColumns, SharesProgram, StagedRows
from core.engines.lp.program import Program, SolverFailed

STEPS = 8


@dataclass
class Drawn:
    """Amounts kept in stock over steps, and shares of groups that need what is in stock, of which
    not much may be late.
    """

    matrix: np.ndarray
    costs: np.ndarray
    columns: tuple[np.ndarray, np.ndarray]
    rows: StagedRows
    counts: np.ndarray
    group: np.ndarray
    places: np.ndarray
    values: np.ndarray
    share_costs: np.ndarray

    @classmethod
    def of(cls, seed: int, most_late: float = 1e3) -> "Drawn":
        random = np.random.default_rng(seed)
        made, kept = np.arange(STEPS), STEPS + np.arange(STEPS)
        matrix = np.zeros((STEPS + 3, 2 * STEPS))
        matrix[made, made], matrix[made, kept] = -1.0, 1.0
        matrix[made[1:], kept[:-1]] = -0.9
        matrix[STEPS, made] = random.uniform(1, 2, STEPS)  # all that is made, from below
        groups = int(random.integers(1, 4))
        group = np.repeat(np.arange(groups), STEPS)
        step = np.tile(made, groups)
        counts = random.integers(1, 5, groups).astype(float)
        late = np.maximum(0.0, step - random.integers(1, STEPS, groups)[group])
        reach = np.append(np.full(STEPS, 5.0), [0.0, 40.0, 0.0])
        lower = np.append(np.full(STEPS, -np.inf), [0.5, -np.inf, -np.inf])
        upper = np.append(np.zeros(STEPS), [np.inf, most_late, np.inf])
        lower[:2] = upper[:2]  # two of the rows are equal to something
        stage = np.append(made, [-1, -1, -1])
        width = random.uniform(1, 3, groups)[group]
        return cls(
            matrix,
            np.append(random.uniform(1, 9, STEPS), random.uniform(0, 1, STEPS)),
            (np.full(2 * STEPS, 0.25), np.append(np.full(STEPS, 40.0), np.full(STEPS, 9.0))),
            StagedRows(lower, upper, stage, reach),
            counts,
            group,
            np.stack([step, np.full(len(step), STEPS + 1)]),
            np.stack([width, late]),
            0.3 * late,
        )

    def optimum(self) -> tuple[float, np.ndarray]:
        program = Program()
        program.add_rows(self.rows.lower, self.rows.upper)
        assigned = program.add_rows(self.counts, self.counts)
        program.add_matrix(sparse.csr_matrix(self.matrix), self.costs, *self.columns)
        entries = [*zip(self.places, self.values, strict=True), (assigned[self.group], 1.0)]
        program.add_columns(entries, self.share_costs)
        found = program.minimise()
        return found.objective, found.duals[: len(self.rows.lower)]

    def program(self) -> SharesProgram:
        matrix = sparse.csr_matrix(self.matrix)
        columns = BoundedColumns(matrix, self.costs, *self.columns)
        return SharesProgram(columns, self.rows, self.counts, 10.0)

    def add(self, program: SharesProgram, which: np.ndarray) -> None:
        count = self.counts[self.group[which]]
        places, values = self.places[:, which], self.values[:, which] * count
        program.add(self.group[which], places, values, self.share_costs[which] * count)

    def proven(self, duals: np.ndarray) -> float:
        """No columns and shares cost less, whatever the duals are."""
        lower, upper = self.rows.lower, self.rows.upper
        duals = np.where(np.isinf(lower), np.minimum(duals, 0), duals)
        duals = np.where(np.isinf(upper), np.maximum(duals, 0), duals)
        sides = np.where(
            duals > 0, np.nan_to_num(lower, neginf=0.0), np.nan_to_num(upper, posinf=0.0)
        )
        reduced = self.costs - self.matrix.T @ duals
        columns = np.minimum(reduced * self.columns[0], reduced * self.columns[1]).sum()
        shares = self.share_costs - (self.values * duals[self.places]).sum(axis=0)
        least = [shares[self.group == one].min() for one in range(len(self.counts))]
        return float(duals @ sides + columns + self.counts @ least)


@given(st.integers(0, 2**32 - 1), st.sampled_from([3.0, 1e3]))
def test_it_comes_to_the_optimum(seed: int, most_late: float) -> None:
    drawn = Drawn.of(seed, most_late)
    least, _ = drawn.optimum()
    program = drawn.program()
    drawn.add(program, np.arange(len(drawn.group)))
    for _ in range(40):
        program.step()
        if program.off < 1e-9 and program.objective - drawn.proven(program.duals) < 1e-7:
            break
    assert program.objective == pytest.approx(least, rel=1e-6)
    assert drawn.proven(program.duals) == pytest.approx(least, rel=1e-6)
    rows = drawn.matrix @ program.values
    np.add.at(rows, drawn.places, drawn.values * program.shares)
    assert (rows >= drawn.rows.lower - 1e-6).all()
    assert (rows <= drawn.rows.upper + 1e-6).all()
    assert np.bincount(drawn.group, program.shares) == pytest.approx(drawn.counts)


@given(st.integers(0, 2**32 - 1))
def test_shares_may_join_on_the_way(seed: int) -> None:
    """Some are there from the beginning, others after three steps and after five."""
    drawn = Drawn.of(seed)
    least, _ = drawn.optimum()
    program = drawn.program()
    every = np.arange(len(drawn.group))
    drawn.add(program, every[every % 8 == 7])
    for those in (every % 8 == 3, (every % 8 != 3) & (every % 8 != 7)):
        for _ in range(3):
            program.step()
        drawn.add(program, every[those])
    for _ in range(40):
        program.step()
        if program.objective - drawn.proven(program.duals) < 1e-7 > program.off:
            break
    assert program.objective == pytest.approx(least, rel=1e-6)
    assert drawn.proven(program.duals) == pytest.approx(least, rel=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_a_row_that_gives_a_column_alone_has_what_it_is_worth(seed: int) -> None:
    """Of a column that is neither at its lower nor at its upper end, rows are worth its costs."""
    drawn, row = Drawn.of(seed), np.zeros((1, 2 * STEPS))
    row[0, 3] = 2.0
    drawn.matrix = np.concatenate([drawn.matrix, row])
    ends = zip(drawn.rows, (6.0, 6.0, 3, 0.0), strict=True)
    drawn.rows = StagedRows(*(np.append(each, end) for each, end in ends))
    least, _ = drawn.optimum()
    program = drawn.program()
    drawn.add(program, np.arange(len(drawn.group)))
    for _ in range(30):
        program.step()
        if program.objective - drawn.proven(program.duals) < 1e-7 > program.off:
            break
    assert drawn.proven(program.duals) == pytest.approx(least, rel=1e-6)
    assert program.values[3] == 3.0
    assert (drawn.costs - drawn.matrix.T @ program.duals)[3] == pytest.approx(0, abs=1e-6)


def test_what_cannot_be_has_duals_that_prove_it() -> None:
    """More must be made than can be: the bound rises above anything that columns could cost."""
    drawn = Drawn.of(1)
    drawn.rows.lower[STEPS] = 1e4
    program = drawn.program()
    drawn.add(program, np.arange(len(drawn.group)))
    most = drawn.costs @ drawn.columns[1] + drawn.share_costs.max() * drawn.counts.sum()
    proven = []
    with suppress(SolverFailed):
        for _ in range(50):
            program.step()
            proven.append(drawn.proven(program.duals))
    assert max(proven) > most


def test_where_it_goes_no_further_it_says_so() -> None:
    """Nothing follows from an entry that is no number."""
    drawn = Drawn.of(2)
    drawn.values[0, 3] = np.nan
    program = drawn.program()
    drawn.add(program, np.arange(len(drawn.group)))
    with pytest.raises(SolverFailed, match="lost its way"):
        program.step()


def test_columns_that_rows_give_have_values_and_rows_have_duals() -> None:
    """Of three columns, a row gives the first, and another the second by that."""
    entries = [[2.0, 0.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]
    columns = BoundedColumns(
        sparse.csr_matrix(np.array(entries)),
        np.array([1.0, 1.0, 3.0]),
        np.array([1.0, 0.5, 0.0]),
        np.full(3, 10.0),
    )
    inf = np.inf
    rows = StagedRows(
        np.array([4.0, 1.0, 7.0, 0.0]),
        np.array([4.0, 1.0, inf, inf]),
        np.arange(4),
        np.array([0.0, 0.0, 0.0, 6.0]),
    )
    program = SharesProgram(columns, rows, np.ones(1), 10.0)
    # All of one share needs 6 of the third column; the other costs 5, and needs nothing.
    needs = np.array([[-6.0, 0.0]])
    program.add(np.zeros(2, np.int64), np.full((1, 2), 3), needs, np.array([0.0, 5.0]))
    for _ in range(20):
        program.step()
    assert program.values == pytest.approx([2.0, 3.0, 4.0], abs=1e-6)
    assert program.objective == pytest.approx(17 + 5 / 3)
    assert program.shares == pytest.approx([2 / 3, 1 / 3], abs=1e-6)
    assert program.duals == pytest.approx([-1 / 12, -7 / 6, 13 / 6, 5 / 6], abs=1e-5)
