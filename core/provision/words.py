"""Sentences on a plan that the command and the report share."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.model.arrays import FloatArray
from core.model.tolerances import METHODS_AGREE, SAME, SUM_ROUNDING
from core.provision.comparison import Comparison, Outcome
from core.provision.first_stage import Purchase
from core.provision.plan import Plan
from core.provision.plan_file import RATE_UNITS, PlanFile
from core.provision.second_stages import MOST_CAUTION
from core.provision.two_stage import Decision
from core.provision.uncertainty import MOST_UNIFORM
from core.provision.varying import KindsTried, OperationsFound
from core.say.words import DIGITS, Sense, amount, counted, duration, power, settled, share

METHODS: Final = {
    "rp": "two-stage",
    "mvp": "mean future",
    "ws": "wait and see",
    "h1": "fastest type",
    "h2": "fastest for its price",
    "h3": "earns most for its price",
}
"""The ways to choose, by their short names, which are those of the publication."""

UNTOUCHED: Final = "nothing bought"
"""What comes if nothing is bought and sold, beside these."""
IN_PARTS: Final = "Numbers of machines need not be whole here."
TIES: Final = (
    "Of purchases that are equally good, the cheapest is chosen; of these, the one that buys and "
    "sells the fewest machines."
)
TIES_LEFT: Final = (
    "Of purchases that are equally good, the direct program takes any; the decomposition takes the "
    "cheapest."
)
TIES_BY: Final = ("cost", "machines")
"""The same as data: what decides between purchases that are equally good, one after the other."""
LEAST_POWER: Final = (
    "Of ways to run the tasks that earn the same, the one with the least power counts."
)
_EVERY: Final = {"1/s": "a second", "1/min": "a minute", "1/h": "an hour", "1/day": "a day"}
_MOST_DIGITS: Final = 9
_TENTH: Final = 0.095
_FEWEST: Final = 0.005
"""Fewer machines than this are none: a solver's rounding."""


@dataclass(frozen=True, slots=True)
class RewardRate:
    """How rewards are written: money for each second, minute, hour or day, as the plan has its
    rates.
    """

    unit: str
    currency: str

    @property
    def every(self) -> str:
        """What a rate is for: "an hour"."""
        return _EVERY[self.unit]

    @property
    def money(self) -> str:
        """The unit of rewards: "EUR an hour"."""
        return f"{self.currency} {self.every}"

    def number(self, a_second: float, half_width: float = math.inf) -> str:
        """A reward, with half of the width of its interval: "1.235 ± 0.012"."""
        seconds = RATE_UNITS[self.unit]
        if half_width <= SUM_ROUNDING * abs(a_second) or not math.isfinite(half_width):
            return amount(a_second * seconds, Sense.PLAIN)
        width = amount(half_width * seconds, Sense.UPPER_BOUND, digits=2)
        # The last digit of both has the same place.
        mean = abs(a_second) or half_width
        places = [math.floor(math.log10(value * seconds)) for value in (mean, half_width)]
        digits = min(max(places[0] - places[1] + 2, DIGITS), _MOST_DIGITS)
        return f"{amount(a_second * seconds, Sense.PLAIN, digits=digits)} ± {width}"

    def said(self, a_second: float, half_width: float = math.inf) -> str:
        """The same with its unit: "1.235 ± 0.012 EUR a second"."""
        return f"{self.number(a_second, half_width)} {self.money}"


def machines(number: float) -> str:
    """A number of machines, to a tenth: "74.3"; less than that to a hundredth: "0.02"."""
    return amount(round(number, 1 if abs(number) >= _TENTH else 2), Sense.TYPED)


def listed(numbers: FloatArray, names: Sequence[str]) -> str:
    """Numbers of machines by type, the most first: "74 M8 and 13 M6"; empty if there are none."""
    order = sorted(range(len(names)), key=lambda j: -numbers[j])
    parts = [f"{machines(float(numbers[j]))} {names[j]}" for j in order if numbers[j] > _FEWEST]
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def purchase_said(plan: Plan, purchase: Purchase) -> str:
    """What to buy and to sell: "buy 1.9 M1 and 1.6 M3, sell 2 M5"."""
    names = [offer.name for offer in plan.offers]
    bought, sold = listed(purchase.buy, names), listed(purchase.sell, names)
    parts = [f"buy {bought}"] if bought else []
    parts += [f"sell {sold}"] if sold else []
    return ", ".join(parts) or "buy and sell nothing"


def operations_said(found: OperationsFound) -> str:
    """How many kinds of operations explain the times, and how far times are off with each number
    that was tried: "2 kinds, chosen by error; on average, times are off by 12 % with 1 kind, 0.5 %
    with 2".
    """
    taken = counted(found.taken.kinds, "kind")
    if not found.by_error:
        return f"{taken}; times are off by {_off(found.taken)} on average"
    first, *others = found.tried
    tried = [f"{_off(first)} with {counted(first.kinds, 'kind')}"]
    tried += [f"{_off(one)} with {one.kinds}" for one in others]
    return f"{taken}, chosen by error; on average, times are off by {', '.join(tried)}"


