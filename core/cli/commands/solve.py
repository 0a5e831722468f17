"""`wattfront solve SYSTEM`: a schedule, and a proof of how good it is."""

import argparse
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from core.budget import NoScheduleFound
from core.cli.answer import SUCCESS, UNVERIFIED, Answer
from core.cli.arguments import (
    add_idle_power,
    add_system,
    number_within,
    read,
    refusing,
    whole_within,
    with_idle_power,
)
from core.cli.interrupt import first_interrupt_stops
from core.cli.size import size_in_words
from core.cli.words import exact_duration, exact_energy, gap_in_words, table, value_of
from core.files import SCHEDULE_SUFFIXES, write_schedule
from core.generate import SEED
from core.problems import InvalidInput, Problem
from core.relaxed import SolverFailed
from core.rivals import RIVALS, MissingExtra
from core.solve import AIMS, DEFAULT_SECONDS, METHODS, Progress, Solution, solve
from core.system import NoPowerData, Range, System

SECONDS: Final = Range(0, 1e6, "s")
THREADS: Final = Range(1, 256, "threads")
USUAL_THREADS: Final = min(os.cpu_count() or 1, 8)
CLEAR_LINE: Final = "\r\033[K"


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    parser.add_argument(
        "--minimise", choices=AIMS, default=AIMS[0], help=f"the aim (default {AIMS[0]})"
    )
    parser.add_argument(
        "--method",
        choices=METHODS,
        default=METHODS[0],
        help="lp (the default) polishes what the linear program gives; paper is the published "
        "method and nothing more; the others are rivals, which know only the makespan",
    )
    parser.add_argument(
        "--seconds",
        type=number_within(SECONDS),
        default=DEFAULT_SECONDS,
        metavar="S",
        help=f"how long to improve the schedule (default {DEFAULT_SECONDS:g}); Ctrl-C ends it "
        "with the best so far",
    )
    add_idle_power(parser)
    parser.add_argument(
        "--threads",
        type=whole_within(THREADS),
        default=USUAL_THREADS,
        metavar="N",
        help=f"how many to use at once (default {USUAL_THREADS})",
    )
    parser.add_argument(
        "--seed", type=whole_within(SEED), default=0, metavar="N", help="of what is random"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help=f"write the schedule: {', '.join(SCHEDULE_SUFFIXES)}",
    )


def run(arguments: argparse.Namespace) -> Answer:
    _refuse_what_cannot_end_well(arguments)
    started = time.perf_counter()
    reading = read(arguments)
    system = with_idle_power(reading.require(), arguments)
    read_seconds = time.perf_counter() - started
    solution = _solve(system, arguments)
    verdict = solution.verdict
    if verdict.ok and arguments.output:
        write_schedule(solution.schedule, arguments.output)
    seconds = {"read": read_seconds, **solution.seconds}
    return Answer(
        {
            "method": solution.method,
            "lower_bound": solution.bound.value,
            "makespan": solution.schedule.makespan,
            "energy": solution.schedule.energy_if_known,
            "gap": solution.gap,
            "tasks": system.tasks,
            "machines": system.machines,
            "seconds": seconds,
            "verified": verdict.ok,
        },
        _report(arguments, solution, seconds),
        (*verdict.problems, *reading.problems),
        SUCCESS if verdict.ok else UNVERIFIED,
    )


def _refuse_what_cannot_end_well(arguments: argparse.Namespace) -> None:
    """Before anybody waits for it."""
    problems = []
    rival = RIVALS.get(arguments.method)
    if rival and arguments.minimise != "makespan":
        problems.append(
            f"--method {rival.name} minimises the makespan only; for energy use lp or paper"
        )
    if rival and rival.anytime and not arguments.seconds:
        problems.append(f"--method {rival.name} needs time; give --seconds above 0")
    out: Path | None = arguments.output
    if out and out.suffix.casefold() not in SCHEDULE_SUFFIXES:
        problems.append(f"{out} cannot be written: name a {', '.join(SCHEDULE_SUFFIXES)} file")
    elif out and not out.parent.is_dir():
        problems.append(f"{out} cannot be written: there is no such folder; make it first")
    if problems:
        raise InvalidInput(Problem("", "", "", problem) for problem in problems)


def _solve(system: System, arguments: argparse.Namespace) -> Solution:
    on_terminal = sys.stderr.isatty()
    with (
        refusing(NoPowerData, NoScheduleFound, MissingExtra, SolverFailed, of=arguments.system),
        first_interrupt_stops() as stop_was_asked,
    ):
        try:
            return solve(
                system,
                minimise=arguments.minimise,
                method=arguments.method,
                seconds=arguments.seconds,
                threads=arguments.threads,
                seed=arguments.seed,
                should_stop=stop_was_asked,
                report=_show if on_terminal else None,
            )
        except NoScheduleFound:
            if stop_was_asked():
                raise KeyboardInterrupt from None
            raise
        finally:
            if on_terminal:
                sys.stderr.write(CLEAR_LINE)


def _show(progress: Progress) -> None:
    sys.stderr.write(
        f"{CLEAR_LINE}{progress.spent:.1f} of {progress.allowed:g} s: {gap_in_words(progress.gap)}"
    )
    sys.stderr.flush()


def _report(arguments: argparse.Namespace, solution: Solution, seconds: Mapping[str, float]) -> str:
    schedule = solution.schedule
    joules = schedule.energy_if_known
    verdict = "every figure added up again from the tables, by other code"
    rows = [
        ("system", size_in_words(schedule.system)),
        ("makespan", exact_duration(schedule.makespan)),
        ("energy", "unknown (no apc)" if joules is None else exact_energy(joules)),
        (f"least {solution.aim}", f"{value_of(solution.aim, solution.bound.value)} (lower bound)"),
        ("gap", gap_in_words(solution.gap)),
        ("verified", verdict if solution.verdict.ok else "NO: do not use this schedule"),
        ("took", ", ".join(f"{phase} {seconds[phase]:.3g} s" for phase in seconds)),
    ]
    if arguments.output:
        rows.append(("written", str(arguments.output) if solution.verdict.ok else "nothing"))
    return f"{arguments.system}: {solution.aim} minimised by {solution.method}\n{table(rows)}"
