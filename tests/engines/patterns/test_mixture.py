"""The mixture costs what its duals are worth, and no more once a better pattern is in it."""

import numpy as np
import pytest

from core.engines.patterns.prices import Mixture
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


@pytest.fixture
def system() -> System:
    """Two machines of each type; a task takes 1 s and 100 J, or 3 s and 30 J."""
    return System(
        (TaskType("task", 4),),
        (MachineType("fast", 2), MachineType("slow", 2)),
        np.array([[1.0, 3.0]]),
        np.array([[100.0, 10.0]]),
    )


def pattern(count: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([count], np.int64)


def test_patterns_replace_what_is_left_out_and_make_it_cheaper(system: System) -> None:
    mixture = Mixture(system, 50.0, 100.0)
    assert mixture.solve()[0] == pytest.approx(4 * 50 * 100)
    costs, work = [], 0.0
    for machine, count in ((0, 1), (0, 2), (1, 1), (1, 2)):
        assert mixture.add(machine, pattern(count))
        assert not mixture.add(machine, pattern(count))
        cost, prices, rents = mixture.solve()
        costs.append(cost)
        work += mixture.work
        assert cost == pytest.approx(prices @ system.task_counts - rents @ system.machine_counts)
        assert (prices >= -1e-9).all()
        assert (rents >= -1e-9).all()
    assert costs == pytest.approx([200 + 2 * 5000, 400, 260, 120])
    # Solved again where nothing is new, there are no iterations to be paid for.
    mixture.solve()
    assert 0 < 4 * mixture.work < work


def test_where_running_more_would_gain_no_more_are_run_than_there_are() -> None:
    system = System(
        (TaskType("gains", 3),),
        (MachineType("A", 2, 50.0),),
        np.array([[1.0]]),
        np.array([[40.0]]),
    )
    mixture = Mixture(system, 10.0, 100.0)
    mixture.add(0, pattern(2))
    cost, prices, _ = mixture.solve()
    assert cost == pytest.approx(-30)
    assert prices[0] == pytest.approx(-10)


def test_so_it_is_where_only_one_machine_type_gains() -> None:
    system = System(
        (TaskType("gains", 3),),
        (MachineType("A", 2, 50.0), MachineType("B", 2)),
        np.array([[1.0, 1.0]]),
        np.array([[40.0, 10.0]]),
    )
    mixture = Mixture(system, 10.0, 100.0)
    mixture.add(0, pattern(2))
    mixture.add(1, pattern(1))
    assert mixture.solve()[0] == pytest.approx(-30)
