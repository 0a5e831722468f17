"""The linear program of a day, whose optimum no plan is below, by columns for starts of jobs.

The room is monotone, so its temperature may be called higher than it is at no gain: "at least"
stands for "equal". What the fan takes out is a product of its speed and of the difference to the
outside, 0 where it is warmer there; planes above it stand for it. Tangents below the law of the fan
stand for its watts: a column for each piece of the speed between two corners of these. Jobs and
compressor may be divided. All else is exact.

Powers are in kW, energies in kWh and times in steps.
"""

from functools import cached_property
from typing import Final

import numpy as np
from scipy import sparse

from core.capabilities.centre.centre import FanLaw
from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.objectives import AIMS
from core.engines.lp.program import SparseMatrix
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.words import HOUR
from core.vocabulary.tolerances import SAME

_TOUCHING: Final = np.arange(0.05, 1.0, 0.1)
"""Speeds at which tangents touch the cubic law of a fan."""
_KW: Final = 1000.0


class DayProgram:
    """All of the program but the starts of jobs: rows of `matrix` between `row_lower` and
    `row_upper`, columns between `lower` and `upper`.

    A start of w servers has -w in row `begin[kind, start]` and w in row `begin[kind, end]`, which
    for the end of the day is no limit. Row `aims[a]` is what is counted of aim a, less
    `constants[a]`; a start adds its lateness to that. The last row of `aims` is the peak; rows from
    `highest` on say that no grid power is above it. What is `missing` is a column for each row of
    `aims`, and for the heat of each step in kW; all are 0 as long as no bound says otherwise.
    """

    def __init__(self, day: CentreDay) -> None:
        self.day = day
        self._entries: list[tuple[IntArray, IntArray, FloatArray]] = []
        self._row_bounds: list[tuple[FloatArray, FloatArray]] = []
        self._stages: list[IntArray] = []
        self._column_bounds: list[tuple[FloatArray, FloatArray]] = []
        self._rows = self._columns = 0
        centre, steps = day.centre, day.steps
        self.per_watt = centre.heat(day.step).per_watt
        self._one = sparse.identity(steps, format="csr")
        self._law = centre.heat(day.step)
        self.begin = np.empty((len(centre.kinds), steps + 1), np.int64)
        self.power, self.heat = self._row(0.0, 0.0), self._row(0.0, np.inf)
        self._declare_room()
        for kind in range(len(centre.kinds)):
            self._declare_servers(kind)
        self._declare_aims()

    @cached_property
    def matrix(self) -> SparseMatrix:
        """The coefficients, a line for each row."""
        rows, columns, values = map(np.concatenate, zip(*self._entries, strict=True))
        shape = self._rows, self._columns
        return sparse.csr_matrix((values, (rows, columns)), shape)

    @property
    def row_bounds(self) -> tuple[FloatArray, FloatArray]:
        """The least and the most that each row may be, as arrays of one's own."""
        lower, upper = zip(*self._row_bounds, strict=True)
        return np.concatenate(lower), np.concatenate(upper)

    @cached_property
    def stages(self) -> IntArray:
        """The step that each row is about; -1 for those about all."""
        return np.concatenate(self._stages)

    @property
    def column_bounds(self) -> tuple[FloatArray, FloatArray]:
        """The least and the most of each column, as arrays of one's own; all are finite."""
        lower, upper = zip(*self._column_bounds, strict=True)
        return np.concatenate(lower), np.concatenate(upper)

    def cut(self, heat: FloatArray, power: FloatArray) -> SparseMatrix:
        """The row of the sum of `power[t]` for each kW that cooling draws less `heat[t]` for each
        kW of heat of the servers.
        """
        steps = np.arange(self.day.steps)
        blocks = [(first, (power + heat) * kw) for first, kw in self._cooling]
        blocks.append((self._drawn, -heat))
        columns = np.concatenate([first + steps for first, _ in blocks])
        values = np.concatenate([each for _, each in blocks])
        shape = 1, self._columns
        return sparse.csr_matrix((values, (np.zeros(len(columns), np.int64), columns)), shape)

    def excess(self, values: FloatArray) -> float:
        """The kWh above the target at these values of the columns."""
        power = values[self._drawn : self._drawn + self.day.steps]
        over = np.maximum(power - self.day.curves.target / _KW, 0.0)
        return float(over.sum()) * self.day.step / HOUR

    def _row(self, lower: float | FloatArray, upper: float | FloatArray, count: int = 0) -> int:
        """As many rows as there are steps, or `count`: the number of the first."""
        self._stages.append(np.full(count, -1) if count else np.arange(self.day.steps))
        count = count or self.day.steps
        bounds = np.broadcast_to(lower, count), np.broadcast_to(upper, count)
        self._row_bounds.append((bounds[0].astype(float), bounds[1].astype(float)))
        self._rows += count
        return self._rows - count

    def _column(self, upper: float | FloatArray, lower: float | FloatArray = 0.0) -> int:
        """As many columns as there are steps: the number of the first."""
        count = self.day.steps
        bounds = np.broadcast_to(lower, count), np.broadcast_to(upper, count)
        self._column_bounds.append((bounds[0].astype(float), bounds[1].astype(float)))
        self._columns += count
        return self._columns - count

    def _put(self, row: int, column: int, values: float | FloatArray | SparseMatrix) -> None:
        """Coefficients of a block of columns in a block of rows; numbers stand on the diagonal."""
        rows = columns = np.arange(self.day.steps)
        if sparse.issparse(values):
            part = sparse.coo_matrix(values)
            rows, columns, values = part.row, part.col, part.data
        each = np.broadcast_to(values, len(rows)).astype(float)
        self._entries.append((row + rows, column + columns, each))

    def _declare_room(self) -> None:
        """Cooling and temperature; power and heat get what cooling draws and takes out."""
        day, law, cooling = self.day, self._law, self.day.centre.cooling
        outside, limit, first = day.curves.outside, day.centre.limit, day.centre.first
        low = day.coolest
        before = np.append(first, np.full(day.steps - 1, limit))
        colder = np.maximum(before - outside, 0.0) if law.by_difference else np.ones(day.steps)
        compressor, taken = self._column(1.0), self._column(colder)
        inside = self._column(limit, low[1:])
        mode, product = self._row(-np.inf, 1.0), self._row(-np.inf, 0.0)
        self._put(mode, compressor, 1.0)
        self._put(product, taken, 1.0)
        widths, slopes = _pieces(cooling.fan_law)
        pieces = [self._column(width) for width in widths.tolist()]
        for piece, slope in zip(pieces, slopes.tolist(), strict=True):
            self._put(mode, piece, 1.0)
            self._put(product, piece, -colder)
            self._put(self.power, piece, -cooling.fan_watts / _KW * slope)
        # Where power brings money, the fan may blow for nothing.
        idly = np.where(day.curves.price < day.feed_in, 1.0, 1 - float(widths @ slopes))
        blown_idly = self._column(idly)
        self._put(self.power, blown_idly, -cooling.fan_watts / _KW)
        self._cooling = [
            (compressor, cooling.compressor_watts / _KW),
            (blown_idly, cooling.fan_watts / _KW),
            *zip(pieces, (cooling.fan_watts / _KW * slopes).tolist(), strict=True),
        ]
        later = sparse.eye(day.steps, k=-1)
        if law.by_difference:
            # Else it does not blow where it is warmer outside, though it may be off there.
            warmer = np.maximum(outside - low[:-1], 0.0)
            difference = -np.minimum(outside, low[:-1])
            difference[0] = np.inf
            product = self._row(-np.inf, difference)
            self._put(product, taken, 1.0)
            self._put(product, inside, -later)
            for piece in pieces:
                self._put(product, piece, warmer)
        warmed = law.outside * outside + law.per_watt * day.base_watts
        warmed[0] += law.kept * first
        self._row_bounds[1] = (warmed, np.full(day.steps, np.inf))
        self._put(self.heat, inside, self._one - law.kept * later)
        self._put(self.heat, taken, law.fan)
        self._put(self.heat, compressor, law.compressor)
        self._put(self.power, compressor, -cooling.compressor_watts / _KW)

    def _declare_servers(self, kind: int) -> None:
        """Servers of a kind that execute and that are awake, and their starts that end."""
        day, centre, one = self.day, self.day.centre, self._one
        count = float(centre.counts[kind])
        executing, awake = self._column(count), self._column(count)
        begun = day.begun
        work = np.zeros(day.steps) if begun is None else np.diff(begun.busy[kind], prepend=0)
        begin = self._row(work, work)
        self._row(-np.inf, np.inf, 1)
        self.begin[kind] = begin + np.arange(day.steps + 1)
        self._put(begin, executing, one - sparse.eye(day.steps, k=-1))
        there = self._row(0.0, np.inf)
        self._put(there, awake, 1.0)
        self._put(there, executing, -1.0)
        self._draw(executing, (centre.busy - centre.idle)[kind], one)
        self._draw(awake, (centre.idle - centre.asleep)[kind], one)
        steps = int(centre.start_steps(day.step)[kind])
        if steps:
            # Who sleeps when the day begins has not been put to sleep: a start ends after step 0.
            early = np.arange(day.steps) < steps
            decided = np.zeros(day.steps) if begun is None else begun.ready[kind]
            ready = self._column(np.where(early, decided, count), np.where(early, decided, 0.0))
            before = count if begun is None else float(begun.before[kind])
            rise = one - sparse.eye(day.steps, k=-1)
            started = self._row(np.append(-before, np.zeros(day.steps - 1)), np.inf)
            self._put(started, ready, 1.0)
            self._put(started, awake, -rise)
            ahead = sparse.csr_matrix((day.steps, day.steps))
            for each in range(1, min(steps, day.steps - 1) + 1):
                ahead += sparse.eye(day.steps, k=each)
            most = self._row(-np.inf, count)
            self._put(most, awake, 1.0)
            self._put(most, ready, ahead)
            watts = float((centre.start_watts(day.step) - centre.asleep)[kind])
            self._draw(ready, watts, ahead)

    def _draw(self, column: int, watts: float, when: SparseMatrix) -> None:
        """Let servers of a block draw so much, which warms the room."""
        self._put(self.power, column, -watts / _KW * when)
        self._put(self.heat, column, -watts * self._law.per_watt * when)

    def _declare_aims(self) -> None:
        """Power, what of it comes from the grid or is above the target, and what is counted."""
        day, curves, hours = self.day, self.day.curves, self.day.step / HOUR
        least, most = day.base_watts / _KW, day.most_watts / _KW
        green, target = curves.green / _KW, curves.target / _KW
        power = self._drawn = self._column(most, least)
        self._row_bounds[0] = (np.full(day.steps, least), np.full(day.steps, least))
        self._put(self.power, power, 1.0)
        grid, over = self._column(most), self._column(most)
        for column, level in ((grid, green), (over, target)):
            above = self._row(-level, np.inf)
            self._put(above, column, 1.0)
            self._put(above, power, -1.0)
        self.peak = self._columns
        reached = 0.0 if day.begun is None else day.begun.peak / _KW
        self._column_bounds.append((np.array([reached]), np.array([max(most, reached)])))
        self._columns += 1
        highest = self.highest = self._row(0.0, np.inf)
        self._put(highest, self.peak, sparse.csr_matrix(np.ones((day.steps, 1))))
        self._put(highest, grid, -1.0)
        slope, extra, constant = money(day)
        self.aims = self._row(-np.inf, np.inf, len(AIMS) + 1) + np.arange(len(AIMS) + 1)
        counted = {
            "cost": ((power, slope), (grid, extra)),
            "carbon": ((grid, hours * curves.carbon),),
            "energy": ((power, np.full(day.steps, hours)),),
            "excess": ((over, np.full(day.steps, hours)),),
            "lateness": (),
        }
        for aim, row in zip(AIMS, self.aims.tolist(), strict=False):
            for column, values in counted[aim]:
                self._put(row, column, sparse.csr_matrix(values[None]))
        self._put(int(self.aims[0]), self.peak, sparse.csr_matrix([[day.peak_price]]))
        self._put(int(self.aims[-1]), self.peak, sparse.csr_matrix([[1.0]]))
        self.constants = np.array([constant, 0.0, 0.0, 0.0, 0.0, 0.0])
        self._declare_missing()

    def _declare_missing(self) -> None:
        """Columns for what of the caps and of the heat is missing."""
        count = len(self.aims)
        self.missing = self._columns + np.arange(count + self.day.steps)
        self._column_bounds.append((np.zeros(count), np.zeros(count)))
        self._columns += count
        self._put(int(self.aims[0]), int(self.missing[0]), -sparse.identity(count))
        self._put(self.heat, self._column(0.0), self._law.per_watt * _KW)


