"""The part of the page on whole tasks: policies by their scores, and one of them machine by
machine.
"""

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core.capabilities.fair_shares.share_words import later_by
from core.capabilities.fair_shares.shares import FairShares
from core.capabilities.fair_shares.tasks.policies import PUBLISHED_POLICIES, TASK_POLICIES
from core.capabilities.fair_shares.tasks.words import (
    SCORE_TITLES,
    policies_table,
    score_said,
    told_of_policies,
)
from core.vocabulary.problems import InvalidInput
from core.vocabulary.say.words import Sense, amount, counted
from dashboard.parts.charts.drawing import TOOLS
from dashboard.parts.fields.choice import show_choice
from dashboard.parts.frame import markup
from dashboard.parts.frame.ending import show_end
from dashboard.parts.told import show_table
from dashboard.screens.fair_shares.answer import AskedShares
from dashboard.screens.fair_shares.desk import BagsDesk
from dashboard.screens.fair_shares.policies_chart import LeastPossible, PolicyBar, policies_figure
from dashboard.screens.fair_shares.tasks_chart import task_rows, tasks_figure
from dashboard.screens.fair_shares.whole_tasks import (
    PolicyFound,
    may_replay,
    replaying_tasks,
    tasks_of,
)
from dashboard.server.background import Job
from dashboard.server.guard import callback
from dashboard.workspace import asking

PAGE: Final = "fair_shares"
_JOB: Final = "whole tasks"


def ask_whole(
    desk: BagsDesk, answer: FairShares, known: Sequence[PolicyFound]
) -> Job[Sequence[PolicyFound]] | None:
    """The replays of all policies, if they were asked for; some may be known."""
    if not desk.whole or not may_replay(answer):
        return None
    key = AskedShares(desk.system.fingerprint, desk.inputs)
    return asking.jobs(PAGE).ask(_JOB, key, replaying_tasks(answer, known))


def show_whole(desk: BagsDesk, answer: FairShares, job: Job[Sequence[PolicyFound]] | None) -> None:
    st.subheader("Whole tasks", anchor=False)
    if not may_replay(answer):
        st.caption(
            f"{counted(tasks_of(answer), 'task')} are more than this page replays one by one. The "
            "command wattfront stretch --policy all does."
        )
        return
    if job is None:
        st.caption(
            "Promises and plan are for tasks that can be split. See what comes of whole tasks "
            f"under {len(PUBLISHED_POLICIES)} published policies and ours."
        )
        st.button(
            "Replay whole tasks",
            icon=":material/play_arrow:",
            on_click=callback(_ask),
            args=(desk,),
        )
        return
    _show_end(job)
    found = job.latest
    if found:
        _show_policies(answer, found)
        if not job.running:  # the best is known
            _show_tasks(answer, found)


def _ask(desk: BagsDesk) -> None:
    desk.whole = True


def _show_end(job: Job[Sequence[PolicyFound]]) -> None:
    if isinstance(job.failure, InvalidInput):
        st.error("Whole tasks cannot be replayed:", icon=":material/error:")
        st.html(markup.problems(job.failure.problems))
    else:
        show_end(job, "The replays were stopped.", _go_on, "Go on with the policies")


def _go_on() -> None:
    asking.jobs(PAGE).drop(_JOB)


def _show_policies(answer: FairShares, found: Sequence[PolicyFound]) -> None:
    wrong = [f"{one.label}: {fault}" for one in found for fault in one.wrong]
    scores, least = {one.label: one.scores for one in found}, answer.now.proven
    lead = told_of_policies(scores, least).lead
    st.markdown(f"**{lead}**")
    if wrong:
        st.error("A judge disagrees with these outcomes:", icon=":material/error:")
        st.html(markup.items(wrong))
    score = show_choice(
        "Score",
        SCORE_TITLES,
        format_func=SCORE_TITLES.__getitem__,
        default="max_stretch",
        key="stretch.score",
        persist_state="session",
        label_visibility="collapsed",
    )
    left, right = st.columns([3, 4], gap="large")
    with left:
        st.plotly_chart(
            policies_figure(policy_bars(found, score), score, _least(answer, score)),
            key="stretch_policies",
            config=TOOLS,
            alt=f"Bar chart: {SCORE_TITLES[score]} under each policy. {lead}",
        )
    with right:
        show_table(policies_table(scores, least, score))


def policy_bars(found: Sequence[PolicyFound], score: str) -> list[PolicyBar]:
    """A bar for each policy."""
    return [
        PolicyBar(one.label, one.scores[score], score_said(score, one.scores[score]))
        for one in found
    ]


def _least(answer: FairShares, score: str) -> LeastPossible | None:
    """What is proven, which is of the worst stretch alone."""
    if score != "max_stretch":
        return None
    least = answer.now.proven
    return LeastPossible(least, f"possible at least: {amount(least, Sense.LOWER_BOUND)}")


def ends_table(answer: FairShares, chosen: PolicyFound) -> pd.DataFrame:
    """When each bag ends as whole tasks, beside its promise."""
    clock, span, now = answer.asked.clock, answer.span, answer.now
    ends = chosen.outcome.completion
    flows = ends - now.bags.release[now.bags.present]
    return pd.DataFrame(
        {
            "Bag": list(now.bags.names),
            "Promise": [clock.said(float(one), Sense.SPENT, span) for one in now.deadlines],
            "Whole tasks end": [clock.said(float(one), Sense.SPENT, span) for one in ends],
            "Later than promised": [later_by(one) for one in (ends - now.deadlines).tolist()],
            "Stretch": [amount(one, Sense.SPENT) for one in (flows / now.baseline).tolist()],
        }
    )


def _show_tasks(answer: FairShares, found: Sequence[PolicyFound]) -> None:
    order = sorted(found, key=lambda one: one.scores["max_stretch"])
    name = st.selectbox(
        "Task by task under",
        [one.name for one in order],
        format_func=lambda one: TASK_POLICIES[one].label,
        key="stretch.policy",
        width=280,
        help="All of them by worst stretch, the best first.",
    )
    chosen = next((one for one in order if one.name == name), order[0])
    st.caption(f"{chosen.label}: {TASK_POLICIES[chosen.name].sentence}.")
    st.dataframe(
        ends_table(answer, chosen),
        hide_index=True,
        height="content",
        alt=f"When each bag ends under {chosen.label}, beside its promise",
    )
    rows = task_rows(chosen.outcome)
    st.plotly_chart(
        tasks_figure(chosen.outcome, rows, answer.asked.clock),
        key="stretch_tasks",
        config=TOOLS,
        alt=f"Gantt chart: what each machine runs under {chosen.label}, and when data come to it",
    )
    shown, all_ = len(rows.machines), answer.now.bags.system.machines
    some = f" {shown:,} of {counted(all_, 'machine')} are shown." if shown < all_ else ""
    st.caption(
        "Thick bars: tasks that a machine runs. Thin bars above them: data on their way to it."
        + some
    )
