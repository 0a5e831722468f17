"""The one way in: a dialog on every page that takes any files, and says what each is."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, Literal, get_args

import streamlit as st

from core.engines.logs.reading.sacct import SACCT
from core.engines.logs.types.node_listing import SINFO
from core.shells.settings.by_hour import inspect_site_hours
from core.vocabulary.problems import errors
from core.vocabulary.say.words import counted
from dashboard.parts.fields.buttons import show_button, show_dialog
from dashboard.parts.fields.in_browser import drop_anywhere
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import (
    OPEN,
    FilePlace,
    Handed,
    ask_for_files,
    go_to,
    hand,
)
from dashboard.parts.frame.site import put_hours_in_force
from dashboard.parts.opening.log_folder import LogFolder
from dashboard.parts.opening.recognised import FoundFiles, recognise
from dashboard.parts.taking.take_away import download
from dashboard.server.sessions import UPLOADED_BYTES_KEPT
from dashboard.workspace import asking, session
from dashboard.workspace.export import SYSTEM_FORMATS, system_bytes, template
from dashboard.workspace.upload import PASTED

TITLE: Final = "Open files"
FILES: Final = "opener.files"
PASTE: Final = "opener.paste"
_FOUND: Final = "opener.found"
_PLACES: Final[tuple[FilePlace, ...]] = get_args(FilePlace)
_BESIDE_A_LOG: Final[dict[FilePlace, FilePlace]] = {
    "importing.nodes": "importing.log",
    "importing.watts": "importing.log",
    "arrivals.classes": "arrivals.log",
    "arrivals.sizes": "arrivals.log",
}
ACTIONS: Final[dict[FilePlace, str]] = {
    "importing.file": "Open it on Import",
    "importing.log": "Derive a system from it",
    "importing.nodes": "Use it with a log",
    "importing.watts": "Use them with a log",
    "provision.plan": "Open it on *What to buy*",
    "fair_shares.bags": "Open them on Fair shares",
    "what_if.file": "Compare them on *What if*",
    "schedule.file": "Open it on Schedule",
    "schedule.map": "Use it for batch scripts",
    "schedule.log": "Compare it with the schedule",
    "arrivals.log": "Replay its jobs on *Policies*",
    "arrivals.workload": "Open it on *Policies*",
    "arrivals.outcome": "Check it on *Policies*",
    "work.classes": "Use them for the task types on *Work*",
    "arrivals.classes": "Use them for a log on *Policies*",
    "arrivals.sizes": "Offer them to the jobs of a log on *Policies*",
    "site.hours": "Use them for the site",
    "centre.file": "Open it on *Centre*",
    "centre.curve": "Use it for the day on *Centre*",
}
_SAID: Final = "opener.said"
_PROBLEMS_SEEN: Final = 3
_ALL: Final = UPLOADED_BYTES_KEPT // 10**6


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


def say_once(sentence: str) -> None:
    """Says a sentence above every page, until it is dismissed or another system is in force."""
    st.session_state[_SAID] = session.workspace().version.fingerprint, sentence


def _close() -> None:
    st.session_state.pop(OPEN, None)
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
    if st.session_state.get(OPEN):
        show_dialog(TITLE, _show_files, _close, width="large")


def _show_files() -> None:
    uploads = st.file_uploader(
        "One or several files of any kind that Wattfront reads",
        accept_multiple_files=True,
        key=FILES,
        help="Accounting logs with tables of nodes and samples of power; systems as a workbook, "
        "CSV tables, JSON or a ZIP; studies, plans, bags, workloads, outcomes, schedules, "
        "what-ifs, maps of nodes, prices by the hour, classes of jobs, centres, and curves of "
        "prices, carbon and weather. Its content says what a file is, not its name.",
    )
    pasted = st.text_area(
        "Or paste text",
        key=PASTE,
        height=68,
        placeholder="A table of times from a spreadsheet; after a blank line, its table of powers",
        help="Tabs, semicolons or commas separate the cells. A blank cell means that the pair "
        "cannot run.",
    )
    files = [(file.file_id, file.name, file.getvalue()) for file in uploads]
    if text := pasted.strip("\r\n"):
        files.append((f"{hash(text)}", PASTED, text.encode(errors="replace")))
    if missing := len(st.session_state[FILES]) - len(uploads):
        st.error(
            f"{counted(missing, 'file')} of {len(st.session_state[FILES])} "
            f"{'was' if missing == 1 else 'were'} dropped: all files together can have {_ALL} MB. "
            "Remove the files, compress them (gzip, xz or ZIP), and upload them again; or use the "
            "command wattfront, which reads any.",
            icon=":material/error:",
        )
    elif files:
        _show_found(files)
    else:
        _show_help()


def _show_help() -> None:
    """What files can have, and how to get some."""
    most = st.get_option("server.maxUploadSize")
    st.caption(
        f"Nothing is in force before you say so. A file can have {most} MB, all files together "
        f"{_ALL} MB: compress larger ones first (gzip, xz or ZIP)."
    )
    with st.expander("From a cluster with Slurm, or with a template"):
        show_commands()
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("A template to fill in:", width="content")
            for form in SYSTEM_FORMATS[:2]:
                data = partial(system_bytes, template(), form.suffix)
                key = f"template{form.suffix}"
                download(form.label, data, f"wattfront-{key}", key=key, width="content")


def show_commands() -> None:
    """What writes the jobs and the nodes of a cluster with Slurm, to be copied."""
    st.caption("The jobs of 30 days, and the nodes, to be opened together:")
    for command, file in ((SACCT, "jobs.txt"), (SINFO, "nodes.txt")):
        st.code(f"{command} > {file}", language="bash", wrap_lines=True)


OpenFile = tuple[str, str, bytes]
"""The identity of a file, its name and its content."""


def _show_found(files: Sequence[OpenFile]) -> None:
    found = _recognised(files)
    for one in found:
        _say(one, [files[k][1] for k in one.files])
    places = _by_place(found)
    beside = {place for place in _usual(found) if _is_beside(place, places)}
    offered = [place for place in _PLACES if place in places and place not in beside]
    with st.container(horizontal=True, gap="small"):
        for place in offered:
            how: Literal["primary", "secondary"] = "primary" if place == offered[0] else "secondary"
            if st.button(ACTIONS[place], type=how, key=f"opener {place}"):
                _close()
                taken = {place: places[place]} | {
                    other: chosen
                    for other, chosen in places.items()
                    if other in _usual(found) and not {*chosen} & {*places[place]}
                }
                _open(place, {one: _handed([files[k] for k in ks]) for one, ks in taken.items()})


def _open(place: FilePlace, handed: dict[FilePlace, Handed]) -> None:
    """Takes files to their places, and goes to one of these; the others wait there."""
    one = handed[place]
    if place != "site.hours":
        hand(handed)
        go_to(place)
        return
    folder = LogFolder()
    (path,) = folder.keep([(one.name, one.data)])
    put_hours_in_force(inspect_site_hours(path).require())
    say_once(f"{one.name} is in force on every page, by the hour of the day")
    st.rerun()


def _recognised(files: Sequence[OpenFile]) -> tuple[FoundFiles, ...]:
    """What the files are, computed once for each choice of files."""
    identity = tuple(identity for identity, _, _ in files)
    known = st.session_state.get(_FOUND)
    if known is None or known[0] != identity:
        content = tuple((name, data) for _, name, data in files)
        with st.spinner("Looking into the files …", show_time=True):
            refused = partial(_unread, len(files))
            known = identity, asking.read(refused, recognise, content)
        st.session_state[_FOUND] = known
    found: tuple[FoundFiles, ...] = known[1]
    return found


def _unread(files: int, why: str) -> tuple[FoundFiles, ...]:
    return (FoundFiles(tuple(range(files)), f"not recognised: the upload {why}"),)


def _say(one: FoundFiles, names: Sequence[str]) -> None:
    """One line for files that belong together, struck through if no place opens them."""
    st.html(markup.opened(names, one.said, opens=bool(one.places)))
    problems = errors(one.problems) or one.problems
    if problems:
        markup.show_problems(problems, _PROBLEMS_SEEN)


def _by_place(found: Sequence[FoundFiles]) -> dict[FilePlace, list[int]]:
    """The files for each place. A place that is the usual one of some gets no others."""
    places: dict[FilePlace, list[int]] = {}
    for one in found:
        for place in one.places:
            if place == one.places[0] or place not in _usual(found):
                places.setdefault(place, []).extend(one.files)
    return places


def _usual(found: Sequence[FoundFiles]) -> set[FilePlace]:
    return {one.places[0] for one in found if one.places}


def _is_beside(place: FilePlace, places: dict[FilePlace, Any]) -> bool:
    """Whether a place gets its files with a log: tables of nodes, samples of power, classes."""
    return _BESIDE_A_LOG.get(place) in places


def _handed(files: Sequence[OpenFile]) -> Handed:
    (identity, name, data), *others = files
    identities = " ".join((identity, *(other for other, _, _ in others)))
    return Handed(identities, name, data, tuple((name, data) for _, name, data in others))
