"""The dialog that makes batch scripts of a schedule: its map, its commands, what Slurm cannot
express, a look into the files, and all of them as an archive.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any, Final

import pandas as pd
import streamlit as st

from core import System
from core.engines.slurm.foreseen import sentence_of
from core.engines.slurm.job_arrays import ARRAY_SIZE, USUAL_ARRAY_SIZE
from core.engines.slurm.places import (
    NodesOfTypes,
    PlaceRow,
    nodes_of_machines,
    rows_of_machines,
    rows_of_types,
)
from core.vocabulary.problems import errors
from core.vocabulary.requests import NOTHING_REQUESTED, LogRequests
from core.vocabulary.say.words import counted
from core.vocabulary.schedule import Schedule
from dashboard.parts.desk import Desk, EditedCells, show_draft
from dashboard.parts.fields.buttons import show_button, show_dialog
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import Opening, is_awaited
from dashboard.parts.tables.editor import height_of, show_grid
from dashboard.parts.taking.batch_settings import (
    COMMAND,
    COMMAND_LENGTH,
    MOST_COMMANDS,
    MOST_ROWS,
    REQUESTS,
    BatchSettings,
    Foreseen,
    archive,
    changed,
    foresee,
    lines_to_set,
    own_commands,
    own_requests,
    preview,
    read_map,
    rows_of_requests,
)
from dashboard.server.caching import BY_CONTENT
from dashboard.server.guard import callback
from dashboard.workspace import asking, session
from dashboard.workspace.export import file_name

OPEN: Final = "wattfront.batch.open"
PLACES: Final = "places"
COMMANDS: Final = "commands"
ASKED: Final = "requests"


class BatchDesk(Desk[BatchSettings]):
    """The settings for a system. Its name is a digest of the types of the system, and its nodes."""

    area = "batch"


def desk_of(system: System, nodes: NodesOfTypes = (), log: LogRequests | None = None) -> BatchDesk:
    """The desk of a system, with what its tasks are known to request. It is the same for the same
    types, nodes and partitions: what was typed stays when Work says what else tasks request.
    """
    kinds = [(kind.name, kind.count) for kind in system.machine_types]
    known = log or NOTHING_REQUESTED
    told = (system.task_names, kinds, nodes, known.nodes, known.partitions)
    name = sha256(repr(told).encode()).hexdigest()[:16]
    first = BatchSettings.of(system, nodes, log)
    desk = BatchDesk.kept(name, lambda: BatchDesk(name, first, first))
    desk.put(replace(desk.inputs, log=log))
    return desk


def _known_nodes(system: System) -> NodesOfTypes:
    """The nodes that the log of the system in force names."""
    return nodes_of_machines(session.workspace().version.seen.node_use, system)


@callback
def take_places(desk: BatchDesk) -> None:
    state = st.session_state[desk.key(PLACES)]
    places = changed(desk.given[PLACES].places, state)
    desk.change(replace(desk.inputs, places=places))


def open_at(where: str) -> None:
    """Opens the dialog on a page."""
    st.session_state[OPEN] = where


def close() -> None:
    st.session_state.pop(OPEN, None)


def is_open(where: str) -> bool:
    return bool(st.session_state.get(OPEN) == where)


TITLE: Final = "Slurm batch scripts"
PLACEHOLDERS: Final = (
    "`{task_type}` is the name of the task type, `{index}` the number of the task in it from 0, "
    "`{machine}` the machine as in GPU-3, `{seconds}` the planned seconds of one task. Quotation "
    "marks are added where a shell needs them."
)
_ROWS_SEEN: Final = 7
_PIXELS: Final = 290
_REPLACES: Final = "Replaces the table"
_WIDE: Final = 120
"""Pixels that the title of the first column needs, which otherwise begins as the second does."""


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def foreseen_of(schedule: Schedule, settings: BatchSettings) -> Foreseen:
    return asking.compute(foresee, schedule, settings)


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def preview_of(schedule: Schedule, settings: BatchSettings, path: str) -> str:
    return asking.compute(preview, schedule, settings, path)


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def lines_of(schedule: Schedule, nodes: NodesOfTypes) -> str:
    return asking.compute(lines_to_set, schedule, nodes)


def offer_batch_scripts(schedule: Schedule, system_title: str, where: str) -> None:
    """A button that opens the dialog on the page `where`."""
    show_button(
        TITLE,
        open_at,
        where,
        icon="terminal",
        key=f"batch.open {where}",
        help="Job arrays on the nodes that you name, in the order of the schedule",
    )
    if is_awaited("schedule.map"):
        open_at(where)
    if is_open(where):
        show_dialog(TITLE, partial(_show_desk, schedule, system_title), close, width="large")


def _show_desk(schedule: Schedule, system_title: str) -> None:
    nodes = _known_nodes(schedule.system)
    desk = desk_of(schedule.system, nodes, session.workspace().version.seen.requests)
    left, right = st.columns([11, 9], gap="medium")
    with left:
        _show_map(desk, schedule.system, nodes)
        _show_commands(desk, schedule.system)
        _show_requests(desk, schedule.system)
    with right:
        with st.spinner("Planning the job arrays …"):
            found = foreseen_of(schedule, desk.inputs)
        _show_foreseen(found)
        _show_files(schedule, desk.inputs, found, system_title)
        if schedule.system.apc is not None:
            _show_cluster_lines(schedule, nodes)


def _show_map(desk: BatchDesk, system: System, nodes: NodesOfTypes) -> None:
    st.markdown("**Where each machine runs**")
    if any(nodes):
        st.caption(
            "Nodes, and the partition of most jobs on them, are those that the log names; correct "
            "them where that is wrong."
        )
    st.caption(
        "Give a node, or a constraint (a feature) or a partition. Leave *machine* blank for all "
        "machines of a type, with a list of nodes, as `gpu[01-16]`."
    )

    def put(rows: tuple[PlaceRow, ...]) -> None:
        desk.fill(replace(desk.inputs, places=rows))

    rows = desk.begun_with(PLACES).places
    frame = pd.DataFrame(rows, columns=PlaceRow._fields, dtype="string")
    column = st.column_config.TextColumn
    titles = ("Machine type", "Machine", "Node", "Constraint", "Partition")
    show_grid(
        frame,
        desk.key(PLACES),
        take=partial(take_places, desk),
        columns={
            name: column(title, width=_WIDE if title == titles[0] else "small")
            for name, title in zip(PlaceRow._fields, titles, strict=True)
        },
        rows="dynamic",
        height=height_of(frame, _ROWS_SEEN, _PIXELS),
        alt="Table to edit: where each machine runs",
    )
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        machines = sum(kind.count for kind in system.machine_types)
        if machines <= MOST_ROWS:
            rows = rows_of_machines(system, nodes, desk.inputs.log)
            show_button("A row for each machine", put, rows, key="batch.machines", help=_REPLACES)
        rows = rows_of_types(system, nodes, desk.inputs.log)
        show_button("A row for each machine type", put, rows, key="batch.types", help=_REPLACES)
    st.caption(
        "Or drop a map file (CSV or Excel) on the page: machine_type, machine, node, constraint, "
        "partition"
    )
    Opening(
        "schedule.map", "The map", "This file is no map.", read_map, lambda _, rows: put(rows)
    ).show()


def _show_commands(desk: BatchDesk, system: System) -> None:
    st.markdown("**What runs for each task**")
    command = st.text_input(
        "Command of all task types",
        desk.inputs.command,
        key=f"batch.command {desk.name}",
        max_chars=COMMAND_LENGTH,
    )
    desk.change(replace(desk.inputs, command=command[:COMMAND_LENGTH]))
    st.caption(PLACEHOLDERS)
    if len(system.task_types) > MOST_COMMANDS:
        st.caption(
            f"The system has more than {MOST_COMMANDS:,} task types. To give each its own command, "
            "use `wattfront export --commands`."
        )
    else:
        _show_own_commands(desk, system)
    size = st.number_input(
        "Largest job array (MaxArraySize)",
        int(ARRAY_SIZE.low),
        int(ARRAY_SIZE.high),
        desk.inputs.max_array_size,
        key=f"batch.size {desk.name}",
        help=f"The most tasks of a job array. Slurm's own is {USUAL_ARRAY_SIZE}; `scontrol show "
        "config` says yours.",
        width=260,
    )
    desk.change(replace(desk.inputs, max_array_size=size))


def _show_own_commands(desk: BatchDesk, system: System) -> None:
    own = dict(desk.begun_with(COMMANDS).own_commands)
    given = [own.get(i, "") for i in range(len(system.task_types))]
    frame = pd.DataFrame({"task_type": system.task_names, COMMAND: given}, dtype="string")
    column = st.column_config.TextColumn
    columns = {
        "task_type": column("Task type", disabled=True, width="small"),
        COMMAND: column("Its own command (blank: the one above)", width="large"),
    }

    def told(cells: EditedCells) -> BatchSettings:
        return replace(desk.inputs, own_commands=own_commands(own, cells))

    alt = "Table to edit: the commands of single task types"
    height = height_of(frame, _ROWS_SEEN, _PIXELS)
    show_draft(desk, COMMANDS, frame, columns, told, alt, height=height)


def _show_requests(desk: BatchDesk, system: System) -> None:
    if len(system.task_types) > MOST_COMMANDS:
        return
    st.markdown("**What each task requests**")
    of_log = (desk.inputs.log or NOTHING_REQUESTED).is_of_log
    if of_log:
        st.caption(
            "From the log: the most that any job of the type asked for on one node, but no more "
            "than a node has. What you type is taken as it is, also on nodes that have less."
        )
    begun = desk.begun_with(ASKED)
    frame, columns = requests_table(begun, system)

    def told(cells: EditedCells) -> BatchSettings:
        own = own_requests(dict(begun.own_requests), cells)
        return replace(desk.inputs, own_requests=own)

    alt = "Table to edit: cores, GPUs, memory, nodes and time limit of each task type"
    height = height_of(frame, _ROWS_SEEN, _PIXELS)
    show_draft(desk, ASKED, frame, columns, told, alt, height=height)
    source = "of the log" if of_log else "on Work"
    st.caption(
        f"Without a time limit here, a task has the one {source}, or twice its longest planned "
        "time and 5 min, whichever is longer."
    )


def requests_table(settings: BatchSettings, system: System) -> tuple[pd.DataFrame, dict[str, Any]]:
    """What each task type requests, as a table to edit, and its columns."""
    frame = pd.DataFrame(rows_of_requests(settings, system), columns=[*REQUESTS], dtype="float")
    frame.insert(0, "task_type", pd.Series(system.task_names, dtype="string"))
    number = partial(st.column_config.NumberColumn, min_value=0, max_value=1e9, width="small")
    columns = {
        "task_type": st.column_config.TextColumn("Task type", disabled=True, width="small"),
        **{
            column: number(title, format="%.4g" if column == "memory_gib" else "%.0f")
            for column, (_, title, _) in REQUESTS.items()
        },
    }
    return frame, columns


def _show_foreseen(found: Foreseen) -> None:
    faults = len(errors(found.problems))
    if faults:
        st.error(
            f"Correct {counted(faults, 'problem')}, and the scripts can be downloaded.",
            icon=":material/error:",
        )
    else:
        jobs = (
            f"{counted(found.job_arrays, 'job array')} with {counted(found.tasks, 'task')} for "
            f"{counted(found.machines, 'machine')}."
        )
        if found.unfinished:
            st.info(
                f"**submit.sh** would submit {jobs} Not ready yet: "
                f"{', and '.join(found.unfinished)}.",
                icon=":material/edit:",
            )
        else:
            st.success(f"**submit.sh** submits {jobs}", icon=":material/check_circle:")
    general = [said for problem in found.problems if (said := sentence_of(problem))]
    placed = [problem for problem in found.problems if sentence_of(problem) is None]
    if general:
        st.html(markup.items(general))
    if placed:
        markup.show_problems(placed, 3, 260)


def _show_files(
    schedule: Schedule, settings: BatchSettings, found: Foreseen, system_title: str
) -> None:
    folder = file_name(system_title, "", "slurm")
    st.download_button(
        "Download the scripts (ZIP)",
        partial(asking.compute, archive, schedule, settings, folder),
        f"{folder}.zip",
        "application/zip",
        icon=":material/download:",
        on_click="ignore",
        type="primary",
        width="stretch",
        disabled=not found.ok,
        key="batch.download",
    )
    if not found.ok:
        return
    path = _choose_path(found.paths)
    st.code(
        preview_of(schedule, settings, path),
        language=None,  # the colours of languages are too faint to read
        height=300,
        wrap_lines=True,
    )


def _show_cluster_lines(schedule: Schedule, nodes: NodesOfTypes) -> None:
    with st.expander("What else an administrator can set", icon=":material/tune:"):
        st.caption(
            "For work like this that comes again and again: which nodes jobs take first, what an "
            "hour of a node counts in fair shares, and nodes without work."
        )
        st.code(lines_of(schedule, nodes), language=None, wrap_lines=True)


def _choose_path(paths: Sequence[str]) -> str:
    chosen = st.selectbox(
        "Look into", paths, key="batch.path", help="The first lines of one of the files"
    )
    return chosen if chosen in paths else paths[0]
