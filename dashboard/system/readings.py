"""How to read the charts of this page."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Pairs as a heat map",
        "A row a task type, a column a machine type. Dark is much; a cell with a cross, or left "
        "blank, is a pair that cannot run. Where values range widely colours are logarithmic, "
        "which the title says.",
    ),
    HowToRead(
        "Best for",
        "For how many task types a machine type is the fastest, and for how many the thriftiest. "
        "Where the two differ there is time to be bought with energy.",
    ),
    HowToRead(
        "Speed against thrift",
        "A point a machine type. Left is fast, low is thrifty; both are averages (geometric) over "
        "the task types that it can run, against the best machine type for each.",
    ),
)
