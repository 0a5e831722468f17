"""The rows and bars of a Gantt chart: a few thousand bars at most, whatever the schedule.

A row is one machine if there are few machines, else a group of machines that run the same tasks.
Many rows are shown page by page.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final, Literal, Self

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.say.colours import Leaders
from core.vocabulary.schedule import Schedule
from core.vocabulary.tolerances import SAME

SEVERAL: Final = -1
"""In place of the task type, for a bar with tasks of several types."""


@dataclass(frozen=True, eq=False)
class Bars:
    """Bar b: in row `row[b]`, `count[b]` tasks of type `task_type[b]` from `start` to `end` (s).

    Sorted by row and start; bars of a row do not overlap.
    """

    row: IntArray
    task_type: IntArray
    count: IntArray
    start: FloatArray
    end: FloatArray

    @classmethod
    def concatenated(cls, parts: Sequence[Self]) -> Self:
        """The bars of all parts, one part after the other."""
        return cls(
            *(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls))
        )

    def __len__(self) -> int:
        return len(self.row)

    def chosen(self, which: BoolArray | IntArray) -> "Bars":
        """The bars that a mask or positions name."""
        return Bars(*(getattr(self, one.name)[which] for one in fields(Bars)))

    def repeated(self, rows: IntArray) -> "Bars":
        """Row r becomes `rows[r]` equal rows."""
        offset = np.cumsum(rows) - rows
        times = rows[self.row]
        source = np.repeat(np.arange(len(self)), times)
        copy = np.arange(len(source)) - np.repeat(np.cumsum(times) - times, times)
        row = offset[self.row[source]] + copy
        by_row = np.lexsort((self.start[source], row))
        return replace(self.chosen(source[by_row]), row=row[by_row])

    def merged(self, shorter_than: float) -> "Bars":
        """The same bars, with each run of short neighbours as one bar. Short is less than
        `shorter_than` seconds; neighbours are less than that apart.

        A row of s seconds then has at most `2 s / shorter_than + 1` bars.
        """
        short = self.end - self.start < shorter_than
        near = self.start[1:] - self.end[:-1] < shorter_than
        joins = short[1:] & short[:-1] & near & (self.row[1:] == self.row[:-1])
        return self._with_neighbours(joins)

    def joined(self, apart: float = 0.0, *, overlapping: bool = True) -> "Bars":
        """The same bars, with each run of tasks of one type that are no more than that apart (s) as
        one bar, also where they overlap, unless that is to be seen. Times that differ only by
        rounding are the same.
        """
        same = SAME * np.maximum(np.abs(self.end[:-1]), 1.0)
        gap = self.start[1:] - self.end[:-1]
        near = (gap <= np.maximum(apart, same)) & (overlapping | (gap >= -same))
        alike = (self.row[1:] == self.row[:-1]) & (self.task_type[1:] == self.task_type[:-1])
        return self._with_neighbours(alike & near)

    def at_most(self, most: int, seconds: float) -> "Bars":
        """At most so many bars, of a chart of so many seconds: as few short ones become one as are
        needed for it.
        """
        found, short = self, seconds / 1_000
        while len(found) > most:
            found, short = self.merged(short), 1.5 * short
        return found

    def _with_neighbours(self, joins: BoolArray) -> "Bars":
        """Each run of bars that join the one before as one bar."""
        if not len(self):
            return self
        first = np.flatnonzero(np.concatenate([[True], ~joins]))
        alike = np.minimum.reduceat(self.task_type, first) == np.maximum.reduceat(
            self.task_type, first
        )
        return Bars(
            self.row[first],
            np.where(alike, self.task_type[first], SEVERAL),
            np.add.reduceat(self.count, first),
            self.start[first],
            np.maximum.reduceat(self.end, first),
        )


def spread(many: int, most: int) -> IntArray:
    """All of so many places from 0 on; of too many, those that are evenly far from each other."""
    return np.unique(np.linspace(0, many - 1, min(many, most)).astype(np.int64))


Grain = Literal["machine", "group"]

MOST_ROWS: Final = 48
"""Rows on one page."""
MOST_BARS: Final = 1_200


@dataclass(frozen=True, slots=True)
class Row:
    """One machine, or several that run the same tasks, by their numbers within the type."""

    machine_type: int
    first: int
    machines: int

    @property
    def numbers(self) -> str:
        last = self.first + self.machines - 1
        return f"#{self.first}" if last == self.first else f"#{self.first}–{last}"


@dataclass(frozen=True, eq=False, slots=True)
class Timeline:
    """The rows of one page from the top down, the time at which each finishes (s), what a row
    stands for, and the bars. `before` rows are on earlier pages, `total` rows on all pages.
    """

    rows: tuple[Row, ...]
    finish: FloatArray
    grain: Grain
    bars: Bars
    before: int
    total: int

    @property
    def pages(self) -> int:
        return max(-(-self.total // MOST_ROWS), 1)

    @property
    def page(self) -> int:
        """The number of this page; the first is 0."""
        return self.before // MOST_ROWS


def timeline(
    schedule: Schedule,
    machine_type: int | None = None,
    *,
    machine: int | None = None,
    only: Collection[int] = (),
    by_finish: bool = False,
    page: int = 0,
) -> Timeline:
    """The timeline of a schedule, of one of its machine types, or of one machine by its number.

    If `only` names task types, there are only their bars. Rows are sorted by machine type and
    number, or with `by_finish` from the last to finish to the first. Of many rows there are those
    of `page`, or of the last page if there are fewer.
    """
    kinds, first, sizes = schedule.machine_type, schedule.first_machine, schedule.machines
    groups = np.flatnonzero(kinds == machine_type if machine_type is not None else kinds >= 0)
    grain: Grain = "machine"
    if machine is not None:
        groups = groups[(first[groups] <= machine) & (machine < first[groups] + sizes[groups])]
    elif sizes[groups].sum() > MOST_ROWS:
        grain = "group"
    if by_finish:
        groups = groups[np.argsort(-schedule.finish[groups], kind="stable")]
    before, total = 0, len(groups)
    if grain == "group":
        before = MOST_ROWS * min(page, max(total - 1, 0) // MOST_ROWS)
        groups = groups[before : before + MOST_ROWS]
    bars = _bars_of_groups(schedule, groups)
    if only:
        bars = bars.chosen(np.isin(bars.task_type, list(only)))
    rows = [Row(int(kinds[g]), int(first[g]), int(sizes[g])) for g in groups]
    finish = schedule.finish[groups]
    if machine is not None:
        rows = [replace(row, first=machine, machines=1) for row in rows]
    elif grain == "machine":
        bars, finish = bars.repeated(sizes[groups]), np.repeat(finish, sizes[groups])
        rows = [
            replace(row, first=row.first + k, machines=1)
            for row in rows
            for k in range(row.machines)
        ]
    if len(bars) > MOST_BARS:
        bars = bars.merged(shorter_than=2 * len(rows) * schedule.makespan / MOST_BARS)
    return Timeline(
        tuple(rows), finish, grain, bars, before, total if grain == "group" else len(rows)
    )


def _bars_of_groups(schedule: Schedule, groups: IntArray) -> Bars:
    """One bar for each block, sorted by row and start. A row is a position in `groups`."""
    blocks = schedule.blocks()
    position = np.full(len(schedule.machines), -1)
    position[groups] = np.arange(len(groups))
    row = position[blocks.group]
    shown = np.flatnonzero(row >= 0)
    shown = shown[np.argsort(row[shown], kind="stable")]
    return Bars(
        row[shown],
        blocks.task_type[shown],
        blocks.count[shown],
        blocks.start[shown],
        blocks.end[shown],
    )


MOST_CELLS: Final = 6_000
MOST_SPANS: Final = 96
UTILISATION_SPANS: Final = 60
MOST_TYPES: Final = 48


@dataclass(frozen=True, eq=False, slots=True)
class Occupancy:
    """`share[k, r, s]`: of all machines of type `machine_types[k]`, the share that runs task types
    of rank r from `edges[s]` to `edges[s + 1]` seconds, on average. The rest is idle.
    """

    machine_types: IntArray
    edges: FloatArray
    share: FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class Utilisation:
    """`busy[r, s]`: the share of row r's time from `edges[s]` to `edges[s + 1]` spent on tasks."""

    rows: tuple[Row, ...]
    edges: FloatArray
    busy: FloatArray