def narrowed_said(file: PlanFile) -> str:
    """That kinds of operations cannot vary as much as times are to; empty if they can."""
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


def _off(tried: KindsTried) -> str:
    """The mean error as a share; 0 where it is rounding."""
    error = tried.mean_error
    return share(0.0 if error <= METHODS_AGREE else error, Sense.UPPER_BOUND)


def cost_said(cost: float, currency: str) -> str:
    """What a change costs, or brings."""
    if cost < 0:
        return f"brings {amount(-cost, Sense.EARNED, currency)}"
    return f"costs {amount(cost, Sense.SPENT, currency)}"


def evpi_said(found: Comparison, rate: RewardRate) -> str:
    """The expected value of perfect information, in a sentence."""
    worth, whole = beyond_gap(found.evpi, found), found.decision.in_parts is not None
    if not worth:
        besides = ", even with machines in parts" if whole else ""
        return f"Knowing the future before buying would add nothing{besides} (EVPI)."
    part = _part(worth, found.decision.lower)
    if whole:
        price = beyond_gap(found.decision.price_of_whole, found)
        knowing = beyond_gap(found.evpi_in_parts, found)
        return (
            f"If the future were known and machines could be bought in parts, {rate.said(worth)} "
            f"more would be earned{part} (EVPI): {rate.number(price)} because machines are in "
            f"parts, {rate.number(knowing)} because the future is known."
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


def caution_share(caution: float) -> str:
    """How much bad futures count: "50 %"."""
    return share(1.0 if caution >= MOST_CAUTION else caution, Sense.TYPED)


def caution_said(found: Comparison, rate: RewardRate) -> str:
    """What is maximised instead of the mean, with caution, and what the purchase earns in bad
    futures.
    """
    weights = found.weights
    worst = rate.said(weights.mean_of_worst(found.outcomes["rp"].values))
    counts, bad = caution_share(weights.caution), share(weights.worst, Sense.TYPED)
    others = ""
    if weights.caution < MOST_CAUTION:
        others = f" and {share(1 - weights.caution, Sense.PLAIN)} of that of all"
    return (
        f"Bad futures count {counts}: what is maximised is {counts} of the mean reward of the "
        f"worst {bad} of scenarios (here {worst}){others}. EVPI and VSS are differences of "
        "this sum."
    )


def untouched_said(found: Comparison, rate: RewardRate) -> str:
    """What comes if nothing is bought, and when the purchase has paid for itself."""
    nothing, bought = found.untouched, found.outcomes["rp"]
    if nothing is None:
        return "Buying and selling nothing does not keep all limits."
    more = bought.reward - nothing.reward
    if abs(more) <= METHODS_AGREE * abs(found.decision.upper):
        return f"Buying and selling nothing earns as much, {rate.said(nothing.reward)}."
    said = f"Buying and selling nothing earns {rate.said(nothing.reward)}"
    if more < 0:
        return f"{said}, {rate.said(-more)} more."
    if found.payback is None:
        return f"{said}, {rate.said(more)} less."
    paid = duration(found.payback, Sense.PLAIN)
    return f"{said}, {rate.said(more)} less: by its reward, the purchase pays for itself in {paid}."


def whole_said(found: Comparison, rate: RewardRate) -> str:
    """The price of whole machines: "that machines are whole costs 0.175 EUR a second of
    reward, 8.8 %".
    """
    price = beyond_gap(found.decision.price_of_whole, found)
    if not price:
        return "that machines are whole costs nothing"
    part = _part(price, found.decision.in_parts or 0.0)
    return f"that machines are whole costs {rate.said(price)} of reward{part}"


def vss_said(found: Comparison, rate: RewardRate) -> str:
    """The value of the stochastic solution, in a sentence."""
    worth = beyond_gap(found.vss, found)
    if not worth:
        return "A purchase for the mean future alone is as good (VSS 0)."
    reached = found.weights.measure(found.outcomes["mvp"].values)
    part = _part(worth, reached)
    of_what = f"{part} of what it reaches" if part else ""
    return f"A purchase for the mean future alone loses {rate.said(worth)}{of_what} (VSS)."


def _part(worth: float, whole: float) -> str:
    """A difference as a share of what is reached: ", 1.2 %"; empty where that is nothing."""
    return f", {share(worth / abs(whole), Sense.PLAIN)}" if abs(whole) > SAME * worth else ""


def beyond_gap(worth: float, found: Comparison) -> float:
    """What a difference of methods is worth, per second; 0 where it is only their gap."""
    scale = abs(found.decision.upper)
    return 0.0 if worth <= METHODS_AGREE * scale else settled(worth, scale)


def gap_said(decision: Decision) -> str:
    """How much better any purchase could be for the same scenarios."""
    most = share(max(decision.gap, METHODS_AGREE), Sense.UPPER_BOUND)
    return f"no purchase is more than {most} better for these scenarios (proven)"
