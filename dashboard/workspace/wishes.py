"""Wishes as a person states them."""

from dataclasses import dataclass
from typing import Final

from core import Deadline, EnergyBudget, PowerCap
from core.front.wish import ExchangeRate, Wish
from core.front.wish_kinds import WISH_KINDS, WishParameter
from core.model.ranges import Range
from core.say.words import Sense, amount, duration, power
from dashboard.workspace.axis import Axis

Kind = WishParameter
KINDS: Final[dict[Kind, str]] = {kind.parameter: kind.label for kind in WISH_KINDS}
AMOUNT: Final = Range(1e-12, 1e18, "SI units")


@dataclass(frozen=True, slots=True)
class PageWish:
    """A wish: its kind, and how much in SI units (s, J, W, J/s), or in money.

    The axis of its methods is that on which it is stated: of money, where it is about that.
    """

    kind: Kind
    amount: float

    def wish(self, axis: Axis) -> Wish:
        match self.kind:
            case "deadline":
                return Deadline(self.amount)
            case "budget" | "money":
                return EnergyBudget(self.joules(axis))
            case "cap":
                return PowerCap(self.amount)
            case "rate":
                return ExchangeRate(self.amount)

    def joules(self, axis: Axis) -> float:
        """Of a wish for energy or money: what is allowed."""
        return axis.joules(self.amount) if self.kind == "money" else self.amount

    def words(self, axis: Axis) -> str:
        """The wish itself, as the title of what answers it."""
        if self.kind == "deadline":
            return f"Done within {duration(self.amount, Sense.TYPED)}"
        if self.kind in ("budget", "money"):
            return f"At most {axis.say(self.joules(axis), Sense.TYPED)}"
        if self.kind == "cap":
            return f"At most {power(self.amount, Sense.TYPED)} on average"
        return f"A second is worth {amount(self.amount, Sense.TYPED, 'J')}"
