"""Files that pages offer; each is made when a person asks for it.

Streamlit forgets the offers of a page when it draws the page again, while a browser may still show
the old one. It also deletes a file once any two sessions were drawn, fetched or not.
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
"""An offer is kept until its session was drawn so many times more."""
FETCHED_WITHIN: Final = 60.0
"""Seconds within which a file that was made can be fetched."""


@dataclass(frozen=True, slots=True)
class _Offer:
    make: Make
    mime: str
    file_name: str | None


# Internals: no upstream issue found; streamlit/streamlit#5586 was the like of other files.
class Offers(MediaFileManager):
    """Streamlit's files. A file made on demand can be fetched while its page is drawn again, even
    if the new page no longer offers it.
    """

    def __init__(self, storage: MediaFileStorage) -> None:
        super().__init__(storage)
        self._files = storage
        self._one_at_a_time = Lock()
        # For each session, the offers of its last runs, by name.
        self._offers: dict[str, deque[dict[str, _Offer]]] = {}
        self._made: dict[str, float] = {}

    def clear_session_refs(self, session_id: str | None = None) -> None:
        """Called when a session is drawn again, or with an ID when that session has ended."""
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
        coordinates: str,  # noqa: ARG002  # its place on the page, which does not matter here
        file_name: str | None = None,
        *,
        element_id: str = "",  # noqa: ARG002
    ) -> str:
        """The random name of an offer, which nobody can guess."""
        name = uuid4().hex
        with self._one_at_a_time:
            self._drawings()[-1][name] = _Offer(data_callable, mimetype or "", file_name)
        return name

    def execute_deferred(self, file_id: str) -> str:
        """Makes the file that is offered by this name. Returns its address."""
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
        """Deletes files that were made long ago; called when a session was drawn or has ended."""
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
