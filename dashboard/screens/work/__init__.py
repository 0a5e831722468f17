"""The page Work, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead
from dashboard.parts.machines.pairs import READING

READINGS: Final = (
    READING,
    HowToRead(
        "When tasks come",
        "A bar for each hour of the week, or of the day if no week is known: how many tasks come "
        "in it on average, with a part for each task type. The types with the most tasks have a "
        "colour of their own.",
    ),
)
