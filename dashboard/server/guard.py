"""Messages for a page that fails: an apology with an identifier if the error is unexpected."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec
from uuid import uuid4

import streamlit as st

from core.engines.compute.task import Lost
from core.vocabulary.budget import Cancelled
from dashboard.server.gave_up import show_lost

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
    except Exception:
        # The last line of defence: only here any error at all is caught.
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
