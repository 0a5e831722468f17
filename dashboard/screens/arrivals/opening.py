"""Opens a workload from a file: its jobs are replayed in place of drawn ones."""

from collections.abc import Sequence
from dataclasses import dataclass
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
from core.files import Reading
from core.files.findings import Unreadable
from core.vocabulary.problems import Problem
from dashboard.parts.fields.setting import show_widget
from dashboard.parts.frame import markup
from dashboard.parts.opening.elsewhere import Handed, given, show_elsewhere
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
from dashboard.screens.arrivals.pool_panel import busiest_pool, choose_pool, show_pool
from dashboard.server.background import Job, patience
from dashboard.server.guard import callback
from dashboard.workspace import asking

_FILE: Final = "arrivals.file"
_OPENED: Final = "arrivals.opened"
_MANY: Final = 8


@dataclass(frozen=True, slots=True)
class OpenedWorkload:
    """The file that was opened last: its identity, whether it is a workload, its problems, and what
    was assumed.
    """

    identity: str
    is_workload: bool
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


def show_open_workload() -> None:
    """The upload of a workload. It is read once, and then the page is drawn again."""
    file = st.file_uploader(
        "A workload: ZIP of CSV tables, Excel workbook, JSON document, or a CSV of jobs",
        help="Pools with their units; jobs with arrival, type and worth; and how long each takes "
        "where. A single CSV of jobs needs the columns arrival and seconds.",
        key=_FILE,
    )
    handed = given(_FILE, [file] if file else (), _forget)
    found = Handed.of(file) if file else handed
    opened: OpenedWorkload | None = st.session_state.get(_OPENED)
    if found is None:
        _forget()
    elif opened is None or opened.identity != found.identity:
        with st.spinner("Reading the workload …", show_time=True):
            refused = partial(Reading[WorkloadFile].refused, found.name)
            reading = asking.read(refused, inspect_workload_bytes, found.name, found.data)
        if reading.value is not None:
            digest = digest_of(found.data)
            state.give(GivenWorkload(found.name, digest, reading.value))
        st.session_state[_OPENED] = OpenedWorkload(
            found.identity, reading.value is not None, reading.problems, reading.notes
        )
        st.rerun()


def _forget() -> None:
    st.session_state.pop(_OPENED, None)


def show_opened_workload() -> None:
    """The problems of the file that was opened last, as long as it is selected."""
    opened: OpenedWorkload | None = st.session_state.get(_OPENED)
    if opened is None:
        return
    refusal = ""
    if not opened.is_workload:
        if (file := st.session_state.get(_FILE)) and show_elsewhere([file], _FILE):
            return
        refusal = "This file is no workload. Nothing has changed:"
    elif opened.problems:
        st.warning("The workload was opened, with warnings:", icon=":material/warning:")
    elif opened.notes:
        st.info("The workload was opened. This was assumed:", icon=":material/info:")
    show_problems(refusal, opened.problems, opened.notes)


def show_problems(refusal: str, problems: Sequence[Problem], notes: Sequence[str]) -> None:
    """What was assumed of files that were opened, and what is wrong with them. A `refusal` says
    that they cannot be used.
    """
    if refusal:
        st.error(refusal, icon=":material/error:")
    if notes:
        st.html(markup.items(notes))
    if problems:
        with st.container(height=320 if len(problems) > _MANY else "content", border=False):
            st.html(markup.problems(problems))


LOG_FILES: Final = "arrivals.logs"
_DESK: Final = "arrivals.log"
_READ: Final = "log read"
_MAKE: Final = "log work"
_PATIENCE: Final = 1.0


def show_open_log() -> None:
    """The upload of logs, and what one unit is. A worker process reads the logs."""
    desk = _desk()
    files = st.file_uploader(
        "Accounting logs: dumps of sacct or SWF logs; plain, compressed, or in a ZIP",
        accept_multiple_files=True,
        key=LOG_FILES,
        on_change=_forget_removed,
        help="Each job arrives when it did, takes the cores that it had, and is expected to take "
        "the time that it asked for. A good dump is: sacct --allusers --allocations --parsable2 "
        "--format=JobID,State,Submit,Start,Elapsed,Timelimit,AllocCPUS,NNodes",
    )
    uploads = tuple(file.file_id for file in st.session_state[LOG_FILES])
    content: LogUploads = [(file.name, file.getbuffer()) for file in files]
    if (handed := given(_DESK, uploads, _read_again)) is not None:
        uploads, content = (handed.identity,), [(handed.name, handed.data)]
    if missing := len(uploads) - len(content):
        st.error(not_kept(missing, len(uploads), COMMAND), icon=":material/error:")
        return
    if not uploads:
        st.caption(limits(COMMAND))
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


@callback
def _forget_removed() -> None:
    """A person who removes the last file is done with the log."""
    if not st.session_state[LOG_FILES]:
        _read_again()


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
            refused = partial(_refused, content[0][0])
            found = asking.read(refused, read_given_outcome, content)
        st.session_state[_OPENED_OUTCOME] = identity, found
        st.rerun()


def _forget_outcome() -> None:
    st.session_state.pop(_OPENED_OUTCOME, None)


def _refused(name: str, why: str) -> GivenOutcome:
    return GivenOutcome(name, None, None, (Problem(name, "", "", why),))


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
