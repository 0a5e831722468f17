"""Wishes as a person states them."""

from typing import Final

from core.front.wish_kinds import WISH_KINDS, StatedWish, WishParameter
from core.model.ranges import Range
from core.say.words import Sense, amount, duration, power
from dashboard.workspace.axis import Axis

KINDS: Final[dict[WishParameter, str]] = {kind.parameter: kind.label for kind in WISH_KINDS}
AMOUNT: Final = Range(1e-12, 1e18, "SI units")


def in_words(wish: StatedWish, axis: Axis) -> str:
    """The wish in words, as the title of its schedule. `axis` is the axis on which it is stated."""
    match wish.kind:
        case "deadline":
            return f"Done within {duration(wish.amount, Sense.TYPED)}"
        case "budget" | "money":
            return f"At most {axis.say(wish.si_amount(axis.per_joule), Sense.TYPED)}"
        case "cap":
            return f"At most {power(wish.amount, Sense.TYPED)} on average"
        case "rate":
            return f"One second is worth {amount(wish.amount, Sense.TYPED, 'J')}"
