"""Messages for a computation that ends without a result."""

import streamlit as st

from core.engines.compute.task import Lost, TookTooLong
from core.engines.relaxed import SolverFailed


def show_gave_up(failure: SolverFailed, *, while_proving: bool = False) -> None:
    """Says that the solver gave up; `while_proving` if a bound was to be proven."""
    st.error(
        "The solver gave up on this system. Nothing is proven about it."
        if while_proving
        else "The solver gave up on this system. Nothing has changed."
    )
    st.text(str(failure))


def show_lost(failure: Lost) -> None:
    """Says that the process of a computation died, or took too long and was ended."""
    how = (
        "took too long and was ended" if isinstance(failure, TookTooLong) else "ended unexpectedly"
    )
    st.error(
        f"The computation {how}. It has no result. Your work is not lost.",
        icon=":material/error:",
    )


def show_failure(failure: BaseException) -> None:
    """Shows a failure of an expected kind; raises any other, for the guard."""
    if isinstance(failure, SolverFailed):
        show_gave_up(failure)
    elif isinstance(failure, Lost):
        show_lost(failure)
    else:
        raise failure
