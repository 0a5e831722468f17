"""The settings of profit: what a batch earns and costs, in units that people use."""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal, Self

import numpy as np

from core.capabilities.profit.terms import Terms, ratio_price
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.prices.tariff import CARBON, CARBON_PRICE, MONEY, PUE, Tariff
from core.vocabulary.ranges import Range
from core.vocabulary.say.money import JOULES_WORTH, Money
from core.vocabulary.say.words import DAY, HOUR, JOULES_PER_KWH, Sense, amount
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
ENERGY_PRICE: Final = Range(0.0, 1e9, "a kWh")
DEADLINE: Final = Range(1e-9, 1e15, "s")
_CAP: Final = Range(0.0, 1e15, "kW")
RATE: Final = Range(0.0, 1e12, "an hour")
REWARD: Final = Range(0.0, 1e12, "a task")
USUAL_RATIOS: Final = Range(0.3, 3.0, "times the cost of the least energy")
"""The ratios that pictures show and sliders offer."""

WATTS_PER_KW: Final = 1e3


DailySteps = tuple[tuple[float, float], ...]
"""Hours of the day, and the price from each hour on."""
HOURS: Final = 24.0


@dataclass(frozen=True, eq=False)
class DayTariff:
    """From second `begins[k]` of a day on, a joule costs `price[k]`; the first begins at 0."""

    begins: FloatArray
    price: FloatArray

    def __post_init__(self) -> None:
        begins, price = np.asarray(self.begins, float), np.asarray(self.price, float)
        object.__setattr__(self, "begins", begins)
        object.__setattr__(self, "price", price)
        if begins.shape != price.shape or not len(begins) or begins[0] != 0:
            raise ValueError("a tariff has a price from second 0 on, and one for each later step")
        if (np.diff(begins) <= 0).any() or begins[-1] >= DAY:
            raise ValueError("the steps of a tariff must be in order, within a day of 86,400 s")
        if not (np.isfinite(price).all() and (price >= 0).all()):
            raise ValueError("prices must be 0 or more, and finite")

    @classmethod
    def of_day(cls, steps: Iterable[tuple[float, float]]) -> Self:
        """The tariff of these hours and prices (money a joule), in any order; before the first hour
        the last price holds.
        """
        ordered = sorted(steps)
        if ordered and ordered[0][0] > 0:
            ordered = [(0.0, ordered[-1][1]), *ordered]
        return cls(
            np.array([hour * HOUR for hour, _ in ordered]),
            np.array([price for _, price in ordered]),
        )

    @property
    def mean(self) -> float:
        """The mean price over the day, in money a joule."""
        return float(self.price @ np.diff(self.begins, append=DAY)) / DAY

    def at(self, seconds: FloatArray) -> FloatArray:
        """The price so many seconds after midnight, in money a joule; all days are the same."""
        step = np.searchsorted(self.begins, seconds % DAY, side="right") - 1
        price: FloatArray = self.price[step]
        return price

    def spent(self, seconds: FloatArray) -> FloatArray:
        """The cost of one watt from midnight until so many seconds later; later days repeat the
        first.
        """
        days, rest = np.divmod(seconds, DAY)
        until = np.append(0.0, np.cumsum(self.price * np.diff(self.begins, append=DAY)))
        step = np.searchsorted(self.begins, rest, side="right") - 1
        spent: FloatArray = (
            days * until[-1] + until[step] + self.price[step] * (rest - self.begins[step])
        )
        return spent


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
    ratio: float = setting(
        1.2,
        NumberIn(RATIO),
        "Profit ratio",
        "The price of a batch divided by the cost of its least energy, without the PUE.",
        flag=Flag("G", "a batch brings G x what its least energy costs"),
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
    energy_price: float = setting(
        0.3,
        NumberIn(ENERGY_PRICE),
        "Electricity ({currency} per kWh)",
        flag=Flag(
            "PER_KWH",
            "money a kWh (default: the mean of --day-tariff); with --ratio alone a joule costs 1, "
            "and rates are a second's",
        ),
    )
    currency: str = "EUR"
    carbon: float = setting(
        0.0,
        NumberIn(CARBON),
        "Carbon (kg CO₂ per kWh)",
        flag=Flag("KG_PER_KWH", "kilograms of CO2 a kWh"),
    )
    carbon_price: float = setting(
        0.0,
        NumberIn(CARBON_PRICE),
        "Carbon price ({currency} per kg)",
        flag=Flag("PER_KG", "money a kg of CO2"),
    )
    pue: float = setting(
        1.0,
        NumberIn(PUE),
        "PUE",
        "Power usage effectiveness: the energy of the whole site for each joule of the machines.",
        flag=Flag("X", f"{PUE}"),
    )
    overhead: float = setting(
        0.0,
        NumberIn(MONEY),
        "Overhead ({currency} per batch)",
        "What each batch costs in addition, however it is run.",
        flag=Flag("MONEY", "what each batch costs in addition"),
    )
    cap_kw: float | None = setting(
        None,
        NumberIn(_CAP),
        "Power cap (kW)",
        "The limit on the average power of the whole site. Leave it empty for no limit.",
        blank="none",
    )
    wear: Named = ()
    depreciation: Named = ()
    deadline: float | None = setting(None, NumberIn(DEADLINE))
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
