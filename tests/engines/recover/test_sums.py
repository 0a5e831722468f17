"""Loads and costs add up over the tasks that are there, whatever those that are not would take."""

import numpy as np
from called import kernels_called
from hypothesis import given
from hypothesis import strategies as st

from core.engines.recover.states import cost_of, load_kernels, loads_of


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


def test_of_two_machines_by_hand() -> None:
    """The first runs two tasks of 3 s and 5 J, the second one of 4 s that earns 1 J, and nothing of
    what it cannot run.
    """
    counts, machine_type = np.array([[2, 0], [0, 1]]), np.array([0, 1])
    each = np.array([[3.0, np.inf], [7.0, 4.0]]), np.array([[5.0, np.inf], [8.0, -1.0]])
    seconds, costs = each

    def asked() -> None:
        assert loads_of(counts, seconds, machine_type).tolist() == [6.0, 4.0]
        assert cost_of(counts, costs, machine_type) == 9.0

    called = kernels_called(asked)
    assert {name for name, _ in called} == {"loads_of", "cost_of"}
    assert called <= kernels_called(load_kernels)
