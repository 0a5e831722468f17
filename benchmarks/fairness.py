"""Case 12: many visitors at once, one after the other, and hostile ones: what others notice."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from threading import Event
from typing import Any, Final

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import DoubleArray, SInt64Array, StringArray
from streamlit.proto.Common_pb2 import FileUploaderState as Files
from streamlit.proto.Common_pb2 import UploadedFileInfo as File
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed

from benchmarks.at_work import SMALL, Content, at_work, send
from benchmarks.beside_log import measure_beside_log
from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, megabytes, table, times, whole
from benchmarks.server import Server, dashboard
from benchmarks.visitor import SETTLED, SORRY, Visitor

MANY: Final = 30
CROWDED_FOR: Final = 120.0
"""Seconds."""
PAUSES: Final = (2.0, 8.0)
"""Time between two moves of one of many visitors (s): least and most."""
ANSWER_SECONDS: Final = 5.0
COMING: Final = 300
FIRST_COMING: Final = 70
"""Visitors before the measurement, so that the stores for all sessions are full."""
FORGOTTEN: Final = 40.0
"""Time after a tab was closed until its memory is freed (s)."""
GROWTH: Final = 50e6
"""Bytes, of which the allocator may keep some."""
FILE_BYTES: Final = 200_000_000
FILES: Final = 12
LIMIT_BYTES: Final = 257 * 2**20
"""A file that is too large."""
HELD_BYTES: Final = 600e6
"""Memory for the uploads of one tab: 300 MB that are kept, and one arriving file."""
ENDED_SECONDS: Final = 10.0
FIRST_SECONDS: Final = 3.0
BESIDE_LOG_TIMES: Final = 1.5
BUSY: Final = 0.2
"""A server that uses less than this share of a processor is idle."""
LOOK: Final = 0.5
"""Time between two looks at a server (s)."""
IDLE_FOR: Final = 4.0
"""A server that was idle for so many seconds has finished its work."""

DRAWN: Final = "apc=machine-levels&idle=0.2"
LONG: Final = f"task_types=60&machine_types=12&tasks=20000&machines=400&{DRAWN}&polish=300"
"""A system whose polish finds better schedules all the time."""
LARGE: Final = f"task_types=2000&machine_types=10&tasks=2000&machines=200&{DRAWN}"
"""A system whose first schedules take long."""
PAGES: Final = ("", "schedule", "profit", "what_if", "system", "about")
WILD: Final[tuple[dict[str, Any], ...]] = (
    {"string_value": "x" * 100_000},
    {"string_value": "no JSON"},
    {"string_value": "[" * 100_000},
    {"string_value": '{"selection": {"points": [{"customdata": [1e12]}], "rows": [-1]}}'},
    {"string_value": '{"edited_rows": {"1000000000000": {"count": 1}}, "added_rows": [5]}'},
    {"string_array_value": StringArray(data=["no option"] * 1_000)},
    {"string_array_value": StringArray()},
    {"int_value": 10**12},
    {"int_array_value": SInt64Array(data=[10**12])},
    {"double_value": float("nan")},
    {"double_array_value": DoubleArray(data=[float("nan")])},
    {"double_array_value": DoubleArray(data=[1e308, -1.0])},
    {"bool_value": True},
    {"json_value": '{"passing": [1], "moved": {"at": Infinity, "move": "1"}}'},
    {"json_value": '"text"'},
    {"json_trigger_value": "no JSON"},
    {"bytes_value": b"\0" * 100_000},
    {"file_uploader_state_value": Files(uploaded_file_info=[File(file_id="another's")])},
)
"""Values that are sent for every widget, whatever its kind."""
MALFORMED: Final = (b"", b"\xff" * 1_000, BackMsg(clear_cache=True).SerializeToString())
MANY_AT_ONCE, ONE_AFTER_THE_OTHER = "Many at once", "One after the other"
FORGED, UPLOADS, CLOSED, BESIDE = "Forged", "Uploads", "Closed", "Beside a large one"
BESIDE_LOG: Final = "Beside a log"


def measure_many(quick: bool) -> dict[str, Any]:
    number, lasting = (3, 5.0) if quick else (MANY, CROWDED_FOR)
    with dashboard() as server:
        with Visitor(server.address, SMALL) as first:
            first.load()
            first.stay(SETTLED)
            before = server.memory
        begun = time.perf_counter()
        with at_work(server, number, PAUSES) as answers:
            loaded = time.perf_counter() - begun
            time.sleep(lasting)
            during = server.memory
        return {"answers": answers, "loaded": loaded, "before": before, "during": during}


def measure_coming(quick: bool) -> dict[str, Any]:
    """The time of answers if each visitor has another system."""
    first, then, forgotten = (2, 4, 1.0) if quick else (FIRST_COMING, COMING, FORGOTTEN)
    address = "task_types=12&machine_types=6&tasks=600&machines=30&apc=machine-levels&seed="

    def come(server: Server, seeds: Sequence[int]) -> list[float]:
        seconds = []
        for seed in seeds:
            with Visitor(server.address, f"{address}{seed}") as visitor:
                seconds.append(visitor.load())
        time.sleep(forgotten)
        return seconds

    with dashboard() as server:
        come(server, range(first))
        before = server.memory
        seconds = come(server, range(first, first + then))
        return {"loads": seconds, "before": before, "after": server.memory}


def measure_forged(quick: bool) -> dict[str, Any]:
    """One visitor sends forged values on every page, while others work."""
    pages, wild = (PAGES[:1], WILD[:3]) if quick else (PAGES, WILD)
    with dashboard() as server:
        with at_work(server, 1 if quick else 3, (0.5, 1.5)) as answers:
            messages, apologies = forge(server, pages, wild)
        log = server.said
    return {
        "answers": answers,
        "messages": messages,
        "apologies": apologies,
        "tracebacks": log.count("Traceback") + log.count("failure "),
    }


def forge(server: Server, pages: Sequence[str], wild: Sequence[dict[str, Any]]) -> tuple[int, int]:
    """How many values were sent, and how often the server apologised."""
    said = sorry = 0
    for page in pages:
        with Visitor(server.address, SMALL, page) as forger:
            forger.visit()
            for value in wild:
                widgets = [*forger.widgets]
                forger.say([WidgetState(id=name, **value) for name in widgets])
                said += len(widgets)
                sorry += sum(text.startswith(SORRY) for text in forger.messages)
    for data in MALFORMED:
        with Visitor(server.address, SMALL) as forger, suppress(ConnectionClosed):
            forger.visit()
            forger.shout(data)
            said += 1
            forger.visit()
    return said, sorry


def measure_uploads(quick: bool) -> dict[str, Any]:
    """One tab uploads one file after the other, while others work."""
    files, size, forgotten = (2, 1_000_000, 1.0) if quick else (FILES, FILE_BYTES, FORGOTTEN)
    with dashboard() as server:
        with Visitor(server.address, SMALL, "system") as sender:
            sender.visit()
            before = most = server.memory
            with at_work(server, 1 if quick else 3, (0.5, 1.5)) as answers:
                statuses = []
                for number in range(files):
                    path = sender.place_for(f"{number}.csv")
                    statuses.append(send(server, path, Content.zeros(size)))
                    most = max(most, server.memory)
                too_large = send(server, sender.place_for("large.csv"), Content.zeros(LIMIT_BYTES))
                held = server.memory
        time.sleep(forgotten)
        return {
            "answers": answers,
            "statuses": statuses,
            "too large": too_large,
            "before": before,
            "most": most,
            "held": held,
            "after": server.memory,
        }


def measure_closed(quick: bool) -> list[float]:
    """The time (s) from closing a tab with a long computation until the server is idle."""
    seconds = []
    with dashboard() as server:
        for seed in range(1 if quick else 3):
            query = SMALL if quick else f"{LONG}&seed={seed}"
            with Visitor(server.address, query) as visitor:
                visitor.first_schedule()
                visitor.stay(2.0)
            seconds.append(_idle_after(server))
    return seconds


def _idle_after(server: Server) -> float:
    begun, before, idle_since = time.perf_counter(), server.work, None
    while True:
        time.sleep(LOOK)
        now = server.work
        passed = time.perf_counter() - begun
        if now - before > BUSY * LOOK:
            idle_since = None
        elif idle_since is None:
            idle_since = passed - LOOK
        elif passed - idle_since > IDLE_FOR or passed > 10 * ENDED_SECONDS:
            return max(idle_since, 0.0)
        before = now


def measure_beside(quick: bool) -> dict[str, list[float]]:
    """The time (s) to the first schedules of a new visitor: alone, and beside a person with one tab
    that waits for a large system and others that polish for long.
    """
    times = 1 if quick else 5

    def newcomers(server: Server, seeds: range) -> list[float]:
        seconds = []
        for seed in seeds:
            query = f"task_types=30&machine_types=9&tasks=2500&{DRAWN}&seed={seed}"
            with Visitor(server.address, query) as visitor:
                seconds.append(visitor.first_schedule())
        return seconds

    over = Event()

    def keep_open(tab: Visitor) -> float:
        seconds = tab.first_schedule()
        while not over.is_set():
            tab.stay(LOOK)
        return seconds

    queries = [SMALL] if quick else [f"{LONG}&seed=1", f"{LONG}&seed=2", LARGE]
    with dashboard() as server, ExitStack() as leaving, ThreadPoolExecutor(3) as threads:
        newcomers(server, range(1))
        alone = newcomers(server, range(1, 1 + times))
        tabs = [leaving.enter_context(Visitor(server.address, query)) for query in queries]
        opened = [threads.submit(keep_open, tab) for tab in tabs]
        try:
            time.sleep(2.0)
            beside = newcomers(server, range(100, 100 + times))
        finally:
            over.set()
        return {"alone": alone, "beside": beside, "large": [opened[-1].result()]}


def tell(measured: Mapping[str, Any]) -> Section:
    many, coming, forged = (measured[name] for name in (MANY_AT_ONCE, ONE_AFTER_THE_OTHER, FORGED))
    uploads, closed, beside = (measured[name] for name in (UPLOADS, CLOSED, BESIDE))
    log = measured.get(BESIDE_LOG)
    targets = [
        Target("30 at once, worst answer", max(many["answers"]), ANSWER_SECONDS, duration),
        Target(
            "more memory after 300 came and went",
            coming["after"] - coming["before"],
            GROWTH,
            megabytes,
        ),
        Target("apologies and tracebacks", forged["apologies"] + forged["tracebacks"], 0, whole),
        Target("beside the forger, worst answer", max(forged["answers"]), ANSWER_SECONDS, duration),
        Target(
            "memory for uploads, most", uploads["most"] - uploads["before"], HELD_BYTES, megabytes
        ),
        Target("of it not given back", uploads["after"] - uploads["before"], GROWTH, megabytes),
        Target("beside uploads, worst answer", max(uploads["answers"]), ANSWER_SECONDS, duration),
        Target("work of a closed tab ends, worst", max(closed), ENDED_SECONDS, duration),
        Target(
            "first schedules beside a large one, worst",
            max(beside["beside"]),
            FIRST_SECONDS,
            duration,
        ),
    ]
    if log is not None:
        targets.append(
            Target(
                "answers beside a log that is read, against a quiet server",
                statistics.median(log["beside"]) / statistics.median(log["alone"]),
                BESIDE_LOG_TIMES,
                times,
            )
        )
    waits = {
        f"{MANY} at once: answers": many["answers"],
        "one after the other: loads": coming["loads"],
        "answers beside a forger": forged["answers"],
        "answers beside uploads": uploads["answers"],
        "a closed tab, until its work has ended": closed,
        "first schedules, alone": beside["alone"],
        "first schedules, beside a large one": beside["beside"],
    }
    if log is not None:
        waits |= {"answers, alone": log["alone"], "answers, beside a log": log["beside"]}
    memory = {
        "with one session": many["before"],
        f"with {MANY} at once": many["during"],
        f"after {FIRST_COMING} came and went": coming["before"],
        f"after {COMING} more": coming["after"],
        "before uploads": uploads["before"],
        "most during uploads": uploads["most"],
        "after them, the tab open": uploads["held"],
        "once it was closed": uploads["after"],
    }
    taken = uploads["statuses"].count(204)
    return Section(
        targets,
        "\n\n".join(
            [
                "Clients that speak the protocol of a browser but draw nothing, on the same "
                "machine; all they say and draw is counted, to the end of the run. "
                f"{MANY} at once move their sliders every {PAUSES[0]:g} to {PAUSES[1]:g} s for "
                "two minutes.",
                table(["", "Times", "Median", "Worst"], list(map(_row, waits.items()))),
                f"Forged: {whole(forged['messages'])} values of a wrong kind, beyond all ranges, "
                "or no values at all, said of every widget of every page, and malformed messages.",
                f"Uploads: of {FILES} files of {megabytes(FILE_BYTES)} sent in one tab {taken} "
                "were taken, and the latest is kept; one of more than 256 MB was "
                f"{'refused' if uploads['too large'] == 413 else 'taken'}.",
                "Closed and beside: 20,000 tasks on 400 machines, polished for 300 s, in one tab "
                "or in two; and 2,000 task types, whose schedules were there after "
                f"{duration(beside['large'][0])}.",
                *([] if log is None else [_said_of_log(log)]),
                table(["Memory of the server", ""], [[k, megabytes(v)] for k, v in memory.items()]),
            ]
        ),
    )


def _said_of_log(log: Mapping[str, Any]) -> str:
    return (
        f"Beside a log: {whole(log['rows'])} rows of `sacct`, gzipped, are uploaded and "
        "become a system, again and again, in turns with a quiet server; each takes "
        f"{duration(statistics.median(log['reading']))}. Other programs kept "
        f"{whole(log['load'])} processes of this machine busy meanwhile."
    )


def _row(wait: tuple[str, Sequence[float]]) -> list[str]:
    what, seconds = wait
    return [what, whole(len(seconds)), duration(statistics.median(seconds)), duration(max(seconds))]


_PARTS: Final[dict[str, Callable[[bool], Any]]] = {
    MANY_AT_ONCE: measure_many,
    ONE_AFTER_THE_OTHER: measure_coming,
    FORGED: measure_forged,
    UPLOADS: measure_uploads,
    CLOSED: measure_closed,
    BESIDE: measure_beside,
    BESIDE_LOG: measure_beside_log,
}
_PEOPLE: Final = (MANY_AT_ONCE, ONE_AFTER_THE_OTHER, FORGED)
"""The largest memory, except in uploads, which have their own target, and large systems."""
CASE: Final = Case(
    "Fairness",
    {name: Part(measure, ours=name in _PEOPLE) for name, measure in _PARTS.items()},
    tell,
)
