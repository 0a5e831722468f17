"""The settings of profit: what a batch earns and costs, in units that people use."""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from core.front.tariff import CARBON, CARBON_PRICE, MONEY, PUE, Tariff
from core.model.arrays import FloatArray
from core.model.ranges import Range
from core.model.system import System
from core.profit.day_tariff import DailySteps, DayTariff
from core.profit.terms import Terms, ratio_price
from core.relaxed import Front
from core.say.money import JOULES_WORTH, Money
from core.say.words import HOUR, JOULES_PER_KWH, Sense, amount

PriceBasis = Literal["ratio", "bag"]
Electricity = Literal["kWh", "joule"]
Named = tuple[tuple[str, float], ...]
"""Names of types, and money for each."""
NAMED: Final = ("wear", "depreciation", "rewards")
"""The fields of settings that are named amounts."""

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
"""The ratios that pictures show and sliders offer."""

WATTS_PER_KW: Final = 1e3


@dataclass(frozen=True, slots=True)
class ProfitSettings:
    """Prices are money for a batch, a kWh, a kg of CO2; `carbon` is kg of CO2 for each kWh.

    `wear` is money for each busy hour and `depreciation` money for each hour of one machine of a
    type (for each second if electricity costs 1 a joule); types that are not named have none.
    `cap_kw` is that of the whole site. If only part of one batch need be run, it ends within
    `deadline` seconds, and `rewards` are money for each task of a type. `day_tariff` are hours of
    the day and the price of a kWh from each on, to find the best start of one batch.
    """

    by: PriceBasis = "ratio"
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
    day_tariff: DailySteps = ()

    @property
    def money(self) -> Money:
        if self.electricity == "joule":
            return Money(JOULES_WORTH, 1.0)
        return Money(self.currency, HOUR)

    @property
    def money_a_joule(self) -> float:
        """Money for a joule, with carbon but without PUE."""
        if self.electricity == "joule":
            return 1.0
        return Tariff(self.energy_price, self.carbon, self.carbon_price).per_joule

    @property
    def price_a_kwh(self) -> float:
        """Money for a kWh, without carbon."""
        return JOULES_PER_KWH if self.electricity == "joule" else self.energy_price

    def unit_price(self, front: Front) -> float:
        """The price of a batch at ratio 1: what the least energy costs."""
        return ratio_price(front, 1.0, self.money_a_joule)

    def terms(self, front: Front) -> Terms:
        """The terms for batch after batch."""
        price = self.ratio * self.unit_price(front) if self.by == "ratio" else self.price
        return self.terms_at(price, front.system)

    def terms_at(self, price: float, system: System) -> Terms:
        """The terms with this price of a batch in place of the one in the settings."""
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
        """The terms for part of a batch: tasks have rewards, and the batch has no price."""
        return self.terms_at(0.0, front.system)

    def rewards_in(self, system: System) -> FloatArray:
        """Money for one task of each type."""
        given = dict(self.rewards)
        return np.array([given.get(name, 0.0) for name in system.task_names])

    def tariff(self) -> DayTariff | None:
        """The price of a joule at the machines over the day, with PUE and carbon; None without a
        day tariff.
        """
        if not self.day_tariff:
            return None
        return DayTariff.of_day(
            (hour, Tariff(price, self.carbon, self.carbon_price, self.pue).per_joule)
            for hour, price in self.day_tariff
        )

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
            return f"At {amount(self.ratio, Sense.PLAIN)} times the cost of the least energy"
        unit = self.unit_price(front)
        ratio = amount(terms.price / unit, Sense.PLAIN) if unit else ""
        times = f" ({ratio} times the cost of the least energy)" if unit else ""
        return f"At {self.money.say(terms.price, Sense.PLAIN)} a batch{times}"

    def _a_second(self, rates: Named, system: System) -> tuple[float, ...]:
        """Money a second for each machine type; empty if no type is named."""
        given = dict(_known(rates, set(system.machine_names)))
        if not given:
            return ()
        return tuple(given.get(name, 0.0) / self.money.seconds for name in system.machine_names)


def _known(named: Named, names: Collection[str]) -> Named:
    return tuple((name, money) for name, money in named if name in names)
