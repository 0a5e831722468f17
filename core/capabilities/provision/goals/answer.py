"""The answer to a goal, and the same for programs."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from core.capabilities.provision.answer import by_type, ends, operations_as_data
from core.capabilities.provision.files.plan_file import PlanFile
from core.capabilities.provision.futures.scenarios import mean_future
from core.capabilities.provision.goals.goal import Goal, ImpossibleGoal
from core.capabilities.provision.goals.search import (
    GoalDecision,
    GoalProgress,
    decide_goal,
    on,
    on_fresh,
)
from core.capabilities.provision.goals.words import impossible
from core.capabilities.provision.objectives import PlanObjective
from core.capabilities.provision.words import RewardRate
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import never
from core.vocabulary.intervals import Interval
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import Sense, counted, share
from core.vocabulary.tolerances import METHODS_AGREE

_REPETITIONS: Final = 16
_LEAST_FRESH: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class GoalAnswer:
    """What was found for a goal. `believed` is the reward in the mean future; `fresh` are means on
    other scenarios. `for_mean` is the purchase for the mean future alone, with its objectives on
    the same scenarios; None if nothing keeps the limits in the mean future.
    """

    file: PlanFile
    found: GoalDecision
    believed: float
    fresh: Mapping[PlanObjective, Interval]
    for_mean: tuple[GoalDecision, FloatArray] | None
    sets: int
    seconds: float

    @property
    def rate(self) -> RewardRate:
        """How the rewards of the plan are written."""
        return RewardRate(self.file.rate_unit, self.file.currency)


def find_goal(
    file: PlanFile,
    goal: Goal,
    name: str = "",
    *,
    gap: float = METHODS_AGREE,
    should_stop: Callable[[], bool] = never,
    report: Callable[[GoalProgress], None] | None = None,
) -> GoalAnswer:
    """The best purchase for a goal, and all that is said of it. Raises `InvalidInput`, with the
    name of the plan, if no purchase keeps the limits; `Infeasible` and `Cancelled`.
    """
    started = time.perf_counter()
    plan, scenarios = file.plan, file.sampling.scenarios(file.plan)
    search = partial(decide_goal, plan, goal=goal, gap=gap, should_stop=should_stop)
    try:
        found = search(scenarios=scenarios, report=report)
    except ImpossibleGoal as refused:
        said = impossible(refused, RewardRate(file.rate_unit, file.currency))
        raise InvalidInput([Problem(name, "", "", said)]) from None
    means = mean_future(plan)
    for_mean = None
    try:
        alone = search(scenarios=means)
        for_mean = alone, on(plan, alone, scenarios)
    except ImpossibleGoal:
        pass
    count = max(file.scenarios.count // _REPETITIONS, _LEAST_FRESH)
    fresh = on_fresh(plan, found, replace(file.sampling, count=count), _REPETITIONS)
    believed = float(on(plan, found, means)[0, 0])
    seconds = time.perf_counter() - started
    return GoalAnswer(file, found, believed, fresh, for_mean, scenarios.sets, seconds)


def as_data(answer: GoalAnswer) -> dict[str, object]:
    """The answer as data: rewards, failures and power a second and in watts."""
    found, goal = answer.found, answer.found.goal
    alone = answer.for_mean
    return {
        "objective": goal.objective,
        "limits": goal.limits,
        "rp": _as_data(answer, found, found.each, answer.believed),
        "mvp": None if alone is None else _as_data(answer, *alone, alone[0].means["reward"]),
        "fresh": {
            name: None if math.isnan(one.mean) else {"mean": one.mean, "confidence95": ends(one)}
            for name, one in answer.fresh.items()
        },
        "prices": found.prices,
        "gap": found.gap,
        "lower": min(found.value, found.bound),
        "upper": max(found.value, found.bound),
        "operations": operations_as_data(answer.file.operations),
        "scenarios": len(found.each),
        "seconds": answer.seconds,
    }


def _as_data(
    answer: GoalAnswer, found: GoalDecision, each: FloatArray, believed: float
) -> dict[str, object]:
    plan = answer.file.plan
    reward, _, failures, watts = each.mean(axis=0).tolist()
    return {
        "buy": by_type(plan, found.purchase.buy),
        "sell": by_type(plan, found.purchase.sell),
        "expected_reward": reward,
        "confidence95": ends(Interval.of_sets(each[:, 0], answer.sets)),
        "mean_value_reward": believed,
        "cost": found.purchase.cost,
        "power": None if math.isnan(watts) else watts,
        "failure_rate": failures,
    }


def in_progress(state: GoalProgress) -> str:
    """How far the search is, in one line."""
    found = counted(state.tries, "purchase")
    if state.gap is None:
        return f"{found} found"
    return f"{found} found, gap at most {share(max(state.gap, METHODS_AGREE), Sense.UPPER_BOUND)}"
