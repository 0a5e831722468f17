"""The day of the study in force that is replayed: its tasks, drawn as they arrive."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from core import System
from core.capabilities.arrivals.asked import DAY_SEED, GivenWorkload
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.made.system_work import HourlyWork, workload_of_hours
from core.capabilities.arrivals.study_block import digest_of
from core.engines.replay.workload import Truth
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import HOUR, Sense, amount, typed
from core.vocabulary.setting import NumberIn, WholeIn, setting
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_widget
from dashboard.parts.frame.handed import show_problems
from dashboard.parts.replays.rates import rates_of
from dashboard.screens.arrivals.state import STATE
from dashboard.workspace import asking, session

MOST_JOBS: Final = 100_000
"""Jobs a day that are drawn at most."""
_AREA: Final = "arrivals.day"
_OWN: Final = "arrivals.own"
_WANTED: Final = "arrivals.own wanted"
_REFUSED: Final = "arrivals.own refused"


@dataclass(frozen=True, slots=True)
class DayFields:
    """How a day is drawn, beside how often its tasks arrive."""

    fades: float | None = setting(
        None,
        NumberIn(Range(0.01, 10_000.0, "hours")),
        "Worth falls to 0 in (h)",
        "A job is worth 1 if it is done at once, and less the later, evenly.",
        blank="Never",
    )
    seed: int = setting(1, WholeIn(DAY_SEED), "Seed", "Equal seeds draw equal days.")


MadeDay = GivenWorkload | tuple[Problem, ...]
"""The workload, or why there is none."""


def show_own_day() -> None:
    """How the day of the study is drawn, and the way to its arrivals."""
    work = _work()
    jobs = float(work.a_day.sum())
    with st.popover("Your day", icon=":material/edit_calendar:"):
        st.caption(f"{amount(jobs, Sense.PLAIN)} tasks of this study a day, on its machines.")
        st.page_link(
            "screens/work/page.py",
            label="How many arrive in each hour: Work",
            icon=":material/assignment:",
        )
        for name in ("fades", "seed"):
            show_widget(DayFields(), name, key=f"{_AREA}.{name}", persist_state="session")
        many = jobs > MOST_JOBS
        show_button(
            "Replay this day",
            _want,
            icon="check",
            disabled=many,
            help=f"At most {typed(MOST_JOBS)} jobs a day are replayed here." if many else None,
        )


def take_own_day() -> None:
    """Unless another workload is chosen, it is a day of the task types of the system in force on
    its machines, as Work says or else at all hours alike. A drawn day stands in if that is none.
    """
    work, wanted = _work(), st.session_state.pop(_WANTED, False)
    key, given = (session.system().fingerprint, work), STATE.given()
    made_for, made = st.session_state.get(_OWN, (None, None))
    is_there = given is not None and (given is not made or made_for == key)
    if wanted or (STATE.current().workload == "own" and not is_there):
        _draw(work, key, wanted=wanted)
    refused_for, problems = st.session_state.get(_REFUSED, (None, ()))
    if refused_for == key:
        show_problems("These arrivals give no workload:", problems, ())


def _draw(work: HourlyWork, key: tuple[str, HourlyWork], *, wanted: bool) -> None:
    found: MadeDay = ()
    if 0 < work.a_day.sum() <= MOST_JOBS:
        title = session.workspace().version.title
        with st.spinner("Drawing the jobs …"):
            found = asking.compute(made_day, session.system(), work, title)
    if isinstance(found, GivenWorkload):
        st.session_state[_OWN] = key, found
        STATE.give(found)
    elif wanted:
        st.session_state[_REFUSED] = key, found
    else:
        STATE.fall_back()


def made_day(system: System, work: HourlyWork, title: str) -> MadeDay:
    """The workload of a day; problems that a person can mend are its result."""
    name = f"Jobs by hour on {title}"
    try:
        workload = workload_of_hours(system, work, name)
    except InvalidInput as invalid:
        return invalid.problems
    if not len(workload.jobs):
        return (Problem("", "", "", "no job arrives; type more on Work, or take another seed"),)
    digest = digest_of(repr((system.fingerprint, work)).encode())
    truth = Truth.as_estimated(len(workload.jobs))
    return GivenWorkload(name, digest, WorkloadFile(workload, truth))


def _work() -> HourlyWork:
    rates = rates_of(session.system(), session.workspace().version.seen.arrivals)
    fades = st.session_state.get(f"{_AREA}.fades")
    return HourlyWork(
        tuple(map(tuple, rates.tolist())),
        fades=None if fades is None else fades * HOUR,
        seed=st.session_state.get(f"{_AREA}.seed", DayFields().seed),
    )


def _want() -> None:
    st.session_state[_WANTED] = True
