"""Work that arrives, and where it may run: what an administrator knows of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from core.engines.replay.worth import ALWAYS_ONE, WorthCurves, curves_at
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.ranges import ETC, Range

UNITS = Range(1, 10**12, "units")
AMOUNT = Range(0.0, 1e12, "")
"""How much of a further resource there is, or is taken."""
PARTS = 1_000_000
"""Amounts are counted in so many parts of 1, so that sums of them are exact."""
WATTS = Range(0.0, 1e15, "W")
ARRIVAL = Range(0.0, 1e12, "s")
WORTH = Range(0.0, 1e15, "")

_LISTED: Final = 20
"""Rows with the same problem that are listed one by one."""
_OfRow = Callable[[int], str]
"""What is said of a row of a table: its name, or what is wrong with it."""

Switching = Literal["always on", "until last job", "off when idle"]
"""Until when machines that run nothing draw their idle power."""
SWITCHING: tuple[Switching, ...] = ("always on", "until last job", "off when idle")


@dataclass(frozen=True)
class Pools:
    """Pools of units that are alike; a job takes whole units, all of one pool.

    - `units[p]` is how many units there are, `cores[p]` how many cores each of them has.
    - `idle_watts[p]` and `sleep_watts[p]` are drawn by a unit that is on or asleep, beside what its
      job draws. Both are 0 where only the energy of jobs counts.
    - `whole[p]`: the units are parts of one machine (cores), which is on while one of them works;
      otherwise each is a machine of its own (a node).
    - `further[p, r]`: how much pool p has in all of `resources[r]`, which its jobs share, as
      "memory_gb". None: there is nothing but units.
    """

    names: tuple[str, ...]
    units: IntArray
    cores: IntArray
    idle_watts: FloatArray
    sleep_watts: FloatArray
    whole: BoolArray
    resources: tuple[str, ...] = ()
    further: FloatArray | None = None

    @property
    def parts(self) -> IntArray:
        """What each pool has of each further resource, in `PARTS`."""
        return _in_parts(self.further, len(self))

    @staticmethod
    def of(
        names: Sequence[str],
        units: ArrayLike,
        cores: ArrayLike = 1,
        idle_watts: ArrayLike = 0.0,
        sleep_watts: ArrayLike = 0.0,
        whole: ArrayLike = False,
        further: Mapping[str, ArrayLike] | None = None,
    ) -> "Pools":
        """Pools of which a single number, or answer, holds for all. `further` says how much they
        have of each further resource, by its name.
        """

        def each(values: ArrayLike, kind: type) -> Any:
            return np.broadcast_to(np.asarray(values, kind), len(names)).copy()

        counts = (each(units, np.int64), each(cores, np.int64))
        watts = (each(idle_watts, float), each(sleep_watts, float))
        more = further or {}
        amounts = [each(amount, float) for amount in more.values()]
        columns = np.column_stack(amounts) if amounts else None
        return Pools(tuple(names), *counts, *watts, each(whole, bool), tuple(more), columns)

    def __len__(self) -> int:
        return len(self.names)


class States(NamedTuple):
    """Power states by their names, and the place of that of each option among them."""

    labels: tuple[str, ...]
    code: IntArray


@dataclass(frozen=True)
class Options:
    """The ways to run each job: job j has the options `first[j]` to `first[j + 1] - 1`.

    Option o takes `units[o]` units of pool `pool[o]` for `seconds[o]`, which draw `watts[o]`
    together. `state[o]` is its place in `labels`; 0 is the fastest (P-state 0). It also takes
    `further[o, r]` of each further resource of the pool in all (None: nothing), and adds `extra[o]`
    to the worth of its job for as long as the curve of the job is above 0 (None: nothing).
    """

    first: IntArray
    pool: IntArray
    units: IntArray
    seconds: FloatArray
    watts: FloatArray
    state: IntArray
    labels: tuple[str, ...] = ("",)
    further: FloatArray | None = None
    extra: FloatArray | None = None

    @staticmethod
    def of(
        job: int | Sequence[int] | IntArray,
        pool: ArrayLike,
        units: ArrayLike,
        seconds: ArrayLike,
        watts: ArrayLike = 0.0,
        states: States | None = None,
        jobs: int | None = None,
    ) -> "Options":
        """Options of any order, by their jobs; or of so many jobs one each. A single number holds
        for all options. `jobs` is how many jobs there are, if the last may have none.
        """
        mine = np.arange(job) if isinstance(job, int) else np.asarray(job, np.int64)
        order = np.argsort(mine, kind="stable")
        jobs = int(mine.max(initial=-1)) + 1 if jobs is None else jobs

        def each(values: ArrayLike, kind: type) -> Any:
            return np.broadcast_to(np.asarray(values, kind), mine.shape)[order]

        return Options(
            np.searchsorted(mine[order], np.arange(jobs + 1)),
            each(pool, np.int64),
            each(units, np.int64),
            each(seconds, float),
            each(watts, float),
            each(0 if states is None else states.code, np.int64),
            ("",) if states is None else states.labels,
        )

    @property
    def job(self) -> IntArray:
        """Which job each option belongs to."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))

    @property
    def joules(self) -> FloatArray:
        return self.seconds * self.watts

    @property
    def parts(self) -> IntArray:
        """What each option takes of each further resource, in `PARTS`."""
        return _in_parts(self.further, len(self.pool))

    @property
    def added(self) -> FloatArray:
        """What each option adds to the worth of its job."""
        return np.zeros(len(self.pool)) if self.extra is None else self.extra

    @property
    def columns(self) -> tuple[Any, ...]:
        """What each option takes and adds, a column each."""
        further = () if self.further is None else tuple(self.further.T)
        return self.pool, self.units, self.seconds, self.watts, self.state, self.added, *further

    def at(self, rows: IntArray, first: IntArray) -> "Options":
        """The options of these rows, in this order; each job has those from `first` on."""
        mine: dict[str, Any] = {name: column[rows] for name, column in self._each()}
        return replace(self, first=first, **mine)

    def and_those(self, others: "Options") -> "Options":
        """The options of both, those of the others for further jobs in the same pools."""
        first = np.concatenate([self.first, others.first[1:] + self.first[-1]])
        theirs = dict(others._each())
        both: dict[str, Any] = {
            name: np.concatenate([mine, theirs[name]]) for name, mine in self._each()
        }
        return replace(self, first=first, **both)

    def _each(self) -> Iterator[tuple[str, Any]]:
        """What has a row for each option, by the name of its field."""
        for name in ("pool", "units", "seconds", "watts", "state", "further", "extra"):
            if getattr(self, name) is not None:
                yield name, getattr(self, name)


