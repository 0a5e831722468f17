"""What a log does not say of machines: a table of nodes, and numbers typed in by hand."""

from collections.abc import Mapping
from typing import Any, Final

import pandas as pd
import streamlit as st

from core.engines.logs.pairs.machines import MIB_OF_GIB
from core.engines.logs.types.node_table import NodeTable, parse_node_table
from core.files.findings import Reading
from core.vocabulary.problems import Problem
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import Handed
from dashboard.parts.tables.editor import FIXED, show_grid
from dashboard.screens.importing.log_answer import LogAnswer, LogDesk
from dashboard.server.guard import callback
from dashboard.workspace import asking

_NAME: Final = "Machine type"
_FIELDS: Final[Mapping[str, str]] = {
    "Nodes": "nodes",
    "Cores of a node": "cores",
    "GPUs of a node": "gpus",
    "Idle (W)": "idle_watts",
    "Busy (W)": "busy_watts",
    "Memory of a node (GiB)": "memory_gib",
}
_COLUMNS: Final[dict[str, Any]] = {
    _NAME: FIXED,
    "Nodes": st.column_config.NumberColumn(min_value=1, max_value=1_000_000, step=1),
    "Cores of a node": st.column_config.NumberColumn(min_value=1, max_value=1_000_000, step=1),
    "GPUs of a node": st.column_config.NumberColumn(min_value=0, max_value=10_000, step=1),
    "Idle (W)": st.column_config.NumberColumn(
        min_value=0.0, max_value=1e6, help="What one node draws when nothing runs"
    ),
    "Busy (W)": st.column_config.NumberColumn(
        min_value=0.0,
        max_value=1e6,
        help="What one node draws at work; used where the log has no energy",
    ),
    "Memory of a node (GiB)": st.column_config.NumberColumn(
        min_value=0.0,
        max_value=1e6,
        help="A log shows the most that a run asked for; a task type that always asks for more "
        "cannot run there",
    ),
}
_REAL: Final = frozenset({"memory_gib", "idle_watts", "busy_watts"})


def show_machines(desk: LogDesk) -> None:
    """The grid of machine types."""
    found = desk.answered
    if found is None or found.system is None:
        return
    st.caption(
        "What you type here counts in place of what the log shows; clear a cell to undo that. A "
        "log shows no idle powers."
    )
    show_grid(
        machine_frame(found, desk),
        f"{_GRID}{desk.grid_edits}",
        take=callback(lambda: _take(desk, found)),
        columns=_COLUMNS,
        height="content" if len(found.machine_runs) <= 10 else 400,
        alt="Machine types with their nodes, cores, GPUs and powers",
    )


_GRID: Final = "log.machines."


def machine_frame(found: LogAnswer, desk: LogDesk) -> pd.DataFrame:
    """What is in force of each machine type; blank where nothing is known."""
    names = found.system.machine_names if found.system is not None else ()
    seen: dict[str, list[Any]] = {}
    if (machines := found.machines) is not None:
        for field in ("nodes", "cores", "gpus"):
            seen[field] = getattr(machines, field).astype(int).tolist()
        seen["memory_gib"] = (machines.memory / MIB_OF_GIB).tolist()
    columns: dict[str, Any] = {_NAME: list(names)}
    table = desk.table_in_force
    for title, field in _FIELDS.items():
        given = [getattr(table.of(name), field) for name in names]
        shown = seen.get(field, [None] * len(names))
        values = [
            (one or None) if value is None else value
            for value, one in zip(given, shown, strict=True)
        ]
        columns[title] = pd.array(values, "Float64" if field in _REAL else "Int64")
    return pd.DataFrame(columns)


def _take(desk: LogDesk, found: LogAnswer) -> None:
    """Takes the edits of the grid; a cell that was cleared is again what the log shows."""
    edited = st.session_state[f"{_GRID}{desk.grid_edits}"]["edited_rows"]
    names = found.system.machine_names if found.system is not None else ()
    for row, cells in edited.items():
        typed = desk.typed.setdefault(names[int(row)], {})
        for title, value in cells.items():
            if value is None:
                typed.pop(_FIELDS[title], None)
            else:
                typed[_FIELDS[title]] = value
    desk.grid_edits += 1


def take_table(desk: LogDesk, table: Handed) -> None:
    """Put a table of nodes in force, and say what it has."""
    if table.identity != desk.table_file:
        desk.table_file = table.identity
        desk.table, desk.table_problems = asking.read(_refused, read_table, table.name, table.data)
    if desk.table_problems:
        st.html(markup.problems(desk.table_problems))
    if desk.table.has_nodes:
        st.html(markup.items((desk.table.in_words, *desk.table.notes)))


def forget_table(desk: LogDesk) -> None:
    """Take the table of nodes away."""
    desk.table_file, desk.table, desk.table_problems = "", NodeTable(), ()


def read_table(name: str, data: bytes) -> tuple[NodeTable, tuple[Problem, ...]]:
    """The table of an upload, empty if it has errors; and its problems."""
    reading = Reading.of(name, lambda findings: parse_node_table(data, name, findings))
    return reading.value or NodeTable(), reading.problems


def _refused(why: str) -> tuple[NodeTable, tuple[Problem, ...]]:
    return NodeTable(), (Problem("", "", "", f"the table {why}"),)
