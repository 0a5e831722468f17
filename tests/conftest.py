"""What all tests share: the hypothesis profiles, and the smallest system worth solving."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from core.system import MachineType, System, TaskType

# "ci" draws the same examples in every run; "thorough" (--hypothesis-profile=thorough) looks on.
settings.register_profile(
    "ci",
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough", settings.get_profile("ci"), max_examples=500, derandomize=False
)
settings.load_profile("ci")


@pytest.fixture(scope="session")
def two_by_two() -> Callable[..., System]:
    """The 2 x 2 instance of which every answer is known by hand, with the idle watts of A and B.

    Machines A and B, one each; task types 1 and 2, six of each; 100 W at work on A, 30 W on B.
    """

    def make(idle_a: float = 0.0, idle_b: float = 0.0) -> System:
        return System(
            (TaskType("1", 6), TaskType("2", 6)),
            (MachineType("A", 1, idle_a), MachineType("B", 1, idle_b)),
            np.array([[1.0, 2.0], [2.0, 3.0]]),
            np.array([[100.0, 30.0], [100.0, 30.0]]),
        )

    return make
