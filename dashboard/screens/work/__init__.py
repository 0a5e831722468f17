"""The page Work, and how to read its chart."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Pairs as a heat map",
        "Each row is a task type, each column a machine type. Dark means a large value. A cell "
        "with a cross, or a blank one, is a pair that cannot run. A ring marks a pair whose values "
        "are estimates and not measurements; if neighbours share a cell, more than half of them "
        "are. If values differ widely, the colours have a logarithmic scale, and the title says "
        "so.",
    ),
)
