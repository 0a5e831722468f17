"""What dropped files are, by their content: each said in one line, with the place that opens it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np

from core.engines.logs.metered.sample_files import read_power_samples
from core.engines.logs.reading.logs import read_logs, refusal_of
from core.engines.logs.types.node_table import parse_node_table
from core.engines.logs.types.nodes import Nodes
from core.files import inspect_system_bytes, inspect_system_files
from core.files.findings import Findings, Reading, Unreadable
from core.files.folder import table_of_file, those_of_one_system
from core.files.headings import TableName
from core.vocabulary.problems import Problem, errors
from core.vocabulary.say.words import DAY, counted
from core.vocabulary.system import System
from dashboard.parts.opening.log_folder import LogFolder
from dashboard.parts.opening.panel import BELONGS, FileKind, Uploader, kind_of

_FORMATS: Final = {"sacct": "Slurm sacct", "swf": "SWF", "runs": "table of runs"}
_PARTS: Final[dict[TableName | None, str]] = {
    "apc": "powers",
    "tasks": "task types",
    "machines": "machine types",
    "estimated": "marks of estimates",
}
_LONG: Final = 30_000_000
_LONG_IF_PACKED: Final = 3_000_000
"""Bytes of a log that is read only where it is opened: nobody waits twice."""
_PACKED: Final = (b"\x1f\x8b", b"PK", b"\xfd7zXZ", b"BZh", b"\x28\xb5\x2f\xfd")
"""The begins of what is compressed: gzip, zip, xz, bzip2, zstd."""
_YEAR: Final = 365 * DAY
_LAST_DATE: Final = 8e9


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """Files that belong together, by their places among those that were dropped: what they are, and
    the place that opens them, None if no place does. `problems` are those of these files.
    """

    files: tuple[int, ...]
    said: str
    place: Uploader | None
    problems: tuple[Problem, ...] = ()


def recognise(files: tuple[tuple[str, bytes], ...]) -> tuple[FoundFiles, ...]:
    """What each of these files is. CSV tables of one system are one; a log takes the tables of
    nodes and the samples of power with it, whatever else there is.
    """
    folder = LogFolder()
    paths = folder.keep(files)
    kinds = [kind_of(*file, path) for file, path in zip(files, paths, strict=True)]
    loose = [k for k, kind in enumerate(kinds) if kind in (None, "system") and _is_csv(files[k][0])]
    together = those_of_one_system(files[k] for k in loose)
    tables = tuple(k for k in loose if together.get(files[k][0]) is files[k][1])
    found = []
    if len(tables) > 1 and (table := _tables(tables, together)) is not None:
        found.append(table)
    taken = {k for one in found for k in one.files}
    found += [
        _single(k, *files[k], kinds[k], paths[k], folder.path)
        for k in range(len(files))
        if k not in taken
    ]
    return tuple(sorted(found, key=lambda one: one.files))


def _tables(places: tuple[int, ...], files: Mapping[str, bytes]) -> FoundFiles | None:
    """The system of several tables; None if none of them is a table of times."""
    reading = inspect_system_files(files)
    if not reading.tables and not reading.spare and not reading.ok:
        return None
    return _of_system(places, reading.value, reading.problems)


def _of_system(
    places: tuple[int, ...], system: System | None, problems: tuple[Problem, ...]
) -> FoundFiles:
    if system is None:
        faults = counted(len(errors(problems)), "problem")
        return FoundFiles(places, f"a system with {faults} to correct", "system.file", problems)
    said = f"a system: {_size(system)}"
    return FoundFiles(places, said, "system.file", problems)


def _single(
    place: int, name: str, data: bytes, kind: FileKind | None, path: Path, folder: Path
) -> FoundFiles:
    if kind is None:
        return _unknown(place, name, data, path)
    belongs = BELONGS[kind]
    said, problems = belongs.said, tuple[Problem, ...]()
    packed = data.startswith(_PACKED)
    if kind == "log" and len(data) <= (_LONG_IF_PACKED if packed else _LONG):
        try:
            said = _log_said(path, folder)
        except Unreadable as refusal:
            return FoundFiles((place,), f"an accounting log, but {refusal}", None)
    elif kind == "nodes":
        read = Reading.of(name, lambda findings: parse_node_table(data, name, findings))
        problems = read.problems
        if read.value is not None:
            said = f"a table of nodes: {_whole(read.value.in_words) or said}"
    elif kind == "watts":
        findings = Findings()
        samples = read_power_samples([path], findings)
        problems = findings.problems()
        said = said if samples is None else _whole(samples.in_words)
    elif kind == "system":
        reading = inspect_system_bytes(name, data)
        return _of_system((place,), reading.value, reading.problems)
    return FoundFiles((place,), said, belongs.places[0] if belongs.places else None, problems)


def _unknown(place: int, name: str, data: bytes, path: Path) -> FoundFiles:
    """A file of no kind: why, or a system that can be corrected."""
    if why := refusal_of(path):
        return FoundFiles((place,), why, None)
    reading = inspect_system_bytes(name, data)
    if reading.tables:
        return _of_system((place,), None, reading.problems)
    if reading.spare:
        said = "tables, of which none says that it has times: choose it on System"
        return FoundFiles((place,), said, "system.file", reading.problems)
    if (table := table_of_file(name)) not in (None, "etc"):
        return FoundFiles((place,), f"{_PARTS[table]} of a system; add its table of times", None)
    return FoundFiles((place,), "nothing that Wattfront reads", None, reading.problems)


def _log_said(path: Path, folder: Path) -> str:
    """The format of a log, and how many jobs on how many nodes it has, from when to when."""
    store = read_logs([path], folder=folder)
    try:
        parts = [counted(len(store), "run" if store.is_table else "job")]
        nodes = Nodes(store)
        if nodes.known:
            parts.append(counted(len(nodes.names), "node"))
        start, end = store.column("start"), store.column("end")
        known = np.concatenate([one[np.isfinite(one)] for one in (start, end)])
        if len(known) and _YEAR < known.min() <= known.max() < _LAST_DATE:
            parts.append(_span(float(known.min()), float(known.max())))
        form = store.logs[0].format
        return f"{_FORMATS.get(form, form)}: {', '.join(parts)}"
    finally:
        store.close()


def _span(first: float, last: float) -> str:
    """Days from one moment to another, in words.

    >>> _span(1704412800.0, 1705622400.0)
    '5 to 19 January 2024'
    """
    begin, end = (datetime.fromtimestamp(moment, UTC) for moment in (first, last))
    if begin.date() == end.date():
        return f"{end.day} {end:%B %Y}"
    month = "" if (begin.month, begin.year) == (end.month, end.year) else f" {begin:%B}"
    year = "" if begin.year == end.year else f" {begin.year}"
    return f"{begin.day}{month}{year} to {end.day} {end:%B %Y}"


def _size(system: System) -> str:
    return (
        f"{counted(len(system.task_types), 'task type')}, "
        f"{counted(len(system.machine_types), 'machine type')}"
        f"{'' if system.apc is not None else ', without powers'}"
    )


def _whole(sentence: str) -> str:
    return sentence.removesuffix(".")


def _is_csv(name: str) -> bool:
    return name.casefold().endswith(".csv")
