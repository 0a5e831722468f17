"""Sentences on a goal, and on what was found for it."""

from collections.abc import Mapping
from typing import Final

from core.capabilities.provision.files.plan_settings import in_unit
from core.capabilities.provision.goals.goal import Goal, ImpossibleGoal
from core.capabilities.provision.goals.search import GoalDecision
from core.capabilities.provision.objectives import PlanObjective
from core.capabilities.provision.words import RewardRate, cost_said
from core.vocabulary.say.words import Sense, amount, counted, power, share
from core.vocabulary.tolerances import METHODS_AGREE, SOLVED_ZERO

GOALS: Final[dict[PlanObjective, str]] = {
    "reward": "the most reward",
    "cost": "the least cost",
    "failures": "the fewest failures",
    "power": "the least power",
}
"""What is sought, by objective."""
_NOUNS: Final[dict[PlanObjective, str]] = {
    "reward": "the reward",
    "cost": "the cost",
    "failures": "the failure rate",
    "power": "the power",
}
CHEAPEST: Final = (
    "Of purchases that are equally good, the cheapest is chosen, to a thousandth of its cost."
)
_BITE: Final = 0.01
"""The share of a limit whose worth is said."""


def mean_said(
    name: PlanObjective, value: float, rate: RewardRate, sense: Sense = Sense.PLAIN
) -> str:
    """The mean of an objective with its unit: "1.5 EUR a second", "3 kW"."""
    if name == "power":
        return power(value, sense)
    if name == "cost":
        return amount(value, sense, rate.currency)
    number = amount(in_unit(value, rate.unit), sense)
    return f"{number} {rate.money if name == 'reward' else f'failures {rate.every}'}"


def limit_said(name: PlanObjective, limit: float, rate: RewardRate) -> str:
    """A limit on a mean: "a reward of at least 1.5 EUR a second"."""
    said = mean_said(name, limit, rate, Sense.TYPED)
    if name == "reward":
        return f"a reward of at least {said}"
    return f"a power of at most {said}" if name == "power" else f"at most {said}"


def goal_said(goal: Goal, rate: RewardRate) -> str:
    """The goal: "the least cost with a reward of at least 1.5 EUR a second, on average"."""
    limits = [limit_said(name, limit, rate) for name, limit in goal.limits.items()]
    joined = " and ".join(filter(None, [", ".join(limits[:-1]), *limits[-1:]]))
    return GOALS[goal.objective] + (f" with {joined}, on average" if joined else "")


def impossible(refused: ImpossibleGoal, rate: RewardRate) -> str:
    """Why no purchase keeps a limit, what is possible, and the remedy."""
    name, most = refused.name, refused.name == "reward"
    limits = counted(len(refused.kept), "limit").removeprefix("1 ")
    others = f" together with the {limits} on {' and '.join(refused.kept)}" if refused.kept else ""
    sense = Sense.UPPER_BOUND if most else Sense.LOWER_BOUND
    best = mean_said(name, refused.best, rate, sense)
    return (
        f"no purchase has {limit_said(name, refused.limit, rate)} on average{others}; "
        f"{'at most' if most else 'at least'} {best} is possible; "
        f"{'lower' if most else 'raise'} the limit on {name}, or let another limit give"
    )


def bound_said(found: GoalDecision) -> str:
    """How much better any purchase that keeps the limits could be."""
    most = share(max(found.gap, METHODS_AGREE), Sense.UPPER_BOUND)
    return f"no purchase that keeps the limits is more than {most} better (proven)"


def price_said(found: GoalDecision, name: PlanObjective, rate: RewardRate) -> str:
    """What a limit costs: "If the limit on reward were 1 % lower, the cost would be 0.03 EUR
    lower."
    """
    limit, objective = found.goal.limits[name], found.goal.objective
    worth = _BITE * abs(limit) * found.prices[name]
    if worth <= SOLVED_ZERO * abs(found.value):
        return f"The limit on {name} does not bind."
    looser = "lower" if name == "reward" else "higher"
    better = "higher" if objective == "reward" else "lower"
    part = share(_BITE, Sense.TYPED)
    return (
        f"If the limit on {name} were {part} {looser}, {_NOUNS[objective]} would be about "
        f"{mean_said(objective, worth, rate)} {better}."
    )


def for_mean_said(
    cost: float, means: Mapping[PlanObjective, float], goal: Goal, rate: RewardRate
) -> str:
    """What comes of the purchase that keeps the limits if everything is as on average."""
    names = dict.fromkeys([*goal.limits, goal.objective])
    reached = [mean_said(name, means[name], rate) for name in names if name != "cost"]
    said = f", and reaches {' and '.join(reached)} on average" if reached else ""
    return f"A purchase for the mean future alone {cost_said(cost, rate.currency)}{said}."
