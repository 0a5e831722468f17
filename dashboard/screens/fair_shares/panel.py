"""The tables of a question about bags, to edit."""

from functools import partial
from typing import Any

import streamlit as st

from dashboard.parts.fields.choice import show_choice
from dashboard.parts.tables.editor import height_of
from dashboard.parts.tables.grid import show_grid
from dashboard.screens.fair_shares.desk import BagsDesk, take_table
from dashboard.screens.fair_shares.tables import COLUMNS, NAME, RELEASE, TITLES, BagsTable, frame


def show_tables(desk: BagsDesk) -> None:
    table: BagsTable = show_choice(
        "Table of the bags",
        list(TITLES),
        format_func=TITLES.__getitem__,
        default="bags",
        key="stretch.table",
        persist_state="session",
        label_visibility="collapsed",
    )
    given = desk.begun_with(table)
    rows = frame(desk.system, given, table)
    column = st.column_config
    name = "Bag" if table == "bags" else "Machine type"
    configured: dict[str, Any] = {NAME: column.TextColumn(name, disabled=True, pinned=True)}
    if table == "bags":
        configured[RELEASE] = column.TextColumn(
            "Released",
            help="The time of day at which the bag becomes known, such as 09:30. A day later is "
            "1 d 09:30. Blank: at time 0.",
            max_chars=40,
        )
    for field, one in COLUMNS[table].items():
        configured[field] = column.NumberColumn(
            one.title,
            min_value=int(one.allowed.low) if one.whole else one.allowed.low,
            max_value=int(one.allowed.high) if one.whole else one.allowed.high,
            step=1 if one.whole else None,
            help=one.meaning,
            format="%d" if one.whole else "%.6g",
        )
    show_grid(
        rows,
        desk.key(table),
        take=partial(take_table, desk, table),
        columns=configured,
        height=height_of(rows),
        alt=f"Table to edit: {TITLES[table].lower()}",
    )
