"""The page About the numbers: all that the help drawers of the pages say. It has no charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final[tuple[HowToRead, ...]] = ()
