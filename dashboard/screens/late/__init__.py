"""The page Late and uncertain, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Makespan and energy of bags",
        "For each method, what it expected from estimates and what then happened. A box is the "
        "middle half of all bags, the line in it the median; thin lines reach from the least to "
        "the most. Of a single bag there is a bar. Estimates are too long, so bags end "
        "before they are expected to. The dashed line is the mean of the lower bounds: no method "
        "could have been below it on average.",
    ),
    HowToRead(
        "Unit by unit",
        "Each row is one unit of a pool: a machine, or a core of a drawn one. Each bar is a task "
        "in the colour of its type, as it really ran.",
    ),
)
