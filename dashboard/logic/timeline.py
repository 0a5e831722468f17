"""What a Gantt chart draws: at most a few thousand bars, whatever the size of the schedule.

A row is a machine while there are few; else a group of machines that run the same; else, of each
machine type, the machines that finish last.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from core.schedule import Schedule
from core.system import IntArray
from dashboard.logic.bars import Bars

Grain = Literal["machine", "group", "type"]

MOST_ROWS: Final = 64
MOST_BARS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Row:
    """One machine, or several that run the same, by their numbers within the type."""

    machine_type: int
    first: int
    machines: int

    @property
    def numbers(self) -> str:
        last = self.first + self.machines - 1
        return f"#{self.first}" if last == self.first else f"#{self.first}–{last}"


@dataclass(frozen=True, slots=True)
class Timeline:
    """The rows from the top down, what a row stands for, and the bars in them."""

    rows: tuple[Row, ...]
    grain: Grain
    bars: Bars


def timeline(schedule: Schedule, machine_type: int | None = None) -> Timeline:
    """The timeline of a schedule, or of one of its machine types."""
    kinds = schedule.machine_type
    groups = np.flatnonzero(kinds == machine_type if machine_type is not None else kinds >= 0)
    grain: Grain = "type"
    if schedule.machines[groups].sum() <= MOST_ROWS:
        grain = "machine"
    elif len(groups) <= MOST_ROWS:
        grain = "group"
    else:
        groups = _last_to_finish(schedule, groups)
    bars = _bars_of_groups(schedule, groups)
    rows = [
        Row(int(kinds[g]), int(schedule.first_machine[g]), int(schedule.machines[g]))
        for g in groups
    ]
    if grain == "machine":
        sizes = schedule.machines[groups]
        bars = bars.repeated(sizes)
        rows = [
            replace(row, first=row.first + k, machines=1)
            for row in rows
            for k in range(row.machines)
        ]
    if len(bars) > MOST_BARS:
        bars = bars.merged(shorter_than=2 * len(rows) * schedule.makespan / MOST_BARS)
    return Timeline(tuple(rows), grain, bars)


def _last_to_finish(schedule: Schedule, groups: IntArray) -> IntArray:
    """Of each machine type the group that finishes last; of too many types those that do."""
    order = groups[np.argsort(-schedule.load[groups], kind="stable")]
    _, firsts = np.unique(schedule.machine_type[order], return_index=True)
    latest: IntArray = np.sort(order[np.sort(firsts)[:MOST_ROWS]])
    return latest


def _bars_of_groups(schedule: Schedule, groups: IntArray) -> Bars:
    """A bar a block; its row is the position in `groups`."""
    blocks = schedule.blocks()
    group = np.cumsum((schedule.tasks > 0).sum(axis=1))
    of_block = np.searchsorted(group, np.arange(len(blocks)), side="right")
    position = np.full(len(schedule.machines), -1)
    position[groups] = np.arange(len(groups))
    row = position[of_block]
    shown = row >= 0
    return Bars(
        row[shown],
        blocks.task_type[shown],
        blocks.count[shown],
        blocks.start[shown],
        blocks.end[shown],
    )
