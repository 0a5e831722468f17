"""Arguments that several commands share: a system, what idle machines draw, and a budget."""

import argparse
import os
from pathlib import Path
from typing import Final

from core import System
from core.engines.compute.executors import (
    ENGINE_VARIABLE,
    ENGINES_IN_WORDS,
    HERE,
    EngineRefused,
    check_engine,
    usual_engine,
)
from core.files import SystemReading, inspect_system
from core.files.disk import located
from core.shells.settings.forms import given_flags
from core.shells.settings.numbers import number_within, whole_within
from core.vocabulary.budget import SECONDS, Effort
from core.vocabulary.problems import refusing
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.say.words import typed
from core.vocabulary.system import NoPowerData
from core.vocabulary.without_work import WithoutWork

WORK: Final = Range(0.01, 1e6, "units of work")
THREADS: Final = Range(1, 256, "threads")
USUAL_THREADS: Final = min(os.cpu_count() or 1, 8)


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


def add_schedule(parser: argparse.ArgumentParser) -> None:
    """A schedule file, and whether it may leave out tasks."""
    parser.add_argument(
        "schedule", type=Path, metavar="SCHEDULE", help="a schedule file: .csv, .xlsx or .json"
    )
    parser.add_argument(
        "--part",
        action="store_true",
        help="tasks may be left out, as by wattfront profit --rewards",
    )


def add_file(
    parser: argparse.ArgumentParser,
    flags: str,
    meaning: str,
    metavar: str = "FILE",
    *,
    required: bool = False,
) -> None:
    """A path, under names such as "-o --output"."""
    parser.add_argument(*flags.split(), type=Path, metavar=metavar, required=required, help=meaning)


def add_logs(parser: argparse.ArgumentParser) -> None:
    """The accounting logs of a command that also takes a sample log by its name."""
    parser.add_argument(
        "logs",
        nargs="+",
        type=Path,
        metavar="LOG",
        help="dumps of sacct, SWF logs or tables of runs; plain, compressed, or in a .zip; or the "
        "sample log 'university', which brings its table of nodes",
    )


def add_watts(parser: argparse.ArgumentParser, samples: str) -> None:
    """Files of power samples; `samples` says what they are."""
    parser.add_argument(
        "--watts",
        type=Path,
        metavar="FILE",
        help=f"{samples}; may be given again",
        action="append",
        default=[],
    )


def add_effort(parser: argparse.ArgumentParser, usual_seconds: float) -> None:
    """Add the flags of a budget, in seconds or in units of work."""
    how_much = parser.add_mutually_exclusive_group()
    how_much.add_argument(
        "--seconds",
        type=number_within(SECONDS),
        default=usual_seconds,
        metavar="S",
        help=f"seconds of local search (default {typed(usual_seconds)}); Ctrl-C ends it with the "
        "best schedule so far",
    )
    how_much.add_argument(
        "--work",
        type=number_within(WORK),
        metavar="N",
        help="units of work in place of seconds, about a second each, on one thread; "
        "the same work gives the same answer, however busy the computer is",
    )
    parser.add_argument(
        "--threads",
        type=whole_within(THREADS),
        default=USUAL_THREADS,
        metavar="N",
        help=f"how many threads to use (default {USUAL_THREADS})",
    )
    parser.add_argument(
        "--seed", type=whole_within(SEED), default=0, metavar="N", help="of the random numbers"
    )


def effort_of(arguments: argparse.Namespace) -> Effort:
    """What may be spent, as asked."""
    return Effort(arguments.seconds, arguments.work, arguments.threads, arguments.seed)


def unit_of_effort(arguments: argparse.Namespace) -> str:
    """The unit of the budget."""
    return "s" if arguments.work is None else "units"


def read(arguments: argparse.Namespace, path: Path | None = None) -> SystemReading:
    """The system that the arguments name, or that at a path; or its problems."""
    sizes = None if arguments.sizes is None else (arguments.sizes[0], arguments.sizes[1])
    return inspect_system(path or system_path(arguments), sizes=sizes)


def system_path(arguments: argparse.Namespace) -> Path:
    """Where the system is that the arguments name."""
    return located(arguments.system, _sample)


def without_work(arguments: argparse.Namespace) -> WithoutWork:
    """What machines draw without work, as the arguments say."""
    return WithoutWork(**given_flags(arguments, WithoutWork))


def with_idle_power(system: System, arguments: argparse.Namespace) -> System:
    """The system with the powers without work that the arguments ask for."""
    with refusing(NoPowerData, of=arguments.system):
        return without_work(arguments).of(system)


def add_engine(parser: argparse.ArgumentParser, what: str = "it is") -> None:
    """The flag of an engine; `what` is computed there."""
    parser.add_argument(
        "--engine",
        type=_engine,
        metavar="ENGINE",
        help=f"where {what} computed: {ENGINES_IN_WORDS} (default: the environment variable "
        f"{ENGINE_VARIABLE}, or else {HERE})",
    )


def engine_of(arguments: argparse.Namespace) -> str:
    """The engine that was asked for, or the usual one."""
    with refusing(EngineRefused, of=""):
        return str(arguments.engine or usual_engine())


def _engine(text: str) -> str:
    try:
        check_engine(text)
    except EngineRefused as refused:
        raise argparse.ArgumentTypeError(str(refused)) from None
    return text


def _sample(name: str) -> Path:
    from core.files.samples.named import sample_folder  # not needed for a path

    return sample_folder(name)
