"""The capability of the shortest makespan, or the least energy: a schedule and its bound."""

from core.shells.registry import Capability

CAPABILITY = Capability(
    __name__, command="solve", summary="a schedule, and a proof of how good it is"
)
