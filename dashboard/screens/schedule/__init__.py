"""The page Schedule, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Overview of a schedule",
        "Each row is a machine type; its height stands for all its machines. The height of a "
        "colour is the share of them that run this task type at that time. Blank means idle.",
    ),
    HowToRead(
        "Gantt chart",
        "Each row is a machine, or several that run the same tasks. A block is a run of equal "
        "tasks; the number after × is their count. The task types with most work have their own "
        "colours, the others share one. The dotted line is the lower bound: no schedule ends "
        "before it. Very short neighbouring blocks are drawn as one.",
    ),
    HowToRead(
        "Power over time",
        "The power of all machines, idle ones included, stacked by machine type. The area is the "
        "energy. The peak is the largest power at any moment. The average is the energy divided by "
        "the makespan; a power cap limits the average, not the peak.",
    ),
    HowToRead(
        "How busy the machines are",
        "The share of the time that machines spend on tasks, in each span of time. Machines never "
        "wait between tasks, so idle time is always at the end of a row.",
    ),
    HowToRead(
        "Energy at work and idle",
        "Energy at work is all energy that a machine uses while it runs tasks, idle power "
        "included. Idle energy is used by machines that have finished and wait for the last one; "
        "if they are switched off then, they are asleep, and use little.",
    ),
    HowToRead(
        "What happened",
        "Both charts have the same machines and the same time axis, which begins with the first "
        "start. Equal tasks with no visible wait between them are one block. A cross marks the end "
        "of a task that failed. If there are many machines, those that deviate most are shown.",
    ),
)
