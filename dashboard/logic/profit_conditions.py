"""What a person says that a bag earns and costs, in units that people use."""

import math
from dataclasses import dataclass
from typing import Final, Literal

from core.front.wish import Tariff
from core.profit.terms import Terms, ratio_price
from core.relaxed import Front
from core.system import Range
from core.words import HOUR
from dashboard.logic.axis import CURRENCIES
from dashboard.logic.profit_money import JOULES_WORTH, Money

By = Literal["ratio", "bag"]
PRICED_BY: Final[dict[By, str]] = {"ratio": "Profit ratio", "bag": "Price a bag"}
Electricity = Literal["kWh", "joule"]
ELECTRICITY: Final[dict[Electricity, str]] = {
    "kWh": "A price a kWh",
    "joule": "1 a joule, as published",
}
RATIO: Final = Range(0.3, 3.0, "times the cost of the least energy")
AMOUNT: Final = Range(0.0, 1e15, "")
PUE: Final = Range(1.0, 5.0, "")
_WATTS_PER_KW: Final = 1e3


@dataclass(frozen=True, slots=True)
class Conditions:
    """Prices are money: a bag, a kWh, a kg of CO2; `carbon` is kg of CO2 a kWh.

    `wear` is money a busy hour and `depreciation` money an hour of one machine of each type (a
    second where electricity costs 1 a joule); empty is none. `cap_kw` is of the whole site.
    """

    by: By = "ratio"
    ratio: float = 1.2
    price: float = 1.0
    electricity: Electricity = "kWh"
    energy_price: float = 0.3
    currency: str = CURRENCIES[0]
    carbon: float = 0.0
    carbon_price: float = 0.0
    pue: float = 1.0
    overhead: float = 0.0
    cap_kw: float | None = None
    wear: tuple[float, ...] = ()
    depreciation: tuple[float, ...] = ()

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

    def unit_price(self, front: Front) -> float:
        """The price of a bag at ratio 1: what the least energy costs."""
        return ratio_price(front, 1.0, self.money_a_joule)

    def terms(self, front: Front) -> Terms:
        seconds = self.money.seconds
        return Terms(
            self.ratio * self.unit_price(front) if self.by == "ratio" else self.price,
            self.money_a_joule,
            self.pue,
            self.overhead,
            tuple(rate / seconds for rate in self.wear),
            tuple(rate / seconds for rate in self.depreciation),
            math.inf if self.cap_kw is None else self.cap_kw * _WATTS_PER_KW,
        )

    def words(self, terms: Terms, front: Front) -> str:
        """How a bag is priced, to begin a sentence with."""
        if self.by == "ratio":
            return f"At {self.ratio:.4g} times the cost of the least energy"
        unit = self.unit_price(front)
        times = f" ({terms.price / unit:.3g} times the cost of the least energy)" if unit else ""
        return f"At {self.money.say(terms.price)} a bag{times}"
