"""What is said of replays or runs that ended early, and how they go on."""

import streamlit as st

from core.arrivals.bag_trials import BagTrials
from core.model.budget import Cancelled
from dashboard.arrivals import state
from dashboard.arrivals.found import ArrivalsFound
from dashboard.shell.background import Job
from dashboard.shell.gave_up import show_failure
from dashboard.shell.guard import callback


def show_end(job: Job[ArrivalsFound] | Job[BagTrials], what: str) -> None:
    """Says that a job was stopped or failed, and offers to do what is left. `what` names it."""
    if job.failure is None:
        return
    if isinstance(job.failure, Cancelled):
        st.info(f"{what} were stopped.", icon=":material/stop_circle:")
    else:
        show_failure(job.failure)
    st.button(
        "Go on",
        on_click=callback(_go_on),
        args=(job,),
        type="tertiary",
        icon=":material/refresh:",
    )


def _go_on(job: Job[ArrivalsFound] | Job[BagTrials]) -> None:
    state.go_on(job.latest)
