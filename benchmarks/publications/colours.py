"""The palette of pictures, on white."""

from typing import Final

PICTURE_COLOURS: Final = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#E69F00",
    "#000000",
)
"""By Okabe and Ito, which colour-blind readers can tell apart, the most distinct first."""
# Positions in `PICTURE_COLOURS`.
BLUE, VERMILION, GREEN, PURPLE, BLACK = 0, 1, 2, 3, 6
