"""Limits what the server keeps for each session, and frees it when the tab is closed."""

import asyncio
from collections import OrderedDict
from typing import Final, cast

from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionInfo, SessionStorage
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from dashboard.patches.hearing import HeardSession
from dashboard.patches.memory import give_back

CLOSED_KEPT: Final = 64
"""The most disconnected sessions that are kept for a browser that lost its connection."""
TIDY_SECONDS: Final = 5.0
"""Seconds from the end of a session until its memory is freed, together with others."""
UPLOADED_BYTES_KEPT: Final = 300_000_000
"""Uploads of one session: enough for the largest allowed file."""


# Internals: streamlit/streamlit#8545.
class Sessions(SessionStorage):
    """Disconnected sessions, each kept for `ttl_seconds`. Then its memory is freed, even if nobody
    else comes. Only the thread of the event loop may use it.
    """

    def __init__(self, ttl_seconds: int) -> None:
        self._seconds = ttl_seconds
        self._kept: OrderedDict[str, SessionInfo] = OrderedDict()
        self._ends: dict[str, asyncio.TimerHandle] = {}
        self._ended: list[HeardSession] = []
        self._tidy: asyncio.TimerHandle | None = None

    def get(self, session_id: str) -> SessionInfo | None:
        return self._kept.get(session_id)

    def save(self, session_info: SessionInfo) -> None:
        session = session_info.session.id
        if session in self._kept:
            self.delete(session)
        self._kept[session] = session_info
        loop = asyncio.get_running_loop()
        self._ends[session] = loop.call_later(self._seconds, self._end, session)
        if len(self._kept) > CLOSED_KEPT:
            loop.call_soon(self._end, next(iter(self._kept)))

    def delete(self, session_id: str) -> None:
        del self._kept[session_id]
        self._ends.pop(session_id).cancel()

    def list(self) -> list[SessionInfo]:
        return list(self._kept.values())

    def _end(self, session: str) -> None:
        if session not in self._kept:
            return  # a browser has connected again
        self._ended.append(cast("HeardSession", self._kept[session].session))
        runtime.get_instance().close_session(session)
        if self._tidy is None:
            self._tidy = asyncio.get_running_loop().call_later(TIDY_SECONDS, self._give_back)

    def _give_back(self) -> None:
        self._tidy = None
        while self._ended:
            self._ended.pop().forget()
        give_back()


# Internals: streamlit/streamlit#9218.
class Uploads(MemoryUploadedFileManager):
    """Uploaded files: the latest of each session, up to a limit. A page has read a file before the
    next one comes.
    """

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        super().add_file(session_id, file)
        with self._lock:
            files = list(self.file_storage.get(session_id, {}).values())
        total = sum(len(each.data) for each in files)
        for each in files:
            if total <= UPLOADED_BYTES_KEPT or each is file:
                break
            total -= len(each.data)
            self.remove_file(session_id, each.file_id)
