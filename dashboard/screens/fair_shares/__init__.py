"""The page Fair shares, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Release and promise of each bag",
        "A row for each bag. It is released at the upright mark; the solid bar is how long it "
        "takes alone, and the diamond is by when it is done even in the worst case. A cross in "
        "place of a diamond is a promise that cannot be kept. Open diamonds are the promises "
        "before a change.",
    ),
    HowToRead(
        "Links and machines in the plan",
        "A row for what the master sends, for each link that is used, and for each kind of "
        "machines. The height of a bar is the part that a bag has of it; the rest is idle.",
    ),
)
