"""How a page asks for computations: it waits for them, or they are jobs that it polls."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import streamlit as st

from core.engines.compute.task import Lost, Task, TookTooLong
from core.vocabulary.say.words import typed
from dashboard.server import computing
from dashboard.server.background import RIGHT_OF_WAY, Jobs
from dashboard.server.computing import QUICK, asker
from dashboard.workspace.upload import READING_SECONDS

P = ParamSpec("P")
R = TypeVar("R")


def jobs(page: str) -> Jobs:
    """The jobs of a page of this session."""
    name = f"{page}.jobs"
    if name not in st.session_state:
        st.session_state[name] = Jobs(asker())
    found: Jobs = st.session_state[name]
    return found


def compute(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """The result of a function, computed in a worker process; other pages are drawn meanwhile.

    Function, arguments and result must be picklable. Raises what the function raises, and `Lost` if
    its process died, or hung and was ended.
    """
    with RIGHT_OF_WAY.lent(), computing.turn(asker(), QUICK) as turn:
        return turn.compute(Task(function, args, kwargs))


def read(
    refused: Callable[[str], R], reader: Callable[P, R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """The result of reading an upload or a paste, like `compute` but within `READING_SECONDS`. If
    it cannot be read, the result of `refused`, which gets the reason.
    """
    try:
        with RIGHT_OF_WAY.lent(), computing.turn(asker(), QUICK) as turn:
            return turn.compute(Task(reader, args, kwargs), READING_SECONDS, grace=0.0)
    except TookTooLong:
        why = f"takes longer than the limit of {typed(READING_SECONDS)} s to read"
    except Lost:
        why = "ended the process that read it; perhaps there was not enough memory"
    return refused(f"{why}; give fewer types, or shorter cells")
