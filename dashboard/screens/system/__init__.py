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
        "Runs of each type, and of each pair",
        "From an accounting log. Bars count the runs of a type. In the map of pairs, dark means "
        "many runs, ≈ a pair that was estimated, and × one that cannot run.",
    ),
    HowToRead(
        "Times and powers of a task type",
        "From an accounting log, on each machine type. The point is the typical value, and hollow "
        "if it is an estimate. Half of the runs lie within the bar, four fifths within the line.",
    ),
    HowToRead(
        "Replayed",
        "The diamond is what the log's own jobs took. No schedule of the same tasks is below the "
        "line, and each point is such a schedule. The page lists what the comparison assumes.",
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
