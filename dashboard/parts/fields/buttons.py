"""Buttons that do something before the page is drawn again."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from dashboard.server.guard import callback


def show_button(
    label: str, step: Callable[..., None], *given: object, icon: str | None = None, **how: Any
) -> None:
    """A button that takes a step with what is given. If the step fails, an apology stands on the
    page. `icon` is the name of a Material symbol; `how` has other arguments of Streamlit's button.
    """
    symbol = None if icon is None else f":material/{icon}:"
    st.button(label, icon=symbol, on_click=callback(step), args=given, **how)
