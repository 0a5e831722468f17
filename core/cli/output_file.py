"""Files that are to be written."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path


def file_faults(path: Path | None, suffixes: Sequence[str]) -> Iterator[str]:
    """Why no such file can be written there, before anybody waits for what it is to hold."""
    if path and path.suffix.casefold() not in suffixes:
        yield f"{path} cannot be written: name a {', '.join(suffixes)} file"
    elif path and not os.path.isdir(path.parent):  # noqa: PTH112  # Path.is_dir may raise
        yield f"{path} cannot be written: there is no such folder; make it first"
