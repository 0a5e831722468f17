"""An uploaded file that belongs to another place: what it is, and one click that takes it there."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, Protocol, Self

import streamlit as st

from core.arrivals.workload_reader import is_workload
from core.files import inspect_system_bytes
from core.files.system_file import inspect_parts_bytes
from core.logs.reading import is_log, refusal_of
from core.provision import SETTINGS as PLAN
from dashboard.common import markup
from dashboard.common.log_folder import LogFolder
from dashboard.workspace import asking
from dashboard.workspace.upload import Upload, is_study

FileKind = Literal["study", "log", "workload", "plan", "system"]
Uploader = Literal["system.file", "system.log", "arrivals.log", "arrivals.file", "provision.file"]

_WHAT: Final[dict[FileKind, str]] = {
    "study": "a study",
    "log": "an accounting log",
    "workload": "a workload",
    "plan": "a plan of what to buy",
    "system": "a system",
}
_PLACES: Final[dict[FileKind, tuple[Uploader, ...]]] = {
    "study": ("system.file",),
    "log": ("system.log", "arrivals.log"),
    "workload": ("arrivals.file",),
    "plan": ("provision.file",),
    "system": ("system.file",),
}
_ACTIONS: Final[dict[Uploader, str]] = {
    "system.file": "Open it on System",
    "system.log": "Derive a system from it",
    "arrivals.log": "Replay its jobs on Arrivals",
    "arrivals.file": "Open it on Arrivals",
    "provision.file": "Open it on Provision",
}
_HANDED: Final = "elsewhere.handed"
_KINDS: Final = "elsewhere.kinds"
_GIVEN: Final = "elsewhere.given"


class UploadedFile(Protocol):
    """A file in an uploader."""

    name: str
    file_id: str

    def getvalue(self) -> bytes: ...


@dataclass(frozen=True, eq=False, slots=True)
class Handed:
    """A file that a person has taken from the uploader of one place to another."""

    identity: str
    name: str
    data: bytes

    @classmethod
    def of(cls, file: UploadedFile | None) -> Self | None:
        """A file in an uploader; None if there is none."""
        return None if file is None else cls(file.file_id, file.name, file.getvalue())


def kind_of(name: str, data: bytes) -> FileKind | None:
    """What a file is by its content, which may have faults; None if no place reads it."""
    if is_study(name, data):
        return "study"
    folder = LogFolder()
    (path,) = folder.keep([(name, data)])
    if is_workload(path):
        return "workload"
    if is_log(path):
        return "log"
    parts = inspect_parts_bytes(name, data, PLAN).parts
    if parts is not None and parts.settings is not None:
        return "plan"
    return "system" if inspect_system_bytes(name, data).system is not None else None


def read_system(files: Mapping[str, bytes]) -> Upload | None:
    """The upload of a system; None if a file is a log or a workload. As a system, it would have a
    problem in each of its rows.
    """
    folder = LogFolder()
    paths = folder.keep(list(files.items()))
    seems_log = any(map(is_log, paths))  # which reads only their begins
    upload = None if seems_log else Upload.together(files)
    if upload is not None and upload.system is not None:
        return upload
    elsewhere = {kind_of(*file) for file in files.items()} & {"log", "workload"}
    if elsewhere:
        return None
    for name, path in zip(files, paths, strict=True):
        if why := refusal_of(path):
            return Upload.refused(name, why)
    return upload or Upload.together(files)


def show_elsewhere(files: Sequence[UploadedFile], here: Uploader) -> bool:
    """What files are that this place has refused, with buttons to the places that read them;
    whether there is such a file.
    """
    found = False
    page = here.partition(".")[0]
    known: dict[str, FileKind | None] = st.session_state.setdefault(_KINDS, {})
    for file in files:
        if file.file_id not in known:
            known[file.file_id] = asking.read(_nothing, kind_of, file.name, file.getvalue())
        kind = known[file.file_id]
        if kind is None or here in _PLACES[kind]:
            continue
        found = True
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(markup.note(f"{file.name} is {_WHAT[kind]}."), width="content")
            for place in sorted(_PLACES[kind], key=lambda one: not one.startswith(page)):
                key = f"elsewhere {file.file_id} {place}"
                if st.button(_ACTIONS[place], key=key, icon=":material/arrow_forward:"):
                    st.session_state[_HANDED] = place, Handed.of(file)
                    st.switch_page(f"{place.partition('.')[0]}/page.py")
    return found


def _nothing(_why: str) -> FileKind | None:
    return None


def is_awaited(place: Uploader) -> bool:
    """Whether a file was handed to a place, which has not taken it yet."""
    awaiting: Uploader | None = st.session_state.get(_HANDED, (None,))[0]
    return awaiting == place


def take_handed(place: Uploader) -> Handed | None:
    """The file that was handed to a place, once."""
    if not is_awaited(place):
        return None
    handed: Handed = st.session_state.pop(_HANDED)[1]
    return handed


def given(place: Uploader, files: Sequence[Any], forget: Callable[[], None]) -> Handed | None:
    """The file that a place reads in place of uploads, until there are any or a person removes
    it. Shows its name.
    """
    key = f"{_GIVEN} {place}"
    if (handed := take_handed(place)) is not None:
        st.session_state[key] = handed
    if files:
        st.session_state.pop(key, None)
    kept: Handed | None = st.session_state.get(key)
    if kept is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(markup.note(f"{kept.name}, from another uploader"), width="content")
            st.button("Remove", type="tertiary", on_click=partial(_remove, key, forget))
    return kept


def _remove(key: str, forget: Callable[[], None]) -> None:
    st.session_state.pop(key, None)
    forget()
