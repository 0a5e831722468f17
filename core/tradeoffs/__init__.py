"""The trade-off of energy and makespan as an administrator asks for it: command, files, report."""

from core.capabilities import Capability

CAPABILITY = Capability(
    room=__name__,
    command="front",
    summary="the trade-off of energy and makespan, and schedules along it",
    publication="front",
)
