"""The answer of the page Provision in words."""

import math
from collections.abc import Iterator
from typing import Final

from core.model.arrays import FloatArray
from core.model.tolerances import SAME
from core.provision.first_stage import Purchase
from core.provision.goal_words import goal_said, mean_said
from core.provision.objectives import PlanObjective
from core.provision.plan import Plan
from core.provision.reached import reached_limits, reached_said
from core.provision.two_stage import SearchProgress
from core.provision.uncertainty import Points
from core.provision.varying import BY_ERROR, WantedKinds
from core.provision.words import (
    IN_PARTS,
    LEAST_POWER,
    TIES,
    beyond_gap,
    caution_said,
    caution_share,
    evpi_said,
    gap_said,
    listed,
    machines,
    narrowed_said,
    operations_said,
    purchase_said,
    run_said,
    untouched_said,
    vss_said,
    whole_said,
)
from core.say.words import Sense, amount, counted, power, rounded, settled, share
from dashboard.common.answer import KeyFigure
from dashboard.provision.answer import METHODS, ProvisionAnswer
from dashboard.provision.inputs import PlanInputs
from dashboard.provision.sweeps import of_worst

POINTS: Final[dict[Points, str]] = {
    "independent": "Independent",
    "latin": "Latin hypercube",
    "sobol": "Sobol",
}
_NOTICED: Final = 0.001
"""A smaller share of the budget that is left is not worth a sentence."""
_FEWEST: Final = 0.005
"""Fewer machines than this are none: a solver's rounding."""


def rate(a_second: float, inputs: PlanInputs) -> str:
    """A reward in the unit of the page: "4,464 EUR an hour"."""
    return inputs.rates.said(a_second)


def failures(a_second: float, inputs: PlanInputs) -> str:
    """Failures in the unit of the page: "0.5 an hour"."""
    every = inputs.rates.every
    return f"{amount(a_second * inputs.rate_seconds, Sense.SPENT)} {every}"


def is_whole(purchase: Purchase) -> bool:
    """Whether only whole machines are bought and sold."""
    change = purchase.buy - purchase.sell
    return bool((abs(change - change.round()) <= _FEWEST).all())


def sentence(answer: ProvisionAnswer) -> str:
    """What to do, what it costs and what it brings; without names of types."""
    what = in_total(answer.plan, answer.best.purchase, answer.asked.inputs)
    return f"{what}. Expected reward: {expected(answer)}."


def in_total(plan: Plan, purchase: Purchase, inputs: PlanInputs) -> str:
    """How many machines to buy and to sell, and what that costs: "Buy 3 machines for 12 EUR"."""
    bought, sold = _total(purchase.buy), _total(purchase.sell)
    doing = [f"buy {_machines(bought)}"] if bought else []
    doing += [f"sell {_machines(sold)}"] if sold else []
    cost = settled(purchase.cost, float(plan.prices.max()))
    if not doing:
        return "Buy and sell nothing"
    if cost < 0:
        return begun(f"{' and '.join(doing)}, which brings {money(-cost, inputs, Sense.EARNED)}")
    return begun(f"{' and '.join(doing)} for {money(cost, inputs, Sense.SPENT)}")


def expected(answer: ProvisionAnswer) -> str:
    """The expected reward with its interval: "4,464 ± 36 EUR an hour"."""
    interval, inputs = answer.interval(), answer.asked.inputs
    return inputs.rates.said(interval.mean, interval.half_width)


def sentences(answer: ProvisionAnswer) -> Iterator[str]:
    """The purchase by type, how sure it is, and what knowing more or less would change."""
    purchase, inputs, plan = answer.best.purchase, answer.asked.inputs, answer.plan
    reward, found = inputs.rates, answer.found
    if (said := purchase_said(plan, purchase)) and (purchase.buy + purchase.sell).any():
        rest = "" if is_whole(purchase) else f" {IN_PARTS}"
        yield f"{begun(said)}.{rest}"
    left = plan.limits.budget - purchase.cost
    if left > _NOTICED * abs(plan.limits.budget):
        limits = [one.limit for one in reached_limits(plan, found)]
        rest = ", less than one more machine costs" if "budget" in limits else ""
        yield f"{money(left, inputs, Sense.EARNED)} of the budget is left{rest}."
    yield f"Limits reached: {reached_said(plan, found)}."
    if running := run_said(answer.best, reward):
        yield f"It {running}."
    yield untouched_said(found, reward)
    yield TIES
    if inputs.caution:
        yield caution_said(answer.found, reward)
    yield f"{begun(gap_said(answer.found.decision))}."
    if answer.file.operations is not None:
        yield f"Times are made of operations: {operations_said(answer.file.operations)}."
    if narrowed := narrowed_said(answer.file):
        yield narrowed
    if answer.found.decision.in_parts is not None:
        yield f"{begun(whole_said(answer.found, reward))}."
    yield evpi_said(answer.found, reward)
    yield vss_said(answer.found, reward)
    yield _best_rule(answer)


