"""Headers within a log: where dumps were joined, the rows below are read otherwise."""

import re
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.engines.logs.reading import limits, swf
from core.engines.logs.reading.cutting import BoundsArray, Cuts
from core.engines.logs.reading.jobs import JobRows
from core.engines.logs.reading.layout import NO_LAYOUT, Form, Layout
from core.engines.logs.reading.recognising import LogFormat, end_of_header, layout_again
from core.engines.logs.reading.sacct import is_fixed_header
from core.vocabulary.arrays import BoolArray

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
        return layout_again(self.format, _two_lines(data, at)) is not None

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
        layout = layout_again(self.format, _two_lines(data, 0)) or self.layout
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
