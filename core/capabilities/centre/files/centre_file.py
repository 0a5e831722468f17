"""A centre as its files have it: servers and room, jobs in seconds, and curves over time."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Final, Literal, Self

import numpy as np

from core.capabilities.centre.centre import Centre
from core.capabilities.centre.day import CentreDay, Curves, DayJobs
from core.capabilities.centre.plan import DayPlan
from core.engines.signals.kinds import CARBON, GREEN, PRICE, SUN, TARGET, TEMPERATURE, SignalKind
from core.engines.signals.signal import Signal
from core.engines.signals.sun import SolarPanels
from core.engines.signals.zones import UTC_NAME
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.prices.site import CURRENCIES
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.tolerances import SAME

CurvesOf = Literal["came", "forecast"]
"""Curves as they came, or as they were forecast; where there is no forecast, as they came."""
CURVE_KINDS: Final[Mapping[str, SignalKind]] = {
    "price": PRICE,
    "carbon": CARBON,
    "outside": TEMPERATURE,
    "green": GREEN,
    "target": TARGET,
}
"""The kind of each of `Curves`."""
USUAL_CURVES: Final[Mapping[SignalKind, float]] = {
    PRICE: 1.0,
    CARBON: 0.0,
    TEMPERATURE: 25.0,
    GREEN: 0.0,
}
"""What holds all day if nothing is said. A target is then more than the centre can draw."""


@dataclass(frozen=True, slots=True)
class DayGrid:
    """So many `steps` of `step` seconds from `begins` on, in seconds since 1970 (UTC). Clocks show
    the time of a `zone` (IANA).
    """

    begins: float
    step: float
    steps: int
    zone: str = UTC_NAME

    @property
    def seconds(self) -> float:
        """How long the day is."""
        return self.step * self.steps

    @property
    def ends(self) -> float:
        """In seconds since 1970."""
        return self.begins + self.seconds

    def with_step(self, step: float) -> Self:
        """The same day in other steps. Raises `InvalidInput` if it has no whole number of them."""
        steps = round(self.seconds / step)
        if abs(steps * step - self.seconds) > SAME * self.seconds:
            raise InvalidInput.of(
                f"a day of {self.seconds:g} s has no whole number of steps of {step:g} s; give "
                "another step"
            )
        return replace(self, step=step, steps=steps)


@dataclass(frozen=True, eq=False)
class CentreJobs:
    """Jobs in seconds from the begin of the day on: `count[r]` of row r that each take `servers[r]`
    of a kind. `due` is NaN where nothing is said. `names` are those of the rows; without, rows are
    called by their numbers.
    """

    kind: IntArray
    servers: IntArray
    seconds: FloatArray
    release: FloatArray
    due: FloatArray
    count: IntArray
    names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.kind)

    def name(self, row: int) -> str:
        return self.names[row] if self.names else str(row + 1)

    def unfit(self, grid: DayGrid) -> BoolArray:
        """The rows of jobs that cannot end within the day, in whole steps; not where a time is NaN,
        since it could not be read.
        """
        ends = _whole(self.release, grid) + _whole(self.seconds, grid)
        return np.asarray(ends > grid.steps)

    def by_rows(self, grid: DayGrid) -> DayJobs:
        """A group for each row. A job takes whole steps, from the first that begins when it is
        released or later; one without a due date is due when the day ends.
        """
        due = np.where(np.isnan(self.due), grid.steps, self.due / grid.step)
        return DayJobs(
            self.kind,
            self.servers,
            _steps(self.seconds, grid),
            _steps(self.release, grid),
            due,
            self.count,
            self.names or tuple(map(str, range(1, len(self) + 1))),
        )


def _steps(seconds: FloatArray, grid: DayGrid) -> IntArray:
    return _whole(seconds, grid).astype(np.int64)


def _whole(seconds: FloatArray, grid: DayGrid) -> FloatArray:
    """Whole steps that last so long; rounding does not add one."""
    return np.asarray(np.ceil(seconds / grid.step - SAME))


def _in_groups(rows: DayJobs) -> tuple[DayJobs, IntArray]:
    """Equal rows as one group, which has the name of the first of them; and the group of each."""
    columns = rows.kind, rows.width, rows.length, rows.release, rows.due
    order = np.lexsort(columns[::-1])
    new = np.ones(len(order), bool)
    if len(order):
        new[1:] = np.any([np.diff(column[order]) != 0 for column in columns], axis=0)
    first = np.flatnonzero(new)
    group = np.empty(len(order), np.int64)
    group[order] = np.cumsum(new) - 1
    count = np.add.reduceat(rows.count[order], first) if len(first) else rows.count[:0]
    kept = order[first]
    found = DayJobs(
        rows.kind[kept],
        rows.width[kept],
        rows.length[kept],
        rows.release[kept],
        rows.due[kept],
        count,
        tuple(rows.names[row] for row in kept.tolist()),
    )
    return found, group


@dataclass(frozen=True, eq=False)
class CentreSignals:
    """Curves over time, by their kinds: those that `came` and those that were `forecast`, and what
    holds `all_day` where there is no curve. With panels, the sun makes green power.
    """

    came: Mapping[SignalKind, Signal] = field(default_factory=dict)
    forecast: Mapping[SignalKind, Signal] = field(default_factory=dict)
    all_day: Mapping[SignalKind, float] = field(default_factory=dict)
    panels: SolarPanels | None = None

    def of(self, kind: SignalKind, of: CurvesOf) -> Signal | None:
        """A curve as it came or was forecast; if there is none of these, that of the others."""
        first, second = (self.came, self.forecast) if of == "came" else (self.forecast, self.came)
        if kind is GREEN and self.panels is not None:
            sun = first.get(SUN) or second.get(SUN)
            return None if sun is None else self.panels.power(sun)
        return first.get(kind) or second.get(kind)

    def on_grid(self, grid: DayGrid, of: CurvesOf, most_watts: float) -> Curves:
        """The curves of a day. Without a target it is `most_watts`. Raises `InvalidInput` where one
        is not known all day.
        """
        return Curves(
            **{
                name: self._values(kind, grid, self.of(kind, of), most_watts)
                for name, kind in CURVE_KINDS.items()
            }
        )

    def known_at(self, grid: DayGrid, moment: float, most_watts: float) -> Curves:
        """The curves as known so many seconds after the day began: what came by then, and then the
        latest forecast that was made by then, or the first if there was none yet. A curve without a
        forecast, such as a tariff, is known all the time.
        """
        now = grid.begins + moment
        ends = grid.begins + grid.step * np.arange(1, grid.steps + 1)
        found = {}
        for name, kind in CURVE_KINDS.items():
            came, forecast = self.of(kind, "came"), self.of(kind, "forecast")
            if came is None or forecast is None or not forecast.is_forecast:
                found[name] = self._values(kind, grid, came, most_watts)
                continue
            values = _forecast_at(forecast, now).on_grid(grid.begins, grid.step, grid.steps)
            seen = came.known_at(now)
            past = ends <= (-np.inf if seen is None else float(seen.ends[-1]))
            found[name] = np.where(past, self._values(kind, grid, came, most_watts), values)
        return Curves(**found)

    def _values(
        self, kind: SignalKind, grid: DayGrid, signal: Signal | None, most_watts: float
    ) -> FloatArray:
        if signal is None:
            return np.full(grid.steps, self.all_day.get(kind, USUAL_CURVES.get(kind, most_watts)))
        return signal.on_grid(grid.begins, grid.step, grid.steps)


def _forecast_at(forecast: Signal, moment: float) -> Signal:
    """The latest value of each step that was issued by a moment; the first one of steps that had
    none by then.
    """
    issued = forecast.begins if forecast.issued is None else forecast.issued
    first = np.append(True, np.diff(forecast.begins) > 0)
    kept = first | (issued <= moment)
    return replace(
        forecast,
        begins=forecast.begins[kept],
        seconds=forecast.seconds[kept],
        values=forecast.values[kept],
        issued=issued[kept],
    ).latest


@dataclass(frozen=True, eq=False)
class CentreFile:
    """All that the files of a centre say of a day. Money is in a `currency`: energy that is left
    over brings `feed_in` a kWh, and the highest grid power costs `peak_price` a kW. Curves that are
    of other dates were `moved` to the day by so many days.
    """

    centre: Centre
    grid: DayGrid
    jobs: CentreJobs
    signals: CentreSignals
    feed_in: float = 0.0
    peak_price: float = 0.0
    currency: str = CURRENCIES[0]
    moved: Mapping[SignalKind, int] = field(default_factory=dict)

    @cached_property
    def rows(self) -> DayJobs:
        """The jobs, a group for each row of the file."""
        return self.jobs.by_rows(self.grid)

    @cached_property
    def _grouped(self) -> tuple[DayJobs, IntArray]:
        return _in_groups(self.rows)

    @property
    def group(self) -> IntArray:
        """The group of each row among those of `day`."""
        return self._grouped[1]

    def day(self, of: CurvesOf = "came") -> CentreDay:
        """The day, whose equal jobs are groups, under the curves as they came or were forecast."""
        return self._day(self._grouped[0], of)

    def day_by_rows(self, of: CurvesOf = "came") -> CentreDay:
        """The day with a group for each row of the file, as plans in files have it."""
        return self._day(self.rows, of)

    def _day(self, jobs: DayJobs, of: CurvesOf) -> CentreDay:
        curves = self.signals.on_grid(self.grid, of, self.most_watts)
        money = self.feed_in, self.peak_price
        return CentreDay(self.centre, jobs, curves, self.grid.step, *money, self.grid.begins)

    @cached_property
    def most_watts(self) -> float:
        """More power than the centre can draw."""
        cooling = self.centre.cooling
        each = np.maximum(self.centre.busy, self.centre.start_watts(self.grid.step))
        most = max(cooling.fan_watts, cooling.compressor_watts)
        return float(self.centre.counts @ each) + most

    def known_at(self, seconds: float) -> Curves:
        """The curves as known so long after the day began."""
        return self.signals.known_at(self.grid, seconds, self.most_watts)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the content: equal centres, and only they, have equal ones."""
        signals, jobs = self.signals, self.jobs
        curves = (*signals.came.items(), *signals.forecast.items())
        said = (
            *(self.centre, self.grid, self.feed_in, self.peak_price, self.currency),
            *(jobs.names, signals.panels),
            [sorted(kind.name for kind in curves) for curves in (signals.came, signals.forecast)],
            sorted((kind.name, value) for kind, value in signals.all_day.items()),
            *sorted((kind.name, days) for kind, days in self.moved.items()),
        )
        digest = sha256(repr(said).encode(errors="surrogatepass"))
        arrays = [jobs.kind, jobs.servers, jobs.seconds, jobs.release, jobs.due, jobs.count]
        for _, one in sorted(curves, key=lambda pair: (pair[1].is_forecast, pair[0].name)):
            arrays += [one.begins, one.seconds, one.values]
            arrays += [] if one.issued is None else [one.issued]
        for array in arrays:
            digest.update(array.size.to_bytes(8, "big") + array.tobytes())
        return digest.hexdigest()

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        curves = (*self.signals.came.values(), *self.signals.forecast.values())
        rows = 6 * len(self.jobs) + sum(4 * len(one.values) for one in curves)
        return 8 * rows + 80 * len(self.jobs.names)

    @property
    def has_forecast(self) -> bool:
        """Whether any curve was forecast."""
        return bool(self.signals.forecast)

    def with_step(self, step: float) -> Self:
        """The same day in other steps. Raises `InvalidInput` if the room or a job does not bear
        them.
        """
        found = replace(self, grid=self.grid.with_step(step))
        try:
            self.centre.heat(step)
        except ValueError as refused:
            raise InvalidInput.of(str(refused)) from refused
        unfit = np.flatnonzero(self.jobs.unfit(found.grid)).tolist()
        if unfit:
            name = self.jobs.name(unfit[0])
            message = f"cannot end within the day in steps of {step:g} s; give shorter steps"
            raise InvalidInput([Problem("jobs", name, "seconds", message)])
        return found

    def plan_by_rows(self, plan: DayPlan) -> DayPlan:
        """A plan for the jobs in groups as one for those in rows: the first start of a group is of
        the first of its rows. It starts each job once.
        """
        rows = np.argsort(self.group, kind="stable")
        starts = np.lexsort((plan.start, plan.group))
        of_rows, of_starts = np.cumsum(self.jobs.count[rows]), np.cumsum(plan.count[starts])
        ends = np.union1d(of_rows, of_starts)
        row = rows[np.searchsorted(of_rows, ends)]
        start = starts[np.searchsorted(of_starts, ends)]
        return replace(plan, group=row, start=plan.start[start], count=np.diff(ends, prepend=0))

    def plan_by_groups(self, plan: DayPlan) -> DayPlan:
        """A plan for the jobs in rows as one for those in groups."""
        steps = self.grid.steps + 1
        key, place = np.unique(self.group[plan.group] * steps + plan.start, return_inverse=True)
        count = np.zeros(len(key), np.int64)
        np.add.at(count, place, plan.count)
        return replace(plan, group=key // steps, start=key % steps, count=count)

    @classmethod
    def of_day(cls, day: CentreDay) -> Self:
        """A day that no file says: its curves came as they are."""
        grid = DayGrid(day.begins, day.step, day.steps)
        begins: FloatArray = day.begins + day.step * np.arange(day.steps, dtype=np.float64)
        signals: dict[SignalKind, Signal] = {}
        all_day: dict[SignalKind, float] = {}
        for name, kind in CURVE_KINDS.items():
            values = getattr(day.curves, name)
            if (values == values[0]).all():
                all_day[kind] = float(values[0])
            else:
                signals[kind] = Signal(kind, begins, np.full(day.steps, day.step), values)
        jobs, step = day.jobs, day.step
        return cls(
            day.centre,
            grid,
            CentreJobs(
                jobs.kind,
                jobs.width,
                np.asarray(jobs.length * step),
                np.asarray(jobs.release * step),
                np.asarray(jobs.due * step),
                jobs.count,
                jobs.names,
            ),
            CentreSignals(signals, all_day=all_day),
            day.feed_in,
            day.peak_price,
        )
