"""With a wish there are schedules made for it, unless the method is the published one."""

from collections.abc import Callable

import numpy as np
import pytest
from studied import stopped

from core.front import recovery
from core.front.wish import Deadline, EnergyBudget
from core.relaxed import trace_front
from core.samples import load_sample
from core.study import Study, study
from core.system import System


def test_with_an_energy_budget_there_are_schedules_made_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(recovery, "PROGRAM_SECONDS", 30.0)  # however slow the machine is
    system = load_sample("nine")
    front = trace_front(system)
    wish = EnergyBudget(float(front.energy.mean()))

    def best(found: Study) -> float:
        return float(found.points[found.points[:, 0] <= wish.joules, 1].min())

    without = study(system, seconds=0, front=front, spacing=0.05)
    made = study(system, seconds=0, front=front, spacing=0.05, wish=wish)
    assert best(made) < best(without)


def test_the_published_method_stays_as_published_whatever_is_wished(
    two_by_two: Callable[..., System],
) -> None:
    plain, wished = (
        study(two_by_two(), method="paper", spacing=2.0, seconds=0, wish=wish)
        for wish in (None, EnergyBudget(1320.0))
    )
    np.testing.assert_array_equal(plain.points, wished.points)


def test_with_a_deadline_polish_works_there() -> None:
    system = load_sample("nine")
    front = trace_front(system)
    deadline = float(front.makespan.mean())
    effort = {"front": front, "wish": Deadline(deadline), "spacing": 0.05}
    found = stopped(system, "polish", 12, seconds=600, threads=2, **effort)
    before = study(system, front=front, spacing=0.05, seconds=0)

    def gap(found: Study) -> float:
        met = found.points[found.points[:, 1] <= deadline, 0].min()
        return float(met / front.least_energy(deadline) - 1)

    assert gap(found) < gap(before) / 2
