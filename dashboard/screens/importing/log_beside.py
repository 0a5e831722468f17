"""What a log does not say of nodes: lists of them, samples of power, and numbers typed by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import pandas as pd
import streamlit as st

from core.engines.logs.metered.sample_files import read_power_samples
from core.engines.logs.pairs.machines import MIB_OF_GIB, MachinesSeen
from core.engines.logs.types.node_table import NodeTable, parse_node_table
from core.files.findings import Findings, Reading
from core.vocabulary.problems import Problem
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import Handed, given
from dashboard.parts.opening.log_folder import LogFolder
from dashboard.parts.tables.editor import FIXED, show_grid
from dashboard.screens.importing.log_answer import NO_WATTS, LogDesk, WattsRead
from dashboard.server.guard import callback
from dashboard.workspace import asking

_NAME: Final = "Machine type"
_WHOLE: Final = {"nodes": (1, 1_000_000), "cores": (1, 1_000_000), "gpus": (0, 10_000)}
"""Fields of a `Machine` that are whole numbers, with their ranges; others are up to a million."""
_FIELDS: Final[Mapping[str, tuple[str, str | None]]] = {
    "Nodes": ("nodes", None),
    "Cores of a node": ("cores", None),
    "GPUs of a node": ("gpus", None),
    "Idle (W)": ("idle_watts", "What one node draws when nothing runs"),
    "Busy (W)": ("busy_watts", "What one node draws at work; used where the log has no energy"),
    "Memory of a node (GiB)": (
        "memory_gib",
        "A log shows the most that a run asked for; a task type that always asks for more cannot "
        "run there",
    ),
}
"""By the title of a column: the field of a `Machine`, and what helps to fill it in."""


def show_machines(desk: LogDesk) -> None:
    found = desk.answered
    if found is None or found.derived is None:
        return
    names, machines = found.derived.system.machine_names, found.derived.machines
    st.caption(
        "What you type here counts in place of what the log shows; clear a cell to undo that. A "
        "log shows no idle powers."
    )
    show_grid(
        machine_frame(names, machines, desk.table_in_force),
        f"{_GRID}{desk.grid_edits}",
        take=callback(lambda: _take(desk, names)),
        columns={_NAME: FIXED, **{title: _column(*field) for title, field in _FIELDS.items()}},
        height="content" if len(names) <= 10 else 400,
        alt="Machine types with their nodes, cores, GPUs and powers",
    )


_GRID: Final = "log.machines."


def _column(field: str, said: str | None) -> Any:
    low, high = _WHOLE.get(field, (0.0, 1e6))
    step = 1 if field in _WHOLE else None
    return st.column_config.NumberColumn(min_value=low, max_value=high, step=step, help=said)


def machine_frame(names: Sequence[str], machines: MachinesSeen, table: NodeTable) -> pd.DataFrame:
    """What is in force of each machine type; blank where nothing is known."""
    seen = {field: getattr(machines, field).astype(int).tolist() for field in _WHOLE}
    seen["memory_gib"] = (machines.memory / MIB_OF_GIB).tolist()
    columns: dict[str, Any] = {_NAME: list(names)}
    for title, (field, _) in _FIELDS.items():
        given = [getattr(table.of(name), field) for name in names]
        shown = seen.get(field, [None] * len(names))
        values = [
            (one or None) if value is None else value
            for value, one in zip(given, shown, strict=True)
        ]
        columns[title] = pd.array(values, "Int64" if field in _WHOLE else "Float64")
    return pd.DataFrame(columns)


def _take(desk: LogDesk, names: Sequence[str]) -> None:
    """Takes the edits of the grid; a cell that was cleared is again what the log shows."""
    edited = st.session_state[f"{_GRID}{desk.grid_edits}"]["edited_rows"]
    for row, cells in edited.items():
        typed = desk.typed.setdefault(names[int(row)], {})
        for title, value in cells.items():
            if value is None:
                typed.pop(_FIELDS[title][0], None)
            else:
                typed[_FIELDS[title][0]] = value
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
    desk.table_file, desk.table, desk.table_problems = "", NodeTable(), ()


def read_table(name: str, data: bytes) -> tuple[NodeTable, tuple[Problem, ...]]:
    """The table of an upload, empty if it has errors; and its problems."""
    reading = Reading.of(name, lambda findings: parse_node_table(data, name, findings))
    return reading.value or NodeTable(), reading.problems


def _refused(why: str) -> tuple[NodeTable, tuple[Problem, ...]]:
    return NodeTable(), (Problem("", "", "", f"the table {why}"),)


_KEPT: Final = "samples.npz"


def show_beside(desk: LogDesk) -> None:
    """What was opened beside a log, or before it: it is put in force, and said."""
    if (table := given("importing.nodes", partial(forget_table, desk))) is not None:
        take_table(desk, table)
    watts = given("importing.watts", partial(_forget_watts, desk))
    if watts is not None and watts.identity != desk.watts.file:
        folder = LogFolder()
        with st.spinner("Reading samples of power …", show_time=True):
            found = asking.read(_refused_watts, read_samples, folder.path, folder.keep(watts.files))
        desk.watts = replace(found, file=watts.identity, folder=folder)
    if desk.watts.problems:
        st.html(markup.problems(desk.watts.problems))
    if desk.watts.said:
        st.html(markup.items(desk.watts.said))
    if desk.opened is None and (table or watts):
        st.caption("It counts as soon as you open the log of these nodes.")


def read_samples(folder: Path, paths: Sequence[Path]) -> WattsRead:
    """The samples of files, kept in a folder."""
    findings = Findings()
    samples = read_power_samples(paths, findings)
    if samples is None:
        return WattsRead(problems=findings.problems())
    path = folder / _KEPT
    samples.save(path)
    return WattsRead(path=path, said=(samples.in_words, *samples.notes))


def _refused_watts(why: str) -> WattsRead:
    return WattsRead(problems=(Problem("", "", "", f"the samples of power: {why}"),))


def _forget_watts(desk: LogDesk) -> None:
    desk.watts = NO_WATTS
