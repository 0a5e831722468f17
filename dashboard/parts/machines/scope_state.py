"""What the charts of machines show, and how the address says it: types by their position."""

from collections.abc import Mapping
from typing import Final

import streamlit as st

from core import System
from core.vocabulary.ranges import Range
from dashboard.parts.machines.scope import Scope, by_type_at_first, types_of
from dashboard.workspace.page_state import PageState
from dashboard.workspace.parameters import Parameters
from dashboard.workspace.workspace import Workspace

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
        scope, notes = read(parameters, system)
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


def written(scope: Scope, system: System) -> dict[str, str]:
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


def read(given: Mapping[str, str], system: System) -> tuple[Scope, tuple[str, ...]]:
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
