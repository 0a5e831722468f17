"""The panel that opens a file on a page: it is read once, and said what is wrong with it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st
from core.files.reading import Reading

from core.vocabulary.problems import Problem
from dashboard.parts.frame import markup
from dashboard.parts.opening.elsewhere import Handed, Uploader, given, show_elsewhere
from dashboard.workspace import asking

T = TypeVar("T")


class Opened(NamedTuple):
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
            st.session_state[self._key] = Opened(
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

    def _opened(self) -> Opened | None:
        found: Opened | None = st.session_state.get(self._key)
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
