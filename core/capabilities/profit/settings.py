"""The settings of profit: what a batch earns and costs, in units that people use."""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from core.capabilities.profit.terms import Terms, ratio_price
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.prices.site import ASSUMED, WATTS_PER_KW, Site
from core.vocabulary.prices.tariff import MONEY
from core.vocabulary.ranges import Range
from core.vocabulary.say.money import JOULES_WORTH, Money
from core.vocabulary.say.words import HOUR, JOULES_PER_KWH, Sense, amount
from core.vocabulary.setting import Flag, NumberIn, OneOf, setting
from core.vocabulary.system import System

PriceBasis = Literal["ratio", "bag"]
Electricity = Literal["kWh", "joule"]
ELECTRICITY: Final[dict[Electricity, str]] = {
    "kWh": "Price per kWh",
    "joule": "1 per joule, as published",
}
Named = tuple[tuple[str, float], ...]
"""Names of types, and money for each."""
NAMED: Final = ("wear", "depreciation", "rewards")
"""The fields of settings that are named amounts."""

RATIO: Final = Range(0.0, 1e6, "times what the least energy costs")
DEADLINE: Final = Range(1e-9, 1e15, "s")
RATE: Final = Range(0.0, 1e12, "an hour")
REWARD: Final = Range(0.0, 1e12, "a task")
USUAL_RATIOS: Final = Range(0.3, 3.0, "times the cost of the least energy")
"""The ratios that pictures show and sliders offer."""


@dataclass(frozen=True, slots=True)
class ProfitSettings:
    """What a batch brings and costs; what energy costs, and the power cap, are those of the `site`.

    `wear` is money for each busy hour and `depreciation` money for each hour of one machine of a
    type (for each second if electricity costs 1 a joule); types that are not named have none. If
    only part of one batch need be run, it ends within `deadline` seconds, and `rewards` are money
    for each task of a type.
    """

    by: PriceBasis = "ratio"
    ratio: float = setting(
        1.2,
        NumberIn(RATIO),
        "Profit ratio",
        "The price of a batch divided by the cost of its least energy, without the PUE.",
        flag=Flag(
            "G",
            "a batch brings G x what its least energy costs; without --energy-price a joule costs "
            "1, and rates are a second's",
        ),
    )
    price: float = setting(
        1.0,
        NumberIn(MONEY),
        "Price per batch ({currency})",
        flag=Flag("MONEY", "what a batch brings; needs --energy-price"),
    )
    electricity: Electricity = setting(
        "kWh",
        OneOf(ELECTRICITY, ELECTRICITY.__getitem__),
        "Electricity",
        "As published: the unit of money (¤) is the cost of one joule, and rates are per second.",
    )
    overhead: float = setting(
        0.0,
        NumberIn(MONEY),
        "Overhead ({currency} per batch)",
        "What each batch costs in addition, however it is run.",
        flag=Flag("MONEY", "what each batch costs in addition"),
    )
    wear: Named = ()
    depreciation: Named = ()
    deadline: float | None = setting(None, NumberIn(DEADLINE))
    rewards: Named = ()
    site: Site = ASSUMED

    @property
    def money(self) -> Money:
        if self.electricity == "joule":
            return Money(JOULES_WORTH, 1.0)
        return Money(self.site.currency, HOUR)

    @property
    def money_a_joule(self) -> float:
        """Money for a joule, with carbon but without PUE."""
        if self.electricity == "joule":
            return 1.0
        return replace(self.site.tariff, pue=1.0).per_joule

    @property
    def price_a_kwh(self) -> float:
        """Money for a kWh, without carbon."""
        return JOULES_PER_KWH if self.electricity == "joule" else self.site.price

    def unit_price(self, front: Front) -> float:
        """The price of a batch at ratio 1: what the least energy costs."""
        return ratio_price(front, 1.0, self.money_a_joule)

    @property
    def unit_said(self) -> str:
        """What the price at ratio 1 is, in words: it is that at the machines, without PUE."""
        return f"the cost of the least energy{'' if self.site.pue == 1 else ' at PUE 1'}"

    def terms(self, front: Front) -> Terms:
        """The terms for batch after batch."""
        price = self.ratio * self.unit_price(front) if self.by == "ratio" else self.price
        return self.terms_at(price, front.system)

    def terms_at(self, price: float, system: System) -> Terms:
        """The terms with this price of a batch in place of the one in the settings."""
        return Terms(
            price,
            self.money_a_joule,
            self.site.pue,
            self.overhead,
            self._a_second(self.wear, system),
            self._a_second(self.depreciation, system),
            math.inf if self.site.cap_kw is None else self.site.cap_kw * WATTS_PER_KW,
        )

    def rewards_in(self, system: System) -> FloatArray:
        """Money for one task of each type."""
        given = dict(self.rewards)
        return np.array([given.get(name, 0.0) for name in system.task_names])

    def of(self, system: System) -> "ProfitSettings":
        """The settings without amounts for types that the system does not have."""
        machines = set(system.machine_names)
        return replace(
            self,
            wear=_known(self.wear, machines),
            depreciation=_known(self.depreciation, machines),
            rewards=_known(self.rewards, set(system.task_names)),
        )

    def words(self, terms: Terms, front: Front) -> str:
        """The price of a batch, as the beginning of a sentence: to the nearest, in few digits."""
        if self.by == "ratio":
            return f"At {amount(self.ratio, Sense.PLAIN)} times {self.unit_said}"
        unit = self.unit_price(front)
        ratio = amount(terms.price / unit, Sense.PLAIN) if unit else ""
        times = f" ({ratio} times {self.unit_said})" if unit else ""
        return f"At {self.money.say(terms.price, Sense.PLAIN)} a batch{times}"

    def _a_second(self, rates: Named, system: System) -> tuple[float, ...]:
        """Money a second for each machine type; empty if no type is named."""
        given = dict(_known(rates, set(system.machine_names)))
        if not given:
            return ()
        return tuple(given.get(name, 0.0) / self.money.seconds for name in system.machine_names)


def _known(named: Named, names: Collection[str]) -> Named:
    return tuple((name, money) for name, money in named if name in names)
