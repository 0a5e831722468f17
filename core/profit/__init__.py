"""What running batches of tasks earns: the most profitable schedule, and a bound on profit."""

from core.capabilities import Capability

CAPABILITY = Capability(
    __name__,
    command="profit",
    summary="what running batch after batch earns, and at most could earn",
    in_reproductions=True,
    in_studies=True,
    in_reports=True,
)
