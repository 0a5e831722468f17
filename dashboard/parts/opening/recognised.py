"""What dropped files are, by their content: each said in one line, with the places that open it."""

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal, NamedTuple

import numpy as np

from core.capabilities.arrivals.files.classes_file import inspect_classes_bytes, is_classes
from core.capabilities.arrivals.files.outcome_file import is_outcome
from core.capabilities.arrivals.files.sizes_file import inspect_sizes_bytes, is_sizes
from core.capabilities.arrivals.files.workload_reader import is_workload
from core.capabilities.centre.files.centre_reader import is_centre
from core.capabilities.fair_shares import SETTINGS as BAGS
from core.capabilities.fair_shares.bags_reader import says_anything
from core.capabilities.provision import SETTINGS as PLAN
from core.engines.logs.metered.sample_files import is_power_samples, read_power_samples
from core.engines.logs.reading.logs import is_log, read_logs, refusal_of
from core.engines.logs.types.node_table import is_node_table, parse_node_table
from core.engines.logs.types.nodes import Nodes
from core.engines.signals.reading import format_in
from core.files.beside import SETTINGS_SUFFIX
from core.files.document import WHAT_IFS_FORMAT
from core.files.findings import Findings, Reading, Unreadable
from core.files.folder import table_of_file, those_of_one_system
from core.files.headings import TableName
from core.files.schedule_file import is_schedule
from core.files.strict_json import says_format
from core.files.system_file import inspect_parts_bytes
from core.shells.settings.by_hour import inspect_site_hours, is_by_hour
from core.vocabulary.problems import Problem, errors
from core.vocabulary.say.words import DAY, counted
from core.vocabulary.system import System
from dashboard.parts.frame.handed import FilePlace
from dashboard.parts.opening.log_folder import LogFolder
from dashboard.parts.taking.batch_settings import is_map
from dashboard.workspace.upload import Upload, is_study

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
_HEAD: Final = 1 << 16
_YEAR: Final = 365 * DAY
_LAST_DATE: Final = 8e9


FileKind = Literal[
    "study",
    "what-ifs",
    "outcome",
    "workload",
    "schedule",
    "log",
    "nodes",
    "watts",
    "hours",
    "map",
    "classes",
    "sizes",
    "plan",
    "bags",
    "centre",
    "curve",
]


class Belongs(NamedTuple):
    """What a file is, in words without a verb, and the places that open it, the usual first."""

    said: str
    places: tuple[FilePlace, ...]


BELONGS: Final[dict[FileKind, Belongs]] = {
    "study": Belongs("a study", ("importing.file",)),
    "what-ifs": Belongs("what-ifs to compare", ("what_if.file",)),
    "outcome": Belongs("an outcome of jobs", ("arrivals.outcome",)),
    "workload": Belongs("a workload", ("arrivals.workload",)),
    "schedule": Belongs("a schedule", ("schedule.file",)),
    "log": Belongs("an accounting log", ("importing.log", "arrivals.log", "schedule.log")),
    "nodes": Belongs("a table of nodes", ("importing.nodes",)),
    "watts": Belongs("samples of power", ("importing.watts",)),
    "hours": Belongs("numbers by the hour of the day", ("site.hours",)),
    "map": Belongs("a map of the nodes on which machines run", ("schedule.map",)),
    "classes": Belongs("classes of jobs", ("arrivals.classes", "work.classes")),
    "sizes": Belongs("sizes that are offered", ("arrivals.sizes",)),
    "plan": Belongs("a plan of what to buy", ("provision.plan", "importing.file")),
    "bags": Belongs("bags of tasks that arrive", ("fair_shares.bags", "importing.file")),
    "centre": Belongs("a day of a centre", ("centre.file",)),
    "curve": Belongs("a curve over time", ("centre.curve",)),
}
_OF_SYSTEMS: Final[tuple[FilePlace, ...]] = ("importing.file",)


def kind_of(name: str, data: bytes, path: Path) -> FileKind | None:
    """What a file, which is kept at this path, is by its content, with or without faults; None if
    it is a system, which only reading it tells, or nothing that we know.
    """
    if is_study(name, data):
        return "study"
    for kind, is_one in _SAYS.items():
        if is_one(data):
            return kind
    if is_centre(path):
        return "centre"
    if is_workload(path):
        return "workload"
    if is_log(path):
        return "log"
    if format_in(data, named=True) is not None:
        return "curve"
    if is_power_samples(_begin(data)):
        return "watts"
    parts = inspect_parts_bytes(name, data, PLAN, Findings())
    if parts is not None and parts.settings is not None:
        return "plan"
    parts = inspect_parts_bytes(name, data, BAGS, Findings())
    if parts is not None and says_anything(parts):
        return "bags"
    return None


_SAYS: Final[dict[FileKind, Callable[[bytes], bool]]] = {
    "what-ifs": lambda data: says_format(data, WHAT_IFS_FORMAT),
    "outcome": is_outcome,
    "schedule": is_schedule,
    "map": is_map,
    "nodes": is_node_table,
    "hours": is_by_hour,
    "classes": is_classes,
    "sizes": is_sizes,
}


def _begin(data: bytes) -> bytes:
    """The first bytes of the content of a file, which may be compressed with gzip."""
    if not data.startswith(_PACKED[0]):
        return data[:_HEAD]
    try:
        return zlib.decompressobj(wbits=31).decompress(data[:_HEAD], _HEAD)
    except zlib.error:
        return b""


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """Files that belong together, by their places among those that were dropped: what they are, and
    the places that open them, the usual one first. `problems` are those of these files.
    """

    files: tuple[int, ...]
    said: str
    places: tuple[FilePlace, ...] = ()
    problems: tuple[Problem, ...] = ()