def rows_of(first: IntArray, which: IntArray) -> IntArray:
    """The rows `first[w]` to `first[w + 1] - 1` of each w of these, one after the other."""
    count = np.diff(first)[which]
    begin = np.repeat(first[which] + count - np.cumsum(count), count)
    return np.asarray(np.arange(len(begin)) + begin)


def beside_each_other(
    units: IntArray, further: FloatArray | None, resources: tuple[str, ...] = ()
) -> FloatArray:
    """Units, or cores, and amounts of further resources, a column each; 0 of those that are not
    given.
    """
    more = np.zeros((len(units), len(resources))) if further is None else further
    return np.column_stack([units.astype(float), more])


def _table(amounts: FloatArray | None, rows: int) -> FloatArray:
    return np.zeros((rows, 0)) if amounts is None else amounts


def _in_parts(amounts: FloatArray | None, rows: int) -> IntArray:
    return np.asarray(np.rint(_table(amounts, rows) * PARTS), np.int64)


class StopRights(NamedTuple):
    """Which jobs may stop others, and which may be stopped; where that goes by tiers, a job stops
    those of lower tiers.
    """

    may_stop_others: BoolArray
    may_be_stopped: BoolArray
    tier: IntArray

    @classmethod
    def of(
        cls,
        jobs: int,
        may_stop_others: ArrayLike = True,
        may_be_stopped: ArrayLike = True,
        tier: ArrayLike = 0,
    ) -> "StopRights":
        """Rights of so many jobs, of which a single answer, or tier, holds for all."""

        def each(values: ArrayLike, kind: type) -> Any:
            return np.broadcast_to(np.asarray(values, kind), jobs).copy()

        return cls(each(may_stop_others, bool), each(may_be_stopped, bool), each(tier, np.int64))

    @property
    def stoppable(self) -> BoolArray:
        """Which jobs may be stopped, and there is another one that may do so."""
        stop = self.may_stop_others
        return np.asarray(self.may_be_stopped & (np.count_nonzero(stop) > stop))


