"""What is asked of `solve` beside its effort and a wish. Each setting is declared once."""

from dataclasses import dataclass
from typing import Final

from core.capabilities.makespan.methods import AIMS, METHODS, Aim
from core.vocabulary.prices.tariff import CARBON, CARBON_PRICE, PUE, Tariff
from core.vocabulary.ranges import Range
from core.vocabulary.setting import Flag, NumberIn, OneOf, setting

PRICE: Final = Range(1e-9, 1e9, "a kWh")


@dataclass(frozen=True, slots=True)
class SolveSettings:
    """The aim and the method. A wish has an aim of its own."""

    minimise: Aim = setting(AIMS[0], OneOf(AIMS), flag=Flag("", f"the aim (default {AIMS[0]})"))
    method: str = setting(
        METHODS[0],
        OneOf(METHODS),
        flag=Flag(
            "",
            "lp (the default) polishes the schedule of the linear program; paper is the published "
            "method and nothing more; the others are rivals, which know only the makespan",
        ),
    )


@dataclass(frozen=True, slots=True)
class PriceSettings:
    """What energy costs, for a wish in money, which needs at least the price."""

    price: float | None = setting(None, NumberIn(PRICE), flag=Flag("PER_KWH", "money a kWh"))
    carbon: float = setting(
        0.0, NumberIn(CARBON), flag=Flag("KG_PER_KWH", "kilograms of CO2 a kWh (default 0)")
    )
    carbon_price: float = setting(
        0.0, NumberIn(CARBON_PRICE), flag=Flag("PER_KG", "money a kg of CO2 (default 0)")
    )
    pue: float = setting(
        1.0,
        NumberIn(PUE),
        flag=Flag("X", "joules that the site draws for each joule of its machines (default 1)"),
    )

    @property
    def tariff(self) -> Tariff | None:
        """What a joule costs; None without a price."""
        if self.price is None:
            return None
        return Tariff(self.price, self.carbon, self.carbon_price, self.pue)
