"""How to read the charts of this page."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Overview of a schedule",
        "A row a machine type, as high as all its machines together. The height of a colour is the "
        "share of them that run this task type at that time; what is blank idles.",
    ),
    HowToRead(
        "Gantt chart",
        "A row a machine, or several that run the same. A block is a run of equal tasks, the "
        "number after × says how many. The task types with most work have colours of their own; "
        "the others share one. The dotted line is the proven bound: no schedule ends before it. "
        "Very short blocks next to each other are drawn as one.",
    ),
    HowToRead(
        "Power over time",
        "What all machines draw, stacked by machine type, idle ones included. The area is the "
        "energy. The peak is the highest moment, the average is energy over makespan; a cap on "
        "average power does not limit the peak.",
    ),
    HowToRead(
        "How busy the machines are",
        "The share of machine time spent on tasks in each span of time. Machines never wait "
        "between tasks, so idle time is always at the end of a row.",
    ),
    HowToRead(
        "Energy at work and idle",
        "Energy at work is all that a machine draws while it runs tasks, its idle part included. "
        "Idle energy is drawn by machines that are done and wait for the last one.",
    ),
)
