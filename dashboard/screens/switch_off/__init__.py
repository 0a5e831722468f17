"""The page What to switch off, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Energy over jobs that wait",
        "Each point is a plan: after how long without a job nodes sleep, and how many always stay "
        "awake. To the right more jobs find a node asleep and wait for its start; down, nodes "
        "without work draw less. Plans are chosen by the first half of the log (thin line) and "
        "judged by the second (thick line, what you would have got). The upper dashed line is all "
        "nodes on; below the lower one no plan can be, unless it lets jobs wait. The ring is the "
        "plan that is advised; a click on a point takes another.",
    ),
    HowToRead(
        "Nodes needed by hour of the week",
        "A row for each day, a column for each hour: the most nodes of the type that were busy at "
        "once in that hour, in any week of the log.",
    ),
)
