"""Reads one log whose bytes come block by block, and hands its runs to a writer."""

import re
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from core.logs.reading import limits, swf
from core.logs.reading.cutting import BoundsArray, Cuts, unquote
from core.logs.reading.jobs import JobRows
from core.logs.reading.layout import NO_LAYOUT, ROWS_AT_ONCE, Form, Layout
from core.logs.reading.odd_rows import Mender, joined
from core.logs.reading.recognising import LogFormat, layout_again, recognise, rows_after
from core.logs.reading.rejections import (
    ABOVE_HEADER,
    CUT_OFF,
    JOB_STEP,
    LONE_STEP,
    NO_NUMBER,
    TOO_LONG,
    Rejections,
)
from core.logs.reading.sacct import is_fixed_header
from core.logs.reading.sacct_json import JsonJobs, begins_json, json_layout
from core.logs.reading.store import RunWriter
from core.model.arrays import BoolArray, ByteArray, IntArray

_NEAR: Final = 2_048
"""Bytes behind a header that are read before it is known that no other follows."""
_FACTS: Final = 200
_FACT: Final = 200
"""Characters of what a comment says."""
_LETTERS: Final = 65
"""The first letter; all digits and signs are before it."""
_HEADER: Final = re.compile(rb"elapsed|end", re.IGNORECASE)


