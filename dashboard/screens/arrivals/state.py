"""The settings of the page Policies, and what was asked for."""

from dataclasses import replace
from typing import Final

from core.capabilities.arrivals.asked import ArrivalsSettings
from dashboard.parts.replays.state import ReplayState

STATE: Final = ReplayState(
    "arrivals",
    replace(ArrivalsSettings(), workload="own"),
    "budget",
    "testbed",
    drawn_by=("jobs", "days", "seed"),
)
"""It begins with a day of the system in force, which its address leaves out."""
