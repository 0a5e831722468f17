"""`wattfront centre CENTRE`: a day of a centre."""

import argparse
import re
from pathlib import Path
from typing import Any, Final

from core.capabilities.centre.checking import centre_at
from core.capabilities.centre.face import plan_day
from core.capabilities.centre.files.centre_reader import inspect_centre
from core.capabilities.centre.files.day_plan_file import (
    planned_file,
    refuse_day_plan_path,
    write_day_plan,
)
from core.capabilities.centre.settings import DAY_METHODS, DayMethod, DaySettings
from core.capabilities.centre.told import told
from core.files.samples.named import CENTRES
from core.shells.cli.answer import Answer, told_answer
from core.shells.cli.progress import watching
from core.shells.settings.forms import declare_flags, given_flags
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.ranges import Range
from core.vocabulary.say.quantities import TIME, read_quantity

_STEP: Final = Range(60.0, 3600.0, "s")
_UNITS: Final[dict[str, tuple[str, str, float]]] = {
    "cost": ("most_cost", "", 1.0),
    "carbon": ("most_carbon", "kg", 1.0),
    "energy": ("most_energy", "kWh", 1.0),
    "excess": ("most_excess", "kWh", 1.0),
    "late": ("most_late", "%", 0.01),
    "peak": ("most_peak", "kW", 1.0),
}
_CAP: Final = re.compile(
    r"\s*([a-z]+)\s*=\s*(any|[-+]?[0-9.]+(?:e[-+]?[0-9]+)?)\s*([%a-z]*)\s*", re.I
)


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "centre",
        metavar="CENTRE",
        type=Path,
        help="a folder or archive with centre.toml, servers.csv, jobs.csv and signals/, or a "
        f"sample: {', '.join(CENTRES)}",
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
    declare_flags(parser, DaySettings, "seconds", "seed", "front")
    parser.add_argument(
        "-o", "--output", metavar="PLAN", type=Path, help="write the plan to a folder or archive"
    )


def run(arguments: argparse.Namespace) -> Answer:
    if arguments.output is not None:
        refuse_day_plan_path(arguments.output)
    reading = inspect_centre(centre_at(arguments.centre))
    file = reading.require()
    with watching(str(arguments.centre)) as watch:
        found = plan_day(
            file,
            methods=_methods(arguments.method),
            forecast=arguments.forecast,
            step=None if arguments.step is None else _step(arguments.step),
            should_stop=watch.stop_was_asked,
            **_caps(arguments.at_most),
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
        raise InvalidInput([Problem("", "", "", f"--step {text!r}: {wrong}")]) from wrong
    if seconds not in _STEP:
        raise InvalidInput([Problem("", "", "", f"--step is {text}; give 1 to 60 minutes")])
    return seconds


def _caps(text: str) -> dict[str, Any]:
    """The settings that caps stand for. Raises `InvalidInput`."""
    found: dict[str, Any] = {}
    for part in filter(str.strip, text.split(",")):
        match = _CAP.fullmatch(part)
        name = match[1].lower() if match else ""
        if match is None or name not in _UNITS:
            raise InvalidInput.of(
                f"--at-most: {part.strip()!r} is no cap; give some of {', '.join(_UNITS)}, such as "
                "late=5%"
            )
        setting, unit, factor = _UNITS[name]
        if match[3] not in ("", unit):
            raise InvalidInput.of(
                f"--at-most: {name} is in {unit or 'money'}, not in {match[3]!r}; leave the unit "
                "out"
            )
        # A share may be said as 5% or as 0.05.
        is_share = name == "late" and not match[3]
        found[setting] = (
            None if match[2] == "any" else float(match[2]) * (1.0 if is_share else factor)
        )
    return found
