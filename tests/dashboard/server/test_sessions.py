"""What a session holds has a limit, and is given back soon after its tab was closed."""

import asyncio
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.state.session_state import SessionState
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from dashboard.patches.hearing import HeardSession
from dashboard.screens.importing.log_answer import LogDesk
from dashboard.server import computing, sessions
from dashboard.server.sessions import Sessions, Uploads


class Runtime:
    """As much of Streamlit's as ends sessions."""

    def __init__(self) -> None:
        self.closed: list[str] = []
        self.storage: Any = None

    def close_session(self, session: str) -> None:
        self.storage.delete(session)
        self.closed.append(session)


@pytest.fixture
def closing(monkeypatch: pytest.MonkeyPatch) -> Runtime:
    found = Runtime()
    monkeypatch.setattr(sessions.runtime, "get_instance", lambda: found)
    monkeypatch.setattr(sessions, "TIDY_SECONDS", 0.0)
    monkeypatch.setattr(sessions, "give_back", lambda: found.closed.append("given back"))
    return found


def info(session: str, forget: Callable[[], None] = lambda: None) -> SessionInfo:
    kept = SimpleNamespace(id=session, forget=forget)
    return SessionInfo(client=None, session=kept, script_run_count=0)


async def _all_that_is_due() -> None:
    """What is due in a moment happens, and what follows from it, however late the computer is."""
    for moment in (0.2, 0, 0, 0):
        await asyncio.sleep(moment)


def lived(closing: Runtime, *steps: str, seconds: float) -> list[str]:
    """What was closed after these steps: a name disconnects, a name with a + connects again."""

    async def live() -> None:
        closing.storage = Sessions(ttl_seconds=seconds)
        for step in steps:
            if step.endswith("+"):
                closing.storage.delete(step[:-1])
            else:
                closing.storage.save(info(step))
        await _all_that_is_due()

    with ThreadPoolExecutor(1) as thread:  # a browser's driver may have a loop here
        thread.submit(asyncio.run, live()).result()
    return closing.closed


LONG = 60.0


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("steps", "kept", "seconds", "closed"),
    [
        ("a b", 64, 0.05, "a b"),  # each by itself, and memory is given back once
        ("a b a+", 64, 0.05, "b"),  # one that is connected again goes on
        ("a a+ a a", 64, 0.05, "a"),  # one that is disconnected again waits anew
        ("a b c", 2, LONG, "a"),
        ("a b c", 3, LONG, ""),
        ("a b c a+", 2, LONG, ""),  # it came back just when there were too many
    ],
)
def test_a_closed_session_ends_by_itself_and_memory_is_given_back_once(
    closing: Runtime,
    monkeypatch: pytest.MonkeyPatch,
    steps: str,
    kept: int,
    seconds: float,
    closed: str,
) -> None:
    monkeypatch.setattr(sessions, "CLOSED_KEPT", kept)
    ended = closed.split()
    assert lived(closing, *steps.split(), seconds=seconds) == ended + ["given back"] * bool(ended)
    waiting = [one.session.id for one in closing.storage.list()]
    still = "" if seconds < LONG else sorted({step[0] for step in steps.split()} - {*ended})
    assert waiting == [one for one in still if f"{one}+" not in steps]


def test_what_pages_keep_of_a_session_is_dropped_before_memory_is_given_back(
    closing: Runtime,
) -> None:
    async def live() -> None:
        closing.storage = Sessions(ttl_seconds=0)
        closing.storage.save(info("a", lambda: closing.closed.append("a forgets")))
        await _all_that_is_due()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, live()).result()
    assert closing.closed == ["a", "a forgets", "given back"]


def test_a_session_forgets_all_that_refers_to_what_pages_made() -> None:
    one = SimpleNamespace(session_state=SessionState(), _fragment_storage=MemoryFragmentStorage())
    desk = LogDesk()
    one.session_state["log.desk"] = desk
    one._fragment_storage._fragments["polling"] = partial(print, desk)
    gone = weakref.ref(desk)
    del desk
    assert gone() is not None
    HeardSession.forget(cast("HeardSession", one))
    assert gone() is None


def upload(name: str, size: int) -> UploadedFileRec:
    return UploadedFileRec(file_id=name, name=name, type="", data=bytes(size))


def test_a_session_keeps_its_latest_files_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "UPLOADED_BYTES_KEPT", 10)
    uploads = Uploads("/upload")
    uploads.add_file("other", upload("theirs", 9))
    for number in range(12):
        uploads.add_file("one", upload(f"f{number}", 4))
    uploads.add_file("one", upload("large", 50))
    names = [f"f{number}" for number in range(12)] + ["large"]
    assert [file.name for file in uploads.get_files("one", names)] == ["large"]
    uploads.add_file("one", upload("small", 1))
    uploads.add_file("one", upload("smaller", 1))
    assert [file.name for file in uploads.get_files("one", ["large", "small", "smaller"])] == [
        "small",
        "smaller",
    ]
    assert [file.name for file in uploads.get_files("other", ["theirs"])] == ["theirs"]


def test_a_session_is_gone_once_nobody_was_there_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, active = 1_000.0, True
    monkeypatch.setattr(computing.time, "monotonic", lambda: now)
    monkeypatch.setattr(computing.runtime, "exists", lambda: True)
    there = SimpleNamespace(is_active_session=lambda session: active and session == "one")
    monkeypatch.setattr(computing.runtime, "get_instance", lambda: there)
    monkeypatch.setattr(computing, "get_script_run_ctx", lambda: SimpleNamespace(session_id="one"))
    asker = computing.asker()
    assert not asker.gone()
    active = False
    assert not asker.gone(), "a connection may be lost for a moment"
    now += 2.9
    active = True
    assert not asker.gone()
    active = False
    now += 3.0
    assert not asker.gone(), "it counts anew"
    now += 3.1
    assert asker.gone()
