"""The file that a study is to be written to, and what it says of how it was asked for."""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.output_file import file_faults
from core.files.suffixes import STUDY_SUFFIX

if TYPE_CHECKING:
    from core.studies import StudySettings


def add_study_file(parser: argparse.ArgumentParser, meaning: str) -> None:
    parser.add_argument(
        "--study",
        type=Path,
        metavar="FILE",
        help=f"write {meaning} as a {STUDY_SUFFIX} file, for wattfront report and the dashboard",
    )


def study_file_faults(arguments: argparse.Namespace) -> Iterator[str]:
    """Why no study can be written there."""
    yield from file_faults(arguments.study, (STUDY_SUFFIX,))


def settings_of(arguments: argparse.Namespace) -> "StudySettings":
    """Which system was named, and with how much effort; what lies at a path is no sample."""
    from core.samples.named import sample_names  # not for those who write no study
    from core.studies import StudySettings

    name: str = arguments.system
    return StudySettings(
        name=Path(name).name or name,
        sample=None if os.path.lexists(name) or name not in sample_names() else name,
        seconds=arguments.seconds,
        threads=arguments.threads,
        work=arguments.work,
        seed=arguments.seed,
    )
