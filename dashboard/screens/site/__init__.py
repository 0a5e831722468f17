"""The page Site, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "The day at the site",
        "What a kWh at the meter costs over the day, and below it the CO₂ that it emits. The hours "
        "of the least are green. A bar of 24 hours: the number is the same all day.",
    ),
)
