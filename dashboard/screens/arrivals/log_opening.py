"""Opens accounting logs: their jobs are replayed in place of drawn ones."""

from typing import Any, Final, get_args

import streamlit as st

from core.capabilities.arrivals.asked import GivenWorkload
from core.capabilities.arrivals.made.from_logs import LogUnit, LogWork, LogWorkload
from core.engines.replay.workload import UNITS, WATTS
from core.files.findings import Unreadable
from dashboard.parts.opening.elsewhere import given, show_elsewhere
from dashboard.parts.opening.log_folder import LogFolder, LogUploads
from dashboard.parts.opening.log_limits import limits, not_kept
from dashboard.parts.opening.log_reading import show_outcome, show_refused
from dashboard.screens.arrivals import state
from dashboard.screens.arrivals.log_work import (
    COMMAND,
    LogWorkDesk,
    MadeOfLog,
    ReadLog,
    made_said,
    making_work,
    reading_logs,
)
from dashboard.screens.arrivals.opening import show_problems
from dashboard.server.background import Job, patience
from dashboard.server.guard import callback
from dashboard.workspace import asking

PAGE: Final = "arrivals"
FILES: Final = "arrivals.logs"
_DESK: Final = "arrivals.log"
_READ: Final = "log read"
_MAKE: Final = "log work"
_PATIENCE: Final = 1.0
_PLACE: Final = "arrivals.log"
_UNITS: Final[dict[LogUnit, str]] = {"cores": "A core", "nodes": "A node"}


def show_open_log() -> None:
    """The upload of logs, and what one unit is. A worker process reads the logs."""
    desk = _desk()
    files = st.file_uploader(
        "Accounting logs: dumps of sacct or SWF logs; plain, compressed, or in a ZIP",
        accept_multiple_files=True,
        key=FILES,
        on_change=_forget_removed,
        help="Each job arrives when it did, takes the cores that it had, and is expected to take "
        "the time that it asked for. A good dump is: sacct --allusers --allocations --parsable2 "
        "--format=JobID,State,Submit,Start,Elapsed,Timelimit,AllocCPUS,NNodes",
    )
    uploads = tuple(file.file_id for file in st.session_state[FILES])
    content: LogUploads = [(file.name, file.getbuffer()) for file in files]
    if (handed := given(_PLACE, uploads, _read_again)) is not None:
        uploads, content = (handed.identity,), [(handed.name, handed.data)]
    if missing := len(uploads) - len(content):
        st.error(not_kept(missing, len(uploads), COMMAND), icon=":material/error:")
        return
    if not uploads:
        st.caption(limits(COMMAND))
        return
    jobs = asking.jobs(PAGE)
    if uploads != desk.uploads:
        desk.take(uploads)
        jobs.drop(_MAKE)
        jobs.ask(_READ, uploads, reading_logs(LogFolder(), content))
    desk.work = _show_choices()
    job: Job[Any] = (
        jobs.ask(_READ, uploads, lambda _: None)
        if desk.opened is None
        else jobs.ask(_MAKE, (uploads, desk.work), making_work(desk.opened, desk.work))
    )
    job.wait(1, patience(_PATIENCE))


def _show_choices() -> LogWork:
    with st.container(horizontal=True, gap="small"):
        unit = st.selectbox(
            "A unit is",
            get_args(LogUnit),
            format_func=_UNITS.__getitem__,
            key="arrivals.log.unit",
            persist_state="session",
            width=120,
        )
        units = st.number_input(
            "Units in all",
            int(UNITS.low),
            int(UNITS.high),
            None,
            key="arrivals.log.units",
            persist_state="session",
            placeholder="As in the log",
            width=150,
            help="If the log does not say it, as many as jobs ever had at once.",
        )
        watts = st.number_input(
            "Watts of a busy unit",
            WATTS.low,
            WATTS.high,
            None,
            step=None,
            format="%.6g",
            key="arrivals.log.watts",
            persist_state="session",
            placeholder="As in the log",
            width=150,
            help="Without a number, jobs draw the energy that the log says; if it says none, they "
            "draw nothing, and no energy budget limits them.",
        )
    return LogWork(unit, units, watts)


def show_opened_log() -> None:
    """Takes what was read in force, once, and shows the problems of the logs."""
    desk = _desk()
    if not desk.uploads:
        return
    jobs = asking.jobs(PAGE)
    if desk.opened is None:
        reading: Job[ReadLog] = jobs.ask(_READ, desk.uploads, lambda _: None)
        desk.opened = show_outcome(reading, _read_again)
        if isinstance(reading.failure, Unreadable):
            show_elsewhere(st.session_state[FILES], _PLACE)
        if desk.opened is not None:
            st.rerun()
        return
    show_refused(desk.opened.store.refused, st.session_state[FILES], _PLACE)
    asked = desk.uploads, desk.work
    making: Job[MadeOfLog] = jobs.ask(_MAKE, asked, making_work(desk.opened, desk.work))
    made = show_outcome(making, _read_again)
    if made is not None and desk.is_awaited:
        desk.made, desk.made_for = made, desk.work
        if isinstance(made, LogWorkload):
            digest = desk.opened.digest(desk.work)
            state.give(GivenWorkload(desk.opened.name, digest, made.file))
        st.rerun()
    if isinstance(desk.made, LogWorkload) and desk.made_for is not None:
        _show_made(desk.made, made_said(desk.opened.name, desk.made, desk.made_for))
    elif isinstance(desk.made, tuple):
        show_problems("These logs give no workload. Nothing has changed:", desk.made, ())


def awaits_log() -> bool:
    """Whether the workload of a log is being made anew."""
    return _desk().is_awaited


def _show_made(made: LogWorkload, said: str) -> None:
    if made.problems:
        st.warning("The log was opened, with warnings:", icon=":material/warning:")
    else:
        st.info("The log was opened:", icon=":material/info:")
    notes = (f"{note[0].upper()}{note[1:]}." for note in made.notes)
    show_problems("", made.problems, [said, *notes])


def _desk() -> LogWorkDesk:
    if _DESK not in st.session_state:
        st.session_state[_DESK] = LogWorkDesk()
    found: LogWorkDesk = st.session_state[_DESK]
    return found


@callback
def _forget_removed() -> None:
    """A person who removes the last file is done with the log."""
    if not st.session_state[FILES]:
        _read_again()


def _read_again() -> None:
    """Forgets the jobs; if there are files, they begin again when the page is drawn."""
    jobs = asking.jobs(PAGE)
    jobs.drop(_READ)
    jobs.drop(_MAKE)
    _desk().take(())
