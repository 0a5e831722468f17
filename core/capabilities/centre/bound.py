"""What no plan of a day can do better, proven by prices.

The linear program of a day has a column for each start of each group of jobs. It is solved with
some of them; the prices of a server in each step then say which others could make it cheaper. At
any prices, no plan costs less than what all rows and columns cost at least by themselves: that is
the bound, with all rounding counted against it.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from scipy import sparse

from core.capabilities.centre.cooling_cut import least_cooling
from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.objectives import (
    CAPPED,
    EXCESS,
    LATENESS,
    NO_CAPS,
    DayCaps,
    DayWeights,
)
from core.capabilities.centre.placing import as_early_as_possible
from core.capabilities.centre.program import DayProgram
from core.capabilities.centre.solving import (
    MOST_BEGINS,
    DayMatrix,
    DaySolver,
    FoundStarts,
    GeneralSolver,
    day_solver,
)
from core.capabilities.centre.starts import StartColumns
from core.engines.lp.program import Infeasible, SolverFailed, SparseMatrix
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Cancelled, NoScheduleFound, never
from core.vocabulary.tolerances import SOLVED_NOTHING, ULP

_SEVERAL: Final = 4
_MANY: Final = 1600
"""So many new starts of a group join in a round, and so many in all if groups are few."""
_CLOSE: Final = 2e-5
"""A bound is as good as its program if it is this share of the objective below it."""
_CLOSER: Final = 2e-6
"""What costs a step or two more is wanted that close."""
_ROUNDS: Final = 150
_MOST_CUTS: Final = 6
"""So many cuts are kept: each fills a row."""
STOPPED: Final = "the computation was stopped before it had a result"
_MOST_MISSING: Final = 1e6


class NoSuchPlan(Exception):
    """No plan does all jobs within the caps and the limit of the room. `missing` says what a plan
    would need in addition: of aims and `peak` that are capped (in units of the caps), `jobs` that
    cannot be done, and `cooling`, in watts, from step `step` on.
    """

    def __init__(self, missing: dict[str, float]) -> None:
        super().__init__(missing)
        self.missing = missing


class CoolingCut(NamedTuple):
    """A row of the program that is never less than `least`; a watt of heat counts `heat` in it, and
    a watt that cools `power`.
    """

    row: SparseMatrix
    least: float
    heat: FloatArray
    power: FloatArray


@dataclass(frozen=True)
class DayBound:
    """No plan within the caps has a weighted sum of aims below `value`; `found` is what the program
    has with the starts that it knows: `amount[r]` jobs, maybe not whole, of group `group[r]` at
    step `start[r]`, and `aims` of each aim.

    `server[k, t]` is what a server of kind k costs in step t, `heat[t]` what a watt of its heat
    costs there, `power[t]` what any watt costs there, and `of_caps` what one unit more of each cap
    saves at most, all in units of the sum: with so much more of a cap, no plan is below `value`
    less that. At these prices, cooling costs `cooling` less what it earns. `duals` are the prices
    of all rows of the program, `cuts` last, that prove `value`.
    """

    value: float
    found: float
    group: IntArray
    start: IntArray
    amount: FloatArray
    aims: dict[str, float]
    server: FloatArray
    heat: FloatArray
    power: FloatArray
    of_caps: DayCaps
    cooling: float
    duals: FloatArray
    cuts: tuple[CoolingCut, ...]

    def raised_to(self, other: "DayBound") -> "DayBound":
        """The same, with the greater value of both, and the prices that prove it."""
        if self.value >= other.value:
            return self
        return replace(
            self, value=other.value, of_caps=other.of_caps, duals=other.duals, cuts=other.cuts
        )


class DaySearch:
    """Bounds of one day under any weights and caps; it keeps the starts that were of use."""

    def __init__(
        self, day: CentreDay, solver: Callable[[DayMatrix], DaySolver] = day_solver
    ) -> None:
        self.day, self.solver = day, solver
        self.program = DayProgram(day)
        self.starts = StartColumns(day, self.program)
        self.cuts: list[CoolingCut] = []
        self.known = np.zeros((len(day.jobs), day.steps), bool)
        for line in self.starts.first:
            self.known[np.arange(len(day.jobs)), line] = True
        with suppress(NoScheduleFound):
            group, start, _ = as_early_as_possible(day, np.argsort(day.jobs.due, kind="stable"))
            self.known[group, start] = True

    def knows(self, group: IntArray, start: IntArray) -> None:
        """Let these starts be among those that it begins with."""
        self.known[group, start] = True

    def bound(
        self,
        weights: DayWeights,
        caps: DayCaps = NO_CAPS,
        should_stop: Callable[[], bool] = never,
    ) -> DayBound:
        """The bound on a weighted sum of aims under caps. Raises `NoSuchPlan` if it is proven that
        no plan keeps these, and `Cancelled` if asked to stop.
        """
        found = self.settled(weights, caps, should_stop)
        if not self._cut(found):
            return found
        # A second cut, at the prices that then hold, would gain nothing.
        return self.settled(weights, caps, should_stop).raised_to(found)

    def settled(
        self, weights: DayWeights, caps: DayCaps, should_stop: Callable[[], bool] = never
    ) -> DayBound:
        """The bound of the program as it is, without a further cut."""
        try:
            return _DayMaster(self, weights, caps).settled(should_stop)
        except Infeasible:
            # The starts that are known may keep no caps. Which do, or what is missing?
            forgiving = _DayMaster(self, weights, caps, forgives=True)
            if forgiving.settled(should_stop).value > SOLVED_NOTHING:
                raise NoSuchPlan(forgiving.missing()) from None
        try:
            return _DayMaster(self, weights, caps).settled(should_stop)
        except Infeasible:
            # Almost: what no plan with a little more is below, none is below.
            return _DayMaster(self, weights, caps.loosened()).settled(should_stop)

    @property
    def is_large(self) -> bool:
        """Whether its program takes seconds to solve."""
        return self.starts.begins > MOST_BEGINS

    def begins_with(self, bound: DayBound) -> None:
        """Let it begin with starts and cuts of a bound on a day that differs in numbers only."""
        self.knows(bound.group, bound.start)
        self.cuts = [self._cooling(cut.heat, cut.power) for cut in bound.cuts]

    def at_prices(self, bound: DayBound, weights: DayWeights, caps: DayCaps) -> float:
        """What the prices of a bound on such a day prove, without solving the program; it begins
        with that bound.
        """
        self.begins_with(bound)
        return _DayMaster(self, weights, caps).proven(bound.duals)

    def _cut(self, found: DayBound) -> bool:
        """Let the program know what cooling costs at least at these prices; whether it did not."""
        cut = self._cooling(found.heat, found.power)
        if cut.least <= found.cooling + _CLOSE * max(abs(found.found), 1.0):
            return False
        self.cuts = [*self.cuts[1 - _MOST_CUTS :], cut]
        return True

    def _cooling(self, heat: FloatArray, power: FloatArray) -> CoolingCut:
        """What cooling costs at least at these prices."""
        day, kw = self.day, 1000.0
        most = day.most_watts - max(
            day.centre.cooling.fan_watts, day.centre.cooling.compressor_watts
        )
        least = least_cooling(day, most, heat, power)
        return CoolingCut(self.program.cut(heat * kw, power * kw), least, heat, power)


class _DayMaster:
    """The program with the starts that are known, for weights and caps. One that forgives makes
    small what is missing, and nothing else.
    """

    def __init__(
        self, search: DaySearch, weights: DayWeights, caps: DayCaps, *, forgives: bool = False
    ) -> None:
        self._search, self._forgives, program = search, forgives, search.program
        self._starts = search.starts
        rows = [cut.row for cut in search.cuts]
        self._matrix = sparse.vstack([program.matrix, *rows]).tocsr() if rows else program.matrix
        self._weights = np.append(astuple(weights), 0.0) * (not forgives)
        limits = np.array(astuple(caps))
        lower, upper = program.row_bounds
        upper[program.aims] = limits - program.constants
        least = np.array([cut.least for cut in search.cuts])
        rows_lower = np.append(lower, least)
        rows_upper = np.append(upper, np.full(len(least), np.inf))
        self._rows, self._columns = (rows_lower, rows_upper), program.column_bounds
        self._costs = np.asarray(self._matrix[program.aims].T @ self._weights)
        self._constant = float(self._weights @ program.constants)
        self._late = float(self._weights[LATENESS])
        self._counts = search.day.jobs.count.astype(float)
        if forgives:
            # What is missing of a cap counts as a share of it.
            scale = np.where(np.isfinite(limits), np.maximum(np.abs(limits), 1.0), 1.0)
            self._costs[program.missing] = np.append(1 / scale, np.ones(search.day.steps))
            self._columns[1][program.missing] = _MOST_MISSING
        if not (weights.cost * search.day.peak_price or math.isfinite(caps.peak)):
            # Nothing asks for the highest power.
            steps = np.arange(search.day.steps)
            self._rows[0][program.highest + steps] = -np.inf
        stages = np.append(program.stages, np.full(len(search.cuts), -1))
        self._of = DayMatrix(
            self._matrix,
            self._costs,
            self._columns,
            self._rows,
            stages,
            self._late,
            self._counts,
            self._starts,
            forgives,
        )
        widest = np.maximum(np.abs(self._columns[0]), np.abs(self._columns[1]))
        dearest = float(np.abs(self._costs * widest).max())
        latest = float(self._starts.latest.max(initial=0.0))
        self._unit = min(max(dearest, self._late * latest) or 1.0, 1.0)
        self._sizes, self._longest = abs(self._matrix), int(self._matrix.getnnz(0).max())

    def proven(self, duals: FloatArray) -> float:
        """What the duals of a program of the same rows prove of this one."""
        return self._proven(self._valid(duals))[0]

    def settled(self, should_stop: Callable[[], bool]) -> DayBound:
        """The bound over all starts, which is as good as the program is exact."""
        self._group, self._start = np.nonzero(self._search.known)
        self._solver = self._search.solver(self._of)
        self._solver.add(self._group, self._start)
        best, proving, apart = -math.inf, np.zeros(0), math.inf
        for _ in range(_ROUNDS):
            if should_stop():
                raise Cancelled(STOPPED)
            found = self._solved(is_close=apart <= _CLOSE)
            if found is None:
                break
            self._found = found
            objective = self._found.objective + self._constant
            duals = self._valid(self._found.duals)
            proven, group, start = self._proven(duals)
            if proven > best:
                best, proving = proven, duals
            if best > self._most():
                raise Infeasible
            apart = (objective - best) / max(abs(objective), self._unit)
            is_close = apart <= (_CLOSE if self._solver.ends else _CLOSER)
            # Whether something is missing is all that one that forgives is asked.
            is_known = self._forgives and not best <= SOLVED_NOTHING <= objective
            has_ended = self._solver.ends and not len(group)
            if (is_close and self._found.is_kept) or is_known or has_ended:
                break
            self._group, self._start = np.append(self._group, group), np.append(self._start, start)
            self._solver.add(group, start)
        return self._answer(best, max(objective, best), duals, proving)

    def _solved(self, *, is_close: bool) -> FoundStarts | None:
        """What the solver has next; None if it has no more, and what it had is close. Raises
        `Infeasible`.
        """
        with suppress(SolverFailed):
            return self._solver.solved()
        if is_close:
            return None
        self._solver = GeneralSolver(self._of)
        self._solver.add(self._group, self._start)
        return self._solver.solved()

    def _most(self) -> float:
        """No plan within the caps has more than that, so they keep none if a bound is above it."""
        least, most = self._columns
        columns = np.maximum(self._costs * least, self._costs * most)
        late = self._late * float(self._counts @ self._starts.latest)
        undone = float(self._counts.sum()) if self._forgives else 0.0
        return float(columns.sum()) + late + undone + self._constant

    def missing(self) -> dict[str, float]:
        """What of each cap, of the jobs and of the cooling is missing."""
        missing = self._found.values[self._search.program.missing]
        found = dict(zip(CAPPED, missing.tolist(), strict=False))
        found["jobs"] = float(self._found.undone.sum())
        hot = np.flatnonzero(missing[len(CAPPED) :] > SOLVED_NOTHING)
        found = {name: value for name, value in found.items() if value > SOLVED_NOTHING}
        if len(hot):
            found["cooling"] = float(missing[len(CAPPED) :].max()) * 1000
            found["step"] = float(hot[0])
        return found

    def _valid(self, duals: FloatArray) -> FloatArray:
        """The duals, those of the wrong sign as 0."""
        lower, upper = self._rows
        duals = np.where(np.isinf(lower), np.minimum(duals, 0.0), duals)
        return np.asarray(np.where(np.isinf(upper), np.maximum(duals, 0.0), duals))

    def _proven(self, duals: FloatArray) -> tuple[float, IntArray, IntArray]:
        """The bound that these duals prove, and starts that are not known and could be of use.

        A sum of n products is off by at most n + 1 roundings of the sum of their sizes.
        """
        rows = duals * np.where(duals > 0, self._rows[0], np.where(duals < 0, self._rows[1], 0.0))
        least, most = self._columns
        reduced = self._costs - self._matrix.T @ duals
        columns = np.minimum(reduced * least, reduced * most)
        sizes = np.abs(self._costs) + self._sizes.T @ np.abs(duals)
        sizes *= np.maximum(np.abs(least), np.abs(most))
        several = max(_SEVERAL, _MANY // max(len(self._counts), 1))
        several = min(several, self._search.day.steps)
        start, costs, terms = self._starts.least_costs(duals, self._late, several)
        dearest = float(self._forgives) if self._forgives else np.inf
        jobs = float(self._counts @ np.minimum(costs[:, 0], dearest))
        size = float(np.abs(rows).sum() + sizes.sum() + self._counts @ terms)
        group = np.repeat(np.arange(len(start))[:, None], several, axis=1)
        new = np.isfinite(costs) & ~self._search.known[group, start]
        group, start = group[new], start[new]
        self._search.known[group, start] = True
        operations = len(rows) + len(columns) + len(self._counts) + self._longest + 9
        total = float(rows.sum() + columns.sum()) + jobs + self._constant
        return total - operations * ULP * (size + abs(self._constant)), group, start

    def _answer(
        self, best: float, objective: float, duals: FloatArray, proving: FloatArray
    ) -> DayBound:
        program, values, amount = self._search.program, self._found.values, self._found.amounts
        there = amount > SOLVED_NOTHING
        # Starts that joined after the last solve have no amount.
        group, start = (each[: len(there)][there] for each in (self._group, self._start))
        amount = amount[there]
        aims = self._matrix[program.aims] @ values + program.constants
        aims[LATENESS] = amount @ self._starts.lateness(group, start)
        aims[EXCESS] = program.excess(values)
        steps = np.arange(self._search.day.steps)
        of_cuts = duals[len(program.row_bounds[0]) :]
        in_cuts = sum(
            (dual * cut.heat for dual, cut in zip(of_cuts, self._search.cuts, strict=True)),
            np.zeros(len(steps)),
        )
        power = duals[program.power + steps] / 1000 - in_cuts
        heat = duals[program.heat + steps] * program.per_watt + in_cuts
        row = program.cut(heat * 1000, power * 1000)
        return DayBound(
            best,
            objective,
            group,
            start,
            amount,
            dict(zip(CAPPED, aims.tolist(), strict=True)),
            -np.diff(duals[program.begin], axis=1),
            heat,
            power,
            DayCaps(*(-proving[program.aims]).tolist()),
            float((row @ values)[0]),
            proving,
            tuple(self._search.cuts),
        )
