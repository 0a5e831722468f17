"""Files as bytes: only regular ones of sane size are read; they are written whole or not at all."""

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from core.files import limits
from core.files.findings import Unreadable
from core.model.problems import InvalidInput, Problem


def kind_of(path: Path) -> int:
    """The type of file (`stat.S_IFREG`, ...) that a path leads to; `Unreadable` if to none."""
    try:
        return stat.S_IFMT(path.stat().st_mode)
    except (OSError, ValueError) as error:
        raise _cannot_read(error) from error


def read_file(path: Path) -> bytes:
    """The content of a regular file; raises `Unreadable` for anything else."""
    if kind_of(path) != stat.S_IFREG:
        raise Unreadable("is not a regular file; give a file or a folder")
    try:
        with path.open("rb") as stream:
            data = stream.read(limits.FILE_BYTES + 1)
    except OSError as error:
        raise _cannot_read(error) from error
    check_size(data)
    return data


def check_size(data: bytes) -> None:
    """Raises `Unreadable` if there is more than one file may hold."""
    if len(data) > limits.FILE_BYTES:
        raise Unreadable(
            f"is larger than {limits.FILE_BYTES // limits.MIB} MiB; write fewer "
            "digits, or a folder of CSV files"
        )


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A stream whose content takes the place of the file at `path`, once all of it is there.

    If anything fails, what was at `path` is untouched. Raises `InvalidInput` where the disk does
    not take it.
    """
    with explained(path):
        beside = name_beside(path)
        try:
            with beside.open("xb") as stream:
                yield stream
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)


def name_beside(path: Path) -> Path:
    """An unused name in the same folder."""
    return path.parent / f".wattfront-{token_hex(8)}"


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Failures to write, as `InvalidInput`."""
    try:
        yield
    except OSError as error:
        raise cannot_write(path, f"{error.strerror or error}; choose another place") from error
    except Unreadable as refusal:
        raise cannot_write(path, f"what is there {refusal}") from refusal


def cannot_write(path: Path, why: str) -> InvalidInput:
    return InvalidInput([Problem(str(path), "", "", f"cannot be written: {why}")])


def _cannot_read(error: Exception) -> Unreadable:
    if isinstance(error, FileNotFoundError):
        return Unreadable("does not exist; check the path")
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return Unreadable(f"cannot be read ({reason}); check the path and its permissions")