@dataclass
class LogParser:
    """Reads one log. `facts` are what the comments of an SWF log say; `note` what is odd about its
    columns.
    """

    name: str
    number: int
    wanted: LogFormat | None
    writer: RunWriter
    rejections: Rejections
    rows: int = 0
    line: int = 1
    format: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    note: str = ""
    _format: LogFormat = "sacct"
    _layout: Layout = NO_LAYOUT
    _json: JsonJobs | None = None
    _is_long: bool = False
    _holds: bool = False
    _returns: bool = False
    """Whether lines end with a carriage return alone, as on computers of the last century."""
    _begin_seconds: float = 0.0
    _header: bytes = b""
    """The line with the titles of the columns, where separators are between them."""
    _headers: int = 0
    _part_bytes: int = limits.BLOCK_BYTES
    _mender: Mender = field(default_factory=lambda: Mender(NO_LAYOUT))

    def take(self, data: bytes, *, final: bool) -> bytes:
        """Read the rows of some bytes; returns the bytes of the last rows, which are not whole yet.

        Raises `Unreadable`.
        """
        if self._returns:
            data = data.replace(b"\r", b"\n")
        if self._is_long:
            end = data.find(b"\n") + 1
            if not end:
                return b""
            data, self._is_long = data[end:], False
            self.line += 1
        if self._layout is NO_LAYOUT:
            self._returns = _ends_with_returns(data, final=final)
            data = data.replace(b"\r", b"\n") if self._returns else data
            begin = self._begin(data, final=final)
            if begin is None:
                return data
            data = data[begin:]
        if self._json is not None:
            return self._take_json(self._json, data, final=final)
        data = self._take_parts(data, final=final)
        if not self._holds and len(data) > limits.ROW_BYTES + limits.QUOTED_BYTES:
            # No line end of it ends a row, and the next one will: quotation marks count no more.
            self.rows += 1
            self.rejections.add(TOO_LONG, self.name, self.line, data)
            self.line += data.count(b"\n")
            self._is_long = True
            return b""
        return data

    def _take_parts(self, data: bytes, *, final: bool) -> bytes:
        """Read the rows, a part after the other; returns the bytes after them. Where there is a
        header, another may follow soon: all after it must be cut again, so parts are small.
        """
        at, most = 0, ROWS_AT_ONCE
        while at < len(data):
            part = data[at : at + self._part_bytes]
            whole = at + len(part) == len(data)
            headers = self._headers
            rest, looked_at_all = self._take_rows(part, most, final=final and whole)
            if len(rest) < len(part):
                at, most = at + len(part) - len(rest), ROWS_AT_ONCE
                again = self._headers > headers
                self._part_bytes = _NEAR if again else 4 * self._part_bytes
            elif not looked_at_all:
                most *= 4  # a job has more steps than that
            elif whole:
                break
            else:
                self._part_bytes *= 4
        return data[at:]

    def _begin(self, data: bytes, *, final: bool) -> int | None:
        """Find out what the log is; returns where its rows begin, None if it needs more bytes."""
        if begins_json(data) and self.wanted in (None, "sacct"):
            self._layout, self._json, self.format = json_layout(), JsonJobs(), "sacct"
            return 0
        found = recognise(data, self.wanted, final=final)
        if found is None:
            return None
        self.format = self._format = found.format
        self._layout, self.note = found.layout, found.layout.note
        for text in data[: found.header].split(b"\n")[:-1]:
            if text.strip():
                self.rows += 1
                self.rejections.add(ABOVE_HEADER, self.name, self.line, text)
            self.line += 1
        if found.layout.form is Form.SEPARATED:
            self._header = _two_lines(data, found.header)[0]
        self.line += data.count(b"\n", found.header, found.begin)
        return found.begin

    def _take_json(self, jobs: JsonJobs, data: bytes, *, final: bool) -> bytes:
        rows = jobs.take(data, final=final)
        if rows:
            self._take_rows(rows, len(rows), final=True)
        if jobs.cut_off:
            self.rows += 1
            self.rejections.add(CUT_OFF, self.name, self.line, jobs.cut_off.encode())
        return b""

    def _take_rows(self, data: bytes, most: int, *, final: bool) -> tuple[bytes, bool]:
        """Read rows, at most `most` and until the next header; returns the bytes after them, and
        whether all rows were looked at.
        """
        layout = self._layout
        array = np.frombuffer(data, np.uint8)
        cuts, end = layout.cut(array, most, final=final)
        looked_at_all = len(cuts.line) < most
        at_end = final and end == len(data)
        rows = JobRows.of(layout, array, cuts)
        header = self._next_header(data, rows, final=final)
        self._holds = False
        if header is not None:
            self._headers += 1
            end, at_end = int(cuts.row_from[header]), False
            if header == 0 and self.format == "swf":
                first = data[: int(cuts.row_to[header])]
                self._begin_seconds = swf.begin_of(swf.described(first)) or 0.0
                return self._take_rows(data, most, final=final)
            if header == 0:
                waits = _waits_for_rule(data, end, final=final)
                return (data, True) if waits else (self._begin_again(data[end:]), False)
        elif not at_end:
            end = self._begin_of_unfinished(rows, end)
        cuts = self._whole_rows(data, rows.until(_rows_before(cuts, end)).cuts, at_end=at_end)
        self._keep(data, JobRows.of(layout, array, cuts))
        self.line += data.count(b"\n", 0, end)
        return data[end:], looked_at_all

    def _begin_of_unfinished(self, rows: JobRows, end: int) -> int:
        """Where the rows begin that belong together with what the next block has: a job whose steps
        may go on, and short rows that may be parts of one. `end` if nothing was left otherwise.
        """
        cuts, layout = rows.cuts, rows.layout
        right = cuts.cells == layout.cells
        unfinished = len(right)
        if layout.form is Form.SEPARATED and unfinished and not right[-1]:
            full = np.flatnonzero(right)
            first = int(full[-1]) + 1 if len(full) else 0
            open_ones = (g.first for g in joined(cuts.cells[first:].tolist(), layout) if not g.sure)
            unfinished = first + next(open_ones, len(right) - first)
        if layout.job is not None:
            unfinished = min(unfinished, _last(rows.begins_job & right))
            if unfinished == 0 and len(rows.data) >= limits.HELD_BYTES:
                # Rows that must be mended first are jobs, too: the last may keep its steps.
                unfinished = _last(rows.begins_job & (cuts.cells >= layout.cells)) or len(right)
        if unfinished == len(right):
            return end
        begin = int(cuts.row_from[unfinished])
        self._holds = begin > 0 or len(rows.data) < limits.HELD_BYTES
        return begin if self._holds else end

    def _next_header(self, data: bytes, rows: JobRows, *, final: bool) -> int | None:
        """The first row after which rows are to be read otherwise: a header again, as where dumps
        were joined, or a comment that says when an SWF log begins.
        """
        cuts, layout = rows.cuts, rows.layout
        if self._json is not None or not len(cuts.line):
            return None
        odd = cuts.cells != layout.cells
        if self.format == "swf":
            suspects = np.flatnonzero(odd)
        elif layout.job is not None:
            suspects = np.flatnonzero(rows.without_number | odd)
        else:
            suspects = np.flatnonzero(odd | _has_word_for_time(rows))
        for row in suspects.tolist():
            low, high = int(cuts.row_from[row]), int(cuts.row_to[row])
            text = data[low:high]
            if text != self._header and self._is_header(text, data, low, final=final):
                return int(row)
        return None

    def _is_header(self, text: bytes, data: bytes, at: int, *, final: bool) -> bool:
        if self.format == "swf":
            begin = swf.begin_of(swf.described(text)) if swf.is_comment(text) else None
            return begin is not None and begin != self._begin_seconds
        if len(text) > limits.ROW_BYTES or text.lstrip()[:1].isdigit():
            return False  # the number of a job, behind which titles were pasted
        if self._format == "sacct" and not _HEADER.search(text):
            return False
        if self._format == "sacct" and _waits_for_rule(data, at, final=final):
            return True
        return layout_again(self._format, _two_lines(data, at)) is not None

    def _begin_again(self, data: bytes) -> bytes:
        """Take the layout of the header with which the bytes begin; returns those after it."""
        lines = _two_lines(data, 0)
        self._layout = layout = layout_again(self._format, lines) or self._layout
        self._header = lines[0] if layout.form is Form.SEPARATED else b""
        at = 0
        for _ in range(rows_after(layout)):
            at = data.find(b"\n", at) + 1 or len(data)
            self.line += 1
        return data[at:]

    def _whole_rows(self, data: bytes, cuts: Cuts, *, at_end: bool) -> Cuts:
        """The rows with all their cells, mended if need be; the others are rejected."""
        layout = self._layout
        self.rows += len(cuts.line)
        length = cuts.row_to - cuts.row_from
        too_long = length > limits.ROW_BYTES
        if too_long.any():
            self._reject(data, cuts, np.flatnonzero(too_long), TOO_LONG)
            cuts, length = cuts.rows(np.flatnonzero(~too_long)), length[~too_long]
        right = cuts.cells == layout.cells
        cut_off = at_end and len(right) > 0 and not data.endswith(b"\n")
        if cut_off and not layout.quoting and layout.form is not Form.WORDS:
            right[-1] = False
        headers = self._headers_again(data, cuts, length)
        right[headers] = True  # so that no row goes on behind one
        odd = np.flatnonzero(~right)
        for group in np.split(odd, np.flatnonzero(np.diff(odd) != 1) + 1):
            for first, last, _ in joined(cuts.cells[group].tolist(), layout):
                rows = group[first:last]
                last_of_log = cut_off and int(rows[-1]) == len(right) - 1
                fault = self._mend(data, cuts, rows)
                if fault or last_of_log:
                    self._reject(data, cuts, rows, CUT_OFF if last_of_log else fault)
                else:
                    right[rows[0]] = True
                    self.rows -= len(rows) - 1
        right[headers] = False
        self.rows -= len(headers)
        return cuts if right.all() else cuts.rows(np.flatnonzero(right))

    def _headers_again(self, data: bytes, cuts: Cuts, length: BoundsArray) -> list[int]:
        """The rows that are the header in force once more, as where many small dumps of the same
        columns were joined.
        """
        if not self._header:
            return []
        alike = np.flatnonzero(length == len(self._header)).tolist()
        begins = ((row, int(cuts.row_from[row])) for row in alike)
        return [row for row, low in begins if data.startswith(self._header, low)]

    def _mend(self, data: bytes, cuts: Cuts, rows: IntArray) -> str:
        """Put the bounds of the cells of one row, which the given rows make, in the first's place.
        Returns the reason if they cannot be read.
        """
        if self._mender.layout is not self._layout:
            self._mender = Mender(self._layout)
        low, high = int(cuts.row_from[rows[0]]), int(cuts.row_to[rows[-1]])
        cells = self._mender.mended(data, low, high)
        if isinstance(cells, str):
            return cells
        for k, cell in enumerate(self._layout.wanted):
            cuts.low[k, rows[0]], cuts.high[k, rows[0]] = cells[cell]
        return ""

    def _reject(self, data: bytes, cuts: Cuts, rows: IntArray, reason: str) -> None:
        for row in rows.tolist():
            text = data[cuts.row_from[row] : cuts.row_to[row]]
            if self.format == "swf" and swf.is_comment(text):
                self.rows -= 1
                fact = swf.described(text)
                if fact and len(self.facts) < _FACTS:
                    self.facts.setdefault(fact[0][:_FACT], fact[1][:_FACT])
            else:
                self.rejections.add(reason, self.name, self.line + int(cuts.line[row]), text)

    def _keep(self, data: bytes, rows: JobRows) -> None:
        """Write the jobs among the rows, and count the others."""
        owners = rows.owners
        self.rejections.count(JOB_STEP, int((owners >= 0).sum()))
        for reason, chosen in (
            (LONE_STEP, rows.is_step & (owners < 0)),
            (NO_NUMBER, rows.without_number),
        ):
            self._reject(data, rows.cuts, np.flatnonzero(chosen), reason)
        cuts = rows.cuts.rows(rows.jobs)
        jobs = len(cuts.line)
        numbers: dict[str, np.ndarray[Any, Any]] = rows.numbers()
        if self.format == "swf":
            swf.complete(numbers, self._begin_seconds)
        numbers["log"] = np.full(jobs, self.number, np.int16)
        numbers["line"] = cuts.line.astype(np.int64) + self.line
        data_of_texts = _unquoted(rows, cuts) if rows.layout.quoting else rows.data
        texts = {}
        for name, cell in rows.layout.texts.items():
            if self.writer.takes(name):
                k = rows.layout.place(cell)
                column = self.writer.texts_of(name)
                texts[name] = column.numbers(data_of_texts, cuts.low[k], cuts.high[k])
        self.writer.add(jobs, numbers, texts)


