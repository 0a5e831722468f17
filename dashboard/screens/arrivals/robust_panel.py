"""The part of the page Arrivals on bags with uncertain run times."""

from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.arrivals.bags_told import thriftiest, told
from core.capabilities.arrivals.told import policy_label
from core.capabilities.arrivals.uncertain.trials import BagTrials
from core.shells.told.told import Told
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.frame.watch import show_end
from dashboard.parts.told import show_lead, show_sentences, show_table
from dashboard.screens.arrivals import state
from dashboard.screens.arrivals.comparison_chart import boxes_figure
from dashboard.screens.arrivals.pool_panel import busiest_pool, choose_pool, show_pool
from dashboard.screens.arrivals.replaying import AskedReplays, trying_bags
from dashboard.server.background import Job, patience
from dashboard.workspace import asking

_JOB: Final = "bags"
_PATIENCE: Final = 1.0


def ask_bags(asked: AskedReplays) -> Job[BagTrials]:
    job = asking.jobs(state.PAGE).ask(_JOB, asked.turn, trying_bags(asked))
    job.wait(1, patience(_PATIENCE))
    return job


def show_headline(said: Told, *, is_earlier: bool, is_refused: bool) -> None:
    """The answer, whether it is for settings that were changed since, and whether the judge refuses
    some outcome.
    """
    show_lead(said)
    if is_earlier:
        st.caption(
            ":material/history: This answer is for earlier settings. Press “Replay” for the "
            "present ones."
        )
    if is_refused:
        st.error(
            "An independent check disagrees with some of these outcomes. Do not rely on them.",
            icon=":material/error:",
        )


def show_bags(job: Job[BagTrials], settings: ArrivalsSettings, headline: DeltaGenerator) -> None:
    """Expected against actual makespan and energy of each method."""
    show_end(job, "The replays were stopped.", lambda: state.go_on(job.latest))
    found = job.latest
    if found is None:
        if job.running:
            st.caption("The first bag is being replayed. Progress is at the top of the page.")
        return
    state.keep(found)
    said = told(found)
    with headline:
        show_headline(said, is_earlier=found.settings != settings, is_refused=bool(found.faults))
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Makespan", anchor=False)
        show_chart(
            boxes_figure(found, "seconds"),
            "arrivals_makespans",
            alt=f"Box chart: expected and actual makespan of each method. {said.lead}",
        )
    with right:
        st.subheader("Energy", anchor=False)
        show_chart(
            boxes_figure(found, "joules"),
            "arrivals_energies",
            alt=f"Box chart: expected and actual energy of each method. {thriftiest(found)}",
        )
    explained = "A box is the middle half of all bags; its line is the median."
    if found.bound("seconds") is not None:
        explained += (
            " The dashed line is the mean of the lower bounds: what no method could have beaten, "
            "had it known how long each task takes."
        )
    st.caption(explained)
    first, *others = said.tables
    show_table(first)
    for table in others:
        st.subheader(table.title, anchor=False)
        show_table(table)
    show_sentences(said)
    if found.records:
        show_first_bag(found)


def show_first_bag(found: BagTrials) -> None:
    """A Gantt chart of any machine in the first bag."""
    st.subheader("The first bag, core by core", anchor=False)
    methods = [method for method in found.methods if method in found.records]
    # Once all replays are there, the best is chosen anew.
    key = f"arrivals.bag method {not found.left}"
    if st.session_state.get(key) not in methods:
        st.session_state.pop(key, None)
    with st.container(horizontal=True, gap="small"):
        method: str = st.selectbox(
            "Method",
            methods,
            methods.index(found.best) if found.best in methods else 0,
            format_func=policy_label,
            key=key,
            width=320,
            persist_state="session",
        )
        outcome, key = found.records[method], "arrivals.bag pool"
        machines = range(len(outcome.workload.pools))
        usual = busiest_pool(outcome)
        if st.session_state.get(key, usual) not in machines:
            st.session_state.pop(key, None)
        pool = choose_pool(outcome, usual, key, persist_state="session")
    show_pool(outcome, pool, "arrivals_bag_gantt", policy_label(method))
