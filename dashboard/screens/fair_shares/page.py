"""Fair shares: by when each bag of tasks that arrives can be done."""

import math
from dataclasses import replace
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.capabilities.fair_shares.bags_reader import inspect_bags_bytes
from core.capabilities.fair_shares.plan import FluidPlan
from core.capabilities.fair_shares.shares import (
    NO_CHANGE,
    BesidePromises,
    FairShares,
    OneMore,
    TriedStretch,
    try_stretch,
)
from core.capabilities.fair_shares.tasks.policies import faults_of, scores_of
from core.capabilities.fair_shares.told import promises, told
from core.capabilities.fair_shares.words import shares_lead
from core.engines.compute.task import Task
from core.shells.told.told import Told
from core.vocabulary.say.words import Sense, amount
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.desk import show_undo
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import Opening
from dashboard.parts.frame.watch import show_end, show_fault, show_page_title, watch
from dashboard.parts.told import (
    figures_row,
    show_key_figures,
    show_lead,
    show_sentences,
    show_table,
    show_unverified,
)
from dashboard.screens.fair_shares import state
from dashboard.screens.fair_shares.answer import (
    PAGE,
    CheckedFront,
    KeptPromises,
    Replays,
    again,
    answering,
    ask,
    at_best,
    computed,
    kept_promises,
    one_more,
)
from dashboard.screens.fair_shares.choices import StretchChoices, stretch_choices
from dashboard.screens.fair_shares.dates_chart import PromisedDates, dates_figure, plan_figure
from dashboard.screens.fair_shares.panel import (
    ask_energy,
    picked_bag,
    show_energy,
    show_moving,
    show_pickable,
    show_tables,
)
from dashboard.screens.fair_shares.state import BagsDesk
from dashboard.screens.fair_shares.take_away import show_shares_downloads
from dashboard.screens.fair_shares.toolbar import show_toolbar
from dashboard.screens.fair_shares.whole_panel import (
    ask_kept,
    ask_online,
    ask_trials,
    ask_whole,
    show_online,
    show_trials,
    show_whole,
)
from dashboard.screens.fair_shares.words import (
    one_more_table,
    tried_said,
)
from dashboard.server.background import Job, patience
from dashboard.server.guard import callback
from dashboard.workspace import asking, session

_ANSWER: Final = "shares"
_PATIENCE: Final = 1.0
OPENING: Final = Opening(
    "fair_shares.bags",
    "The bags",
    "This file has no valid bags.",
    inspect_bags_bytes,
    lambda file, bags: state.give(file.name, bags),
    verb="were",
)


def main() -> None:
    desk = state.current()
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="status"):
        status = show_page_title("Fair shares")
        show_undo(desk, "Takes back the last change of these bags.")
        exports = st.container(width="content")
    OPENING.show()
    if state.source() == "system" and state.day_of_log() is not None:
        st.caption(
            "Each bag has the tasks of one type on a mean day of the log, and is released at the "
            "hour in which most of them come. Other releases and numbers are typed below."
        )
    answer = show_shares(desk, status)
    st.page_link(
        "screens/arrivals/page.py",
        label="Which policy earns most as jobs arrive? Policies",
        icon=":material/schedule:",
    )
    state.write_address()
    if answer is not None:
        st.session_state[state.ANSWERED] = answer.asked
        with exports, st.popover("Export", icon=":material/download:", key="take-away"):
            show_shares_downloads(answer)


def show_shares(desk: BagsDesk, status: DeltaGenerator) -> FairShares | None:
    """What is asked, and the answer that is shown; `status` is the place for progress."""
    if desk.notes:
        st.warning("This was ignored in the address:", icon=":material/warning:")
        st.html(markup.items(desk.notes))
    headline = st.container()
    show_toolbar(desk)
    jobs = asking.jobs(PAGE)
    job = ask(_ANSWER, desk, answering(desk))
    job.wait(1, patience(_PATIENCE))
    answer = job.latest
    if answer is None:
        seen = jobs.state()
        refused = "These bags cannot be planned:"
        show_end(job, "The search was stopped.", again(_ANSWER), refused=refused)
        if job.running:
            st.caption("The best possible worst stretch is being looked for.")
        st.subheader("Bags and machines", anchor=False)
        show_tables(desk)
    else:
        tried = look_at(desk, answer)
        more = ask_one_more(desk, answer)
        energy = ask_energy(desk, answer)
        few = ask_kept(desk, answer)
        whole = ask_whole(desk, answer, (few and few.latest) or ())
        kept = kept_promises(answer, few, whole)
        online = ask_online(desk, answer)
        trials = ask_trials(desk, answer)
        seen = jobs.state()
        said = told(answer, kept.worst, session.site())
        with headline:
            show_headline(said, answer, kept)
        with figures_row():
            show_key_figures(said.figures, 212)
        show_found(desk, answer, tried, kept)
        if more.latest is not None:
            st.subheader("What one more would bring", anchor=False)
            show_table(one_more_table(answer, more.latest))
        show_energy(answer, energy, stretch_choices(answer, desk.look.stretch))
        show_whole(desk, answer, whole)
        show_trials(desk, answer, trials)
        show_online(desk, answer, online)
        answer = with_beside(answer, few if whole is None else whole, energy)
    with status:
        watch(jobs, seen, awaited=True)
    return answer


