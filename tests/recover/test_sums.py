"""Loads and costs add up over the tasks that are there, whatever those that are not would take."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.recover.sums import cost_of, loads_of


@given(st.integers(0, 2**32 - 1))
def test_they_are_what_the_tasks_take_and_cost_one_by_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    machine_type = np.sort(rng.integers(0, 3, 5))
    seconds, costs = rng.uniform(0.1, 1.0, (4, 3)), rng.uniform(-1.0, 1.0, (4, 3))
    seconds[0, 1] = costs[0, 1] = np.inf
    counts = rng.integers(0, 4, (5, 4))
    counts[machine_type == 1, 0] = 0
    tasks = [(m, i) for m, i in np.ndindex(5, 4) for _ in range(counts[m, i])]
    taken = [sum(seconds[i, machine_type[m]] for m, i in tasks if m == only) for only in range(5)]
    np.testing.assert_allclose(loads_of(counts, seconds, machine_type), taken)
    paid = sum(costs[i, machine_type[m]] for m, i in tasks)
    np.testing.assert_allclose(cost_of(counts, costs, machine_type), paid, atol=1e-12)
