"""A table that people edit."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import pandas as pd
import streamlit as st

from dashboard.shell.credible import CredibleGrid
from dashboard.shell.hearing import believing_only


def show_grid(
    frame: pd.DataFrame,
    key: str,
    *,
    take: Callable[..., None],
    args: tuple[Any, ...],
    columns: Mapping[str, Any],
    fixed: tuple[str, ...] = (),
    rows: Literal["fixed", "dynamic"] = "fixed",
    height: int | Literal["auto", "content"] = "auto",
    alt: str | None = None,
) -> None:
    """Calls `take` with `args` after an edit. Columns in `fixed` cannot be edited."""
    grid = CredibleGrid.of(frame, columns, fixed, grows=rows == "dynamic")
    with believing_only(grid.may_become):
        st.data_editor(
            frame,
            key=key,
            hide_index=True,
            disabled=fixed,
            num_rows=rows,
            on_change=take,
            args=args,
            column_config=columns,
            height=height,
            placeholder="",
            alt=alt,
        )
