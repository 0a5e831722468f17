"""A visitor without a browser: a client that speaks Streamlit's protocol, but draws nothing.

Like a person with their own computer, it takes almost no time of this machine.
"""

import json
import time
from base64 import b64decode
from collections import ChainMap, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle
from random import Random
from threading import Event
from types import TracebackType
from typing import Any, Final, Self

import numpy as np
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import DoubleArray, FileURLsRequest
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.PlotlyChart_pb2 import PlotlyChart
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets import Subprotocol
from websockets.sync.client import connect

IDLE_POWER: Final = "Idle power, as a share of the mean"
"""How the label of the slider begins."""
BOUND: Final = "Lower bound"
SCHEDULES: Final = "Schedules"
"""Names of traces of the chart."""
SORRY: Final = "Sorry"
"""How an apology begins."""
PATIENCE: Final = 120.0
"""Time after which a server that does not answer is an error (s)."""
SETTLED: Final = 5.0
"""Time in which a server finishes its work if nobody asks for more (s)."""
RUNS_KEPT: Final = 3
"""A browser forgets a large message that the last two runs did not use."""


@dataclass(slots=True)
class Timer:
    """A fragment to ask the server for every so many seconds, and the time of the next request."""

    interval: float
    due: float


class Visitor:
    """One session, which handles the messages of the server as a browser does.

    It listens only during `load`, `stay` and `move`, so one of them should always run.
    """

    def __init__(self, address: str, query: str, page: str = "") -> None:
        stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
        self._socket = connect(
            stream, subprotocols=[Subprotocol("streamlit")], max_size=None, ping_interval=None
        )
        self._query = query
        self._page = page
        self._script = ""
        self._idle_power = ""
        self._touched = WidgetStates()  # the server knows the positions of the others
        self._timers: dict[str, Timer] = {}
        # The large messages of complete runs; the last run is last.
        self._messages: deque[dict[str, ForwardMsg]] = deque([{}], RUNS_KEPT)
        self._front: PlotlyChart | None = None
        self._replies: dict[str, str] = {}
        self.widgets: dict[str, str] = {}
        """The widgets of the page: the kind of each, by name."""
        self.messages: list[str] = []
        """The error messages of the page."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._socket.close()

    def load(self) -> float:
        """The time (s) from the request for the page to the end of a run with a lower bound."""
        return self._seconds_to_another_bound()

    def visit(self) -> float:
        """The time (s) from the request for any page to the end of a run."""
        return self.say(())

    def first_schedule(self) -> float:
        """The time (s) from the request for the page to the end of a run that drew schedules."""
        begun = time.perf_counter()
        self._ask()
        return self._wait(
            begun, lambda: self._front is not None and SCHEDULES in _traces(self._front)
        )

    def say(self, states: Iterable[WidgetState]) -> float:
        """The time (s) from sending values of widgets to the end of a run."""
        begun, self.messages = time.perf_counter(), []
        self._touched = WidgetStates(widgets=states)
        self._ask()
        self._touched = WidgetStates()
        return self._wait(begun, lambda: True, may_fail=True)

    def touch(self, key: str, state: WidgetState) -> float:
        """The time (s) from sending the value of one widget to the end of a run."""
        state.id = next(name for name in self.widgets if name.endswith(f"-{key}"))
        return self.say([state])

    def shows(self, key: str) -> bool:
        """Whether the page has this widget."""
        return any(name.endswith(f"-{key}") for name in self.widgets)

    def shout(self, data: bytes | str) -> None:
        """Sends bytes, which need not be a valid message."""
        self._socket.send(data)

    def place_for(self, file: str) -> str:
        """The path for the upload of a file."""
        request = FileURLsRequest(request_id=file, file_names=[file], session_id="")
        self._socket.send(BackMsg(file_urls_request=request).SerializeToString())
        until = time.perf_counter() + PATIENCE
        while file not in self._replies and time.perf_counter() < until:
            self._follow(until)
        return self._replies[file]

    def move(self, percent: int) -> float:
        """The time (s) from a move of the idle power to the end of a run that drew another bound.

        The slider must have another position before. The first run may end without the new bound;
        the server then starts another run by itself. Or due fragments interrupt the run after the
        bound was drawn; then there is nothing more to wait for.
        """
        moved = WidgetState(id=self._idle_power, double_array_value=DoubleArray(data=[percent]))
        self._touched = WidgetStates(widgets=[moved])
        return self._seconds_to_another_bound()

    def stay(self, seconds: float) -> None:
        """Keeps the page open without touching it."""
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            self._follow(until)

    def keep_moving(
        self, percents: Sequence[int], over: Event, pauses: tuple[float, float]
    ) -> list[float]:
        """The answer time of each move (s), with a random pause before each (s, least and most).
        Stays until the server is idle.
        """
        random, seconds = Random(percents[0]), []  # noqa: S311
        for percent in cycle(percents):
            self.stay(random.uniform(*pauses))
            if over.is_set():
                break
            seconds.append(self.move(percent))
        self.stay(SETTLED)
        return seconds

    def _seconds_to_another_bound(self) -> float:
        before = self._front and least_energy(self._front)
        begun = time.perf_counter()
        self._ask()
        return self._wait(
            begun, lambda: self._front is not None and least_energy(self._front) != before
        )

    def _wait(self, begun: float, seen: Callable[[], bool], *, may_fail: bool = False) -> float:
        """The time (s) since `begun` until a run is over and everything expected is drawn."""
        passed = 0.0
        while passed < PATIENCE:
            over = self._follow(begun + PATIENCE)
            passed = time.perf_counter() - begun
            if self.messages and not may_fail:
                raise RuntimeError(self.messages[0])
            if over and seen():
                return passed
        raise TimeoutError("what was to be seen did not come")

    def _ask(self, fragment: str = "") -> None:
        """Asks for a run of the page as it is, or of a due fragment."""
        state = ClientState(
            query_string=self._query,
            page_name=self._page,
            widget_states=self._touched,
            page_script_hash=self._script,
            fragment_id=fragment,
            is_auto_rerun=bool(fragment),
            cached_message_hashes=ChainMap(*self._messages),
        )
        self._socket.send(BackMsg(rerun_script=state).SerializeToString())

    def _follow(self, until: float) -> bool:
        """Waits for a message, for a limited time. Returns whether it ends a run."""
        for fragment, timer in self._timers.items():
            if timer.due <= time.perf_counter():
                self._ask(fragment)
                timer.due = time.perf_counter() + timer.interval
        wake = min([until, *(timer.due for timer in self._timers.values())])
        try:
            data = self._socket.recv(max(0.0, wake - time.perf_counter()), decode=False)
        except TimeoutError:
            return False
        return self._take(ForwardMsg.FromString(data))

    def _take(self, message: ForwardMsg) -> bool:
        match message.WhichOneof("type"):
            case "new_session" if not message.metadata.run.fragment_ids:
                self._script = message.new_session.page_script_hash
                self._timers.clear()
                self.widgets = {}
            case "navigation":
                self._script = message.navigation.page_script_hash
            case "file_urls_response":
                reply = message.file_urls_response
                self._replies[reply.response_id] = reply.file_urls[0].upload_url
            case "page_info_changed":
                self._query = message.page_info_changed.query_string
            case "auto_rerun":
                interval = message.auto_rerun.interval
                timer = Timer(interval, time.perf_counter() + interval)
                self._timers[message.auto_rerun.fragment_id] = timer
            case "stop_auto_rerun":
                for fragment in message.stop_auto_rerun.fragment_ids:
                    self._timers.pop(fragment, None)
            case "ref_hash":
                known = ChainMap(*self._messages)[message.ref_hash]
                self._messages[-1][known.hash] = known
                self._draw(known.delta.new_element)
            case "delta":
                if message.metadata.cacheable:
                    self._messages[-1][message.hash] = message
                self._draw(message.delta.new_element)
            case "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                    self._messages.append({})
                return True
        return False

    def _draw(self, element: Element) -> None:
        """Keeps what matters of an element."""
        if element.slider.label.startswith(IDLE_POWER):
            self._idle_power = element.slider.id
        if element.plotly_chart.id.endswith("-front"):
            self._front = element.plotly_chart
        kind = element.WhichOneof("type")
        body = None if kind is None else getattr(element, kind)
        name = getattr(body, "id", "")
        if kind is not None and name:
            self.widgets[name] = kind
        if element.alert.format == Alert.ERROR:
            self.messages.append(element.alert.body)
        elif kind == "exception":
            self.messages.append(f"{SORRY}: {element.exception.message}")


def least_energy(front: PlotlyChart) -> float:
    """The start of the lower bound, the only part of it that schedules do not change.

    Another idle power gives another number, at least by rounding.
    """
    x = _traces(front)[BOUND]["x"]
    return float(np.frombuffer(b64decode(x["bdata"]), x["dtype"])[0])


def _traces(chart: PlotlyChart) -> dict[str, Any]:
    return {trace.get("name", ""): trace for trace in json.loads(chart.spec)["data"]}
