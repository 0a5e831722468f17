"""`wattfront samples`: the systems that come with Wattfront."""

import argparse
from pathlib import Path

from core import load_sample
from core.files.disk import explained
from core.files.samples.named import describe, sample_folder, sample_names, write_samples
from core.shells.cli.answer import Answer
from core.vocabulary.say.aligned import table
from core.vocabulary.say.phrases import size_as_dict


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--write",
        type=Path,
        metavar="FOLDER",
        help="write the tables of every sample again from their seeds, a folder each",
    )


def run(arguments: argparse.Namespace) -> Answer:
    names = sample_names()
    if arguments.write:
        with explained(arguments.write):
            write_samples(arguments.write)
    return Answer(
        {
            "samples": [
                {
                    "name": name,
                    "description": describe(name),
                    "path": str(arguments.write / name if arguments.write else sample_folder(name)),
                    **size_as_dict(load_sample(name)),
                }
                for name in names
            ]
        },
        table([(name, describe(name)) for name in names]),
    )
