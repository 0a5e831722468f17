"""Arguments that several commands share: a system, a number within its range."""

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from core.files import Reading, read_system
from core.problems import InvalidInput, Problem
from core.system import IDLE_FRACTION, NoPowerData, Range, System


def number_within(allowed: Range) -> Callable[[str], float]:
    """Reads a number, and refuses one that is out of range."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is no number; give {allowed}") from None
        if value not in allowed:
            raise argparse.ArgumentTypeError(f"{text} is out of range; give {allowed}")
        return value

    return read


def whole_within(allowed: Range) -> Callable[[str], int]:
    """Reads a whole number, perhaps as 1e6, and refuses one that is out of range."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            number = number_within(allowed)(text)
            value = int(number)
            if value != number:
                raise argparse.ArgumentTypeError(f"{text} is no whole number") from None
        if value not in allowed:
            raise argparse.ArgumentTypeError(f"{text} is out of range; give {allowed}")
        return value

    return read


def add_system(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "system",
        metavar="SYSTEM",
        help="a folder or .zip of CSV tables, an .xlsx workbook, a .json document, an HCSP "
        "benchmark, or the name of a sample (see wattfront samples)",
    )
    parser.add_argument(
        "--sizes",
        nargs=2,
        type=int,
        metavar=("TASKS", "MACHINES"),
        help="sizes of an HCSP benchmark that does not begin with them",
    )


def add_idle_power(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--idle-power",
        type=number_within(IDLE_FRACTION),
        metavar="FRACTION",
        help="an idle machine draws this fraction of the mean power of its column in apc "
        f"({IDLE_FRACTION.low:g} to {IDLE_FRACTION.high:g}; default: as the system says)",
    )


def read(arguments: argparse.Namespace) -> Reading:
    """The system that was named, or what is wrong with it."""
    sizes = None if arguments.sizes is None else (arguments.sizes[0], arguments.sizes[1])
    return read_system(_located(arguments.system), sizes=sizes)


def with_idle_power(system: System, arguments: argparse.Namespace) -> System:
    """The system, its idle power as asked."""
    if arguments.idle_power is None:
        return system
    with refusing(NoPowerData, of=arguments.system):
        return system.with_idle_fraction(arguments.idle_power)


@contextmanager
def refusing(*refusals: type[Exception], of: str) -> Iterator[None]:
    """Turns exceptions whose message is meant for people into `InvalidInput`."""
    try:
        yield
    except refusals as refusal:
        raise InvalidInput([Problem(of, "", "", str(refusal))]) from refusal


def _located(name: str) -> Path:
    """Where the system is; what lies at a path wins over a sample of that name."""
    path = Path(name)
    if os.path.lexists(path) or path.name != name:
        return path
    from core.samples import sample_folder  # not for those who name a path

    try:
        return sample_folder(name)
    except ValueError as unknown:
        message = f"there is no such file or folder, and {unknown}"
        raise InvalidInput([Problem("", "", "", message)]) from unknown
