"""The answer to a goal, for people and for programs."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from core.cli.answer import Answer
from core.cli.progress import Watch
from core.model.arrays import FloatArray
from core.model.budget import never
from core.model.intervals import Interval
from core.model.problems import InvalidInput, Problem
from core.model.tolerances import METHODS_AGREE
from core.provision.answer import by_type, ends, operations_as_data
from core.provision.goal import Goal, ImpossibleGoal
from core.provision.goal_search import GoalDecision, GoalProgress, decide_goal, on, on_fresh
from core.provision.goal_words import (
    CHEAPEST,
    bound_said,
    for_mean_said,
    goal_said,
    impossible,
    mean_said,
    price_said,
)
from core.provision.objectives import OBJECTIVES, PlanObjective
from core.provision.plan_file import PlanFile
from core.provision.scenarios import mean_future
from core.provision.words import IN_PARTS, RewardRate, cost_said, operations_said, purchase_said
from core.say.columns import table
from core.say.words import Sense, amount, counted, duration, share

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


def answer_goal(file: PlanFile, goal: Goal, watch: Watch, name: str) -> Answer:
    """The answer of the command. Raises as `find_goal` does."""
    report = watch.showing(in_progress)
    answer = find_goal(file, goal, name, should_stop=watch.stop_was_asked, report=report)
    return Answer(as_data(answer), in_words(answer, name))


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


def in_words(answer: GoalAnswer, name: str) -> str:
    """The shopping list, what it leads to, and what the limits cost."""
    file, found = answer.file, answer.found
    rate, currency, asked = RewardRate(file.rate_unit, file.currency), file.currency, file.scenarios
    reward = Interval.of_sets(found.each[:, 0], answer.sets)
    fresh = answer.fresh["reward"]
    rows = [
        ("goal", goal_said(found.goal, rate)),
        ("budget", amount(file.limits.budget, Sense.PLAIN, currency)),
        ("futures", f"{counted(asked.count, 'scenario')} ({asked.points}, seed {asked.seed})"),
        ("decision", purchase_said(file.plan, found.purchase)),
        ("money", cost_said(found.purchase.cost, currency)),
        ("reward", f"{rate.said(reward.mean, reward.half_width)} on average"),
        ("fresh", f"{rate.said(fresh.mean, fresh.half_width)} in other scenarios"),
        ("proof", bound_said(found)),
        ("took", duration(answer.seconds, Sense.PLAIN)),
    ]
    if file.operations is not None:
        rows.insert(3, ("operations", operations_said(file.operations)))
    if found.means["failures"]:
        said = mean_said("failures", found.means["failures"], rate)
        rows.insert(-2, ("failures", f"{said} on average"))
    if not math.isnan(found.means["power"]):
        said = mean_said("power", found.means["power"], rate)
        rows.insert(-2, ("power", f"{said} on average"))
    lines = [f"{name}:", table(rows), "", *sentences(answer)]
    return "\n".join(lines)


def sentences(answer: GoalAnswer) -> Iterator[str]:
    """What limits cost, what comes of planning for the mean future, how ties are broken, and that
    machines are in parts.
    """
    file, found = answer.file, answer.found
    rate = RewardRate(file.rate_unit, file.currency)
    for name in found.goal.limits:
        yield price_said(found, name, rate)
    if answer.for_mean is None:
        yield "If everything were as on average, no purchase would keep the limits."
    else:
        alone, others = answer.for_mean
        means = dict(zip(OBJECTIVES, np.mean(others, axis=0).tolist(), strict=True))
        yield for_mean_said(alone.purchase.cost, means, found.goal, rate)
    if found.goal.objective != "cost":
        yield CHEAPEST
    yield IN_PARTS


def in_progress(state: GoalProgress) -> str:
    """How far the search is, in one line."""
    found = counted(state.tries, "purchase")
    if state.gap is None:
        return f"{found} found"
    return f"{found} found, gap at most {share(max(state.gap, METHODS_AGREE), Sense.UPPER_BOUND)}"
