"""Small tables to edit on the page Profit."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import pandas as pd
import streamlit as st

from dashboard.parts.tables.editor import show_grid
from dashboard.server.guard import callback
from dashboard.workspace.edits import begun_with

Rows = list[dict[str, Any]]


def show_editor(
    key: str,
    frame: pd.DataFrame,
    take: Callable[[Rows], None],
    *,
    columns: dict[str, Any],
    rows: Literal["fixed", "dynamic"] = "fixed",
    height: int | Literal["auto"] = "auto",
) -> None:
    """Calls `take` with all rows after an edit."""
    given = begun_with(key, f"{key}.given", frame)
    show_grid(
        given,
        key,
        take=callback(lambda: take(_rows(given, st.session_state[key]))),
        columns=columns,
        rows=rows,
        height=height,
    )


def _rows(frame: pd.DataFrame, changes: Mapping[str, Any]) -> Rows:
    """The rows of a table after changes, as Streamlit reports them."""
    rows: Rows = [
        dict(zip(frame.columns, row, strict=True)) for row in frame.to_numpy(object).tolist()
    ]
    for row, cells in changes["edited_rows"].items():
        rows[int(row)] |= cells
    kept = [row for place, row in enumerate(rows) if place not in changes["deleted_rows"]]
    return [*kept, *changes["added_rows"]]
