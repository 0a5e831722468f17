"""The page Fastest schedule, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Compared with other methods",
        "Each bar shows how far the makespan of a method is above the lower bound. Perhaps no "
        "schedule reaches the bound, so even the best schedule can have a bar.",
    ),
)
