"""The capability of the trade-off of energy and makespan: command, files, report."""

from core.shells.registry import Capability

CAPABILITY = Capability(
    __name__,
    command="front",
    summary="the trade-off of energy and makespan, and schedules along it",
)
