"""The page System, and how to read its charts."""

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
