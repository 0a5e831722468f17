"""`wattfront convert SYSTEM OUT`: a system in another format."""

import argparse
from pathlib import Path

from core.cli.answer import Answer
from core.cli.arguments import add_system, read
from core.cli.outputs import OUT_HELP, written


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    parser.add_argument("out", type=Path, metavar="OUT", help=OUT_HELP)


def run(arguments: argparse.Namespace) -> Answer:
    reading = read(arguments)
    return written(reading.require(), arguments.out, reading.problems)
