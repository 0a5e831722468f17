"""`wattfront verify SYSTEM SCHEDULE`: whether a schedule file is a schedule of a system.

Capabilities judge what else there is, such as `wattfront verify WORKLOAD OUTCOME`.
"""

import argparse
from pathlib import Path

from core import System
from core.engines.verify.judge import verify_stated
from core.engines.verify.verdict import Verdict
from core.files import inspect_schedule
from core.shells.cli.answer import Answer
from core.shells.cli.arguments import (
    add_schedule,
    add_system,
    read,
    with_idle_power,
)
from core.shells.registry import capabilities
from core.shells.settings.forms import declare_flags
from core.vocabulary.say.aligned import table
from core.vocabulary.say.columns import exact_duration, exact_energy
from core.vocabulary.say.words import Sense, counted
from core.vocabulary.without_work import WithoutWork


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    add_schedule(parser)
    declare_flags(parser, WithoutWork)
    judging = [one.part("judging") for one in capabilities() if one.offers("judging")]
    parser.epilog = " ".join(f"Also: wattfront verify {one.JUDGED}." for one in judging)


def run(arguments: argparse.Namespace) -> Answer:
    for capability in capabilities():
        if capability.offers("judging"):
            judged = capability.part("judging").judged(Path(arguments.system), arguments.schedule)
            if isinstance(judged, Answer):
                return judged
    reading = read(arguments)
    system = with_idle_power(reading.require(), arguments)
    stated = inspect_schedule(arguments.schedule, system)
    verdict = verify_stated(stated.require(), system, part=arguments.part)
    problems = (*verdict.problems, *reading.problems, *stated.problems)
    if not verdict.ok:
        nothing = ("makespan", "energy", "tasks", "machines")
        return Answer.refusal(problems, nothing=nothing)
    data = {
        "makespan": verdict.makespan,
        "energy": verdict.energy,
        "tasks": verdict.tasks,
        "machines": system.machines,
    }
    return Answer.done(_report(arguments, verdict, system), data, problems)


def _report(arguments: argparse.Namespace, verdict: Verdict, system: System) -> str:
    part = verdict.tasks < system.tasks
    rows = [
        ("makespan", exact_duration(verdict.makespan, Sense.SPENT)),
        (
            "energy",
            "unknown (no apc)"
            if verdict.energy is None
            else exact_energy(verdict.energy, Sense.SPENT),
        ),
        (
            "at work",
            f"{f'{verdict.tasks:,} of ' if part else ''}{counted(system.tasks, 'task')} on "
            f"{verdict.machines:,} of {counted(system.machines, 'machine')}",
        ),
        *(("checked", check) for check in verdict.checks),
    ]
    whole = f"part of {arguments.system}" if part else arguments.system
    return f"{arguments.schedule} is a schedule of {whole}\n{table(rows)}"
