"""A plain table of runs: a row for each run, with its task, its machine and its seconds."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from core.logs import limits
from core.logs.layout import Form, Layout, NumberCell
from core.logs.sacct import SEPARATORS
from core.logs.values import AMOUNT, MOMENT

_TEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    "name": ("task", "task_type", "tasktype", "job", "job_type", "program", "application"),
    "machine": ("machine", "machine_type", "machinetype", "node", "host", "hostname", "server"),
    "state": ("state", "status"),
}
_NUMBERS: Final[Mapping[str, tuple[tuple[str, float], ...]]] = {
    "elapsed": (
        ("seconds", 1),
        ("time", 1),
        ("runtime", 1),
        ("duration", 1),
        ("elapsed", 1),
        ("minutes", 60),
        ("hours", 3600),
    ),
    "watts": (("watts", 1), ("power", 1), ("kilowatts", 1000), ("kw", 1000)),
    "joules": (
        ("joules", 1),
        ("energy", 1),
        ("kilojoules", 1e3),
        ("kj", 1e3),
        ("kwh", 3.6e6),
        ("wh", 3.6e3),
    ),
    "start": (("start", 1), ("begin", 1), ("started", 1), ("timestamp", 1)),
    "end": (("end", 1), ("ended", 1)),
    "cores": (("cores", 1), ("cpus", 1)),
    "nodes": (("nodes", 1),),
    "gpus": (("gpus", 1),),
    "memory": (("memory_mib", 1),),
}
_UNIT: Final = re.compile(r"\s*[\[(](s|w|j|sec|seconds|watts|joules)[\])]$")


def layout_of(lines: Sequence[bytes]) -> Layout | None:
    """The layout of a table whose first line is a header with a task, a machine and a time."""
    if not lines:
        return None
    header = lines[0].rstrip(b"\r\n")
    for separator in sorted(SEPARATORS, key=header.count, reverse=True):
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
    sources = {
        name: [
            NumberCell(cell[word], MOMENT if name in ("start", "end") else AMOUNT, factor)
            for word, factor in words
            if word in cell
        ]
        for name, words in _NUMBERS.items()
    }
    sources = {name: found for name, found in sources.items() if found}
    has_time = "elapsed" in sources or {"start", "end"} <= sources.keys()
    if "name" not in texts or "machine" not in texts or not has_time:
        return None
    taken = {*texts.values(), *(s.cell for found in sources.values() for s in found)}
    for title, at in cell.items():
        if at not in taken and len(texts) < limits.TEXT_COLUMNS:
            texts.setdefault(title, at)
    return Layout(
        Form.SEPARATED,
        len(titles),
        sources,
        texts,
        separator=separator,
        quoting=True,
    )


def _title(cell: bytes) -> str:
    text = cell.strip().strip(b'"').decode("utf-8", "replace").casefold().strip()
    return _UNIT.sub("", text).replace(" ", "_")
