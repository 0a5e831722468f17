"""How to read the charts of this page."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Fronts of several what-ifs",
        "Each line is what no schedule of that system can beat; a thin dotted one leads to its "
        "name. Where one lies left of and below another it is better at any deadline; where "
        "they cross, the deadline decides.",
    ),
)