def mean_of(name: PlanObjective, mean: float, inputs: PlanInputs) -> str:
    """The mean of an objective with its unit."""
    return mean_said(name, mean, inputs.rates)


def begun(said: str) -> str:
    """The words as the beginning of a sentence."""
    return said[:1].upper() + said[1:]


def _best_rule(answer: ProvisionAnswer) -> str:
    rules = {method: one for method, one in answer.rivals.items() if method != "mvp"}
    reached = {method: answer.measure(one) for method, one in rules.items()}
    rule = max(reached, key=reached.__getitem__)
    loss = settled(answer.measure(answer.best) - reached[rule], abs(answer.best.value))
    title = METHODS[rule].lower()
    if loss <= 0:
        return f"The best rule of thumb, “{title}”, is as good here."
    return f"The best rule of thumb, “{title}”, loses {_gained(loss, answer)}."


def _gained(a_second: float, answer: ProvisionAnswer) -> str:
    """A difference of rewards, also as a share: "12.3 an hour (0.28 %)"."""
    whole = abs(answer.best.value)
    a_second = settled(a_second, whole)
    said = rate(a_second, answer.asked.inputs)
    return f"{said} ({share(a_second / whole, Sense.PLAIN)})" if whole else said


def figures(answer: ProvisionAnswer) -> list[KeyFigure]:
    """The key figures of the two-stage purchase."""
    best, inputs, found = answer.best, answer.asked.inputs, answer.found
    in_parts = found.decision.in_parts is not None
    measured = ""
    if inputs.caution:
        measured = f" Of what is maximised: bad futures count {caution_share(inputs.caution)}."
    cost = settled(best.purchase.cost, float(answer.plan.prices.max()))
    said = [
        KeyFigure(
            "Cost",
            money(cost, inputs, Sense.SPENT),
            "What is bought, less what the machines bring that are sold.",
        ),
        KeyFigure(
            "Expected reward",
            rate(answer.interval().mean, inputs),
            f"{expected(answer)}, with 95 % confidence"
            + (", in scenarios that it was not chosen for" if answer.fresh else "")
            + f". In the scenarios of the answer it is {rate(best.value, inputs)}, in the mean "
            f"future alone {rate(best.believed, inputs)}.",
        ),
        KeyFigure(
            "Knowing the future",
            f"+{rate(beyond_gap(answer.evpi, answer.found), inputs)}",
            "The expected value of perfect information (EVPI): the mean reward if each future were "
            "known before machines are bought, less the expected reward."
            + (" Here for machines in parts." if in_parts else "")
            + measured,
        ),
        KeyFigure(
            "Mean future only",
            f"−{rate(beyond_gap(answer.vss, answer.found), inputs)}",
            "The value of the stochastic solution (VSS): what a purchase loses that is best for "
            f"the mean future.{measured}",
        ),
    ]
    if in_parts:
        price = beyond_gap(found.decision.price_of_whole, found)
        meaning = "What is lost because machines are bought and sold whole, and not in parts."
        said.append(KeyFigure("Whole machines", f"−{rate(price, inputs)}", meaning + measured))
    if inputs.caution:
        worst = rate(found.weights.mean_of_worst(best.values), inputs)
        meaning = "The mean reward of the worst 5 % of the scenarios of the answer."
        said.append(KeyFigure("Bad futures", worst, meaning))
    if best.power is not None:
        said.append(
            KeyFigure(
                "Mean power",
                power(best.power, Sense.SPENT),
                "Of all machines, idle ones included, on average over the scenarios. "
                f"{LEAST_POWER}",
            )
        )
    if best.failures:
        said.append(
            KeyFigure(
                "Failures",
                failures(best.failures, inputs),
                "Of busy machines, on average over the scenarios.",
            )
        )
    return said


