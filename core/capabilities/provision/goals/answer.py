"""The answer to a goal: what is said of it, and the same for programs."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from core.capabilities.provision.answer import by_type, operations_as_data
from core.capabilities.provision.files.plan_file import PlanFile
from core.capabilities.provision.files.plan_settings import in_unit
from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.futures.uncertainty import mean_future
from core.capabilities.provision.goals.goal import Goal, ImpossibleGoal
from core.capabilities.provision.goals.search import (
    GoalDecision,
    GoalProgress,
    decide_goal,
    on,
    on_fresh,
)
from core.capabilities.provision.objectives import OBJECTIVES, PlanObjective
from core.capabilities.provision.words import (
    IN_PARTS,
    RewardRate,
    cost_figure,
    cost_said,
    drawn_said,
    in_total,
    operations_said,
    peaks_said,
    purchase_said,
    running_figures,
)
from core.shells.told.told import KeyFigure, Told, ToldTable
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import never
from core.vocabulary.intervals import Interval
from core.vocabulary.node_use import NodeUse
from core.vocabulary.prices.site import Site
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import (
    Sense,
    amount,
    as_sentence,
    begun,
    counted,
    joined,
    power,
    share,
)
from core.vocabulary.tolerances import METHODS_AGREE, SOLVED_ZERO


@dataclass(frozen=True, slots=True, eq=False)
class GoalAnswer:
    """The decision for a goal. `believed` is the reward in the mean future; `fresh` are means on
    other scenarios. `for_mean` is the purchase for the mean future alone, with its objectives on
    the same scenarios; None if nothing keeps the limits in the mean future.
    """

    file: PlanFile
    decision: GoalDecision
    believed: float
    fresh: Mapping[PlanObjective, Interval]
    for_mean: tuple[GoalDecision, FloatArray] | None
    sets: int
    seconds: float

    @property
    def rate(self) -> RewardRate:
        """How the rewards of the plan are written."""
        return RewardRate.of(self.file)


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
        decision = search(scenarios=scenarios, report=report)
    except ImpossibleGoal as refused:
        said = impossible(refused, RewardRate.of(file))
        raise InvalidInput([Problem(name, "", "", said)]) from None
    means = mean_future(plan)
    for_mean = None
    try:
        alone = search(scenarios=means)
        for_mean = alone, on(plan, alone, scenarios)
    except ImpossibleGoal:
        pass
    fresh = on_fresh(plan, decision, file.sampling.repeated)
    believed = float(on(plan, decision, means)[0, 0])
    seconds = time.perf_counter() - started
    return GoalAnswer(file, decision, believed, fresh, for_mean, scenarios.sets, seconds)


def as_data(answer: GoalAnswer) -> dict[str, object]:
    """The answer as data: rewards, failures and power a second and in watts."""
    decision, goal = answer.decision, answer.decision.goal
    alone = answer.for_mean
    return {
        "objective": goal.objective,
        "limits": goal.limits,
        "rp": _as_data(answer, decision, decision.each, answer.believed),
        "mvp": None if alone is None else _as_data(answer, *alone, alone[0].means["reward"]),
        "fresh": {
            name: None if math.isnan(one.mean) else {"mean": one.mean, "confidence95": one.ends}
            for name, one in answer.fresh.items()
        },
        "prices": decision.prices,
        "gap": decision.gap,
        "lower": min(decision.value, decision.bound),
        "upper": max(decision.value, decision.bound),
        "operations": operations_as_data(answer.file.operations),
        "scenarios": len(decision.each),
        "seconds": answer.seconds,
    }


def _as_data(
    answer: GoalAnswer, decision: GoalDecision, each: FloatArray, believed: float
) -> dict[str, object]:
    plan = answer.file.plan
    reward, _, failures, watts = each.mean(axis=0).tolist()
    return {
        "buy": by_type(plan, decision.purchase.buy),
        "sell": by_type(plan, decision.purchase.sell),
        "expected_reward": reward,
        "confidence95": Interval.of_sets(each[:, 0], answer.sets).ends,
        "mean_value_reward": believed,
        "cost": decision.purchase.cost,
        "power": None if math.isnan(watts) else watts,
        "failure_rate": failures,
    }


def in_progress(state: GoalProgress) -> str:
    """How far the search is, in one line."""
    found = counted(state.tries, "purchase")
    if state.gap is None:
        return f"{found} found"
    return f"{found} found, gap at most {share(max(state.gap, METHODS_AGREE), Sense.UPPER_BOUND)}"


GOALS: Final[dict[PlanObjective, str]] = {
    "reward": "the most reward",
    "cost": "the least cost",
    "failures": "the fewest failures",
    "power": "the least power",
}
"""What is sought, by objective."""
NOUNS: Final[dict[PlanObjective, str]] = {
    "reward": "reward",
    "cost": "cost",
    "failures": "failure rate",
    "power": "power",
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
        return f"{'work' if rate.by_work else 'a reward'} of at least {said}"
    return f"a power of at most {said}" if name == "power" else f"at most {said}"


def goal_said(goal: Goal, rate: RewardRate) -> str:
    """The goal: "the least cost with a reward of at least 1.5 EUR a second, on average"."""
    limits = [limit_said(name, limit, rate) for name, limit in goal.limits.items()]
    sought = rate.worded(GOALS[goal.objective])
    return sought + (f" with {joined(limits)}, on average" if limits else "")


def impossible(refused: ImpossibleGoal, rate: RewardRate) -> str:
    """Why no purchase keeps a limit, what is possible, and the remedy."""
    name, most = refused.name, refused.name == "reward"
    noun = rate.noun if most else name
    limits = counted(len(refused.kept), "limit").removeprefix("1 ")
    others = f" together with the {limits} on {' and '.join(refused.kept)}" if refused.kept else ""
    sense = Sense.UPPER_BOUND if most else Sense.LOWER_BOUND
    best = mean_said(name, refused.best, rate, sense)
    return (
        f"no purchase has {limit_said(name, refused.limit, rate)} on average{others}; "
        f"{'at most' if most else 'at least'} {best} is possible; "
        f"{'lower' if most else 'raise'} the limit on {noun}, or let another limit give"
    )


def bound_said(decision: GoalDecision) -> str:
    """How much better any purchase that keeps the limits could be."""
    most = share(max(decision.gap, METHODS_AGREE), Sense.UPPER_BOUND)
    return f"no purchase that keeps the limits is more than {most} better (proven)"


def price_said(decision: GoalDecision, name: PlanObjective, rate: RewardRate) -> str:
    """What a limit costs: "If the limit on reward were 1 % lower, the cost would be 0.03 EUR
    lower."
    """
    limit, objective = decision.goal.limits[name], decision.goal.objective
    worth = _BITE * abs(limit) * decision.prices[name]
    if worth <= SOLVED_ZERO * abs(decision.value):
        return f"The limit on {rate.noun if name == 'reward' else name} does not bind."
    looser, of = ("lower", rate.noun) if name == "reward" else ("higher", name)
    noun = rate.noun if objective == "reward" else NOUNS[objective]
    better = "higher" if objective == "reward" else "lower"
    part = share(_BITE, Sense.TYPED)
    return (
        f"If the limit on {of} were {part} {looser}, the {noun} would be about "
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


_LEADS = {
    "reward": "Expected {}",
    "cost": "Expected {}",
    "failures": "Mean failures",
    "power": "Mean power",
}


def told(answer: GoalAnswer, site: Site | None = None, use: NodeUse | None = None) -> Told:
    """What to do, what it leads to, also at a `site` and beside the peaks of a log, and what the
    limits cost.
    """
    decision, objective = answer.decision, answer.decision.goal.objective
    what = in_total(answer.file.plan, decision.purchase, answer.file.currency)
    reached = "reward" if objective == "cost" else objective
    mean = mean_said(reached, decision.means[reached], answer.rate)
    return Told(
        lead=f"{what}. {_LEADS[objective].format(answer.rate.noun)}: {mean}.",
        sentences=(*peaks_said(answer.file.plan, decision.purchase, use), *_sentences(answer)),
        figures=tuple(_figures(answer, site)),
        tables=(_means(answer),),
        data=as_data(answer),
    )


def _sentences(answer: GoalAnswer) -> Iterator[str]:
    """The goal, the purchase by type, how sure it is, what limits cost, what comes of planning for
    the mean future, and how ties are broken.
    """
    file, decision, rate = answer.file, answer.decision, answer.rate
    yield f"Sought: {goal_said(decision.goal, rate)}."
    if decision.goal.objective != "reward" and "reward" not in decision.goal.limits:
        yield (
            f"No {rate.noun} is asked for, so machines that run nothing may be the best: give the "
            f"least {rate.noun}, too (Objective on the page, --at-least reward=X)."
        )
    if (decision.purchase.buy + decision.purchase.sell).any():
        yield as_sentence(purchase_said(file.plan, decision.purchase))
    yield f"Decided and rated on {drawn_said(file.scenarios)}: {bound_said(decision)}."
    if file.operations is not None:
        yield f"Times are made of operations: {operations_said(file.operations)}."
    for name in decision.goal.limits:
        yield price_said(decision, name, rate)
    if answer.for_mean is None:
        yield "If everything were as on average, no purchase would keep the limits."
    else:
        alone, others = answer.for_mean
        means = dict(zip(OBJECTIVES, np.mean(others, axis=0).tolist(), strict=True))
        yield for_mean_said(alone.purchase.cost, means, decision.goal, rate)
    if decision.goal.objective != "cost":
        yield CHEAPEST
    yield (
        f"{IN_PARTS} The best for such a goal is a mix of purchases, so it is in parts. For whole "
        f"machines, look for the most {rate.noun} under a power cap, or round these numbers up."
    )


def _figures(answer: GoalAnswer, site: Site | None) -> Iterator[KeyFigure]:
    """The means of all four objectives."""
    decision, rate = answer.decision, answer.rate
    reward = Interval.of_sets(decision.each[:, 0], answer.sets)
    yield cost_figure(answer.file.plan, decision.purchase, answer.file.currency)
    yield KeyFigure(
        f"Expected {rate.noun}",
        rate.said(decision.means["reward"]),
        f"{rate.said(reward.mean, reward.half_width)}, with 95 % confidence. In scenarios that it "
        f"was not chosen for it is {rate.said(answer.fresh['reward'].mean)}, in the mean future "
        f"alone {rate.said(answer.believed)}.",
    )
    watts = decision.means["power"]
    yield from running_figures(
        None if math.isnan(watts) else watts, decision.means["failures"], rate, site
    )


def _means(answer: GoalAnswer) -> ToldTable:
    """The means of the purchase, beside those of the purchase for the mean future alone."""
    rows = [_row(answer, "This goal", answer.decision.purchase, answer.decision.each)]
    if answer.for_mean is not None:
        alone, each = answer.for_mean
        rows.append(_row(answer, "If all goes as expected", alone.purchase, each))
    head = ("Purchase", begun(answer.rate.noun), "Cost", "Failures", "Power", "")
    return ToldTable("What it leads to, on average", head, tuple(rows), marked=0)


def _row(answer: GoalAnswer, title: str, purchase: Purchase, each: FloatArray) -> tuple[str, ...]:
    means = zip(OBJECTIVES, np.mean(each, axis=0).tolist(), strict=True)
    said = (mean_said(name, mean, answer.rate) for name, mean in means)
    return (title, *said, purchase_said(answer.file.plan, purchase))
