"""The part of a schedule that the charts show, and how a click or a search selects it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import sha256
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st

from core import System
from core.files.findings import shown
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.ranges import Range
from core.vocabulary.say.phrases import SIGN
from core.vocabulary.say.units import time_unit
from core.vocabulary.say.words import JOULES_PER_KWH, Sense, duration, rounded
from core.vocabulary.schedule import Schedule
from core.vocabulary.system_problems import NAME_LENGTH
from dashboard.parts.charts.timeline import MOST_ROWS
from dashboard.patches.credible import is_place
from dashboard.workspace.page_state import PageState
from dashboard.workspace.parameters import Parameters
from dashboard.workspace.workspace import Workspace

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
    """What one machine runs in order, a row a block of equal tasks, in the unit of the charts."""
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


_PREFIX: Final = "machines_"
_WAITING: Final = "wattfront.scope"
_ROWS: Final = {"types": True, "machines": False}
# With more, the address would be too long for browsers and people.
_MOST_NAMED: Final = 60
_PAGES: Final = Range(1, 10**9, "")
PARAMETERS: Final = frozenset(
    f"{_PREFIX}{name}" for name in ("rows", "at", "tasks", "order", "page")
)


class ScopeState(PageState):
    parameters = PARAMETERS

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        system = now.version.system
        scope, notes = read_scope(parameters, system)
        st.session_state[_WAITING] = (types_of(system), scope)
        return list(notes)


STATE: Final = ScopeState()


def take_scope(system: System) -> Scope | None:
    """The scope that the address asks for, once after a visit begins or Back is pressed. None if it
    was taken already, or if the system has other types by now.
    """
    types, scope = st.session_state.pop(_WAITING, (None, None))
    found: Scope | None = scope if types == types_of(system) else None
    return found


def written_scope(scope: Scope, system: System) -> dict[str, str]:
    """The parameters that differ from the usual."""
    values: dict[str, str] = {}
    if scope.machine_type is not None:
        number = "" if scope.machine is None else f".{scope.machine}"
        values["at"] = f"{scope.machine_type + 1}{number}"
    elif scope.by_type != by_type_at_first(system):
        values["rows"] = "types" if scope.by_type else "machines"
    if 0 < len(scope.task_types) <= _MOST_NAMED:
        values["tasks"] = " ".join(str(task + 1) for task in scope.task_types)
    if scope.by_finish:
        values["order"] = "finish"
    if scope.page:
        values["page"] = str(scope.page + 1)
    return {f"{_PREFIX}{name}": value for name, value in values.items()}


def read_scope(given: Mapping[str, str], system: System) -> tuple[Scope, tuple[str, ...]]:
    """The scope, and a sentence for each parameter that was ignored."""
    reader = Parameters(given)
    rows = reader.choice(f"{_PREFIX}rows", tuple(_ROWS))
    kind, machine = _read_at(reader, system)
    order = reader.choice(f"{_PREFIX}order", ("finish",))
    page = reader.number(f"{_PREFIX}page", _PAGES, int)
    scope = Scope(
        kind is None and (by_type_at_first(system) if rows is None else _ROWS[rows]),
        kind,
        machine,
        _read_tasks(reader, system),
        order is not None,
        (page or 1) - 1,
    )
    return scope, tuple(reader.notes)


def _read_at(reader: Parameters, system: System) -> tuple[int | None, int | None]:
    name = f"{_PREFIX}at"
    if name not in reader.given:
        return None, None
    position, dot, number = reader.given[name].partition(".")
    types = len(system.machine_types)
    kind = _whole(position, types)
    if kind is not None:
        there = system.machine_types[kind - 1].count
        machine = _whole(number, there)
        if machine is not None or not dot:
            return kind - 1, machine
    reader.ignore(name, f"the number of a machine type, 1 to {types:,}, or of a machine, as in 1.1")
    return None, None


def _read_tasks(reader: Parameters, system: System) -> tuple[int, ...]:
    name = f"{_PREFIX}tasks"
    parts = reader.given.get(name, "").split()
    found = [_whole(part, len(system.task_types)) for part in parts]
    if None in found or len(parts) > _MOST_NAMED:
        reader.ignore(name, f"numbers of task types, 1 to {len(system.task_types):,}, as in 1 5")
        return ()
    return tuple(sorted({task - 1 for task in found if task is not None}))


def _whole(text: str, most: int) -> int | None:
    """A whole number from 1 to `most`, written in digits; else None."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
        return None
    return number if 1 <= (number := int(text)) <= most else None
