"""What nodes draw that sleep after some time without work, as an exact function of that time and of
how many nodes always stay awake.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.switch_off.levels import Levels
from core.capabilities.switch_off.settings import SwitchOffSettings
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.node_use import NodeUse
from core.vocabulary.system import System

_CELLS: Final = 1_000_000
"""All tables together have about so many at most, so that a page opens within two seconds."""
LEAST_AFTER: Final = 60.0
"""The shortest time without work (s) after which nodes sleep: others would wear them out."""
CLOSE: Final = 0.002
"""A smaller share of what nodes without work draw is not worth more starts."""
_TIMES: Final = (12, 96)
"""The fewest and the most times without work that are tried."""


@dataclass(frozen=True, eq=False)
class NodePowers:
    """What one node of each machine type draws (W): while it is idle, works and sleeps; how long it
    takes to start (s), with its power at work. `idle_assumed` and `busy_assumed` mark what nobody
    has said.
    """

    idle: FloatArray
    busy: FloatArray
    asleep: float
    start_seconds: float
    idle_assumed: BoolArray
    busy_assumed: BoolArray

    @classmethod
    def of(cls, system: System, use: NodeUse, settings: SwitchOffSettings) -> "NodePowers":
        """The powers of the nodes of `use`; at work, the unweighted mean over task types."""
        places = [*map(system.machine_names.index, use.names)]
        busy = system.mean_power[places] * use.machines
        idle = system.always_on.idle_power[places] * use.machines
        unknown, unsaid = ~(busy > 0), ~(idle > 0)
        busy = np.where(unknown, settings.busy_watts, busy)
        idle = np.where(unsaid, settings.idle_share * busy, idle)
        return cls(idle, busy, settings.asleep_watts, settings.start_seconds, unsaid, unknown)

    @property
    def start(self) -> FloatArray:
        """The joules of a start, on top of what a sleeping node draws."""
        return np.maximum(self.busy - self.asleep, 0.0) * self.start_seconds

    @property
    def break_even(self) -> FloatArray:
        """The time (s) asleep that saves as much as a start takes; infinite if nothing is saved."""
        saved = self.idle - self.asleep
        times = np.full(len(saved), np.inf)
        np.divide(self.start, saved, out=times, where=saved > 0)
        return times


class Slept(NamedTuple):
    """What comes of sleep on one machine type: node-seconds asleep, starts, and jobs that wait."""

    seconds: float
    starts: int
    waits: int


@dataclass(frozen=True, eq=False)
class SleepTable:
    """`seconds`, `starts` and `waits` of a machine type, if nodes sleep after `after[i]` seconds
    without work (rising, the last is infinite) and `n` always stay awake: in row i, column n, for
    n up to the most that are busy at once.
    """

    levels: Levels
    after: FloatArray
    seconds: FloatArray
    starts: FloatArray
    waits: FloatArray

    @classmethod
    def of(cls, levels: Levels, after: FloatArray) -> "SleepTable":
        """Each gap is sorted into its place once; the rest is sums."""

        def above(level: IntArray, gap: FloatArray, weight: FloatArray | None = None) -> FloatArray:
            """Sums over the gaps that are longer than `after` and above each level."""
            shape = len(after) + 1, levels.most + 1
            place = np.searchsorted(after, gap) * shape[1] + level
            cells = np.bincount(place, weight, shape[0] * shape[1]).reshape(shape)
            longer = np.cumsum(cells[:0:-1], axis=0)[::-1]
            higher = np.cumsum(longer[:, ::-1], axis=1)[:, ::-1]
            return np.hstack([higher[:, 1:], np.zeros((len(after), 1))])

        finite = np.where(np.isfinite(after), after, 0.0)[:, None]
        beyond = np.maximum(levels.seconds - after, 0.0)[:, None] * (levels.nodes - levels.most)
        long = above(levels.level, levels.length, levels.length)
        seconds = long - finite * above(levels.level, levels.length) + beyond
        used = levels.closed
        starts = above(levels.level[used], levels.length[used])
        return cls(levels, after, seconds, starts, above(levels.job_level, levels.job_gap))

    def at(self, row: int, awake: int) -> Slept:
        """For one time without work; any number of nodes may stay awake."""
        levels, column = self.levels, min(awake, self.levels.most)
        more = min(max(awake - levels.most, 0), levels.nodes - levels.most)
        seconds = self.seconds[row, column] - more * max(levels.seconds - self.after[row], 0.0)
        counts = self.starts[row, column], self.waits[row, column]
        return Slept(float(seconds), *map(int, counts))

    def joules(self, idle: float, asleep: float, start: float) -> FloatArray:
        """What nodes draw that have nothing to do, starts included, for each cell."""
        return (
            idle * self.levels.idle_seconds - (idle - asleep) * self.seconds + start * self.starts
        )


def least_joules(levels: Levels, idle: float, asleep: float, start: float) -> float:
    """What nodes without work draw at least, if no job waits: no way to give the same uses to
    nodes, and no knowledge of the future, needs less.
    """
    gap = levels.length
    asleep = min(asleep, idle)
    closed = np.minimum(idle * gap, asleep * gap + start)
    reached = np.where(levels.closed, closed, asleep * gap).sum()
    return float(reached) + asleep * levels.seconds * (levels.nodes - levels.most)


def times_to_try(levels: Sequence[Levels], powers: NodePowers) -> FloatArray:
    """Times without work (s, whole, rising) after which nodes may sleep; the last is infinite.

    Between two lengths of gaps, longer times only cost more. So the shortest time and these lengths
    are what there is to try: all, or if they are many, evenly many of them, and the break-even
    times.
    """
    gaps = np.concatenate([one.length for one in levels])
    gaps = np.unique(np.ceil(gaps[gaps > LEAST_AFTER]))
    most = max(sum(one.most + 1 for one in levels), 1)
    number = int(np.clip(_CELLS // most, *_TIMES))
    if len(gaps) > number:
        gaps = np.unique(np.ceil(np.quantile(gaps, np.linspace(0, 1, number), method="nearest")))
    even = np.maximum(np.ceil(powers.break_even), LEAST_AFTER)
    return np.unique(np.concatenate([[LEAST_AFTER], gaps, even, [np.inf]]))


@dataclass(frozen=True, slots=True)
class SleepPlan:
    """Nodes sleep after `after` seconds without work (infinite: never), unless fewer than so many
    of their machine type would stay `awake`. `row` is the place of `after` in the tables, and
    `most_waits` the share of jobs that may wait for which the plan is best.
    """

    row: int
    after: float
    awake: tuple[int, ...]
    most_waits: float


def least_by_time(
    tables: Sequence[SleepTable], joules: Sequence[FloatArray], most_waits: float
) -> tuple[FloatArray, list[IntArray]]:
    """For each time without work, the least joules of the plans in which at most this share of the
    jobs of each machine type waits, and how many nodes of each type stay awake then: of equal
    plans, in that in which nodes sleep less. `joules` are those of each table.
    """
    total, awake = np.zeros(len(tables[0].after)), []
    for table, drawn in zip(tables, joules, strict=True):
        allowed = np.where(table.waits <= most_waits * table.levels.jobs, drawn, np.inf)
        best = table.levels.most - np.argmin(allowed[:, ::-1], axis=1)
        total += np.take_along_axis(allowed, best[:, None], axis=1)[:, 0]
        awake.append(best)
    return total, awake


def best_plan(
    tables: Sequence[SleepTable], joules: Sequence[FloatArray], most_waits: float
) -> SleepPlan:
    """The plan of these with the least energy but for `CLOSE`, in which nodes sleep after the
    longest time: so they start least often.
    """
    total, awake = least_by_time(tables, joules, most_waits)
    row = int(np.flatnonzero(total <= (1 + CLOSE) * total.min())[-1])
    numbers = tuple(int(one[row]) for one in awake)
    return SleepPlan(row, float(tables[0].after[row]), numbers, most_waits)
