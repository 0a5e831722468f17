"""The answer to another goal than the most reward, on the page."""

from collections.abc import Callable

import streamlit as st

from core import System
from core.capabilities.provision.goals.answer import in_progress
from core.capabilities.provision.goals.told import told
from core.engines.compute.task import Task
from dashboard.parts.charts.drawing import TOOLS
from dashboard.parts.told import show_key_figures, show_sentences
from dashboard.screens.provision.answer import ProvisionAsked
from dashboard.screens.provision.goal_result import GoalFound, decide
from dashboard.screens.provision.shopping_chart import shopping_bars
from dashboard.screens.provision.take_away import show_provisioned
from dashboard.server.background import Job


def deciding(system: System, asked: ProvisionAsked) -> Callable[[Job[GoalFound]], None]:
    """The work of a job that decides for a goal."""

    def work(job: Job[GoalFound]) -> None:
        job.begin("Finding what to buy")
        with job.turn() as turn:
            task = Task(decide, (system, asked.inputs), reports=True)
            told = turn.compute(task, report=lambda now: job.begin(in_progress(now)))
            job.show(told)

    return work


def show_goal_answer(found: GoalFound, *, is_current: bool) -> None:
    """What the purchase leads to, and the shopping list beside that for the mean future."""
    said = told(found.answer)
    show_sentences(said)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="figures"):
        show_key_figures(said.figures, "content")
        show_provisioned(found.purchase, is_current=is_current)
    st.subheader("What to buy", anchor=False)
    st.plotly_chart(
        shopping_bars(found.plan, found.purchases, found.asked.inputs.currency),
        key="provision_goal",
        config=TOOLS,
        alt="Bar chart: the machines to buy and to sell for this goal, and if only the mean future "
        f"counted. {said.lead}",
    )
