"""The kinds of wishes that a person can state, and what each is called where it is stated."""

from dataclasses import dataclass
from typing import Final, Literal

from core.front.wish import Deadline, EnergyBudget, ExchangeRate, PowerCap

WishParameter = Literal["deadline", "budget", "cap", "money", "rate"]


@dataclass(frozen=True, slots=True)
class WishKind:
    """`flag` names it on a command line and in a study file, `parameter` in the address of a page,
    and `label` on the page. With `in_money` its amount is money, which a tariff turns into energy;
    the amounts of all others are in SI units.
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
