"""What a person sees where a solver gives up on a system."""

import streamlit as st

from core.relaxed import SolverFailed


def show_gave_up(failure: SolverFailed, *, while_proving: bool = False) -> None:
    """Where it was to make something, nothing is changed; else nothing is proven."""
    st.error(
        "The solver gave up on this system, so that nothing is proven about it."
        if while_proving
        else "The solver gave up on this system; nothing was changed."
    )
    st.text(str(failure))
