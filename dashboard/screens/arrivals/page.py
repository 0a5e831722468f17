"""Arrivals: which policy to follow when work comes in over a day, and energy has a budget."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.capabilities.arrivals.asked import WORKLOADS, ArrivalsSettings
from core.capabilities.arrivals.bags_told import thriftiest
from core.capabilities.arrivals.told import worth_bars
from core.capabilities.arrivals.trials import BagFigure
from core.capabilities.arrivals.uncertain.methods import WEIGHED
from core.shells.told.told import Told
from core.vocabulary.say.words import Sense, amount, share
from dashboard.parts.charts.bars import bars_figure
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.fields.setting import show_field, show_steps
from dashboard.parts.frame.watch import show_end, show_page_title, watch
from dashboard.parts.told import (
    figures_row,
    show_key_figures,
    show_lead,
    show_sentences,
    show_table,
    show_unverified,
)
from dashboard.screens.arrivals import state
from dashboard.screens.arrivals.closer import show_closer_day
from dashboard.screens.arrivals.comparison_chart import boxes_figure
from dashboard.screens.arrivals.hours_editor import (
    show_hours,
    show_hours_button,
    take_own_work,
)
from dashboard.screens.arrivals.opening import (
    OPENING,
    ask_log,
    awaits_log,
    show_opened_log,
    show_opened_outcome,
    take_outcome,
)
from dashboard.screens.arrivals.replaying import ArrivalsFound, AskedReplays, replaying
from dashboard.screens.arrivals.take_away import show_arrivals_downloads, show_arrivals_study
from dashboard.server.background import Job, patience
from dashboard.workspace import asking, session

_JOB: Final = "replays"
_PATIENCE: Final = 1.0
_WORTH_ROW: Final = 34
"""The height of a bar (pixels)."""
BUDGETS: Final = tuple(step / 100 for step in range(40, 125, 5))
"""The energy budgets to choose from, as shares of what is spent without a budget."""
EXCHANGES: Final = (0.0, 100.0, 300.0, 1_000.0, 3_000.0, 10_000.0)
"""Exchange rates to choose from (J/s). Above the last, outcomes of drawn bags hardly change."""
_show: Final = partial(show_field, "arrivals", state.take)


def main() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="status"):
        status = show_page_title("Policies")
        show_hours_button()
        exports = st.container(width="content")
    OPENING.show()
    take_outcome()
    take_own_work()
    show_hours()
    ask_log()
    of_log = st.container()
    headline = st.container()
    settings = state.current()
    place = show_toolbar(settings)
    state.write_address()
    if state.asked() is None and settings.chosen and not awaits_log():
        state.ask()
    asked = state.asked()
    with place:
        show_run(settings)
    jobs = asking.jobs(state.PAGE)
    job = None if asked is None else ask(asked)
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
        there = [name for name in WORKLOADS if name != "own" or state.given() is not None]
        _show(settings, "workload", options=there, width=280)
        with st.popover("Day", icon=":material/event:"):
            for name in ("jobs", "days", "seed"):
                _show(settings, name)
        if settings.of_bags:
            _show(settings, "machines", segmented=True)
            _show(settings, "errors", segmented=True)
            if WEIGHED.name in settings.methods:
                said = partial(amount, sense=Sense.TYPED, unit="J/s")
                _show_steps(settings, "exchange", (None, *EXCHANGES), said)
        else:
            _show_budget(settings)
            with st.popover("Rules", icon=":material/rule:"):
                _show(settings, "drop_below")
                _show(settings, "filter")
        place = st.container(width="content")
    _show(settings, "methods" if settings.of_bags else "policies")
    return place


def _show_budget(settings: ArrivalsSettings) -> None:
    given = state.given()
    of_file = settings.workload == "own" and given is not None and given.has_budget
    how = {"blank": "As in the file"} if of_file else {}
    _show_steps(settings, "budget", (*BUDGETS, None), lambda one: share(one, Sense.TYPED), **how)


def _show_steps(
    settings: ArrivalsSettings,
    name: str,
    steps: Sequence[float | None],
    said: Callable[[float], str],
    **how: Any,
) -> None:
    key = session.fresh_key(f"arrivals.{name}", getattr(settings, name))
    how |= {"key": key, "width": 260, "on_change": state.take, "args": (name, key)}
    show_steps(settings, name, steps, said, **how)


def ask(asked: AskedReplays) -> Job[ArrivalsFound]:
    job = asking.jobs(state.PAGE).ask(_JOB, asked, replaying(asked))
    job.wait(1, patience(_PATIENCE))
    return job


def show_run(settings: ArrivalsSettings) -> None:
    what = "method" if settings.of_bags else "policy"
    why_not = None if settings.chosen else f"Choose at least one {what}."
    if settings.workload == "own" and awaits_log():
        why_not = "Wait until the workload of the log is made."
    st.button(
        "Replay",
        icon=":material/play_arrow:",
        type="primary",
        disabled=why_not is not None,
        help=why_not,
        on_click=state.ask,
    )


def show_found(
    job: Job[ArrivalsFound], settings: ArrivalsSettings, headline: DeltaGenerator
) -> None:
    found = job.latest
    show_end(job, "The replays were stopped.", lambda: state.go_on(job.latest))
    if found is None:
        if job.running:
            st.caption("The first replay is under way. Progress is at the top of the page.")
        return
    state.keep(found)
    said = found.told_at(session.site())
    with headline:
        show_headline(found, said, settings)
    if not found.shown.ranked:
        return
    with figures_row():
        show_key_figures(said.figures, 176)
    if found.settings.of_bags:
        show_bags(found, said)
    else:
        show_policies(found, said)


def show_headline(found: ArrivalsFound, said: Told, settings: ArrivalsSettings) -> None:
    """The answer, whether it is for settings that were changed since, and whether the judge refuses
    some outcome.
    """
    show_lead(said)
    if found.settings != settings:
        st.caption(
            ":material/history: This answer is for earlier settings. Press “Replay” for the "
            "present ones."
        )
    if found.shown.refused:
        show_unverified("an outcome that is shown")


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


def show_bags(found: ArrivalsFound, said: Told) -> None:
    """Expected against actual makespan and energy of each method."""
    left, right = st.columns(2, gap="large")
    with left:
        _show_boxes(found, "makespan", "makespans", said.lead)
    with right:
        _show_boxes(found, "joules", "energies", thriftiest(found.shown))
    explained = "A box is the middle half of all bags; its line is the median."
    if found.shown.bag_bounds("makespan").size:
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


def _show_boxes(found: ArrivalsFound, figure: BagFigure, name: str, said: str) -> None:
    title = "Makespan" if figure == "makespan" else "Energy"
    st.subheader(title, anchor=False)
    show_chart(
        boxes_figure(found.shown, figure),
        f"arrivals_{name}",
        alt=f"Box chart: expected and actual {title.lower()} of each method. {said}",
    )


main()
