"""Small tables to edit on the page Profit."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, Literal

import pandas as pd
import streamlit as st

from dashboard.parts.tables.editor import show_grid
from dashboard.server.guard import callback

Rows = list[dict[str, Any]]

_EDITED_FROM: Final = "edited_from"


def show_editor(
    key: str,
    frame: pd.DataFrame,
    take: Callable[[Rows], None],
    *,
    columns: dict[str, Any],
    rows: Literal["fixed", "dynamic"] = "fixed",
    height: int | Literal["auto"] = "auto",
) -> None:
    """Calls `take` with all rows after an edit.

    The editor keeps the table with which it started while a person types: with another table it
    would lose its place.
    """
    edited_from = f"{key}.{_EDITED_FROM}"
    if key not in st.session_state:
        st.session_state[edited_from] = frame
    show_grid(
        st.session_state[edited_from],
        key,
        take=partial(_take, key, take),
        columns=columns,
        rows=rows,
        height=height,
    )


@callback
def _take(key: str, take: Callable[[Rows], None]) -> None:
    frame: pd.DataFrame = st.session_state[f"{key}.{_EDITED_FROM}"]
    changes = st.session_state[key]
    rows: Rows = [
        dict(zip(frame.columns, row, strict=True)) for row in frame.to_numpy(object).tolist()
    ]
    for row, cells in changes["edited_rows"].items():
        rows[int(row)] |= cells
    kept = [row for place, row in enumerate(rows) if place not in changes["deleted_rows"]]
    take([*kept, *changes["added_rows"]])
