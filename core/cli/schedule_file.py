"""The file that a schedule is to be written to."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from core.files import SCHEDULE_SUFFIXES


def add_schedule_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help=f"write the schedule: {', '.join(SCHEDULE_SUFFIXES)}",
    )


def schedule_file_faults(arguments: argparse.Namespace) -> Iterator[str]:
    """Why no schedule can be written there, before anybody waits for one."""
    out: Path | None = arguments.output
    if out and out.suffix.casefold() not in SCHEDULE_SUFFIXES:
        yield f"{out} cannot be written: name a {', '.join(SCHEDULE_SUFFIXES)} file"
    elif out and not out.parent.is_dir():
        yield f"{out} cannot be written: there is no such folder; make it first"
