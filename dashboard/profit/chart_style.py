"""What the charts of the page Profit share: colours of gains and losses, and round steps."""

import math
from typing import Final

from dashboard.common.palette import GAIN, LOSS

HEIGHT: Final = 430
_STEPS: Final = (1.0, 2.0, 5.0, 10.0)


def of_value(value: float) -> str:
    return LOSS if value < 0 else GAIN


def rounded_up(amount: float) -> float:
    """The amount, rounded up to 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(amount))
    return power * next(step for step in _STEPS if amount <= step * power * (1 + 1e-9))
