"""Arrivals: which policy to follow when work comes in over a day, and energy has a budget."""

from functools import partial
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.arrivals.policies import CHOICES, VALUE
from core.capabilities.arrivals.told import worth_bars
from core.shells.told.told import Told
from core.vocabulary.say.words import Sense, share
from dashboard.parts.charts.bars import bars_figure
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.fields.setting import show_field
from dashboard.parts.frame.watch import show_page_title, watch
from dashboard.parts.replays.answering import ask, show_finding, show_replay_steps, show_run
from dashboard.parts.replays.replaying import ArrivalsFound
from dashboard.parts.replays.take_away import show_arrivals_downloads, show_arrivals_study
from dashboard.parts.told import (
    figures_row,
    show_key_figures,
    show_sentences,
    show_table,
)
from dashboard.screens.arrivals.closer import show_closer_day
from dashboard.screens.arrivals.opening import (
    CLASSES,
    OPENING,
    SIZES,
    ask_log,
    awaits_log,
    show_opened_log,
    show_opened_outcome,
    take_outcome,
)
from dashboard.screens.arrivals.own_day import show_own_day, take_own_day
from dashboard.screens.arrivals.sizes import show_sizes_and_prices
from dashboard.screens.arrivals.state import STATE
from dashboard.screens.arrivals.stopping import show_stopping
from dashboard.screens.arrivals.values import show_value
from dashboard.server.background import Job
from dashboard.workspace import asking

_WORTH_ROW: Final = 34
"""The height of a bar (pixels)."""
BUDGETS: Final = tuple(step / 100 for step in range(40, 125, 5))
"""The energy budgets to choose from, as shares of what jobs take without a budget."""
_show: Final = partial(show_field, "arrivals", STATE.take)


def main() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="status"):
        status = show_page_title("Policies")
        show_own_day()
        exports = st.container(width="content")
    OPENING.show()
    take_outcome()
    take_own_day()
    ask_log()
    CLASSES.show()
    SIZES.show()
    of_log = st.container()
    headline = st.container()
    settings = STATE.current()
    place = show_toolbar(settings)
    STATE.write_address()
    if STATE.asked() is None and settings.chosen and not awaits_log():
        STATE.ask()
    asked = STATE.asked()
    with place:
        awaited = settings.workload == "own" and awaits_log()
        show_run(
            STATE, settings, "Wait until the workload of the log is made." if awaited else None
        )
    jobs = asking.jobs(STATE.page)
    job = None if asked is None else ask(STATE, asked)
    seen = jobs.state()
    with of_log:
        show_opened_log()
    if asked is None or job is None:
        st.info(
            "Work comes in over a day, and each job is worth less the later it is done. Choose a "
            "workload, policies and an energy budget.",
            icon=":material/schedule:",
        )
    else:
        show_found(job, settings, headline)
        if job.latest is not None and job.latest.done:
            show_closer_day(job.latest, asked)
            with exports, st.popover("Export", icon=":material/download:", key="take-away"):
                show_arrivals_downloads(job.latest)
                show_arrivals_study(asked)
    show_opened_outcome()
    st.page_link(
        "screens/late/page.py",
        label="What if run times are estimates only? Late and uncertain",
        icon=":material/query_stats:",
    )
    st.page_link(
        "screens/fair_shares/page.py",
        label="By when can each bag of tasks be done? Fair shares",
        icon=":material/balance:",
    )
    with status:
        watch(jobs, seen, awaited=True)


def show_toolbar(settings: ArrivalsSettings) -> DeltaGenerator:
    """The toolbar; returns the place for the button that begins."""
    with st.container(
        horizontal=True, vertical_alignment="bottom", gap="small", key="arrivals-toolbar"
    ):
        there = [name for name in STATE.names if name != "own" or STATE.given() is not None]
        _show(settings, "workload", options=there, width=280)
        with st.popover("Day", icon=":material/event:"):
            for name in ("jobs", "days", "seed"):
                _show(settings, name)
        _show_budget(settings)
        with st.popover("Rules", icon=":material/rule:"):
            _show(settings, "drop_below")
            _show(settings, "filter")
        show_stopping(settings)
        if STATE.is_of_value:
            show_value(settings)
        place = st.container(width="content")
    _show(settings, "policies", options=_policies(settings))
    return place


def _policies(settings: ArrivalsSettings) -> list[str]:
    """The policies to choose from. Those of value of service are for workloads that have it."""
    return [
        name
        for name in CHOICES
        if STATE.is_of_value or name not in VALUE or name in settings.policies
    ]


def _show_budget(settings: ArrivalsSettings) -> None:
    given = STATE.given()
    if not settings.draws(given):  # no budget limits jobs that draw nothing
        return
    of_file = settings.workload == "own" and given is not None and given.has_budget
    how = {"blank": "As in the file"} if of_file else {}
    show_replay_steps(
        STATE, settings, "budget", (*BUDGETS, None), lambda one: share(one, Sense.TYPED), **how
    )


def show_found(
    job: Job[ArrivalsFound], settings: ArrivalsSettings, headline: DeltaGenerator
) -> None:
    found, said = job.latest, show_finding(STATE, job, settings, headline)
    if found is None or said is None:
        return
    with figures_row():
        show_key_figures(said.figures, 176)
    show_policies(found, said)


def show_policies(found: ArrivalsFound, said: Told) -> None:
    st.subheader("Worth by policy", anchor=False)
    show_chart(
        bars_figure(worth_bars(found.shown), _WORTH_ROW),
        "arrivals_worth",
        alt=f"Bar chart: the worth that each policy earns. {said.lead}",
    )
    st.caption(
        "100 %: what no policy can earn more than, not even one that knows all that comes (proven)."
        if found.shown.question.bounded
        else "100 %: each job begins when it arrives, on its fastest option."
    )
    show_table(said.tables[0])
    show_sentences(said)
    show_sizes_and_prices(found.shown)


main()
