"""Tariffs: what energy costs in money and carbon."""

from dataclasses import dataclass
from typing import Final

from core.vocabulary.ranges import Range
from core.vocabulary.say.words import JOULES_PER_KWH

MONEY: Final = Range(0.0, 1e15, "of any currency")
CARBON: Final = Range(0.0, 1e3, "kg of CO2 a kWh")
CARBON_PRICE: Final = Range(0.0, 1e9, "a kg of CO2")
PUE: Final = Range(1.0, 100.0, "joules of the site for one of its machines")


@dataclass(frozen=True, slots=True)
class Tariff:
    """What energy costs: money a kWh, kg of CO2 a kWh, money a kg of it; and how many joules the
    site draws for one that its machines do (PUE).
    """

    price_per_kwh: float
    carbon_per_kwh: float = 0.0
    price_of_carbon: float = 0.0
    pue: float = 1.0

    @property
    def per_joule(self) -> float:
        """Money for each joule at the machines."""
        price = self.price_per_kwh + self.carbon_per_kwh * self.price_of_carbon
        return self.pue * price / JOULES_PER_KWH

    def cost(self, joules: float) -> float:
        """The money that so many joules cost."""
        return self.per_joule * joules

    def carbon(self, joules: float) -> float:
        """The kilograms of CO2 that so many joules emit."""
        return self.pue * self.carbon_per_kwh * joules / JOULES_PER_KWH
