"""Buttons that do something before the page is drawn again, chips, and dialogs in front of it."""

from collections.abc import Callable
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.server.guard import callback, guarded


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


_IN_FRONT: Final = "dialog in front"


def begin_without_dialog() -> None:
    """Lets a page that begins to be drawn have no dialog until one is shown."""
    st.session_state.pop(_IN_FRONT, None)


def show_dialog(
    title: str, show: Callable[[], None], close: Callable[[], None], **how: Any
) -> None:
    """A dialog that has what `show` shows; `close` is called when a person closes it. `how` has
    other arguments of Streamlit's dialog. Nothing is shown behind another dialog.

    Until it is closed the page does not draw itself again: Streamlit would take the dialog away and
    put up a new one, and a file that is being uploaded or a text that is being typed were lost.
    """
    if is_dialog_in_front():
        return

    def show_it() -> None:
        guarded(show, title)

    st.session_state[_IN_FRONT] = True
    st.dialog(title, on_dismiss=callback(close), **how)(show_it)()


def is_dialog_in_front() -> bool:
    return _IN_FRONT in st.session_state
