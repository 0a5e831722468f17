"""What the server holds for each session: within limits, and given back when its tab is closed."""

import asyncio
from collections import OrderedDict
from typing import Final

from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionInfo, SessionStorage
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from dashboard.shell.memory import give_back

CLOSED_KEPT: Final = 64
"""So many sessions that nobody is connected to wait for a browser that lost its connection."""
TIDY_SECONDS: Final = 5.0
"""After a session ended, until memory is given back: for all that end meanwhile at once."""
UPLOADED_BYTES_KEPT: Final = 300_000_000
"""Of one session: the largest file there may be, and a little more."""


# Internals: streamlit/streamlit#8545.
class Sessions(SessionStorage):
    """Sessions that nobody is connected to, each for so many seconds: then all they hold is given
    back, whether anybody else comes or not. For the thread of the event loop alone.
    """

    def __init__(self, ttl_seconds: int) -> None:
        self._seconds = ttl_seconds
        self._kept: OrderedDict[str, SessionInfo] = OrderedDict()
        self._ends: dict[str, asyncio.TimerHandle] = {}
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
            return  # somebody is connected to it again
        runtime.get_instance().close_session(session)
        if self._tidy is None:
            self._tidy = asyncio.get_running_loop().call_later(TIDY_SECONDS, self._give_back)

    def _give_back(self) -> None:
        self._tidy = None
        give_back()


# Internals: streamlit/streamlit#9218.
class Uploads(MemoryUploadedFileManager):
    """Files that were uploaded. Of each session the latest, and no more than may be kept; a page
    has read a file by the time that others come.
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
