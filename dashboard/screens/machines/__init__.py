"""The page Machines, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Best for",
        "The number of task types for which a machine type is the fastest, and for which it is the "
        "thriftiest. Where the two differ, you can trade energy for time.",
    ),
    HowToRead(
        "Speed and energy",
        "Each point is a machine type. Left is fast, low is thrifty. Both are geometric means over "
        "the task types that it can run, relative to the best machine type for each.",
    ),
)
