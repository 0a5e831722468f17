"""Buttons that do something before the page is drawn again, and chips that open something."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.server.guard import callback


def show_button(
    label: str, step: Callable[..., None], *given: object, icon: str | None = None, **how: Any
) -> None:
    """A button that takes a step with what is given. If the step fails, an apology stands on the
    page. `icon` is the name of a Material symbol; `how` has other arguments of Streamlit's button.
    """
    symbol = None if icon is None else f":material/{icon}:"
    st.button(label, icon=symbol, on_click=callback(step), args=given, **how)


def show_chip(key: str, label: str, icon: str, *, assumed: bool) -> DeltaGenerator:
    """A chip, and what it opens. Dashed as long as it is assumed: nobody has said so."""
    with st.container(key=f"chip-{key}", gap=None, width="content"):
        # The class of an element, for the key of a container would close what is open in it.
        st.html(f'<i class="{"wf-assumed" if assumed else "wf-known"}" hidden></i>')
        return st.popover(label, icon=f":material/{icon}:", type="tertiary")