def with_beside(
    answer: FairShares,
    whole: Replays | None,
    energy: Job[CheckedFront] | None,
) -> FairShares:
    """The answer with what else is known by now, for the report."""
    policies = (whole.latest if whole is not None else None) or ()
    front = energy.latest if energy is not None else None
    beside = BesidePromises(
        scores_of(policies),
        None if front is None else front.front,
        faults_of(policies),
        () if front is None else tuple(front.wrong),
    )
    return replace(answer, asked=replace(answer.asked, beside=beside))


def look_at(desk: BagsDesk, answer: FairShares) -> TriedStretch | None:
    """What is known at the stretch that is chosen; None as long as it is being planned."""
    wanted = stretch_choices(answer, desk.look.stretch)
    if wanted.is_best:
        return at_best(answer)
    task = Task(try_stretch, (answer.now.bags, wanted.now, answer.now.baseline))
    job = ask("stretch", desk, computed("Planning at this stretch", task, at_once=True), wanted.now)
    job.wait(1, patience(_PATIENCE))
    show_fault(job)
    return job.latest


def ask_one_more(desk: BagsDesk, answer: FairShares) -> Job[tuple[OneMore, ...]]:
    """What one more of each would bring to the bags without the what-if."""
    unchanged = desk.system.fingerprint, replace(desk.inputs, change=NO_CHANGE)
    work = computed("Trying one more of each", Task(one_more, (answer.before,)))
    return asking.jobs(PAGE).ask("one more", unchanged, work)


def show_headline(said: Told, answer: FairShares, kept: KeptPromises) -> None:
    show_lead(said)
    if answer.wrong:
        show_unverified("this plan")
    show_sentences(replace(said, sentences=(kept.said, *said.sentences)))


def show_found(
    desk: BagsDesk, answer: FairShares, tried: TriedStretch | None, kept: KeptPromises
) -> None:
    choices = stretch_choices(answer, desk.look.stretch)
    show_stretch(desk, answer, choices, tried)
    left, right = st.columns([4, 3], gap="large")
    with left:
        show_dates(desk, answer, choices, tried, kept)
    with right:
        st.subheader("Bags and machines", anchor=False)
        show_tables(desk)
    st.subheader("Promises", anchor=False)
    plan = None if tried is None else tried.plan
    whole = kept.beside(answer, choices.exact)
    show_table(promises(answer, choices.exact, plan, whole))
    if kept.best is not None:
        st.caption(
            "Promise and plan: for tasks that can be split. Whole tasks: when the last one ends "
            f"under {kept.best.policy.label}, the best replay, and how much later (+) or earlier "
            "(−) than promised."
        )
    if plan is not None:
        show_plan(answer, plan)


def show_stretch(
    desk: BagsDesk, answer: FairShares, choices: StretchChoices, tried: TriedStretch | None
) -> None:
    """The slider of stretches, and whether the one that is chosen is possible."""
    # One slider for each range, which keeps the focus while a person moves it.
    name = f"fair_shares.stretch {choices.low} {choices.high}"
    key = session.fresh_key(name, choices.now)
    st.slider(
        "Stretch that is promised",
        choices.low,
        choices.high,
        choices.now,
        choices.step,
        format=f"%.{choices.decimals}f",
        key=key,
        on_change=callback(_take_stretch),
        args=(desk, key, choices),
        help="Each bag is promised to be done within so many times what it takes alone. The best "
        f"possible is {amount(answer.now.stretch, Sense.SPENT)}: below it, some promise breaks.",
    )
    if tried is None:
        st.caption("The plan at this stretch is being made.")
        return
    said = tried_said(answer, tried, choices)
    if not tried.is_possible:
        st.error(said, icon=":material/block:")
    elif tried.wrong:
        show_unverified("this plan")
    else:
        st.success(said, icon=":material/check_circle:")


def _take_stretch(desk: BagsDesk, key: str, choices: StretchChoices) -> None:
    value: float = st.session_state[key]
    desk.see(stretch=None if math.isclose(value, choices.best) else value)


def show_dates(
    desk: BagsDesk,
    answer: FairShares,
    choices: StretchChoices,
    tried: TriedStretch | None,
    kept: KeptPromises,
) -> None:
    st.subheader("Release and promise of each bag", anchor=False)
    before = None if answer.after is None else answer.before.deadlines
    can_be_kept = tried is None or tried.is_possible
    due, picked = answer.promises(choices.exact), picked_bag(answer)
    promised = PromisedDates(
        due,
        can_be_kept,
        answer.now.baseline,
        before,
        None if kept.best is None else kept.best.outcome.completion,
    )
    show_pickable(
        answer,
        dates_figure(answer.now.bags, promised, answer.asked.clock, picked, session.system()),
        "Chart: for each bag its release, how long it takes alone, and by when it is done. "
        f"{shares_lead(answer, kept.worst)}",
    )
    show_moving(desk, answer)


def show_plan(answer: FairShares, plan: FluidPlan) -> None:
    st.subheader("Links and machines in the plan", anchor=False)
    show_chart(
        plan_figure(plan, answer.asked.clock, session.system()),
        "fair_shares_plan",
        alt="Gantt chart: what part of the master, of each link and of each kind of machines every "
        "bag has over time",
    )
    st.caption(
        "A plan for tasks that can be split. Each row is as high as all of its machines, or its "
        "whole bandwidth; a bar is the part that a bag has. Links that are hardly used have no row."
    )


main()
