"""The rows of a log below a header: whole ones are kept as runs, the others are rejected."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from core.engines.logs.reading import limits, swf
from core.engines.logs.reading.cutting import Cuts, unquote
from core.engines.logs.reading.layout import NO_LAYOUT, Form, JobRows
from core.engines.logs.reading.odd_rows import Mender, joined
from core.engines.logs.reading.recognising import Heading
from core.engines.logs.reading.rejections import (
    CUT_OFF,
    JOB_STEP,
    LONE_STEP,
    NO_NUMBER,
    TOO_LONG,
    Rejections,
)
from core.engines.logs.reading.store import RunWriter
from core.vocabulary.arrays import ByteArray, IntArray

_FACTS: Final = 200
_FACT: Final = 200
"""Characters of what a comment says."""


@dataclass
class LogRows:
    """Counts and keeps the rows of one log, the `number`th of the store. `line` is the next line of
    the log; `facts` are what the comments of an SWF log say.
    """

    name: str
    number: int
    writer: RunWriter
    rejections: Rejections
    count: int = 0
    line: int = 1
    facts: dict[str, str] = field(default_factory=dict)
    _mender: Mender = field(default_factory=lambda: Mender(NO_LAYOUT))

    def take(self, data: bytes, rows: JobRows, heading: Heading, *, at_end: bool) -> None:
        """Keep the runs among the rows; with `at_end`, the last row may be cut off."""
        cuts = self._whole(data, rows.cuts, heading, at_end=at_end)
        self._keep(data, JobRows.of(heading.layout, rows.data, cuts), heading)

    def reject(self, reason: str, row: bytes) -> None:
        """Count a row that begins on the next line and is no run."""
        self.count += 1
        self.rejections.add(reason, self.name, self.line, row)

    def _whole(self, data: bytes, cuts: Cuts, heading: Heading, *, at_end: bool) -> Cuts:
        """The rows with all their cells, mended if need be; the others are rejected."""
        layout = heading.layout
        self.count += len(cuts.line)
        length = cuts.row_to - cuts.row_from
        too_long = length > limits.ROW_BYTES
        if too_long.any():
            self._reject(data, cuts, np.flatnonzero(too_long), TOO_LONG, heading)
            cuts, length = cuts.rows(np.flatnonzero(~too_long)), length[~too_long]
        right = cuts.cells == layout.cells
        cut_off = at_end and len(right) > 0 and b"\n" not in data[int(cuts.row_to[-1]) :]
        if cut_off and not layout.quoting and layout.form is not Form.WORDS:
            right[-1] = False
        headers = heading.again_in(data, cuts, length)
        right[headers] = True  # so that no row goes on behind one
        odd = np.flatnonzero(~right)
        for group in np.split(odd, np.flatnonzero(np.diff(odd) != 1) + 1):
            for first, last, _ in joined(cuts.cells[group].tolist(), layout):
                rows = group[first:last]
                last_of_log = cut_off and int(rows[-1]) == len(right) - 1
                fault = self._mend(data, cuts, rows, heading)
                if fault or last_of_log:
                    self._reject(data, cuts, rows, CUT_OFF if last_of_log else fault, heading)
                else:
                    right[rows[0]] = True
                    self.count -= len(rows) - 1
        right[headers] = False
        self.count -= len(headers)
        return cuts if right.all() else cuts.rows(np.flatnonzero(right))

    def _mend(self, data: bytes, cuts: Cuts, rows: IntArray, heading: Heading) -> str:
        """Put the bounds of the cells of one row, which the given rows make, in the first's place.
        Returns the reason if they cannot be read.
        """
        if self._mender.layout is not heading.layout:
            self._mender = Mender(heading.layout)
        low, high = int(cuts.row_from[rows[0]]), int(cuts.row_to[rows[-1]])
        cells = self._mender.mended(data, low, high)
        if isinstance(cells, str):
            return cells
        for k, cell in enumerate(heading.layout.wanted):
            cuts.low[k, rows[0]], cuts.high[k, rows[0]] = cells[cell]
        return ""

    def _reject(
        self, data: bytes, cuts: Cuts, rows: IntArray, reason: str, heading: Heading
    ) -> None:
        """Count rows that are no runs; the comments of an SWF log are facts, and no rows."""
        for row in rows.tolist():
            text = data[cuts.row_from[row] : cuts.row_to[row]]
            if heading.format == "swf" and swf.is_comment(text):
                self.count -= 1
                fact = swf.described(text)
                if fact and len(self.facts) < _FACTS:
                    self.facts.setdefault(fact[0][:_FACT], fact[1][:_FACT])
            else:
                self.rejections.add(reason, self.name, self.line + int(cuts.line[row]), text)

    def _keep(self, data: bytes, rows: JobRows, heading: Heading) -> None:
        """Write the jobs among whole rows, and count the others."""
        owners = rows.owners
        self.rejections.count(JOB_STEP, int((owners >= 0).sum()))
        for reason, chosen in (
            (LONE_STEP, rows.is_step & (owners < 0)),
            (NO_NUMBER, rows.without_number),
        ):
            self._reject(data, rows.cuts, np.flatnonzero(chosen), reason, heading)
        cuts = rows.cuts.rows(rows.jobs)
        jobs = len(cuts.line)
        numbers = rows.numbers()
        if heading.format == "swf":
            swf.complete(numbers, heading.begin)
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
