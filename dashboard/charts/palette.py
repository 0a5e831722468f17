"""Colours that stay apart for colour-blind readers, on light and dark ground."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

# Okabe and Ito's hues, the lightest last.
_HUES: Final = (
    (0, 114, 178),
    (230, 159, 0),
    (0, 158, 115),
    (204, 121, 167),
    (86, 180, 233),
    (213, 94, 0),
    (140, 140, 150),
    (240, 228, 66),
)
_WHITE: Final = (255, 255, 255)
_BLACK: Final = (0, 0, 0)
_INKS: Final = (_WHITE, (16, 20, 26))
# How far each round through the hues goes towards another colour.
_ROUNDS: Final = ((_WHITE, 0.0), (_WHITE, 0.5), (_BLACK, 0.4), (_WHITE, 0.25))

# Cividis without its darkest end, which would be lost on a dark page.
SEQUENTIAL: Final = (
    (0.0, "rgb(0, 52, 110)"),
    (0.25, "rgb(79, 87, 108)"),
    (0.5, "rgb(124, 123, 120)"),
    (0.75, "rgb(187, 173, 108)"),
    (1.0, "rgb(254, 232, 56)"),
)
OURS: Final = "#0072b2"
OTHERS: Final = "#8c8c96"
BOUND: Final = "#d55e00"
"""What is proven."""
RIVAL: Final = "#009e73"
CHOSEN: Final = "#cc79a7"
LEVEL: Final = "#d55e00"
"""A line at which values are read off: a peak, an average."""
GAIN: Final = "#009e73"
LOSS: Final = "#cc3311"
STRIPE: Final = "rgba(255, 255, 255, 0.85)"
"""Across a loss, which is told from a gain by more than its colour."""
ACHIEVED: Final = "rgba(86, 180, 233, 0.16)"
POSSIBLE: Final = "rgba(230, 159, 0, 0.4)"
FEASIBLE: Final = "rgba(86, 180, 233, 0.12)"
"""Fainter than what is achieved or possible: lines cross it that must be seen."""
FORBIDDEN: Final = "rgba(128, 134, 142, 0.16)"
HATCHED: Final[dict[str, Any]] = {
    "shape": "/",
    "size": 9,
    "solidity": 0.1,
    "fgcolor": "rgba(128, 134, 142, 0.35)",
    "bgcolor": FORBIDDEN,
}
"""Where nothing can be."""
EDGE: Final = "rgba(20, 26, 33, 0.55)"
GRID: Final = "rgba(128, 140, 152, 0.25)"
INK: Final = "#14181e"
"""Text that stands on what is drawn, whatever the colour of the page."""
VEIL: Final = "rgba(255, 255, 255, 0.82)"
"""Behind such text, where what is drawn is too dark for it."""
UNSEEN: Final = "rgba(0, 0, 0, 0)"
"""Of what is there for the pointer alone."""


@dataclass(frozen=True, slots=True)
class Paint:
    """A fill, and the ink that is read well on it."""

    fill: str
    ink: str


def paint(rank: int) -> Paint:
    """The colour of the `rank`-th category; neighbours in rank differ in hue."""
    hue = _HUES[rank % len(_HUES)]
    towards, way = _ROUNDS[rank // len(_HUES) % len(_ROUNDS)]
    mixed = [round(own + (other - own) * way) for own, other in zip(hue, towards, strict=True)]
    ink = max(_INKS, key=lambda ink: _contrast(_luminance(ink), _luminance(mixed)))
    return Paint(_css(mixed), _css(ink))


def shade(share: float) -> str:
    """A colour from blue to orange, told apart on light and dark ground."""
    low, high = _HUES[:2]
    return _css([round(a + (b - a) * share) for a, b in zip(low, high, strict=True)])


def _css(rgb: Sequence[int]) -> str:
    return f"rgb({', '.join(map(str, rgb))})"


def _luminance(rgb: Sequence[int]) -> float:
    """As WCAG 2 defines it, 0 to 1."""
    parts = (c / 255 for c in rgb)
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: float, other: float) -> float:
    """As WCAG 2 defines it, 1 to 21."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


MIXED: Final = Paint("rgb(91, 96, 104)", "rgb(255, 255, 255)")
