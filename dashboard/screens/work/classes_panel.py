"""What the tasks of the study are worth, and which may stop others: the table in which a person
says it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from core.capabilities.arrivals.made.system_work import inspect_classes_of_types
from core.engines.replay.classes import JobClass
from core.files.findings import shown_list
from core.vocabulary.say.words import counted
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.frame.handed import Handed, Opening
from dashboard.parts.replays.class_table import classes_of_types, show_class_table
from dashboard.workspace import edits, session
from dashboard.workspace.workspace import Workspace, say_beside

MOST_TYPES: Final = 100
_AREA: Final = "work.classes"
_TITLE: Final = "What tasks are worth, and who may stop whom"


def open_classes() -> None:
    """Takes a file of classes in force, and says what is wrong with it."""
    read = partial(inspect_classes_of_types, session.system())
    refusal = "This file has no classes for these task types."
    Opening("work.classes", "The classes", refusal, read, _take, "were").show()


def _take(_file: Handed, rows: tuple[JobClass, ...]) -> str:
    """What a file says takes the place of what was said of all task types of the study."""
    session.apply(_with, rows)
    of, types = len(rows), counted(len(session.system().task_names), "task type")
    return (
        f"{of:,} of {types} have a class of it, as the table “{_TITLE}” shows; Undo takes it back."
    )


def show_classes() -> None:
    now = session.workspace()
    rows = _classes_of(now)
    if not 0 < len(rows) <= MOST_TYPES:
        return
    st.subheader(_TITLE, anchor=False)
    st.markdown(f"**{rights_said(rows)}** Policies follows; *Stopping* there says by which rule.")
    key = f"{_AREA} {session.turn()}"
    show_class_table(
        key,
        edits.begun_with(key, f"wattfront.{_AREA}", rows),
        lambda typed: session.put(_with(session.workspace(), typed)),
        label="Worth and rights",
        of_types=True,
    )
    stops = [row.may_stop_others for row in rows]
    show_button(
        "All others may be stopped",
        _let_stop,
        icon="front_hand",
        disabled=not any(stops) or all(stops),
        help="Those that may stop others get a higher tier than the others, which may be stopped.",
    )


def _classes_of(now: Workspace) -> tuple[JobClass, ...]:
    return classes_of_types(now.system, now.version.seen.classes)


def rights_said(rows: Sequence[JobClass]) -> str:
    """Which tasks may stop others, and how many types may be stopped."""
    stop = [row.name for row in rows if row.may_stop_others]
    if not stop:
        return "No task may stop another one that runs."
    stopped = sum(row.may_be_stopped for row in rows)
    of = f"those of {counted(stopped, 'task type')}" if stopped else "no task yet"
    return f"Tasks of {shown_list(stop)} may stop others; {of} may be stopped."


def _with(now: Workspace, rows: Iterable[JobClass]) -> Workspace:
    """What is said of task types of other names stays."""
    there = {*now.system.task_names}
    others = [row for row in now.version.seen.classes if row.name not in there]
    said = [row for row in rows if row != JobClass(name=row.name)]
    return say_beside(now, replace(now.version.seen, classes=(*others, *said)))


def _let_stop() -> None:
    rows = _classes_of(session.workspace())
    session.apply(
        _with,
        [
            replace(row, tier=max(row.tier, 1))
            if row.may_stop_others
            else replace(row, tier=0, may_be_stopped=True)
            for row in rows
        ],
    )
