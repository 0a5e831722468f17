"""Colours of pictures, which colour-blind readers can tell apart."""

from typing import Final

# Okabe and Ito's palette, the most distinct first.
COLOURS: Final = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#E69F00",
    "#000000",
)
# Places in it.
BLUE, VERMILION, GREEN, PURPLE, BLACK = 0, 1, 2, 3, 6
