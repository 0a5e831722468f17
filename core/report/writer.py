"""The report as a file."""

from pathlib import Path
from typing import Final

from core.files.disk import cannot_write, replacing

SUFFIXES: Final = (".html", ".htm")


def write_report(html: str, path: Path) -> None:
    """Write the file; an old one is replaced only when it is complete. Raises `InvalidInput` if it
    cannot be written.
    """
    if path.suffix.casefold() not in SUFFIXES:
        raise cannot_write(path, f"name a {SUFFIXES[0]} file")
    with replacing(path) as stream:
        stream.write(
            html.encode(errors="replace")
        )  # names of files may contain bytes that are not text
