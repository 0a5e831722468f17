"""`wattfront reproduce`: published results, computed again. Publications come with the source, in
`benchmarks/publications`, and not with an installation without it.
"""

import argparse
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

import core
from core.shells.cli.answer import Answer
from core.vocabulary.problems import InvalidInput, Problem

PUBLICATIONS: Final = Path(core.__file__).parents[1] / "benchmarks" / "publications"
ABSENT: Final = (
    "reproductions come with the source of Wattfront, not with this installation: clone its "
    "repository with git, run make setup there, then .venv/bin/wattfront reproduce"
)


def declare(parser: argparse.ArgumentParser) -> None:
    command = _command()
    if command:
        command.declare(parser)
    else:
        parser.epilog = ABSENT
        parser.add_argument("words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> Answer:
    command = _command()
    if command is None:
        raise InvalidInput([Problem("", "", "", ABSENT)])
    answer: Answer = command.run(arguments)
    return answer


def _command() -> ModuleType | None:
    """The module that computes publications again; None if there is no checkout."""
    return import_module("benchmarks.publications.command") if PUBLICATIONS.exists() else None