def in_force(inputs: PlanInputs) -> list[str]:
    """The limits, the spread and the scenarios, each in a few words."""
    limits, spread, wanted = inputs.limits, inputs.spread, inputs.scenarios
    said = []
    if not inputs.goal.is_usual:
        said.append(begun(goal_said(inputs.goal, inputs.rates)))
    if limits.power is not None:
        said.append(f"Power up to {power(limits.power, Sense.TYPED)}")
    if limits.failure_rate is not None:
        most = rounded(limits.failure_rate * inputs.rate_seconds, Sense.PLAIN, 12)
        said.append(f"Failures up to {amount(most, Sense.TYPED)} {inputs.rates.every}")
    if limits.least_machines:
        said.append(f"At least {amount(limits.least_machines, Sense.TYPED)} machines")
    if limits.most_machines is not None:
        said.append(f"At most {amount(limits.most_machines, Sense.TYPED)} machines")
    for name, variation in (
        ("Arrivals", spread.arrivals),
        ("Times", spread.times),
        ("Powers", spread.powers),
    ):
        if variation.law == "empirical":
            said.append(f"{name} as seen")
        elif variation.covs:
            said.append(f"{name} ± by type, {variation.law}")
        elif variation.varies:
            said.append(f"{name} ± {_percent(variation.cov)}, {variation.law}")
    if spread.operations and spread.times.varies:
        said.append(operations_title(spread.operations))
    if spread.correlation:
        said.append(f"Arrivals correlated, {amount(spread.correlation, Sense.TYPED)}")
    said += [f"Rule: {text}" for text in inputs.rules]
    whole = inputs.whole and inputs.goal.is_usual
    said.append("Whole machines" if whole else "Machines in parts")
    if inputs.caution:
        said.append(f"Bad futures count {caution_share(inputs.caution)}")
    return [*said, f"{counted(wanted.count, 'scenario')}, {wanted.points} points"]


def operations_title(wanted: WantedKinds) -> str:
    """What times are made of, as a person chooses it."""
    if wanted == BY_ERROR:
        return "Operations, kinds chosen by error"
    return f"{counted(wanted, 'kind')} of operations" if wanted else "No operations"


def _percent(cov: float) -> str:
    return share(rounded(cov, Sense.PLAIN, 12), Sense.TYPED)


def _total(numbers: FloatArray) -> float:
    return float(numbers[numbers > _FEWEST].sum())


def _machines(number: float) -> str:
    return f"{machines(number)} machine{'' if math.isclose(number, 1.0) else 's'}"


def money(value: float, inputs: PlanInputs, sense: Sense) -> str:
    """An amount of money in the currency of the plan."""
    return amount(value, sense, inputs.currency)


def so_far(progress: SearchProgress, inputs: PlanInputs) -> str:
    """How far a search is: "Try 7: 4,464 an hour so far, at most 0.02 % more possible"."""
    said = f"Try {progress.tries:,}: {rate(progress.lower, inputs)} so far"
    if math.isfinite(progress.upper) and progress.lower > 0:
        more = max(progress.upper / progress.lower - 1, 0.0)
        said += f", at most {share(more, Sense.UPPER_BOUND)} more is possible"
    return said


def more_sentence(gains: FloatArray, answer: ProvisionAnswer) -> str:
    """Which machine type adds most, by itself and for its price."""
    plan, inputs = answer.plan, answer.asked.inputs
    if not (gains > SAME * abs(answer.best.value)).any():
        return "One more machine of any type adds nothing: all work that arrives is done."
    most = int(gains.argmax())
    said = f"One more {plan.offers[most].name} adds most: {rate(float(gains[most]), inputs)}."
    for_money = [
        gain / offer.price if offer.price else 0.0
        for gain, offer in zip(gains.tolist(), plan.offers, strict=True)
    ]
    best = max(range(len(for_money)), key=for_money.__getitem__)
    if best == most or not for_money[best]:
        return said
    return f"{said} For its price, {plan.offers[best].name} adds most."


def caution_sentence(values: FloatArray, purchase: Purchase, answer: ProvisionAnswer) -> str:
    """What caution buys, what it gains in bad futures and loses on average."""
    inputs, best = answer.asked.inputs, answer.best
    scale = abs(best.value)
    gain = settled(of_worst(values) - of_worst(best.values), scale)
    loss = settled(float(best.values.mean() - values.mean()), scale)
    names = [offer.name for offer in answer.plan.offers]
    if gain <= 0 and loss <= 0:
        return "For the worst 5 % of scenarios alone, no purchase is better than the two-stage one."
    bought = listed(purchase.buy, names)
    what = f"to buy {bought}" if bought else "to buy nothing"
    if sold := listed(purchase.sell, names):
        what += f" and to sell {sold}"
    return (
        f"For the worst 5 % of scenarios alone it is best {what}: that earns "
        f"{rate(max(gain, 0.0), inputs)} more there, and {rate(max(loss, 0.0), inputs)} less on "
        "average."
    )


def sweep_notes(inputs: PlanInputs) -> list[str]:
    """How the settings of the page hold in a sweep."""
    said = []
    if inputs.whole:
        said.append("Machines are whole; only where each future is known, they are in parts.")
    if inputs.caution:
        counts = caution_share(inputs.caution)
        said.append(f"Bad futures count {counts} in what is chosen; the reward is that of all.")
    return said


def front_notes(inputs: PlanInputs) -> list[str]:
    """Which settings of the page do not hold along a front."""
    said = []
    if inputs.whole:
        said.append("Along the front and in all that is possible, machines are in parts.")
    if inputs.caution:
        said.append("Along the front, bad futures count no more than others.")
    return said
