"""What a person sees when a page fails: of what nobody foresaw an apology with an identifier."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec
from uuid import uuid4

import streamlit as st

from core.engine.task import Lost
from core.model.budget import Cancelled
from dashboard.shell.gave_up import show_lost

P = ParamSpec("P")

log = logging.getLogger(__name__)


def guarded(run: Callable[[], None], what: str) -> None:
    """Runs a page, or a part of one; what it did not foresee goes to the log by an identifier.

    Where a computation was lost, the page offers to go on: it is then computed anew.
    """
    try:
        run()
    except Cancelled:
        pass  # of a tab that was closed: nobody looks at it any more
    except Lost as lost:
        log.warning("%s: %s", what, lost)
        show_lost(lost)
        st.button("Go on", key=f"go on {what}", icon=":material/refresh:")
    except Exception:
        # The last line of defence: here, and only here, any error at all is meant.
        identifier = uuid4().hex[:8]
        log.exception("failure %s in %s", identifier, what)
        st.error(
            "Sorry, something failed that should not have. Your system is unharmed; go on, or "
            f"reload. If it happens again, report failure **{identifier}**: the server's log has "
            "the rest.",
            icon=":material/error:",
        )


def callback(step: Callable[P, None]) -> Callable[P, None]:
    """A widget's callback, guarded: it runs before the page, so the page's guard cannot."""

    @wraps(step)
    def careful(*args: P.args, **kwargs: P.kwargs) -> None:
        guarded(lambda: step(*args, **kwargs), step.__qualname__)

    return careful
