"""The page Import, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead
from dashboard.parts.machines.pairs import READING

READINGS: Final = (
    READING,
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
)
