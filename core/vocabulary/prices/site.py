"""The site of the machines: what its energy costs. It is the same for every question."""

import math
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, Self

from core.vocabulary.arrays import FloatArray
from core.vocabulary.prices.day import DailySteps, DayTariff, at_hour
from core.vocabulary.prices.tariff import CARBON as ANY_CARBON
from core.vocabulary.prices.tariff import CARBON_PRICE, PUE, Tariff
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import JOULES_PER_KWH
from core.vocabulary.setting import ByHour, Flag, NumberIn, OneOf, setting, settings_in

CURRENCIES: Final = ("EUR", "USD", "GBP", "CHF", "CNY", "INR", "JPY")
ANY_PRICE: Final = Range(0.0, 1e9, "a kWh")
PRICE: Final = Range(0.0001, ANY_PRICE.high, "per kWh")
CARBON: Final = Range(0.0001, ANY_CARBON.high, "kg per kWh")
"""A page shows money and carbon as an axis, so it takes no less for a price and for carbon."""
CAP_KW: Final = Range(0.0, 1e15, "kW")
WATTS_PER_KW: Final = 1e3


class EnergyCost(NamedTuple):
    """What energy costs: money, and kilograms of CO2."""

    money: float
    carbon: float


@dataclass(frozen=True, slots=True)
class Site:
    """Prices are money for a kWh and for a kg of CO2; `carbon` is kg of CO2 for each kWh.

    `day_tariff` and `day_carbon` are the price and the carbon from hours of the day on; `price` and
    `carbon` then hold where the hour is not known. `cap_kw` limits the average power of the whole
    site; None is no limit.
    """

    price: float = setting(
        0.3,
        NumberIn(PRICE),
        "Electricity ({currency} per kWh)",
        flag=Flag("PER_KWH", "money a kWh", NumberIn(ANY_PRICE), "--energy-price"),
    )
    carbon: float = setting(
        0.35,
        NumberIn(CARBON),
        "Carbon (kg CO₂ per kWh)",
        flag=Flag("KG_PER_KWH", "kilograms of CO2 a kWh", NumberIn(ANY_CARBON)),
    )
    carbon_price: float = setting(
        0.0,
        NumberIn(CARBON_PRICE),
        "Carbon price ({currency} per kg)",
        "What each kg of CO₂ costs in addition to the electricity.",
        flag=Flag("PER_KG", "money a kg of CO2"),
    )
    pue: float = setting(
        1.0,
        NumberIn(PUE),
        "PUE",
        "Power usage effectiveness: the energy of the whole site for each joule of the machines.",
        flag=Flag("X", f"{PUE}"),
    )
    currency: str = setting(CURRENCIES[0], OneOf(CURRENCIES), "Currency")
    day_tariff: DailySteps = setting(
        (),
        ByHour(ANY_PRICE, "price", "money"),
        "Price by hour ({currency} per kWh)",
        flag=Flag(
            "HOUR:PRICE,...",
            "money a kWh from hours of the day on, as 0:0.20,7:0.35,20:0.20, or a CSV file with "
            "the columns from,price; without --energy-price, their mean holds elsewhere",
        ),
    )
    day_carbon: DailySteps = setting(
        (),
        ByHour(ANY_CARBON, "carbon", "kg"),
        "Carbon by hour (kg CO₂ per kWh)",
        flag=Flag("HOUR:KG,...", "the same of carbon; columns from,carbon"),
    )
    cap_kw: float | None = setting(
        None,
        NumberIn(CAP_KW),
        "Power cap (kW)",
        "The limit on the average power of the whole site. Leave it empty for no limit.",
        blank="none",
    )

    def on_a_page(self) -> Self:
        """The nearest site that a page can show."""
        near: dict[str, Any] = {
            name: kind.allowed.nearest(getattr(self, name))
            for name, kind in ((name, one.kind) for name, one in settings_in(type(self)).items())
            if isinstance(kind, NumberIn) and getattr(self, name) is not None
        }
        return replace(self, **near)

    @property
    def tariff(self) -> Tariff:
        return Tariff(self.price, self.carbon, self.carbon_price, self.pue)

    @property
    def cap_at_machines(self) -> float:
        """The average watts that the machines may draw; infinity without a cap."""
        return math.inf if self.cap_kw is None else self.cap_kw * WATTS_PER_KW / self.pue

    @property
    def day(self) -> DayTariff | None:
        """The price of a joule at the machines over the day, PUE and carbon included; None if no
        price changes with the hour.
        """
        prices, carbons = self.day_tariff, self.day_carbon if self.carbon_price else ()
        hours = {hour for hour, _ in (*prices, *carbons)}
        if not hours:
            return None
        prices, carbons = prices or ((0.0, self.price),), carbons or ((0.0, self.carbon),)
        return DayTariff.of_day(
            (
                hour,
                replace(
                    self.tariff,
                    price_per_kwh=at_hour(prices, hour),
                    carbon_per_kwh=at_hour(carbons, hour),
                ).per_joule,
            )
            for hour in hours
        )

    @property
    def changes_by_hour(self) -> bool:
        """Whether a price or the carbon of a kWh changes with the hour."""
        return bool(self.day_tariff or self.day_carbon)

    def cost_of(self, joules: float, by_hour: FloatArray | None = None) -> EnergyCost:
        """What joules of the machines cost, PUE included. If they are known `by_hour` of the day,
        each hour has its price and its carbon; otherwise those hold that are for no hour.
        """
        tariff, day = self.tariff, self.day
        money, carbon = tariff.cost(joules), tariff.carbon(joules)
        if by_hour is None:
            return EnergyCost(money, carbon)
        if day is not None:
            money = float(by_hour @ day.of_hours)
        if self.day_carbon:
            kilograms = DayTariff.of_day(self.day_carbon).of_hours
            carbon = self.pue * float(by_hour @ kilograms) / JOULES_PER_KWH
        return EnergyCost(money, carbon)

    @property
    def prices_are_assumed(self) -> bool:
        """Whether nobody has said what a kWh costs; the rest may be said."""
        known = self.price, self.day_tariff, self.carbon_price
        return known == (ASSUMED.price, ASSUMED.day_tariff, ASSUMED.carbon_price)

    @property
    def is_assumed(self) -> bool:
        """Whether nobody has said anything about it."""
        return self == ASSUMED


ASSUMED: Final = Site()
"""What is taken as long as nobody says anything."""
