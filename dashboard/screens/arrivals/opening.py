"""Opens a workload from a file: its jobs are replayed in place of drawn ones."""

from functools import partial
from typing import Any, Final

import streamlit as st

from core.capabilities.arrivals.asked import GivenWorkload
from core.capabilities.arrivals.files.outcome_file import is_outcome
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_reader import inspect_workload_bytes
from core.capabilities.arrivals.judging import GivenOutcome, given_said, read_given_outcome
from core.capabilities.arrivals.made.from_logs import LogWork, LogWorkload
from core.capabilities.arrivals.study_block import digest_of
from core.engines.logs.reading.dumping import SACCT
from core.files.findings import Unreadable
from dashboard.parts.fields.setting import show_widget
from dashboard.parts.frame import markup
from dashboard.parts.opening.log_folder import LogFolder
from dashboard.parts.opening.log_reading import (
    choose_logs,
    may_read,
    show_commands,
    show_outcome,
    show_refused,
)
from dashboard.parts.opening.panel import Handed, OpeningPanel, given, show_elsewhere, show_problems
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
from dashboard.screens.arrivals.pool_panel import busiest_pool, choose_pool, show_pool
from dashboard.server.background import Job, patience
from dashboard.workspace import asking


def _take(file: Handed, workload: WorkloadFile) -> None:
    state.give(GivenWorkload(file.name, digest_of(file.data), workload))


OPENING: Final = OpeningPanel(
    "arrivals.file", "The workload", "This file is no workload.", inspect_workload_bytes, _take
)


def show_open_workload() -> None:
    """The upload of a workload."""
    OPENING.show(
        "A workload: ZIP of CSV tables, Excel workbook, JSON document, or a CSV of jobs",
        "Pools with their units; jobs with arrival, type and worth; and how long each takes "
        "where. A single CSV of jobs needs the columns arrival and seconds.",
    )


LOG_FILES: Final = "arrivals.logs"
_DESK: Final = "arrivals.log"
_READ: Final = "log read"
_MAKE: Final = "log work"
_PATIENCE: Final = 1.0


def show_open_log() -> None:
    """The upload of logs, and what one unit is. A worker process reads the logs."""
    desk = _desk()
    uploads, content = choose_logs(
        "Accounting logs: dumps of sacct or SWF logs; plain, compressed, or in a ZIP",
        "Each job arrives when it did, takes the cores that it had, and is expected to take "
        "the time that it asked for.",
        LOG_FILES,
        _DESK,
        _read_again,
    )
    if not may_read(uploads, content, COMMAND):
        if not uploads:
            show_commands(SACCT)
        return
    jobs = asking.jobs(state.PAGE)
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
        chosen = {
            name: show_widget(
                LogWork(),
                name,
                key=f"arrivals.log.{name}",
                persist_state="session",
                width=width,
            )
            for name, width in (("unit", 120), ("units", 150), ("watts", 150))
        }
    return LogWork(**chosen)


def show_opened_log() -> None:
    """Takes what was read in force, once, and shows the problems of the logs."""
    desk = _desk()
    if not desk.uploads:
        return
    jobs = asking.jobs(state.PAGE)
    if desk.opened is None:
        reading: Job[ReadLog] = jobs.ask(_READ, desk.uploads, lambda _: None)
        desk.opened = show_outcome(reading, _read_again)
        if isinstance(reading.failure, Unreadable):
            show_elsewhere(st.session_state[LOG_FILES], _DESK)
        if desk.opened is not None:
            st.rerun()
        return
    show_refused(desk.opened.store.refused, st.session_state[LOG_FILES], _DESK)
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


def _read_again() -> None:
    """Forgets the jobs; if there are files, they begin again when the page is drawn."""
    jobs = asking.jobs(state.PAGE)
    jobs.drop(_READ)
    jobs.drop(_MAKE)
    _desk().take(())


OUTCOME_FILES: Final = "arrivals.outcome"
_OPENED_OUTCOME: Final = "arrivals.outcome.opened"


def show_open_outcome() -> None:
    """The upload of an outcome. It is read and judged once."""
    files = st.file_uploader(
        "An outcome: what became of each job, with its workload",
        accept_multiple_files=True,
        key=OUTCOME_FILES,
        help="The ZIP archive “Jobs and workload, to verify” of Export, or the files that "
        "wattfront replay -o writes: NAME.csv or NAME.parquet, NAME.toml and NAME.workload.zip.",
    )
    opened: tuple[object, GivenOutcome] | None = st.session_state.get(_OPENED_OUTCOME)
    identity: object = tuple(file.file_id for file in files)
    content = [(file.name, file.getvalue()) for file in files]
    if (handed := given(OUTCOME_FILES, files, _forget_outcome)) is not None:
        identity, content = handed.identity, [(handed.name, handed.data), *handed.beside]
    if not content:
        _forget_outcome()
    elif opened is None or opened[0] != identity:
        with st.spinner("Reading and checking the outcome …", show_time=True):
            refused = partial(GivenOutcome.refused, content[0][0])
            found = asking.read(refused, read_given_outcome, content)
        st.session_state[_OPENED_OUTCOME] = identity, found
        st.rerun()


def _forget_outcome() -> None:
    st.session_state.pop(_OPENED_OUTCOME, None)


def show_opened_outcome() -> None:
    """What the judge says of the outcome that was opened last, and the Gantt chart of a pool."""
    opened: tuple[object, GivenOutcome] | None = st.session_state.get(_OPENED_OUTCOME)
    if opened is None:
        return
    found, files = opened[1], st.session_state.get(OUTCOME_FILES, ())
    st.subheader("Opened outcome", anchor=False)
    if found.outcome is None:
        refusal = "The files are no outcome:"
        if found.verdict is not None:
            refusal = "The check disagrees with this outcome:"
        show_problems(refusal, found.problems, ())
        if not any(is_outcome(file.getvalue()) for file in files):
            show_elsewhere(files, OUTCOME_FILES)
        return
    st.html(markup.items(given_said(found)))
    show_problems("", found.problems, ())
    key, pools = "arrivals.outcome pool", range(len(found.outcome.workload.pools))
    if st.session_state.get(key, 0) not in pools:
        st.session_state.pop(key, None)
    usual = busiest_pool(found.outcome)
    pool = choose_pool(found.outcome, usual, key, persist_state="session")
    show_pool(found.outcome, pool, "arrivals_outcome_gantt", "an uploaded outcome")
