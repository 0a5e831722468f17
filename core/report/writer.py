"""The report as a file."""

from pathlib import Path
from typing import Final

from core.files.disk import cannot_write, replacing

SUFFIXES: Final = (".html", ".htm")


def write_report(html: str, path: Path) -> None:
    """What was there is replaced only once all is written; `InvalidInput` where it cannot be."""
    if path.suffix.casefold() not in SUFFIXES:
        raise cannot_write(path, f"name a {SUFFIXES[0]} file")
    with replacing(path) as stream:
        stream.write(html.encode(errors="replace"))  # names of files may be no text
