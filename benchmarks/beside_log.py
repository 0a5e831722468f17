"""What another session notices while an accounting log is read."""

import gzip
import os
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from streamlit.proto.Common_pb2 import FileUploaderState, StringArray, UploadedFileInfo
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.at_work import SMALL, Content, at_work, send
from benchmarks.logs import write_log
from benchmarks.server import Server, dashboard
from benchmarks.visitor import Visitor

ROWS: Final = 2_000_000
ROWS_QUICK: Final = 5_000
TURNS: Final = 4
LASTING: Final = 12.0
"""A turn of a quiet server (s)."""
PAUSES: Final = (0.2, 0.6)
"""Time between two moves (s): least and most."""
LONGEST: Final = 300.0
_LOOK: Final = 0.5


def measure_beside_log(quick: bool) -> dict[str, Any]:
    """The time of answers (s) of one visitor: alone, and while another one has a log read. `load`
    is how many processes of others wanted to run when it began, as a mean of a minute.
    """
    load = os.getloadavg()[0]
    turns, lasting, rows = (1, 2.0, ROWS_QUICK) if quick else (TURNS, LASTING, ROWS)
    content = Content.of(_log(rows))
    alone: list[float] = []
    beside: list[float] = []
    reading: list[float] = []
    with dashboard() as server, Visitor(server.address, SMALL, "system") as reader:
        reader.visit()
        for number in range(turns):
            with at_work(server, 1, PAUSES) as answers:
                reader.stay(lasting)
            alone += answers
            with at_work(server, 1, PAUSES) as answers:
                reading.append(_read(server, reader, f"{number}.txt.gz", content))
            beside += answers
    return {"rows": rows, "load": load, "alone": alone, "beside": beside, "reading": reading}


def _log(rows: int) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log")
        write_log(path, rows)
        return gzip.compress(path.read_bytes(), 1)


def _read(server: Server, reader: Visitor, name: str, content: Content) -> float:
    """The time (s) until an uploaded log has become a system."""
    place = reader.place_for(name)
    begun = time.perf_counter()
    send(server, place, content)
    file = UploadedFileInfo(file_id=place.rpartition("/")[2], name=name, size=content.size)
    state = FileUploaderState(uploaded_file_info=[file])
    reader.touch("open-files", WidgetState(trigger_value=True))
    reader.touch("opener.files", WidgetState(file_uploader_state_value=state))
    reader.touch("opener system.log", WidgetState(trigger_value=True))
    check = WidgetState(string_array_value=StringArray(data=["2 Check"]))
    reader.touch("import.step", check)
    while not reader.shows("log.preview"):
        if time.perf_counter() - begun > LONGEST:
            raise TimeoutError("the log did not become a system")
        reader.stay(_LOOK)
    return time.perf_counter() - begun
