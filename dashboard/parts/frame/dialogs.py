"""Dialogs in front of a page."""

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from dashboard.server.guard import callback, guarded

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
