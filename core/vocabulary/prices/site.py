"""The site of the machines: what its energy costs. It is the same for every question."""

from dataclasses import dataclass
from typing import Any, Final, Self

from core.vocabulary.prices.tariff import CARBON_PRICE, PUE, Tariff
from core.vocabulary.ranges import Range
from core.vocabulary.setting import NumberIn, OneOf, setting, settings_in

CURRENCIES: Final = ("EUR", "USD", "GBP", "CHF", "CNY", "INR", "JPY")
PRICE: Final = Range(0.0001, 1e9, "per kWh")
CARBON: Final = Range(0.0001, 1e3, "kg per kWh")


@dataclass(frozen=True, slots=True)
class Site:
    """Prices are money for a kWh and for a kg of CO2; `carbon` is kg of CO2 for each kWh."""

    price: float = setting(0.3, NumberIn(PRICE), "Electricity ({currency} per kWh)")
    carbon: float = setting(0.35, NumberIn(CARBON), "Carbon (kg CO₂ per kWh)")
    carbon_price: float = setting(
        0.0,
        NumberIn(CARBON_PRICE),
        "Carbon price ({currency} per kg)",
        "What each kg of CO₂ costs in addition to the electricity.",
    )
    pue: float = setting(
        1.0,
        NumberIn(PUE),
        "PUE",
        "Power usage effectiveness: the energy of the whole site for each joule of the machines.",
    )
    currency: str = setting(CURRENCIES[0], OneOf(CURRENCIES), "Currency")

    @classmethod
    def nearest(cls, **said: Any) -> Self:
        """The site that is nearest to what is said, of those there can be. What is said to be 0,
        and cannot be, is taken as assumed.
        """
        known: dict[str, Any] = {}
        for name, value in said.items():
            kind = settings_in(cls)[name].kind
            if not isinstance(kind, NumberIn):
                known[name] = value
            elif value or kind.allowed.low == 0:
                known[name] = kind.allowed.nearest(value)
        return cls(**known)

    @property
    def tariff(self) -> Tariff:
        return Tariff(self.price, self.carbon, self.carbon_price, self.pue)

    @property
    def is_assumed(self) -> bool:
        """Whether nobody has said anything about it."""
        return self == ASSUMED


ASSUMED: Final = Site()
"""What is taken as long as nobody says anything."""
