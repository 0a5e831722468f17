"""`wattfront convert SYSTEM OUT`: a system in another format, with what belongs to it.

Capabilities convert what else there is, such as centres.
"""

import argparse
from functools import reduce
from pathlib import Path

from core.files.beside import Additions, KeptBeside
from core.shells.cli.answer import Answer
from core.shells.cli.arguments import add_system, read, system_path
from core.shells.cli.outputs import OUT_HELP, written
from core.shells.registry import capabilities


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    parser.add_argument("out", type=Path, metavar="OUT", help=OUT_HELP)
    converting = [one.part("converting") for one in capabilities() if one.offers("converting")]
    parser.epilog = " ".join(f"Also: wattfront convert {one.CONVERTED}." for one in converting)


def run(arguments: argparse.Namespace) -> Answer:
    for capability in capabilities():
        if capability.offers("converting"):
            given = Path(arguments.system)
            converted = capability.part("converting").converted(given, arguments.out)
            if isinstance(converted, Answer):
                return converted
    kept, reading = _kept(system_path(arguments)), read(arguments)
    system = reading.value or kept.types or reading.require()
    warnings = (*(reading.problems if reading.ok else ()), *kept.problems)
    return written(system, arguments.out, warnings, kept.additions)


def _kept(path: Path) -> KeptBeside:
    """All that the capabilities keep beside the system."""
    found: list[KeptBeside] = [
        one.part("beside").kept(path) for one in capabilities() if one.offers("beside")
    ]
    additions = [one.additions for one in found if one.additions]
    return KeptBeside(
        next((one.types for one in found if one.additions), None),
        reduce(Additions.and_also, additions) if additions else None,
        tuple(problem for one in found for problem in one.problems),
    )
