"""The part of a schedule that the charts show, and how a click or a search selects it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import sha256
from typing import Any, Final

import numpy as np
import pandas as pd

from core import System
from core.files.findings import shown
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.phrases import SIGN
from core.vocabulary.say.units import time_unit
from core.vocabulary.say.words import JOULES_PER_KWH, Sense, duration, rounded
from core.vocabulary.schedule import Schedule
from core.vocabulary.system_problems import NAME_LENGTH
from dashboard.parts.charts.timeline import MOST_ROWS
from dashboard.patches.credible import is_place

LONGEST: Final = NAME_LENGTH + 20
"""The longest text of a search, in characters: a name and the number of a machine."""
_NUMBERED: Final = re.compile(r"(?P<name>.*?)\s*[#\s]\s*(?P<number>[0-9,]{1,20})")
# Six digits, so that times of blocks can be compared.
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Scope:
    """Machine types as wholes (`by_type`), or machines: all, those of a type, or one by its number.

    Only the task types in `task_types`; all if it is empty. If there are many rows, those of one
    `page`; the first page is 0.
    """

    by_type: bool = False
    machine_type: int | None = None
    machine: int | None = None
    task_types: tuple[int, ...] = ()
    by_finish: bool = False
    page: int = 0


@dataclass(frozen=True, slots=True)
class NotFound:
    """Why a search found nothing, and what to search for instead."""

    reason: str


def by_type_at_first(system: System) -> bool:
    """Whether the overview starts with machine types: it does if not all machines fit."""
    return system.machines > MOST_ROWS


def looked_at(schedule: Schedule, scope: Scope) -> IntArray:
    """How many machines of each group of the schedule are in the scope."""
    if scope.machine_type is None:
        return schedule.machines
    of_type = schedule.machine_type == scope.machine_type
    if scope.machine is None:
        return np.where(of_type, schedule.machines, 0)
    first = schedule.first_machine
    here = (first <= scope.machine) & (scope.machine < first + schedule.machines)
    one: IntArray = (of_type & here).astype(np.int64)
    return one


def clicked(system: System, mark: Sequence[Any]) -> tuple[int, int | None] | None:
    """The machine type that was clicked, and the machine if one was clicked; None if neither.

    The customdata of a mark is (words, machine type), or (words, words, words, machine type,
    machine).
    """
    types = system.machine_types
    match mark:
        case [_, kind] if is_place(kind, len(types)):
            return kind, None
        case [_, _, _, kind, machine] if is_place(kind, len(types)):
            # Machines are numbered from 1.
            return (kind, machine) if machine in range(1, types[kind].count + 1) else None
    return None


def find(system: System, text: str) -> tuple[int, int | None] | NotFound:
    """The machine type that a person named, and the number of a machine if one was given, as in
    "M3 #17", "m3 17" or "M3".
    """
    wanted = text.strip()[:LONGEST]
    kind = _named(system, wanted)
    if kind is not None:
        return kind, None
    split = _NUMBERED.fullmatch(wanted)
    kind = None if split is None else _named(system, split["name"])
    if split is None or kind is None:
        return NotFound(_unknown(system, wanted if split is None else split["name"]))
    there, number = system.machine_types[kind].count, int(split["number"].replace(",", "") or 0)
    if 1 <= number <= there:
        return kind, number
    name = shown(system.machine_names[kind])
    return NotFound(f"Machines of {name} have the numbers 1 to {there:,}.")


def _named(system: System, text: str) -> int | None:
    """The machine type of this name. Case does not matter if only one type matches."""
    names = system.machine_names
    if text in names:
        return names.index(text)
    alike = [kind for kind, name in enumerate(names) if name.casefold() == text.casefold()]
    return alike[0] if len(alike) == 1 else None


def _unknown(system: System, text: str) -> str:
    names = system.machine_names
    near = get_close_matches(text, names, n=1, cutoff=0.5)
    instead = near[0] if near else names[0]
    return f"No machine type is called “{shown(text)}”. Try “{shown(instead)} #1”."


def block_table(schedule: Schedule, machine_type: int, machine: int) -> pd.DataFrame:
    """What one machine runs: one row for each block of equal tasks, in the order run. Start and end
    have the unit of the charts.
    """
    system, blocks, unit = schedule.system, schedule.blocks(), time_unit(schedule.makespan)
    its = blocks_of(schedule, machine_type, machine)
    tasks = blocks.task_type[its]
    seconds = system.etc[tasks, machine_type]
    times = [duration(one, Sense.PLAIN) for one in seconds.tolist()]
    if system.estimated is not None:
        marks = system.estimated[tasks, machine_type].tolist()
        times = [
            f"{SIGN} {time}" if mark else time for time, mark in zip(times, marks, strict=True)
        ]
    table = pd.DataFrame(
        {
            "Task type": [system.task_names[i] for i in tasks.tolist()],
            "Tasks": blocks.count[its],
            "Time of one": times,
            f"Start ({unit.symbol})": _rounded(blocks.start[its] / unit.size),
            f"End ({unit.symbol})": _rounded(blocks.end[its] / unit.size),
        }
    )
    if system.apc is not None:
        power = system.apc[tasks, machine_type]
        table["Power (W)"] = _rounded(power)
        table["Energy (kWh)"] = _rounded(blocks.count[its] * seconds * power / JOULES_PER_KWH)
    return table


def blocks_of(schedule: Schedule, machine_type: int, machine: int) -> IntArray:
    """The indices of the blocks that one machine runs, in the order run."""
    blocks = schedule.blocks()
    found: IntArray = np.flatnonzero(
        (blocks.machine_type == machine_type)
        & (blocks.first_machine <= machine)
        & (machine < blocks.first_machine + blocks.machines)
    )
    return found


def types_of(system: System) -> str:
    """A digest of the names of the types. Times, powers and counts do not matter."""
    names = repr((system.task_names, system.machine_names))
    return sha256(names.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def scope_name(system: System, scope: Scope) -> str:
    """The machines in the scope: "M5" or "M5 #3"; empty if all are."""
    if scope.machine_type is None:
        return ""
    name = system.machine_names[scope.machine_type]
    return name if scope.machine is None else f"{name} #{scope.machine}"


def _rounded(values: FloatArray) -> list[float]:
    return [rounded(value, Sense.SPENT, _DIGITS) for value in values.tolist()]
