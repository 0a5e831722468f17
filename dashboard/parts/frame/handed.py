"""Files that the one way in has handed to a place on a page, and what the page says of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar

import streamlit as st

from core.files.findings import Reading, shown_list
from core.vocabulary.problems import Problem
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.frame import markup
from dashboard.parts.frame.trade_off_state import choose_by_hand
from dashboard.workspace import asking, session
from dashboard.workspace.page_state import states
from dashboard.workspace.upload import Upload
from dashboard.workspace.workspace import take_upload

FilePlace = Literal[
    "importing.log",
    "importing.file",
    "importing.nodes",
    "importing.watts",
    "provision.plan",
    "fair_shares.bags",
    "what_if.file",
    "schedule.file",
    "schedule.map",
    "schedule.log",
    "arrivals.log",
    "arrivals.workload",
    "arrivals.outcome",
    "work.classes",
    "arrivals.classes",
    "arrivals.sizes",
    "site.hours",
    "centre.file",
    "centre.curve",
]
"""What takes files, as offered: a page, and what it does with them; or the site above all."""
_HANDED: Final = "handed"
_GIVEN: Final = "given"
OPEN: Final = "opener.open"
_IMPORTING: Final = "importing.open"


@dataclass(frozen=True, eq=False, slots=True)
class Handed:
    """A file for a place, with those that were `beside` it; `origin` says where it is from."""

    identity: str
    name: str
    data: bytes
    beside: tuple[tuple[str, bytes], ...] = ()
    origin: str = "opened"

    @property
    def files(self) -> list[tuple[str, bytes]]:
        """The names and contents of all."""
        return [(self.name, self.data), *self.beside]


def ask_for_files() -> None:
    """Opens the dialog of the one way in on the page that is drawn next."""
    st.session_state[OPEN] = True


def show_ask(label: str, **how: Any) -> None:
    """A button on a page that opens the dialog; `how` has other arguments of Streamlit's button."""
    show_button(label, ask_for_files, icon="upload", **how)


def hand(files: Mapping[FilePlace, Handed]) -> None:
    """Hand files to places, which take them when their pages are drawn next."""
    st.session_state[_HANDED] = dict(files)


def go_to(place: FilePlace) -> None:
    """Open the page of a place."""
    st.switch_page(f"screens/{place.partition('.')[0]}/page.py")


def is_awaited(*places: FilePlace) -> bool:
    """Whether a file was handed to one of these places, which has not taken it yet."""
    return not st.session_state.get(_HANDED, {}).keys().isdisjoint(places)


def is_importing() -> bool:
    """Whether a log is being made into a system: nothing else stands on its page meanwhile."""
    is_open: bool = st.session_state.get(_IMPORTING, False)
    return not is_awaited("importing.file") and (is_awaited("importing.log") or is_open)


def set_importing(*, is_open: bool) -> None:
    """Begins or goes on with the import of a log, or leaves it."""
    st.session_state[_IMPORTING] = is_open


def is_not_in_force_yet() -> bool:
    """Whether a log is in the steps of its import, or a file is being corrected."""
    now = session.workspace()
    is_mended = now.upload is not None and now.upload.mending is not None
    return is_importing() or (is_mended and not now.gone)


def take_handed(place: FilePlace) -> Handed | None:
    """The file that was handed to a place, once."""
    handed: Handed | None = st.session_state.get(_HANDED, {}).pop(place, None)
    return handed


def given(place: FilePlace, forget: Callable[[], None]) -> Handed | None:
    """The file that a place reads until it gets another one or a person removes it. Shows its name;
    `forget` is called when it is removed.
    """
    key = f"{_GIVEN} {place}"
    if (handed := take_handed(place)) is not None:
        st.session_state[key] = handed
    kept: Handed | None = st.session_state.get(key)
    if kept is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            named = shown_list([name for name, _ in kept.files])
            st.html(markup.note(f"{named}, {kept.origin}"), width="content")
            show_button("Remove", _remove, key, forget, type="tertiary", key=f"{key} remove")
    return kept


def forget_given(*places: FilePlace) -> None:
    """Lets these places read nothing any more."""
    for place in places:
        st.session_state.pop(f"{_GIVEN} {place}", None)


def _remove(key: str, forget: Callable[[], None]) -> None:
    st.session_state.pop(key, None)
    forget()


def take_in(upload: Upload) -> None:
    """Puts what was uploaded in force: a system, or a study with all that its pages showed."""
    session.apply(take_upload, upload)
    if (opened := upload.opened) is None:
        return
    for state in states().values():
        state.restore(opened.settings)
    if (choice := opened.choice) is not None:
        choose_by_hand(choice.schedule, choice.title, choice.wish)
    session.noting_a_save()()


T = TypeVar("T")


class OpenedFile(NamedTuple):
    """What is said of the file opened last: whether it is in force, problems, assumptions."""

    ok: bool
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opening(Generic[T]):
    """How a `place` opens a file, `named` as in "The workload". `refusal` says that it is no such
    thing. `read` gets name and content in a worker process; `take` puts what was read in force, and
    may return a note.
    """

    place: FilePlace
    named: str
    refusal: str
    read: Callable[[str, bytes], Reading[T]]
    take: Callable[[Handed, T], str | None]
    verb: str = "was"

    def show(self) -> None:
        """Reads what was handed to the place, after which the page is drawn again; and shows what
        was assumed of it, and its problems, until they are dismissed.
        """
        key = f"{self.place} opened"
        if (handed := take_handed(self.place)) is not None:
            with st.spinner(f"Reading the {self.named.partition(' ')[2]} …", show_time=True):
                refused = partial(Reading[T].refused, handed.name)
                reading = asking.read(refused, self.read, handed.name, handed.data)
            notes = reading.notes
            if reading.value is not None and (note := self.take(handed, reading.value)):
                notes = (*notes, note)
            st.session_state[key] = OpenedFile(reading.ok, reading.problems, notes)
            st.rerun()
        opened: OpenedFile | None = st.session_state.get(key)
        if opened is None or not (opened.problems or opened.notes):
            return
        refusal = "" if opened.ok else f"{self.refusal} Nothing has changed:"
        if opened.ok and opened.problems:
            said = f"{self.named} {self.verb} opened, with warnings:"
            st.warning(said, icon=":material/warning:")
        elif opened.ok:
            st.info(f"{self.named} {self.verb} opened:", icon=":material/info:")
        show_problems(refusal, opened.problems, opened.notes)
        dismiss = f"{self.place} dismiss"
        show_button("Dismiss", st.session_state.pop, key, None, type="tertiary", key=dismiss)


def show_problems(refusal: str, problems: Sequence[Problem], notes: Sequence[str] = ()) -> None:
    """What was assumed of opened files, and their problems, below a `refusal` if unusable."""
    if refusal:
        st.error(refusal, icon=":material/error:")
    if notes:
        st.html(markup.items(notes))
    if problems:
        markup.show_problems(problems)
