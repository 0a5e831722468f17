"""What the tasks of the study ask for on a node, and the table in which a person says it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import streamlit as st

from core.vocabulary.requests import NOTHING_REQUESTED, ON_A_NODE, LogRequests
from core.vocabulary.say.words import Sense, amount, counted, joined
from dashboard.parts.desk import edited_rows
from dashboard.parts.frame import markup
from dashboard.parts.tables.editor import height_of, show_grid
from dashboard.parts.taking.batch_dialog import requests_table
from dashboard.parts.taking.batch_settings import MOST_COMMANDS, BatchSettings, own_requests
from dashboard.server.guard import callback
from dashboard.workspace import edits, session
from dashboard.workspace.workspace import say_beside

_AREA: Final = "work.requests"
_MIB: Final = 1024.0
_WORDS: Final = {"cores": "cores", "gpus": "GPUs", "memory": "memory"}


def show_requests() -> None:
    now = session.workspace()
    system, log = now.system, now.version.seen.requests
    if len(system.task_types) > MOST_COMMANDS:
        return
    st.subheader("What tasks ask for", anchor=False)
    known = log or NOTHING_REQUESTED
    st.markdown(f"**{requests_said(known, system.task_names)}** Slurm batch scripts begin with it.")
    key = f"{_AREA} {session.turn()}"
    given = edits.begun_with(key, f"wattfront.{_AREA}", known)
    frame, columns = requests_table(BatchSettings((), log=given), system)

    @callback
    def take() -> None:
        names, typed = system.task_names, own_requests({}, edited_rows(key))
        requests = given.with_typed({names[row]: dict(amounts) for row, amounts in typed})
        at = session.workspace()
        session.put(say_beside(at, replace(at.version.seen, requests=requests)))

    show_grid(
        frame,
        key,
        take=take,
        columns=columns,
        height=height_of(frame),
        alt="Table to edit: cores, GPUs, memory, nodes and time limit of each task type",
    )
    st.html(markup.items(lacking(known)))
    if known.is_of_log:
        st.caption(
            "From the log: the most that any job of the type asked for, cores, GPUs and memory on "
            "one node. What you type is what each task asks for."
        )


def requests_said(log: LogRequests, names: tuple[str, ...]) -> str:
    """What is asked for most, and how many task types ask for GPUs."""
    asked = [log.most[name] for name in names if name in log.most]
    with_gpus = sum(one.gpus > 0 for one in asked)
    most = [
        *_most("core", max((one.cores for one in asked), default=0)),
        *_most("GPU", max((one.gpus for one in asked), default=0)),
        *_memory(max((one.memory for one in asked), default=0.0)),
    ]
    if not most:
        return "Nobody has said what tasks ask for."
    types = counted(len(names), "task type")
    return f"{with_gpus:,} of {types} ask for GPUs; the most on one node are {joined(most)}."


def _most(noun: str, number: int) -> Iterator[str]:
    if number:
        yield counted(number, noun)


def _memory(mebibytes: float) -> Iterator[str]:
    if mebibytes:
        yield amount(mebibytes / _MIB, Sense.PLAIN, "GiB")


def lacking(log: LogRequests) -> Iterator[str]:
    """Task types of which a task asks for more than any node of the log has."""
    for what in ON_A_NODE:
        there = max((getattr(node, what) for node in log.nodes.values()), default=0)
        names = [name for name, one in log.most.items() if getattr(one, what) > there > 0]
        if names:
            yield f"No node has as much as tasks of {joined(names)} ask for: {_WORDS[what]}."
