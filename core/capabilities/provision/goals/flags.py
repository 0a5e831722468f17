"""The flags of a goal: what is sought, and limits on means of other objectives."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from core.capabilities.provision.files.plan_file import RATE_UNITS
from core.capabilities.provision.files.plan_settings import in_unit
from core.capabilities.provision.goals.goal import LIMITED, OBJECTIVE_LIMITED, Goal
from core.capabilities.provision.objectives import PlanObjective
from core.shells.cli.numbers import number_within, reading
from core.shells.settings.forms import declare_flags, flag_words, given_flags
from core.vocabulary.ranges import Range
from core.vocabulary.say.quantities import POWER

RATE: Final = Range(0.0, 1e15, "in the unit of rates of the plan")
AT_LEAST: Final[tuple[PlanObjective, ...]] = ("reward",)
AT_MOST: Final[tuple[PlanObjective, ...]] = ("failures", "power")
_FLAGS: Final = {"--at-least": AT_LEAST, "--at-most": AT_MOST}


def add_goal(parser: argparse.ArgumentParser) -> None:
    declare_flags(parser, Goal, "objective")
    parser.add_argument(
        "--at-least",
        type=_limit("--at-least"),
        action="append",
        default=[],
        metavar="reward=X",
        help="what the mean reward must be, in the plan's unit of rates",
    )
    parser.add_argument(
        "--at-most",
        type=_limit("--at-most"),
        action="append",
        default=[],
        metavar="NAME=X",
        help="what the mean power (as 3kW) or the mean failures (in the plan's unit of rates) may "
        "be; may be given for each",
    )


def goal_of(arguments: argparse.Namespace, rate_unit: str) -> Goal:
    """The goal that the flags ask for, in SI units."""
    given = dict([*arguments.at_least, *arguments.at_most])
    seconds = RATE_UNITS[rate_unit]
    limits = {name: x if name == "power" else x / seconds for name, x in given.items()}
    return Goal(**given_flags(arguments, Goal) | limits)


def goal_faults(arguments: argparse.Namespace) -> Iterator[str]:
    """Why the flags of a goal do not go together."""
    limits = [name for name, _ in [*arguments.at_least, *arguments.at_most]]
    for name in dict.fromkeys(limits):
        if limits.count(name) > 1:
            yield f"there are two limits on {name}; leave one of them out"
    if (objective := arguments.objective or "reward") in limits:
        yield f"{objective} {OBJECTIVE_LIMITED}; leave the limit out, or choose another --objective"


def goal_words(goal: Goal, rate_unit: str) -> Sequence[str]:
    """The flags that ask for a goal; `goal_of` is the inverse."""
    words = [str(word) for word in flag_words(goal, Goal(), "objective")]
    for name, limit in goal.limits.items():
        flag = "--at-least" if name in AT_LEAST else "--at-most"
        said = repr(limit) if name == "power" else repr(in_unit(limit, rate_unit))
        words += [flag, f"{name}={said}"]
    return words


def _limit(flag: str) -> Callable[[str], tuple[PlanObjective, float]]:
    """A reader of NAME=VALUE."""
    names = _FLAGS[flag]

    def read(text: str) -> tuple[PlanObjective, float]:
        said, _, value = text.partition("=")
        found = next((name for name in names if name == said), None)
        if found is None:
            others = {name: other for other, those in _FLAGS.items() for name in those}
            remedy = f"write {flag} {names[0]}=X"
            if said == "cost":
                remedy = "the limit on cost is --budget"
            elif said in LIMITED:
                remedy = f"{said} has a limit of the other kind, {others[said]}"
            raise argparse.ArgumentTypeError(f"'{text}' is no limit of this flag; {remedy}")
        return found, reading(POWER)(value) if found == "power" else number_within(RATE)(value)

    return read