def occupancy(
    schedule: Schedule, tasks: Leaders, *, only: Collection[int] = (), by_finish: bool = False
) -> Occupancy:
    """What each machine type runs over time, in few enough spans to keep the picture small.

    If there are more than `MOST_TYPES` machine types, it has those that finish last. If `only`
    names task types, it has only those.
    """
    kinds = _types_shown(schedule, by_finish)
    blocks, ranks = schedule.blocks(), tasks.tail + 1
    place = np.full(len(schedule.system.machine_types), -1)
    place[kinds] = np.arange(len(kinds))
    row = place[blocks.machine_type]
    shown = row >= 0
    if only:
        shown &= np.isin(blocks.task_type, list(only))
    key = row * ranks + tasks.rank[blocks.task_type]
    spans = MOST_SPANS
    while True:
        edges = np.linspace(0.0, schedule.makespan, spans + 1)
        seconds = machine_seconds(
            key[shown],
            blocks.machines[shown],
            blocks.start[shown],
            blocks.end[shown],
            edges,
            len(kinds) * ranks,
        ).reshape(len(kinds), ranks, spans)
        if np.count_nonzero(seconds) <= MOST_CELLS or spans <= MOST_SPANS // 8:
            break
        spans //= 2
    machines = schedule.system.machine_counts[kinds]
    return Occupancy(kinds, edges, seconds / (machines[:, None, None] * np.diff(edges)))


