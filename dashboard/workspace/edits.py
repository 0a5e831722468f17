"""Takes the changes of editors of tables over into the workspace."""

from typing import Final, TypeVar

import streamlit as st

from core.files import RawTable
from core.files.headings import TableName
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.draft import Change, Draft
from dashboard.workspace.mending import Mending, cells_of, is_last
from dashboard.workspace.workspace import edit, mend

EDITED_FROM: Final = "wattfront.edited_from"
MENDED_FROM: Final = "wattfront.mended_from"


T = TypeVar("T")


def begun_with(key: str, slot: str, now: T) -> T:
    """What the editor with a key was given, which the session keeps in a slot: at first what is
    there now. The changes of the editor refer to it.

    It stays the same while a person types, since an editor that is given another table loses its
    place.
    """
    if key not in st.session_state:
        st.session_state[slot] = now
    given: T = st.session_state[slot]
    return given


def editor_key(table: TableName) -> str:
    """The key of the editor of a table. It changes whenever the editors start anew."""
    return f"{table} {session.turn()}"


def edited_from(table: TableName) -> Draft:
    """The tables that an editor was given."""
    return begun_with(editor_key(table), EDITED_FROM, session.workspace().version.tables)


@callback
def take_edit(table: TableName) -> None:
    """Takes over the changes of an editor."""
    state = st.session_state[editor_key(table)]
    change = Change(
        {int(row): cells for row, cells in state["edited_rows"].items()},
        state.get("added_rows", ()),
        state.get("deleted_rows", ()),
    )
    session.put(edit(session.workspace(), edited_from(table).changed(table, change)))
    if change.is_of_types:
        session.renew()


def mending_key(table: TableName) -> str:
    return f"mend {editor_key(table)}"


def mended_from(table: TableName, mending: Mending) -> RawTable:
    """The table that an editor of an upload was given."""
    return begun_with(mending_key(table), MENDED_FROM, mending.tables[table])


@callback
def take_mended(table: TableName) -> None:
    """Takes over the changes of an editor of an upload."""
    upload = session.workspace().upload
    if upload is None or upload.mending is None:
        return
    edited = st.session_state[mending_key(table)]["edited_rows"]
    base = mended_from(table, upload.mending)
    cells = cells_of({int(row): texts for row, texts in edited.items()})
    mending = upload.mending.changed(table, base.with_cells(cells))
    session.put(mend(session.workspace(), mending))
    if any(is_last(base, *cell) for cell in cells):
        session.renew()
