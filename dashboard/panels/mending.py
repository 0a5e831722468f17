"""What an upload says, cell by cell as text, to be mended beside the list of what is wrong."""

from typing import Any, Final

import pandas as pd
import streamlit as st

from dashboard import markup, session
from dashboard.guard import callback
from dashboard.logic.draft import TITLES, Table
from dashboard.logic.mending import LINE, TO_MEND, Mending, column_of
from dashboard.logic.upload import Upload
from dashboard.logic.workspace import dismiss_upload, use_mended
from dashboard.panels.tables import height_of

_TABLE: Final = "mending.table"


def show_mending(upload: Upload, mending: Mending) -> None:
    """The tables of an upload that is not in force yet, and the way to have it so."""
    if mending.reading.ok:
        st.success(
            "Nothing is left to mend. Until you use this system, the last good one is in force.",
            icon=":material/check_circle:",
        )
    else:
        st.error(
            f"{upload.headline}: nothing was changed, the last good system is still there. Mend "
            "what is listed in the tables here, or in the file and give it again.",
            icon=":material/error:",
        )
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Use this system",
            type="primary",
            icon=":material/check:",
            disabled=not mending.reading.ok,
            help=None if mending.reading.ok else "As soon as nothing is left to mend",
            on_click=callback(session.apply),
            args=(use_mended,),
        )
        st.button(
            "Discard",
            on_click=callback(session.apply),
            args=(dismiss_upload,),
            help="Keep the last good system",
        )
    if not upload.problems:
        _show_table(mending)
        return
    listed, tables = st.columns([2, 3], gap="medium")
    with listed, st.container(height=400 if len(upload.problems) > 5 else "content", border=False):
        st.html(markup.problems(upload.problems))
    with tables:
        _show_table(mending)


def forget_table() -> None:
    """Other tables begin with the first of them that has something to mend."""
    st.session_state.pop(_TABLE, None)


def _show_table(mending: Mending) -> None:
    table: Table = st.segmented_control(
        "Table to mend",
        mending.names,
        format_func=lambda name: _title(mending, name),
        default=mending.first,
        required=True,
        key=_TABLE,
        persist_state="session",
        label_visibility="collapsed",
        wrap=True,
        on_change=session.restart_editor,
    )
    base = session.mended_from(table, mending)
    frame = mending.frame(table, base)
    st.data_editor(
        frame,
        key=session.mending_key(table),
        column_config=_columns(mending, table, frame),
        hide_index=True,
        height=height_of(frame),
        placeholder="",
        alt=f"Table to mend: {TITLES[table]}",
        on_change=session.take_mended,
        args=(table,),
    )
    st.caption(
        "As it was read; the first line names the columns. Clear all cells of a row to remove it; "
        "fill a blank one at the end to add one."
    )


def _title(mending: Mending, table: Table) -> str:
    faults = len(mending.faults[table])
    return f"{TITLES[table]}: {faults} to mend" if faults else TITLES[table]


def _columns(mending: Mending, table: Table, frame: pd.DataFrame) -> dict[str, Any]:
    column = st.column_config
    marked = {j for columns in mending.marks(table).values() for j in columns}
    places = range(len(frame.columns) - 2)
    titles = mending.titles(table, len(places))
    return {
        LINE: column.NumberColumn("Line", disabled=True, pinned=True, width=50),
        TO_MEND: column.MultiselectColumn(
            "To mend",
            disabled=True,
            pinned=True,
            options=sorted({titles[j] for j in marked}),
            color="red",
            width=130,
        ),
        **{
            column_of(j): column.TextColumn(f"⚠ {titles[j]}" if j in marked else titles[j])
            for j in places
        },
    }
