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
        """The site that is nearest to what is said, of those there can be; what is not said is
        assumed.
        """
        kinds = {name: one.kind for name, one in settings_in(cls).items()}
        near: dict[str, Any] = {
            name: kind.allowed.nearest(said[name])
            for name, kind in kinds.items()
            if name in said and isinstance(kind, NumberIn)
        }
        return cls(**(said | near))

    @property
    def tariff(self) -> Tariff:
        return Tariff(self.price, self.carbon, self.carbon_price, self.pue)

    @property
    def is_assumed(self) -> bool:
        """Whether nobody has said anything about it."""
        return self == ASSUMED


ASSUMED: Final = Site()
"""What is taken as long as nobody says anything."""
