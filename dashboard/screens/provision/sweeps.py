"""What changes if the plan were another, and the front of two objectives: computed in a worker
process, when it is looked at.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final, TypeVar, get_args

import numpy as np

from core.capabilities.provision.comparison import Comparison, compare
from core.capabilities.provision.files.plan_file import SPREADS, PlanFile, PlanSpread
from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.fronts.front import ObjectiveFront, feasible_region, front_of_two
from core.capabilities.provision.futures.uncertainty import Points, Scenarios, Variation
from core.capabilities.provision.goals.answer import GOALS, NOUNS, mean_said
from core.capabilities.provision.goals.goal import Goal
from core.capabilities.provision.objectives import OBJECTIVES, SIGNS, PlanObjective
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.second_stages import MOST_CAUTION, SecondStages, Weights
from core.capabilities.provision.two_stage import decide
from core.capabilities.provision.why import TypeRegret, regrets
from core.capabilities.provision.words import DECIDED, RewardRate, cost_said, purchase_said
from core.engines.lp.program import Infeasible
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Cancelled, never
from core.vocabulary.intervals import Interval
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import Sense, begun, rounded
from dashboard.screens.provision.inputs import PlanInputs

T = TypeVar("T")
TellStep = Callable[[tuple[int, int | None]], None]
"""Told the number of a step, and how many there are if that is known."""

MOST_SCENARIOS: Final = 320
"""A sweep takes no more scenarios, so that it does not take long: sets of 32, a power of 2."""
_GAP: Final = 1e-4
_BUDGETS: Final = 9
_SPREADS: Final = (0.0, 0.5, 1.0, 1.5, 2.0)
_COUNTS: Final = (16, 64, 256, 1024, 4096)
_MOST_PAIRS: Final = 400_000
"""The most pairs in all scenarios of one sample: it is drawn 24 times."""
_REPETITIONS: Final = 8
LONG: Final = 3.0
"""Seconds after which more scenarios are not timed: they would take minutes."""
WORST: Final = 0.05
"""The share of scenarios that are the bad ones."""


def tell_nobody(_step: tuple[int, int | None]) -> None:
    """Reports nothing."""


def _stepwise(
    values: Iterable[T], should_stop: Callable[[], bool], report: TellStep
) -> Iterator[tuple[int, T]]:
    """Values with their numbers, each announced. Raises `Cancelled`."""
    listed = list(values)
    for step, value in enumerate(listed):
        if should_stop():
            raise Cancelled
        report((step + 1, len(listed)))
        yield step, value


def few_scenarios(file: PlanFile, spread: PlanSpread | None = None) -> Scenarios:
    """The scenarios of a sweep, perhaps of another spread: those of the answer, or fewer anew."""
    few = replace(file.sampling, count=min(file.scenarios.count, MOST_SCENARIOS))
    if spread is not None:
        few = replace(few, uncertainty=file.uncertainty_with(spread))
    return few.scenarios(file.plan)


@dataclass(frozen=True, slots=True, eq=False)
class BudgetSweep:
    """Rewards a second by method and budget, `ws` with each future known; NaN without any."""

    budgets: FloatArray
    rewards: dict[str, FloatArray]


def over_budget(
    file: PlanFile,
    inputs: PlanInputs,
    *,
    should_stop: Callable[[], bool] = never,
    report: TellStep = tell_nobody,
) -> BudgetSweep:
    """From no money to twice the budget."""
    plan, now = file.plan, file.limits.budget
    most = 2 * now if now > 0 else 10 * float(plan.prices.mean())
    budgets = np.union1d(np.linspace(min(now, 0.0), most, _BUDGETS), now)
    scenarios = few_scenarios(file)
    rewards = {method: np.full(len(budgets), np.nan) for method in ("ws", *DECIDED)}
    for step, budget in _stepwise(budgets.tolist(), should_stop, report):
        other = replace(plan, limits=replace(plan.limits, budget=budget))
        _take(rewards, step, _compared(other, scenarios, inputs, should_stop))
    return BudgetSweep(budgets, rewards)


@dataclass(frozen=True, slots=True, eq=False)
class SpreadSweep:
    """Expected rewards a second by method, and machines bought less those sold by machine type, for
    multiples of the spread of the plan.
    """

    multiples: FloatArray
    rewards: dict[str, FloatArray]
    changes: FloatArray


def over_spread(
    file: PlanFile,
    inputs: PlanInputs,
    *,
    should_stop: Callable[[], bool] = never,
    report: TellStep = tell_nobody,
) -> SpreadSweep:
    """From a certain future to twice the spread. What was seen stays as it is."""
    rewards = {method: np.full(len(_SPREADS), np.nan) for method in ("ws", *DECIDED)}
    changes = np.full((len(_SPREADS), len(file.offers)), np.nan)
    for step, times in _stepwise(_SPREADS, should_stop, report):
        scenarios = few_scenarios(file, _times(file.spread, times))
        found = _compared(file.plan, scenarios, inputs, should_stop)
        _take(rewards, step, found)
        if found is not None:
            purchase = found.decision.purchase
            changes[step] = purchase.buy - purchase.sell
    return SpreadSweep(np.array(_SPREADS), rewards, changes)


def _times(spread: PlanSpread, times: float) -> PlanSpread:
    def more(variation: Variation) -> Variation:
        covs = tuple(times * cov for cov in variation.covs)
        return replace(variation, cov=times * variation.cov, covs=covs)

    varied: dict[str, Any] = {name: more(getattr(spread, name)) for name in SPREADS}
    return replace(spread, **varied)


def _compared(
    plan: Plan, scenarios: Scenarios, inputs: PlanInputs, should_stop: Callable[[], bool]
) -> Comparison | None:
    """All methods on these scenarios, as the page aims; None if nothing keeps the limits."""
    weights, whole = inputs.weights, inputs.whole
    try:
        return compare(plan, scenarios, weights, gap=_GAP, whole=whole, should_stop=should_stop)
    except Infeasible:
        return None


def _take(rewards: dict[str, FloatArray], step: int, found: Comparison | None) -> None:
    if found is None:
        return
    rewards["ws"][step] = found.wait_and_see.mean()
    for method in DECIDED:
        rewards[method][step] = found.outcomes[method].value


@dataclass(frozen=True, slots=True, eq=False)
class CountSweep:
    """How far an estimate of the expected reward is off, as a share of it, with 95 % confidence: by
    the kind of points, for each number of scenarios; and the seconds that it took to find what to
    buy with so many, once. They are NaN for more scenarios than some that took `LONG`.
    """

    counts: tuple[int, ...]
    half_widths: dict[Points, FloatArray]
    seconds: FloatArray


def over_count(
    file: PlanFile,
    purchase: Purchase,
    inputs: PlanInputs,
    *,
    should_stop: Callable[[], bool] = never,
    report: TellStep = tell_nobody,
) -> CountSweep:
    """How much means of fresh scenarios differ, by repetitions; of a large plan with fewer."""
    kinds: tuple[Points, ...] = get_args(Points)
    pairs = int(np.isfinite(file.plan.times).sum())
    counts = tuple(k for k in _COUNTS if k == _COUNTS[0] or k * pairs <= _MOST_PAIRS)
    widths, seconds = {kind: np.empty(len(counts)) for kind in kinds}, np.full(len(counts), np.nan)
    steps = [(kind, place) for place in range(len(counts)) for kind in (*kinds, None)]
    for _, (kind, place) in _stepwise(steps, should_stop, report):
        if kind is None:
            if place == 0 or seconds[place - 1] <= LONG:
                seconds[place] = _seconds(file, counts[place], inputs, should_stop)
            continue
        sampling = replace(file.sampling, count=counts[place], points=kind)
        means = np.array(
            [
                SecondStages(file.plan, sampling.fresh(file.plan, k), Weights())
                .of(purchase.counts)
                .values.mean()
                for k in range(_REPETITIONS)
            ]
        )
        # The interval of one repetition, not that of their mean.
        width = Interval.of(means).half_width * np.sqrt(_REPETITIONS)
        widths[kind][place] = width / (abs(float(means.mean())) or 1.0)
    return CountSweep(counts, widths, seconds)


def _seconds(
    file: PlanFile, count: int, inputs: PlanInputs, should_stop: Callable[[], bool]
) -> float:
    """How long it takes to draw so many scenarios and to find what to buy with them."""
    started = time.perf_counter()
    scenarios = replace(file.sampling, count=count).scenarios(file.plan)
    decide(file.plan, scenarios, inputs.weights, whole=inputs.whole, should_stop=should_stop)
    return time.perf_counter() - started


def one_more(
    file: PlanFile,
    purchase: Purchase,
    *,
    should_stop: Callable[[], bool] = never,
    report: TellStep = tell_nobody,
) -> FloatArray:
    """What one more machine of each type, beside what is bought, adds to the expected reward a
    second; limits and the budget do not stop it.
    """
    stages = SecondStages(file.plan, few_scenarios(file), Weights())
    now = float(stages.of(purchase.counts).values.mean())
    gains = np.empty(len(file.offers))
    for j, one in _stepwise(np.eye(len(file.offers)), should_stop, report):
        gains[j] = max(float(stages.of(purchase.counts + one).values.mean()) - now, 0.0)
    return gains


def why_so_many(
    file: PlanFile,
    inputs: PlanInputs,
    purchase: Purchase,
    *,
    should_stop: Callable[[], bool] = never,
    report: TellStep = tell_nobody,
) -> tuple[TypeRegret, ...]:
    """What another number of machines of each type loses, on the scenarios of the answer: on
    others, the purchase is not the cheapest of those that are as good.
    """
    return regrets(
        file.plan,
        file.sampling.scenarios(file.plan),
        inputs.weights,
        purchase,
        whole=inputs.whole,
        should_stop=should_stop,
        report=report,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Caution:
    """The best purchase for bad scenarios, and its rewards a second in all of the answer."""

    purchase: Purchase
    values: FloatArray


def cautious(
    file: PlanFile, inputs: PlanInputs, *, should_stop: Callable[[], bool] = never
) -> Caution:
    """The best purchase for the mean of the worst scenarios alone (conditional value at risk), of
    few scenarios; its rewards are those in the scenarios of the answer.
    """
    weights = Weights(caution=MOST_CAUTION, worst=WORST)
    found = decide(
        file.plan,
        few_scenarios(file),
        weights,
        gap=_GAP,
        whole=inputs.whole,
        should_stop=should_stop,
    )
    every = SecondStages(file.plan, file.sampling.scenarios(file.plan), weights)
    return Caution(found.purchase, every.of(found.purchase.counts).values)


def of_worst(values: FloatArray) -> float:
    """The mean of the worst scenarios."""
    return Weights(worst=WORST).mean_of_worst(values)


Pair = tuple[PlanObjective, PlanObjective]

_FRONT_GAP: Final = 1e-3
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
        gap=_FRONT_GAP,
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
    """The inputs with an objective to seek, and the mean of another as its limit."""
    loose = Sense.LOWER_BOUND if SIGNS[OBJECTIVES.index(keep)] < 0 else Sense.UPPER_BOUND
    limit = rounded(mean, loose, _DIGITS)
    free = replace(inputs, caution=0.0, goal=Goal(seek))
    if keep == "cost":
        return replace(free, limits=replace(free.limits, budget=limit))
    return replace(free, goal=free.goal.with_limit(keep, limit))
