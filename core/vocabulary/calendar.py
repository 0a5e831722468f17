"""The hours of a day and the days of a week."""

from typing import Final

HOURS_OF_DAY: Final = 24
WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
HOURS_OF_WEEK: Final = len(WEEKDAYS) * HOURS_OF_DAY
