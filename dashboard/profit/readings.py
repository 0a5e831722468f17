"""How to read the charts of this page."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Energy, time, and what they earn",
        "A point of the shaded region is what a batch may take of energy and time; nothing is "
        "outside it. Beside the best point stands what any schedule earns at most, which is "
        "proven, and beside the schedule found what that earns; below 0 is a loss. What is hatched "
        "draws more power on average than the cap allows.",
    ),
    HowToRead(
        "Profit over the price of a batch",
        "The solid line is what no schedule can beat at that price, the dashed one the most that "
        "one of the front can earn: where it lies lower, being slower than all of them loses "
        "less, or running nothing does. Dotted lines mark where profit begins, and from where the "
        "fastest is best.",
    ),
    HowToRead(
        "Over a range",
        "The most that can be earned while one quantity changes and everything else stays; each "
        "point is solved by itself. The dashed line is where you are; where the line has a gap, "
        "the power cap cannot be kept.",
    ),
    HowToRead(
        "Lines of equal profit",
        "All points of a line earn the same; losses are dashed. The best point of the region is "
        "where the highest line just touches it. All lines meet at one energy, which costs as "
        "much as a batch brings: a batch that takes less earns more by being faster, one that "
        "takes more loses less by being slower.",
    ),
    HowToRead(
        "When to start",
        "What the schedule found costs, by the hour at which it begins. The cheapest start is "
        "exact for this schedule; another schedule may suit the tariff better.",
    ),
)
