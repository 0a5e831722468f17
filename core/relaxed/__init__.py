"""The divisible-load world: the linear program, its optimum, and the bound that it proves."""

from core.relaxed.certificate import met_bound, proven_bound
from core.relaxed.objective import ENERGY, MAKESPAN, Objective
from core.relaxed.program import Bound, SolverFailed, lower_bound

__all__ = [
    "ENERGY",
    "MAKESPAN",
    "Bound",
    "Objective",
    "SolverFailed",
    "lower_bound",
    "met_bound",
    "proven_bound",
]
