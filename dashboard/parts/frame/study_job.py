"""The study of the system in force: a session makes it once, for all pages that show it."""

from typing import Final

import streamlit as st

from core import System
from dashboard.parts.fields import idle_power
from dashboard.server.background import Job, is_crowded, patience
from dashboard.workspace import asking, session
from dashboard.workspace.answering import (
    Kept,
    StagedStudy,
    answering,
    kept_answers,
    to_show,
    with_all_known,
)
from dashboard.workspace.trade_off_settings import TradeOffSettings

JOBS: Final = "trade_offs"
STUDY: Final = "study"
# How long a page waits before it is drawn (s): for the bound, and on a first visit for schedules.
PATIENCE: Final = 0.2
FIRST_PATIENCE: Final = 1.0


@st.cache_resource(show_spinner=False)
def answers() -> Kept:
    return kept_answers()


def ask_study(system: System, settings: TradeOffSettings) -> Job[StagedStudy]:
    """The job that makes the study. The page waits briefly for it, so that it is drawn once."""
    shown = session.shown()
    known = shown.study if shown and shown.system.fingerprint == system.fingerprint else None
    job = asking.jobs(JOBS).ask(
        STUDY,
        (system.fingerprint, settings.polish_settings),
        answering(system, settings.polish_settings, answers(), known, arriving=shown is None),
    )
    if job.latest is None:
        job.wait(1, patience(PATIENCE))
    if job.running and job.shown < 2:  # the bound may have come at once
        if shown is None:
            job.wait(2, FIRST_PATIENCE)
        elif is_crowded() and not idle_power.is_passing():
            job.wait(2, patience(PATIENCE))
    return job


def answer_of(job: Job[StagedStudy], system: System) -> StagedStudy | None:
    """The study to show, with all that is known of its system; it is kept for other pages."""
    answer = with_all_known(to_show(session.shown(), job.latest, system))
    if answer is not None:
        session.show(answer)
    return answer
