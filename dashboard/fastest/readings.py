"""How to read the charts of this page."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Against other methods",
        "How far each method ends above the proven bound. The bound need not be reachable, so that "
        "even the best schedule there is may have a bar.",
    ),
)
