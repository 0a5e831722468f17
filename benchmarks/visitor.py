"""A visitor of the trade-offs page without a browser: speaks Streamlit's protocol, draws nothing.

It costs the machine next to nothing, as do people with computers of their own.
"""

import json
import time
from base64 import b64decode
from collections import ChainMap, deque
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

import numpy as np
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import DoubleArray
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.PlotlyChart_pb2 import PlotlyChart
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets import Subprotocol
from websockets.sync.client import connect

IDLE_POWER: Final = "Idle power, of the mean"
"""How the label of the slider begins."""
BOUND: Final = "Proven bound"
PATIENCE: Final = 120.0
"""Seconds until a server that does not answer ends it all."""
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

    def __init__(self, address: str, query: str) -> None:
        stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
        self._socket = connect(
            stream, subprotocols=[Subprotocol("streamlit")], max_size=None, ping_interval=None
        )
        self._query = query
        self._script = ""
        self._idle_power = ""
        self._touched = WidgetStates()  # the server knows where the others stand
        self._timers: dict[str, Timer] = {}
        # The large messages of whole runs, the last run last.
        self._messages: deque[dict[str, ForwardMsg]] = deque([{}], RUNS_KEPT)
        self._front: PlotlyChart | None = None

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

    def _seconds_to_another_bound(self) -> float:
        before = self._front and least_energy(self._front)
        begun = time.perf_counter()
        self._ask()
        passed = 0.0
        while passed < PATIENCE:
            over = self._follow(begun + PATIENCE)
            passed = time.perf_counter() - begun
            if over and self._front and least_energy(self._front) != before:
                return passed
        raise TimeoutError("no other proven bound came")

    def _ask(self, fragment: str = "") -> None:
        """Asks for a run with the page as it stands: of all of it, or of a fragment that is due."""
        state = ClientState(
            query_string=self._query,
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
        if element.alert.format == Alert.ERROR:
            raise RuntimeError(element.alert.body)


def least_energy(front: PlotlyChart) -> float:
    """Where the proven bound begins: the one part of it that no schedule moves.

    Another idle power gives another number, if only by rounding where machines need not idle.
    """
    traces = json.loads(front.spec)["data"]
    x = next(trace["x"] for trace in traces if trace.get("name") == BOUND)
    return float(np.frombuffer(b64decode(x["bdata"]), x["dtype"])[0])
