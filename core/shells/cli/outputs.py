"""Files that commands write: their flags, why they cannot be written, and their answers."""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core import System
from core.files import SCHEDULE_SUFFIXES
from core.files.beside import Additions
from core.files.disk import STUDY_SUFFIX, file_faults
from core.files.system_file import write_beside
from core.shells.cli.answer import Answer
from core.shells.cli.arguments import add_file
from core.vocabulary.problems import Problem
from core.vocabulary.say.columns import size_in_words
from core.vocabulary.say.phrases import size_as_dict

if TYPE_CHECKING:
    from core.shells.studies import StudySettings


OUT_HELP: Final = "a .zip, .xlsx or .json file, or a folder for CSV tables"


def written(
    system: System,
    out: Path,
    warnings: tuple[Problem, ...] = (),
    beside: Additions | None = None,
) -> Answer:
    """Write the system, and what is beside it, in the format of the suffix of `out`."""
    write_beside(system, out, beside)
    machines = system.machines if beside is None else sum(beside.machine_counts)
    size = {**size_as_dict(system), "machines": machines}
    also = "" if beside is None else f", with its {' and its '.join(beside.settings)}"
    said = f"{out}: {size_in_words(system, machines)}{also}"
    return Answer.done(said, {"path": str(out), **size}, warnings)


def add_schedule_file(parser: argparse.ArgumentParser) -> None:
    add_file(parser, "-o --output", f"write the schedule: {', '.join(SCHEDULE_SUFFIXES)}")


def schedule_file_faults(arguments: argparse.Namespace) -> Iterator[str]:
    """Why the schedule cannot be written there."""
    yield from file_faults(arguments.output, SCHEDULE_SUFFIXES)


def add_study_file(parser: argparse.ArgumentParser, meaning: str) -> None:
    add_file(
        parser,
        "--study",
        f"write {meaning} as a {STUDY_SUFFIX} file, for wattfront report and the dashboard",
    )


def study_file_faults(arguments: argparse.Namespace) -> Iterator[str]:
    """Why the study cannot be written there."""
    yield from file_faults(arguments.study, (STUDY_SUFFIX,))


def settings_of(arguments: argparse.Namespace) -> "StudySettings":
    """The settings of a study: the system and the budget. A file or folder is no sample."""
    from core.files.samples.named import SYSTEMS  # needed only if a study is written
    from core.shells.studies import StudySettings

    name: str = arguments.system
    return StudySettings(
        name=Path(name).name or name,
        sample=None if os.path.lexists(name) or name not in SYSTEMS else name,
        seconds=arguments.seconds,
        threads=arguments.threads,
        work=arguments.work,
        seed=arguments.seed,
    )
