"""What a person says that a batch earns and costs, in units that people use."""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from core.front.tariff import CARBON, CARBON_PRICE, MONEY, PUE, Tariff
from core.model.arrays import FloatArray
from core.model.ranges import Range
from core.model.system import System
from core.profit.day_tariff import DayTariff, Steps
from core.profit.terms import Terms, ratio_price
from core.relaxed import Front
from core.say.money import JOULES_WORTH, Money
from core.say.words import HOUR, JOULES_PER_KWH, Sense, amount

By = Literal["ratio", "bag"]
Electricity = Literal["kWh", "joule"]
Named = tuple[tuple[str, float], ...]
"""Names of types, and money for each."""
NAMED: Final = ("wear", "depreciation", "rewards")
"""The fields that are such."""

RANGES: Final[dict[str, Range]] = {
    "ratio": Range(0.0, 1e6, "times what the least energy costs"),
    "price": MONEY,
    "energy_price": Range(0.0, 1e9, "a kWh"),
    "carbon": CARBON,
    "carbon_price": CARBON_PRICE,
    "pue": PUE,
    "overhead": MONEY,
    "cap_kw": Range(0.0, 1e15, "kW"),
    "deadline": Range(1e-9, 1e15, "s"),
}
RATE: Final = Range(0.0, 1e12, "an hour")
REWARD: Final = Range(0.0, 1e12, "a task")
USUAL_RATIOS: Final = Range(0.3, 3.0, "times the cost of the least energy")
"""What pictures show, and sliders offer."""

WATTS_PER_KW: Final = 1e3


@dataclass(frozen=True, slots=True)
class ProfitSettings:
    """Prices are money: a batch, a kWh, a kg of CO2; `carbon` is kg of CO2 a kWh.

    `wear` is money a busy hour and `depreciation` money an hour of one machine of a type (a second
    where electricity costs 1 a joule); who is not named costs none. `cap_kw` is of the whole site.

    Where only part of one batch need be run, that is within `deadline` seconds, and `rewards` are
    money for each task of a type. `day_tariff` are hours of the day from which on a kWh costs so
    much, if one batch is to be begun when that is cheap.
    """

    by: By = "ratio"
    ratio: float = 1.2
    price: float = 1.0
    electricity: Electricity = "kWh"
    energy_price: float = 0.3
    currency: str = "EUR"
    carbon: float = 0.0
    carbon_price: float = 0.0
    pue: float = 1.0
    overhead: float = 0.0
    cap_kw: float | None = None
    wear: Named = ()
    depreciation: Named = ()
    deadline: float | None = None
    rewards: Named = ()
    day_tariff: Steps = ()

    @property
    def money(self) -> Money:
        if self.electricity == "joule":
            return Money(JOULES_WORTH, 1.0)
        return Money(self.currency, HOUR)

    @property
    def money_a_joule(self) -> float:
        """Carbon included, PUE not."""
        if self.electricity == "joule":
            return 1.0
        return Tariff(self.energy_price, self.carbon, self.carbon_price).per_joule

    @property
    def price_a_kwh(self) -> float:
        """Carbon left out."""
        return JOULES_PER_KWH if self.electricity == "joule" else self.energy_price

    def unit_price(self, front: Front) -> float:
        """The price of a batch at ratio 1: what the least energy costs."""
        return ratio_price(front, 1.0, self.money_a_joule)

    def terms(self, front: Front) -> Terms:
        """Bag after batch."""
        price = self.ratio * self.unit_price(front) if self.by == "ratio" else self.price
        return self.terms_at(price, front.system)

    def terms_at(self, price: float, system: System) -> Terms:
        """The same where a batch brings this price, whatever is said of it."""
        return Terms(
            price,
            self.money_a_joule,
            self.pue,
            self.overhead,
            self._a_second(self.wear, system),
            self._a_second(self.depreciation, system),
            math.inf if self.cap_kw is None else self.cap_kw * WATTS_PER_KW,
        )

    def part_terms(self, front: Front) -> Terms:
        """Where tasks are rewarded one by one, and the batch is not paid for."""
        return self.terms_at(0.0, front.system)

    def rewards_in(self, system: System) -> FloatArray:
        """Money for a task of each type."""
        given = dict(self.rewards)
        return np.array([given.get(name, 0.0) for name in system.task_names])

    def tariff(self) -> DayTariff | None:
        """Money for a joule at the machines over the day, PUE and carbon included."""
        if not self.day_tariff:
            return None
        return DayTariff.of_day(
            (hour, Tariff(price, self.carbon, self.carbon_price, self.pue).per_joule)
            for hour, price in self.day_tariff
        )

    def of(self, system: System) -> "ProfitSettings":
        """The same without what is said of types that the system does not have."""
        machines = set(system.machine_names)
        return replace(
            self,
            wear=_known(self.wear, machines),
            depreciation=_known(self.depreciation, machines),
            rewards=_known(self.rewards, set(system.task_names)),
        )

    def words(self, terms: Terms, front: Front) -> str:
        """How a batch is priced, to begin a sentence with."""
        if self.by == "ratio":
            return f"At {amount(self.ratio, Sense.TYPED)} times the cost of the least energy"
        unit = self.unit_price(front)
        ratio = amount(terms.price / unit, Sense.PLAIN) if unit else ""
        times = f" ({ratio} times the cost of the least energy)" if unit else ""
        return f"At {self.money.say(terms.price, Sense.TYPED)} a batch{times}"

    def _a_second(self, rates: Named, system: System) -> tuple[float, ...]:
        """Of each machine type; nothing at all where none is named."""
        given = dict(_known(rates, set(system.machine_names)))
        if not given:
            return ()
        return tuple(given.get(name, 0.0) / self.money.seconds for name in system.machine_names)


def _known(named: Named, names: Collection[str]) -> Named:
    return tuple((name, money) for name, money in named if name in names)
