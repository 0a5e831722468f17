"""Words on plans and purchases that several answers share."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from core.capabilities.provision.files.plan_file import RATE_UNITS, PlanFile, ScenarioSettings
from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.futures.varying import OperationsFound
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.second_stages import MOST_CAUTION
from core.capabilities.provision.why import Regret, TypeRegret
from core.shells.told.money import energy_cost_figure
from core.shells.told.told import KeyFigure
from core.vocabulary.arrays import FloatArray
from core.vocabulary.node_use import NodeUse
from core.vocabulary.prices.site import Site
from core.vocabulary.say.words import (
    DIGITS,
    YEAR,
    Sense,
    amount,
    begun,
    counted,
    joined,
    power,
    settled,
    share,
)
from core.vocabulary.tolerances import METHODS_AGREE, SAME, SUM_ROUNDING

METHODS: Final = {
    "rp": "Our advice",
    "mvp": "If all goes as expected",
    "ws": "Wait and see",
    "h1": "Fastest type",
    "h2": "Fastest for its price",
    "h3": "Most for its price",
}
"""The ways to choose, by their short names, which are those of the publication."""
DECIDED: Final = {method: title for method, title in METHODS.items() if method != "ws"}
"""The ways to choose one purchase. Who waits and sees has one for each scenario."""
UNTOUCHED: Final = "Nothing bought"
"""What comes if nothing is bought and sold, beside these."""
IN_PARTS: Final = "Numbers of machines need not be whole here."
LEAST_POWER: Final = (
    "Of ways to run the tasks that are worth the same, the one with the least power counts."
)
_EVERY: Final = {"1/s": "a second", "1/min": "a minute", "1/h": "an hour", "1/day": "a day"}
_MOST_DIGITS: Final = 9
_TENTH: Final = 0.095
_FEWEST: Final = 0.005
"""Fewer machines than this are none: a solver's rounding."""


@dataclass(frozen=True, slots=True)
class RewardRate:
    """How rewards are written: money for each second, minute, hour or day, as the plan has its
    rates. If tasks count `by_work`, node-hours of work in place of money.
    """

    unit: str
    currency: str
    by_work: bool = False

    @classmethod
    def of(cls, file: PlanFile) -> Self:
        return cls(file.rate_unit, file.currency, file.by_work)

    @property
    def noun(self) -> str:
        """What is sought."""
        return "work" if self.by_work else "reward"

    def worded(self, text: str) -> str:
        """A text of rewards, of what is sought."""
        return text.replace("reward", self.noun)

    @property
    def earns(self) -> str:
        """What a purchase does."""
        return "does" if self.by_work else "earns"

    @property
    def earned(self) -> str:
        return "done" if self.by_work else "earned"

    @property
    def every(self) -> str:
        """What a rate is for: "an hour"."""
        return _EVERY[self.unit]

    @property
    def money(self) -> str:
        """The unit of rewards: "EUR an hour"."""
        return f"{'node-hours' if self.by_work else self.currency} {self.every}"

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

    def failures(self, a_second: float) -> str:
        """A failure rate: "0.5 an hour"."""
        return f"{amount(a_second * RATE_UNITS[self.unit], Sense.SPENT)} {self.every}"

    def said(self, a_second: float, half_width: float = math.inf) -> str:
        """The same with its unit: "1.235 ± 0.012 EUR a second"."""
        return f"{self.number(a_second, half_width)} {self.money}"

    def signed(self, sign: str, a_second: float) -> str:
        """The same with a sign before it, which nothing does not have."""
        return f"{sign if a_second else ''}{self.said(a_second)}"


def machines(number: float) -> str:
    """A number of machines, to a tenth: "74.3"; less than that to a hundredth: "0.02"."""
    return amount(round(number, 1 if abs(number) >= _TENTH else 2), Sense.TYPED)


def listed(numbers: FloatArray, names: Sequence[str]) -> str:
    """Numbers of machines by type, the most first: "74 M8 and 13 M6"; empty if there are none."""
    order = sorted(range(len(names)), key=lambda j: -numbers[j])
    parts = [f"{machines(float(numbers[j]))} {names[j]}" for j in order if numbers[j] > _FEWEST]
    return joined(parts)


def purchase_said(plan: Plan, purchase: Purchase) -> str:
    """What to buy and to sell: "buy 1.9 M1 and 1.6 M3, sell 2 M5"."""
    names = [offer.name for offer in plan.offers]
    bought, sold = listed(purchase.buy, names), listed(purchase.sell, names)
    parts = [f"buy {bought}"] if bought else []
    parts += [f"sell {sold}"] if sold else []
    return ", ".join(parts) or "buy and sell nothing"


def peaks_said(plan: Plan, purchase: Purchase, use: NodeUse | None) -> tuple[str, ...]:
    """A sentence if a sale leaves fewer nodes of a machine type than were busy at once in a log,
    and why the advice sells them all the same.
    """
    if use is None:
        return ()
    places = {offer.name: j for j, offer in enumerate(plan.offers)}
    short = []
    for name, per_node, changes in zip(use.names, use.machines.tolist(), use.changes, strict=True):
        j = places.get(name)
        if j is None or purchase.sell[j] <= _FEWEST:
            continue
        left = purchase.counts[j] / per_node
        if left < changes.most * (1 - SAME):
            kept = amount(float(left), Sense.PLAIN)
            short.append(f"{changes.most:,} nodes of {name} ({kept} left after the sale)")
    if not short:
        return ()
    return (
        f"In the log up to {joined(short)} were busy at once. The advice reckons with arrival "
        "rates, each of an hour or longer, and may move work to other machines: single jobs that "
        "come together within an hour may wait longer than it says.",
    )


