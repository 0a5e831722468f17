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
    HowToRead(
        "Map of a sweep",
        "Each cell is a run: the system with the values below and beside the cell. Its colour is a "
        "proven figure of that system: no schedule is better. All maps side by side have the same "
        "colours. A blank cell is impossible, or not computed yet. Click a cell to see its "
        "figures.",
    ),
    HowToRead(
        "Lines of a sweep",
        "Each line joins the runs of one value of the second axis, and the legend says which. A "
        "line is interrupted where a run is impossible, or not computed yet. Click a point to see "
        "its figures.",
    ),
)
