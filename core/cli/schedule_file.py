"""The file that a schedule is to be written to."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from core.cli.output_file import file_faults
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
    """Why no schedule can be written there."""
    yield from file_faults(arguments.output, SCHEDULE_SUFFIXES)
