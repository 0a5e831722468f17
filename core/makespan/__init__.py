"""The shortest makespan, or the least energy: a schedule and a bound."""

from core.capabilities import Capability

CAPABILITY = Capability(
    __name__,
    command="solve",
    summary="a schedule, and a proof of how good it is",
    in_reproductions=True,
    in_calibration=True,
)
