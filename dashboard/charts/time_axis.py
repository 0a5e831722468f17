"""The former place of `dashboard/logic/time_unit.py`, for the one chart that still asks here."""

from dashboard.logic.time_unit import unit_for

__all__ = ["unit_for"]
