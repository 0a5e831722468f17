"""What a log or a person says beside a system, in a study file: when its tasks come, where they
ran, what they ask for and what they are worth.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from typing import Any, Final, TypeVar

import numpy as np

from core.engines.replay.classes import JobClass, classes_of_rows
from core.files.findings import Findings
from core.files.samples.named import LOGS, log_folder
from core.files.strict_json import Fields, as_float
from core.shells.settings.forms import read_block, written_block
from core.vocabulary.arrays import FloatArray
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.calendar import HOURS_OF_DAY, HOURS_OF_WEEK
from core.vocabulary.node_use import BusyChanges, NodeUse
from core.vocabulary.placement import LogPlacement
from core.vocabulary.ranges import Range
from core.vocabulary.requests import AMOUNTS, LogRequests, Request
from core.vocabulary.setting import settings_in

MOST_CHANGES: Final = 4_000_000
"""With more changes of busy nodes, a study leaves them out: its file could not be read back."""
SEEN_FILE: Final = "seen.json"
"""What the log of a sample says beside the sample system that is derived from it."""
_MOST: Final = 1e15
_WHOLE: Final = Range(0, _MOST, "")
T = TypeVar("T")


@dataclass(frozen=True, eq=False, slots=True)
class SeenInLog:
    """How often tasks arrive, when nodes were busy, where the tasks ran and what their jobs asked
    for (`requests`), if a log says so; whether samples of power say what its machines draw when
    idle; and what was `assumed` when the system was read. What tasks are worth, and which may stop
    others, a person says: `classes` by the names of task types.
    """

    arrivals: HourlyArrivals | None = None
    node_use: NodeUse | None = None
    idle_measured: bool = False
    assumed: tuple[str, ...] = ()
    placement: LogPlacement | None = None
    requests: LogRequests | None = None
    classes: tuple[JobClass, ...] = ()

    @property
    def is_nothing(self) -> bool:
        """Whether no log says anything, and nothing was assumed."""
        return all(getattr(self, one.name) in (None, False, ()) for one in fields(self))

    @property
    def fingerprint(self) -> str:
        """A digest of the content: what is equal, and only that, has an equal fingerprint."""
        parts = (getattr(self, one.name) for one in fields(self))
        content = [getattr(part, "fingerprint", part) for part in parts]
        if not self.classes:
            content.pop()  # so that addresses from before there were classes still lead somewhere
        return sha256(repr(content).encode()).hexdigest()


NOTHING_SEEN: Final = SeenInLog()
"""What is said of a system that is from no log."""


def seen_in_sample(name: str) -> SeenInLog:
    """What the log says that a sample system is derived from, if it is from one."""
    if name not in LOGS:
        return NOTHING_SEEN
    content = json.loads((log_folder(name) / SEEN_FILE).read_text(encoding="utf-8"))
    return read_seen(Fields(content, SEEN_FILE, Findings()))


def written_seen(seen: SeenInLog) -> dict[str, object]:
    """What was seen as JSON, which `read_seen` reads back."""
    arrivals, use = seen.arrivals, seen.node_use
    if use is not None and sum(len(one.times) for one in use.changes) > MOST_CHANGES:
        use = None
    return {
        "arrivals": None
        if arrivals is None
        else {
            "names": list(arrivals.names),
            "days": arrivals.days,
            "rates": arrivals.rates.tolist(),
            **({} if arrivals.week is None else {"week": arrivals.week.tolist()}),
        },
        "node_use": None if use is None else _written_use(use),
        "idle_measured": seen.idle_measured,
        "assumed": list(seen.assumed),
        "placement": None
        if (placed := seen.placement) is None
        else {
            "task_names": list(placed.task_names),
            "machine_names": list(placed.machine_names),
            "counts": placed.counts.tolist(),
        },
        "requests": None if seen.requests is None else asdict(seen.requests),
        **({"classes": list(map(written_block, seen.classes))} if seen.classes else {}),
    }


def _written_use(use: NodeUse) -> dict[str, object]:
    return {
        "names": list(use.names),
        "nodes": use.nodes.tolist(),
        "machines": use.machines.tolist(),
        "begin": use.begin,
        "end": use.end,
        "running": [one.running for one in use.changes],
        "times": [one.times.tolist() for one in use.changes],
        "by": [one.by.tolist() for one in use.changes],
        "node_names": list(use.node_names),
        "node_types": use.node_types.tolist(),
        "node_busy": use.node_busy.tolist(),
    }


def read_seen(given: Fields) -> SeenInLog:
    """What was seen, valid only if nothing was reported."""
    given.warn_of_unused([field.name for field in fields(SeenInLog)])
    classes = classes_in(given)
    if len({one.name for one in classes}) < len(classes):
        given.error("classes", "have two of one name; keep one for each task type")
    return SeenInLog(
        _part(given, "arrivals", _arrivals),
        _part(given, "node_use", _node_use),
        given.content.get("idle_measured") is True,
        _texts(given, "assumed") if given.has("assumed") else (),
        _part(given, "placement", _placement),
        _part(given, "requests", _requests),
        classes,
    )


def classes_in(given: Fields) -> tuple[JobClass, ...]:
    """The classes of jobs that an object has as `classes`; none if something was reported."""
    rows = given.content.get("classes", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        given.error("classes", 'is no list of classes; give [{"name": ...}, ...], or leave it out')
        return ()
    label, found = f"{given.label} [classes]", []
    for number, row in enumerate(rows, 1):
        one = Fields(row, label, given.findings, str(number))
        one.refuse_unknown([*settings_in(JobClass)], "class of jobs")
        found.append(JobClass(**read_block(one, JobClass)))
    if not given.findings.failed:
        with given.findings.refusals(label):
            return classes_of_rows(found, label).rows
    return ()


def _part(given: Fields, key: str, read: Callable[[Fields], T]) -> T | None:
    """What one key holds; None if it is not there."""
    if not given.has(key):
        return None
    return read(Fields.of(given.content, key, given.label, given.findings))


def _requests(given: Fields) -> LogRequests:
    partitions = given.content.get("partitions")
    names = partitions if isinstance(partitions, dict) else {}
    if names is not partitions or not all(isinstance(one, str) for one in names.values()):
        given.error("partitions", "are not texts by the names of machine types")
        names = {}
    least, most, nodes = (_by_name(given, key) for key in ("least", "most", "nodes"))
    return LogRequests(least, most, nodes, names)


def _by_name(given: Fields, key: str) -> dict[str, Request]:
    """Requests by the names of types."""
    found: Any = given.content.get(key)
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        given.error(key, "are not requests by the names of types")
        return {}
    read = {}
    for name, one in found.items():
        amounts = [one.get(amount) for amount in AMOUNTS]
        cores, gpus, memory, seconds, nodes = _numbers(given, key, amounts, len(AMOUNTS), 0.0)
        read[name] = Request(int(cores), int(gpus), float(memory), float(seconds), int(nodes))
    return read


def _arrivals(given: Fields) -> HourlyArrivals:
    names, days = _texts(given, "names"), given.number("days", _WHOLE)
    week = _rates(given, "week", len(names), HOURS_OF_WEEK) if given.has("week") else None
    return HourlyArrivals(names, _rates(given, "rates", len(names), HOURS_OF_DAY), days, week)


def _rates(given: Fields, key: str, types: int, hours: int) -> FloatArray:
    """A list for each hour of a period, of a number for each type."""
    rows = given.content.get(key)
    rates: list[FloatArray] = []
    if isinstance(rows, list) and len(rows) == hours:
        rates = [_numbers(given, key, row, types, 0.0) for row in rows]
    else:
        of = "day" if hours == HOURS_OF_DAY else "week"
        given.error(key, f"are not {hours} lists, one for each hour of the {of}")
    return np.array(rates).reshape(len(rates), types)


def _placement(given: Fields) -> LogPlacement:
    tasks, machines = _texts(given, "task_names"), _texts(given, "machine_names")
    rows = given.content.get("counts")
    if not isinstance(rows, list) or len(rows) != len(tasks):
        given.error("counts", f"are not {len(tasks):,} lists, one for each task type")
        rows = []
    counts = [_numbers(given, "counts", row, len(machines), 0.0) for row in rows]
    placed = np.array(counts, float).reshape(len(rows), len(machines))
    return LogPlacement(tasks, machines, placed.astype(np.int64))


def _node_use(given: Fields) -> NodeUse:
    content = given.content
    names, node_names = _texts(given, "names"), _texts(given, "node_names")
    types, nodes = len(names), len(node_names)
    columns = [content.get(key) for key in ("running", "times", "by")]
    running, times, by = (
        one if isinstance(one, list) and len(one) == types else [None] * types for one in columns
    )
    changes = [
        BusyChanges(
            _numbers(given, "times", moments, None),
            _numbers(given, "by", steps, len(moments) if isinstance(moments, list) else 0).astype(
                np.int64
            ),
            int(_numbers(given, "running", [before], 1, 0.0).sum()),
        )
        for before, moments, steps in zip(running, times, by, strict=True)
    ]
    use = NodeUse(
        names,
        _numbers(given, "nodes", content.get("nodes"), types, 0.0).astype(np.int64),
        _numbers(given, "machines", content.get("machines"), types, 0.0),
        given.number("begin", Range(-_MOST, _MOST, "s")),
        given.number("end", Range(-_MOST, _MOST, "s")),
        tuple(changes),
        node_names,
        _numbers(given, "node_types", content.get("node_types"), nodes, 0.0).astype(np.int64),
        _numbers(given, "node_busy", content.get("node_busy"), nodes, 0.0),
    )
    if not given.findings.failed and (fault := _fault(use)):
        given.error("times", fault)
    return use


def _fault(use: NodeUse) -> str | None:
    """Why nodes cannot have been busy like that; None if they can."""
    if not use.begin < use.end:
        return "are from no span: begin is not before end"
    if (use.node_types >= len(use.names)).any():
        return "are of nodes whose machine type is not there"
    for one, nodes in zip(use.changes, use.nodes.tolist(), strict=True):
        if (np.diff(one.times) < 0).any():
            return "are not in order; give each moment after the one before"
        if len(one.times) and not use.begin <= one.times[0] <= one.times[-1] <= use.end:
            return "are not between begin and end"
        if one.busy.min(initial=0) < 0 or one.most > nodes:
            return "give more busy nodes than there are, or fewer than none"
    return None


def _texts(given: Fields, key: str) -> tuple[str, ...]:
    """Texts of a list; anything else is reported."""
    found: Any = given.content.get(key)
    if isinstance(found, list) and all(isinstance(one, str) for one in found):
        return tuple(found)
    given.error(key, "is not a list of texts")
    return ()


def _numbers(
    given: Fields, key: str, values: object, length: int | None, least: float = -_MOST
) -> FloatArray:
    """A list of numbers; anything else is reported, and read as zeros."""
    there: Sequence[object] = values if isinstance(values, list) else ()
    read = [as_float(value) for value in there]
    sound = [one for one in read if one is not None and least <= one <= _MOST]
    if isinstance(values, list) and len(sound) == len(there) and length in (None, len(sound)):
        return np.array(sound, float)
    of = "" if length is None else f" of {length:,}"
    given.error(key, f"are not lists{of} numbers" + (", 0 or more" if least == 0 else ""))
    return np.zeros(length or 0)
