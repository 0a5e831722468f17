"""The page Trade-offs, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "The front",
        "Energy grows to the right, time upwards: down and to the left is better. It is proven "
        "that no schedule is in the region *Impossible*. For each point of the region *Achieved* "
        "a schedule was found that is as good or better. In the strip between, *Possible*, a "
        "better schedule may exist. Where the front is steep, a little energy saves much time; "
        "where it is flat, saving time costs much energy. Rings are points that a running polish "
        "has reached; the judge has not checked them yet. Machines stay on until the last task "
        "ends, or are switched off when their own last task ends: the switch beside the chart "
        "says which, for every page.",
    ),
    HowToRead(
        "At other idle powers",
        "The more power an idle machine draws, the less energy slow schedules save, and the "
        "shorter the thriftiest schedule becomes. The ring marks the present idle power. In the "
        "chart of the front, a dashed line is the front before the last change.",
    ),
)
