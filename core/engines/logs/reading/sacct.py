"""Slurm's `sacct`: which columns a header names, and which states of jobs there are."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from core.engines.logs.reading import limits
from core.engines.logs.reading.layout import MEMORY, WITHIN, Form, Layout, NumberCell, text_column
from core.engines.logs.reading.values import AMOUNT, AMOUNT_1024, DURATION, MOMENT

SACCT: Final = (
    "sacct --allusers --duplicates --parsable2 --starttime=now-30days --format=JobID,JobName,"
    "Partition,QOS,Account,User,State,Submit,Start,End,Elapsed,Timelimit,AllocCPUS,NNodes,NodeList,"
    "ReqMem,AllocTRES,ReqTRES,ConsumedEnergyRaw"
)
"""Without a start, `sacct` says what has been since midnight; without `--duplicates`, only the last
attempt of a job that was requeued.
"""


def _words(*lines: str) -> tuple[str, ...]:
    return tuple(word for line in lines for word in line.split())


_MINUTES: Final = 60.0
_MIB: Final = 1 / 2**20

_NUMBERS: Final[Mapping[str, Sequence[tuple[str, int, float, str]]]] = {
    "submit": (("submit", MOMENT, 1, ""), ("eligible", MOMENT, 1, "")),
    "start": (("start", MOMENT, 1, ""),),
    "end": (("end", MOMENT, 1, ""),),
    "elapsed": (("elapsedraw", AMOUNT, 1, ""), ("elapsed", DURATION, 1, "")),
    "limit": (("timelimitraw", AMOUNT, _MINUTES, ""), ("timelimit", DURATION, 1, "")),
    "nodes": (
        ("allocnodes", AMOUNT_1024, 1, ""),
        ("nnodes", AMOUNT_1024, 1, ""),
        ("alloctres", WITHIN, 1, "node"),
        ("reqnodes", AMOUNT_1024, 1, ""),
    ),
    "cores": (
        ("alloccpus", AMOUNT_1024, 1, ""),
        ("ncpus", AMOUNT_1024, 1, ""),
        ("alloctres", WITHIN, 1, "cpu"),
        ("reqcpus", AMOUNT_1024, 1, ""),
    ),
    "gpus": (("alloctres", WITHIN, 1, "gres/gpu"), ("reqtres", WITHIN, 1, "gres/gpu")),
    "memory": (
        ("reqmem", MEMORY, 1, ""),
        ("reqtres", WITHIN, _MIB, "mem"),
        ("alloctres", WITHIN, _MIB, "mem"),
    ),
    "joules": (
        ("consumedenergyraw", AMOUNT, 1, ""),
        ("consumedenergy", AMOUNT, 1, ""),
        ("tresusageintot", WITHIN, 1, "energy"),
    ),
}
"""For each column of numbers, the columns of `sacct` that have it, the best first."""

_TEXTS: Final[Mapping[str, str]] = {
    "jobname": "name",
    "state": "state",
    "nodelist": "nodelist",
    "partition": "partition",
    "account": "account",
    "user": "user",
    "group": "group",
    "qos": "qos",
    "cluster": "cluster",
    "constraints": "features",
    "reqtres": "reqtres",
    "reqgres": "reqgres",
    "comment": "comment",
    "wckey": "wckey",
    "workdir": "workdir",
    "reservation": "reservation",
    "container": "container",
}
_FREE: Final = _words(
    "jobname comment admincomment systemcomment submitline workdir extra wckey stdout stdin",
    "stderr",
)
"""Columns that people fill with whatever they like, separators included."""

_USAGE: Final = tuple(
    f"tresusage{way}{of}"
    for way in ("in", "out")
    for of in ("ave", "max", "maxnode", "maxtask", "min", "minnode", "mintask", "tot")
)
_DIGITS, _NAME, _COUNTED = rb"\d*", rb"\S*", rb"(\d+-)?(\d+:)?\d*:?\d*(\.\d+)?"
_SHAPES: Final[Mapping[str, re.Pattern[bytes]]] = {
    title: re.compile(shape, re.DOTALL)
    for shape, titles in {
        rb"([\w./~+-]*\bs(batch|run|alloc)( .*)?)?": "submitline",
        rb"(/.*)?": "workdir",
        rb"(\d+:\d+)?": "exitcode derivedexitcode",
        rb"(None assigned|\S*)": "nodelist",
        _NAME: "account cluster flags partition qos user",
        _DIGITS: "associd cputimeraw dbindex gid ntasks priority qosraw uid wckeyid",
        _COUNTED: "cputime planned suspended systemcpu totalcpu usercpu",
    }.items()
    for title in titles.split()
}
"""What the cells of further columns look like, as Slurm writes them."""

_LISTS: Final = (
    *_words(
        "jobid nodelist partition licenses flags reservation reqgres allocgres reqtres", "alloctres"
    ),
    *_USAGE,
)
"""Columns whose cells are lists with commas."""

_OTHERS: Final = _words(
    "admincomment allocgres associd averages avecpu avecpufreq avediskread avediskwrite",
    "avepages averss avevmsize blockid consumedenergy cputime cputimeraw dbindex",
    "derivedexitcode elapsedraw eligible exitcode extra failednode flags gid jobid jobidraw",
    "layout licenses maxdiskread maxdiskreadnode maxdiskreadtask maxdiskwrite maxdiskwritenode",
    "maxdiskwritetask maxpages maxpagesnode maxpagestask maxrss maxrssnode maxrsstask",
    "maxvmsize maxvmsizenode maxvmsizetask mcslabel mincpu mincpunode mincputask ntasks",
    "planned plannedcpu plannedcpuraw priority qosraw qosreq reason reqcpufreq reqcpufreqgov",
    "reqcpufreqmax reqcpufreqmin reqgres reservationid reserved resv resvcpu resvcpuraw",
    "restarts segmentsize sluid stdin stdout stderr stepid submitline suspended systemcomment",
    "systemcpu timelimit timelimitraw totalcpu uid usercpu wckeyid",
)
_KNOWN: Final = frozenset(
    (*_OTHERS, *_USAGE, *_TEXTS, *(title for all_of in _NUMBERS.values() for title, *_ in all_of))
)
_TIMES: Final = frozenset({"elapsed", "elapsedraw", "end"})
_RULE: Final = re.compile(rb"-+(?: +-+)*\s*")
SEPARATORS: Final = (b"|", b",", b";", b"\t")
_QUOTED: Final = (b",", b";", b"\t")
_MOST_BYTES: Final = 16
"""The most bytes of a separator."""

MEASURED: Final = "COMPLETED"
"""The state of a job that ran to its end: the only one that is a measurement by default."""

_STATES: Final[Mapping[str, str]] = {
    "BF": "BOOT_FAIL",
    "CA": "CANCELLED",
    "CD": "COMPLETED",
    "CF": "CONFIGURING",
    "CG": "COMPLETING",
    "DL": "DEADLINE",
    "F": "FAILED",
    "NF": "NODE_FAIL",
    "OOM": "OUT_OF_MEMORY",
    "PD": "PENDING",
    "PR": "PREEMPTED",
    "R": "RUNNING",
    "RQ": "REQUEUED",
    "RS": "RESIZING",
    "RV": "REVOKED",
    "S": "SUSPENDED",
    "SO": "STAGE_OUT",
    "ST": "STOPPED",
    "TO": "TIMEOUT",
}
_UNFINISHED: Final = _words(
    "CONFIGURING COMPLETING PENDING RUNNING RESIZING STAGE_OUT STOPPED SUSPENDED"
)


def state_called(text: str) -> str:
    """The state of a job as Slurm names it, from `CANCELLED by 1000`, `OUT_OF_ME+` or `CD`."""
    word = text.split(" ", 1)[0].upper()
    if word in _STATES:
        return _STATES[word]
    if word.endswith("+"):
        begun = word[:-1]
        for state in _STATES.values():
            if state.startswith(begun):
                return state
    return word


def is_finished(state: str) -> bool:
    """Whether a job in this state has ended."""
    return state not in _UNFINISHED


def layout_of(lines: Sequence[bytes]) -> Layout | None:
    """The layout of a dump whose first lines these are; None if they are no header of `sacct`."""
    if not lines:
        return None
    if len(lines) > 1 and _RULE.fullmatch(lines[1]):
        return _fixed(lines[0], lines[1])
    return header_layout(lines[0])


def header_layout(line: bytes) -> Layout | None:
    """The layout of rows below a header with separators; None if it is no header of `sacct`."""
    found: list[Layout] = []
    text = line.rstrip(b"\r\n")
    for separator in (*_others_in(text), *SEPARATORS):
        titles = _titles(text, separator)
        if _is_header(titles):
            found.append(layout_of_titles(titles, separator))
    longer = [layout for layout in found if len(layout.separator) > 1]
    return max(longer or found, key=lambda layout: layout.cells, default=None)


def is_fixed_header(line: bytes) -> bool:
    """Whether this is the first of the two lines of a header of fixed columns."""
    titles = _titles(b" ".join(line.split()), b" ")
    return _is_header(titles)


def lacks_times(line: bytes) -> bool:
    """Whether this is a header of `sacct` from which no duration can be known."""
    separators = (*SEPARATORS, *_others_in(line), b" ")
    rows = (_titles(b" ".join(line.split()), separator) for separator in separators)
    return any(_is_header([*titles, "elapsed"]) and _TIMES.isdisjoint(titles) for titles in rows)


def _others_in(text: bytes) -> Iterator[bytes]:
    """Unusual separators: what stands behind the first title of a header, of one byte or several;
    blanks beside a usual one belong to the cells.
    """
    match = re.match(rb"[A-Za-z]+([^A-Za-z0-9_\"]{1,%d})" % _MOST_BYTES, text)
    if not match or match[1].strip(b" ") in SEPARATORS:
        return
    if match[1].isspace():
        if match[1] == b" " and b"  " not in text:
            yield b" "
        return
    yield match[1]
    if len(match[1]) > 1 and len({*match[1]}) == 1:
        yield match[1][:1]  # behind the first title may be one without words


def _titles(line: bytes, separator: bytes) -> list[str]:
    """The titles of a header; none if there are too many."""
    if line.count(separator) >= limits.HEADER_COLUMNS:
        return []
    return [_title(cell) for cell in line.split(separator)]


def _title(cell: bytes) -> str:
    text = cell[: 4 * limits.TITLE_CHARACTERS].strip().strip(b'"').decode("utf-8", "replace")
    return text.casefold().replace("_", "")


def _is_header(titles: Sequence[str]) -> bool:
    known = sum(title in _KNOWN for title in titles)
    return known >= 2 and 2 * known >= sum(map(bool, titles)) and not _TIMES.isdisjoint(titles)


def layout_of_titles(titles: Sequence[str], separator: bytes) -> Layout:
    """The layout of columns with these titles, in small letters."""
    return _layout(titles, Form.SEPARATED, separator=separator, quoting=separator in _QUOTED)


def _fixed(header: bytes, rule: bytes) -> Layout | None:
    """The layout of fixed columns, which the dashes below the header show."""
    if rule.count(b" ") > limits.HEADER_COLUMNS:
        return None
    spans = [match.span() for match in re.finditer(rb"-+", rule)]
    edges = [0, *(end + 1 for _, end in spans)]
    titles = [_whole_title(_title(header[start:end])) for start, end in spans]
    if not _is_header(titles):
        return None
    return _layout(titles, Form.COLUMNS, edges=tuple(edges))


def _whole_title(title: str) -> str:
    """A title that its narrow column has cut off."""
    if title in _KNOWN or len(title) < 3:
        return title
    begun = [known for known in _KNOWN if known.startswith(title)]
    return begun[0] if len(begun) == 1 else title


def _layout(
    titles: Sequence[str],
    form: Form,
    *,
    separator: bytes = b"|",
    quoting: bool = False,
    edges: tuple[int, ...] = (),
) -> Layout:
    cell: dict[str, int] = {}
    for at, title in enumerate(titles):
        cell.setdefault(title, at)
    sources = {
        name: [
            NumberCell(cell[title], kind, factor, key)
            for title, kind, factor, key in places
            if title in cell
        ]
        for name, places in _NUMBERS.items()
    }
    texts = {name: cell[title] for title, name in _TEXTS.items() if title in cell}
    for title, at in cell.items():
        if title and title not in _KNOWN and len(texts) < limits.TEXT_COLUMNS:
            texts.setdefault(text_column(title), at)
    return Layout(
        form,
        len(titles),
        {name: found for name, found in sources.items() if found},
        texts,
        cell.get("jobid", cell.get("jobidraw")),
        tuple(cell[title] for title in _FREE if title in cell),
        tuple(cell[title] for title in _LISTS if title in cell and separator == b","),
        separator,
        quoting,
        edges,
        {cell[title]: shape for title, shape in _SHAPES.items() if title in cell},
    )
