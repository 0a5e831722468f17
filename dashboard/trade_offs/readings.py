"""How to read the charts of this page."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "The front",
        "Energy to the right, time upwards: down and to the left is better. Nothing can be where "
        "it says *Impossible*, this is proven. *Achieved* is all that is up and to the right of "
        "the staircase of schedules: one of them, or worse than one. The true limit of whole tasks "
        "runs somewhere through the strip between, *Possible*. Where the front is steep, a little "
        "energy buys much time; where it is flat, time is dear. Rings are points that the "
        "running polish has reached; they are not checked yet.",
    ),
    HowToRead(
        "At other idle powers",
        "The more an idle machine draws, the less there is to gain by waiting: less can be saved, "
        "and the thriftiest schedule is done sooner. The ring is the idle power at hand. In the "
        "chart of the front a dashed line is the front before the last change.",
    ),
)
