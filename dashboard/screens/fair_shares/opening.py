"""Opens bags from a file: a system with release dates, data and a network."""

from typing import Final

from core.capabilities.fair_shares.bags_reader import inspect_bags_bytes
from dashboard.parts.frame.handed import Opening
from dashboard.screens.fair_shares import state

OPENING: Final = Opening(
    "fair_shares.bags",
    "The bags",
    "This file has no valid bags.",
    inspect_bags_bytes,
    lambda file, bags: state.give(file.name, bags),
    verb="were",
)
