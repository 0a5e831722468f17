"""Accepts only messages that a browser with our pages can have sent.

Anybody can speak Streamlit's protocol by hand. A value of the wrong kind, that is no option, or of
a cell that does not exist is ignored; otherwise it would end in an error later.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, Final, TypeVar

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.state.common import (
    RegisterWidgetResult,
    WidgetMetadata,
    is_element_id,
    unpack_widget_state_value,
)
from streamlit.runtime.state.session_state import Serialized, SessionState

T = TypeVar("T")
Check = Callable[[Any], bool]

HEARD: Final = frozenset(
    (
        "rerun_script",
        "stop_script",
        "app_heartbeat",
        "file_urls_request",
        "backend_operation_request",
    )
)
"""The messages that our pages send. Among the others is one that empties the caches of all."""
FILES_AT_ONCE: Final = 16
"""The most files that one message may ask upload addresses for."""
LEVELS: Final = 8
"""The deepest nesting of the value of a widget."""
WRONG_DATA: Final = 1003
"""The WebSocket code for a connection that is closed because of wrong data."""
_NUMBERS: Final = frozenset(("int_value", "double_value"))
"""Streamlit registers fields for whole numbers as `int_value`; its browser sends the other."""

_checks: ContextVar[tuple[Check, ...]] = ContextVar("checks", default=())


@contextmanager
def believing_only(check: Check) -> Iterator[None]:
    """Ignores values of the widgets made within that do not pass this check."""
    token = _checks.set((*_checks.get(), check))
    try:
        yield
    finally:
        _checks.reset(token)


# Internals: streamlit/streamlit#16203.
class Heard(SessionState):
    """The state of a session, without values of widgets that are not credible."""

    def __init__(self) -> None:
        super().__init__()
        self._checks: dict[str, tuple[Check, ...]] = {}
        self._kinds: dict[str, Any] = {}

    def believes(self, said: WidgetState) -> bool:
        """Whether a value is credible; a widget that was not drawn yet is checked when it is."""
        drawn = self._new_widget_state.widget_metadata.get(said.id)
        if drawn is None:
            return True
        # Streamlit forgets the kind of a value when the browser tells that a field is empty. What a
        # person then types is of the kind with which the field was drawn.
        drawn = replace(drawn, value_type=self._kinds.get(said.id, drawn.value_type))
        return _is_credible(said, drawn, self._checks.get(said.id, ()))

    def on_script_will_rerun(self, fresh_widget_states: WidgetStates | None, **rest: Any) -> None:
        """Drops values that are not credible, before callbacks see them."""
        if fresh_widget_states is not None:
            believed = filter(self.believes, fresh_widget_states.widgets)
            fresh_widget_states = WidgetStates(widgets=believed)
        super().on_script_will_rerun(fresh_widget_states, **rest)

    def register_widget(
        self, metadata: WidgetMetadata[T], user_key: str | None
    ) -> RegisterWidgetResult[T]:
        """Drops a value that came before its widget was drawn, if it is not credible."""
        self._kinds[metadata.id] = metadata.value_type
        if checks := _checks.get():
            self._checks[metadata.id] = checks
        said = self._new_widget_state.states.get(metadata.id)
        if isinstance(said, Serialized) and not _is_credible(said.value, metadata, checks):
            del self._new_widget_state[metadata.id]
        return super().register_widget(metadata, user_key)

    @property
    def filtered_state(self) -> Any:
        """The values by their keys. By itself, Streamlit collects all of them again for each field
        that it draws, to look at one: a tenth of the time of a page.
        """
        return _ByKey(self)


class _ByKey(Mapping[str, Any]):
    """The values of a session by their keys, looked up when they are asked for."""

    def __init__(self, state: SessionState) -> None:
        self._state = state

    def __getitem__(self, key: str) -> Any:
        if is_element_id(key):
            raise KeyError(key)
        return self._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(SessionState.filtered_state.__get__(self._state))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _is_credible(
    said: WidgetState, metadata: WidgetMetadata[Any], checks: tuple[Check, ...]
) -> bool:
    kind, wanted = said.WhichOneof("value"), metadata.value_type
    if kind not in (wanted, None) and not {kind, wanted} <= _NUMBERS:
        return False
    options = metadata.formatted_options
    if options is not None and not set(_texts(said)) <= set(options):
        return False
    try:
        value, usual = unpack_widget_state_value(said), metadata.deserializer(None)
        if kind is not None and isinstance(usual, dict):
            # A JSON text, which Streamlit has parsed for components, but not for tables.
            told = json.loads(value) if kind == "string_value" else value
            if not isinstance(told, dict):
                return False
        found = metadata.deserializer(value)
        return _is_alike(found, usual) and all(check(found) for check in checks)
    except Exception:  # a value that makes Streamlit or a check fail, in any way, is not credible
        return False


def _texts(said: WidgetState) -> list[str]:
    if said.HasField("string_value"):
        return [said.string_value]
    return list(said.string_array_value.data)


def _is_alike(value: object, usual: object, levels: int = LEVELS) -> bool:
    """Whether a value has dictionaries and lists where an untouched widget has them."""
    if not levels:
        return False
    if isinstance(usual, dict):
        if not isinstance(value, dict) or (usual and usual.keys() != value.keys()):
            return False
        return all(_is_alike(each, usual.get(key), levels - 1) for key, each in value.items())
    if isinstance(usual, list) and not isinstance(value, list):
        return False
    if isinstance(value, dict):
        value = list(value.values())
    return not isinstance(value, list | tuple) or all(
        _is_alike(each, None, levels - 1) for each in value
    )


# Internals: no upstream issue found.
class HeardSession(AppSession):
    """A session that accepts only messages that our pages send."""

    def handle_backmsg(self, msg: BackMsg) -> None:
        """Called in the event loop, so it must be quick."""
        if msg.WhichOneof("type") not in HEARD:
            return
        if len(msg.file_urls_request.file_names) > FILES_AT_ONCE:
            return
        super().handle_backmsg(msg)

    def request_rerun(self, client_state: ClientState | None) -> None:
        """Does not run a fragment while anything else runs: the person may have left its page.
        Streamlit would still run it for that page, and browsers would then drop the page that they
        show, or never open the new one. A poll of `parts/frame/watch.py` is dropped; what a person
        did in a dialog draws the whole page again.
        """
        if client_state is not None and client_state.fragment_id and self._scriptrunner is not None:
            if client_state.is_auto_rerun:
                return
            client_state.ClearField("fragment_id")
        super().request_rerun(client_state)

    def forget(self) -> None:
        """Drops what pages keep of it, once it has ended. The garbage collector might never do
        that: it does not look through objects that were there when a page was first drawn.
        """
        self.session_state.clear()
        self._fragment_storage.clear()


# Internals: streamlit/streamlit#16391 closes what is malformed, too, but fills the log.
class Understood:
    """Closes connections with messages of another protocol, without a traceback in the log."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def understood() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and not _is_spoken(message):
                await send({"type": "websocket.close", "code": WRONG_DATA})
                return {"type": "websocket.disconnect", "code": WRONG_DATA}
            return message

        await self._app(scope, understood if scope["type"] == "websocket" else receive, send)


def _is_spoken(message: Message) -> bool:
    try:
        BackMsg.FromString(message.get("bytes") or b"")
    except Exception:  # of malformed bytes; protobuf's class of this error has no types
        return False
    return message.get("text") is None
