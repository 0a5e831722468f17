"""Money as people read it: amounts, and rates an hour or a second."""

from dataclasses import dataclass
from typing import Final
from unicodedata import category

from core.vocabulary.say.words import HOUR, Sense, amount

JOULES_WORTH: Final = "¤"
"""The unit of the publication: the money that one joule costs."""
MOST_CURRENCY: Final = 12
"""Characters of a currency at most: it stands beside numbers."""


def currency_fault(text: str) -> str | None:
    """Why a text cannot name a currency, and the remedy; None if it can.

    A currency stands beside numbers on pages and in charts, and these take some characters for
    markup, "$" among them.
    """
    plain = all(sign.isalnum() or sign in " .'" or category(sign) == "Sc" for sign in text)
    if plain and "$" not in text and text.strip() and len(text) <= MOST_CURRENCY:
        return None
    return (
        f"is not a currency; give letters, or a symbol other than $, at most {MOST_CURRENCY} of "
        "them, such as EUR, USD or €"
    )


@dataclass(frozen=True, slots=True)
class Money:
    """A currency, and the seconds that its rates are for."""

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
