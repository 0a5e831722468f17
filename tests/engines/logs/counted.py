"""How many rows a log has, counted line by line, by code that shares nothing with the readers."""

import codecs
import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from itertools import islice, takewhile
from pathlib import Path
from typing import Final, NamedTuple

_REAL: Final = Path(__file__).parent / "dumps" / "real"
_TITLES: Final = frozenset(
    title.strip().casefold()
    for name in ("all-columns.txt", "parsable2.txt")
    for title in (_REAL / name).read_text("utf-8").split("\n", 1)[0].split("|")
) - {""}
"""Of the logs that are mutated."""
_FREE: Final = {
    *("jobname", "comment", "wckey", "workdir", "admincomment", "systemcomment", "submitline")
}
_LOOKED_AT: Final = 20
"""First lines among which the header is, if they begin in the first `_BEGIN` bytes."""
_BEGIN: Final = 65_536
_JOINED: Final = 65
"""Lines that one row is made of, at most."""
_QUOTED: Final = 65_536


class RowBounds(NamedTuple):
    """A log has so many rows: at least, and at most."""

    least: int
    most: int


class _Header(NamedTuple):
    """What rows below a header look like; without a separator they have fixed columns."""

    begin: int
    separator: bytes
    cells: int
    mends: bool
    end: int


_Kind = Callable[[list[str]], bool]
"""Says whether these are the titles of such a log."""


def bounds_of_rows(data: bytes) -> RowBounds:
    """Of a log that can be read. The bounds differ where lines may be parts of one row."""
    counts = [_of_text(text) for text in _texts(data)]
    return RowBounds(sum(c.least for c in counts), sum(c.most for c in counts))


def _texts(data: bytes) -> Iterator[bytes]:
    """The logs in a file, plain, in UTF-8."""
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield _plain(archive.read(name))
    else:
        yield _plain(data)


def _plain(data: bytes) -> bytes:
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return codecs.getincrementaldecoder(encoding)("replace").decode(data[2:]).encode()
    return data.removeprefix(b"\xef\xbb\xbf")


def _of_text(text: bytes) -> RowBounds:
    if text.lstrip().startswith(b"{"):
        rows = sum(_rows_of_json(text.decode("utf-8", "replace")))
        return RowBounds(rows, rows)
    lines = [text[at:].partition(b"\n")[0] for at in _first_lines(text)]
    jobs = [line for line in lines if not line.lstrip().startswith(b";")]
    whole = [k for k in jobs if len(k.split()) == 18 and re.fullmatch(rb"[-+0-9.eE\s]+", k)]
    if 2 * len(whole) >= len(jobs) or _is_wide(jobs):
        rows = sum(
            bool(line.strip(b" \t\r")) and not line.lstrip().startswith(b";")
            for line in text.split(b"\n")
        )
        return RowBounds(rows, rows)
    return _below_headers(text)


def _is_wide(jobs: list[bytes]) -> bool:
    """Whether most of the lines are of SWF, with as many further cells each."""
    lines = [line.split() for line in jobs]
    widths = [len(line) for line in lines]
    usual = max(dict.fromkeys(widths), key=widths.count)
    number = re.compile(rb"[-+]?\d+(\.\d*)?([eE][-+]?\d{1,2})?")
    wide = [
        line
        for line in lines
        if len(line) == usual and sum(bool(number.fullmatch(cell)) for cell in line) > 16
    ]
    first = [line[:18] for line in wide if all(number.fullmatch(cell) for cell in line[:18])]
    if not 18 < usual <= 100 or 2 * len(wide) < len(lines) or len(first) < len(wide):
        return False
    numbers, arrivals = [float(line[0]) for line in first], [float(line[1]) for line in first]
    states = [line[10] for line in first]
    return (
        all(one >= 1 and one == int(one) for one in numbers)
        and numbers == sorted(numbers)
        and (len(first) == 1 or numbers[-1] > numbers[0])
        and arrivals == sorted(arrivals)
        and arrivals[0] >= 0
        and all(re.fullmatch(rb"-1|[0-5]", state) for state in states)
        and 2 * states.count(b"-1") <= len(states)
    )


def _first_lines(text: bytes) -> list[int]:
    """Where those lines begin that say what a log is; blank ones do not."""
    places = (match.start() for match in re.finditer(rb"^(?=[^\n]*\S)", text, re.M))
    return list(islice(takewhile(lambda at: at < _BEGIN, places), _LOOKED_AT))


def _below_headers(text: bytes) -> RowBounds:
    """Of a log with a header; others of its kind may follow. Lines above the first count, too."""
    begins = _first_lines(text)
    header, kind = next(
        (found, kind)
        for kind in (_names_runs, _names_columns)
        for at in begins
        if (found := _header_at(text, at, kind)) is not None
    )
    least = most = sum(at < header.begin for at in begins)
    short: list[int] = []  # the cells of rows with too few, one after the other
    at = header.end
    while at < len(text):
        has_number = text[at : at + 99].lstrip()[:1].isdigit()
        again = None if has_number else _header_at(text, at, kind)
        if again is None:
            end, cells, blank = _row_at(text, at, header.separator)
            at = end + 1
            if blank:
                continue
            if header.separator and header.mends and cells < header.cells:
                short.append(cells)
                continue
            least, most = least + 1, most + 1
        parts = _rows_of_parts(short, header.cells)
        least, most, short = least + parts.least, most + parts.most, []
        if again is not None:
            header, at = again, again.end
    parts = _rows_of_parts(short, header.cells)
    return RowBounds(least + parts.least, most + parts.most)


