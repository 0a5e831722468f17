"""Opens bags from a file: a system with release dates, data and a network."""

from typing import Final

from core.capabilities.fair_shares.bags_reader import inspect_bags_bytes
from dashboard.parts.opening.panel import OpeningPanel
from dashboard.screens.fair_shares import state

OPENING: Final = OpeningPanel(
    "fair_shares.bags",
    "The bags",
    "This file has no valid bags.",
    inspect_bags_bytes,
    lambda file, bags: state.give(file.name, bags),
    verb="were",
)


def show_open_bags() -> None:
    """The upload of bags."""
    OPENING.show(
        "Bags: ZIP of CSV tables, Excel workbook, or JSON document",
        "A system whose table tasks has the columns release (s) and data (MB a task), whose "
        "table machines has link (MB/s) and memory (MB), and network.toml with the bandwidth "
        "(MB/s); in a workbook that is a sheet network. All of them may be missing.",
    )
