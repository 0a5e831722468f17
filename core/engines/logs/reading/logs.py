"""Reads logs of any format, block by block, into a store of runs."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from core.engines.logs.reading import limits
from core.engines.logs.reading.parser import LogParser
from core.engines.logs.reading.recognising import LogFormat, almost_a_log, recognise
from core.engines.logs.reading.rejections import rejecting
from core.engines.logs.reading.rows import LogRows
from core.engines.logs.reading.sacct_json import begins_json, has_list_of_jobs
from core.engines.logs.reading.store import LogFile, RunStore, RunWriter, Stopped
from core.engines.logs.reading.streams import LogStream, logs_at
from core.files.findings import Unreadable
from core.files.limits import MIB
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
    _require_any(logs, refused)
    try:
        return _read(logs, RunWriter(folder), wanted, _Watched(should_stop, report), refused)
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


class _Watched(NamedTuple):
    should_stop: Callable[[], bool] | None
    report: Report | None


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
    watched: _Watched,
    refused: list[str] | None,
) -> RunStore:
    read: list[LogFile] = []
    try:
        with rejecting(writer.folder) as rejections:

            def tell(rows: int) -> None:
                rows += sum(log.rows for log in read)
                _check(rows, sum(log.inflated for log in logs), watched.should_stop)
                if watched.report is not None:
                    watched.report(LogProgress(_fraction_read(logs), rows))

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


def _require_any(logs: Sequence[object], refused: Sequence[str] | None) -> None:
    if refused and not logs:
        raise Unreadable("; ".join(refused))


def _check(rows: int, inflated: int, should_stop: Callable[[], bool] | None) -> None:
    if rows > limits.ROWS:
        raise _TooMuch(f"there are more than {limits.ROWS:,} rows; give fewer logs at once")
    if inflated > limits.LOG_BYTES:
        most = limits.LOG_BYTES // (1024 * MIB)
        raise _TooMuch(f"there are more than {most} GiB of logs; give fewer at once")
    if should_stop is not None and should_stop():
        raise Stopped


def _fraction_read(logs: Sequence[LogStream]) -> float:
    return sum(min(log.read, log.size) for log in logs) / max(sum(log.size for log in logs), 1)


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
        log.name,
        heading.format,
        log.digest,
        log.size,
        rows.count,
        rows.facts,
        heading.layout.note,
    )
