"""The panel that opens a file on a page: it is read once, and said what is wrong with it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Generic, Literal, NamedTuple, Protocol, Self, TypeVar

import streamlit as st

from core.capabilities.arrivals.files.outcome_file import is_outcome
from core.capabilities.arrivals.files.workload_reader import is_workload
from core.capabilities.fair_shares import SETTINGS as BAGS
from core.capabilities.fair_shares.bags_reader import says_anything
from core.capabilities.provision import SETTINGS as PLAN
from core.engines.logs.metered.sample_files import is_power_samples
from core.engines.logs.reading.logs import is_log, refusal_of
from core.engines.logs.types.node_table import is_node_table
from core.files import inspect_system_bytes
from core.files.findings import Findings, Reading, shown_list
from core.files.schedule_file import is_schedule
from core.files.system_file import inspect_parts_bytes
from core.vocabulary.problems import Problem
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.frame import markup
from dashboard.parts.frame.trade_off_state import choose_by_hand
from dashboard.parts.opening.log_folder import LogFolder
from dashboard.server.guard import callback
from dashboard.workspace import asking, session
from dashboard.workspace.page_state import states
from dashboard.workspace.upload import Upload, is_study
from dashboard.workspace.workspace import take_upload

FileKind = Literal[
    "study", "outcome", "workload", "schedule", "log", "nodes", "watts", "plan", "bags", "system"
]
Uploader = Literal[
    "system.file",
    "system.log",
    "system.nodes",
    "system.watts",
    "arrivals.log",
    "arrivals.file",
    "arrivals.outcome",
    "fair_shares.bags",
    "provision.file",
    "compare.file",
    "batch.map",
]


class Belongs(NamedTuple):
    """What a file is, in words behind its name; the places that read it, and those that have said
    themselves why they do not.
    """

    said: str
    places: tuple[Uploader, ...] = ()
    told_by: tuple[Uploader, ...] = ()


_LOGS: Final[tuple[Uploader, ...]] = ("system.log", "arrivals.log")
BELONGS: Final[dict[FileKind, Belongs]] = {
    "study": Belongs("is a study", ("system.file",)),
    "outcome": Belongs("is an outcome of jobs", ("arrivals.outcome",)),
    "workload": Belongs("is a workload", ("arrivals.file",)),
    "schedule": Belongs("is a schedule; no page opens it, but wattfront verify checks it"),
    "log": Belongs("is an accounting log", _LOGS),
    "nodes": Belongs("is a table of nodes", ("system.nodes",), told_by=("batch.map",)),
    "watts": Belongs("has samples of power", ("system.watts",)),
    "plan": Belongs("is a plan of what to buy", ("provision.file",)),
    "bags": Belongs("has bags of tasks that arrive", ("fair_shares.bags",)),
    "system": Belongs("is a system", ("system.file",)),
}
ACTIONS: Final[dict[Uploader, str]] = {
    "system.file": "Open it on System",
    "system.log": "Derive a system from it",
    "system.nodes": "Use it with a log",
    "system.watts": "Use them with a log",
    "arrivals.log": "Replay its jobs on *Policies*",
    "arrivals.file": "Open it on *Policies*",
    "arrivals.outcome": "Check it on *Policies*",
    "fair_shares.bags": "Open them on Fair shares",
    "provision.file": "Open it on *What to buy*",
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
    """A file that a person has taken from the uploader of one place to another, with the names and
    contents of those that were `beside` it. `origin` says in words where it is from.
    """

    identity: str
    name: str
    data: bytes
    beside: tuple[tuple[str, bytes], ...] = ()
    origin: str = "from another uploader"

    @classmethod
    def of(cls, file: UploadedFile, *others: UploadedFile) -> Self:
        """A file in an uploader, and others in it."""
        beside = tuple((other.name, other.getvalue()) for other in others)
        return cls(file.file_id, file.name, file.getvalue(), beside)


def kind_of(name: str, data: bytes, path: Path) -> FileKind | None:
    """What a file, which is kept at this path, is by its content, with or without faults; None if
    we do not know it.
    """
    if is_study(name, data):
        return "study"
    if is_outcome(data):
        return "outcome"
    if is_workload(path):
        return "workload"
    if is_schedule(data):
        return "schedule"
    if is_log(path):
        return "log"
    if is_node_table(data):
        return "nodes"
    if is_power_samples(data):
        return "watts"
    parts = inspect_parts_bytes(name, data, PLAN, Findings())
    if parts is not None and parts.settings is not None:
        return "plan"
    parts = inspect_parts_bytes(name, data, BAGS, Findings())
    if parts is not None and says_anything(parts):
        return "bags"
    return "system" if inspect_system_bytes(name, data).ok else None


def _look(name: str, data: bytes) -> Belongs | None:
    """What a file is, or why it is no log if somebody will have meant one."""
    folder = LogFolder()
    (path,) = folder.keep([(name, data)])
    if (kind := kind_of(name, data, path)) is not None:
        return BELONGS[kind]
    why = refusal_of(path)
    return Belongs(why, told_by=_LOGS) if why else None


def read_system(files: Mapping[str, bytes]) -> Upload | None:
    """The upload of a system; None if a file is something else that we read. As a system, it would
    have a problem in each of its rows.
    """
    folder = LogFolder()
    paths = folder.keep(list(files.items()))
    seems_log = any(map(is_log, paths))  # which reads only their begins
    upload = None if seems_log else Upload.together(files)
    if upload is not None and upload.system is not None:
        return upload
    kinds = {kind_of(*file, path) for file, path in zip(files.items(), paths, strict=True)}
    if kinds & {"log", "workload", "outcome"} or kinds <= {"nodes", "watts", "schedule"}:
        return None
    for name, path in zip(files, paths, strict=True):
        if why := refusal_of(path):
            return Upload.refused(name, why)
    return upload or Upload.together(files)


def take_in(upload: Upload) -> None:
    """Puts what was uploaded in force: a system, or a study with all that its pages showed."""
    session.apply(take_upload, upload)
    if (opened := upload.opened) is None:
        return
    for state in states().values():
        state.restore(opened.settings)
    if (choice := opened.choice) is not None:
        choose_by_hand(choice.schedule, choice.title, choice.wish)


def show_elsewhere(files: Sequence[UploadedFile], here: Uploader) -> bool:
    """What files are that this place does not read, with buttons to the places that do; whether
    there is such a file.
    """
    found = False
    page = here.partition(".")[0]
    known: dict[str, Belongs | None] = st.session_state.setdefault(_KINDS, {})
    for file in files:
        if file.file_id not in known:
            known[file.file_id] = asking.read(_nothing, _look, file.name, file.getvalue())
        what = known[file.file_id]
        if what is None or here in (*what.places, *what.told_by):
            continue
        found = True
        if not what.places:
            st.error("This file cannot be opened:", icon=":material/error:")
        others = [one for one in files if one is not file and what == BELONGS["outcome"]]
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(markup.note(f"{file.name} {what.said}."), width="content")
            for place in sorted(what.places, key=lambda one: not one.startswith(page)):
                key = f"elsewhere {file.file_id} {place}"
                icon, step = ":material/arrow_forward:", callback(_hand_over)
                those = (place, file, *others)
                if st.button(ACTIONS[place], key=key, icon=icon, on_click=step, args=those):
                    go_to(place)
    return found


def _nothing(_why: str) -> Belongs | None:
    return None


def _hand_over(place: Uploader, *files: UploadedFile) -> None:
    """A step before the page is drawn, so that a place on this page has the files at once."""
    hand({place: Handed.of(*files)})


def hand(files: Mapping[Uploader, Handed]) -> None:
    """Hand files to places, which take them when their pages are drawn next."""
    st.session_state[_HANDED] = dict(files)


def go_to(place: Uploader) -> None:
    """Open the page of a place."""
    st.switch_page(f"screens/{place.partition('.')[0]}/page.py")


def is_awaited(*places: Uploader) -> bool:
    """Whether a file was handed to one of these places, which has not taken it yet."""
    return not st.session_state.get(_HANDED, {}).keys().isdisjoint(places)


def take_handed(place: Uploader) -> Handed | None:
    """The file that was handed to a place, once."""
    handed: Handed | None = st.session_state.get(_HANDED, {}).pop(place, None)
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
            named = shown_list([kept.name, *(name for name, _ in kept.beside)])
            st.html(markup.note(f"{named}, {kept.origin}"), width="content")
            taken_away = f"{key} remove"
            show_button("Remove", _remove, key, forget, type="tertiary", key=taken_away)
    return kept


def give(place: Uploader, handed: Handed) -> None:
    """Let a place read a file in place of uploads."""
    st.session_state[f"{_GIVEN} {place}"] = handed


def forget_given(place: Uploader) -> None:
    """Let a place read nothing in place of uploads."""
    st.session_state.pop(f"{_GIVEN} {place}", None)


def _remove(key: str, forget: Callable[[], None]) -> None:
    st.session_state.pop(key, None)
    forget()


T = TypeVar("T")


class OpenedFile(NamedTuple):
    """The file that was opened last: its identity, whether it is in force, its problems, and what
    was assumed.
    """

    identity: str
    ok: bool
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpeningPanel(Generic[T]):
    """A `place` that opens files of one kind, `named` as in "The workload". `refusal` says that a
    file is no such thing. `read` gets name and content in a worker process; `take` puts what was
    read in force, and may return a note.
    """

    place: Uploader
    named: str
    refusal: str
    read: Callable[[str, bytes], Reading[T]]
    take: Callable[[Handed, T], str | None]
    verb: str = "was"

    def show(self, label: str, meaning: str | None = None, **how: Any) -> None:
        """The upload. A file is read once, and then the page is drawn again."""
        file = st.file_uploader(label, help=meaning, key=self.place, **how)
        handed = given(self.place, [file] if file else (), self._forget)
        found = Handed.of(file) if file else handed
        opened = self._opened()
        if found is None:
            self._forget()
        elif opened is None or opened.identity != found.identity:
            with st.spinner(f"Reading the {self.named.partition(' ')[2]} …", show_time=True):
                refused = partial(Reading[T].refused, found.name)
                reading = asking.read(refused, self.read, found.name, found.data)
            notes = reading.notes
            if reading.value is not None and (note := self.take(found, reading.value)):
                notes = (*notes, note)
            st.session_state[self._key] = OpenedFile(
                found.identity, reading.value is not None, reading.problems, notes
            )
            st.rerun()

    def show_opened(self) -> None:
        """What was assumed of the file that was opened last, and its problems, as long as it is
        selected.
        """
        opened = self._opened()
        if opened is None:
            return
        refusal = "" if opened.ok else f"{self.refusal} Nothing has changed:"
        if refusal and (file := st.session_state.get(self.place)):
            if show_elsewhere([file], self.place):
                return
        elif opened.problems:
            said = f"{self.named} {self.verb} opened, with warnings:"
            st.warning(said, icon=":material/warning:")
        elif opened.notes:
            said = f"{self.named} {self.verb} opened:"
            st.info(said, icon=":material/info:")
        show_problems(refusal, opened.problems, opened.notes)

    @property
    def _key(self) -> str:
        return f"{self.place}.opened"

    def _opened(self) -> OpenedFile | None:
        found: OpenedFile | None = st.session_state.get(self._key)
        return found

    def _forget(self) -> None:
        st.session_state.pop(self._key, None)


def show_problems(refusal: str, problems: Sequence[Problem], notes: Sequence[str] = ()) -> None:
    """What was assumed of files that were opened, and what is wrong with them. A `refusal` says
    that they cannot be used.
    """
    if refusal:
        st.error(refusal, icon=":material/error:")
    if notes:
        st.html(markup.items(notes))
    if problems:
        markup.show_problems(problems)
