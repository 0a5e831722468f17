"""Opens a workload from a file: its jobs are replayed in place of drawn ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import streamlit as st

from core.capabilities.arrivals.asked import GivenWorkload
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_reader import inspect_workload_bytes
from core.capabilities.arrivals.study_block import digest_of
from core.files import Reading
from core.vocabulary.problems import Problem
from dashboard.parts.frame import markup
from dashboard.parts.opening.elsewhere import Handed, given, show_elsewhere
from dashboard.screens.arrivals import state
from dashboard.workspace import asking

_FILE: Final = "arrivals.file"
_PLACE: Final = "arrivals.file"
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
    handed = given(_PLACE, [file] if file else (), _forget)
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
        if (file := st.session_state.get(_FILE)) and show_elsewhere([file], _PLACE):
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
