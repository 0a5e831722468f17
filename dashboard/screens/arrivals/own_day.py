"""The day of the study in force that is replayed: its tasks, drawn as they arrive."""

from dataclasses import replace
from typing import Final

import streamlit as st

from core import System
from core.capabilities.arrivals.asked import GivenWorkload
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.made.system_work import HourlyWork, workload_of_hours
from core.capabilities.arrivals.study_block import digest_of
from core.engines.replay.classes import JobClass, classes_of_rows
from core.engines.replay.workload import Truth
from core.vocabulary.say.words import HOUR, Sense, amount
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_field
from dashboard.parts.frame import markup
from dashboard.parts.replays.answering import show_refusal
from dashboard.parts.replays.class_table import classes_of_types
from dashboard.parts.replays.rates import rates_of, why_none
from dashboard.screens.arrivals.state import STATE
from dashboard.workspace import asking, session

MOST_JOBS: Final = 100_000
"""Jobs a day that are drawn at most."""
_WANTED: Final = "arrivals.own wanted"


def show_own_day() -> None:
    """How the day of the study is drawn, and the way to its arrivals."""
    work = _work()
    jobs, why_none = float(work.a_day.sum()), why_no_day(session.system(), work)
    with st.popover("Your day", icon=":material/edit_calendar:"):
        st.caption(f"{amount(jobs, Sense.PLAIN)} tasks of this study a day, on its machines.")
        st.page_link(
            "screens/work/page.py",
            label="How many arrive in each hour: Work",
            icon=":material/assignment:",
        )
        for name in ("fades", "seed"):
            show_field("arrivals.day", STATE.take_day, STATE.day(), name)
        if why_none:
            st.html(markup.note(why_none))
        show_button("Replay this day", _want, icon="check", disabled=bool(why_none))


def take_own_day() -> None:
    """Unless another workload is chosen, it is a day of the task types of the system in force on
    its machines, as Work says or else at all hours alike. If there is none, the page says why,
    and what it has instead, until there is one. The workload of a file stays, and that is said:
    also a day in a study file from before it had a mark of those that follow the study.
    """
    work, wanted = _work(), st.session_state.pop(_WANTED, False)
    digest, given = digest_of_day(session.system(), work), STATE.given()
    is_there = given is not None and given.digest == digest
    before = STATE.refusal()
    if wanted or (STATE.is_of_study and not is_there) or (before and before.digest != digest):
        _draw(work, digest)
    drawn = "a drawn day, which is not yours"
    show_refusal(STATE, "The day of this study cannot be replayed", drawn)
    if STATE.current().workload == "own" and not STATE.is_of_study:
        st.caption(
            ":material/description: This workload does not follow Work. Your day has the day of "
            "this study."
        )


def _draw(work: HourlyWork, digest: str) -> None:
    system, title = session.system(), session.workspace().version.title
    found: GivenWorkload | str = why_no_day(system, work)
    if not found:
        with st.spinner("Drawing the jobs …"):
            found = asking.compute(made_day, system, work, title)
    if isinstance(found, GivenWorkload):
        STATE.give(found)
    else:
        STATE.refuse(digest, found)


def why_no_day(system: System, work: HourlyWork) -> str:
    """Why the tasks of a system give no day, and what to change; empty if they may give one."""
    return why_none(system, work.a_day, MOST_JOBS)


def made_day(system: System, work: HourlyWork, title: str) -> GivenWorkload | str:
    """The workload of a day; or what to change if by chance it has no job."""
    name = f"Jobs by hour on {title}"
    workload = workload_of_hours(system, work, name)
    if not len(workload.jobs):
        return "By chance no task arrives. Take another seed in Your day, or type more on Work."
    file = WorkloadFile(workload, Truth.as_estimated(len(workload.jobs)))
    digest = digest_of_day(system, work)
    return GivenWorkload(name, digest, file, of_study=True, classes=work.classes.rows)


def digest_of_day(system: System, work: HourlyWork) -> str:
    """What tells the day from others."""
    return digest_of(repr((system.fingerprint, work)).encode())


def _work() -> HourlyWork:
    rates = rates_of(session.system(), session.workspace().version.seen.arrivals)
    day = STATE.day()
    fades = None if day.fades is None else day.fades * HOUR
    rows = [
        row if row.nothing_hours is not None else replace(row, nothing_hours=day.fades)
        for row in classes_of_types(session.system(), session.workspace().version.seen.classes)
        if row != JobClass(name=row.name)
    ]
    hours = tuple(map(tuple, rates.tolist()))
    return HourlyWork(hours, fades=fades, seed=day.seed, classes=classes_of_rows(rows))


def _want() -> None:
    st.session_state[_WANTED] = True
