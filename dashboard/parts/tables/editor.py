"""The tables of the system, to edit cell by cell, with their problems beside them."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, Literal

import pandas as pd
import streamlit as st

from core.files.headings import TableName
from core.vocabulary.ranges import POWER
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame import markup
from dashboard.patches.credible import CredibleGrid
from dashboard.patches.hearing import believing_only
from dashboard.workspace import edits, session
from dashboard.workspace.draft import (
    COUNT,
    IDLE_POWER,
    MOST_CELLS,
    MOST_COLUMNS,
    NAME,
    TITLES,
    Draft,
    column_of,
    is_editable,
)
from dashboard.workspace.workspace import edit

HINTS: Final[dict[TableName, str]] = {
    "etc": "Seconds that one task takes on one machine. A blank cell: the pair cannot run.",
    "apc": "Average watts of a machine at work, idle power included. Blank if the time is blank.",
    "tasks": "The number of tasks of each type. Add a row for a new type.",
    "machines": "The number of machines of each type, and the power in watts of one idle machine.",
    "estimated": "A tick: the pair is an estimate, not a measurement. Blank: the pair cannot run.",
}
_TABLE: Final = "tables.shown"
_WATTS: Final = "tables.watts"
_MOST_PIXELS: Final = 460
_MOST_ROWS: Final = 12


def show_tables(*names: TableName) -> None:
    """The tables of these names of the system, those that there are, one at a time."""
    version = session.workspace().version
    if not is_editable(version.system):
        st.info(
            f"These tables are too large to edit here: more than {MOST_CELLS:,} cells or "
            f"{MOST_COLUMNS:,} machine types. Export the system above, edit the file, and upload "
            "it again.",
            icon=":material/table:",
        )
        return
    left, right = st.columns([7, 3], gap="medium")
    with left:
        offered = [name for name in names if name in version.tables.offered]
        table = offered[0]
        if len(offered) == 1:
            st.subheader(TITLES[table], anchor=False)
        else:
            table = show_look(
                "Table",
                offered,
                _TABLE,
                TITLES.__getitem__,
                wrap=True,
                on_change=session.renew,
            )
        if table == "apc" and version.tables.apc is None:
            _offer_powers()
        else:
            _show_editor(table)
    with right:
        _show_findings()


def _show_editor(table: TableName) -> None:
    base = edits.edited_from(table)
    st.caption(_hint(base, table))
    frame = base.frame(table)
    grows = table in ("tasks", "machines")
    show_grid(
        frame,
        edits.editor_key(table),
        take=partial(edits.take_edit, table),
        columns=_columns(base, table),
        rows="dynamic" if grows else "fixed",
        height=height_of(frame),
        alt=f"Table to edit: {TITLES[table]}",
    )


_OPTIONAL: Final = {
    "asleep_watts": (
        "Asleep (W)",
        "A machine is switched off when its last task ends, and then draws so many watts. Blank: "
        "it stays on.",
    ),
    "price": (
        "Price ({money})",
        "What one machine costs, for *What to buy*. Blank: an example is assumed there.",
    ),
    "resale": (
        "Resale ({money})",
        "What one machine brings if it is sold. Blank: an example is assumed with that of the "
        "price, else nothing.",
    ),
    "failures_a_year": (
        "Failures a year",
        "Of one machine that is always busy, for *What to buy*. Blank: none.",
    ),
}
"""What may be blank of a machine type: the title of its column, and what it means."""


def _hint(base: Draft, table: TableName) -> str:
    """What the cells of a table mean."""
    if table in ("etc", "apc") and base.estimated is not None and base.estimated.any():
        return (
            f"{HINTS[table]} Some pairs are estimates: the table {TITLES['estimated']} has a tick "
            "for each. A pair that you change here is no longer an estimate."
        )
    return HINTS[table]


def height_of(
    frame: pd.DataFrame, most: int = _MOST_ROWS, pixels: int = _MOST_PIXELS
) -> int | Literal["content"]:
    """The height of a table: enough for all rows, unless they are more than `most`."""
    return "content" if len(frame) <= most else pixels


def _columns(base: Draft, table: TableName) -> dict[str, Any]:
    column = st.column_config
    if table == "tasks":
        return {
            NAME: column.TextColumn("Task type", required=True),
            COUNT: column.NumberColumn("Tasks", step=1, default=1),
        }
    if table == "machines":
        return {
            NAME: column.TextColumn("Machine type", required=True),
            COUNT: column.NumberColumn("Machines", step=1, default=1),
            IDLE_POWER: column.NumberColumn("Idle power (W)", default=0.0),
            **{
                name: column.NumberColumn(title.format(money=session.site().currency), help=meaning)
                for name, (title, meaning) in _OPTIONAL.items()
            },
        }
    of_pairs = column.CheckboxColumn if table == "estimated" else column.NumberColumn
    return {
        NAME: column.TextColumn("Task type", disabled=True, pinned=True),
        **{column_of(j): of_pairs(row.name or "(no name)") for j, row in enumerate(base.machines)},
    }


def _offer_powers() -> None:
    st.caption(
        "This system has no powers, so its energy is unknown. Upload or paste an APC table; or "
        "start with the same power for all pairs and correct it cell by cell."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Average power at work (W)",
            min_value=1.0,
            max_value=POWER.high,
            value=100.0,
            format="%g",
            key=_WATTS,
            width=200,
        )
        show_button("Fill in the powers", _fill_powers)


def _fill_powers() -> None:
    tables = session.workspace().version.tables
    session.apply(edit, tables.with_power(st.session_state[_WATTS]))


def _show_findings() -> None:
    version = session.workspace().version
    if version.draft is not None:
        st.error(
            "These edits are not in force yet. Correct the problems listed here, or undo. Until "
            "then every page uses the last valid system.",
            icon=":material/error:",
        )
    elif version.problems:
        st.warning("These tables are in force, with warnings:", icon=":material/warning:")
    else:
        st.markdown(":material/check_circle: These tables are valid and in force.")
        st.caption(
            "Every change is checked at once. A problem is shown here with its table, row and "
            "column. Until it is corrected, every page uses the last valid system."
        )
        return
    markup.show_problems(version.problems, 4, 360)


FIXED: Final = st.column_config.Column(disabled=True)
"""A column that cannot be edited."""


def show_grid(
    frame: pd.DataFrame,
    key: str,
    *,
    take: Callable[[], None],
    columns: Mapping[str, Any],
    rows: Literal["fixed", "dynamic"] = "fixed",
    height: int | Literal["auto", "content"] = "auto",
    alt: str | None = None,
) -> None:
    """Calls `take` after an edit. `columns` are Streamlit's configuration of columns."""
    grid = CredibleGrid.of(frame, columns, grows=rows == "dynamic")
    with believing_only(grid.may_become):
        st.data_editor(
            frame,
            key=key,
            hide_index=True,
            num_rows=rows,
            on_change=take,
            column_config=columns,
            height=height,
            placeholder="",
            alt=alt,
        )