def money(day: CentreDay) -> tuple[FloatArray, FloatArray, float]:
    """The largest convex function below what power costs in each step: for a kW, for a kW from the
    grid in addition, and for no power at all. Where energy that is left over brings more than
    energy costs, or costs less than nothing, that is a chord.
    """
    price, left, hours = day.curves.price, day.feed_in, day.step / HOUR
    least, most, green = day.base_watts / _KW, day.most_watts / _KW, day.curves.green / _KW

    def cost(power: float) -> FloatArray:
        bought = price * np.maximum(power - green, 0.0)
        return np.asarray(hours * (bought - left * np.maximum(green - power, 0.0)))

    convex = price >= left
    chord = (cost(most) - cost(least)) / max(most - least, SAME)
    slope = np.where(convex, hours * left, chord)
    constant = np.where(convex, -hours * left * green, cost(least) - slope * least)
    return slope, np.where(convex, hours * (price - left), 0.0), float(constant.sum())


def _pieces(law: FanLaw) -> tuple[FloatArray, FloatArray]:
    """How wide each piece of the speed of a fan is, and the share of its watts that it draws for
    each unit of speed: never more together than the law says.
    """
    if law == "linear":
        return np.ones(1), np.ones(1)
    squares, cubes = np.append(0.0, _TOUCHING) ** 2, np.append(0.0, _TOUCHING) ** 3
    corners = np.concatenate([[0.0], 2 / 3 * np.diff(cubes) / np.diff(squares), [1.0]])
    return np.diff(corners), 3 * squares
