"""What is compiled of polish and proofs, loaded before anybody's seconds count."""

from functools import cache

from core.patterns import knapsack
from core.recover import annealing, descent, packing, part_lists, regrouping, sums
from core.relaxed import fitting


@cache
def load_kernels() -> None:
    """Compile the kernels, or load them compiled, once a process: that takes from a tenth of a
    second to half a minute. To be called before a clock is started or a budget made.
    """
    for module in (sums, annealing, descent, packing, part_lists, regrouping, fitting, knapsack):
        module.load_kernels()
