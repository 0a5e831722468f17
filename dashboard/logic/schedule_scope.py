"""What part of a schedule is looked at, and how a click leads to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from core.schedule import Schedule
from core.words import JOULES_PER_KWH
from dashboard.logic.timeline import MOST_ROWS


@dataclass(frozen=True, slots=True)
class Scope:
    """Machine types as wholes (`by_type`), or machines: all, those of a type, or one by its number.

    Of the task types those named, or all where none is.
    """

    by_type: bool = False
    machine_type: int | None = None
    machine: int | None = None
    task_types: tuple[int, ...] = ()
    by_finish: bool = False


def usual_rows(schedule: Schedule) -> Literal["types", "machines"]:
    """What an overview begins with: machines while they all fit."""
    return "machines" if schedule.system.machines <= MOST_ROWS else "types"


def clicked(points: Sequence[Mapping[str, Any]]) -> tuple[int, int | None] | None:
    """The machine type that was clicked, and its machine where the mark was of one; else None.

    A mark's customdata is (words, machine type), or (words, words, words, machine type, machine).
    """
    if not points or "customdata" not in points[0]:
        return None
    match list(points[0]["customdata"]):
        case [_, kind]:
            return int(kind), None
        case [_, _, _, kind, machine]:
            return int(kind), int(machine)
    return None


def block_table(schedule: Schedule, machine_type: int, machine: int) -> pd.DataFrame:
    """What one machine runs, a row a block of equal tasks, in the order run."""
    system, blocks = schedule.system, schedule.blocks()
    its = np.flatnonzero(
        (blocks.machine_type == machine_type)
        & (blocks.first_machine <= machine)
        & (machine < blocks.first_machine + blocks.machines)
    )
    tasks = blocks.task_type[its]
    seconds = system.etc[tasks, machine_type]
    table = pd.DataFrame(
        {
            "Task type": [system.task_names[i] for i in tasks.tolist()],
            "Tasks": blocks.count[its],
            "Time of one (s)": seconds,
            "Start (s)": blocks.start[its],
            "End (s)": blocks.end[its],
        }
    )
    if system.apc is not None:
        power = system.apc[tasks, machine_type]
        table["Power (W)"] = power
        table["Energy (kWh)"] = blocks.count[its] * seconds * power / JOULES_PER_KWH
    return table
