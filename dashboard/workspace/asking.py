"""What a page asks for to be computed: it waits for it, or looks in on it."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import streamlit as st

from core.engine.task import Lost, Task, TookTooLong
from core.say.words import typed
from dashboard.shell import computing
from dashboard.shell.background import RIGHT_OF_WAY, Jobs
from dashboard.shell.computing import QUICK
from dashboard.shell.presence import asker
from dashboard.workspace.upload import READING_SECONDS

P = ParamSpec("P")
R = TypeVar("R")


def jobs(page: str) -> Jobs:
    """What runs in the background for a page of this session."""
    name = f"{page}.jobs"
    if name not in st.session_state:
        st.session_state[name] = Jobs(asker())
    found: Jobs = st.session_state[name]
    return found


def compute(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """What a function makes of these, in a process of its own; other pages are drawn meanwhile.

    The function and all that is given must be such as can be pickled. Raises what it raises, and
    `Lost` where its process died, or had to be ended since it hung.
    """
    with RIGHT_OF_WAY.lent(), computing.turn(asker(), QUICK) as turn:
        return turn.compute(Task(function, args, kwargs))


def read(
    refused: Callable[[str], R], reader: Callable[P, R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """What was uploaded or pasted, read like `compute`, within the time that there is for it;
    `refused` makes what is returned of why it was not.
    """
    try:
        with RIGHT_OF_WAY.lent(), computing.turn(asker(), QUICK) as turn:
            return turn.compute(Task(reader, args, kwargs), READING_SECONDS, grace=0.0)
    except TookTooLong:
        why = f"takes longer than {typed(READING_SECONDS)} s to read, which is as long as may be"
    except Lost:
        why = "ended the process that read it, perhaps for want of memory"
    return refused(f"{why}; give fewer types, or shorter cells")
