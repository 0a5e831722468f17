"""Times and powers of pairs never measured, estimated from those that were."""

from core.engines.operations.estimates import HeldOut, PairEstimates, RelativeError, estimate_pairs
from core.engines.operations.factors import Operations, factor, joules_per_operation

__all__ = [
    "HeldOut",
    "Operations",
    "PairEstimates",
    "RelativeError",
    "estimate_pairs",
    "factor",
    "joules_per_operation",
]
