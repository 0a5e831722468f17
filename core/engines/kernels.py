"""Loads the compiled kernels of polish and proofs before a budget starts."""

from functools import cache

from core.engines.patterns import knapsack
from core.engines.recover import annealing, assignment, descent, part_lists, regrouping, states
from core.engines.relaxed import fitting


@cache
def load_kernels() -> None:
    """Compile the kernels, or load them compiled, once in a process: that takes from a tenth of a
    second to half a minute. Call it before a clock is started or a budget is made.
    """
    for module in (
        states,
        annealing,
        descent,
        assignment,
        part_lists,
        regrouping,
        fitting,
        knapsack,
    ):
        module.load_kernels()
