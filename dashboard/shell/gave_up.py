"""What a person sees where a computation ends without a result."""

import streamlit as st

from core.engine.task import Lost, TookTooLong
from core.relaxed import SolverFailed


def show_gave_up(failure: SolverFailed, *, while_proving: bool = False) -> None:
    """Where it was to make something, nothing is changed; else nothing is proven."""
    st.error(
        "The solver gave up on this system, so that nothing is proven about it."
        if while_proving
        else "The solver gave up on this system; nothing was changed."
    )
    st.text(str(failure))


def show_lost(failure: Lost) -> None:
    """Where it died, or hung and had to be ended, in a process of its own."""
    how = (
        "took far too long and was ended"
        if isinstance(failure, TookTooLong)
        else "ended unexpectedly"
    )
    st.error(
        f"The computation {how}, so it has no result. Nothing of yours is lost.",
        icon=":material/error:",
    )


def show_failure(failure: BaseException) -> None:
    """Where it was foreseen that it may fail so; else the failure goes on to the guard."""
    if isinstance(failure, SolverFailed):
        show_gave_up(failure)
    elif isinstance(failure, Lost):
        show_lost(failure)
    else:
        raise failure
