"""Money as people read it: amounts, and rates an hour or a second."""

from dataclasses import dataclass
from typing import Final

from core.words import HOUR, Towards, significant

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

    def say(self, amount: float, towards: Towards = round) -> str:
        return f"{significant(amount, towards)} {self.currency}"

    def say_rate(self, a_second: float, towards: Towards = round) -> str:
        return f"{significant(self.rate(a_second), towards)} {self.rate_unit}"
