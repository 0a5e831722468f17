"""The tables of a plan, to edit: machine types with their prices, task types with their rewards."""

from functools import partial
from typing import Any

import streamlit as st

from core import System
from dashboard.parts.fields.choice import show_choice
from dashboard.parts.tables.editor import height_of
from dashboard.parts.tables.grid import show_grid
from dashboard.screens.provision.desk import PlanDesk, take_table
from dashboard.screens.provision.tables import COLUMNS, NAME, TITLES, PlanTable, frame


def show_tables(desk: PlanDesk, system: System) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.subheader("The plan", anchor=False, width="content")
        table: PlanTable = show_choice(
            "Table of the plan",
            list(TITLES),
            format_func=TITLES.__getitem__,
            default="machines",
            key="provision.table",
            persist_state="session",
            label_visibility="collapsed",
        )
    given = desk.begun_with(table)
    rows = frame(system, given, table)
    column = st.column_config
    configured: dict[str, Any] = {
        NAME: column.TextColumn(f"{TITLES[table][:-1]} type", disabled=True, pinned=True)
    }
    for name, one in COLUMNS[table].items():
        unit = given.rate_seconds if one.is_rate else 1.0
        configured[name] = column.NumberColumn(
            one.title.format(money=given.currency, rate=given.rate_unit),
            min_value=one.allowed.low,
            max_value=one.allowed.high * unit,
            help=one.meaning,
            format="%.6g",
        )
    show_grid(
        rows,
        desk.key(table),
        take=partial(take_table, desk, table),
        columns=configured,
        height=height_of(rows),
        alt=f"Table to edit: {TITLES[table].lower()} of the plan",
    )
    st.caption(
        "Blank counts are those of the system. A blank limit does not bind."
        if table == "machines"
        else "Arrivals are a steady stream. Tasks that find no free machine are not done, and "
        "bring nothing."
    )
