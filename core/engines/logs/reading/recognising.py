"""Finds out the format and the layout of a log from its first lines."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

import numpy as np

from core.engines.logs.reading import limits, run_tables, sacct, swf
from core.engines.logs.reading.cutting import BoundsArray, Cuts
from core.engines.logs.reading.layout import NO_LAYOUT, Form, JobRows, Layout
from core.engines.logs.reading.limits import HEADER_COLUMNS, ROW_BYTES
from core.engines.logs.reading.sacct import SACCT, is_fixed_header
from core.files.findings import Unreadable
from core.vocabulary.arrays import BoolArray

LogFormat = Literal["sacct", "swf", "runs"]
FORMATS: Final[tuple[LogFormat, ...]] = ("sacct", "swf", "runs")
_TRIED: Final[tuple[LogFormat, ...]] = ("swf", "runs", "sacct")
"""A table of runs may have titles of sacct, such as Start and End, but no dump has a machine."""

_LOOKED_AT: Final = 20
"""First lines among which the header is: commands print messages above it."""
_BYTES: Final = 65_536

_ROW: Final = re.compile(rb"\s*\d+(_\d+)?[|,;\t]")
_OF_JOB: Final = re.compile(rb"\d\d:\d\d:\d\d|COMPLETED|FAILED|CANCELLED|TIMEOUT")

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
_LONE_RETURNS: Final = (
    "ends its lines with a carriage return and no line feed, which no log does; write line feeds "
    "for them, for example with tr '\\r' '\\n'"
)


class Recognised(NamedTuple):
    """The format and the layout of a log, and the bytes at which its header and rows begin."""

    format: LogFormat
    layout: Layout
    header: int
    begin: int


class _FirstLine(NamedTuple):
    begin: int
    text: bytes


def recognise(data: bytes, wanted: LogFormat | None, *, final: bool) -> Recognised | None:
    """What the log is that begins with these bytes; None if more of them are needed.

    Raises `Unreadable` if it is no log, or not of the wanted format.
    """
    lines, enough = _first_lines(data, final=final)
    if not enough and len(data) <= ROW_BYTES + _BYTES:
        return None
    if not lines:
        raise Unreadable(
            _refusal(data, wanted) if data.strip() else "is empty; give a log with its rows"
        )
    texts = [line.text for line in lines]
    for name in _TRIED:
        if wanted not in (None, name):
            continue
        for k in range(1 if name == "swf" else len(lines)):  # an SWF log may have no header
            layout = _LAYOUTS[name](texts[k:])
            if layout is not None:
                if b"\r" in texts[k]:
                    raise Unreadable(_LONE_RETURNS)
                begin = end_of_header(data, lines[k].begin, layout)
                return Recognised(name, layout, lines[k].begin, begin)
    raise Unreadable(_refusal(data, wanted, texts))


def end_of_header(data: bytes, at: int, layout: Layout) -> int:
    """The byte after the lines of a header that begins at a byte."""
    for _ in range({Form.WORDS: 0, Form.SEPARATED: 1, Form.COLUMNS: 2}[layout.form]):
        at = data.find(b"\n", at) + 1 or len(data)
    return at


def _first_lines(data: bytes, *, final: bool) -> tuple[list[_FirstLine], bool]:
    """The first lines that are not blank, and whether there are as many as are looked at."""
    lines: list[_FirstLine] = []
    at = 0
    while at < min(len(data), _BYTES) and len(lines) < _LOOKED_AT:
        end = data.find(b"\n", at)
        if end < 0 and not final:
            return lines, False
        end = len(data) if end < 0 else end
        text = data[at : min(end, at + ROW_BYTES)].rstrip(b"\r")
        if text.strip():
            lines.append(_FirstLine(at, text))
        at = end + 1
    return lines, final or at >= _BYTES or len(lines) == _LOOKED_AT


def almost_a_log(data: bytes) -> str:
    """Why what begins with these bytes is no log, if somebody will have meant one; else empty."""
    texts = [line.text for line in _first_lines(data, final=True)[0]]
    if any(map(sacct.lacks_times, texts)) or swf.refusal(texts):
        return _refusal(data, None, texts)
    is_row = texts and _ROW.match(texts[0]) and _OF_JOB.search(texts[0])
    return _refusal(data, "sacct", texts) if is_row else ""


def _refusal(data: bytes, wanted: LogFormat | None, lines: Sequence[bytes] = ()) -> str:
    if b"\r" in data[:_BYTES].partition(b"\n")[0].rstrip(b"\r"):
        return _LONE_RETURNS
    if wanted in (None, "sacct") and any(map(sacct.lacks_times, lines)):
        return f"has no column Elapsed; dump it again with {SACCT}"
    if wanted in (None, "swf") and (almost := swf.refusal(lines)):
        return almost
    if wanted in (None, "sacct") and _ROW.match(data):
        return "has no header; dump it again without --noheader"
    if data.find(b"\n", 0, ROW_BYTES) < 0 and len(data) > ROW_BYTES:
        return f"begins with a line of more than {ROW_BYTES:,} bytes; give {_WANTED[wanted]}"
    if any(line.count(cut) >= HEADER_COLUMNS for line in lines for cut in sacct.SEPARATORS):
        return f"has more than {HEADER_COLUMNS:,} columns; dump it again with fewer"
    return f"is not recognised; give {_WANTED[wanted]}"


_LETTERS: Final = 65
"""The first letter; all digits and signs are before it."""
_TITLE: Final = re.compile(rb"elapsed|end", re.IGNORECASE)


@dataclass(frozen=True)
class Heading:
    """How the rows below a header are read. `line` has the titles of the columns, where separators
    are between them; `begin` is when an SWF log begins, in seconds since 1970.
    """

    format: LogFormat
    layout: Layout
    line: bytes = b""
    begin: float = 0.0

    @classmethod
    def at(cls, data: bytes, at: int, name: LogFormat, layout: Layout) -> "Heading":
        """The heading of a layout whose header begins at a byte."""
        separated = layout.form is Form.SEPARATED
        return cls(name, layout, _two_lines(data, at)[0] if separated else b"")

    def next_in(self, data: bytes, rows: JobRows, *, final: bool) -> int | None:
        """The first of these rows after which rows are to be read otherwise: a header again, as
        where dumps were joined, or a comment that says when an SWF log begins.
        """
        cuts = rows.cuts
        if not len(cuts.line):
            return None
        suspects = cuts.cells != self.layout.cells
        if self.format != "swf":
            numbered = self.layout.job is not None
            suspects = suspects | (rows.without_number if numbered else _has_word_for_time(rows))
        for row in np.flatnonzero(suspects).tolist():
            low, high = int(cuts.row_from[row]), int(cuts.row_to[row])
            text = data[low:high]
            if text != self.line and self._is_header(text, data, low, final=final):
                return int(row)
        return None

    def _is_header(self, text: bytes, data: bytes, at: int, *, final: bool) -> bool:
        if self.format == "swf":
            begin = swf.begin_of(swf.described(text)) if swf.is_comment(text) else None
            return begin is not None and begin != self.begin
        if len(text) > limits.ROW_BYTES or text.lstrip()[:1].isdigit():
            return False  # the number of a job, behind which titles were pasted
        if self.format == "sacct" and not _TITLE.search(text):
            return False
        if self.waits_for_rule(data, at, final=final):
            return True
        return _LAYOUTS[self.format](_two_lines(data, at)) is not None

    def waits_for_rule(self, data: bytes, at: int, *, final: bool) -> bool:
        """Whether the line there has titles of fixed columns, but the rule below is not whole."""
        end = data.find(b"\n", at)
        if final or self.format != "sacct" or (end >= 0 and data.find(b"\n", end + 1) >= 0):
            return False
        return is_fixed_header(data[at : end if end >= 0 else len(data)])

    def begun_at(self, comment: bytes) -> "Heading":
        """The heading of an SWF log that begins when a comment says."""
        return replace(self, begin=swf.begin_of(swf.described(comment)) or 0.0)

    def followed_by(self, data: bytes) -> tuple["Heading", int]:
        """The heading with which the bytes begin, and the byte after its lines."""
        layout = _LAYOUTS[self.format](_two_lines(data, 0)) or self.layout
        return Heading.at(data, 0, self.format, layout), end_of_header(data, 0, layout)

    def again_in(self, data: bytes, cuts: Cuts, length: BoundsArray) -> list[int]:
        """The rows that are this header once more, as where many small dumps of the same columns
        were joined.
        """
        if not self.line:
            return []
        alike = np.flatnonzero(length == len(self.line)).tolist()
        begins = ((row, int(cuts.row_from[row])) for row in alike)
        return [row for row, low in begins if data.startswith(self.line, low)]


NO_HEADING: Final = Heading("sacct", NO_LAYOUT)
"""The heading of a log of which nothing is known yet."""


def _has_word_for_time(rows: JobRows) -> BoolArray:
    """Rows whose time begins with a letter, as that of a header does."""
    sources = rows.layout.sources
    time = next(sources[name][0] for name in ("elapsed", "end", "start") if name in sources)
    k = rows.layout.place(time.cell)
    low, high = rows.cuts.low[k], rows.cuts.high[k]
    found: BoolArray = (high > low) & (rows.data[np.minimum(low, len(rows.data) - 1)] >= _LETTERS)
    return found


def _two_lines(data: bytes, at: int) -> list[bytes]:
    """The line that begins there, and the next."""
    end = data.find(b"\n", at)
    end = len(data) if end < 0 else end
    after = data.find(b"\n", end + 1)
    after = len(data) if after < 0 else after
    return [data[at:end].rstrip(b"\r"), data[end + 1 : after].rstrip(b"\r")]