def utilisation(schedule: Schedule, shown: Timeline | None = None) -> Utilisation:
    """How busy the rows of a timeline are; without a timeline, the machine types of a schedule."""
    edges = np.linspace(0.0, schedule.makespan, UTILISATION_SPANS + 1)
    counts = schedule.system.machine_counts
    if shown is None:
        kinds = _types_shown(schedule, by_finish=False)
        rows = tuple(Row(int(kind), 1, int(counts[kind])) for kind in kinds)
        place = np.full(len(counts), -1)
        place[kinds] = np.arange(len(kinds))
        row, machines, finish = place[schedule.machine_type], schedule.machines, schedule.finish
        there = row >= 0
        row, machines, finish = row[there], machines[there], finish[there]
    else:
        rows = shown.rows
        row = np.arange(len(rows))
        machines = np.array([each.machines for each in rows], np.int64)
        finish = shown.finish
    seconds = machine_seconds(row, machines, np.zeros(len(row)), finish, edges, len(rows))
    if (waits := schedule.waits) is not None:
        last = waits.first_machine + waits.machines
        for at, one in enumerate(rows):
            until = one.first + one.machines
            mine = waits.chosen(
                (waits.machine_type == one.machine_type)
                & (waits.first_machine < until)
                & (one.first < last)
            )
            many = np.minimum(mine.machines, one.machines)
            none = np.zeros(len(mine), np.int64)
            seconds[at] -= machine_seconds(none, many, mine.start, mine.end, edges, 1)[0]
    capacity = np.array([each.machines for each in rows])[:, None] * np.diff(edges)
    return Utilisation(rows, edges, np.clip(seconds / capacity, 0.0, 1.0))


def machine_seconds(
    key: IntArray,
    machines: IntArray,
    start: FloatArray,
    end: FloatArray,
    edges: FloatArray,
    keys: int,
) -> FloatArray:
    """For each key and span of time, the machine-seconds of its runs from `start` to `end`.

    The computing time grows with runs plus spans, not with their product.
    """
    until = _seconds_since(key, machines, start, edges, keys)
    until -= _seconds_since(key, machines, end, edges, keys)
    # Where nothing runs, rounding leaves a little that is not work.
    noise = 1e-12 * np.abs(until).max(axis=1, keepdims=True, initial=0.0)
    seconds = np.diff(until, axis=1)
    return np.where(seconds > noise, seconds, 0.0)


def _seconds_since(
    key: IntArray, machines: IntArray, moment: FloatArray, edges: FloatArray, keys: int
) -> FloatArray:
    """Machine-seconds from each moment to each later edge."""
    spans = len(edges)
    cell = key * (spans + 1) + np.searchsorted(edges, moment)
    size = keys * (spans + 1)

    def before(weight: FloatArray) -> FloatArray:
        counted = np.bincount(cell, weights=weight, minlength=size).reshape(keys, spans + 1)
        return np.cumsum(counted, axis=1, dtype=np.float64)[:, :spans]

    return edges * before(machines.astype(float)) - before(machines * moment)


def _types_shown(schedule: Schedule, by_finish: bool) -> IntArray:
    """The machine types that have machines; at most `MOST_TYPES`, those that finish last."""
    counts = schedule.system.machine_counts
    finish = np.zeros(len(counts))
    np.maximum.at(finish, schedule.machine_type, schedule.finish)
    order = np.argsort(-finish, kind="stable")
    latest: IntArray = order[counts[order] > 0][:MOST_TYPES]
    return latest if by_finish else np.sort(latest)
