"""Who runs what, and when: machines that run the same as one row, runs of equal tasks as bars."""

from typing import Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.report.svg import Drawing, Scale
from core.report.units import time_unit
from core.schedule import Blocks, Schedule

WIDTH: Final = 760.0
MOST_ROWS: Final = 40
MOST_BARS: Final = 1_500
COLOURS: Final = 8
_OTHERS: Final = COLOURS
_LEFT, _TOP, _RIGHT = 150.0, 46.0, 744.0
_ROW: Final = 17.0
_NAME: Final = 16
_KEY: Final = 12
_CHARACTER: Final = 6.2


def gantt_picture(schedule: Schedule) -> Drawing:
    """Task types with most work have colours of their own. Of very many rows the last to finish of
    each machine type are shown; of very many bars the short ones stand together.
    """
    system, blocks = schedule.system, schedule.blocks()
    groups = _groups_shown(schedule)
    unit = time_unit(schedule.makespan)
    across = Scale(0.0, schedule.makespan / unit.size or 1.0, _LEFT, _RIGHT)
    bottom = _TOP + _ROW * len(groups)
    drawing = Drawing(WIDTH, bottom + 46, "Gantt chart: the tasks of each group of machines")
    for value in across.ticks(8):
        x = across(value)
        drawing.line(np.array([[x, _TOP], [x, bottom + 4]]), "grid")
        drawing.text(x, bottom + 17, f"{value:,.10g}", "middle")
    leaders = _leaders(schedule)
    place = np.full(len(system.task_types), _OTHERS)
    place[leaders] = np.arange(len(leaders))
    row_of_group = np.full(len(schedule.machines), -1)
    row_of_group[groups] = np.arange(len(groups))
    row = row_of_group[blocks.group]
    kept = np.flatnonzero(row >= 0)
    bars = _bars(blocks, row, place[blocks.task_type], kept, schedule.makespan, len(groups))
    for colour in range(COLOURS + 1):
        chosen = bars[bars[:, 3] == colour]
        drawing.bars(
            (
                (x, _TOP + _ROW * line + 1.5, across(end / unit.size) - x, _ROW - 3)
                for line, start, end, _ in chosen.tolist()
                for x in (across(start / unit.size),)
            ),
            f"bar t{colour}",
        )
    for line, group in enumerate(groups.tolist()):
        drawing.text(_LEFT - 8, _TOP + _ROW * line + 12.5, _row_name(schedule, group), "end")
    drawing.text((_LEFT + _RIGHT) / 2, bottom + 36, f"Time ({unit.symbol})", "middle title")
    others = bool((bars[:, 3] == _OTHERS).any())
    _draw_key(drawing, [system.task_names[i] for i in leaders.tolist()], others=others)
    return drawing


def _groups_shown(schedule: Schedule) -> IntArray:
    """All groups of machines; of too many the last of each type to finish, the latest of those."""
    groups: IntArray = np.arange(len(schedule.machines))
    if len(groups) <= MOST_ROWS:
        return groups
    return schedule.last_to_finish(groups, MOST_ROWS, each_type=True)


def shows_all(schedule: Schedule) -> bool:
    """Whether the picture has a row for every group."""
    return len(schedule.machines) <= MOST_ROWS


def _leaders(schedule: Schedule) -> IntArray:
    """The task types with most machine time, most first."""
    seconds = np.where(np.isfinite(schedule.system.etc), schedule.system.etc, 0.0)
    work = (schedule.placed * seconds).sum(axis=1)
    order: IntArray = np.argsort(-work, kind="stable")
    leaders: IntArray = order[work[order] > 0][:COLOURS]
    return leaders


def _bars(
    blocks: Blocks, row: IntArray, colour: IntArray, kept: IntArray, makespan: float, rows: int
) -> FloatArray:
    """(row, start, end, colour); neighbours of one colour are one bar, and so are short ones."""
    bars = np.column_stack([row[kept], blocks.start[kept], blocks.end[kept], colour[kept]])
    if len(bars) > MOST_BARS:
        short = bars[:, 2] - bars[:, 1] < 2 * rows * makespan / MOST_BARS
        bars[short, 3] = _OTHERS
    new = np.append(True, (np.diff(bars[:, 0]) != 0) | (np.diff(bars[:, 3]) != 0))[: len(bars)]
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


def _draw_key(drawing: Drawing, names: list[str], *, others: bool) -> None:
    x, y = 12.0, 18.0
    said = [_short(name, _KEY) for name in names]
    for colour, text in [*enumerate(said), *([(_OTHERS, "others")] if others else [])]:
        width = 30 + _CHARACTER * len(text)
        if x + width > WIDTH:
            x, y = 12.0, y + 16
        drawing.bars([(x, y - 9, 14, 11)], f"bar t{colour}")
        drawing.text(x + 19, y, text, "start")
        x += width


def _short(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"
