"""The page Profit, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Energy, time and profit",
        "A batch can take the energy and time of any point in the shaded region, if tasks can be "
        "split; no schedule is outside it. The upper bound on profit is written beside the "
        "divisible optimum, and the profit of the schedule found beside that schedule. A value "
        "below 0 is a loss. The hatched region has more average power than the cap allows.",
    ),
    HowToRead(
        "Profit over the price of a batch",
        "The solid line is the upper bound on profit at each price. The dashed line is the best "
        "profit on the front; where it is lower, a schedule off the front loses less, or running "
        "nothing does. Dotted lines mark the break-even price, and the price from which the "
        "fastest schedule is best.",
    ),
    HowToRead(
        "Profit over a range",
        "The upper bound on profit while one quantity changes and all others stay the same. The "
        "dashed line marks the present value. Where the line is interrupted, no schedule keeps the "
        "power cap.",
    ),
    HowToRead(
        "Lines of equal profit",
        "All points of a line have the same profit; dashed lines are losses. The best point of the "
        "region is where the line of the highest profit touches it. All lines meet at one energy, "
        "the pivot, which costs as much as a batch brings. A batch that takes less energy earns "
        "more if it is faster; a batch that takes more loses less if it is slower.",
    ),
    HowToRead(
        "When to start",
        "The cost of electricity of the schedule found, by the hour at which it starts. The "
        "cheapest start is exact for this schedule; another schedule may be cheaper.",
    ),
)
