"""The trade-off of energy and makespan: what is impossible, what was achieved, what to pick."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import streamlit as st

from core import System
from core.capabilities.trade_offs.here import here_said
from core.capabilities.trade_offs.measured import savings_in_two_parts
from core.capabilities.trade_offs.told import counts, figures, has_trade_off, lead
from core.engines.front.axis import Axis
from core.engines.front.study import Study
from core.engines.front.wish import StatedWish
from core.vocabulary.say.without_work import what_switching_off_brings
from core.vocabulary.say.words import Sense, duration
from core.vocabulary.schedule import Schedule
from core.vocabulary.without_work import USUAL_IDLE_SHARE
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.fields import idle_power
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.idle_power import (
    Corners,
    Fronts,
    curves,
    fraction_of,
    sweeping,
    without_idle,
)
from dashboard.parts.fields.in_browser import ROW_PIXELS, scroll_to_row
from dashboard.parts.frame import markup, trade_off_state
from dashboard.parts.frame.trade_off_state import (
    JOBS,
    PATIENCE,
    STUDY,
    answer_of,
    ask_study,
    choose_by_hand,
    here_on,
)
from dashboard.parts.frame.watch import show_fault, show_page_title, watch
from dashboard.parts.told import show_frame, show_key_figures
from dashboard.patches.credible import rows_are_among
from dashboard.patches.hearing import believing_only
from dashboard.screens.trade_offs.contenders import (
    Contender,
    KeptContenders,
    contending,
    kept_contenders,
    system_for,
)
from dashboard.screens.trade_offs.figures import idle_power_said, table
from dashboard.screens.trade_offs.front_chart import Picture, frame_of, front_figure
from dashboard.screens.trade_offs.idle_powers_chart import idle_figure
from dashboard.screens.trade_offs.picking import line_of
from dashboard.screens.trade_offs.toolbar import show_answer_downloads, show_toolbar
from dashboard.screens.trade_offs.wishes import (
    answer_wish,
    show_chosen,
    show_wish,
    show_wish_handle,
)
from dashboard.server.background import Job, Jobs, patience
from dashboard.server.caching import BY_CONTENT
from dashboard.server.guard import callback
from dashboard.workspace import asking, session
from dashboard.workspace.answering import Stage, StagedStudy, may_be_bettered, searching
from dashboard.workspace.trade_off_settings import TradeOffSettings

if TYPE_CHECKING:
    from streamlit.elements.arrow import DataframeStateInput

CHART: Final = "front"
TABLE: Final = "trade_offs.table"
WISHED: Final = "wish"
SEEN: Final = "trade_offs.seen"
BESIDE: Final = "trade_offs.beside"
FEW_ROWS: Final = 7
"""A table with at most so many rows shows all of them without scrolling."""


@st.cache_resource(show_spinner=False)
def contenders() -> KeptContenders:
    return kept_contenders()


def main() -> None:
    settings = trade_off_state.current()
    trade_off_state.write_address(settings)
    system = idle_power.looked_at().system
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="status"):
        status = show_page_title("Trade-offs")
        place = st.container(width="content")
    if system.apc is None:
        show_without_power()
        return
    jobs = asking.jobs(JOBS)
    job = ask_study(system, settings)
    idle, rivals = ask_others(jobs, system, settings)
    state = jobs.state()
    answer = answer_of(job, system)
    show_fault(job)
    search_for_wish(jobs, answer, system, settings)
    if answer is not None:
        if answer.system == system:
            show_answer(answer, settings, idle, [job.latest for job in rivals if job.latest])
        else:
            show_answer(answer, settings, (), [])
    with place, st.popover("Export", icon=":material/download:", key="take-away"):
        show_answer_downloads(answer, system, settings)
    with status:
        show_status(job, answer, system, settings)
        watch(jobs, state, awaited=answer is None or answer.system != system)


def ask_others(
    jobs: Jobs, system: System, settings: TradeOffSettings
) -> tuple[Fronts, list[Job[Contender]]]:
    """The fronts at other idle powers, and the jobs of rivals, as far as they are shown."""
    idle: Fronts = ()
    if "idle" in settings.show:
        base = without_idle(system)
        sweep = jobs.ask("idle", base.fingerprint, sweeping(base))
        sweep.wait(1, patience(PATIENCE))
        idle = sweep.latest or ()
    rivals = []
    for name in settings.rivals:
        given = system_for(name, system)
        work = contending(name, given, contenders())
        rivals.append(jobs.ask(name, given.fingerprint, work))
    wanted = {STUDY, WISHED, *settings.rivals} | ({"idle"} if "idle" in settings.show else set())
    jobs.keep_only(wanted)
    return idle, rivals


def search_for_wish(
    jobs: Jobs, answer: StagedStudy | None, system: System, settings: TradeOffSettings
) -> None:
    """Searches for schedules that meet the wish once the study is whole; the archive keeps them. A
    cap on every moment has schedules of its own: it does not wait for polish.
    """
    stated = settings.wish
    if stated is None or answer is None or idle_power.is_passing():
        jobs.drop(WISHED)
        return
    wish = stated.wish(settings.axis_of(stated.kind, float(answer.study.nadir[0])).per_joule)
    begun = answer.system == system and answer.stage is not Stage.BOUND
    if not answer.answers(system, settings.polish_settings) and not (
        begun and np.isfinite(wish.peak_limit)
    ):
        jobs.drop(WISHED)
        return
    if may_be_bettered(answer.study, wish):
        work = searching(answer.study, wish, settings.polish_settings.seconds)
        jobs.ask(WISHED, (system.fingerprint, settings.polish_settings, wish), work)


def is_awaited(study: Study, wish: StatedWish | None) -> bool:
    """Whether schedules that keep a cap on every moment are still searched for. Until then, those
    that happen to keep it may take a hundred times as long.
    """
    if (
        wish is None
        or wish.kind != "peak"
        or any(proof.watts == wish.amount for proof in study.proven.peaks)
    ):
        return False
    return any(name == WISHED and running for name, _, _, running in asking.jobs(JOBS).state())


def show_answer(
    answer: StagedStudy, settings: TradeOffSettings, idle: Fronts, rivals: list[Contender]
) -> None:
    study, passing = answer.study, idle_power.is_passing()
    joules = float(study.nadir[0])
    axis = settings.axis_of(None, joules)
    wish_axis = axis if settings.wish is None else settings.axis_of(settings.wish.kind, joules)
    there = [rival.on(study.system) for rival in rivals]
    # While the idle power is dragged, a wish picks nothing.
    awaited = is_awaited(study, settings.wish)
    reply = None if passing or awaited else answer_wish(study, settings.wish, wish_axis)
    line = None if settings.wish is None else line_of(settings.wish, wish_axis, reply)
    said = lead(study, axis, final=answer.stage is Stage.WHOLE)
    st.header(said, anchor=False)
    here = here_on(study.system)
    with st.container():  # so that what is below stays in its place
        if here is not None:
            chosen = plan_in_view(study)[0] if chosen_point(study) else None
            steady = study if answer.stage is Stage.WHOLE else None
            with st.container(key="here"):
                st.html(markup.note(here_said(here, steady, chosen, settings.site)))
        for beside in said_beside(study):
            st.caption(beside)
    brings = what_switching_off_brings(*plan_in_view(study)) if len(study.achieved) else ""
    instead = answer.stage is Stage.WHOLE and not has_trade_off(study)
    if instead:
        show_instead(brings)
    left, right = st.columns([13, 5], gap="large")
    with left:
        show_toolbar(settings)
        picture = held(
            Picture(
                study,
                axis,
                settings.show,
                there,
                chosen_point(study),
                answer.underway,
                line,
                idle_power.before(),
                here=None if here is None else here.schedule,
            )
        )
        show_front(picture, said)
        show_wish_handle(picture, settings.wish, wish_axis)
    with right:
        idle_power.show_idle_power()
        if brings and not instead:
            st.html(markup.note(brings))
        show_wish(study, settings)
        if awaited:
            st.caption("Searching for schedules that keep this at every moment …")
        else:
            show_chosen(study, reply, wish_axis)
    if len(study.achieved):
        with st.container(horizontal=True, gap="small", key="figures"):
            show_key_figures(figures(study, axis, settings.site), 168)
    if idle:
        show_idle_powers(idle, axis, study.system)
    show_rivals(there)
    if len(study.achieved):
        with st.container(key="schedules"):
            show_table(study, axis)


def show_instead(brings: str) -> None:
    """Where time saves no energy: what switching off brings, and the page that says where."""
    if brings:
        st.html(markup.note(brings))
    st.page_link(
        "screens/switch_off/page.py",
        label="Which nodes may sleep instead? What to switch off",
        icon=":material/power_settings_new:",
    )


def said_beside(study: Study) -> list[str]:
    """What an assumption would change, and what rests on estimates; while the slider is dragged,
    what it was, so that nothing moves.
    """
    now = session.workspace()
    if not idle_power.is_passing():
        assumed = now.version.idle_assumed and now.idle.asleep_watts is None
        fraction = now.idle.idle_power or 0.0
        said = idle_power_said(study, fraction, USUAL_IDLE_SHARE) if assumed else ""
        st.session_state[BESIDE] = [one for one in (said, in_two_parts(study.system)) if one]
    found: list[str] = st.session_state.get(BESIDE, [])
    return found


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=BY_CONTENT)
def in_two_parts(system: System) -> str | None:
    """What rests on estimates; None if nothing can."""
    return savings_in_two_parts(system)


def held(picture: Picture) -> Picture:
    """While the slider is dragged, the axes stay, or grow where they must."""
    if not idle_power.is_passing():
        st.session_state[SEEN] = None
        return picture
    seen: Corners | None = st.session_state.get(SEEN)
    before = picture.before
    if seen is None and before is not None:
        frame = frame_of(Picture(before.study, picture.axis))
        seen = Corners(frame.low, frame.high)
    found = replace(picture, held=seen)
    frame = frame_of(found)
    st.session_state[SEEN] = Corners(frame.low, frame.high)
    return found


def show_idle_powers(fronts: Fronts, axis: Axis, system: System) -> None:
    """How other idle powers would change the front of the bound: a chart for each figure."""
    st.markdown("**At other idle powers** (lower bounds)")
    fraction = fraction_of(system)
    for place, curve in zip(st.columns(3, gap="medium"), curves(fronts, axis), strict=True):
        with place:
            st.caption(f"{curve.title} ({curve.unit})")
            show_chart(
                idle_figure(curve, fraction),
                f"idle-powers {curve.title}",
                alt=f"Line chart: {curve.title.lower()}, over the idle power",
            )


def plan_in_view(study: Study) -> tuple[Schedule, str]:
    """The chosen schedule if it is one of this system, else the fastest; and what it is called."""
    chosen = session.chosen()
    if chosen is not None and chosen.fingerprint_of_system == study.system.fingerprint:
        return chosen.schedule, "the chosen schedule"
    return study.schedules[np.flatnonzero(study.on_front)[-1]], "the fastest schedule"


def chosen_point(study: Study) -> tuple[float, float] | None:
    chosen = session.chosen()
    if chosen is None or chosen.fingerprint_of_system != study.system.fingerprint:
        return None
    return chosen.schedule.energy, chosen.schedule.makespan


def show_front(picture: Picture, said: str) -> None:
    show_chart(
        front_figure(picture),
        CHART,
        take=partial(take_point, picture),
        alt=f"Scatter chart: {picture.axis.title.lower()} and makespan of schedules, and the "
        f"lower bound. {said}",
    )


def take_point(picture: Picture, mark: list[Any]) -> None:
    """Chooses the schedule that was clicked."""
    name, _, place = "".join(map(str, mark[:1])).partition(" ")
    if not place.isdecimal():
        return
    number = int(place)
    for contender in picture.rivals:
        if contender.name == name and number < len(contender.schedules):
            choose_by_hand(contender.schedules[number], contender.title)
    if name == "here" and picture.here is not None:
        choose_by_hand(picture.here, "As in the log")
    if name == "study" and number < len(picture.study.schedules):
        take_schedule(picture.study, number, picture.axis)


def take_schedule(study: Study, index: int, axis: Axis) -> None:
    joules, seconds = study.points[index]
    title = f"{duration(seconds, Sense.SPENT)}, {axis.say(joules, Sense.SPENT)}"
    choose_by_hand(study.schedules[index], title)


def show_rivals(rivals: list[Contender]) -> None:
    if silent := [rival for rival in rivals if not rival.schedules]:
        st.html(markup.items(f"{rival.title}: {rival.remark}" for rival in silent))


def show_table(study: Study, axis: Axis) -> None:
    chosen = session.chosen()
    frame, indices = table(study, axis, None if chosen is None else chosen.schedule)
    rows = [
        row
        for row, index in enumerate(indices)
        if chosen is not None and study.schedules[index] is chosen.schedule
    ]
    selection: DataframeStateInput = {"selection": {"rows": rows, "columns": [], "cells": []}}
    # A new table for each marked row: a browser also reports a row that the page has marked, and a
    # late report must not count as a click.
    key = session.fresh_key(TABLE, selection)
    with believing_only(partial(rows_are_among, len(frame))):
        show_frame(
            frame,
            "The schedules on the front, the fastest first",
            key=key,
            row_height=ROW_PIXELS,
            height=300 if len(frame) > FEW_ROWS else "content",
            on_select=partial(take_row, study, indices, axis, key),
            selection_mode="single-row",
            selection_default=selection,
        )
    scroll_to_row("schedules", rows[0] if rows else None)
    passed = "all checked independently"
    failed = "NOT all passed the independent check"
    few = "" if len(frame) == len(study.achieved) else f"; {len(frame):,} that differ are shown"
    st.caption(f"{counts(study)}, {passed if study.verified else failed}{few}.")


@callback
def take_row(study: Study, indices: list[int], axis: Axis, key: str) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    chosen = session.chosen()
    if key != session.latest_key(TABLE):
        return
    # The browser also reports a row that the page has selected.
    if rows and (chosen is None or chosen.schedule is not study.schedules[indices[rows[0]]]):
        take_schedule(study, indices[rows[0]], axis)


def show_status(
    job: Job[StagedStudy], answer: StagedStudy | None, system: System, settings: TradeOffSettings
) -> None:
    """What is shown, and whether it has the settings asked for."""
    if answer is None:
        say = ":material/timelapse: Nothing to show yet"
    elif answer.system != system or answer.settings != settings.polish_settings:
        say = f":material/history: {answer.words}; the new settings are not done yet"
    elif answer.stage is Stage.BOUND:
        say = f":material/timelapse: {answer.words}"
    elif answer.study.verified:
        say = f":material/verified: {answer.words}"
    else:
        say = f":material/error: {answer.words}; the judge found FAULTS in some"
    st.caption(say, width="content")
    whole = job.latest is not None and job.latest.stage is Stage.WHOLE and not job.latest.stopped
    if not job.running and not whole:
        show_button("Go on", asking.jobs(JOBS).drop, STUDY, icon="refresh", type="tertiary")


def show_without_power() -> None:
    st.header("There is no trade-off to show yet: this system has no powers.", anchor=False)
    st.markdown(
        "Energy needs the average power (W) of each pair of task type and machine type (APC). "
        "Add a table **apc** with the layout of etc to the file that you open, or fill it in on "
        "the page Work. Without it, you can find the fastest schedule."
    )
    if st.button("See the fastest schedule", icon=":material/bolt:", type="primary"):
        st.switch_page("screens/schedule/page.py")


main()
