"""`wattfront samples`: the systems that come with Wattfront."""

import argparse
from pathlib import Path

from core import load_sample
from core.files import write_system
from core.files.disk import explained
from core.files.samples.named import SYSTEMS, describe, sample_folder
from core.shells.cli.answer import Answer
from core.vocabulary.say.aligned import table
from core.vocabulary.say.phrases import size_as_dict


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--write",
        type=Path,
        metavar="FOLDER",
        help="write the tables of every sample, a folder each",
    )


def run(arguments: argparse.Namespace) -> Answer:
    if folder := arguments.write:
        with explained(folder):
            folder.mkdir(parents=True, exist_ok=True)
            for name in SYSTEMS:
                write_system(load_sample(name), folder / name)
    return Answer(
        {
            "samples": [
                {
                    "name": name,
                    "description": describe(name),
                    "path": str(folder / name if folder else sample_folder(name)),
                    **size_as_dict(load_sample(name)),
                }
                for name in SYSTEMS
            ]
        },
        table([(name, describe(name)) for name in SYSTEMS]),
    )
