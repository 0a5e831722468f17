"""Opens bags from a file: a system with release dates, data and a network."""

from dataclasses import dataclass
from functools import partial
from typing import Final

import streamlit as st

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.bags_reader import inspect_bags_bytes
from core.files import Reading
from core.vocabulary.problems import Problem
from dashboard.parts.frame import markup
from dashboard.parts.opening.elsewhere import Handed, given, show_elsewhere
from dashboard.screens.fair_shares import state
from dashboard.workspace import asking

_FILE: Final = "stretch.file"
_PLACE: Final = "fair_shares.bags"
_OPENED: Final = "stretch.opened"
_MANY: Final = 8


@dataclass(frozen=True, slots=True)
class OpenedBags:
    """The file that was opened last: its identity, whether it has bags, and its problems."""

    identity: str
    has_bags: bool
    problems: tuple[Problem, ...]


def show_open_bags() -> None:
    """The upload of bags. It is read once, and then the page is drawn again."""
    file = st.file_uploader(
        "Bags: ZIP of CSV tables, Excel workbook, or JSON document",
        help="A system whose table tasks has the columns release (s) and data (MB a task), whose "
        "table machines has link (MB/s) and memory (MB), and network.toml with the bandwidth "
        "(MB/s); in a workbook that is a sheet network. All of them may be missing.",
        key=_FILE,
    )
    handed = given(_PLACE, [file] if file else (), _forget)
    found = Handed.of(file) if file else handed
    opened: OpenedBags | None = st.session_state.get(_OPENED)
    if found is None:
        _forget()
    elif opened is None or opened.identity != found.identity:
        with st.spinner("Reading the bags …", show_time=True):
            refused = partial(Reading[ArrivingBags].refused, found.name)
            reading = asking.read(refused, inspect_bags_bytes, found.name, found.data)
        if reading.value is not None:
            state.give(found.name, reading.value)
        st.session_state[_OPENED] = OpenedBags(
            found.identity, reading.value is not None, reading.problems
        )
        st.rerun()


def _forget() -> None:
    st.session_state.pop(_OPENED, None)


def show_opened_bags() -> None:
    """The problems of the file that was opened last, as long as it is selected."""
    opened: OpenedBags | None = st.session_state.get(_OPENED)
    if opened is None or not opened.problems:
        return
    if opened.has_bags:
        st.warning("The bags were opened, with warnings:", icon=":material/warning:")
    else:
        if (file := st.session_state.get(_FILE)) and show_elsewhere([file], _PLACE):
            return
        st.error("This file has no valid bags. Nothing has changed:", icon=":material/error:")
    with st.container(height=320 if len(opened.problems) > _MANY else "content", border=False):
        st.html(markup.problems(opened.problems))
