"""Files that pages offer, made when somebody asks for them.

Streamlit forgets what a page offered once it is drawn anew, while its browser may still show it,
and deletes a file made as soon as any two sessions have drawn, fetched or not.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from io import RawIOBase
from threading import Lock
from typing import BinaryIO, Final, TextIO
from uuid import uuid4

from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import (
    MediaFileKind,
    MediaFileStorage,
    MediaFileStorageError,
)
from streamlit.runtime.scriptrunner import get_script_run_ctx

Make = Callable[[], bytes | str | BinaryIO | TextIO | RawIOBase]

DRAWINGS_KEPT: Final = 4
"""What a session offered stands until it has drawn so many more times."""
FETCHED_WITHIN: Final = 60.0
"""Seconds that a file made can be fetched."""


@dataclass(frozen=True, slots=True)
class _Offer:
    make: Make
    mime: str
    file_name: str | None


# Internals: no upstream issue found; streamlit/streamlit#5586 was the like of other files.
class Offers(MediaFileManager):
    """Streamlit's files; those made on demand can be had from a page that is just drawn anew, even
    where it no longer offers them.
    """

    def __init__(self, storage: MediaFileStorage) -> None:
        super().__init__(storage)
        self._files = storage
        self._one_at_a_time = Lock()
        # Of each session, by the drawing.
        self._offers: dict[str, deque[dict[str, _Offer]]] = {}
        self._made: dict[str, float] = {}

    def clear_session_refs(self, session_id: str | None = None) -> None:
        """A session draws anew; one that is named has ended."""
        super().clear_session_refs(session_id)
        with self._one_at_a_time:
            if session_id is not None:
                self._offers.pop(session_id, None)
            else:
                self._drawings().append({})

    def add_deferred(
        self,
        data_callable: Make,
        mimetype: str | None,
        coordinates: str,  # noqa: ARG002  # where it stands, which does not matter here
        file_name: str | None = None,
        *,
        element_id: str = "",  # noqa: ARG002
    ) -> str:
        """The name of an offer, not to be guessed."""
        name = uuid4().hex
        with self._one_at_a_time:
            self._drawings()[-1][name] = _Offer(data_callable, mimetype or "", file_name)
        return name

    def execute_deferred(self, file_id: str) -> str:
        """Makes what is offered by this name, and says the address of the file."""
        with self._one_at_a_time:
            offers = (d[file_id] for of in self._offers.values() for d in of if file_id in d)
            offer = next(offers, None)
        if offer is None:
            raise MediaFileStorageError(f"nothing is offered as {file_id}")
        content = offer.make()
        if not isinstance(content, bytes):
            raise TypeError(f"a file offered is made as bytes, not as {type(content).__name__}")
        with self._one_at_a_time:
            made = self._files.load_and_get_id(
                content, offer.mime, MediaFileKind.DOWNLOADABLE, offer.file_name
            )
            self._made[made] = time.monotonic()
            return self._files.get_url(made)

    def remove_orphaned_files(self) -> None:
        """Forgets, when a session has drawn or ended, what was made a while ago."""
        super().remove_orphaned_files()
        latest = time.monotonic() - FETCHED_WITHIN
        with self._one_at_a_time:
            for made in [made for made, since in self._made.items() if since < latest]:
                self._files.delete_file(made)
                del self._made[made]

    def _drawings(self) -> deque[dict[str, _Offer]]:
        context = get_script_run_ctx()
        session = "" if context is None else context.session_id
        return self._offers.setdefault(session, deque([{}], maxlen=DRAWINGS_KEPT))