def why_said(
    plan: Plan, purchase: Purchase, found: Sequence[TypeRegret], currency: str
) -> list[str]:
    """For each machine type, why so many are there in the end: "gv: buy 15; one fewer loses 1.2 %,
    one more costs 900 EUR more and to buy no other type loses 20 %." Those of which most are bought
    or sold come first.
    """
    order = np.argsort(-(purchase.buy + purchase.sell), kind="stable").tolist()
    said = []
    for j in order:
        regret, name = found[j], plan.offers[j].name
        bought, sold = float(purchase.buy[j]), float(purchase.sell[j])
        doing = [f"buy {machines(bought)}"] if bought > _FEWEST else []
        doing += [f"sell {machines(sold)}"] if sold > _FEWEST else []
        ways = [
            f"one {way} {_loses(lost, plan, currency)}"
            for way, lost in (("fewer", regret.fewer), ("more", regret.more))
            if lost is not None
        ]
        if regret.more is None:
            ways.append("one more breaks a limit")
        if regret.alone is not None:
            ways.append(f"to buy no other type {_loses(regret.alone, plan, currency)}")
        said.append(f"{name}: {' and '.join(doing) or 'buy none'}; {joined(ways)}.")
    return said


def _loses(lost: Regret, plan: Plan, currency: str) -> str:
    """What is lost; of what is as good, what it costs more."""
    if lost.loss > 0:
        return f"loses {share(lost.loss, Sense.PLAIN)}"
    more = settled(lost.cost, float(plan.prices.max()))
    return f"costs {amount(more, Sense.SPENT, currency)} more" if more > 0 else "is as good"


def operations_said(found: OperationsFound) -> str:
    """How many kinds of operations explain the times, and how far times are off with each number
    that was tried: "2 kinds, chosen by error; on average, times are off by 12 % with 1 kind, 0.5 %
    with 2".
    """
    taken = counted(found.taken.kinds, "kind")
    if not found.by_error:
        return f"{taken}; times are off by {off_said(found.taken.mean_error)} on average"
    first, *others = found.tried
    tried = [f"{off_said(first.mean_error)} with {counted(first.kinds, 'kind')}"]
    tried += [f"{off_said(one.mean_error)} with {one.kinds}" for one in others]
    return f"{taken}, chosen by error; on average, times are off by {', '.join(tried)}"


def off_said(error: float) -> str:
    """An error of times as a share; 0 where it is rounding."""
    return share(0.0 if error <= METHODS_AGREE else error, Sense.UPPER_BOUND)


def cost_said(cost: float, currency: str) -> str:
    """What a change costs, or brings."""
    if cost < 0:
        return f"brings {amount(-cost, Sense.EARNED, currency)}"
    return f"costs {amount(cost, Sense.SPENT, currency)}"


def caution_share(caution: float) -> str:
    """The weight of the worst 5 %: "50 %"."""
    return share(1.0 if caution >= MOST_CAUTION else caution, Sense.TYPED)


def in_total(plan: Plan, purchase: Purchase, currency: str) -> str:
    """Machines to buy and to sell, and their cost, without names: "Buy 3 machines for 12 EUR"."""
    doing = [
        f"{verb} {_machines(number)}"
        for verb, counts in (("buy", purchase.buy), ("sell", purchase.sell))
        if (number := float(counts[counts > _FEWEST].sum()))
    ]
    cost = settled(purchase.cost, float(plan.prices.max()))
    if not doing:
        return "Buy and sell nothing"
    if cost < 0:
        return begun(f"{' and '.join(doing)}, which brings {amount(-cost, Sense.EARNED, currency)}")
    return begun(f"{' and '.join(doing)} for {amount(cost, Sense.SPENT, currency)}")


def _machines(number: float) -> str:
    return f"{machines(number)} machine{'' if math.isclose(number, 1.0) else 's'}"


def cost_figure(plan: Plan, purchase: Purchase, currency: str) -> KeyFigure:
    """What a purchase costs, as a key figure."""
    cost = settled(purchase.cost, float(plan.prices.max()))
    meaning = "What is bought, less what the machines bring that are sold."
    return KeyFigure("Cost", amount(cost, Sense.SPENT, currency), meaning)


def running_figures(
    watts: float | None, failures: float, rate: RewardRate, site: Site | None = None
) -> list[KeyFigure]:
    """Mean power, what it costs at a site, and failures as key figures, as far as there are any."""
    said = []
    if watts is not None:
        meaning = "Of all machines, idle ones included, on average over the scenarios."
        said.append(KeyFigure("Mean power", power(watts, Sense.SPENT), meaning))
    if watts is not None and site is not None:
        cost = site.cost_of(watts * YEAR)
        said.append(
            energy_cost_figure("Electricity a year", cost, site, "Of the mean power at the site")
        )
    if failures:
        meaning = "Of busy machines, on average over the scenarios."
        said.append(KeyFigure("Failures", rate.failures(failures), meaning))
    return said


def drawn_said(asked: ScenarioSettings) -> str:
    """How scenarios are drawn: "16 scenarios (sobol, seed 0)"."""
    return f"{counted(asked.count, 'scenario')} ({asked.points}, seed {asked.seed})"
