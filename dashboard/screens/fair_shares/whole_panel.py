"""The part of the page on whole tasks: policies by their scores, one of them machine by machine,
trials with other release dates, and bags that are known only when they arrive.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import plotly.graph_objects as go
import streamlit as st

from core.capabilities.fair_shares.settings import PAGE_TRIALS
from core.capabilities.fair_shares.shares import FairShares
from core.capabilities.fair_shares.tasks.policies import (
    ONLINE_POLICIES,
    PUBLISHED_POLICIES,
    TASK_POLICIES,
    OnlineStep,
    PolicyRun,
    faults_of,
    scores_of,
)
from core.capabilities.fair_shares.told import (
    SCORE_TITLES,
    means_table,
    policies_table,
    redrawn_said,
    score_said,
    told_of_policies,
    told_of_trials,
)
from core.capabilities.fair_shares.trials import TaskTrials, TrialScores, mean_gap
from core.capabilities.fair_shares.words import later_by
from core.engines.compute.task import Task
from core.shells.told.bars import ToldBar
from core.shells.told.told import ToldTable
from core.vocabulary.intervals import Interval
from core.vocabulary.problems import InvalidInput
from core.vocabulary.say.words import Sense, amount, counted, typed
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_look, show_widget
from dashboard.parts.frame import markup
from dashboard.parts.frame.watch import show_end
from dashboard.parts.told import show_sentences, show_table
from dashboard.screens.fair_shares.answer import (
    FIRST_SEED,
    LIKELY_BEST,
    TRIAL_POLISH,
    Replays,
    again,
    ask,
    computed,
    may_replay,
    may_step,
    may_try,
    replay_effort,
    replaying,
    steps_found,
    tasks_of,
    trying_releases,
)
from dashboard.screens.fair_shares.state import BagsDesk
from dashboard.screens.fair_shares.tasks_chart import (
    Moment,
    means_figure,
    scores_figure,
    shown_said,
    task_rows,
    tasks_figure,
)
from dashboard.screens.fair_shares.words import changes_said, online_said, online_table
from dashboard.server.background import Job
from dashboard.workspace import session

_JOB: Final = "whole tasks"
_TRIALS: Final = "trials"
_KNOWN: Final = "wattfront.fair_shares.trials"
_NUMBER: Final = "fair_shares.trials"
_USUAL: Final = 20


def ask_whole(desk: BagsDesk, answer: FairShares, known: Sequence[PolicyRun]) -> Replays | None:
    """The replays of all policies, if they were asked for; some may be known."""
    if not desk.look.whole or not may_replay(answer):
        return None
    return ask(_JOB, desk, replaying(answer, TASK_POLICIES, known))


def ask_kept(desk: BagsDesk, answer: FairShares) -> Replays | None:
    """Replays under the policies that are likely best; None if there are too many tasks."""
    if not may_replay(answer):
        return None
    return ask("kept", desk, replaying(answer, LIKELY_BEST, unasked=True))


def show_whole(desk: BagsDesk, answer: FairShares, job: Replays | None) -> None:
    st.subheader("Whole tasks", anchor=False)
    if not may_replay(answer):
        st.caption(
            f"{counted(tasks_of(answer), 'task')} are more than this page replays one by one. The "
            "command wattfront fair-shares --policy all does."
        )
        return
    if job is None:
        st.caption(
            "Promises and plan are for tasks that can be split. See what comes of whole tasks "
            f"under {len(PUBLISHED_POLICIES)} published policies and ours."
        )
        show_button("Replay whole tasks", lambda: desk.see(whole=True), icon="play_arrow")
        return
    refused, go_on = "Whole tasks cannot be replayed:", "Go on with the policies"
    show_end(job, "The replays were stopped.", again(_JOB), go_on, refused)
    found = job.latest
    if found:
        _show_policies(answer, found)
        if not job.running:  # the best is known
            _show_tasks(answer, found)


def _show_policies(answer: FairShares, found: Sequence[PolicyRun]) -> None:
    scores, wrong, least = scores_of(found), faults_of(found), answer.now.proven
    lead = told_of_policies(scores, least).lead
    st.markdown(f"**{lead}**")
    if wrong:
        st.error("A judge disagrees with these outcomes:", icon=":material/error:")
        st.html(markup.items(wrong))

    def drawn(score: str) -> tuple[go.Figure, ToldTable]:
        return policies_figure(answer, scores, score), policies_table(scores, least, score)

    _show_scores("Score", "policies", [3, 4], drawn, f"{{}} under each policy. {lead}")


def _show_scores(
    label: str,
    key: str,
    widths: Sequence[int],
    drawn: Callable[[str], tuple[go.Figure, ToldTable]],
    alt: str,
) -> None:
    """A choice of one of the five scores; its bars, and beside them its table."""
    score = show_look(label, SCORE_TITLES, f"shares.{key}.score", SCORE_TITLES.__getitem__)
    figure, table = drawn(score)
    left, right = st.columns(widths, gap="large")
    with left:
        said = f"Bar chart: {alt.format(SCORE_TITLES[score])}"
        show_chart(figure, f"fair_shares_{key}", alt=said)
    with right:
        show_table(table)


def policies_figure(
    answer: FairShares, scores: Mapping[str, Mapping[str, float]], score: str
) -> go.Figure:
    """Bars of a score, with what is proven, which is of the worst stretch alone."""
    bars = [
        ToldBar(TASK_POLICIES[one].label, Interval(of[score], 0.0), score_said(score, of[score]))
        for one, of in scores.items()
    ]
    least = answer.now.proven if score == "max_stretch" else None
    what = f"possible at least: {amount(answer.now.proven, Sense.LOWER_BOUND)}"
    return scores_figure(bars, score, least, what)


def ends_table(answer: FairShares, chosen: PolicyRun) -> ToldTable:
    """When each bag ends as whole tasks, beside its promise."""
    clock, span, now = answer.asked.clock, answer.span, answer.now
    ends = chosen.outcome.completion
    flows = ends - now.bags.release[now.bags.present]
    columns = {
        "Bag": list(now.bags.names),
        "Promise": [clock.said(float(one), Sense.SPENT, span) for one in now.deadlines],
        "Whole tasks end": [clock.said(float(one), Sense.SPENT, span) for one in ends],
        "Later than promised": [later_by(one) for one in (ends - now.deadlines).tolist()],
        "Stretch": [amount(one, Sense.SPENT) for one in (flows / now.baseline).tolist()],
    }
    return ToldTable.of_columns(f"When each bag ends under {chosen.policy.label}", columns)


def _show_tasks(answer: FairShares, found: Sequence[PolicyRun]) -> None:
    order = sorted(found, key=lambda one: one.scores.max_stretch)
    name = st.selectbox(
        "Task by task under",
        [one.name for one in order],
        format_func=lambda one: TASK_POLICIES[one].label,
        key="fair_shares.policy",
        width=280,
        help="All of them by worst stretch, the best first.",
    )
    chosen = next((one for one in order if one.name == name), order[0])
    st.caption(f"{chosen.policy.label}: {chosen.policy.sentence}.")
    show_table(ends_table(answer, chosen))
    rows, policy = task_rows(chosen.outcome), chosen.policy.label
    show_chart(
        tasks_figure(chosen.outcome, rows, answer.asked.clock, study=session.system()),
        "fair_shares_tasks",
        alt=f"Gantt chart: what each machine runs under {policy}, and when data come to it",
    )
    st.caption(
        "Thick bars: tasks that a machine runs. Thin bars above them: data on their way to it."
        + shown_said(rows, chosen.outcome)
    )


def ask_trials(desk: BagsDesk, answer: FairShares) -> Job[Sequence[TrialScores]] | None:
    """The trials, if they were asked for."""
    if not desk.look.trials or not desk.look.whole or not may_try(answer):
        return None
    before = st.session_state.get(_KNOWN)
    if before is None or before[0] != desk.asked:
        st.session_state[_KNOWN] = before = desk.asked, {}
    trials = desk.look.trials
    return ask(_TRIALS, desk, trying_releases(answer, trials, before[1]), trials)


def show_trials(desk: BagsDesk, answer: FairShares, job: Job[Sequence[TrialScores]] | None) -> None:
    """How many trials to run, and what came of them."""
    if not desk.look.whole or not may_try(answer):
        return
    st.subheader("Trials with other release dates", anchor=False)
    st.caption(
        "One set of release dates may favour a policy by luck. "
        f"{redrawn_said(mean_gap(answer.now.bags))} Means over trials have intervals of 95 %, and "
        "policies are compared trial by trial."
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        trials = replace(desk.look, trials=desk.look.trials or _USUAL)
        show_widget(trials, "trials", key=_NUMBER, width=140)
        show_button("Run trials", _ask_trials, desk, icon="play_arrow")
    if job is None:
        return
    show_end(job, "The trials were stopped.", again(_TRIALS), "Go on with the trials")
    found = job.latest or ()
    if len(found) in PAGE_TRIALS:
        _show_means(desk, TaskTrials.of(found))
    elif job.running:
        st.caption("The first trials are being replayed.")


def _ask_trials(desk: BagsDesk) -> None:
    desk.see(trials=int(st.session_state[_NUMBER]))


def _show_means(desk: BagsDesk, found: TaskTrials) -> None:
    done, asked, said = len(found.common), desk.look.trials, told_of_trials(found)
    some = "" if done == asked else f" So far {done:,} of {asked:,}."
    st.markdown(f"**{said.lead}**{some}")
    if found.refused:
        st.error("A judge disagrees with outcomes of these trials:", icon=":material/error:")
    show_sentences(said)

    def drawn(score: str) -> tuple[go.Figure, ToldTable]:
        return means_figure(found, score), means_table(found, score)

    _show_scores("Mean score", "trials", [5, 8], drawn, f"mean {{}}, with intervals. {said.lead}")
    st.caption(
        f"Polish takes {typed(TRIAL_POLISH)} s at each release here. `wattfront fair-shares SYSTEM "
        f"--policy all --trials {done} --seed {FIRST_SEED} --seconds "
        f"{typed(TRIAL_POLISH)}` draws the same trials."
    )


_ONLINE: Final = "online"
_POLICY: Final = "fair_shares.online policy"
_USUAL_ONLINE: Final = "cbs3m-edf-online"


def ask_online(desk: BagsDesk, answer: FairShares) -> Job[Sequence[OnlineStep]] | None:
    """The plans made at each release, if whole tasks were asked for."""
    if not desk.look.whole or not may_step(answer):
        return None
    policy: str = st.session_state.get(_POLICY) or _USUAL_ONLINE
    task = Task(steps_found, (answer.now.bags, policy, replay_effort()))
    return ask(_ONLINE, desk, computed("Planning release by release", task), policy)


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
        default=_USUAL_ONLINE,
    )
    st.caption(f"{ONLINE_POLICIES[policy].label}: {ONLINE_POLICIES[policy].sentence}.")
    show_end(job, "Planning was stopped.", again(_ONLINE), "Go on release by release")
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
        tasks_figure(step.planned, rows, clock, Moment(step.now, first, last), session.system()),
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
