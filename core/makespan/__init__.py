"""The shortest makespan, or the least energy: a schedule and a bound."""

from core.capabilities import Capability

CAPABILITY = Capability(
    room=__name__,
    command="solve",
    summary="a schedule, and a proof of how good it is",
    publication="makespan",
)
