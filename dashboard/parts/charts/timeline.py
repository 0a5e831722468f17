"""The rows and bars of a Gantt chart: a few thousand bars at most, whatever the schedule.

A row is one machine if there are few machines, else a group of machines that run the same tasks.
Many rows are shown page by page.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.schedule import Schedule
from dashboard.parts.charts.bars import Bars

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
        groups = groups[np.argsort(-schedule.load[groups], kind="stable")]
    before, total = 0, len(groups)
    if grain == "group":
        before = MOST_ROWS * min(page, max(total - 1, 0) // MOST_ROWS)
        groups = groups[before : before + MOST_ROWS]
    bars = _bars_of_groups(schedule, groups)
    if only:
        bars = bars.chosen(np.isin(bars.task_type, list(only)))
    rows = [Row(int(kinds[g]), int(first[g]), int(sizes[g])) for g in groups]
    finish = schedule.load[groups]
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
