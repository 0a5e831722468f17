"""Reads one log whose bytes come block by block, and hands its runs to a writer."""

import re
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from core.logs import limits, swf
from core.logs.cutting import Cuts
from core.logs.jobs import JobRows
from core.logs.layout import NO_LAYOUT, Form, Layout
from core.logs.odd_rows import joined, mended
from core.logs.recognising import LogFormat, layout_again, recognise, rows_after
from core.logs.rejections import (
    CUT_OFF,
    JOB_STEP,
    LONE_STEP,
    NO_NUMBER,
    TOO_LONG,
    WRONG_CELLS,
    Rejections,
)
from core.logs.sacct_json import JsonJobs, begins_json, json_layout
from core.logs.store import RunWriter
from core.model.arrays import ByteArray, IntArray

_HELD_LINES: Final = 64
"""Short rows at the end of a block that may go on in the next one."""
_FACTS: Final = 200
_FACT: Final = 200
"""Characters of what a comment says."""
_HEADER: Final = re.compile(rb"elapsed|end", re.IGNORECASE)


@dataclass
class LogParser:
    """Reads one log. `facts` are what the comments of an SWF log say."""

    name: str
    number: int
    wanted: LogFormat | None
    writer: RunWriter
    rejections: Rejections
    rows: int = 0
    line: int = 1
    format: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    _format: LogFormat = "sacct"
    _layout: Layout = NO_LAYOUT
    _header: bytes = b""
    _json: JsonJobs | None = None
    _is_long: bool = False

    def take(self, data: bytes, *, final: bool) -> bytes:
        """Read the rows of some bytes; returns the bytes of the last rows, which are not whole yet.

        Raises `Unreadable`.
        """
        if self._is_long:
            end = data.find(b"\n") + 1
            if not end:
                return b""
            data, self._is_long = data[end:], False
            self.line += 1
        if self._layout is NO_LAYOUT:
            begin = self._begin(data, final=final)
            if begin is None:
                return data
            data = data[begin:]
        if self._json is not None:
            return self._take_json(self._json, data, final=final)
        while data:
            rest = self._take_rows(data, final=final)
            if len(rest) == len(data):
                break
            data = rest
        if len(data) > limits.ROW_BYTES and data.find(b"\n") < 0:
            self.rows += 1
            self.rejections.add(TOO_LONG, self.name, self.line, data)
            self._is_long = True
            return b""
        return data

    def _begin(self, data: bytes, *, final: bool) -> int | None:
        """Find out what the log is; returns where its rows begin, None if it needs more bytes."""
        if begins_json(data) and self.wanted in (None, "sacct"):
            self._layout, self._json, self.format = json_layout(), JsonJobs(), "sacct"
            return 0
        found = recognise(data, self.wanted, final=final)
        if found is None:
            return None
        self.format = self._format = found.format
        self._layout, self._header = found.layout, found.header
        self.line += data.count(b"\n", 0, found.begin)
        return found.begin

    def _take_json(self, jobs: JsonJobs, data: bytes, *, final: bool) -> bytes:
        rows = jobs.take(data, final=final)
        while rows:
            rows = self._take_rows(rows, final=True)
        return b""

    def _take_rows(self, data: bytes, *, final: bool) -> bytes:
        """Read rows, at most until the next header; returns the bytes after them."""
        layout = self._layout
        array = np.frombuffer(data, np.uint8)
        cuts, end = layout.cut(array, final=final)
        ended = final and end == len(data)
        header = self._next_header(data, array, cuts, layout)
        if header is not None:
            end, ended = int(cuts.row_from[header]), True
        elif not ended:
            end = self._begin_of_unfinished(array, cuts, layout, end)
        cuts = cuts.rows(np.flatnonzero(cuts.row_from < end))
        cuts = self._whole_rows(data, cuts, layout, at_end=ended and header is None)
        self._keep(data, JobRows.of(layout, array, cuts))
        self.line += data.count(b"\n", 0, end)
        return data[end:] if header is None else self._begin_again(data[end:])

    def _begin_of_unfinished(self, array: ByteArray, cuts: Cuts, layout: Layout, end: int) -> int:
        """Where the rows begin that belong together with what the next block has: a job whose steps
        may go on, and short rows that may be parts of one. `end` if nothing was left otherwise.
        """
        short = cuts.cells < layout.cells
        full = np.flatnonzero(~short)
        first = int(full[-1]) + 1 if len(full) else 0
        unfinished = first if 0 < len(short) - first <= _HELD_LINES else len(short)
        if layout.job is not None:
            jobs = np.flatnonzero(JobRows.of(layout, array, cuts).begins_job & ~short)
            unfinished = min(unfinished, int(jobs[-1]) if len(jobs) else unfinished)
        if unfinished == len(short):
            return end
        begin = int(cuts.row_from[unfinished])
        return begin if begin or len(array) < 2 * limits.BLOCK_BYTES else end

    def _next_header(self, data: bytes, array: ByteArray, cuts: Cuts, layout: Layout) -> int | None:
        """The first row that is a header again, as where dumps were joined."""
        if self.format == "swf" or self._json is not None or not len(cuts.line):
            return None
        if layout.job is not None:
            without = JobRows.of(layout, array, cuts).without_number
            suspects = np.flatnonzero(without | (cuts.cells != layout.cells))
        else:
            suspects = np.flatnonzero(cuts.row_to - cuts.row_from == len(self._header))
        for row in suspects.tolist():
            low, high = int(cuts.row_from[row]), int(cuts.row_to[row])
            text = data[low:high]
            if layout.job is None:
                if text == self._header:
                    return int(row)
            elif _HEADER.search(text) and layout_again(self._format, _two_lines(data, low)):
                return int(row)
        return None

    def _begin_again(self, data: bytes) -> bytes:
        """Take the layout of the header with which the bytes begin; returns those after it."""
        lines = _two_lines(data, 0)
        layout = layout_again(self._format, lines) or self._layout
        self._layout, self._header = layout, lines[0]
        at = 0
        for _ in range(rows_after(layout)):
            at = data.find(b"\n", at) + 1 or len(data)
            self.line += 1
        return data[at:]

    def _whole_rows(self, data: bytes, cuts: Cuts, layout: Layout, *, at_end: bool) -> Cuts:
        """The rows with all their cells, mended if need be; the others are rejected."""
        self.rows += len(cuts.line)
        right = cuts.cells == layout.cells
        cut_off = at_end and len(right) > 0 and not data.endswith(b"\n")
        if cut_off and not layout.quoting and layout.form is not Form.WORDS:
            right[-1] = False
        odd = np.flatnonzero(~right)
        for group in np.split(odd, np.flatnonzero(np.diff(odd) != 1) + 1):
            for first, last in joined(cuts.cells[group].tolist(), layout):
                rows = group[first:last]
                last_of_log = cut_off and int(rows[-1]) == len(right) - 1
                if not self._mend(data, cuts, layout, rows) or last_of_log:
                    self._reject(data, cuts, rows, CUT_OFF if last_of_log else WRONG_CELLS)
                else:
                    right[rows[0]] = True
                    self.rows -= len(rows) - 1
        return cuts.rows(np.flatnonzero(right)) if len(odd) else cuts

    def _mend(self, data: bytes, cuts: Cuts, layout: Layout, rows: IntArray) -> bool:
        """Put the bounds of the cells of one row, which the given rows make, in the first's place.
        False if they cannot be read in exactly one way.
        """
        low, high = int(cuts.row_from[rows[0]]), int(cuts.row_to[rows[-1]])
        cells = mended(data, low, high, layout)
        if cells is None:
            return False
        for k, cell in enumerate(layout.wanted):
            cuts.low[k, rows[0]], cuts.high[k, rows[0]] = cells[cell]
        return True

    def _reject(self, data: bytes, cuts: Cuts, rows: IntArray, reason: str) -> None:
        for row in rows.tolist():
            text = data[cuts.row_from[row] : cuts.row_to[row]]
            if self.format == "swf" and text.lstrip().startswith(b";"):
                self.rows -= 1
                fact = swf.described(text)
                if fact and len(self.facts) < _FACTS:
                    self.facts.setdefault(fact[0][:_FACT], fact[1][:_FACT])
            else:
                self.rejections.add(reason, self.name, self.line + int(cuts.line[row]), text)

    def _keep(self, data: bytes, rows: JobRows) -> None:
        """Write the jobs among the rows, and count the others."""
        owners = rows.owners()
        self.rejections.count(JOB_STEP, int((owners >= 0).sum()))
        for reason, chosen in (
            (LONE_STEP, rows.is_step & (owners < 0)),
            (NO_NUMBER, rows.without_number),
        ):
            self._reject(data, rows.cuts, np.flatnonzero(chosen), reason)
        jobs = np.flatnonzero(rows.begins_job)
        cuts = rows.cuts.rows(jobs)
        numbers: dict[str, np.ndarray[Any, Any]] = rows.numbers()
        if self.format == "swf":
            swf.complete(numbers, self.facts)
        numbers["log"] = np.full(len(jobs), self.number, np.int16)
        numbers["line"] = cuts.line.astype(np.int64) + self.line
        texts = {}
        for name, cell in rows.layout.texts.items():
            if self.writer.takes(name):
                k = rows.layout.place(cell)
                column = self.writer.texts_of(name)
                texts[name] = column.numbers(rows.data, cuts.low[k], cuts.high[k])
        self.writer.add(len(jobs), numbers, texts)


def _two_lines(data: bytes, at: int) -> list[bytes]:
    """The line that begins there, and the next."""
    end = data.find(b"\n", at)
    end = len(data) if end < 0 else end
    after = data.find(b"\n", end + 1)
    after = len(data) if after < 0 else after
    return [data[at:end].rstrip(b"\r"), data[end + 1 : after].rstrip(b"\r")]
