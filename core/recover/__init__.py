"""Schedules of whole tasks from divisible ones: rounding, assignment to machines, polish."""

from core.recover.assignment import assign, fill_machines
from core.recover.polish import polish
from core.recover.rounding import round_rows

__all__ = ["assign", "fill_machines", "polish", "round_rows"]
