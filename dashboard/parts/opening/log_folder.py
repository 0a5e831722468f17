"""A temporary folder for uploaded logs and for what is read of them."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from weakref import finalize

_PREFIX: Final = "wattfront-log-"
_NO_NAME: Final = re.compile(r"[/\\\x00-\x1f\x7f]")
_NAME: Final = 60
"""Characters of a name, of at most 4 bytes each; a disk takes 255 bytes."""
_PROCESSES: Final = Path("/proc")

LogUploads = Sequence[tuple[str, memoryview | bytes]]
"""Names and contents."""


class LogFolder:
    """A temporary folder, which goes when nobody refers to it, or when the server ends. Those of
    servers that were killed go when the next one starts.
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
        finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def keep(self, uploads: LogUploads) -> list[Path]:
        """The paths of files with this content, each with its name as far as a disk allows."""
        paths: list[Path] = []
        for number, (name, content) in enumerate(uploads):
            inside = self.path / f"upload-{number}"
            inside.mkdir()
            path = inside / _allowed(name)
            path.write_bytes(content)
            paths.append(path)
        return paths


def _allowed(name: str) -> str:
    text = name.encode(errors="replace").decode()
    return _NO_NAME.sub("_", text)[-_NAME:].lstrip(".") or "log"


def remove_stale() -> None:
    """Removes the folders of processes that are no more; to be called before there is one. So one
    with the number of this process is of an earlier one, as in a container that was started again.
    """
    if not (_PROCESSES / "self").exists():
        return
    for process, path in _folders():
        if process == os.getpid() or not (_PROCESSES / str(process)).exists():
            shutil.rmtree(path, ignore_errors=True)


def remove_own() -> None:
    """Removes all folders of this process, which ends."""
    for process, path in _folders():
        if process == os.getpid():
            shutil.rmtree(path, ignore_errors=True)


def _folders() -> Iterator[tuple[int, Path]]:
    """All folders, and the number of the process that made each."""
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        process = path.name.removeprefix(_PREFIX).partition("-")[0]
        if process.isdecimal():
            yield int(process), path
