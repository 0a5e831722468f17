"""`wattfront reproduce`: what a publication shows, drawn anew."""

import argparse
import sys
from pathlib import Path
from typing import Final

from core.cli.answer import Answer
from core.cli.numbers import whole_within
from core.files.disk import explained
from core.front.study import GENERATION_COUNT, GENERATIONS
from core.makespan.reproduce import publication as makespan
from core.model.problems import InvalidInput, Problem
from core.model.ranges import Range
from core.profit.reproduce import publication as profit
from core.reproduce import calibration
from core.tradeoffs.reproduce import publication as front
from core.tradeoffs.reproduce.environments import Effort

PUBLICATIONS: Final = ("environments", "makespan", "front", "profit")
TRIALS: Final = Range(1, 10_000, "trials")
USUAL_FOLDER: Final = Path("docs", "reproduction")


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("publication", choices=PUBLICATIONS, help="what to reproduce")
    parser.add_argument(
        "--trials",
        type=whole_within(TRIALS),
        metavar="N",
        help="systems drawn for each point of a figure (default "
        f"{calibration.TRIALS} for environments, {makespan.TRIALS} for makespan, "
        f"{front.TRIALS} for front, {profit.TRIALS} for profit)",
    )
    parser.add_argument(
        "--generations",
        type=whole_within(GENERATION_COUNT),
        metavar="N",
        help="of NSGA-II from basic seeds, for front (default as published: "
        f"{GENERATIONS['nsga2']:,}, which take minutes)",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=USUAL_FOLDER,
        metavar="FOLDER",
        help=f"where tables and pictures go (default {USUAL_FOLDER})",
    )


def run(arguments: argparse.Namespace) -> Answer:
    of_front = arguments.publication == "front"
    if arguments.generations and not of_front:
        raise InvalidInput([Problem("", "", "", "--generations is for reproduce front; leave it")])
    with explained(arguments.output):  # now, not after minutes of work
        arguments.output.mkdir(parents=True, exist_ok=True)
    if of_front:
        effort = Effort(arguments.generations) if arguments.generations else Effort()
        trials = arguments.trials or front.TRIALS
        report = front.reproduce(arguments.output, trials, _say, effort)
    else:
        room = {"environments": calibration, "makespan": makespan, "profit": profit}[
            arguments.publication
        ]
        report = room.reproduce(arguments.output, arguments.trials or room.TRIALS, _say)
    if not report["published"]:
        return Answer(report, f"{report['report']} says which environments are nearest")
    holding = f"{report['holding']} of {report['published']} published claims hold here"
    return Answer(report, f"{holding}; {report['report']} says which, and by how much we differ")


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
