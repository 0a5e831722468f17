"""Looks in on what runs behind a page, and draws the page anew when there is more to see."""

from typing import Final
from uuid import uuid4

import streamlit as st

from dashboard.shell.background import RIGHT_OF_WAY, Jobs, sessions_at_work
from dashboard.shell.guard import callback, guarded

POLL_SECONDS: Final = 0.5
LOOKS_A_SECOND: Final = 10
"""Of all sessions together: each is a run, and one more is one less for somebody's page."""


def watch(jobs: Jobs, state: object, *, awaited: bool = False) -> None:
    """`state` is that of the jobs from before the page was drawn. To be called last. What somebody
    has `awaited` is looked for as often as ever; what merely gets better less often where many
    look, and drawn after what they wait for.

    Not before the browser has the page whole: what a run cut short had set would be lost.
    """
    drawn = False

    def look() -> None:
        guarded(look_in, "progress")

    def look_in() -> None:
        if drawn and jobs.state() != state:
            if not awaited:
                RIGHT_OF_WAY.stand_back()
            st.rerun()
        for job in jobs.running():
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.caption(job.progress.words, width="content")
                st.progress(job.progress.share, width=90)

    # Each drawing has its own watch, by a name of its own: one that looks in for a page which has
    # just been drawn anew would have Streamlit forget what it has not sent of that yet.
    look.__qualname__ = f"look {uuid4().hex}"
    running = jobs.running()
    more = bool(running) or jobs.state() != state
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="running"):
        if running:  # of the page, and not of the watch: whenever it is pressed, it is heard
            st.button(
                "Stop",
                on_click=callback(_stop),
                args=(jobs,),
                type="tertiary",
                icon=":material/stop:",
            )
        seconds = POLL_SECONDS if awaited else poll_seconds(sessions_at_work())
        st.fragment(look, run_every=seconds if more else None)()
    drawn = True


def poll_seconds(sessions: int) -> float:
    """From one look to the next, of so many sessions that look."""
    return max(POLL_SECONDS, sessions / LOOKS_A_SECOND)


def _stop(jobs: Jobs) -> None:
    for job in jobs.running():
        job.cancel()
