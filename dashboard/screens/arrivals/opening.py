"""Opens workloads, whose jobs are replayed in place of drawn ones, and outcomes."""

from dataclasses import replace
from functools import partial
from typing import Any, Final

import streamlit as st

from core.capabilities.arrivals.asked import GivenWorkload
from core.capabilities.arrivals.files.classes_file import inspect_classes_bytes
from core.capabilities.arrivals.files.sizes_file import inspect_sizes_bytes
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_reader import inspect_workload_bytes
from core.capabilities.arrivals.judging import GivenOutcome, given_said, read_given_outcome
from core.capabilities.arrivals.made.from_logs import LogWork, LogWorkload
from core.capabilities.arrivals.made.job_sizes import (
    NO_SIZES,
    OF_MODEL,
    USUAL_SPEED_UP,
    JobSizes,
    SpeedUp,
)
from core.capabilities.arrivals.sizes_told import offered_tables
from core.capabilities.arrivals.study_block import digest_of
from core.engines.replay.classes import JobClass, JobClasses, classes_of_rows
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_widget
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import Handed, Opening, given, show_problems, take_handed
from dashboard.parts.opening.log_folder import LogFolder
from dashboard.parts.opening.log_reading import show_outcome, show_refused
from dashboard.parts.replays.class_table import place_of, show_class_table
from dashboard.parts.replays.gantt_chart import busiest_pool, choose_pool, show_pool
from dashboard.parts.told import show_table
from dashboard.screens.arrivals.log_work import (
    LogWorkDesk,
    MadeOfLog,
    made_said,
    making_work,
    reading_logs,
)
from dashboard.screens.arrivals.state import STATE
from dashboard.server.background import Job, patience
from dashboard.workspace import asking, edits, session


def _take(file: Handed, workload: WorkloadFile) -> None:
    STATE.give(GivenWorkload(file.name, digest_of(file.data), workload))


OPENING: Final = Opening(
    "arrivals.workload",
    "The workload",
    "This file is no workload.",
    inspect_workload_bytes,
    _take,
)
_DESK: Final = "arrivals.log"
_READ: Final = "log read"
_MAKE: Final = "log work"
_PATIENCE: Final = 1.0
_CLASSES: Final = "arrivals.classes"
_CLASSES_LABEL: Final = "Classes of jobs"
_CLASSES_SAID: Final = (
    "A row for each class: its texts say which jobs are of it (blank: any; * at the end: whatever "
    "follows). Jobs of no class are worth 1 whenever they end, stop nobody, and are not stopped."
)
_NO_LOG_YET: Final = "They wait for the next log that is opened, since none is open here."


def _take_classes(_file: Handed, classes: JobClasses) -> str:
    desk = _desk()
    desk.take_classes(classes.rows)
    session.renew()
    if desk.log:
        return f"They are in the table “{_CLASSES_LABEL}” of this log."
    return _NO_LOG_YET


CLASSES: Final = Opening(
    "arrivals.classes",
    "The classes",
    "This file has no classes of jobs.",
    inspect_classes_bytes,
    _take_classes,
    "were",
)


def _take_sizes(_file: Handed, sizes: JobSizes) -> str:
    desk = _desk()
    desk.sizes = sizes
    return "Jobs of this log run in them." if desk.log else _NO_LOG_YET


SIZES: Final = Opening(
    "arrivals.sizes",
    "The sizes",
    "This file has no sizes.",
    inspect_sizes_bytes,
    _take_sizes,
    "were",
)


def ask_log() -> None:
    """The logs that were opened, and what one unit is. A worker process reads them, and makes a
    workload of them.
    """
    log = given("arrivals.log", _read_again)
    if log is None:
        return
    desk, jobs = _desk(), asking.jobs(STATE.page)
    if log.identity != desk.log:
        before = STATE.given()
        desk.take(log.identity, () if before is None or before.of_study else before.classes)
        jobs.drop(_MAKE)
        jobs.ask(_READ, desk.log, reading_logs(LogFolder(), log.files))
    desk.work = replace(_show_choices(desk), classes=_ask_classes(desk))
    job: Job[Any] = (
        jobs.ask(_READ, desk.log, lambda _: None)
        if desk.opened is None
        else jobs.ask(_MAKE, (desk.log, desk.work), making_work(desk.opened, desk.work))
    )
    job.wait(1, patience(_PATIENCE))


def _show_choices(desk: LogWorkDesk) -> LogWork:
    """What a unit is; and if sizes were opened, how much memory there is, and how long jobs take in
    them.
    """
    with st.container(horizontal=True, gap="small"):
        chosen = {
            name: _show_choice(LogWork(), name, width)
            for name, width in (("unit", 120), ("units", 150), ("watts", 150))
        }
        if not desk.sizes.rows:
            return LogWork(**chosen)
        chosen["memory"] = _show_choice(LogWork(), "memory", 190)
        model = _show_choice(USUAL_SPEED_UP, "model", 190)
        law = {name: _show_choice(USUAL_SPEED_UP, name, 170) for name in OF_MODEL[model]}
    _show_sizes(desk)
    return LogWork(**chosen, sizes=desk.sizes, speed_up=SpeedUp(model, **law))


