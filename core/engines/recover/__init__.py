"""Schedules of whole tasks from divisible ones: rounding, assignment to machines, polish."""

from core.engines.recover.assignment import assign, fill_machines, round_rows
from core.engines.recover.polish import polish

__all__ = ["assign", "fill_machines", "polish", "round_rows"]
