"""`wattfront solve SYSTEM`: a schedule, and a proof of how good it is."""

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from core import System, solve, study, write_schedule
from core.capabilities.makespan.methods import METHODS, SolveProgress
from core.capabilities.makespan.settings import SolveSettings
from core.capabilities.makespan.told import told
from core.capabilities.makespan.wishes import add_wishes, asked, tariff_of, wish_answer, wish_faults
from core.engines.front.methods import method_named
from core.engines.front.wish import StatedWish
from core.engines.front.words import study_progress
from core.engines.rivals import RIVALS
from core.shells.cli.answer import Answer, told_answer
from core.shells.cli.arguments import (
    add_effort,
    add_system,
    effort_of,
    read,
    unit_of_effort,
    with_idle_power,
)
from core.shells.cli.outputs import add_schedule_file, schedule_file_faults
from core.shells.cli.progress import watching
from core.shells.settings.forms import declare_flags, given_flags
from core.vocabulary.budget import DEFAULT_SECONDS
from core.vocabulary.problems import refuse
from core.vocabulary.say.columns import VERIFIED, gap_in_words, size_in_words, spent_of, took
from core.vocabulary.say.phrases import estimates_as_dict
from core.vocabulary.without_work import WithoutWork


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    declare_flags(parser, SolveSettings)
    declare_flags(parser, WithoutWork)
    add_effort(parser, DEFAULT_SECONDS)
    add_schedule_file(parser)
    add_wishes(parser)


def run(arguments: argparse.Namespace) -> Answer:
    settings = SolveSettings(**given_flags(arguments, SolveSettings))
    # Before the long computation.
    refuse((*_faults(arguments, settings), *wish_faults(arguments)))
    started = time.perf_counter()
    reading = read(arguments)
    system = with_idle_power(reading.require(), arguments)
    read_seconds = time.perf_counter() - started
    wished = asked(arguments)
    if wished:
        answer = _answer_wish(system, arguments, settings.method, wished, read_seconds)
    else:
        answer = _optimise(system, arguments, settings, read_seconds)
    return replace(answer, problems=(*answer.problems, *reading.problems))


def _faults(arguments: argparse.Namespace, settings: SolveSettings) -> Iterator[str]:
    """Faults of the arguments, except those about wishes."""
    rival = RIVALS.get(settings.method)
    if rival and settings.minimise == "energy":
        yield f"--method {rival.name} minimises the makespan only; for energy use lp or paper"
    if rival and rival.anytime and not arguments.seconds:
        yield f"--method {rival.name} needs time; give --seconds above 0"
    if arguments.work is not None and settings.method != METHODS[0]:
        yield f"--work is for --method {METHODS[0]}; leave it out"
    yield from schedule_file_faults(arguments)


def _optimise(
    system: System, arguments: argparse.Namespace, settings: SolveSettings, read_seconds: float
) -> Answer:
    """The best schedule for the aim."""
    with watching(arguments.system) as watch:
        solution = solve(
            system,
            minimise=settings.minimise,
            method=settings.method,
            effort=effort_of(arguments),
            should_stop=watch.stop_was_asked,
            report=watch.showing(partial(_progress, unit_of_effort(arguments))),
        )
    verdict = solution.verdict
    if verdict.ok and arguments.output:
        write_schedule(solution.schedule, arguments.output)
    said, seconds = told(solution), {"read": read_seconds, **solution.seconds}
    facts = [
        ("system", size_in_words(system)),
        ("minimised", f"{solution.aim} by {solution.method}"),
        ("verified", VERIFIED[verdict.ok]),
        ("took", took(seconds)),
    ]
    also = {**estimates_as_dict(system), "seconds": seconds, "verified": verdict.ok}
    answer = told_answer(arguments.system, said, facts, verdict.problems, also)
    return replace(answer, text=answer.text + _write_schedule(arguments, verified=verdict.ok))


def _answer_wish(
    system: System,
    arguments: argparse.Namespace,
    method: str,
    wished: StatedWish,
    read_seconds: float,
) -> Answer:
    """The answer of a study near the wish."""
    tariff = tariff_of(arguments)
    wish = wished.wish(tariff.per_joule if tariff else 0.0)
    with watching(arguments.system) as watch:
        studied = study(
            system,
            method_named(method, wish=wish),
            effort=effort_of(arguments),
            should_stop=watch.stop_was_asked,
            report=watch.showing(partial(study_progress, unit=unit_of_effort(arguments))),
        )
    seconds = {"read": read_seconds, **studied.seconds}
    answer, picked = wish_answer(arguments.system, wished, tariff, studied, seconds)
    verified = answer.data["verified"] is True
    if verified and arguments.output:
        write_schedule(picked.schedule, arguments.output)
    return replace(answer, text=answer.text + _write_schedule(arguments, verified=verified))


def _progress(unit: str, progress: SolveProgress) -> str:
    return f"{spent_of(progress.spent, progress.allowed, unit)}: {gap_in_words(progress.gap)}"


def _write_schedule(arguments: argparse.Namespace, *, verified: bool) -> str:
    """A line about the output file; empty if there is none."""
    if not arguments.output:
        return ""
    return f"\nwritten to {arguments.output}" if verified else "\nnothing was written"
