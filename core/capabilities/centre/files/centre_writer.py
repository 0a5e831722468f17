"""Writes a centre: a folder, a .zip of it, or a JSON document, by the suffix."""

import json
import math
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import repeat
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from core.capabilities.centre.files.centre_file import CentreFile, DayGrid
from core.capabilities.centre.files.centre_reader import CENTRE, JOBS, SERVERS
from core.capabilities.centre.files.centre_settings import SETTINGS, settings_of_centre
from core.capabilities.centre.files.signal_files import FOLDER
from core.engines.signals.plain import signal_csv
from core.engines.signals.zones import EPOCH
from core.files.archive import write_lines
from core.files.disk import cannot_write, is_named_as_file, refuse_missing_folder, replacing
from core.files.schema import Schema
from core.files.table_writer import WrittenTable, WrittenTables

_SUFFIXES: Final = (".zip", ".json")


def write_centre(file: CentreFile, path: str | Path) -> None:
    """Write .zip or .json, by the suffix; without one, a new folder, or one that has a centre.

    Old files are replaced only when the new ones are complete. Raises `InvalidInput` if it cannot
    be written. What is written reads back equal.
    """
    path = Path(path)
    refuse_centre_path(path)
    suffix = path.suffix.casefold()
    if suffix == ".zip":
        with replacing(path) as stream:
            _written(file).write_zip(stream)
    elif suffix == ".json":
        with replacing(path) as stream:
            write_lines(stream, [json.dumps(document_of_centre(file), ensure_ascii=False)])
    else:
        _refuse_other_curves(path, file)
        _written(file).write_folder(path, CENTRE.tables, "servers")


def refuse_centre_path(path: Path) -> None:
    """Raise `InvalidInput` if no centre can have this name, before it is computed."""
    if is_named_as_file(path) and path.suffix.casefold() not in _SUFFIXES:
        raise cannot_write(path, "name a folder, or a .zip or .json file")
    refuse_missing_folder(path)


def document_of_centre(file: CentreFile) -> dict[str, object]:
    """The JSON document of a centre, as a part of a larger one; it is all in memory."""
    return {
        "format": CENTRE.format,
        "version": CENTRE.version,
        SETTINGS: _settings(file),
        "servers": [_titles(SERVERS), *map(list, _server_rows(file))],
        "jobs": [_titles(JOBS), *map(list, _job_rows(file))],
        FOLDER: dict(_curves(file)),
    }


def _refuse_other_curves(path: Path, file: CentreFile) -> None:
    """A curve that stays in the folder would be one of the new centre."""
    old = path / FOLDER
    known = {name for name, _ in _curves(file)}
    others = [one.name for one in old.iterdir()] if old.is_dir() else []
    if other := next((name for name in sorted(others) if name not in known), None):
        message = f"the folder has {FOLDER}/{other}, which would be read with it; remove that"
        raise cannot_write(path, message)


def _written(file: CentreFile) -> WrittenTables:
    return WrittenTables(
        {
            "servers": WrittenTable(_titles(SERVERS), _server_rows(file)),
            "jobs": WrittenTable(_titles(JOBS), _job_rows(file)),
        },
        {SETTINGS: _settings(file)},
        {f"{FOLDER}/{name}": [text] for name, text in _curves(file)},
    )


def _settings(file: CentreFile) -> dict[str, object]:
    return settings_of_centre(file, moment_written(file.grid, 0.0))


def moment_written(grid: DayGrid, seconds: float) -> str:
    """A time so long after the day began, by the clock of the centre with its offset."""
    moment = EPOCH + timedelta(seconds=grid.begins + seconds)
    return moment.astimezone(ZoneInfo(grid.zone)).isoformat()


def _titles(schema: Schema) -> list[str]:
    return [column.name for column in schema]


def _server_rows(file: CentreFile) -> Iterator[Sequence[object]]:
    for kind in file.centre.kinds:
        watts = kind.busy_watts, kind.idle_watts, kind.asleep_watts
        yield (kind.name, kind.count, *watts, kind.start_seconds, kind.start_joules)


def _job_rows(file: CentreFile) -> Iterator[Sequence[object]]:
    jobs, names = file.jobs, [kind.name for kind in file.centre.kinds]
    columns = jobs.kind, jobs.servers, jobs.seconds, jobs.release, jobs.due, jobs.count
    rows = zip(jobs.names or repeat(""), *(column.tolist() for column in columns), strict=False)
    for job, kind, servers, seconds, release, due, count in rows:
        known = None if math.isnan(due) else due
        yield (job, names[kind], servers, seconds, release, known, count)


def _curves(file: CentreFile) -> Iterator[tuple[str, str]]:
    """The name of each file of curves, and its text, in the order of names."""
    for curves, ending in ((file.signals.came, ""), (file.signals.forecast, "-forecast")):
        for name, signal in sorted((kind.name, signal) for kind, signal in curves.items()):
            yield f"{name}{ending}.csv", signal_csv(signal)
