"""Writes batch scripts into a folder of their own, whole or not at all, or into an archive."""

import io
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from core.engines.slurm.scripts import CANCEL, PLAN, README, STATE, SUBMIT, TASKS, is_executable
from core.files.archive import write_lines, writing_archive
from core.files.disk import cannot_write, explained, is_named_as_file, name_beside

_EXECUTABLE: Final = 0o755
_READABLE: Final = 0o644
_OURS: Final = frozenset({README, SUBMIT, CANCEL, PLAN, TASKS})


def check_scripts_folder(folder: Path) -> None:
    """Raise `InvalidInput` unless batch scripts can be written there: into a new folder, an empty
    one, or in place of earlier ones that were not submitted.
    """
    if is_named_as_file(folder):
        why = "batch scripts are a folder, so name one; --to csv, json or xlsx writes such a file"
        raise cannot_write(folder, why)
    with explained(folder):
        if not os.path.lexists(folder):
            if not folder.absolute().parent.is_dir():
                raise cannot_write(folder, "there is no folder to make it in; make that first")
            return
        if folder.is_symlink() or not folder.is_dir():
            raise cannot_write(folder, "it is not a folder; choose another place")
        names = {path.name for path in folder.iterdir()}
        if STATE in names:
            raise cannot_write(folder, "its jobs were submitted; choose another folder")
        foreign = sorted(names - _OURS)
        if foreign or (names and not names >= {SUBMIT, PLAN}):
            which = foreign[0] if foreign else min(names)
            raise cannot_write(
                folder, f"{which} there is not one of batch scripts; choose another folder"
            )


def write_scripts(files: Mapping[str, Iterable[str]], folder: Path) -> None:
    """Write files, by their paths, as a folder that is complete when it appears.

    Earlier batch scripts there are replaced. Raises `InvalidInput` if it cannot be written.
    """
    check_scripts_folder(folder)
    folder = folder.absolute()
    with explained(folder):
        beside, old = name_beside(folder), name_beside(folder)
        try:
            for name, lines in files.items():
                path = beside / name
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("xb") as stream:
                    write_lines(stream, lines)
                if is_executable(name):
                    path.chmod(_EXECUTABLE)
            if folder.exists():
                folder.rename(old)
            try:
                beside.rename(folder)
            except OSError:
                if old.exists():
                    old.rename(folder)
                raise
        finally:
            shutil.rmtree(beside, ignore_errors=True)
            shutil.rmtree(old, ignore_errors=True)


def archived_scripts(files: Mapping[str, Iterable[str]], folder: str) -> bytes:
    """Files, by their paths, as a zip archive with one folder. Unpacked, what a person runs is
    executable.
    """
    stream = io.BytesIO()
    with writing_archive(stream) as archive:
        for name, lines in files.items():
            mode = _EXECUTABLE if is_executable(name) else _READABLE
            archive.add_with_mode(f"{folder}/{name}", lines, mode)
    return stream.getvalue()
