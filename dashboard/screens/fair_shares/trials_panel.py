"""The part of the page on trials: whether policies rank alike if bags are released otherwise."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from core.capabilities.fair_shares.redrawn import mean_gap
from core.capabilities.fair_shares.shares import FairShares
from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES
from core.capabilities.fair_shares.tasks.words import SCORE_TITLES
from core.capabilities.fair_shares.trials.drawn import TrialScores
from core.capabilities.fair_shares.trials.means import TrialMeans
from core.capabilities.fair_shares.trials.words import means_table, redrawn_said, told_of_trials
from core.vocabulary.say.words import typed
from dashboard.parts.charts.drawing import TOOLS
from dashboard.parts.fields.choice import show_choice
from dashboard.parts.frame import markup
from dashboard.parts.frame.ending import show_end
from dashboard.parts.told import show_table
from dashboard.screens.fair_shares.answer import AskedShares
from dashboard.screens.fair_shares.desk import BagsDesk
from dashboard.screens.fair_shares.policies_chart import means_figure
from dashboard.screens.fair_shares.trials import (
    FIRST_SEED,
    POLISH,
    TRIALS,
    may_try,
    trying_releases,
)
from dashboard.server.background import Job
from dashboard.server.guard import callback
from dashboard.workspace import asking

PAGE: Final = "fair_shares"
_JOB: Final = "trials"
_KNOWN: Final = "wattfront.stretch.trials"
_NUMBER: Final = "stretch.trials"
_USUAL: Final = 20


def ask_trials(desk: BagsDesk, answer: FairShares) -> Job[Sequence[TrialScores]] | None:
    """The trials, if they were asked for."""
    if not desk.trials or not desk.whole or not may_try(answer):
        return None
    asked = AskedShares(desk.system.fingerprint, desk.inputs)
    before = st.session_state.get(_KNOWN)
    if before is None or before[0] != asked:
        st.session_state[_KNOWN] = before = asked, {}
    work = trying_releases(answer, desk.trials, before[1])
    return asking.jobs(PAGE).ask(_JOB, (asked, desk.trials), work)


def show_trials(desk: BagsDesk, answer: FairShares, job: Job[Sequence[TrialScores]] | None) -> None:
    """How many trials to run, and what came of them."""
    if not desk.whole or not may_try(answer):
        return
    st.subheader("Trials with other release dates", anchor=False)
    st.caption(
        "One set of release dates may favour a policy by luck. "
        f"{redrawn_said(mean_gap(answer.now.bags))} Means over trials have intervals of 95 %, and "
        "policies are compared trial by trial."
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        low, high = int(TRIALS.low), int(TRIALS.high)
        st.number_input("Trials", low, high, desk.trials or _USUAL, key=_NUMBER, width=140)
        st.button(
            "Run trials",
            icon=":material/play_arrow:",
            on_click=callback(_ask),
            args=(desk,),
        )
    if job is None:
        return
    show_end(job, "The trials were stopped.", _go_on, "Go on with the trials")
    found = job.latest or ()
    if len(found) in TRIALS:
        _show_means(desk, TrialMeans.of(found))
    elif job.running:
        st.caption("The first trials are being replayed.")


def _ask(desk: BagsDesk) -> None:
    desk.trials = int(st.session_state[_NUMBER])


def _go_on() -> None:
    asking.jobs(PAGE).drop(_JOB)


def _show_means(desk: BagsDesk, means: TrialMeans) -> None:
    some = "" if means.trials == desk.trials else f" So far {means.trials:,} of {desk.trials:,}."
    said = told_of_trials(means)
    st.markdown(f"**{said.lead}** {said.sentences[0]}{some}")
    wrong = [
        f"{TASK_POLICIES[one.policy].label}: {fault}"
        for one in means.policies
        for fault in one.faults
    ]
    if wrong:
        st.error("A judge disagrees with outcomes of these trials:", icon=":material/error:")
        st.html(markup.items(wrong))
    score = show_choice(
        "Mean score",
        SCORE_TITLES,
        format_func=SCORE_TITLES.__getitem__,
        default="max_stretch",
        key="stretch.trials.score",
        persist_state="session",
        label_visibility="collapsed",
    )
    left, right = st.columns([5, 8], gap="large")
    with left:
        st.plotly_chart(
            means_figure(means, score),
            key="stretch_trials",
            config=TOOLS,
            alt=f"Bar chart with intervals: mean {SCORE_TITLES[score].lower()} under each policy. "
            f"{said.lead}",
        )
    with right:
        show_table(means_table(means, score))
    st.caption(
        f"Polish takes {typed(POLISH)} s at each release here. `wattfront stretch SYSTEM "
        f"--policy all --trials {means.trials} --seed {FIRST_SEED} --seconds {typed(POLISH)}` "
        "draws the same trials."
    )
