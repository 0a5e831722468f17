"""Files as bytes: only regular ones of limited size are read; all are written whole."""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO, Final

from core.files import limits
from core.files.findings import Unreadable
from core.vocabulary.problems import InvalidInput

# The suffixes of study files and of fronts.
STUDY_SUFFIX: Final = ".json"
FRONT_SUFFIX: Final = ".csv"

_FILE_SUFFIXES: Final = frozenset(
    f".{name}"
    for names in (
        "csv tsv txt md log json toml yaml yml xml html htm xls xlsx xlsm ods odt doc docx",
        "pdf ps eps tex rtf png jpg jpeg gif svg webp zip gz bz2 xz tar tgz 7z parquet feather",
        "ppt pptx arrow h5 npy npz pkl db sqlite sql sh py ipynb",
    )
    for name in names.split()
)


def kind_of(path: Path) -> int:
    """The type of file (`stat.S_IFREG`, ...) at a path; raises `Unreadable` if there is none."""
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
    """Raise `Unreadable` if these are more bytes than a file may have."""
    if len(data) > limits.FILE_BYTES:
        raise Unreadable(
            f"is larger than {limits.FILE_BYTES // limits.MIB} MiB; write fewer "
            "digits, or a folder of CSV files"
        )


def located(name: str, sample: Callable[[str], Path]) -> Path:
    """Where an input is; a file or folder takes precedence over a sample of the same name, which
    `sample` finds (`ValueError` if there is none).
    """
    path = Path(name)
    if os.path.lexists(path) or path.name != name:
        return path
    try:
        return sample(name)
    except ValueError as unknown:
        message = f"there is no such file or folder, and {unknown}"
        raise InvalidInput.of(message) from unknown


def file_faults(path: Path | None, suffixes: Sequence[str]) -> Iterator[str]:
    """Why a file cannot be written there; asked before the long computation."""
    if path and path.suffix.casefold() not in suffixes:
        yield f"{path} cannot be written: name a {', '.join(suffixes)} file"
    elif path and not os.path.isdir(path.parent):  # noqa: PTH112  # Path.is_dir may raise
        yield f"{path} cannot be written: there is no such folder; make it first"


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A stream whose content replaces the file at `path` when it is complete.

    If anything fails, the old file at `path` is unchanged. Raises `InvalidInput` if it cannot be
    written.
    """
    with explained(path):
        beside = name_beside(path)
        try:
            with beside.open("xb") as stream:
                yield stream
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)


def is_named_as_file(path: Path) -> bool:
    """Whether the suffix of a name is that of a file format, so that no folder is meant."""
    return path.suffix.casefold() in _FILE_SUFFIXES


def name_beside(path: Path) -> Path:
    """An unused name in the same folder."""
    return path.parent / f".wattfront-{token_hex(8)}"


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Raise failures to write as `InvalidInput`."""
    try:
        yield
    except OSError as error:
        raise cannot_write(path, f"{error.strerror or error}; choose another place") from error
    except Unreadable as refusal:
        raise cannot_write(path, f"the file there {refusal}") from refusal


def refuse_path(path: Path, suffixes: Sequence[str]) -> None:
    """Raise `InvalidInput` if no file with these suffixes can be written, before it is computed."""
    if path.suffix.casefold() not in suffixes:
        raise cannot_write(path, f"name a {' or '.join(suffixes)} file")
    refuse_missing_folder(path)


def refuse_missing_folder(path: Path) -> None:
    """Raise `InvalidInput` if there is no folder to write this file or folder to."""
    if not path.absolute().parent.is_dir():
        raise cannot_write(path, "there is no such folder; make it first")


def cannot_write(path: Path, why: str) -> InvalidInput:
    return InvalidInput.of(f"cannot be written: {why}", str(path))


def _cannot_read(error: Exception) -> Unreadable:
    if isinstance(error, FileNotFoundError):
        return Unreadable("does not exist; check the path")
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return Unreadable(f"cannot be read ({reason}); check the path and its permissions")
