"""`wattfront reproduce makespan`: what the publication shows, drawn anew."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

from core.cli.answer import Answer
from core.cli.arguments import whole_within
from core.files.disk import explained
from core.reproduce import makespan
from core.system import Range

TRIALS: Final = Range(1, 10_000, "trials")
USUAL_FOLDER: Final = Path("docs", "reproduction")


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("publication", choices=("makespan",), help="what to reproduce")
    parser.add_argument(
        "--trials",
        type=whole_within(TRIALS),
        default=makespan.TRIALS,
        metavar="N",
        help=f"systems drawn for each point of a figure (default {makespan.TRIALS})",
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
    with explained(arguments.output):  # now, not after minutes of work
        arguments.output.mkdir(parents=True, exist_ok=True)
    report = makespan.reproduce(arguments.output, arguments.trials, _say)
    claims = cast("Sequence[object]", report["claims"])
    holding = f"{report['holding']} of {len(claims)} claims hold here"
    return Answer(report, f"{holding}; {report['report']} says which, and by how much we differ")


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
