"""The divisible linear program, its optimum and front, and the lower bounds that they prove."""

from core.engines.lp.program import SolverFailed
from core.engines.relaxed.certificate import (
    ENERGY,
    MAKESPAN,
    Lines,
    Objective,
    met_bound,
    proven_bound,
)
from core.engines.relaxed.front import Front
from core.engines.relaxed.program import Bound, lower_bound
from core.engines.relaxed.trace import trace_front
from core.engines.relaxed.whole import soonest

__all__ = [
    "ENERGY",
    "MAKESPAN",
    "Bound",
    "Front",
    "Lines",
    "Objective",
    "SolverFailed",
    "lower_bound",
    "met_bound",
    "proven_bound",
    "soonest",
    "trace_front",
]