@dataclass(frozen=True)
class ArrivingJobs:
    """Jobs in the order of their arrival (s).

    A job that finishes d seconds after its arrival is worth `priority` times its `curve` at d;
    `urgency` (1/s) is how fast the curve decays.
    """

    arrival: FloatArray
    type: IntArray
    types: tuple[str, ...]
    priority: FloatArray
    urgency: FloatArray
    curve: IntArray
    names: Sequence[str] | None = None
    """None: a job is called by its number, from 1."""
    rights: "StopRights | None" = None
    """None: no job may stop another one."""

    def __len__(self) -> int:
        return len(self.arrival)

    @property
    def worths(self) -> tuple[Any, ...]:
        """What each job is worth: its priority, urgency and curve."""
        return self.priority, self.urgency, self.curve

    def name(self, job: int) -> str:
        return str(job + 1) if self.names is None else self.names[job]

    @classmethod
    def plain(
        cls, arrival: FloatArray, kind: IntArray | None = None, types: tuple[str, ...] = ("job",)
    ) -> "ArrivingJobs":
        """Jobs that are worth 1, whenever they finish; without kinds, all of the first type."""
        ones, nothing = np.ones(len(arrival)), np.zeros(len(arrival), np.int64)
        return cls(arrival, nothing if kind is None else kind, types, ones, 0.0 * ones, nothing)


class Horizon(NamedTuple):
    """What is scored: from `begin` to `end` (s); what is before warms the machines up.

    No job starts at or after `end`; infinity: until all jobs are done.
    """

    begin: float = 0.0
    end: float = np.inf


WITHOUT_END: Final = Horizon()


@dataclass(frozen=True)
class Workload:
    """All that an administrator knows: pools, jobs as they arrive, the ways to run them, and what
    they are worth. How long a job really takes is in `Truth`.

    Checked when it is made; raises `InvalidInput` with all problems.
    """

    pools: Pools
    jobs: ArrivingJobs
    options: Options
    curves: WorthCurves = ALWAYS_ONE
    horizon: Horizon = WITHOUT_END
    switching: Switching = "always on"
    name: str = field(default="", compare=False)

    @property
    def option_cores(self) -> IntArray:
        """The cores that each option takes."""
        return np.asarray(self.options.units * self.pools.cores[self.options.pool])

    def worth_of(self, job: IntArray, option: IntArray, delay: FloatArray) -> FloatArray:
        """What jobs are worth that finish on options, so long after their arrivals (s)."""
        curve, urgency = self.jobs.curve[job], self.jobs.urgency[job]
        share = curves_at(self.curves, curve, urgency, delay)
        worth = self.jobs.priority[job] * share
        if self.options.extra is None:
            return worth
        return np.asarray(worth + np.where(share > 0.0, self.options.extra[option], 0.0))

    def __post_init__(self) -> None:
        found = workload_problems(self)
        if found:
            raise InvalidInput(found)


def repeated(workload: Workload, *more: FloatArray | IntArray | BoolArray) -> BoolArray:
    """Whether each job is equal to the one before it: in its arrival, worth and options, and in
    these columns.
    """
    jobs, options = workload.jobs, workload.options
    ways = np.diff(options.first)
    same = np.ones(len(jobs), bool)
    same[:1] = False
    for column in (ways, jobs.arrival, *jobs.worths, *more):
        same[1:] &= column[1:] == column[:-1]
    before = np.maximum(np.arange(len(options.pool)) - ways[options.job], 0)
    alike = np.logical_and.reduce([column == column[before] for column in options.columns])
    np.logical_and.at(same, options.job, alike)
    return same


@dataclass(frozen=True)
class Truth:
    """What only the replay knows: job j really takes `time[j]` of its estimated seconds, and draws
    `power[j]` of its estimated watts. An estimate is never too short: `time` is at most 1.
    """

    time: FloatArray
    power: FloatArray

    @classmethod
    def as_estimated(cls, jobs: int) -> "Truth":
        return cls(np.ones(jobs), np.ones(jobs))

    def __post_init__(self) -> None:
        if not ((self.time > 0) & (self.time <= 1)).all():
            raise ValueError("a job takes more than 0 and at most all of its estimated time")
        if not ((self.power >= 0) & np.isfinite(self.power)).all():
            raise ValueError("a job draws at least 0 times its estimated power")


def listed_problems(
    wrong: IntArray, table: str, name: _OfRow, column: str, message: _OfRow
) -> list[Problem]:
    """A problem for each of the first wrong rows, and one that counts the others."""
    found = [Problem(table, name(row), column, message(row)) for row in wrong[:_LISTED].tolist()]
    if len(wrong) > _LISTED:
        more = f"{len(wrong) - _LISTED:,} more rows have the same problem"
        found.append(Problem(table, "", column, more))
    return found


