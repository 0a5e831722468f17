"""The page Arrivals, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Worth by policy",
        "A bar for each policy: what the jobs earned, as a share of what they would be worth if "
        "each began when it arrived. With more than one day, the bar is the mean, and the line at "
        "its end is the 95 % interval. No policy can reach beyond the dashed line.",
    ),
)
