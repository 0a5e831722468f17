"""The part *What happened* of the page: a log beside the schedule that was run."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from core.capabilities.compare_run.amiss import machine_lines
from core.capabilities.compare_run.recorded import DUMP
from core.capabilities.compare_run.told import told
from core.vocabulary.schedule import Schedule
from dashboard.parts.charts.gantt import gantt
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import given
from dashboard.parts.frame.watch import watch
from dashboard.parts.opening.log_folder import LogFolder, LogUploads
from dashboard.parts.opening.log_reading import read_uploads, show_outcome
from dashboard.parts.taking.take_away import download
from dashboard.parts.told import show_frame
from dashboard.screens.schedule.happened import (
    MOST_AMISS,
    MOST_IN_FILE,
    MOST_LISTED,
    MOST_MACHINES,
    Happened,
    LogVerdict,
    amiss_table,
    machine_table,
    read_happened,
)
from dashboard.server.background import Job, patience
from dashboard.workspace import asking, session
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.export import file_name

_PAGE: Final = "schedule"
_JOB: Final = "happened"
_PATIENCE: Final = 1.0


def show_happened(chosen: Chosen, bound: float) -> None:
    """What a log that was opened says of the chosen schedule. `bound` is the lower bound on the
    makespan (s).
    """
    st.subheader("What happened", anchor=False)
    jobs = asking.jobs(_PAGE)
    log = given("schedule.log", _read_again)
    if log is None:
        st.caption(
            "Export the schedule as batch scripts, run submit.sh, and open the log when the jobs "
            f"have ended, to see both Gantt charts one above the other: `{DUMP}`. Other jobs in "
            "the log are left out."
        )
        return
    asked = log.identity, chosen.fingerprint
    job = jobs.ask(_JOB, asked, _reading(log.files, chosen.schedule))
    job.wait(1, patience(_PATIENCE))
    state = jobs.state()
    answer = show_outcome(job, _read_again)
    if isinstance(answer, Happened):
        _show_answer(answer, chosen.schedule, bound)
    elif answer is not None:
        st.error("The log cannot be compared with this schedule:", icon=":material/error:")
        st.html(markup.problems(answer))
    watch(jobs, state, awaited=True, key="reading")


def _reading(uploads: LogUploads, schedule: Schedule) -> Callable[[Job[LogVerdict]], None]:
    """The work of a job that reads uploads, and sets them beside the schedule."""

    def work(job: Job[LogVerdict]) -> None:
        job.show(read_uploads(job, LogFolder(), uploads, read_happened, schedule))

    return work


def _read_again() -> None:
    asking.jobs(_PAGE).drop(_JOB)


def _show_answer(found: Happened, schedule: Schedule, bound: float) -> None:
    compared = found.compared
    said = told(compared)
    st.html(markup.items([said.lead, *said.sentences]))
    if compared.makespan is None:
        return
    machines = len(compared.machines)
    if machines > MOST_MACHINES:
        st.caption(f"The {MOST_MACHINES} machines of {machines:,} that deviate most.")
    planned = gantt(schedule, found.planned, bound, until=found.seconds)
    measured = gantt(schedule, found.measured, bound, until=found.seconds, failed=found.failed)
    for title, figure in (("Planned", planned), ("Measured", measured)):
        st.markdown(f"**{title}**")
        show_chart(
            figure,
            f"schedule_{title.lower()}",
            alt=f"Gantt chart: the tasks of each machine, {title.lower()}",
        )
    alt = "Planned and measured, machine by machine; those that deviate most first"
    show_frame(machine_table(found), alt, height="auto")
    if machines > MOST_LISTED:
        st.caption(f"The first {MOST_LISTED} of {machines:,} machines; the file has all.")
    title = session.workspace().title
    with st.container(width=240):
        download(
            "All machines (CSV)",
            lambda: "".join(machine_lines(compared)).encode(),
            file_name(title, ".csv", "measured"),
        )
    if found.amiss:
        _show_amiss(found, title)


def _show_amiss(found: Happened, title: str) -> None:
    """The tasks that failed or are missing, one by one."""
    compared = found.compared
    tasks = compared.failed + compared.missing
    st.markdown("**Failed and missing tasks**")
    said = "Tasks that failed or are missing, in the order of the schedule"
    show_frame(amiss_table(found), said, height="auto")
    if tasks > MOST_AMISS:
        st.caption(f"The first {MOST_AMISS:,} of {tasks:,} tasks; {_what_the_file_has(tasks)}.")
    with st.container(width=240):
        download(
            "Failed and missing tasks (CSV)",
            lambda: found.amiss_file,
            file_name(title, ".csv", "amiss"),
        )


def _what_the_file_has(tasks: int) -> str:
    if tasks <= MOST_IN_FILE:
        return "the file has all"
    return f"the file has {MOST_IN_FILE:,}, and wattfront compare-run --amiss writes all"
