"""What a plan seeks: one objective, with limits on the means of others; and its flags."""

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from core.capabilities.provision.files.plan_file import RATE_UNITS
from core.capabilities.provision.files.plan_settings import in_unit
from core.capabilities.provision.objectives import OBJECTIVES, SIGNS, PlanObjective
from core.shells.settings.forms import declare_flags, flag_words, given_flags
from core.shells.settings.numbers import number_within, reading
from core.vocabulary.ranges import POWER, Range
from core.vocabulary.say.quantities import POWER as POWERS
from core.vocabulary.setting import Flag, NumberIn, OneOf, setting

LIMITED: Final[tuple[PlanObjective, ...]] = ("reward", "failures", "power")
"""Objectives whose mean can be limited. The cost is limited by the budget."""

OBJECTIVE_LIMITED: Final = "is the objective, so it takes no limit"
MEAN_RATE: Final = Range(0.0, 1e12, "a second")


@dataclass(frozen=True, slots=True)
class Goal:
    """The objective whose mean over the scenarios is to be best, and what the means of others must
    keep: a reward a second at least, failures a second and watts at most.
    """

    objective: PlanObjective = setting(
        "reward",
        OneOf(OBJECTIVES),
        "Look for",
        "What the purchase is to be best in, on average over all scenarios.",
        flag=Flag(
            "",
            "whose mean over the futures is to be best: the most reward (the default), or the "
            "least cost, failures or power",
        ),
    )
    reward: float | None = setting(
        None, NumberIn(MEAN_RATE), "Reward at least ({money})", parameter="mean_reward"
    )
    failures: float | None = setting(
        None, NumberIn(MEAN_RATE), "Mean failures at most ({every})", parameter="mean_failures"
    )
    power: float | None = setting(
        None,
        NumberIn(POWER),
        "Mean power at most (kW)",
        "Of all machines, idle ones included.",
        parameter="mean_power",
    )

    @property
    def limits(self) -> dict[PlanObjective, float]:
        """The limits that there are."""
        given = {name: getattr(self, name) for name in LIMITED}
        return {name: limit for name, limit in given.items() if limit is not None}

    def with_limit(self, name: PlanObjective, limit: float | None) -> "Goal":
        """The goal with another limit on a mean; None for no limit."""
        changed: dict[str, Any] = {name: limit}
        return replace(self, **changed)

    def seeking(self, objective: PlanObjective) -> "Goal":
        """The goal with another objective, which then has no limit."""
        free = self.with_limit(objective, None) if objective in LIMITED else self
        return replace(free, objective=objective)

    @property
    def is_usual(self) -> bool:
        """Whether the most reward is sought, without limits on means."""
        return self == Goal()


@dataclass(eq=False)
class ImpossibleGoal(Exception):
    """No purchase keeps a limit on a mean, together with those of `kept`. `best` is a bound that
    is proven: no purchase that keeps the others is better in this objective.
    """

    name: PlanObjective
    limit: float
    best: float
    kept: tuple[PlanObjective, ...]


def signed(name: PlanObjective, value: float) -> float:
    """The value so that a smaller one is better."""
    return value * float(SIGNS[OBJECTIVES.index(name)]) if math.isfinite(value) else value


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
        return found, reading(POWERS)(value) if found == "power" else number_within(RATE)(value)

    return read
