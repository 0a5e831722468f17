"""Schedules under a cap on the power at every moment: a bound, and schedules that wait."""
