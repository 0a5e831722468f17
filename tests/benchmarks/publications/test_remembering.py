"""The printed form makes the schedules of the fast one, and counts what it remembers."""

import numpy as np
import pytest

from benchmarks.publications.phases import rival_run
from benchmarks.publications.remembering import remembered
from benchmarks.publications.stand_ins import stand_in
from core.files.samples.named import load_sample
from core.vocabulary.system import MachineType, System, TaskType


@pytest.mark.parametrize("rule", ["min-min", "max-min"])
@pytest.mark.parametrize("system", [stand_in("nine"), stand_in("ten"), load_sample("testbed")])
def test_makespans_are_those_of_the_rivals(rule, system):
    found = remembered(system, rule)
    assert found.makespan == pytest.approx(rival_run(rule, system)[0], rel=1e-12)
    assert 0 <= found.share < 1
    assert found.asked >= system.tasks


def test_what_is_remembered_is_counted():
    # Each type has a machine of its own: it forgets that only when it was itself placed.
    apart = System(
        (TaskType("a", 3), TaskType("b", 2)),
        (MachineType("A"), MachineType("B")),
        np.array([[1.0, 99.0], [99.0, 1.5]]),
    )
    found = remembered(apart, "min-min")
    # Placed are a (1 s), b (1.5 s), a (2 s), b (3 s, as a would end, but a is first: a), then b.
    assert found.asked == 2 + 2 + 2 + 2 + 1
    assert found.share == pytest.approx(4 / 9)


def test_one_type_never_remembers():
    alone = System((TaskType("a", 5),), (MachineType("A", 2),), np.array([[1.0]]))
    assert remembered(alone, "max-min").share == 0
