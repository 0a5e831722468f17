"""What is known of arrivals is told for the types of any system."""

import numpy as np

from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def known(days: float = 2.0) -> HourlyArrivals:
    return HourlyArrivals(("a", "b"), np.arange(48.0).reshape(24, 2), days)


def test_rates_are_in_the_order_of_the_types_and_0_for_others() -> None:
    types = tuple(TaskType(name, 1) for name in ("b", "new", "a"))
    system = System(types, (MachineType("M", 1),), np.ones((3, 1)))
    assert known().of(system)[3].tolist() == [7, 0, 6]


def test_equal_arrivals_have_equal_fingerprints() -> None:
    assert known().fingerprint == known().fingerprint
    assert known().fingerprint != known(3.0).fingerprint
