"""Finds out the format and the layout of a log from its first lines."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from core.files.findings import Unreadable
from core.logs import run_tables, sacct, swf
from core.logs.layout import Form, Layout
from core.logs.limits import ROW_BYTES

LogFormat = Literal["sacct", "swf", "runs"]
FORMATS: Final[tuple[LogFormat, ...]] = ("sacct", "swf", "runs")

_LOOKED_AT: Final = 20
"""First lines among which the header is: commands print messages above it."""
_BYTES: Final = 65_536

_LAYOUTS: Final[Mapping[LogFormat, Callable[[Sequence[bytes]], Layout | None]]] = {
    "sacct": sacct.layout_of,
    "swf": swf.layout_of,
    "runs": run_tables.layout_of,
}
_WANTED: Final[Mapping[LogFormat | None, str]] = {
    None: "a dump of sacct with its header, an SWF log, or a table with the columns task, machine "
    "and seconds",
    "sacct": "a dump of sacct with its header, and Elapsed or End among its columns",
    "swf": "an SWF log, which has 18 numbers on each line",
    "runs": "a table with the columns task, machine and seconds",
}


class Recognised(NamedTuple):
    """The format and the layout of a log, its header, and the byte at which its rows begin."""

    format: LogFormat
    layout: Layout
    header: bytes
    begin: int


def recognise(data: bytes, wanted: LogFormat | None, *, final: bool) -> Recognised | None:
    """What the log is that begins with these bytes; None if more of them are needed.

    Raises `Unreadable` if it is no log, or not of the wanted format.
    """
    known = data if final else data[: data.rfind(b"\n") + 1]
    if not known.strip() and not final and len(data) <= ROW_BYTES:
        return None
    if not known.strip():
        raise Unreadable(
            "is empty; give a log with its rows" if not data.strip() else _refusal(data, wanted)
        )
    starts, lines = _first_lines(known)
    for name in FORMATS:
        if wanted not in (None, name):
            continue
        found = next(
            (
                (k, layout)
                for k in range(len(lines))
                if (layout := _LAYOUTS[name](lines[k:])) is not None
            ),
            None,
        )
        if found is not None:
            k, layout = found
            begin = _rows_begin(known, starts, k, layout)
            return Recognised(name, layout, lines[k], begin)
    raise Unreadable(_refusal(data, wanted))


def layout_again(name: LogFormat, lines: Sequence[bytes]) -> Layout | None:
    """The layout of a header in the middle of a log, where logs were joined."""
    return _LAYOUTS[name](lines)


def rows_after(layout: Layout) -> int:
    """How many lines a header takes."""
    return {Form.WORDS: 0, Form.SEPARATED: 1, Form.COLUMNS: 2}[layout.form]


def _first_lines(data: bytes) -> tuple[list[int], list[bytes]]:
    """The first lines that are not blank, and where they begin."""
    starts: list[int] = []
    lines: list[bytes] = []
    at = 0
    while at < min(len(data), _BYTES) and len(lines) < _LOOKED_AT:
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        line = data[at : min(end, at + ROW_BYTES)].rstrip(b"\r")
        if line.strip():
            starts.append(at)
            lines.append(line)
        at = end + 1
    return starts, lines


def _rows_begin(data: bytes, starts: Sequence[int], header: int, layout: Layout) -> int:
    at = starts[header]
    for _ in range(rows_after(layout)):
        at = data.find(b"\n", at) + 1 or len(data)
    return at


def _refusal(data: bytes, wanted: LogFormat | None) -> str:
    if wanted in (None, "sacct") and re.match(rb"\s*\d+(_\d+)?[|,;]", data):
        return "has no header; dump it again without --noheader"
    return f"is not recognised; give {_WANTED[wanted]}"
