"""What Slurm says of its nodes: `sinfo`, `scontrol show node`, and their `--json`."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from core.engines.logs.types.nodes import expand_nodes
from core.files.disk import check_size
from core.files.findings import Findings, Unreadable, shown
from core.files.numbers import parse_whole
from core.files.strict_json import Odd, is_document, parse_json
from core.files.text import TextLines, decode

T = TypeVar("T")
SINFO: Final = 'sinfo --all --Node --format="%N|%P|%T|%c|%m|%G|%f"'
"""The nodes of all partitions, also hidden ones; with separators, since a width cuts names off."""
_HEAD: Final = 1 << 16
_LINES_LOOKED_AT: Final = 10
_MOST_CORES: Final = 1_000_000
_MOST_GPUS: Final = 10_000
_DIGITS: Final = 9
"""More digits are out of range in any case."""
_MIB_OF_GIB: Final = 1024
_TITLES: Final[Mapping[str, str]] = {
    "NODELIST": "node",
    "HOSTNAMES": "node",
    "CPUS": "cpus",
    "CPUS(A/I/O/T)": "cpus",
    "MEMORY": "memory",
    "GRES": "gres",
    "AVAIL_FEATURES": "features",
    "PARTITION": "partitions",
    "STATE": "state",
}
"""Titles of `sinfo`, and which part of what is said of a node stands below them."""
_NODES: Final = re.compile("NODELI|HOSTNA")
"""Lines without these are no header."""
_CUT: Final = 6
"""The fewest letters of a title that a narrow column has cut off."""
_LAST: Final = frozenset({"REASON", "COMMENT", "EXTRA", "TIMESTAMP"})
"""Texts with spaces."""
_OF_JOBS: Final = frozenset({"JOBID", "JOBIDRAW", "ELAPSED", "NODELIST(REASON)"})
_SEPARATORS: Final = "|\t;,"
_KEYS: Final[Mapping[str, str]] = {
    "NodeName": "node",
    "CPUEfctv": "cpus",
    "CPUTot": "all cpus",
    "RealMemory": "memory",
    "Gres": "gres",
    "AvailableFeatures": "features",
    "Partitions": "partitions",
    "State": "state",
    "CfgTRES": "tres",
}
"""Keys of `scontrol`. Jobs may have fewer CPUs than there are, those that are effective."""
_NEEDED: Final = ("CPUTot", "RealMemory", "State")
_RECORD: Final = re.compile(r"[ \t]*NodeName=", re.ASCII)
_FREE: Final = frozenset({"Reason", "Comment", "Extra"})
"""Texts that people write, up to the end of the line."""
_JSON_KEYS: Final[Mapping[str, str]] = {
    "name": "node",
    "effective_cpus": "cpus",
    "cpus": "all cpus",
    "real_memory": "memory",
    "gres": "gres",
    "features": "features",
    "partitions": "partitions",
    "state": "state",
    "state_flags": "flags",
    "tres": "tres",
}
_JSON: Final = re.compile(rb'"nodes"\s*:\s*\[')
_JSON_NODE: Final = re.compile(rb'"(?:architecture|real_memory|slurmd_version)"\s*:')
_IN_BRACKETS: Final = re.compile(r"\([^()]*\)")
_GPU_OF_TRES: Final = re.compile(r"(?:^|,)gres/gpu(?::([^=,]+))?=(\d{1,9})(?=,|$)")
_MEMORY: Final = re.compile(r"(\d{1,15})([MGT]?)")
_NOTHING: Final = frozenset({"", "(null)", "n/a", "none"})
_FAILED: Final = frozenset({"down", "fail", "failing", "failg", "error", "err", "inval"})
_DRAINED: Final = frozenset({"drain", "drained", "draining", "drng", "future", "futr"})
_AWAY: Final = _FAILED | _DRAINED
"""States, and flags of states, in which a node gets no jobs until somebody acts."""
_SYMBOLS: Final = "*~#!%$@^-"
"""Behind a state: not responding, asleep, starting, about to stop, and others."""


_read_once = lru_cache(1 << 12)
"""Most texts of a listing are alike."""


class ListedNode(NamedTuple):
    """What Slurm says of a node; None, or nothing, where it does not."""

    place: str
    cores: int | None = None
    memory_gib: float | None = None
    gpus: int | None = None
    models: frozenset[str] = frozenset()
    features: frozenset[str] = frozenset()
    partitions: frozenset[str] = frozenset()
    is_away: bool = False
    """Whether it is down or drained."""


def is_node_listing(data: bytes) -> bool:
    """Whether the content of a file begins as what Slurm says of nodes. Only its first bytes are
    looked at.
    """
    head = data[:_HEAD]
    if is_document(data):
        return bool(_JSON.search(head) and _JSON_NODE.search(head))
    lines = [line for line in head.decode("utf-8", "replace").splitlines() if line.strip()]
    return any(_RECORD.match(line) or _titles(line) for line in lines[:_LINES_LOOKED_AT])


def parse_node_listing(
    data: bytes, label: str, most: int, findings: Findings
) -> dict[str, ListedNode]:
    """What is said of each node, by its name: at most so many nodes. Faults are reported.

    Raises `Unreadable`.
    """
    check_size(data)
    text = decode(data, label, findings)
    if is_document(data):
        rows = _of_json(text, label, findings)
    elif any(_RECORD.match(line) for line in text[:_HEAD].splitlines()[:_LINES_LOOKED_AT]):
        rows = _of_scontrol(text, label, findings)
    else:
        rows = _of_sinfo(text, label, findings)
    found = _Listing(label, most, findings)
    for place, cells in rows:
        found.add(place, cells)
        if findings.full:
            break
    if not found.nodes and not findings.failed:
        raise Unreadable(f"lists no nodes; make it again with {SINFO}")
    return found.nodes


class _Titles(NamedTuple):
    """The header of a table of `sinfo`: its separator ("" for white space), and what is where."""

    separator: str
    width: int
    places: Mapping[str, int]
    ends_in_text: bool

    def cells(self, line: str) -> list[str]:
        if self.separator:
            return [cell.strip() for cell in line.split(self.separator)]
        return line.split(None, self.width - 1 if self.ends_in_text else -1)


def _titles(line: str) -> _Titles | None:
    """The header that a line is; None if it is none."""
    separator = next((mark for mark in _SEPARATORS if mark in line), "")
    titles = [title.strip() for title in (line.split(separator) if separator else line.split())]
    places: dict[str, int] = {}
    for place, title in enumerate(titles):
        if (part := _part(title)) is not None:
            places.setdefault(part, place)
    if "node" not in places or len(places) < 2 or not _OF_JOBS.isdisjoint(titles):
        return None
    return _Titles(separator, len(titles), places, titles[-1] in _LAST)


@_read_once
def _part(title: str) -> str | None:
    if title in _TITLES:
        return _TITLES[title]
    long_enough = len(title) >= _CUT
    return next((p for t, p in _TITLES.items() if long_enough and t.startswith(title)), None)


_Rows = Iterator[tuple[str, Mapping[str, str]]]
"""Places in a file, and the texts of what is said there of nodes."""


def _of_sinfo(text: str, label: str, findings: Findings) -> _Rows:
    titles: _Titles | None = None
    lines = TextLines(text)
    for line in lines:
        place, line = f"line {lines.number}", line.strip("\n\ufeff ")
        lines.begin_record()
        if not line.strip():
            continue
        again = _titles(line) if titles is None or _NODES.search(line) else None
        if again is not None:
            titles = again
        elif titles is not None and not line.startswith("CLUSTER: "):
            cells = titles.cells(line)
            if len(cells) == titles.width:
                yield place, {part: cells[k] for part, k in titles.places.items()}
            elif len(cells) < titles.width and titles.ends_in_text:
                yield place, {part: cells[k] for part, k in titles.places.items() if k < len(cells)}
            else:
                findings.error(
                    label,
                    place,
                    "",
                    f"has {len(cells):,} cells below {titles.width:,} titles; it may be cut off, "
                    f"or a cell has a separator in it: make it again with {SINFO}",
                )
                if findings.full:
                    return


def _of_scontrol(text: str, label: str, findings: Findings) -> _Rows:
    for place, cells in _records(text):
        missing = [key for key in _NEEDED if _KEYS[key] not in cells]
        if missing:
            message = f"is missing; the file may be cut off: make it again with {SINFO}"
            findings.error(label, place, missing[0], message)
        else:
            yield place, cells


def _records(text: str) -> _Rows:
    place, cells = "", dict[str, str]()
    lines = TextLines(text)
    for line in lines:
        lines.begin_record()
        begins = bool(_RECORD.match(line))
        if (begins or line.startswith("PartitionName=")) and cells:
            yield place, cells
            cells = {}
        if begins:
            place = f"line {lines.number}"
        if begins or cells:
            for part, value in _said(line):
                cells.setdefault(part, value)
    if cells:
        yield place, cells


def _said(line: str) -> Iterator[tuple[str, str]]:
    """What a line says of a node, before a text that a person wrote."""
    for word in line.split():
        key, _, value = word.partition("=")
        if key in _FREE:
            return
        if key in _KEYS:
            yield _KEYS[key], value


def _of_json(text: str, label: str, findings: Findings) -> _Rows:
    listed = parse_json(text, label, findings).get("nodes")
    if not isinstance(listed, list):
        raise Unreadable(f'has no list "nodes"; make it again with {SINFO}')
    for number, node in enumerate(listed, 1):
        if isinstance(node, dict):
            yield f"node {number}", {p: _plain(node[k]) for k, p in _JSON_KEYS.items() if k in node}
        else:
            message = f"{shown(json.dumps(node))} is no object; make it again with {SINFO}"
            findings.error(label, f"node {number}", "", message)


def _plain(value: object) -> str:
    """A value of a document as the other outputs have it."""
    if value is None:
        return ""
    if isinstance(value, list):
        return ",".join(map(_plain, value))
    return value.text if isinstance(value, Odd) else str(value)


class _Listing:
    """The nodes so far. Each different text is read once: a cluster has few."""

    def __init__(self, label: str, most: int, findings: Findings) -> None:
        self.nodes: dict[str, ListedNode] = {}
        self._label, self._most, self._findings = label, most, findings

    def add(self, place: str, cells: Mapping[str, str]) -> None:
        """Add what one row says."""
        names = self._read(place, "node", _names, cells.get("node", ""))
        cores = self._read(place, "CPUs", _cores, cells.get("cpus") or cells.get("all cpus", ""))
        memory = self._read(place, "memory", _memory, cells.get("memory", ""))
        gpus = self._read(place, "gres", _gpus, cells.get("gres", ""), cells.get("tres", ""))
        if names is None or gpus is None:
            return
        if len(self.nodes) + len(names) > 2 * self._most:
            raise Unreadable(f"has more than {self._most:,} nodes; leave some out")
        node = ListedNode(
            place,
            cores,
            memory,
            gpus[0],
            gpus[1],
            _words(cells.get("features", "")),
            _words(cells.get("partitions", "").replace("*", "")),
            _is_away(cells.get("state", ""), cells.get("flags", "")),
        )
        for name in names:
            self._add(name, node)
        if len(self.nodes) > self._most:
            raise Unreadable(f"has more than {self._most:,} nodes; leave some out")

    def _add(self, name: str, node: ListedNode) -> None:
        known = self.nodes.setdefault(name, node)
        if known is node:
            return
        for what, first, now in (
            ("CPUs", known.cores, node.cores),
            ("GPUs", known.gpus, node.gpus),
        ):
            if first != now:
                message = (
                    f"node '{shown(name)}' has {now} {what} here and {first} in {known.place}; "
                    "remove one of the rows"
                )
                self._findings.error(self._label, node.place, what, message)
        self.nodes[name] = known._replace(
            partitions=known.partitions | node.partitions, is_away=known.is_away or node.is_away
        )

    def _read(self, place: str, column: str, read: Callable[..., T], *texts: str) -> T | None:
        try:
            return read(*texts)
        except ValueError as fault:
            self._findings.error(self._label, place, column, str(fault))
            return None


def _names(text: str) -> tuple[str, ...]:
    if text in _NOTHING:
        raise ValueError(f"is blank; make the file again with {SINFO}")
    return expand_nodes(text)


@_read_once
def _cores(text: str) -> int | None:
    """CPUs, also as allocated/idle/other/total."""
    if text.casefold() in _NOTHING:
        return None
    cores = parse_whole(text.rpartition("/")[2])
    if cores is None or not 1 <= cores <= _MOST_CORES:
        raise ValueError(_number_fault(text, f"a whole number from 1 to {_MOST_CORES:,}"))
    return cores


@_read_once
def _memory(text: str) -> float | None:
    """Memory, which Slurm writes in MiB, in GiB."""
    if text.casefold() in _NOTHING:
        return None
    match = _MEMORY.fullmatch(text)
    if match is None:
        raise ValueError(_number_fault(text, "a whole number of MiB"))
    return int(match[1]) * float(_MIB_OF_GIB) ** ("MGT".index(match[2] or "M") - 1)


def _number_fault(text: str, wanted: str) -> str:
    if text.endswith("+"):
        return f"'{shown(text)}' is of several nodes that differ; make the file again with {SINFO}"
    return f"'{shown(text)}' is not {wanted}; make the file again with {SINFO}"


@_read_once
def _gpus(gres: str, tres: str) -> tuple[int | None, frozenset[str]]:
    """GPUs, and their models. Without a word of them there are none, if anything is said."""
    counted: dict[str, int] = {}
    for item in _IN_BRACKETS.sub("", gres).split(","):
        kind, *rest = item.split(":")
        if kind == "gpu":
            count = rest.pop() if rest and rest[-1].isdecimal() else "1"
            model = rest[0] if rest else ""
            counted[model] = counted.get(model, 0) + int(count[:_DIGITS])
    counted = counted or {model: int(count) for model, count in _GPU_OF_TRES.findall(tres)}
    total = counted.get("") or sum(counted.values())  # TRES repeat all GPUs for each model
    if total > _MOST_GPUS:
        raise ValueError(f"{total:,} GPUs are out of range; give at most {_MOST_GPUS:,}")
    models = frozenset(model for model, count in counted.items() if model and count)
    return (total if counted or gres or tres else None), models


@_read_once
def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in text.split(",") if word not in _NOTHING)


@_read_once
def _is_away(state: str, flags: str) -> bool:
    words = re.split(r"[+,]", f"{state},{flags}".casefold())
    return not _AWAY.isdisjoint(word.strip().rstrip(_SYMBOLS) for word in words)
