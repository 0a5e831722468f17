"""The Gantt chart: one row for machines that run the same, one bar for a block of equal tasks."""

from typing import Final, NamedTuple

import numpy as np

from core.shells.report.svg import WIDTH, Scale, SvgDrawing
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.colours import TASK_TYPES, Leaders, leading_task_types, place_of
from core.vocabulary.say.units import time_unit
from core.vocabulary.schedule import Schedule

MOST_ROWS: Final = 40
MOST_BARS: Final = 1_500
_LEFT, _RIGHT = 150.0, 744.0
_BELOW_KEY: Final = 12.0
_ROW: Final = 17.0
_NAME: Final = 16
_KEY: Final = 12
_CHARACTER: Final = 6.2


class _Key(NamedTuple):
    """The rank of task types, its name, and the position of the name on the drawing."""

    rank: int
    said: str
    x: float
    y: float


def gantt_picture(schedule: Schedule) -> SvgDrawing:
    """The Gantt chart of a schedule, in the colours of the pages. If there are too many rows, those
    that finish last in each machine type are shown; if there are too many bars, short ones are
    joined.
    """
    leaders = leading_task_types(schedule.system)
    groups = _groups_shown(schedule)
    bars = _bars(schedule, groups, leaders)
    shown = np.unique(bars[:, 3]).astype(int).tolist()
    keys = _keys(schedule, leaders, shown)
    top = keys[-1].y + _BELOW_KEY
    bottom = top + _ROW * len(groups)
    unit = time_unit(schedule.makespan)
    across = Scale(0.0, schedule.makespan / unit.size or 1.0, _LEFT, _RIGHT)
    drawing = SvgDrawing(bottom + 46, "Gantt chart: the tasks of each group of machines")
    _draw_key(drawing, leaders, keys)
    drawing.grid(across.said(8), top, bottom)
    for rank in shown:
        drawing.bars(
            (
                (x, top + _ROW * line + 1.5, across(end / unit.size) - x, _ROW - 3)
                for line, start, end, _ in bars[bars[:, 3] == rank].tolist()
                for x in (across(start / unit.size),)
            ),
            _style(rank, leaders),
        )
    for line, group in enumerate(groups.tolist()):
        drawing.text(_LEFT - 8, top + _ROW * line + 12.5, _row_name(schedule, group), "end")
    drawing.text((_LEFT + _RIGHT) / 2, bottom + 36, f"Time ({unit.symbol})", "middle title")
    return drawing


def _groups_shown(schedule: Schedule) -> IntArray:
    """All groups of machines; if they are too many, those that finish last in each type."""
    groups: IntArray = np.arange(len(schedule.machines))
    if len(groups) <= MOST_ROWS:
        return groups
    return schedule.last_to_finish(groups, MOST_ROWS, each_type=True)


def shows_all(schedule: Schedule) -> bool:
    """Whether the picture has a row for every group."""
    return len(schedule.machines) <= MOST_ROWS


def _bars(schedule: Schedule, groups: IntArray, leaders: Leaders) -> FloatArray:
    """The bars of these groups as (row, start, end, rank of the task type); neighbours of the same
    rank are one bar, and short ones are joined.
    """
    blocks = schedule.blocks()
    row_of_group = np.full(len(schedule.machines), -1)
    row_of_group[groups] = np.arange(len(groups))
    row = row_of_group[blocks.group]
    kept = np.flatnonzero(row >= 0)
    rank = leaders.rank[blocks.task_type[kept]]
    bars = np.column_stack([row[kept], blocks.start[kept], blocks.end[kept], rank])
    if len(bars) > MOST_BARS:
        short = bars[:, 2] - bars[:, 1] < 2 * len(groups) * schedule.makespan / MOST_BARS
        bars[short, 3] = leaders.tail
    apart = (np.diff(bars[:, 0]) != 0) | (np.diff(bars[:, 3]) != 0)
    if schedule.waits is not None:
        apart |= bars[1:, 1] > bars[:-1, 2]
    new = np.append(True, apart)[: len(bars)]
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(bars)) - 1
    joined: FloatArray = np.column_stack(
        [bars[first, 0], bars[first, 1], bars[last, 2], bars[first, 3]]
    )
    return joined


def _row_name(schedule: Schedule, group: int) -> str:
    name = schedule.system.machine_names[schedule.machine_type[group]]
    first, machines = int(schedule.first_machine[group]), int(schedule.machines[group])
    numbers = f"#{first}" if machines == 1 else f"#{first:,}–{first + machines - 1:,}"
    return f"{_short(name, _NAME)} {numbers}"


def _draw_key(drawing: SvgDrawing, leaders: Leaders, keys: list[_Key]) -> None:
    """Draw the key, with the stripes of ranks that have no colour of their own."""
    for key in keys:
        place, rounds = place_of(key.rank, TASK_TYPES)
        if rounds and key.rank < leaders.tail:
            drawing.stripes(f"t{key.rank}", f"t{place}", leftwards=rounds % 2 == 0)
        drawing.bars([(key.x, key.y - 9, 14, 11)], _style(key.rank, leaders))
        drawing.text(key.x + 19, key.y, key.said, "start")


def _style(rank: int, leaders: Leaders) -> str:
    return f"bar t{rank}" if rank < leaders.tail else "bar others"


def _keys(schedule: Schedule, leaders: Leaders, shown: list[int]) -> list[_Key]:
    """The entries of the key, line by line below the top."""
    names = [schedule.system.task_names[i] for i in leaders.own]
    keys: list[_Key] = []
    x, y = 12.0, 18.0
    for rank in shown:
        said = _short(names[rank], _KEY) if rank < leaders.tail else "others"
        width = 30 + _CHARACTER * len(said)
        if x + width > WIDTH:
            x, y = 12.0, y + 16
        keys.append(_Key(rank, said, x, y))
        x += width
    return keys


def _short(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"
