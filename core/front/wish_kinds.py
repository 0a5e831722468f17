"""The kinds of wishes that a person can state, and their names on pages, in files, in commands."""

from dataclasses import dataclass
from typing import Final, Literal

from core.front.wish import Deadline, EnergyBudget, ExchangeRate, PowerCap

WishParameter = Literal["deadline", "budget", "cap", "money", "rate"]


@dataclass(frozen=True, slots=True)
class WishKind:
    """`flag` is its name on the command line and in study files, `parameter` in the address of a
    page, and `label` on the page. If `in_money`, its amount is money, which a tariff converts to
    energy; other amounts are in SI units.
    """

    flag: str
    parameter: WishParameter
    label: str
    wish: type[Deadline | EnergyBudget | PowerCap | ExchangeRate]
    in_money: bool = False


WISH_KINDS: Final = (
    WishKind("deadline", "deadline", "Deadline", Deadline),
    WishKind("energy-budget", "budget", "Energy", EnergyBudget),
    WishKind("power-cap", "cap", "Power", PowerCap),
    WishKind("cost-budget", "money", "Money", EnergyBudget, in_money=True),
    WishKind("exchange-rate", "rate", "Rate", ExchangeRate),
)
"""In the order in which they are offered."""

SI_WISHES: Final = {kind.flag: kind.wish for kind in WISH_KINDS if not kind.in_money}
"""The wishes that need no tariff, by their flag."""