def recognise(files: tuple[tuple[str, bytes], ...]) -> tuple[FoundFiles, ...]:
    """What each of these files is; tables of one system are one, and an outcome with its files."""
    folder = LogFolder()
    paths = folder.keep(files)
    kinds = [kind_of(*file, path) for file, path in zip(files, paths, strict=True)]
    found = []
    loose = [k for k, kind in enumerate(kinds) if kind is None and _is_csv(files[k][0])]
    together = those_of_one_system(files[k] for k in loose)
    tables = tuple(k for k in loose if together.get(files[k][0]) is files[k][1])
    if len(tables) > 1 and (table := _tables(tables, together)) is not None:
        found.append(table)
    if "outcome" in kinds:
        beside = (
            k
            for k, kind in enumerate(kinds)
            if kind in ("outcome", "workload") or files[k][0].endswith(SETTINGS_SUFFIX)
        )
        parts = tuple(sorted(beside, key=lambda k: kinds[k] != "outcome"))
        found.append(FoundFiles(parts, *BELONGS["outcome"]))
    taken = {k for one in found for k in one.files}
    found += [
        _single(k, *files[k], kinds[k], paths[k], folder.path)
        for k in range(len(files))
        if k not in taken
    ]
    return tuple(sorted(found, key=lambda one: one.files))


def _tables(places: tuple[int, ...], files: Mapping[str, bytes]) -> FoundFiles | None:
    """The system of several tables; None if none of them is a table of times."""
    upload = Upload.together(files)
    return _of_system(places, upload) if upload.tables or upload.spare or upload.system else None


def _of_system(files: tuple[int, ...], upload: Upload) -> FoundFiles:
    """What is said of an upload that has tables."""
    if (system := upload.system) is not None:
        return FoundFiles(files, f"a system: {_size(system)}", _OF_SYSTEMS, upload.problems)
    if not upload.tables:
        said = "tables, of which none says that it has times: choose it on Import"
        return FoundFiles(files, said, _OF_SYSTEMS)
    said = f"a system with {counted(len(errors(upload.problems)), 'problem')} to correct"
    said += f": {upload.by_file}" if upload.by_file else ""
    return FoundFiles(files, said, _OF_SYSTEMS, upload.problems)


def _single(
    place: int, name: str, data: bytes, kind: FileKind | None, path: Path, folder: Path
) -> FoundFiles:
    if kind is None:
        return _system_or_unknown(place, name, data, path)
    if kind == "classes":
        return _classes(place, name, data)
    said, places = BELONGS[kind]
    problems = tuple[Problem, ...]()
    packed = data.startswith(_PACKED)
    if kind == "log" and len(data) <= (_LONG_IF_PACKED if packed else _LONG):
        try:
            said = _log_said(path, folder)
        except Unreadable as refusal:
            why = str(refusal).replace(f"{name}: ", "it ", 1)
            return FoundFiles((place,), f"an accounting log, but {why}")
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
        # Values of which nobody says what they are may be others than watts.
        places = (*places, *BELONGS["curve"].places) if format_in(data) else places
    elif kind == "sizes":
        sizes = inspect_sizes_bytes(name, data)
        places, problems = places if sizes.ok else (), sizes.problems
        if sizes.value is not None:
            said = f"sizes that are offered: {counted(len(sizes.value.rows), 'row')}"
    elif kind == "curve" and (form := format_in(data)) is not None:
        said = f"{said}: {form.name}"
    elif kind == "hours":
        hours = inspect_site_hours(path)
        places, problems = places if hours.ok else (), hours.problems
    return FoundFiles((place,), said, places, problems)


def _system_or_unknown(place: int, name: str, data: bytes, path: Path) -> FoundFiles:
    """A file of no other kind: a system, perhaps one that can be corrected, or why it is none."""
    upload = Upload.read(name, data)
    if upload.system is None and (why := refusal_of(path)):
        return FoundFiles((place,), f"almost a log, but it {why}")
    if upload.system is not None or upload.tables or upload.spare:
        return _of_system((place,), upload)
    if (table := table_of_file(name)) not in (None, "etc"):
        return FoundFiles((place,), f"{_PARTS[table]} of a system; add its table of times")
    return FoundFiles((place,), "nothing that Wattfront reads", (), upload.problems)


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


def _classes(place: int, name: str, data: bytes) -> FoundFiles:
    """Classes of jobs; those that name more than task types are of the jobs of a log."""
    reading = inspect_classes_bytes(name, data)
    said, (of_log, of_types) = BELONGS["classes"]
    if reading.value is None:
        return FoundFiles((place,), said, (), reading.problems)
    rows = reading.value.rows
    stop = sum(row.may_stop_others for row in rows)
    said = f"classes of jobs: {counted(len(rows), 'row')}, of which {stop:,} may stop others"
    by_name = all(row.texts.keys() == {"name"} for row in rows)
    places = (of_types, of_log) if by_name else (of_log,)
    return FoundFiles((place,), said, places, reading.problems)


def _span(first: float, last: float) -> str:
    """Days from one moment to another, in words.

    >>> _span(1704412800.0, 1705622400.0)
    '5 to 19 January 2024'
    >>> _span(1672876800.0, 1705622400.0)
    '5 January 2023 to 19 January 2024'
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