def _rows_of_parts(cells: list[int], wanted: int) -> RowBounds:
    """Of rows with too few cells, which may be parts of one."""
    together = sum(cells) - len(cells) + 1
    least = len(cells) if together < wanted else -(-len(cells) // _JOINED)
    return RowBounds(least, len(cells))


def _header_at(text: bytes, at: int, kind: _Kind) -> _Header | None:
    end = text.find(b"\n", at)
    end = len(text) if end < 0 else end
    line = text[at:end].rstrip(b"\r")
    if not re.search(rb"elapsed|end|time", line, re.IGNORECASE):
        return None
    below = text[end + 1 :].partition(b"\n")[0]
    if kind is _names_columns and re.fullmatch(rb"-+( +-+)*\s*", below):
        spans = [match.span() for match in re.finditer(rb"-+", below)]
        titles = [_completed(_title(line[low:high])) for low, high in spans]
        fixed = _Header(at, b"", 0, False, end + len(below) + 2)
        return fixed if kind(titles) else None
    found = []
    long = re.match(rb'[A-Za-z]+([^\w\s"|,;]{2,16})\w', line)
    if kind is _names_columns and long and kind(titles := [*map(_title, line.split(long[1]))]):
        return _Header(at, long[1], len(titles), bool({*titles} & _FREE), end + 1)
    for separator in (b"|", b",", b";", b"\t"):
        titles = [(_title if kind is _names_columns else _words)(c) for c in line.split(separator)]
        if kind(titles):
            mends = kind is _names_columns and (bool({*titles} & _FREE) or separator == b",")
            found.append(_Header(at, separator, len(titles), mends, end + 1))
    return max(found, key=lambda header: header.cells, default=None)


def _title(cell: bytes) -> str:
    text = cell.decode("utf-8", "replace").strip().strip('"')
    return text.casefold().replace("_", "")


def _words(cell: bytes) -> str:
    """A title of a table of runs. A quotation mark without its pair is a part of it."""
    text = " ".join(cell.decode("utf-8", "replace").casefold().split())
    return text[1:-1].strip() if re.fullmatch('".*"', text) else text


def _completed(title: str) -> str:
    """A title that a narrow column may have cut off, if only one begins so: `Elapse` may be Elapsed
    or ElapsedRaw.
    """
    begun = [known for known in _TITLES if known.startswith(title)]
    return begun[0] if title not in _TITLES and len(title) > 2 and len(begun) == 1 else title


def _names_columns(titles: list[str]) -> bool:
    known = sum(title in _TITLES for title in titles)
    has_time = bool({*titles} & {"elapsed", "elapsedraw", "end"})
    return known >= 2 and 2 * known >= sum(map(bool, titles)) and has_time


def _names_runs(titles: list[str]) -> bool:
    times = (re.fullmatch(r"time( ?\( ?min ?\)| min)?", title) for title in titles)
    return {"task", "machine"} <= {*titles} and any(times)


def _row_at(text: bytes, at: int, separator: bytes) -> tuple[int, int, bool]:
    """The end of the row that begins there, its cells, and whether it is blank."""
    end = text.find(b"\n", at)
    end = len(text) if end < 0 else end
    line = text[at:end]
    if not separator:
        return end, 1, not line.strip(b" \r")
    if separator == b"|" or len(separator) > 1 or b'"' not in line:
        cells = line.count(separator) + 1
        return end, cells, cells == 1 and not line.rstrip(b"\r ").lstrip(b" ")
    cells, blank = 0, False
    quoted = re.compile(rb'"((?:[^"]|"")*+)"(?=\r?(?:' + separator + rb"|\n|\Z))")
    plain = re.compile(rb"[^\n" + separator + rb"]*")
    while True:
        found = quoted.match(text, at)
        if found is not None and len(found[1]) < _QUOTED:
            at = found.end()
            blank = not found[1]
        rest = plain.match(text, at)
        assert rest is not None
        if found is None:
            blank = not rest[0].rstrip(b"\r ").lstrip(b" ")
        at = rest.end()
        cells += 1
        if text[at : at + 1] != separator:
            return at, cells, blank and cells == 1
        at += 1


def _rows_of_json(text: str) -> Iterator[int]:
    """The rows of each job in the lists of jobs: one, and one for each step."""
    at = 0
    while opened := re.compile(r'"jobs"\s*:\s*\[').search(text, at):
        at = opened.end()
        while True:
            at = len(text) - len(text[at:].lstrip(" \t\r\n,"))
            if at == len(text) or text[at] == "]":
                break
            end = _end_of_value(text, at)
            if end is None:
                yield 1  # it is cut off
                return
            job = json.loads(text[at:end])
            steps = job.get("steps") if isinstance(job, dict) else None
            yield 1 + (len(steps) if isinstance(steps, list) else 0)
            at = end


_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[{]|[\]}]|"', re.DOTALL)
_PLAIN: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|[^\s,\]}\[{"]+')


def _end_of_value(text: str, at: int) -> int | None:
    """The place behind a value of JSON; None if the text ends before."""
    if text[at] not in "[{":
        plain = _PLAIN.match(text, at)
        return plain.end() if plain else None
    depth = 0
    for token in _TOKEN.finditer(text, at):
        if token[0] == '"':
            return None
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if not depth:
            return token.end()
    return None
