"""`wattfront centre CENTRE`: a day of a centre."""

import argparse
from pathlib import Path
from typing import Any

from core.capabilities.centre.caps_text import read_caps
from core.capabilities.centre.face import plan_day
from core.capabilities.centre.files.centre_settings import STEP
from core.capabilities.centre.files.day_plan_file import (
    planned_file,
    refuse_day_plan_path,
    write_day_plan,
)
from core.capabilities.centre.given import inspect_given
from core.capabilities.centre.settings import DAY_METHODS, DayMethod, DaySettings
from core.capabilities.centre.told import told
from core.files.samples.named import CENTRES
from core.shells.cli.answer import Answer, told_answer
from core.shells.cli.progress import watching
from core.shells.settings.forms import declare_flags, given_flags
from core.vocabulary.problems import InvalidInput
from core.vocabulary.say.quantities import TIME, read_quantity


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "centre",
        metavar="CENTRE",
        type=Path,
        help="a folder or archive with centre.toml, servers.csv, jobs.csv and signals/, a study "
        f"file with a centre, or a sample: {', '.join(CENTRES)}",
    )
    declare_flags(parser, DaySettings, "minimise")
    parser.add_argument(
        "--at-most",
        metavar="CAPS",
        default="",
        help="caps such as late=5%%,cost=40,carbon=20kg,energy=300kWh,excess=4kWh,peak=30kW "
        "(default late=5%%; late=any is no cap)",
    )
    parser.add_argument(
        "--method",
        metavar="METHODS",
        default="plan",
        help=f"what finds plans: {', '.join(DAY_METHODS)}, several with commas, or all "
        "(default plan)",
    )
    parser.add_argument(
        "--forecast",
        action="store_true",
        help="plan for the curves as they were forecast; measure by what came",
    )
    parser.add_argument(
        "--step", metavar="TIME", help="how long a step is, such as 15min (default: as in CENTRE)"
    )
    declare_flags(parser, DaySettings, "replan", "unannounced", "seconds", "seed", "front")
    parser.add_argument(
        "-o", "--output", metavar="PLAN", type=Path, help="write the plan to a folder or archive"
    )


def run(arguments: argparse.Namespace) -> Answer:
    if arguments.output is not None:
        refuse_day_plan_path(arguments.output)
    reading = inspect_given(arguments.centre)
    file = reading.require()
    caps: dict[str, Any] = read_caps(arguments.at_most)
    with watching(str(arguments.centre)) as watch:
        found = plan_day(
            file,
            methods=_methods(arguments.method),
            forecast=arguments.forecast,
            step=None if arguments.step is None else _step(arguments.step),
            should_stop=watch.stop_was_asked,
            **caps,
            **given_flags(arguments, DaySettings),
        )
    ours = found.ours
    if arguments.output is not None and ours.found is not None and ours.verdict is not None:
        planned = planned_file(found.file, ours.found.plan, ours.verdict, ours.method)
        write_day_plan(planned, arguments.output)
    return told_answer(str(arguments.centre), told(found), problems=reading.problems)


def _methods(text: str) -> tuple[DayMethod, ...]:
    if text.strip() == "all":
        return DAY_METHODS
    given = [each.strip() for each in text.split(",")]
    unknown = [each for each in given if each not in DAY_METHODS]
    if unknown:
        known = ", ".join((*DAY_METHODS, "all"))
        raise InvalidInput.of(f"--method: {unknown[0]!r} is no method; give some of {known}")
    return tuple(each for each in DAY_METHODS if each in given)


def _step(text: str) -> float:
    try:
        seconds = read_quantity(text, TIME)
    except ValueError as wrong:
        raise InvalidInput.of(f"--step {text!r}: {wrong}") from wrong
    if seconds not in STEP:
        raise InvalidInput.of(f"--step is {text}; give 1 to 60 minutes")
    return seconds
