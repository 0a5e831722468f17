"""With a wish there are schedules made for it, unless the method is the published one."""

from collections.abc import Callable

import numpy as np
import pytest
from studied import stopped

from core.engines.front.methods import Lp
from core.engines.front.study import Possible, Study, pick, study
from core.engines.front.wish import Deadline, EnergyBudget
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def test_with_an_energy_budget_there_are_schedules_made_for_it(
    two_by_two: Callable[..., System],
) -> None:
    wish = EnergyBudget(1320.0)

    def best(method: Lp) -> float:
        found = study(two_by_two(), method, effort=Effort(0))
        return float(found.points[found.points[:, 0] <= wish.joules, 1].min())

    assert best(Lp(2.0)) == 18
    # With five tasks of the one type and two of the other on the fast machine: 1,320 J.
    assert best(Lp(2.0, wish)) == 14


def test_with_a_deadline_polish_works_there() -> None:
    system = load_sample("nine")
    front = trace_front(system)
    deadline = float(front.makespan.mean())
    asked = {"front": front, "method": Lp(0.05, Deadline(deadline))}
    found = stopped(system, "polish", 12, effort=Effort(seconds=600, threads=2), **asked)
    before = study(system, Lp(0.05), front=front, effort=Effort(0))

    def gap(found: Study) -> float:
        met = found.points[found.points[:, 1] <= deadline, 0].min()
        return float(met / front.least_energy(deadline) - 1)

    assert gap(found) < gap(before) / 2


def beyond_settling(seed: int) -> System:
    """A few machine types and tasks, too many for all schedules to be considered."""
    rng = np.random.default_rng(seed)
    machines, tasks, number = (int(rng.integers(*ends)) for ends in ((3, 5), (3, 7), (10, 31)))
    counts = np.maximum(np.bincount(rng.integers(tasks, size=number), minlength=tasks), 1)
    each = rng.integers(1, 4, machines)
    etc = np.ceil(rng.uniform(1, 9, (tasks, machines)))
    apc = rng.uniform(50, 200, (tasks, machines))
    idle = rng.uniform(0, [40, 90, 180][seed % 3], machines)
    return System(
        tuple(TaskType(f"T{i}", int(count)) for i, count in enumerate(counts)),
        tuple(
            MachineType(f"M{j}", int(count), float(watts))
            for j, (count, watts) in enumerate(zip(each, idle, strict=True))
        ),
        etc,
        apc,
    )


@pytest.mark.parametrize(
    ("seed", "wish"), [(7, EnergyBudget(8338.1551419556)), (15, Deadline(11.0))]
)
def test_a_wish_that_hardly_any_schedule_meets_is_met(
    seed: int, wish: EnergyBudget | Deadline
) -> None:
    """The least energy and the least makespan there are, by an integer program."""
    system = beyond_settling(seed)
    found = study(system, Lp(wish=wish), effort=Effort(work=0.3))
    assert found.proofs.settled is None
    assert pick(found, wish).possible is Possible.YES