def _show_choice(usual: object, name: str, width: int) -> Any:
    key = f"arrivals.log.{name}"
    return show_widget(usual, name, key=key, persist_state="session", width=width)


def _show_sizes(desk: LogWorkDesk) -> None:
    """The sizes that jobs of the log run in, until they are removed."""
    (table,) = offered_tables(desk.sizes)
    with st.expander(table.title, icon=":material/dns:"):
        st.html(markup.note(desk.sizes.label))
        show_table(table)
        show_button("Remove the sizes", _remove_sizes, type="tertiary")


def _remove_sizes() -> None:
    _desk().sizes = NO_SIZES


def _ask_classes(desk: LogWorkDesk) -> JobClasses:
    """The classes of the jobs of the log, as a person types them."""

    def take(classes: tuple[JobClass, ...]) -> None:
        desk.classes = classes

    with st.expander(_CLASSES_LABEL, icon=":material/sell:"):
        st.caption(_CLASSES_SAID)
        key = f"{_CLASSES} {session.turn()}"
        begun = edits.begun_with(key, f"wattfront.{_CLASSES}", desk.classes)
        shown = show_class_table(key, begun, take, label=_CLASSES_LABEL)
    places = tuple(map(place_of, shown)) if tuple(shown.values()) == desk.classes else ()
    return classes_of_rows(desk.classes, _CLASSES_LABEL, places)


def show_opened_log() -> None:
    """Takes what was read in force, once, and shows the problems of the logs."""
    desk = _desk()
    if not desk.log:
        return
    jobs = asking.jobs(STATE.page)
    if desk.opened is None:
        desk.opened = show_outcome(jobs.ask(_READ, desk.log, lambda _: None), _read_again)
        if desk.opened is not None:
            st.rerun()
        return
    show_refused(desk.opened.store.refused)
    asked = desk.log, desk.work
    making: Job[MadeOfLog] = jobs.ask(_MAKE, asked, making_work(desk.opened, desk.work))
    made = show_outcome(making, _read_again)
    if made is not None and desk.is_awaited:
        desk.made, desk.made_for = made, desk.work
        if isinstance(made, LogWorkload):
            name, rows = desk.opened.name, desk.work.classes.rows
            digest = desk.opened.digest(desk.work)
            given_work = GivenWorkload(name, digest, made.file, classes=rows, lost=made.lost)
            STATE.give(replace(given_work, sizes=desk.work.sizes))
        st.rerun()
    if isinstance(desk.made, LogWorkload) and desk.made_for is not None:
        _show_made(desk.made, made_said(desk.opened.name, desk.made, desk.made_for))
    elif isinstance(desk.made, tuple):
        show_problems("These logs give no workload. Nothing has changed:", desk.made)


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
    """Forgets the jobs that were stopped; they begin again when the page is drawn."""
    jobs = asking.jobs(STATE.page)
    jobs.drop(_READ)
    jobs.drop(_MAKE)
    _desk().take("")


_OPENED_OUTCOME: Final = "arrivals.outcome opened"


def take_outcome() -> None:
    if (handed := take_handed("arrivals.outcome")) is not None:
        with st.spinner("Reading and checking the outcome …", show_time=True):
            refused = partial(GivenOutcome.refused, handed.name)
            found = asking.read(refused, read_given_outcome, handed.files)
        st.session_state[_OPENED_OUTCOME] = found


def show_opened_outcome() -> None:
    """What the judge says of the outcome that was opened last, and the Gantt chart of a pool."""
    found: GivenOutcome | None = st.session_state.get(_OPENED_OUTCOME)
    if found is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Opened outcome", anchor=False, width="content")
        key = "arrivals.outcome remove"
        show_button("Remove", st.session_state.pop, _OPENED_OUTCOME, None, type="tertiary", key=key)
    if found.outcome is None:
        refusal = "The files are no outcome:"
        if found.verdict is not None:
            refusal = "The check disagrees with this outcome:"
        show_problems(refusal, found.problems)
        return
    st.html(markup.items(given_said(found)))
    show_problems("", found.problems)
    key, pools = "arrivals.outcome pool", range(len(found.outcome.workload.pools))
    if st.session_state.get(key, 0) not in pools:
        st.session_state.pop(key, None)
    usual = busiest_pool(found.outcome)
    pool = choose_pool(found.outcome, usual, key, persist_state="session")
    show_pool(found.outcome, pool, "arrivals_outcome_gantt", "an uploaded outcome")
