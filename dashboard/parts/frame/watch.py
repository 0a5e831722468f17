"""Polls the jobs of a page, and draws the page again when there is something new."""

from collections.abc import Callable
from typing import Any, Final
from uuid import uuid4

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.vocabulary.budget import Cancelled
from core.vocabulary.problems import InvalidInput
from dashboard.parts.fields.buttons import is_dialog_in_front, show_button
from dashboard.parts.frame import markup
from dashboard.server.background import RIGHT_OF_WAY, Job, Jobs, sessions_at_work
from dashboard.server.computing import is_ready
from dashboard.server.guard import guarded, show_failure

POLL_SECONDS: Final = 0.5
LOOKS_A_SECOND: Final = 10
"""Polls a second, of all sessions together. Each poll takes time from the pages of others."""
PREPARING: Final = (
    "Getting ready. After an installation or an update, compiling takes up to a minute …"
)
"""What jobs wait for until the first worker process is there."""


def watch(jobs: Jobs, state: object, *, awaited: bool = False, key: str = "running") -> None:
    """Shows progress and Stop, and polls. Call it last; `state` is that of the jobs before the page
    was drawn. If somebody waits for the result (`awaited`), it polls often. If the result only
    improves, it polls less often when many sessions poll, and the page comes after others.

    It never draws again before the page is complete: what an interrupted run has set is lost. Nor
    while a dialog is in front of the page.
    """
    drawn = False

    def look() -> None:
        guarded(look_in, "progress")

    def look_in() -> None:
        if drawn and jobs.state() != state and not is_dialog_in_front():
            if not awaited:
                RIGHT_OF_WAY.stand_back()
            st.rerun()
        for job in jobs.running():
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                words = job.progress.words if is_ready() else PREPARING
                st.caption(words, width="content")
                st.progress(job.progress.share, width=90)

    # Each run has its own fragment with its own name: the fragment of an earlier run would make
    # Streamlit forget what it has not sent of this one yet.
    look.__qualname__ = f"look {uuid4().hex}"
    running = jobs.running()
    more = bool(running) or jobs.state() != state
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=key):
        if running:  # outside the fragment, so that a press is never lost
            show_button("Stop", _stop, jobs, icon="stop", type="tertiary", key=f"stop {key}")
        seconds = POLL_SECONDS if awaited else poll_seconds(sessions_at_work())
        st.fragment(look, run_every=seconds if more else None)()
    drawn = True


def show_page_title(title: str) -> DeltaGenerator:
    """The title of a page; returns the place beside it, where progress is shown."""
    st.title(title, anchor=False, width="content")
    return st.container(horizontal=True, vertical_alignment="center", width="stretch")


def show_fault(job: Job[Any]) -> bool:
    """Whether a job failed by itself, and not because somebody stopped it; says so."""
    if job.failure is None or isinstance(job.failure, Cancelled):
        return False
    show_failure(job.failure)
    return True


def poll_seconds(sessions: int) -> float:
    """Seconds from one poll to the next, if so many sessions poll."""
    return max(POLL_SECONDS, sessions / LOOKS_A_SECOND)


def _stop(jobs: Jobs) -> None:
    for job in jobs.running():
        job.cancel()


def show_end(
    job: Job[Any],
    stopped: str,
    go_on: Callable[[], None],
    label: str = "Go on",
    refused: str = "",
) -> None:
    """Says that a job was stopped (the sentence `stopped`) or failed, with a button to do what is
    left. If it `refused` what it was given, this stands above its problems. Shows nothing of a job
    that runs or is done. Raises a failure of no expected kind.
    """
    if job.failure is None:
        return
    if refused and isinstance(job.failure, InvalidInput):
        st.error(refused, icon=":material/error:")
        st.html(markup.problems(job.failure.problems))
        return
    if isinstance(job.failure, Cancelled):
        st.info(stopped, icon=":material/stop_circle:")
    else:
        show_failure(job.failure)
    show_button(label, go_on, icon="refresh", type="tertiary")
