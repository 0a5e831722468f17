"""The tables of an upload as text, to correct cell by cell beside the list of problems."""

from functools import partial
from typing import Any, Final

import pandas as pd
import streamlit as st

from core.files.headings import TableName
from core.files.mends import Mend, outline, seem_swapped, swapped, used_as
from core.files.raw_table import RawTable, looks_like
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame import markup
from dashboard.parts.tables.editor import height_of, show_grid
from dashboard.workspace import edits, session
from dashboard.workspace.draft import TITLES
from dashboard.workspace.mending import LINE, TO_MEND, Mending, column_of
from dashboard.workspace.upload import Upload
from dashboard.workspace.workspace import dismiss_upload, take_mend, use_mended

_TABLE: Final = "mending.table"
_LEAST_WIDTH: Final = 2
"""A sheet with one column, or with a header alone, is not a table: it is named, but cannot be used.
"""


def show_mending(upload: Upload, mending: Mending) -> None:
    """The tables of an upload that is not in force yet, and the button that puts it in force."""
    if mending.reading.ok:
        st.success(
            f"No problems are left. Press “Use this system”.{still_in_force()}",
            icon=":material/check_circle:",
        )
    else:
        st.error(
            f"{upload.headline}.{still_in_force()} Correct the problems in the tables here; or "
            "correct the file and upload it again.",
            icon=":material/error:",
        )
    with st.container(horizontal=True, gap="small"):
        show_button(
            "Use this system",
            session.apply,
            use_mended,
            icon="check",
            type="primary",
            disabled=not mending.reading.ok,
            help=None if mending.reading.ok else "Correct all problems first.",
        )
        show_button(
            "Discard",
            session.apply,
            dismiss_upload,
            help="Drops this upload and keeps the last valid system",
        )
    show_offers(upload)
    if not upload.problems:
        _show_table(mending)
        return
    listed, tables = st.columns([2, 3], gap="medium")
    with listed:
        show_problems_of(upload, 5, 400)
    with tables:
        _show_table(mending)


def show_problems_of(upload: Upload, most: int = 8, pixels: int = 320) -> None:
    """The problems of an upload, and how many each of its files has."""
    if upload.by_file:
        st.html(markup.note(f"{upload.by_file}."))
    markup.show_problems(upload.problems, most, pixels)


def still_in_force() -> str:
    """What is in force while an upload is not: nothing if the system of the address is gone."""
    return "" if session.workspace().gone else " The last valid system is still in force."


def show_offers(upload: Upload) -> None:
    """Corrections in one click, with previews; and sheets that are not used yet.

    They are in a container even if there are none: otherwise the grid below would change its place
    on the page when they come and go, and would forget the selected cell.
    """
    with st.container(gap="small"):
        for place, mend in enumerate(upload.mends):
            _show_offer(mend, f"mend {place}")
        for table in upload.unused:
            if table.width >= _LEAST_WIDTH and table.has_rows:
                _show_unused(upload, table)


def _show_unused(upload: Upload, table: RawTable) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        said = markup.note(f"{table.label} is not used: {outline(table)}.")
        st.html(said, width="stretch")
        wanted: TableName = st.selectbox(
            "Use it as",
            list(TITLES),
            index=list(TITLES).index(_guess(upload, table)),
            format_func=TITLES.__getitem__,
            key=f"mending.use {table.label}",
            label_visibility="collapsed",
            width=170,
        )
        show_button(
            f"Use this table as {TITLES[wanted]}",
            _take_offer,
            used_as(upload.tables or {}, table, wanted),
            icon="table_view",
            key=f"mending.spare {table.label}",
        )


def _guess(upload: Upload, table: RawTable) -> TableName:
    """What a table may be; if it is like none, the first that is missing."""
    known = upload.tables or {}
    guess = looks_like(table, known)
    return next((one for one in TITLES if one not in known), "etc") if guess is None else guess


def _show_offer(mend: Mend, key: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        show_button(
            mend.action, _take_offer, mend, icon="auto_fix_high", key=key, help="You can undo this."
        )
        st.html(markup.note(" · ".join(mend.preview)), width="stretch")


def _take_offer(mend: Mend) -> None:
    session.apply(take_mend, mend)
    forget_table()


def forget_table() -> None:
    """Selects the first table with problems in a new set of tables.

    The widget gets a new key; with the old one, a browser would keep showing the old choice.
    """
    session.renew(_TABLE)


def _show_table(mending: Mending) -> None:
    table: TableName = show_look(
        "Table to correct",
        mending.names,
        session.latest_key(_TABLE),
        lambda name: _title(mending, name),
        default=mending.first,
        wrap=True,
        on_change=session.renew,
    )
    with st.container():
        if table in ("etc", "apc") and not seem_swapped(mending.tables):
            _show_offer(swapped(mending.tables, (table,)), "mending.swap")
    base = edits.mended_from(table, mending)
    frame = mending.frame(table, base)
    show_grid(
        frame,
        edits.mending_key(table),
        take=partial(edits.take_mended, table),
        columns=_columns(mending, table, frame),
        height=height_of(frame),
        alt=f"Table to correct: {TITLES[table]}",
    )
    st.caption(
        "The table as it was read. The first line has the names of the columns. To remove a row, "
        "clear all its cells. To add a row, fill a blank row at the end."
    )


def _title(mending: Mending, table: TableName) -> str:
    faults = len(mending.faults[table])
    return f"{TITLES[table]}: {faults} to correct" if faults else TITLES[table]


def _columns(mending: Mending, table: TableName, frame: pd.DataFrame) -> dict[str, Any]:
    column = st.column_config
    marked = {j for columns in mending.marks(table).values() for j in columns}
    places = range(len(frame.columns) - 2)
    titles = mending.titles(table, len(places))
    return {
        LINE: column.NumberColumn("Line", disabled=True, pinned=True, width=50),
        TO_MEND: column.MultiselectColumn(
            "To correct",
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
