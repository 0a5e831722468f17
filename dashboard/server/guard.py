"""Messages for a page that fails: an apology with an identifier if the error is unexpected."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec
from uuid import uuid4

import streamlit as st

from core.engines.compute.task import Lost, TookTooLong
from core.engines.relaxed import SolverFailed
from core.vocabulary.budget import Cancelled

P = ParamSpec("P")

log = logging.getLogger(__name__)


def guarded(run: Callable[[], None], what: str) -> None:
    """Runs a page, or a part of one. An unexpected error goes to the log with an identifier.

    If a computation was lost, the page offers to compute it again.
    """
    try:
        run()
    except Cancelled:
        pass  # the tab was closed
    except Lost as lost:
        log.warning("%s: %s", what, lost)
        show_lost(lost)
        st.button("Try again", key=f"go on {what}", icon=":material/refresh:")
    except Exception:  # the last line of defence: only here any error at all is caught
        identifier = uuid4().hex[:8]
        log.exception("failure %s in %s", identifier, what)
        st.error(
            "Sorry, this page has failed. Your system is not lost. Reload the page, or go on. If "
            f"it happens again, report failure **{identifier}**: the log of the server has the "
            "details.",
            icon=":material/error:",
        )


def callback(step: Callable[P, None]) -> Callable[P, None]:
    """A guarded callback of a widget. Callbacks run before the page and outside its guard."""

    @wraps(step)
    def careful(*args: P.args, **kwargs: P.kwargs) -> None:
        guarded(lambda: step(*args, **kwargs), step.__qualname__)

    return careful


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
    how = "ended unexpectedly. Perhaps there was not enough memory"
    if isinstance(failure, TookTooLong):
        how = "took too long and was ended"
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
