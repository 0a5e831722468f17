"""The divisible linear program, its optimum and front, and the lower bounds that they prove."""

from core.lp.program import SolverFailed
from core.relaxed.certificate import met_bound, proven_bound
from core.relaxed.front import Front
from core.relaxed.lines import Lines
from core.relaxed.objective import ENERGY, MAKESPAN, Objective
from core.relaxed.program import Bound, lower_bound
from core.relaxed.trace import trace_front
from core.relaxed.whole import soonest

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
