"""The capability of profit: the most profitable schedule for batch after batch, and a bound."""

from core.shells.registry import Capability

CAPABILITY = Capability(
    __name__,
    command="profit",
    summary="what running batch after batch earns, and at most could earn",
)
