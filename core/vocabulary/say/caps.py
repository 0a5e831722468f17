"""What a power cap promises: it limits the average power, and leaves the peak open."""

from typing import Final

from core.vocabulary.say.words import Sense, power
from core.vocabulary.tolerances import SAME

CAPS_LIMIT_AVERAGES: Final = "power caps limit the average power, not the peak"


def peak_in_words(peak: float, cap: float) -> str:
    """A clause on the peak (W) of a schedule whose average power keeps a cap (W)."""
    limit = power(cap, Sense.TYPED)
    if peak <= cap * (1 + SAME):
        return f"its power never exceeds the cap of {limit}"
    return (
        f"the cap of {limit} limits only its average power: the peak is "
        f"{power(peak, Sense.SPENT, cap)}"
    )
