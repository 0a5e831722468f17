"""The one way in: a dialog on every page that takes any files, and says what each is."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, Literal

import streamlit as st

from core.vocabulary.problems import errors
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.in_browser import drop_anywhere
from dashboard.parts.frame import markup
from dashboard.parts.opening.panel import ACTIONS, Handed, Uploader, go_to, hand
from dashboard.parts.opening.recognised import FoundFiles, recognise
from dashboard.server.guard import callback, guarded
from dashboard.workspace import asking, session

TITLE: Final = "Open files"
FILES: Final = "opener.files"
_OPEN: Final = "opener.open"
_FOUND: Final = "opener.found"
_FIRST: Final[tuple[Uploader, ...]] = (
    "system.log",
    "system.file",
    "provision.file",
    "fair_shares.bags",
    "arrivals.file",
    "arrivals.outcome",
)
_BESIDE_A_LOG: Final[tuple[Uploader, ...]] = ("system.nodes", "system.watts")
_SAID: Final = "opener.said"
_PROBLEMS_SEEN: Final = 3


def show_open_button() -> None:
    """The button in the frame that opens the dialog."""
    show_button(
        TITLE,
        ask_for_files,
        icon="upload",
        key="open-files",
        help="Logs, tables, workbooks, studies, plans, workloads: anything that Wattfront reads. "
        "Or drop them anywhere on the page.",
    )


def ask_for_files() -> None:
    """Opens the dialog on the page that is drawn next."""
    st.session_state[_OPEN] = True


def is_open() -> bool:
    """Whether the dialog is open: there can be no other one."""
    return bool(st.session_state.get(_OPEN))


def say_once(sentence: str) -> None:
    """Says a sentence above every page, until it is dismissed or another system is in force."""
    st.session_state[_SAID] = session.workspace().version.fingerprint, sentence


def _close() -> None:
    st.session_state.pop(_OPEN, None)
    st.session_state.pop(_FOUND, None)


def show_opener() -> None:
    """The dialog if a person has asked for it; what is dropped on the page opens it, too."""
    drop_anywhere()
    of, sentence = st.session_state.get(_SAID, ("", ""))
    is_said = of == session.workspace().version.fingerprint
    # The container is always there: what stands below must not move while a page polls.
    key = "said" if is_said else "unseen-said"
    with st.container(key=key, horizontal=True, vertical_alignment="center", gap="small"):
        if is_said:
            st.html(markup.note(f"{sentence}."), width="content")
            show_button("Dismiss", st.session_state.pop, _SAID, type="tertiary", key="said-dismiss")
    if is_open():
        show = st.dialog(TITLE, width="large", on_dismiss=callback(_close))(_show)
        show()


def _show() -> None:
    guarded(_show_files, TITLE)


def _show_files() -> None:
    files = st.file_uploader(
        "One or several files of any kind that Wattfront reads",
        accept_multiple_files=True,
        key=FILES,
        help="Accounting logs with tables of nodes and samples of power; systems as a workbook, "
        "CSV tables, JSON or a ZIP; studies, plans, bags, workloads and outcomes. Its content "
        "says what a file is, not its name.",
    )
    if not files:
        st.caption("Nothing is in force before you say so.")
        return
    found = _recognised(files)
    for one in found:
        _say(one, [files[k].name for k in one.files])
    places = _by_place(found)
    if not places:
        return
    handed = {place: _handed([files[k] for k in chosen]) for place, chosen in places.items()}
    ordered = sorted(places, key=lambda place: (*_FIRST, place).index(place))
    with st.container(horizontal=True, gap="small"):
        for place in ordered:
            first = place == ordered[0]
            kind: Literal["primary", "secondary"] = "primary" if first else "secondary"
            if st.button(ACTIONS[place], type=kind, key=f"opener {place}"):
                _close()
                hand(handed)
                go_to(place)


def _recognised(files: Sequence[Any]) -> tuple[FoundFiles, ...]:
    """What the files are, computed once for each choice of files."""
    identity = tuple(file.file_id for file in files)
    known = st.session_state.get(_FOUND)
    if known is None or known[0] != identity:
        content = tuple((file.name, file.getvalue()) for file in files)
        with st.spinner("Looking into the files …", show_time=True):
            refused = partial(_unread, len(files))
            known = identity, asking.read(refused, recognise, content)
        st.session_state[_FOUND] = known
    found: tuple[FoundFiles, ...] = known[1]
    return found


def _unread(files: int, why: str) -> tuple[FoundFiles, ...]:
    return (FoundFiles(tuple(range(files)), why, None),)


def _say(one: FoundFiles, names: Sequence[str]) -> None:
    """One line for files that belong together, struck through if no place opens them; and their
    problems.
    """
    st.html(markup.opened(names, one.said, opens=one.place is not None))
    problems = errors(one.problems) or one.problems
    if problems:
        markup.show_problems(problems, _PROBLEMS_SEEN)


def _by_place(found: Sequence[FoundFiles]) -> dict[Uploader, list[int]]:
    """The files for each place. Tables of nodes and samples of power go with a log."""
    places: dict[Uploader, list[int]] = {}
    has_log = any(one.place == "system.log" for one in found)
    for one in found:
        if one.place is not None:
            beside = has_log and one.place in _BESIDE_A_LOG
            places.setdefault("system.log" if beside else one.place, []).extend(one.files)
    return places


def _handed(files: Sequence[Any]) -> Handed:
    first, *others = files
    beside = tuple((file.name, file.getvalue()) for file in others)
    return Handed(first.file_id, first.name, first.getvalue(), beside, "opened")
