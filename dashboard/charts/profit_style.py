"""What the figures of the profit page have in common: gains and losses."""

from typing import Any, Final

HEIGHT: Final = 430
GAIN: Final = "#009e73"
LOSS: Final = "#cc3311"
STRIPES: Final[dict[str, Any]] = {
    "shape": "/",
    "size": 6,
    "solidity": 0.35,
    "fgcolor": "rgba(255, 255, 255, 0.85)",
    "bgcolor": LOSS,
}
"""A loss is told from a gain by more than its colour."""


def of_value(value: float) -> str:
    return LOSS if value < 0 else GAIN
