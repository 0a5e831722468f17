"""`wattfront sweep SYSTEM`: what is proven for every combination of some changes."""

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from core.capabilities.sweep.axes import NAMES_IN_WORDS, AxisFault, SweptAxis, read_axis
from core.capabilities.sweep.face import sweep
from core.capabilities.sweep.run import SweepOutcome
from core.capabilities.sweep.told import failures_in_words, sweep_command, told
from core.engines.compute.many import RunsProgress
from core.engines.compute.parts import RESULT_SUFFIXES, folder_of_parts
from core.shells.cli.answer import BROKEN, INTERRUPTED, SUCCESS, Answer, told_answer
from core.shells.cli.arguments import add_engine, add_file, add_system, engine_of, read
from core.shells.cli.progress import watching
from core.vocabulary.problems import Problem
from core.vocabulary.say.columns import took


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    parser.add_argument(
        "--over",
        type=_axis,
        action="append",
        required=True,
        metavar="NAME=VALUES",
        help="what is varied, once for each axis: FROM:TO:STEP or A,B,C for one of "
        f"{NAMES_IN_WORDS}; as in idle=0:1:0.1, machines.T3=0:8 or power_cap=40kW,50kW. A single "
        "value holds for all runs",
    )
    add_engine(parser)
    add_file(
        parser,
        "-o --output",
        f"write a row for each run: {', '.join(RESULT_SUFFIXES)}. Results are kept as they "
        "come: if the command is interrupted, the same command goes on where it was",
    )


def run(arguments: argparse.Namespace) -> Answer:
    output: Path | None = arguments.output
    engine = engine_of(arguments)
    started = time.perf_counter()
    reading = read(arguments)
    system = reading.require()
    read_seconds = time.perf_counter() - started
    with watching(arguments.system) as watch:
        outcome = sweep(
            system,
            arguments.over,
            engine=engine,
            output=output,
            should_stop=watch.stop_was_asked,
            report=watch.showing(RunsProgress.in_words),
        )
    seconds = {"read": read_seconds, "runs": time.perf_counter() - started - read_seconds}
    path = None if output is None else str(output)
    command = sweep_command(arguments.system, outcome.question.axes, engine, path)
    facts = [("took", took(seconds))]
    also: dict[str, object] = {"seconds": seconds}
    if output is None:
        also["results"] = outcome.table.to_pylist()
    else:
        also["path"] = str(output if outcome.complete else folder_of_parts(output))
        if outcome.complete:
            facts.append(("written to", f"{output}: {outcome.question.runs:,} rows"))
    problems = (*_problems(outcome, output, command), *reading.problems)
    answer = told_answer(arguments.system, told(outcome), facts, problems, also)
    status = SUCCESS if outcome.complete else BROKEN if outcome.failed else INTERRUPTED
    return replace(answer, status=status)


def _problems(outcome: SweepOutcome, output: Path | None, command: str) -> Iterator[Problem]:
    """What failed, and how to go on after an interruption."""
    for said in failures_in_words(outcome):
        yield Problem("", "", "", said)
    if outcome.complete:
        return
    done = f"{outcome.done:,} of {outcome.question.runs:,} runs are done"
    if output is None:
        yield Problem("", "", "", f"{done}; with -o FILE they would be kept", "warning")
    else:
        where = folder_of_parts(output)
        yield Problem("", "", "", f"{done} and kept in {where}; go on with: {command}", "warning")


def _axis(text: str) -> SweptAxis:
    try:
        return read_axis(text)
    except AxisFault as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None
