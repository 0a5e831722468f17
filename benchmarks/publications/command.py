"""`wattfront reproduce` of a checkout: tables and figures of a publication, computed again."""

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import Final, cast

from benchmarks.publications.publication import Reproduction
from core import InvalidInput
from core.files.disk import cannot_write, explained, is_named_as_file
from core.shells.cli.answer import Answer
from core.shells.settings.numbers import whole_within
from core.vocabulary.problems import Problem
from core.vocabulary.ranges import Range

TRIALS: Final = Range(1, 10_000, "trials")
NAMES: Final = (
    "environments",
    "makespan",
    "front",
    "profit",
    "provision",
    "arrivals",
    "stretch",
    "centre",
)
USUAL_FOLDER: Final = Path("docs", "reproduction")


def reproductions() -> dict[str, Reproduction]:
    """The reproductions by name; first that of the environments that replace the published ones."""
    found = [import_module(f"benchmarks.publications.{name}.publication") for name in NAMES]
    modules = [cast("Reproduction", module) for module in found]
    return {module.PUBLICATION.name: module for module in modules}


def declare(parser: argparse.ArgumentParser) -> None:
    publications = [module.PUBLICATION for module in reproductions().values()]
    names = [publication.name for publication in publications]
    parser.add_argument("publication", choices=names, help="what to reproduce")
    usual = ", ".join(f"{one.trials} for {one.name}" for one in publications)
    parser.add_argument(
        "--trials",
        type=whole_within(TRIALS),
        metavar="N",
        help=f"systems drawn for each point of a figure (default {usual})",
    )
    for publication in publications:
        for name, option in publication.options.items():
            parser.add_argument(f"--{name}", **option)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=USUAL_FOLDER,
        metavar="FOLDER",
        help=f"where tables and pictures go (default {USUAL_FOLDER})",
    )


def run(arguments: argparse.Namespace) -> Answer:
    given = {}
    for one in reproductions().values():
        for name in one.PUBLICATION.options:
            value = getattr(arguments, name)
            if value is not None and one.PUBLICATION.name != arguments.publication:
                message = f"--{name} is for reproduce {one.PUBLICATION.name}; leave it"
                raise InvalidInput([Problem("", "", "", message)])
            if value is not None:
                given[name] = value
    if is_named_as_file(arguments.output):
        why = "the tables and pictures go into a folder, as .md, .csv and .svg files, so name one"
        raise cannot_write(arguments.output, why)
    with explained(arguments.output):  # now, and not after minutes of work
        arguments.output.mkdir(parents=True, exist_ok=True)
    asked = reproductions()[arguments.publication]
    trials = arguments.trials or asked.PUBLICATION.trials
    report = asked.reproduce(arguments.output, trials, _say, **given)
    if not report["published"]:
        return Answer(report, f"{report['report']} says which environments are nearest")
    holding = f"{report['holding']} of {report['published']} published claims hold here"
    return Answer(report, f"{holding}; which, and by how much we differ: {report['report']}")


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
