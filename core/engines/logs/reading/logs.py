"""Reads logs of any format, block by block, into a store of runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from core.engines.logs.reading import limits
from core.engines.logs.reading.layout import ROWS_AT_ONCE, Form, JobRows
from core.engines.logs.reading.odd_rows import joined
from core.engines.logs.reading.recognising import (
    NO_HEADING,
    Heading,
    LogFormat,
    almost_a_log,
    recognise,
)
from core.engines.logs.reading.rejections import ABOVE_HEADER, CUT_OFF, TOO_LONG, rejecting
from core.engines.logs.reading.rows import LogRows
from core.engines.logs.reading.sacct_json import (
    JsonJobs,
    begins_json,
    has_list_of_jobs,
    json_layout,
)
from core.engines.logs.reading.store import LogFile, RunStore, RunWriter, Stopped
from core.engines.logs.reading.streams import LogStream, logs_at
from core.files.findings import Unreadable
from core.files.limits import MIB
from core.vocabulary.arrays import BoolArray
from core.vocabulary.say.words import Sense, counted, share


class LogProgress(NamedTuple):
    """How much was read: a fraction of the bytes of all logs, and rows."""

    fraction: float
    rows: int

    def in_words(self) -> str:
        return f"{share(round(self.fraction, 2), Sense.PLAIN)} read, {counted(self.rows, 'row')}"


Report = Callable[[LogProgress], None]


def read_logs(
    paths: Sequence[Path],
    wanted: LogFormat | None = None,
    *,
    folder: Path | None = None,
    skip_unreadable: bool = False,
    should_stop: Callable[[], bool] | None = None,
    report: Report | None = None,
) -> RunStore:
    """The runs of these logs, in a store on disk that the caller closes; it is made in `folder`.

    Raises `Unreadable`, which names the log, and `Stopped`. With `skip_unreadable`, a log that
    cannot be read to its end is left out, and the store says why, as long as there is another.
    """
    refused: list[str] | None = [] if skip_unreadable else None
    logs = logs_at(paths, refused)
    try:
        return _read(logs, RunWriter(folder), wanted, refused, should_stop, report)
    except OSError as error:
        raise Unreadable(
            f"the runs cannot be kept on disk ({error.strerror}); free space in the folder for "
            "temporary files"
        ) from error


def is_log(path: Path) -> bool:
    """Whether a file begins as a log does, or is an archive whose first member does; its rows may
    be broken.
    """
    try:
        with logs_at([path])[0].blocks() as blocks:
            first = next(blocks, b"")
        if begins_json(first):
            return has_list_of_jobs(first)
        return recognise(first, None, final=True) is not None
    except Unreadable:
        return False


class _TooMuch(Unreadable):
    """All logs together are too large."""


def refusal_of(path: Path) -> str:
    """Why a file is no log, if somebody will have meant one; else empty."""
    try:
        with logs_at([path])[0].blocks() as blocks:
            return almost_a_log(next(blocks, b""))
    except Unreadable:
        return ""


def _read(
    logs: Sequence[LogStream],
    writer: RunWriter,
    wanted: LogFormat | None,
    refused: list[str] | None,
    should_stop: Callable[[], bool] | None,
    report: Report | None,
) -> RunStore:
    read: list[LogFile] = []
    try:
        with rejecting(writer.folder) as rejections:

            def tell(rows: int) -> None:
                rows += sum(log.rows for log in read)
                _check(rows, sum(log.inflated for log in logs), should_stop)
                if report is not None:
                    read_so_far = sum(min(log.read, log.size) for log in logs)
                    size = max(sum(log.size for log in logs), 1)
                    report(LogProgress(read_so_far / size, rows))

            for log in logs:
                rows = LogRows(log.name, len(read), writer, rejections)
                before = writer.mark(), rejections.mark()
                try:
                    read.append(_read_log(log, rows, wanted, tell))
                except _TooMuch:
                    raise
                except Unreadable as refusal:
                    if refused is None:
                        raise
                    refused.append(str(refusal))
                    writer.back_to(before[0])
                    rejections.back_to(before[1])
        _require_any(read, refused)
        return writer.close(read, rejections, refused or ())
    except BaseException:
        writer.abandon()
        raise


def _require_any(read: Sequence[LogFile], refused: Sequence[str] | None) -> None:
    if refused and not read:
        raise Unreadable("; ".join(refused))


def _check(rows: int, inflated: int, should_stop: Callable[[], bool] | None) -> None:
    if rows > limits.ROWS:
        raise _TooMuch(f"there are more than {limits.ROWS:,} rows; give fewer logs at once")
    if inflated > limits.LOG_BYTES:
        most = limits.LOG_BYTES // (1024 * MIB)
        raise _TooMuch(f"there are more than {most} GiB of logs; give fewer at once")
    if should_stop is not None and should_stop():
        raise Stopped


def _read_log(
    log: LogStream, rows: LogRows, wanted: LogFormat | None, tell: Callable[[int], None]
) -> LogFile:
    parser = LogParser(rows, wanted)
    try:
        with log.blocks() as blocks:
            held = b""
            for block in blocks:
                tell(rows.count)
                held = parser.take(held + block, final=False)
            parser.take(held, final=True)
            tell(rows.count)
    except Unreadable as refusal:
        raise type(refusal)(f"{log.name}: {refusal}") from refusal
    heading = parser.heading
    return LogFile(
        log.name, heading.format, log.digest, log.size, rows.count, rows.facts, heading.layout.note
    )


_NEAR: Final = 2_048
"""Bytes behind a header that are read before it is known that no other follows."""


@dataclass
class LogParser:
    """Reads one log, of the `wanted` format if there is one, into its rows."""

    rows: LogRows
    wanted: LogFormat | None
    heading: Heading = NO_HEADING
    """How rows are read now."""
    _json: JsonJobs | None = None
    _is_long: bool = False
    """Whether a row goes on that is too long to be read."""
    _holds: bool = False
    """Whether rows were left because they belong together with what follows."""
    _headers: int = 0
    _part_bytes: int = limits.BLOCK_BYTES

    def take(self, data: bytes, *, final: bool) -> bytes:
        """Read the rows of some bytes; returns the bytes of the last rows, which are not whole yet.

        Raises `Unreadable`.
        """
        if self._is_long:
            end = data.find(b"\n") + 1
            if not end:
                return b""
            data, self._is_long = data[end:], False
            self.rows.line += 1
        if self.heading is NO_HEADING:
            begin = self._begin(data, final=final)
            if begin is None:
                return data
            data = data[begin:]
        if self._json is not None:
            return self._take_json(self._json, data, final=final)
        data = self._take_parts(data, final=final)
        if not self._holds and len(data) > limits.ROW_BYTES + limits.QUOTED_BYTES:
            # No line end of it ends a row, and the next one will: quotation marks count no more.
            self.rows.reject(TOO_LONG, data)
            self.rows.line += data.count(b"\n")
            self._is_long = True
            return b""
        return data

    def _begin(self, data: bytes, *, final: bool) -> int | None:
        """Find out what the log is; returns where its rows begin, None if it needs more bytes."""
        if begins_json(data) and self.wanted in (None, "sacct"):
            self.heading, self._json = Heading("sacct", json_layout()), JsonJobs()
            return 0
        found = recognise(data, self.wanted, final=final)
        if found is None:
            return None
        self.heading = Heading.at(data, found.header, found.format, found.layout)
        for text in data[: found.header].split(b"\n")[:-1]:
            if text.strip():
                self.rows.reject(ABOVE_HEADER, text)
            self.rows.line += 1
        self.rows.line += data.count(b"\n", found.header, found.begin)
        return found.begin

    def _take_json(self, jobs: JsonJobs, data: bytes, *, final: bool) -> bytes:
        rows = jobs.take(data, final=final)
        if rows:
            self._take_rows(rows, len(rows), final=True)
        if jobs.cut_off:
            self.rows.reject(CUT_OFF, jobs.cut_off.encode())
        return b""

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

    def _take_rows(self, data: bytes, most: int, *, final: bool) -> tuple[bytes, bool]:
        """Read rows, at most `most` and until the next header; returns the bytes after them, and
        whether all rows were looked at.
        """
        heading = self.heading
        array = np.frombuffer(data, np.uint8)
        cuts, end = heading.layout.cut(array, most, final=final)
        looked_at_all = len(cuts.line) < most
        at_end = final and end == len(data)
        rows = JobRows.of(heading.layout, array, cuts)
        header = None if self._json else heading.next_in(data, rows, final=final)
        self._holds = False
        if header is not None:
            self._headers += 1
            end, at_end = int(cuts.row_from[header]), False
            if header == 0 and heading.format == "swf":
                self.heading = heading.begun_at(data[: int(cuts.row_to[header])])
                return self._take_rows(data, most, final=final)
            if header == 0:
                waits = heading.waits_for_rule(data, end, final=final)
                return (data, True) if waits else (self._begin_again(data[end:]), False)
        elif not at_end:
            end, self._holds = _begin_of_unfinished(rows, end)
        self.rows.take(data, rows.before(end), heading, at_end=at_end)
        self.rows.line += data.count(b"\n", 0, end)
        return data[end:], looked_at_all

    def _begin_again(self, data: bytes) -> bytes:
        """Take the header with which the bytes begin; returns those after it."""
        self.heading, end = self.heading.followed_by(data)
        self.rows.line += data.count(b"\n", 0, end)
        return data[end:]


def _begin_of_unfinished(rows: JobRows, end: int) -> tuple[int, bool]:
    """Where the rows begin that belong together with what the next block has: a job whose steps
    may go on, and short rows that may be parts of one. `end`, where the rows end, if nothing is
    left otherwise. And whether rows are held until then.
    """
    cells, layout = rows.cuts.cells, rows.layout
    right = cells == layout.cells
    unfinished = len(right)
    if layout.form is Form.SEPARATED and unfinished and not right[-1]:
        full = np.flatnonzero(right)
        first = int(full[-1]) + 1 if len(full) else 0
        open_ones = (g.first for g in joined(cells[first:].tolist(), layout) if not g.sure)
        unfinished = first + next(open_ones, len(right) - first)
    if layout.job is not None:
        unfinished = min(unfinished, _last(rows.begins_job & right))
        if unfinished == 0 and len(rows.data) >= limits.HELD_BYTES:
            # Rows that must be mended first are jobs, too: the last may keep its steps.
            unfinished = _last(rows.begins_job & (cells >= layout.cells)) or len(right)
    if unfinished == len(right):
        return end, False
    begin = int(rows.cuts.row_from[unfinished])
    holds = begin > 0 or len(rows.data) < limits.HELD_BYTES
    return (begin if holds else end), holds


def _last(chosen: BoolArray) -> int:
    """The last of the chosen rows; the first row if there is none."""
    found = np.flatnonzero(chosen)
    return int(found[-1]) if len(found) else 0
