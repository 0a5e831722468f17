"""The page What if, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Fronts of several what-ifs",
        "Each line is the lower bound of one system: none of its schedules is below it. A thin "
        "dotted line leads to its name. A line that is left of and below another line is better at "
        "any deadline. Where two lines cross, the deadline decides which system is better.",
    ),
)
