"""The view on fair shares, from top to bottom: by when each bag that arrives can be done."""

import math
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.model.budget import Cancelled
from core.model.problems import InvalidInput
from core.say.words import Sense, amount
from dashboard.common import markup
from dashboard.common.drawing import TOOLS
from dashboard.common.watch import watch
from dashboard.shell.background import Job, patience
from dashboard.shell.gave_up import show_failure
from dashboard.shell.guard import callback
from dashboard.stretch.answer import AskedShares, CheckedStretch, SharesFound, answering, trying
from dashboard.stretch.choices import StretchChoices, stretch_choices
from dashboard.stretch.dates_chart import PromisedDates, dates_figure
from dashboard.stretch.desk import BagsDesk, undo_step
from dashboard.stretch.panel import show_tables
from dashboard.stretch.plan_chart import plan_figure
from dashboard.stretch.toolbar import show_toolbar
from dashboard.stretch.words import (
    figures,
    promises_table,
    sentence,
    sentences,
    tried_said,
)
from dashboard.workspace import asking, session

PAGE: Final = "arrivals"
_ANSWER: Final = "shares"
_TRIED: Final = "stretch"
_PATIENCE: Final = 1.0


def show_shares(desk: BagsDesk, status: DeltaGenerator, exports: DeltaGenerator) -> None:
    """The view; `status` is the place for progress, `exports` that for files to take away."""
    if desk.notes:
        st.warning("This was ignored in the address: " + "; ".join(desk.notes) + ".")
    headline = st.container()
    show_toolbar(desk)
    found = st.container()
    asked = AskedShares(desk.system.fingerprint, desk.inputs)
    jobs = asking.jobs(PAGE)
    job = jobs.ask(_ANSWER, asked, answering(desk.system, asked))
    job.wait(1, patience(_PATIENCE))
    answer = job.latest
    tried: Job[CheckedStretch] | None = None
    if answer is not None:
        wanted = stretch_choices(answer, desk.stretch)
        tried = jobs.ask(_TRIED, (asked, wanted.now), trying(answer, wanted.now))
        tried.wait(1, patience(_PATIENCE))
    seen = jobs.state()
    with found:
        show_end(job)
        if answer is not None and tried is not None:
            with headline:
                show_headline(answer)
            show_found(desk, answer, tried)
        elif job.running:
            st.caption("The best possible worst stretch is being looked for.")
    if answer is None:
        st.subheader("Bags and machines", anchor=False)
        show_tables(desk)
    del exports
    with status:
        watch(jobs, seen, awaited=True)


def show_undo(desk: BagsDesk) -> None:
    st.button(
        "Undo",
        icon=":material/undo:",
        disabled=not desk.past,
        on_click=undo_step,
        args=(desk,),
        help="Takes back the last change of these bags.",
    )


def show_end(job: Job[SharesFound]) -> None:
    """What is to be said of a job that ended without an answer."""
    failure = job.failure
    if failure is None:
        return
    if isinstance(failure, InvalidInput):
        st.error("These bags cannot be planned:", icon=":material/error:")
        st.html(markup.problems(failure.problems))
        return
    if isinstance(failure, Cancelled):
        st.info("The search was stopped.", icon=":material/stop_circle:")
    else:
        show_failure(failure)
    st.button("Go on", on_click=callback(_go_on), type="tertiary", icon=":material/refresh:")


def _go_on() -> None:
    asking.jobs(PAGE).drop(_ANSWER)


def show_headline(answer: SharesFound) -> None:
    st.header(sentence(answer), anchor=False)
    if answer.wrong:
        st.error(
            "An independent check disagrees with this plan. Do not rely on it.",
            icon=":material/error:",
        )
    st.html(markup.items(sentences(answer)))


def show_found(desk: BagsDesk, answer: SharesFound, job: Job[CheckedStretch]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="figures"):
        for figure in figures(answer):
            st.metric(figure.label, figure.value, help=figure.meaning, border=True, width=212)
    choices = stretch_choices(answer, desk.stretch)
    tried = job.latest
    show_stretch(desk, answer, choices, tried)
    clock = answer.asked.inputs.clock
    left, right = st.columns([4, 3], gap="large")
    with left:
        st.subheader("Release and promise of each bag", anchor=False)
        before = None if answer.after is None else answer.before.deadlines
        can_be_kept = tried is None or tried.tried.is_possible
        promised = PromisedDates(
            answer.promises(choices.now), can_be_kept, answer.now.baseline, before
        )
        st.plotly_chart(
            dates_figure(answer.now.bags, promised, clock),
            key="stretch_dates",
            config=TOOLS,
            alt="Chart: for each bag its release, how long it takes alone, and by when it is done. "
            f"{sentence(answer)}",
        )
    with right:
        st.subheader("Bags and machines", anchor=False)
        show_tables(desk)
    st.dataframe(
        promises_table(answer, choices.now, tried),
        hide_index=True,
        height="content",
        alt="The promise for each bag",
    )
    if tried is not None and tried.plan is not None:
        st.subheader("Links and machines in the plan", anchor=False)
        st.plotly_chart(
            plan_figure(tried.plan, clock),
            key="stretch_plan",
            config=TOOLS,
            alt="Gantt chart: what part of the master, of each link and of each kind of machines "
            "every bag has over time",
        )
        st.caption(
            "A plan for tasks that can be split. Each row is as high as all of its machines, or "
            "its whole bandwidth; a bar is the part that a bag has. Links that are hardly used "
            "have no row."
        )


def show_stretch(
    desk: BagsDesk, answer: SharesFound, choices: StretchChoices, tried: CheckedStretch | None
) -> None:
    """The slider of stretches, and whether the one that is chosen is possible."""
    key = session.fresh_key("stretch.stretch", (choices.now, choices.low, choices.high))
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
    said = tried_said(answer, tried, choices.now)
    if tried.tried.is_possible:
        st.success(said, icon=":material/check_circle:")
    else:
        st.error(said, icon=":material/block:")


def _take_stretch(desk: BagsDesk, key: str, choices: StretchChoices) -> None:
    value: float = st.session_state[key]
    desk.stretch = None if math.isclose(value, choices.best) else value
