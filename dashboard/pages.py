"""The pages, a line each: whoever adds one adds a folder and a line here."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class HowToRead:
    """The name of a chart, and how to read it, in Markdown."""

    name: str
    how: str


@dataclass(frozen=True, slots=True)
class Page:
    """`folder` is its path in the address. In it are `page.py` and `readings.py`, whose `READINGS`
    say how its charts are read. `state` is the module whose `STATE` keeps what the page is set to
    (`dashboard.workspace.page_state`), if anything.
    """

    folder: str
    title: str
    icon: str
    state: str | None = None


PAGES: Final = (
    Page("trade_offs", "Trade-offs", ":material/show_chart:", "dashboard.common.options_state"),
    Page("schedule", "Schedule", ":material/calendar_view_week:", "dashboard.common.scope_state"),
    Page("profit", "Profit", ":material/payments:", "dashboard.profit.state"),
    Page("compare", "Compare", ":material/compare_arrows:", "dashboard.compare.state"),
    Page("system", "System", ":material/dns:"),
    Page("fastest", "Fastest schedule", ":material/view_timeline:", "dashboard.common.scope_state"),
    Page("about", "About the numbers", ":material/help:"),
)
"""The first is where a visit begins."""
