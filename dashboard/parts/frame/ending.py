"""What is said of a job that ended early, and how it goes on."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from core.vocabulary.budget import Cancelled
from dashboard.server.background import Job
from dashboard.server.gave_up import show_failure
from dashboard.server.guard import callback


def show_end(job: Job[Any], stopped: str, go_on: Callable[[], None], label: str = "Go on") -> None:
    """Says that a job was stopped (the sentence `stopped`) or failed, with a button to do what is
    left. Shows nothing of a job that runs or is done. Raises a failure of no expected kind.
    """
    if job.failure is None:
        return
    if isinstance(job.failure, Cancelled):
        st.info(stopped, icon=":material/stop_circle:")
    else:
        show_failure(job.failure)
    st.button(label, on_click=callback(go_on), type="tertiary", icon=":material/refresh:")
