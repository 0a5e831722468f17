"""A plain table of runs: a row for each run, with its task, its machine and its seconds."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from core.engines.logs.reading import limits
from core.engines.logs.reading.layout import Form, Layout, NumberCell, text_column
from core.engines.logs.reading.sacct import SEPARATORS
from core.engines.logs.reading.values import AMOUNT, DECIMAL_COMMA, DURATION, MOMENT

_TEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    "name": ("task", "task_type", "tasktype", "job", "job_type", "program", "application"),
    "machine": ("machine", "machine_type", "machinetype", "node", "host", "hostname", "server"),
    "state": ("state", "status"),
}
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "elapsed": ("time", "runtime", "run_time", "wall_time", "walltime", "duration", "elapsed"),
    "watts": ("power", "average_power", "mean_power"),
    "joules": ("energy", "consumed_energy"),
    "start": ("start", "begin", "started", "start_time", "timestamp"),
    "end": ("end", "ended", "end_time"),
    "cores": ("cores", "cpus"),
    "nodes": ("nodes",),
    "gpus": ("gpus",),
    "memory": ("memory",),
}
"""Titles of columns of numbers; a unit may stand behind, as in `time (min)` or `energy_kwh`."""

_UNITS: Final[Mapping[str, Mapping[str, float]]] = {
    "elapsed": {
        **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
        **dict.fromkeys(("ms", "millisecond", "milliseconds"), 1e-3),
        **dict.fromkeys(("min", "mins", "minute", "minutes"), 60.0),
        **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0),
        **dict.fromkeys(("d", "day", "days"), 86400.0),
    },
    "watts": {
        **dict.fromkeys(("w", "watt", "watts"), 1.0),
        **dict.fromkeys(("kw", "kilowatt", "kilowatts"), 1e3),
    },
    "joules": {
        **dict.fromkeys(("j", "joule", "joules"), 1.0),
        **dict.fromkeys(("kj", "kilojoule", "kilojoules"), 1e3),
        **dict.fromkeys(("mj", "megajoule", "megajoules"), 1e6),
        **dict.fromkeys(("wh", "watt_hours"), 3.6e3),
        **dict.fromkeys(("kwh", "kilowatt_hours"), 3.6e6),
        **dict.fromkeys(("mwh", "megawatt_hours"), 3.6e9),
    },
    "memory": {"mib": 1.0, "mb": 1.0, "gib": 1024.0, "gb": 1024.0},
}
"""Units by what one of them is in SI units, and for memory in MiB. A title may be a unit alone."""

_IN_BRACKETS: Final = re.compile(r"([^\[(]*)[\[(]([^\])]*)[\])]")


def layout_of(lines: Sequence[bytes]) -> Layout | None:
    """The layout of a table whose first line is a header with a task, a machine and a time."""
    if not lines:
        return None
    header = lines[0].rstrip(b"\r\n")
    for separator in sorted(SEPARATORS, key=header.count, reverse=True):
        if header.count(separator) >= limits.HEADER_COLUMNS:
            continue
        titles = [_title(cell) for cell in header.split(separator)]
        layout = _of_titles(titles, separator)
        if layout is not None:
            return layout
    return None


def _of_titles(titles: Sequence[str], separator: bytes) -> Layout | None:
    cell = {title: at for at, title in reversed(list(enumerate(titles))) if title}
    texts = {
        name: next((cell[word] for word in words if word in cell), -1)
        for name, words in _TEXTS.items()
    }
    texts = {name: at for name, at in texts.items() if at >= 0}
    if "name" not in texts or "machine" not in texts:
        return None  # before the work of looking for units: most first lines are no header
    comma = separator == b";"
    sources: dict[str, list[NumberCell]] = {}
    for at, title in enumerate(titles):
        quantity = _quantity(title)
        if quantity is not None and at == cell[title]:
            name, factor = quantity
            sources.setdefault(name, []).extend(_cells(name, at, factor, comma=comma))
    has_time = "elapsed" in sources or {"start", "end"} <= sources.keys()
    if not has_time:
        return None
    taken = {*texts.values(), *(s.cell for found in sources.values() for s in found)}
    for title, at in cell.items():
        if at not in taken and len(texts) < limits.TEXT_COLUMNS:
            texts.setdefault(text_column(title), at)
    return Layout(Form.SEPARATED, len(titles), sources, texts, separator=separator, quoting=True)


def _quantity(title: str) -> tuple[str, float] | None:
    """What a column has, and how much one of its unit is; None if it is no column of numbers."""
    word, unit = _word_and_unit(title)
    for name, words in _WORDS.items():
        units = _UNITS.get(name, {})
        if title in words:
            return name, 1.0
        if title in units and name != "memory":
            return name, units[title]
        if unit in units and (word in words or units.get(word) == units[unit]):
            return name, units[unit]
    return None


def _word_and_unit(title: str) -> tuple[str, str]:
    """The two parts of `time_(min)` or `energy_kwh`."""
    bracketed = _IN_BRACKETS.fullmatch(title)
    if bracketed:
        return bracketed[1].rstrip("_"), bracketed[2].strip("_")
    word, _, unit = title.rpartition("_")
    return word, unit


def _cells(name: str, at: int, factor: float, *, comma: bool) -> Iterator[NumberCell]:
    """How a column can be read: durations may be written as sacct does, as 00:10:00; and where
    semicolons separate cells, decimals may stand behind a comma.
    """
    if name in ("start", "end"):
        yield NumberCell(at, MOMENT)
        return
    yield NumberCell(at, AMOUNT, factor)
    if comma:
        yield NumberCell(at, DECIMAL_COMMA, factor)
    if name == "elapsed":
        yield NumberCell(at, DURATION)


def _title(cell: bytes) -> str:
    """A title in small letters. A quotation mark without its pair stays: such a title goes on
    behind a line end or separator, perhaps with its unit, so it is not known.
    """
    text = b" ".join(cell.split())[: 4 * limits.TITLE_CHARACTERS]
    if text[:1] == text[-1:] == b'"':
        text = text[1:-1]
    return "_".join(text.decode("utf-8", "replace").casefold().split())
