"""What is said of what to buy: the purchase, how sure it is, and other ways to choose."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from core.capabilities.provision.answer import Provisioning, as_data, reached_limits, reached_said
from core.capabilities.provision.comparison import Comparison, Outcome
from core.capabilities.provision.files.plan_file import RATE_UNITS, PlanFile
from core.capabilities.provision.futures.uncertainty import MOST_UNIFORM
from core.capabilities.provision.queue import WeekQueue
from core.capabilities.provision.second_stages import MOST_CAUTION
from core.capabilities.provision.two_stage import Decision
from core.capabilities.provision.words import (
    IN_PARTS,
    LEAST_POWER,
    METHODS,
    UNTOUCHED,
    RewardRate,
    caution_share,
    cost_figure,
    drawn_said,
    in_total,
    operations_said,
    peaks_said,
    purchase_said,
    running_figures,
)
from core.shells.told.told import KeyFigure, Told, ToldTable
from core.vocabulary.calendar import HOURS_OF_DAY, WEEKDAYS
from core.vocabulary.intervals import Interval
from core.vocabulary.node_use import NodeUse
from core.vocabulary.prices.site import Site
from core.vocabulary.say.words import (
    HOUR,
    NOTHING,
    Sense,
    amount,
    as_sentence,
    begun,
    counted,
    duration,
    power,
    settled,
    share,
)
from core.vocabulary.tolerances import METHODS_AGREE, SAME

TIES: Final = (
    "Of purchases that are equally good, the cheapest is chosen; of these, the one that buys and "
    "sells the fewest machines."
)
_TIES_LEFT: Final = (
    "Of purchases that are equally good, the direct program takes any; the decomposition takes the "
    "cheapest."
)
BY_WORK: Final = (
    "A task counts by its work: the hours that it takes on the fastest machine type for it. "
    "Work that finds no free machine at once waits, and does not count."
)
QUEUE: Final = (
    "The queue is the time in which all machines could do the work that waits, at its longest; "
    "work that came first is done first."
)
_SHORT: Final = 300.0
"""Below so many seconds nobody notices a queue; longer ones are said in steps of it."""
_LONG: Final = 2 * HOUR
"""From so many seconds on a queue is said in whole hours."""
_NOTICED: Final = 0.001
"""A smaller share of the budget that is left is not worth a sentence."""


def told(
    answer: Provisioning,
    methods: Sequence[str] = tuple(METHODS),
    site: Site | None = None,
    use: NodeUse | None = None,
) -> Told:
    """All that is said of what to buy; the table and the data have these ways to choose. With what
    its electricity costs if the `site` is known, and the peaks of the log if their `use` is.
    """
    expected = _expected(answer)
    what = in_total(answer.plan, answer.best.purchase, answer.file.currency)
    lead = f"{what}{queue_said(answer.queue)}."
    if answer.queue is None or not answer.file.by_work:
        lead += f" Expected {answer.rate.noun}: {expected}{_more_said(answer)}."
    return Told(
        lead=lead,
        sentences=(*peaks_said(answer.plan, answer.best.purchase, use), *_sentences(answer)),
        figures=tuple(_figures(answer, expected, site)),
        tables=(_ways(answer, methods),),
        data=as_data(answer, methods),
    )


def _expected(answer: Provisioning) -> str:
    """The expected reward with its interval: "4,464 ± 36 EUR an hour"."""
    interval = answer.interval()
    return answer.rate.said(interval.mean, interval.half_width)


def queue_said(queue: WeekQueue | None) -> str:
    """What the purchase does to the queue: "; the queue of a Monday falls from 9 h to 2 h". Empty
    if nobody knows in which hours work arrives.
    """
    if queue is None:
        return ""
    (before, after), day = queue.longest, queue.day
    of = f"a {day}" if day else "a day"
    if after == math.inf:
        return "; more work arrives than these machines can do, so the queue has no end"
    if before == math.inf:
        return (
            f"; more work arrives than today’s machines can do, and then the queue of {of} is at "
            f"most {_waits(after)}"
        )
    if max(before, after) < _SHORT:
        return "; there is no queue at any hour, neither now nor then"
    if _waits(before) == _waits(after):
        return f"; the queue of {of} stays at {_waits(before)}"
    if after < _SHORT:
        return f"; the queue of {of}, {_waits(before)} today, is gone"
    verb = "falls" if after < before else "grows"
    return f"; the queue of {of} {verb} from {_waits(before)} to {_waits(after)}"


def _longest_then_said(queue: WeekQueue) -> str:
    """The longest queue after the purchase, if it is on another day than the longest before."""
    then = int(queue.after.argmax()) // HOURS_OF_DAY
    longest = float(queue.after.max())
    if then == queue.worst_day or not _SHORT <= longest < math.inf:
        return ""
    return f" With the purchase the longest is {_waits(longest)}, on a {WEEKDAYS[then]}."


def _waits(seconds: float) -> str:
    """A length of a queue as a person remembers it: in whole hours, or a short one in minutes."""
    unit = HOUR if seconds >= _LONG else _SHORT
    return duration(round(seconds / unit) * unit, Sense.PLAIN)


def _more_said(answer: Provisioning) -> str:
    """How much more work that is than if nothing is bought."""
    nothing = answer.compared.untouched
    if not answer.file.by_work or nothing is None:
        return ""
    more = answer.best.reward - nothing.reward
    if abs(more) <= METHODS_AGREE * abs(answer.compared.decision.upper):
        return ", as much as without buying"
    said = f"{answer.rate.number(abs(more))} {'more' if more > 0 else 'less'}"
    return f", {said} than without buying"


def _sentences(answer: Provisioning) -> Iterator[str]:
    """The purchase by type, how sure it is, and what knowing more or less would change."""
    file, compared, best, rate = answer.file, answer.compared, answer.best, answer.rate
    purchase, whole = best.purchase, compared.decision.in_parts is not None
    if (purchase.buy + purchase.sell).any():
        yield as_sentence(purchase_said(answer.plan, purchase))
    if not whole:
        yield IN_PARTS
    if file.by_work:
        yield BY_WORK
    if answer.queue is not None:
        yield QUEUE + _longest_then_said(answer.queue)
    left = file.limits.budget - purchase.cost
    if left > _NOTICED * abs(file.limits.budget):
        limits = [one.limit for one in reached_limits(answer.plan, compared)]
        rest = ", less than one more machine costs" if "budget" in limits else ""
        yield f"{amount(left, Sense.EARNED, file.currency)} of the budget is left{rest}."
    yield f"Limits reached: {reached_said(answer.plan, compared)}."
    if running := run_said(best, rate):
        yield f"It {running}."
    yield untouched_said(compared, rate)
    yield TIES if answer.cheapest else _TIES_LEFT
    if compared.weights.caution:
        yield _caution_said(compared, rate)
    types = counted(len(file.demands), "task type"), counted(len(file.offers), "machine type")
    budget = amount(file.limits.budget, Sense.PLAIN, file.currency)
    yield f"The plan: {' on '.join(types)}, with a budget of {budget}."
    yield f"Decided on {drawn_said(file.scenarios)}: {gap_said(compared.decision)}."
    if answer.fresh:
        yield (
            f"The expected {rate.noun}, {_expected(answer)}, is that of other scenarios; in those "
            f"that decided it is {rate.said(best.reward, best.half_width)}."
        )
    if file.operations is not None:
        yield f"Times are made of operations: {operations_said(file.operations)}."
    if narrowed := _narrowed_said(file):
        yield narrowed
    if whole:
        yield as_sentence(_whole_said(compared, rate))
    yield _evpi_said(compared, rate)
    yield _vss_said(compared, rate)
    yield _best_rule(answer)


def _best_rule(answer: Provisioning) -> str:
    reached = {
        method: answer.measure(one) for method, one in answer.rivals.items() if method != "mvp"
    }
    rule = max(reached, key=reached.__getitem__)
    scale = abs(answer.best.value)
    loss = settled(answer.measure(answer.best) - reached[rule], scale)
    title = METHODS[rule].lower()
    if loss <= 0:
        return f"The best rule of thumb, “{title}”, is as good here."
    part = f" ({share(loss / scale, Sense.PLAIN)})" if scale else ""
    return f"The best rule of thumb, “{title}”, loses {answer.rate.said(loss)}{part}."


def _figures(answer: Provisioning, expected: str, site: Site | None) -> Iterator[KeyFigure]:
    """The key figures of the two-stage purchase."""
    best, compared, rate = answer.best, answer.compared, answer.rate
    in_parts, measured = compared.decision.in_parts is not None, ""
    if compared.weights.caution:
        counts = caution_share(compared.weights.caution)
        measured = f" Of what is maximised, with a weight of the worst 5 % of {counts}."
    yield cost_figure(answer.plan, best.purchase, answer.file.currency)
    yield KeyFigure(
        f"Expected {rate.noun}",
        rate.said(answer.interval().mean),
        f"{expected}, with 95 % confidence"
        + (", in scenarios that it was not chosen for" if answer.fresh else "")
        + f". In the scenarios of the answer it is {rate.said(best.value)}, in the mean "
        f"future alone {rate.said(best.believed)}.",
    )
    yield KeyFigure(
        "A perfect forecast",
        rate.signed("+", beyond_gap(compared.evpi_in_parts, compared)),
        "The expected value of perfect information (EVPI): the mean if each future were known "
        "before machines are bought, less that of this purchase."
        + (" Here for machines in parts." if in_parts else "")
        + measured,
    )
    yield KeyFigure(
        "Planning for uncertainty",
        rate.signed("+", beyond_gap(compared.vss, compared)),
        "The value of the stochastic solution (VSS): what this purchase has more than one "
        f"that is best for the mean future.{measured}",
    )
    if in_parts:
        price = beyond_gap(compared.decision.price_of_whole, compared)
        meaning = "What is lost because machines are bought and sold whole, and not in parts."
        yield KeyFigure("Whole machines", rate.signed("−", price), meaning + measured)
    if compared.weights.caution:
        worst = rate.said(compared.weights.mean_of_worst(best.values))
        meaning = f"The mean {rate.noun} of the worst 5 % of the scenarios of the answer."
        yield KeyFigure("Worst 5 %", worst, meaning)
    for one in running_figures(best.power, best.failures, rate, site):
        least = f" {LEAST_POWER}" if one.label == "Mean power" else ""
        yield KeyFigure(one.label, one.value, one.meaning + least)


def _ways(answer: Provisioning, methods: Sequence[str]) -> ToldTable:
    """What each way to choose buys and earns, and what it expects from the mean future alone."""
    compared, rate, currency = answer.compared, answer.rate, answer.file.currency
    rows = [_way(answer, method) for method in methods]
    if compared.untouched is not None and len(methods) > 1:
        rows.append(_row(UNTOUCHED, compared.untouched, rate, ""))
    return ToldTable(
        "Ways to choose beside each other",
        (
            "Way to choose",
            f"{begun(rate.noun)} ({rate.money})",
            "In the mean future",
            f"Cost ({currency})",
            "",
        ),
        tuple(rows),
        marked=[*methods].index("rp") if "rp" in methods else None,
    )


def _way(answer: Provisioning, method: str) -> tuple[str, ...]:
    compared, rate, title = answer.compared, answer.rate, f"{METHODS[method]} ({method})"
    if method != "ws":
        outcome = compared.outcomes[method]
        return _row(title, outcome, rate, purchase_said(answer.plan, outcome.purchase))
    mean = Interval.of_sets(compared.wait_and_see, compared.sets)
    parts = "" if compared.decision.in_parts is None else ", in parts"
    return (
        title,
        rate.number(mean.mean, mean.half_width),
        NOTHING,
        amount(compared.wait_and_see_cost, Sense.PLAIN),
        f"another purchase for each scenario{parts}",
    )


def _row(title: str, outcome: Outcome, rate: RewardRate, said: str) -> tuple[str, ...]:
    mean = outcome.interval
    return (
        title,
        rate.number(mean.mean, mean.half_width),
        rate.number(outcome.believed),
        amount(outcome.purchase.cost, Sense.PLAIN),
        said,
    )


def _narrowed_said(file: PlanFile) -> str:
    """A sentence if kinds of operations cannot vary as much as times are to; empty if they can."""
    vary = file.uncertainty.operations
    if vary is None or file.spread.times.law != "uniform":
        return ""
    widest, most = float(vary.covs.max(initial=0.0)), MOST_UNIFORM
    if widest <= most * (1 + SAME):
        return ""
    return (
        f"For the spread of the times, some kind of operations would have to vary by "
        f"{share(widest, Sense.PLAIN)}, and a uniform law varies by {share(most, Sense.PLAIN)} at "
        "most, so times vary less; a lognormal law has no such limit."
    )


def _evpi_said(compared: Comparison, rate: RewardRate) -> str:
    """The expected value of perfect information, in a sentence."""
    worth, whole = beyond_gap(compared.evpi, compared), compared.decision.in_parts is not None
    if not worth:
        besides = ", even with machines in parts" if whole else ""
        return f"Knowing the future before buying would add nothing{besides} (EVPI)."
    part = _part(worth, compared.decision.lower)
    if whole:
        price = beyond_gap(compared.decision.price_of_whole, compared)
        knowing = beyond_gap(compared.evpi_in_parts, compared)
        return (
            f"If the future were known and machines could be bought in parts, {rate.said(worth)} "
            f"more would be {rate.earned}{part} (EVPI): {rate.number(price)} because machines "
            f"are in parts, {rate.number(knowing)} because the future is known."
        )
    return f"Knowing the future before buying would add {rate.said(worth)}{part} (EVPI)."


def run_said(outcome: Outcome, rate: RewardRate) -> str:
    """The power and the failures of a purchase, as far as they are known: "draws 3.2 kW and has
    0.5 failures an hour on average"; empty if there is nothing to say.
    """
    said = [] if outcome.power is None else [f"draws {power(outcome.power, Sense.SPENT)}"]
    if outcome.failures:
        failures = amount(outcome.failures * RATE_UNITS[rate.unit], Sense.SPENT)
        said.append(f"has {failures} failures {rate.every}")
    return f"{' and '.join(said)} on average" if said else ""


def _caution_said(compared: Comparison, rate: RewardRate) -> str:
    """What is maximised with caution, and what the purchase earns in bad futures."""
    weights = compared.weights
    worst = rate.said(weights.mean_of_worst(compared.outcomes["rp"].values))
    counts, bad = caution_share(weights.caution), share(weights.worst, Sense.TYPED)
    others = ""
    if weights.caution < MOST_CAUTION:
        others = f" and {share(1 - weights.caution, Sense.PLAIN)} of that of all"
    return (
        f"The weight of the worst {bad} is {counts}: what is maximised is {counts} of the mean "
        f"{rate.noun} of the worst {bad} of scenarios (here {worst}){others}. EVPI and VSS are "
        "differences of this sum."
    )


def untouched_said(compared: Comparison, rate: RewardRate) -> str:
    """What comes if nothing is bought, and when the purchase has paid for itself."""
    nothing, bought = compared.untouched, compared.outcomes["rp"]
    if nothing is None:
        return "Buying and selling nothing does not keep all limits."
    more = bought.reward - nothing.reward
    if abs(more) <= METHODS_AGREE * abs(compared.decision.upper):
        return f"Buying and selling nothing {rate.earns} as much, {rate.said(nothing.reward)}."
    said = f"Buying and selling nothing {rate.earns} {rate.said(nothing.reward)}"
    if more < 0:
        return f"{said}, {rate.said(-more)} more."
    if compared.payback is None or rate.by_work:
        return f"{said}, {rate.said(more)} less."
    paid = duration(compared.payback, Sense.PLAIN)
    return f"{said}, {rate.said(more)} less: by its reward, the purchase pays for itself in {paid}."


def _whole_said(compared: Comparison, rate: RewardRate) -> str:
    """What whole machines cost: "that machines are whole costs 0.175 EUR a second, 8.8 %"."""
    price = beyond_gap(compared.decision.price_of_whole, compared)
    if not price:
        return "that machines are whole costs nothing"
    part = _part(price, compared.decision.in_parts or 0.0)
    return f"that machines are whole costs {rate.said(price)} of {rate.noun}{part}"


def _vss_said(compared: Comparison, rate: RewardRate) -> str:
    """The value of the stochastic solution, in a sentence."""
    worth = beyond_gap(compared.vss, compared)
    if not worth:
        return "A purchase for the mean future alone is as good (VSS 0)."
    reached = compared.weights.measure(compared.outcomes["mvp"].values)
    part = _part(worth, reached)
    of_what = f"{part} of what it reaches" if part else ""
    return f"A purchase for the mean future alone loses {rate.said(worth)}{of_what} (VSS)."


def _part(worth: float, whole: float) -> str:
    """A difference as a share of what is reached: ", 1.2 %"; empty where that is nothing."""
    return f", {share(worth / abs(whole), Sense.PLAIN)}" if abs(whole) > SAME * worth else ""


def beyond_gap(worth: float, compared: Comparison) -> float:
    """What a difference of methods is worth, per second; 0 where it is only their gap."""
    scale = abs(compared.decision.upper)
    return 0.0 if worth <= METHODS_AGREE * scale else settled(worth, scale)


def gap_said(decision: Decision) -> str:
    """How much better any purchase could be for the same scenarios."""
    most = share(max(decision.gap, METHODS_AGREE), Sense.UPPER_BOUND)
    return f"no purchase is more than {most} better for these scenarios (proven)"
