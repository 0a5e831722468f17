"""The settings of the page Late and uncertain, and what was asked for."""

from dataclasses import replace
from typing import Final

from core.capabilities.arrivals.asked import ArrivalsSettings
from dashboard.parts.replays.state import ReplayState

STATE: Final = ReplayState("late", replace(ArrivalsSettings(), workload="tasks"), "uncertain")
"""It begins with the tasks of a day of the system in force, which its address leaves out."""
