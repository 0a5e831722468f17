"""A visitor without a browser, of the trade-offs page above all: speaks Streamlit's protocol, and
draws nothing.

It costs the machine next to nothing, as do people with computers of their own.
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

IDLE_POWER: Final = "Idle power, of the mean"
"""How the label of the slider begins."""
BOUND: Final = "Proven bound"
SCHEDULES: Final = "Schedules"
"""What traces of the chart are called."""
SORRY: Final = "Sorry"
"""How an apology begins."""
PATIENCE: Final = 120.0
"""Seconds until a server that does not answer ends it all."""
SETTLED: Final = 5.0
"""Seconds until a server that is left alone has done its work."""
RUNS_KEPT: Final = 3
"""A browser forgets a large message that the last two runs did not use."""


@dataclass(slots=True)
class Timer:
    """A fragment that the server wants to be asked for every so many seconds, and when next."""

    interval: float
    due: float


class Visitor:
    """One session, which does with the server's messages what a browser does.

    It only listens during `load`, `stay` and `move`, so one of them should always be at work.
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
        self._touched = WidgetStates()  # the server knows where the others stand
        self._timers: dict[str, Timer] = {}
        # The large messages of whole runs, the last run last.
        self._messages: deque[dict[str, ForwardMsg]] = deque([{}], RUNS_KEPT)
        self._front: PlotlyChart | None = None
        self._replies: dict[str, str] = {}
        self.widgets: dict[str, str] = {}
        """What the page consists of that can be used: the kind of each widget by its name."""
        self.messages: list[str] = []
        """What the page says is wrong."""

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
        """Seconds from asking for the page until a run is over that drew a proven bound."""
        return self._seconds_to_another_bound()

    def visit(self) -> float:
        """Seconds from asking for whatever page it is until a run is over."""
        return self.say(())

    def first_schedule(self) -> float:
        """Seconds from asking for the page until a run is over that drew schedules."""
        begun = time.perf_counter()
        self._ask()
        return self._wait(
            begun, lambda: self._front is not None and SCHEDULES in _traces(self._front)
        )

    def say(self, states: Iterable[WidgetState]) -> float:
        """Seconds from saying anything of widgets until a run is over, whatever it draws."""
        begun, self.messages = time.perf_counter(), []
        self._touched = WidgetStates(widgets=states)
        self._ask()
        self._touched = WidgetStates()
        return self._wait(begun, lambda: True, may_fail=True)

    def shout(self, data: bytes | str) -> None:
        """Sends what need not be a message."""
        self._socket.send(data)

    def place_for(self, file: str) -> str:
        """The path to which to send a file."""
        request = FileURLsRequest(request_id=file, file_names=[file], session_id="")
        self._socket.send(BackMsg(file_urls_request=request).SerializeToString())
        until = time.perf_counter() + PATIENCE
        while file not in self._replies and time.perf_counter() < until:
            self._follow(until)
        return self._replies[file]

    def move(self, percent: int) -> float:
        """Seconds from a move of the idle power until a run is over that drew another bound.

        The slider must not stand there already. The run that the move causes may end without: the
        server then starts another by itself. Or fragments that were due cut it short once the
        bound is drawn, which leaves nothing to wait for.
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
        """Seconds until each move was answered, with a pause (s, at least and at most) before each;
        stays until the server has no more to do.
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
        """Seconds since it began until a run is over and all is there that is to be seen."""
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
        """Asks for a run with the page as it stands: of all of it, or of a fragment that is due."""
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
        """Waits for a message, but not for ever; whether a run is over with it."""
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
        """Notes what matters of an element."""
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
    """Where the proven bound begins: the one part of it that no schedule moves.

    Another idle power gives another number, if only by rounding where machines need not idle.
    """
    x = _traces(front)[BOUND]["x"]
    return float(np.frombuffer(b64decode(x["bdata"]), x["dtype"])[0])


def _traces(chart: PlotlyChart) -> dict[str, Any]:
    return {trace.get("name", ""): trace for trace in json.loads(chart.spec)["data"]}
