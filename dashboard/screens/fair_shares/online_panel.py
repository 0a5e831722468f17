"""The part of the page on bags that are known only when they arrive: release by release."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from core.capabilities.fair_shares.shares import FairShares
from core.capabilities.fair_shares.tasks.policies import ONLINE_POLICIES, OnlineStep
from core.engines.compute.task import Task
from core.vocabulary.problems import InvalidInput
from core.vocabulary.say.words import Sense
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame import markup
from dashboard.parts.frame.watch import show_end
from dashboard.parts.told import show_table
from dashboard.screens.fair_shares.answer import again, ask, computed
from dashboard.screens.fair_shares.state import BagsDesk
from dashboard.screens.fair_shares.tasks_chart import Moment, shown_said, task_rows, tasks_figure
from dashboard.screens.fair_shares.whole_tasks import (
    may_replay,
    may_step,
    replay_effort,
    steps_found,
)
from dashboard.screens.fair_shares.words import changes_said, online_said, online_table
from dashboard.server.background import Job

_JOB: Final = "online"
_POLICY: Final = "fair_shares.online policy"
_USUAL: Final = "cbs3m-edf-online"


def ask_online(desk: BagsDesk, answer: FairShares) -> Job[Sequence[OnlineStep]] | None:
    """The plans made at each release, if whole tasks were asked for."""
    if not desk.look.whole or not may_step(answer):
        return None
    policy: str = st.session_state.get(_POLICY) or _USUAL
    task = Task(steps_found, (answer.now.bags, policy, replay_effort()))
    return ask(_JOB, desk, computed("Planning release by release", task), policy)


def show_online(desk: BagsDesk, answer: FairShares, job: Job[Sequence[OnlineStep]] | None) -> None:
    """Who is known at a release, what was done until then, and what is planned and promised."""
    if not desk.look.whole or not may_replay(answer):
        return
    if job is None:
        st.subheader("Online, step by step", anchor=False)
        st.caption(
            "There are too many releases for a plan of each; take fewer bags or fewer tasks."
        )
        return
    if isinstance(job.failure, InvalidInput):
        return  # the replays say why
    st.subheader("Online, step by step", anchor=False)
    policy = show_look(
        "Policy online",
        ONLINE_POLICIES,
        _POLICY,
        lambda name: ONLINE_POLICIES[name].label,
        default=_USUAL,
    )
    st.caption(f"{ONLINE_POLICIES[policy].label}: {ONLINE_POLICIES[policy].sentence}.")
    show_end(job, "Planning was stopped.", again(_JOB), "Go on release by release")
    if job.latest:
        _show_step(answer, job.latest)
    elif job.running:
        st.caption("Plans are being made release by release.")


def _show_step(answer: FairShares, steps: Sequence[OnlineStep]) -> None:
    at = _chosen_release(answer, steps)
    step, clock = steps[at], answer.asked.clock
    st.markdown(f"**{online_said(answer, step)}**")
    st.html(markup.items(changes_said(answer, steps, at)))
    rows = task_rows(step.planned)
    first = min(float(one.planned.sent.min()) for one in steps)
    last = max(float(one.planned.end.max()) for one in steps)
    show_chart(
        tasks_figure(step.planned, rows, clock, Moment(step.now, first, last)),
        "fair_shares_online",
        alt="Gantt chart: what each machine has run until this release, and what is planned for "
        f"the rest. {online_said(answer, step)}",
    )
    st.caption(
        "Solid: what was done until this release, which is the line. Pale: the plan for the bags "
        f"that are known then.{shown_said(rows, step.planned)}"
    )
    show_table(online_table(answer, steps, at))


def _chosen_release(answer: FairShares, steps: Sequence[OnlineStep]) -> int:
    """Which release is looked at; the last to begin with."""
    if len(steps) == 1:
        st.caption("All bags are released at once, so there is one plan.")
        return 0
    key, span = f"fair_shares.online {len(steps)}", answer.span
    at: int = st.session_state.setdefault(key, len(steps) - 1)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        for label, icon, to in (
            ("Previous release", "chevron_left", at - 1),
            ("Next release", "chevron_right", at + 1),
        ):
            show_button(label, _go_to, key, to, icon=icon, disabled=to not in range(len(steps)))
    chosen: int = st.select_slider(
        "Release",
        list(range(len(steps))),
        format_func=lambda k: answer.asked.clock.said(steps[k].now, Sense.PLAIN, span),
        key=key,
        help="The policy learns of a bag when it is released, and plans what is left anew.",
    )
    return chosen


def _go_to(key: str, at: int) -> None:
    st.session_state[key] = at
