"""Only what our pages send is taken of a connection; anything else ends it, or is passed over."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pages import Open
from starlette.types import Message, Receive, Scope, Send
from streamlit.elements.widgets.number_input import NumberInputSerde
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.NumberInput_pb2 import NumberInput
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequests,
    ScriptRequestType,
)
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import SessionState

from dashboard.patches.hearing import WRONG_DATA, Heard, HeardSession, Understood

BEAT = BackMsg(app_heartbeat=True).SerializeToString()


def spoken(*messages: Message, kind: str = "websocket") -> tuple[list[Message], list[Message]]:
    """What an application gets to hear, and what the client is sent."""
    heard: list[Message] = []
    sent: list[Message] = []
    waiting = list(messages)

    async def receive() -> Message:
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    async def app(_scope: Scope, receive: Receive, _send: Send) -> None:
        heard.extend([await receive() for _ in messages])

    with ThreadPoolExecutor(1) as thread:  # where no loop runs yet
        thread.submit(asyncio.run, Understood(app)({"type": kind}, receive, send)).result()
    return heard, sent


def frame(**content: Any) -> Message:
    return {"type": "websocket.receive", **content}


def test_what_is_spoken_as_it_should_be_arrives() -> None:
    messages = ({"type": "websocket.connect"}, frame(bytes=BEAT), frame(bytes=BEAT, text=None))
    assert spoken(*messages) == (list(messages), [])


@pytest.mark.parametrize(
    "content",
    [
        {"bytes": b"\xff\xff\xff"},
        {"bytes": BEAT[:-1]},
        {"text": "GET / HTTP/1.1"},
        {"text": "", "bytes": None},
    ],
)
def test_anything_else_closes_the_connection(content: dict[str, Any]) -> None:
    heard, sent = spoken(frame(**content))
    assert [message["type"] for message in heard] == ["websocket.disconnect"]
    assert sent == [{"type": "websocket.close", "code": WRONG_DATA}]


def test_other_connections_are_none_of_its_business() -> None:
    request = {"type": "http.request", "body": b"\xff"}
    assert spoken(request, kind="http") == ([request], [])


def taken(monkeypatch: pytest.MonkeyPatch, message: BackMsg) -> bool:
    heard: list[BackMsg] = []
    monkeypatch.setattr(AppSession, "handle_backmsg", lambda _, message: heard.append(message))
    monkeypatch.setattr(AppSession, "__del__", lambda _: None)
    HeardSession.handle_backmsg(HeardSession.__new__(HeardSession), message)
    return bool(heard)


def test_nobody_empties_the_caches_of_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    assert taken(monkeypatch, BackMsg(app_heartbeat=True))
    assert taken(monkeypatch, BackMsg(stop_script=True))
    for message in (
        BackMsg(clear_cache=True),
        BackMsg(load_git_info=True),
        BackMsg(set_run_on_save=True),
        BackMsg(),
    ):
        assert not taken(monkeypatch, message)


def test_nobody_asks_for_more_addresses_than_there_are_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def asking(files: int) -> BackMsg:
        message = BackMsg()
        message.file_urls_request.file_names.extend(["x.csv"] * files)
        return message

    assert taken(monkeypatch, asking(16))
    assert not taken(monkeypatch, asking(17))


OLD, NEW = "the page that was left", "the page that was opened"
LOOK = ClientState(fragment_id="look", page_script_hash=OLD, is_auto_rerun=True)


class Session(HeardSession):
    """Where something runs, or nothing does; what it would begin is noted."""

    def __init__(self, running: ScriptRequests | None) -> None:
        self._state = AppSessionState.APP_IS_RUNNING
        self._fragment_storage = MemoryFragmentStorage()
        self._fragment_storage.register("look", lambda: None)
        self._scriptrunner = running  # which takes requests as it does
        self.begun: list[RerunData] = []

    def _create_scriptrunner(self, initial_rerun_data: RerunData) -> None:
        self.begun.append(initial_rerun_data)

    def __del__(self) -> None:
        """There is nothing to shut down."""


DID = ClientState(fragment_id="look", page_script_hash=NEW)


def running(*, new_page_drawn: bool) -> ScriptRequests:
    """Something runs, which was asked to switch to the new page, and perhaps has drawn it."""
    found = ScriptRequests()
    found.request_rerun(RerunData(page_script_hash=NEW))  # as by `st.switch_page`
    if new_page_drawn:
        found.on_scriptrunner_yield()
    return found


def test_a_look_of_the_page_that_was_left_does_not_take_the_place_of_the_one_that_opens() -> None:
    before = running(new_page_drawn=False)
    Session(before).request_rerun(LOOK)
    asked = before.on_scriptrunner_yield()
    assert asked is not None
    assert asked.rerun_data.page_script_hash == NEW
    after = running(new_page_drawn=True)
    Session(after).request_rerun(LOOK)
    assert after.on_scriptrunner_ready().type is ScriptRequestType.STOP


@pytest.mark.parametrize(
    ("asked", "runs", "begun"),
    [
        (LOOK, False, ("look", OLD)),
        (DID, False, ("look", NEW)),  # in a dialog, which alone is drawn
        (DID, True, (None, NEW)),  # the whole page is drawn
        (ClientState(page_script_hash=NEW), True, (None, NEW)),
    ],
)
def test_what_a_person_asks_for_is_taken(
    asked: ClientState, runs: bool, begun: tuple[str | None, str]
) -> None:
    before = ScriptRequests() if runs else None
    session = Session(before)
    session.request_rerun(asked)
    assert [(it.fragment_id or None, it.page_script_hash) for it in session.begun] == [begun]
    if before is not None:
        assert before.on_scriptrunner_ready().type is ScriptRequestType.STOP


def test_what_is_typed_after_a_poll_told_that_the_field_is_empty_is_taken() -> None:
    """Issue 33: a power cap that a person had typed was lost, and the field went on to show it.

    A poll tells all fields of the browser, so it tells a field that was just opened as empty.
    """
    state, field = Heard(), "$$ID-x-cap"
    serde = NumberInputSerde(None, NumberInput.FLOAT, 0.0, 1e6)
    metadata: WidgetMetadata[Any] = WidgetMetadata(
        field, serde.deserialize, serde.serialize, value_type="double_value"
    )
    state.register_widget(metadata, "cap")
    state.on_script_will_rerun(WidgetStates(widgets=[WidgetState(id=field)]))
    assert state["cap"] is None
    forged = WidgetState(id=field, string_value="2")
    typed = WidgetState(id=field, double_value=2.0)
    assert not state.believes(forged)
    state.on_script_will_rerun(WidgetStates(widgets=[typed]))
    assert state["cap"] == 2.0


def test_values_looked_up_by_their_keys_are_those_that_streamlit_collects(open_page: Open) -> None:
    """The names of widgets in the browser are no keys."""
    state = open_page("profit", sample="two-by-two")._session_state._state
    collected = SessionState.filtered_state.__get__(state)
    assert {"profit.ratio", "wattfront.workspace"} <= collected.keys()
    assert {**state.filtered_state} == collected
    assert len(state.filtered_state) == len(collected)
    assert "profit.ratios" not in state.filtered_state
    names = state._new_widget_state.widget_metadata
    assert not state.filtered_state.keys() & names.keys()
    assert not any(name in state.filtered_state for name in names)
