"""A folder of the schedules along a front: numbered files by rising energy, and an index.

Other files in the folder are not changed. The files that an earlier index names, and the index
itself, are replaced.
"""

import csv
import io
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from core.files import write_schedule
from core.files.disk import cannot_write, explained, is_named_as_file, replacing
from core.vocabulary.schedule import Schedule

INDEX: Final = "index.csv"
COLUMNS: Final = ("file", "energy (J)", "makespan (s)", "gap")
_EARLIER_COLUMNS: Final = ("file", "energy", "makespan", "gap")
"""The columns that version 0.1.0 wrote."""

_NUMBERED: Final = re.compile(r"schedule-\d{3,}\.csv")


def check_folder(folder: Path) -> None:
    """Raise `InvalidInput` unless schedules can be written there without changing other files."""
    if is_named_as_file(folder):
        why = "the schedules are .csv files in a folder, so name one; --csv writes one .csv file"
        raise cannot_write(folder, why)
    with explained(folder):
        if not os.path.lexists(folder):
            parent = folder.absolute().parent
            if not parent.is_dir():
                raise cannot_write(folder, "there is no folder to make it in; make that first")
            if not os.access(parent, os.W_OK | os.X_OK):
                raise cannot_write(folder, "its parent may not be written to; choose another place")
            return
        if not folder.is_dir():
            raise cannot_write(folder, "it is no folder; choose another place")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise cannot_write(folder, "the folder may not be written to; choose another place")
        names = {path.name for path in folder.iterdir()}
        ours = _earlier_files(folder)
        foreign = sorted(name for name in names if _is_numbered(name) and name not in ours)
        if INDEX in names and INDEX not in ours:
            foreign.append(INDEX)
        if foreign:
            raise cannot_write(
                folder, f"{foreign[0]} there is not from an earlier front; choose another folder"
            )


def write_schedules(
    schedules: Sequence[Schedule], gaps: Sequence[float | None], folder: Path
) -> None:
    """Write schedules in this order, each with its gap, or an empty cell if it has none. Raises
    `InvalidInput` if they cannot be written.
    """
    check_folder(folder)
    width = max(3, len(str(len(schedules))))
    names = [f"schedule-{number:0{width}}.csv" for number in range(1, len(schedules) + 1)]
    with explained(folder):
        folder.mkdir(exist_ok=True)
        stale = _earlier_files(folder) - {INDEX, *names}
        rows = [
            (name, repr(schedule.energy), repr(schedule.makespan), "" if gap is None else repr(gap))
            for name, schedule, gap in zip(names, schedules, gaps, strict=True)
        ]
        # The index is written first, so that an interrupted run can be repeated.
        with replacing(folder / INDEX) as stream:
            stream.write(_csv([COLUMNS, *rows]))
        for name in stale:
            (folder / name).unlink(missing_ok=True)
    for name, schedule in zip(names, schedules, strict=True):
        write_schedule(schedule, folder / name)


def _csv(rows: Sequence[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _earlier_files(folder: Path) -> set[str]:
    """The index of an earlier front and the files that it names; empty if there is no index."""
    try:
        with (folder / INDEX).open(encoding="utf-8", newline="") as stream:
            rows = csv.reader(stream)
            if tuple(next(rows, ())) not in (COLUMNS, _EARLIER_COLUMNS):
                return set()
            return {INDEX, *(row[0] for row in rows if row and _is_numbered(row[0]))}
    except (FileNotFoundError, UnicodeDecodeError, csv.Error):
        return set()


def _is_numbered(name: str) -> bool:
    return _NUMBERED.fullmatch(name) is not None
