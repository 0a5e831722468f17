"""Late and uncertain: how to plan tasks that arrive late and whose run times are estimates only."""

from functools import partial
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.arrivals.bags_told import thriftiest
from core.capabilities.arrivals.study_block import digest_of
from core.capabilities.arrivals.trials import BagFigure
from core.capabilities.arrivals.uncertain.methods import WEIGHED
from core.shells.told.told import Told
from core.vocabulary.say.words import Sense, amount
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.fields.setting import show_field, show_look
from dashboard.parts.frame import markup
from dashboard.parts.frame.watch import show_page_title, watch
from dashboard.parts.replays.answering import (
    ask,
    show_finding,
    show_refusal,
    show_replay_steps,
    show_run,
)
from dashboard.parts.replays.pool_panel import choose_policy, show_units
from dashboard.parts.replays.rates import rates_of
from dashboard.parts.replays.replaying import ArrivalsFound
from dashboard.parts.replays.take_away import show_arrivals_downloads, show_arrivals_study
from dashboard.parts.told import figures_row, show_key_figures, show_sentences, show_table
from dashboard.screens.late.boxes_chart import boxes_figure
from dashboard.screens.late.own_tasks import own_tasks
from dashboard.screens.late.state import STATE
from dashboard.server.background import Job
from dashboard.workspace import asking, session

EXCHANGES: Final = (0.0, 100.0, 300.0, 1_000.0, 3_000.0, 10_000.0)
"""Exchange rates to choose from (J/s). Above the last, outcomes of drawn bags hardly change."""
_OWN: Final = "late.own"
_SHOWN: Final[dict[str, tuple[BagFigure, str]]] = {
    "Makespan": ("makespan", "makespans"),
    "Energy": ("joules", "energies"),
}
_show: Final = partial(show_field, "late", STATE.take)


def main() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="status"):
        status = show_page_title("Late and uncertain")
        exports = st.container(width="content")
    take_own_tasks()
    settings = STATE.current()
    headline = st.container()
    left, right = st.columns([3, 1], gap="large")
    with right:
        show_controls(settings)
    STATE.write_address()
    if STATE.asked() is None and settings.chosen:
        STATE.ask()
    asked = STATE.asked()
    jobs = asking.jobs(STATE.page)
    job = None if asked is None else ask(STATE, asked)
    seen = jobs.state()
    if asked is not None and job is not None:
        show_found(job, settings, headline, left)
        if job.latest is not None and job.latest.done:
            what = "The tasks" if job.latest.settings.is_given else "The first bag"
            st.subheader(f"{what}, unit by unit", anchor=False)
            show_units(STATE, job.latest, choose_policy(STATE, job.latest, label="Method"))
            with exports, st.popover("Export", icon=":material/download:", key="take-away"):
                show_arrivals_downloads(job.latest)
                show_arrivals_study(asked)
    with status:
        watch(jobs, seen, awaited=True)


def take_own_tasks() -> None:
    """Unless drawn bags are chosen, the tasks are those of the system in force. Drawn bags stand in
    as long as methods for bags can tell nothing of these, and the page says why.
    """
    settings, now, given = STATE.current(), session.workspace(), STATE.given()
    known = now.version.seen.arrivals
    asked = now.system.fingerprint, known and known.fingerprint, settings.errors, settings.seed
    key = digest_of(repr(asked).encode())
    before, made = STATE.refusal(), (key, given and given.digest)
    is_there = given is not None and st.session_state.get(_OWN) == made
    if (STATE.is_of_study and not is_there) or (before is not None and before.digest != key):
        rates = rates_of(now.system, known)
        with st.spinner("Drawing the tasks …"):
            found = asking.compute(own_tasks, now.system, rates, settings.errors, settings.seed)
        if isinstance(found, str):
            STATE.refuse(key, found)
        else:
            st.session_state[_OWN] = key, found.digest
            STATE.give(found)
    show_refusal(STATE, "A day of your own tasks cannot be planned", "drawn bags")


def show_controls(settings: ArrivalsSettings) -> None:
    _show(settings, "workload", options=STATE.names, label="Tasks")
    _show(settings, "errors", segmented=True)
    if not settings.is_given:
        st.html(markup.context("not your tasks", (), is_sample=True))
        _show(settings, "machines", segmented=True)
        _show(settings, "days", label="Bags")
    if WEIGHED.name in settings.methods:
        show_replay_steps(
            STATE,
            settings,
            "exchange",
            (None, *EXCHANGES),
            lambda rate: amount(rate, Sense.TYPED, "J/s"),
        )
    with st.expander("Methods and seed"):
        _show(settings, "methods")
        _show(settings, "seed")
    show_run(STATE, settings)


def show_found(
    job: Job[ArrivalsFound],
    settings: ArrivalsSettings,
    headline: DeltaGenerator,
    left: DeltaGenerator,
) -> None:
    found, said = job.latest, show_finding(STATE, job, settings, headline)
    if found is None or said is None:
        return
    with headline:
        st.caption(thriftiest(found.shown))
    with left:
        show_boxes(found, said)
    with figures_row():
        show_key_figures(said.figures, 176)
    first, *others = said.tables
    show_table(first)
    show_sentences(said)
    for table in others:
        with st.expander(table.title):
            show_table(table)


def show_boxes(found: ArrivalsFound, said: Told) -> None:
    """Expected against actual makespan, or energy, of each method."""
    title = show_look("Makespan or energy", _SHOWN, "late.figure")
    figure, name = _SHOWN[title]
    told = said.lead if figure == "makespan" else thriftiest(found.shown)
    show_chart(
        boxes_figure(found.shown, figure),
        f"late_{name}",
        alt=f"Box chart: expected and actual {title.lower()} of each method. {told}",
    )
    explained = "Bars say what was expected from estimates, and what then happened."
    if len(found.shown.common) > 1:
        explained = "A box is the middle half of all bags; its line is the median."
    if found.shown.bag_bounds("makespan").size:
        explained += (
            " The dashed line is the lower bound, on average: what no method could have beaten, "
            "had it known how long each task takes."
        )
    st.caption(explained)


main()
