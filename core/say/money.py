"""Money as people read it: amounts, and rates an hour or a second."""

from dataclasses import dataclass
from typing import Final

from core.say.words import HOUR, Sense, amount

JOULES_WORTH: Final = "¤"
"""The money that one joule costs: what the publication counts in."""


@dataclass(frozen=True, slots=True)
class Money:
    """A currency, and for how many seconds its rates are told."""

    currency: str
    seconds: float

    @property
    def per(self) -> str:
        return "h" if self.seconds == HOUR else "s"

    @property
    def rate_unit(self) -> str:
        return f"{self.currency}/{self.per}"

    def rate(self, a_second: float) -> float:
        """Money an hour, or a second, from money a second."""
        return a_second * self.seconds

    def say(self, money: float, sense: Sense) -> str:
        return amount(money, sense, self.currency)

    def say_rate(self, a_second: float, sense: Sense) -> str:
        return amount(self.rate(a_second), sense, self.rate_unit)
