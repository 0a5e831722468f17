"""The session's workspace: the only place where it meets Streamlit's state."""

from collections.abc import Callable
from dataclasses import replace
from typing import Concatenate, Final, ParamSpec

import streamlit as st

from core.samples import sample_names
from core.system import System
from dashboard.guard import callback
from dashboard.logic import address
from dashboard.logic.address import Settings
from dashboard.logic.draft import Change, Draft, Table
from dashboard.logic.shelf import Shelf
from dashboard.logic.workspace import (
    Drawn,
    Sample,
    Workspace,
    begin,
    choose,
    draw,
    edit,
    set_idle_fraction,
)

P = ParamSpec("P")

WORKSPACE: Final = "wattfront.workspace"
NOTES: Final = "wattfront.notes"
EDITED_FROM: Final = "wattfront.edited_from"
EDITOR: Final = "wattfront.editor"


def workspace() -> Workspace:
    """What this person works on; at first, what the address says."""
    if WORKSPACE not in st.session_state:
        with st.spinner("Opening the system …", show_time=True):
            st.session_state[WORKSPACE], st.session_state[NOTES] = _opened()
    found: Workspace = st.session_state[WORKSPACE]
    return found


def system() -> System:
    """The system to compute with, on every page."""
    return workspace().system


def notes() -> tuple[str, ...]:
    """What of the address was ignored, and why."""
    found: tuple[str, ...] = st.session_state.get(NOTES, ())
    return found


def apply(
    step: Callable[Concatenate[Workspace, P], Workspace], *args: P.args, **kwargs: P.kwargs
) -> None:
    """Takes a step; editors begin anew from its result."""
    st.session_state[WORKSPACE] = step(workspace(), *args, **kwargs)
    st.session_state[NOTES] = ()
    restart_editor()


def set_idle(fraction: float | None) -> None:
    """Sets the idle power that every page uses; None leaves it as the system has it."""
    st.session_state[WORKSPACE] = set_idle_fraction(workspace(), fraction)


def restart_editor() -> None:
    st.session_state[EDITOR] = st.session_state.get(EDITOR, 0) + 1


def editor_key(table: Table) -> str:
    """The key of the editor of a table: another one whenever editors begin anew."""
    return f"{table} {st.session_state.get(EDITOR, 0)}"


def edited_from(table: Table) -> Draft:
    """The tables that an editor was given: its changes are counted from there.

    They stay the same while a person types, or the editor would lose its place.
    """
    if editor_key(table) not in st.session_state:
        st.session_state[EDITED_FROM] = workspace().version.tables
    base: Draft = st.session_state[EDITED_FROM]
    return base


@callback
def take_edit(table: Table) -> None:
    """Takes over what an editor holds."""
    state = st.session_state[editor_key(table)]
    change = Change(
        {int(row): cells for row, cells in state["edited_rows"].items()},
        state.get("added_rows", ()),
        state.get("deleted_rows", ()),
    )
    st.session_state[WORKSPACE] = edit(workspace(), edited_from(table).changed(table, change))
    if change.is_of_types:
        restart_editor()


def write_address() -> None:
    """Lets the address say what is chosen; parameters of the pages stay."""
    now = workspace()
    origin, settings = now.version.origin, Settings(idle_fraction=now.idle_fraction)
    if not now.version.is_as_found:
        settings = replace(settings, kept=_shelf().put(now.version))
    elif isinstance(origin, Sample):
        settings = replace(settings, sample=origin.name)
    elif isinstance(origin, Drawn):
        settings = replace(settings, generation=origin.generation)
    there = st.query_params.to_dict()
    wanted = {name: value for name, value in there.items() if name in address.OF_PAGES}
    wanted |= address.written(settings)
    if wanted != there:
        st.query_params.from_dict(wanted)


def _opened() -> tuple[Workspace, tuple[str, ...]]:
    settings, ignored = address.read(st.query_params.to_dict())
    opened = begin(settings.sample or sample_names()[0])
    if settings.generation:
        opened = draw(opened, settings.generation)
    if settings.kept:
        version = _shelf().get(settings.kept)
        if version is None:
            ignored = (*ignored, "the server no longer has the system of this address")
        else:
            opened = choose(opened, version)
    opened = replace(opened, past=())  # there is no way back from where one came in
    return set_idle_fraction(opened, settings.idle_fraction), ignored


@st.cache_resource(show_spinner=False)
def _shelf() -> Shelf:
    return Shelf()
