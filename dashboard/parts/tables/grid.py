"""A table that people edit."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

import pandas as pd
import streamlit as st

from dashboard.patches.credible import CredibleGrid
from dashboard.patches.hearing import believing_only

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
