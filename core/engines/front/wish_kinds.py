"""The kinds of wishes that a person can state, and their names on pages, in files, in commands."""

from dataclasses import dataclass
from typing import Final, Literal

from core.engines.front.wish import Deadline, EnergyBudget, ExchangeRate, PowerCap, Wish

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

_KINDS: Final = {kind.parameter: kind for kind in WISH_KINDS}


@dataclass(frozen=True, slots=True)
class StatedWish:
    """A wish as a person states it, on a command line or on a page.

    `amount` is in SI units (s, J, W, J/s) or, if the kind is `in_money`, in money.
    """

    kind: WishParameter
    amount: float

    @property
    def flag(self) -> str:
        """The name of its kind on the command line and in study files."""
        return _KINDS[self.kind].flag

    def si_amount(self, per_joule: float = 0.0) -> float:
        """The amount in SI units. A kind in money needs `per_joule`, the money that a joule costs;
        raises `ValueError` if that is 0.
        """
        if not _KINDS[self.kind].in_money:
            return self.amount
        if not per_joule > 0:
            raise ValueError("if energy costs nothing, money is not a limit; give a price above 0")
        return self.amount / per_joule

    def wish(self, per_joule: float = 0.0) -> Wish:
        """The wish itself; `per_joule` is that of `si_amount`."""
        return _KINDS[self.kind].wish(self.si_amount(per_joule))
