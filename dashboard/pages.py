"""The registry of pages: to add a page, add a folder and a line here."""

from dataclasses import dataclass
from itertools import chain
from typing import Final


@dataclass(frozen=True, slots=True)
class HowToRead:
    """The name of a chart, and how to read it, in Markdown."""

    name: str
    how: str


@dataclass(frozen=True, slots=True)
class Page:
    """`folder` is also the path in the address. It has `page.py`, and `READINGS` in its
    `__init__.py`: how to read its charts. `state` is the module whose `STATE` keeps the settings of
    the page (`dashboard.workspace.page_state`), if it has settings, and `views` are those of its
    views. Pages that have something to show `without_system` are shown if that of the address is
    gone. A page that is not `in_menu` has an address all the same.
    """

    folder: str
    title: str
    icon: str
    state: str | None = None
    without_system: bool = False
    views: tuple[str, ...] = ()
    in_menu: bool = True

    @property
    def states(self) -> tuple[str, ...]:
        """The modules of all its settings."""
        return (self.state, *self.views) if self.state else ()


MENU: Final = {
    "": (
        Page(
            "studies",
            "Studies",
            ":material/folder_open:",
            "dashboard.parts.frame.study_name",
            without_system=True,
        ),
        Page(
            "about",
            "About the numbers",
            ":material/help:",
            without_system=True,
            in_menu=False,
        ),
    ),
    "Cluster": (
        Page("importing", "Import", ":material/upload_file:", without_system=True),
        Page("machines", "Machines", ":material/dns:"),
        Page("work", "Work", ":material/assignment:"),
        Page("site", "Site", ":material/location_on:"),
    ),
    "Plan": (
        Page(
            "trade_offs",
            "Trade-offs",
            ":material/show_chart:",
            "dashboard.parts.frame.trade_off_state",
        ),
        Page(
            "schedule",
            "Schedule",
            ":material/calendar_view_week:",
            "dashboard.parts.machines.scope",
        ),
    ),
    "Day to day": (
        Page("arrivals", "Policies", ":material/schedule:", "dashboard.screens.arrivals.state"),
        Page(
            "fair_shares",
            "Fair shares",
            ":material/balance:",
            "dashboard.screens.fair_shares.state",
        ),
        Page(
            "late",
            "Late and uncertain",
            ":material/query_stats:",
            "dashboard.screens.late.state",
        ),
        Page(
            "centre",
            "Centre",
            ":material/thermostat:",
            "dashboard.screens.centre.state",
        ),
    ),
    "Decide": (
        Page(
            "provision",
            "What to buy",
            ":material/shopping_cart:",
            "dashboard.screens.provision.state",
        ),
        Page(
            "switch_off",
            "What to switch off",
            ":material/power_settings_new:",
            "dashboard.screens.switch_off.state",
        ),
        Page("profit", "Profit", ":material/payments:", "dashboard.screens.profit.state"),
        Page(
            "what_if",
            "What if",
            ":material/compare_arrows:",
            "dashboard.screens.what_if.state",
            views=(
                "dashboard.screens.what_if.compare.state",
                "dashboard.screens.what_if.sweeps.state",
            ),
        ),
    ),
}
"""The pages in the groups of the menu; those of no group stand in it themselves."""

PAGES: Final = tuple(chain.from_iterable(MENU.values()))

FIRST: Final = "trade_offs"
"""The folder of the page on which a visit begins."""

MOVED: Final = {
    "fastest": "schedule?",
    "compare": "what_if?",
    "sweeps": "what_if?what_if_view=map&",
    "system": "importing?",
}
"""Folders that addresses of earlier versions name, and how addresses begin that lead on."""
