"""Two objectives: the front, all that is possible, and how sure the means are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from core.capabilities.provision.files.plan_file import PlanFile
from core.capabilities.provision.fronts.front import ObjectiveFront, feasible_region, front_of_two
from core.capabilities.provision.goals.answer import GOALS, NOUNS, mean_said
from core.capabilities.provision.goals.goal import Goal
from core.capabilities.provision.objectives import OBJECTIVES, SIGNS, PlanObjective
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.words import RewardRate, cost_said, purchase_said
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import never
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import Sense, begun, rounded
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.screens.provision.sweeps import TellStep, few_scenarios, tell_nobody

Pair = tuple[PlanObjective, PlanObjective]

_GAP: Final = 1e-3
_REGION_GAP: Final = 0.01
_MOST_POINTS: Final = 16
_DIGITS: Final = 6
_ORDER: Final[tuple[PlanObjective, ...]] = ("reward", "power", "cost", "failures")


@dataclass(frozen=True, slots=True, eq=False)
class TwoObjectives:
    """The front of two objectives, the outline of the 95 % region of each of its points that has an
    end, and corners of all that is possible. If what is possible has no end, it has no corners, and
    `endless` says why.
    """

    front: ObjectiveFront
    regions: tuple[FloatArray, ...]
    possible: FloatArray
    endless: tuple[Problem, ...] = ()


def pairs_of(plan: Plan) -> list[Pair]:
    """The pairs of objectives that a plan has something to say about."""
    known = {"power": plan.powers is not None, "failures": bool(plan.failure_rates.any())}
    return [*combinations([name for name in _ORDER if known.get(name, True)], 2)]


def pair_title(pair: Pair, rate: RewardRate) -> str:
    """A pair as a person chooses it: "Reward and power"."""
    return begun(rate.worded(f"{NOUNS[pair[0]]} and {NOUNS[pair[1]]}"))


def two_objectives(
    file: PlanFile,
    names: Pair,
    *,
    should_stop: Callable[[], bool] = never,
    report: TellStep = tell_nobody,
) -> TwoObjectives:
    """`report` is told how many points there are. All that is possible has no picture where the
    cost is one of the two: money can always be wasted.
    """
    scenarios = few_scenarios(file)
    found = front_of_two(
        file.plan,
        scenarios,
        names,
        gap=_GAP,
        most=_MOST_POINTS,
        should_stop=should_stop,
        report=lambda points: report((len(points), None)),
    )
    regions = tuple(
        region.outline()
        for region in (point.region(found.names) for point in found.points)
        if np.isfinite(region.axes).all()
    )
    endless: tuple[Problem, ...] = ()
    possible = np.empty((0, 2))
    if "cost" not in names:
        try:
            possible = feasible_region(
                file.plan,
                scenarios,
                names,
                gap=_REGION_GAP,
                most=_MOST_POINTS,
                should_stop=should_stop,
            )
        except InvalidInput as refused:
            endless = refused.problems
    return TwoObjectives(found, regions, possible, endless)


def point_said(found: TwoObjectives, place: int, plan: Plan, inputs: PlanInputs) -> Iterator[str]:
    """What a point of the front leads to, and what is bought and sold for it."""
    point = found.front.points[place]
    means = [
        mean_said(name, float(point.objectives[OBJECTIVES.index(name)]), inputs.rates)
        for name in found.front.names
    ]
    yield f"{means[0]}, {means[1]}"
    yield begun(purchase_said(plan, point.purchase))
    if "cost" not in found.front.names:
        yield begun(cost_said(point.purchase.cost, inputs.currency))


def goal_title(seek: PlanObjective, keep: PlanObjective, rate: RewardRate) -> str:
    """What is sought if a point says the limit: "The least power for this reward"."""
    return begun(rate.worded(f"{GOALS[seek]} for this {NOUNS[keep]}"))


def with_goal(
    inputs: PlanInputs, seek: PlanObjective, keep: PlanObjective, mean: float
) -> PlanInputs:
    """The inputs with an objective to seek, and the mean of another as its limit. Whole machines
    and caution do not go with that.
    """
    loose = Sense.LOWER_BOUND if SIGNS[OBJECTIVES.index(keep)] < 0 else Sense.UPPER_BOUND
    limit = rounded(mean, loose, _DIGITS)
    free = replace(inputs, caution=0.0, goal=Goal(seek))
    if keep == "cost":
        return replace(free, limits=replace(free.limits, budget=limit))
    return replace(free, goal=free.goal.with_limit(keep, limit))
