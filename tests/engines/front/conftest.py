"""What the tests of the front share: two machines of which little is known."""

import numpy as np
import pytest
from tiny import lines_alone

from core.engines.relaxed import trace_front
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


@pytest.fixture(scope="session")
def fast_and_slow():
    """Two tasks; one takes 1 s and 20 J above idle power on a fast machine, or 3 s and 1.5 J on a
    slow one. Idle machines draw 2 W.
    """
    system = System(
        (TaskType("task", 2),),
        (MachineType("fast", 1, 1.0), MachineType("slow", 1, 1.0)),
        np.array([[1.0, 3.0]]),
        np.array([[21.0, 1.5]]),
    )
    return lines_alone(trace_front(system))
