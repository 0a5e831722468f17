"""What running bags of tasks earns: the most profitable schedule, and what no schedule can earn."""

from core.capabilities import Capability

CAPABILITY = Capability(
    __name__,
    command="profit",
    summary="what running bag after bag earns, and could at most",
    in_reproductions=True,
    in_studies=True,
    in_reports=True,
)