def workload_problems(workload: Workload) -> list[Problem]:
    """All that is wrong with a workload, by table ("pools", "jobs", "options"), row and column."""
    pools, jobs, options = workload.pools, workload.jobs, workload.options
    found: list[Problem] = []

    def outside(
        table: str, name: _OfRow, column: str, values: FloatArray | IntArray, allowed: Range
    ) -> None:
        wrong = np.flatnonzero(~((values >= allowed.low) & (values <= allowed.high)))
        found.extend(
            listed_problems(
                wrong, table, name, column, lambda row: f"is {values[row]:g}; use {allowed}"
            )
        )

    outside("pools", pools.names.__getitem__, "units", pools.units, UNITS)
    outside("pools", pools.names.__getitem__, "cores", pools.cores, UNITS)
    outside("pools", pools.names.__getitem__, "idle_watts", pools.idle_watts, WATTS)
    outside("pools", pools.names.__getitem__, "sleep_watts", pools.sleep_watts, WATTS)
    twice = sorted({name for name in pools.names if pools.names.count(name) > 1})
    message = "is there twice; give each pool its own name"
    found += [Problem("pools", name, "", message) for name in twice]
    outside("jobs", jobs.name, "arrival", jobs.arrival, ARRIVAL)
    outside("jobs", jobs.name, "priority", jobs.priority, WORTH)
    outside("jobs", jobs.name, "urgency", jobs.urgency, WORTH)
    late = np.flatnonzero(np.diff(jobs.arrival) < 0) + 1
    found += listed_problems(
        late,
        "jobs",
        jobs.name,
        "arrival",
        lambda job: f"is {jobs.arrival[job]:g} s, before the job above it; sort by arrival",
    )

    def job_of(option: int) -> str:
        return jobs.name(int(np.searchsorted(options.first, option, side="right")) - 1)

    outside("options", job_of, "units", options.units, UNITS)
    outside("options", job_of, "seconds", options.seconds, ETC)
    outside("options", job_of, "watts", options.watts, WATTS)
    nowhere = np.flatnonzero(np.diff(options.first) == 0)
    message = "can run nowhere; give it an option, or leave it out"
    found += listed_problems(nowhere, "jobs", jobs.name, "", lambda _job: message)
    too_wide = np.flatnonzero(options.units > pools.units[options.pool])

    def why(option: int) -> str:
        pool = options.pool[option]
        return (
            f"takes {options.units[option]:,} units of {pools.names[pool]}, which has "
            f"{pools.units[pool]:,}; take fewer units, or leave the option out"
        )

    found += listed_problems(too_wide, "options", job_of, "units", why)
    found += _further_problems(pools, options, job_of)
    if options.extra is not None:
        outside("options", job_of, "extra", options.extra, WORTH)
    return found


def _further_problems(pools: Pools, options: Options, job_of: _OfRow) -> list[Problem]:
    """What is wrong with further resources: each is named once, and no option takes more of it than
    its pool has.
    """
    names, found = pools.resources, []
    for name in sorted({name for name in names if names.count(name) > 1}):
        message = "is there twice; give each further resource its own name"
        found.append(Problem("pools", "", name, message))
    shapes = (pools.parts.shape[1], options.parts.shape[1])
    if shapes[0] != len(names) or (shapes[1] not in (0, len(names))):
        message = (
            f"have {shapes[1]} further resources, but pools have {len(names)}: "
            f"{', '.join(names) or 'none'}; give both the same"
        )
        return [*found, Problem("options", "", "", message)]
    had, taken = _table(pools.further, len(pools)), _table(options.further, len(options.pool))
    for place, name in enumerate(names):
        for table, name_of, rows in (
            ("pools", pools.names.__getitem__, had),
            ("options", job_of, taken),
        ):
            mine = rows[:, place] if rows.shape[1] else np.zeros(0)
            wrong = np.flatnonzero(~((mine >= AMOUNT.low) & (mine <= AMOUNT.high)))

            def say(row: int, mine: FloatArray = mine) -> str:
                return f"is {mine[row]:g}; use {AMOUNT}"

            found += listed_problems(wrong, table, name_of, name, say)
    if found or options.further is None:
        return found
    too_much = options.parts > pools.parts[options.pool]
    for place, name in enumerate(names):

        def why(option: int, place: int = place) -> str:
            pool = int(options.pool[option])
            return (
                f"takes {taken[option, place]:g} of {pools.names[pool]}, which has "
                f"{had[pool, place]:g}; take less, or leave the option out"
            )

        found += listed_problems(np.flatnonzero(too_much[:, place]), "options", job_of, name, why)
    return found