def _unquoted(rows: JobRows, cuts: Cuts) -> ByteArray:
    """The bytes of a block with one of each two quotation marks in cells of text; the bounds of
    these cells become those without the others.
    """
    data = rows.data.copy()
    for cell in {*rows.layout.texts.values()}:
        k = rows.layout.place(cell)
        unquote(data, cuts.low[k], cuts.high[k])
    data.flags.writeable = False  # as all blocks are, so that kernels are compiled once
    return data


def _last(chosen: BoolArray) -> int:
    """The last of the chosen rows; the first row if there is none."""
    found = np.flatnonzero(chosen)
    return int(found[-1]) if len(found) else 0


def _rows_before(cuts: Cuts, end: int) -> int:
    """How many rows begin before a byte."""
    return int(np.searchsorted(cuts.row_from, end))


def _ends_with_returns(data: bytes, *, final: bool) -> bool:
    enough = final or len(data) > limits.ROW_BYTES
    return enough and b"\n" not in data and b"\r" in data.rstrip(b"\r")


def _has_word_for_time(rows: JobRows) -> BoolArray:
    """Rows whose time begins with a letter, as that of a header does."""
    sources = rows.layout.sources
    time = next(sources[name][0] for name in ("elapsed", "end", "start") if name in sources)
    k = rows.layout.place(time.cell)
    low, high = rows.cuts.low[k], rows.cuts.high[k]
    found: BoolArray = (high > low) & (rows.data[np.minimum(low, len(rows.data) - 1)] >= _LETTERS)
    return found


def _waits_for_rule(data: bytes, at: int, *, final: bool) -> bool:
    """Whether the line there has the titles of fixed columns, but the rule below is not whole."""
    end = data.find(b"\n", at)
    if final or (end >= 0 and data.find(b"\n", end + 1) >= 0):
        return False
    return is_fixed_header(data[at : end if end >= 0 else len(data)])


def _two_lines(data: bytes, at: int) -> list[bytes]:
    """The line that begins there, and the next."""
    end = data.find(b"\n", at)
    end = len(data) if end < 0 else end
    after = data.find(b"\n", end + 1)
    after = len(data) if after < 0 else after
    return [data[at:end].rstrip(b"\r"), data[end + 1 : after].rstrip(b"\r")]
