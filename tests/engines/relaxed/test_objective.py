"""An objective is a weighted sum of joules and seconds, split into what HiGHS is told."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from strategies import schedules, systems

from core.engines.relaxed import ENERGY, MAKESPAN, Objective
from core.files.samples.named import load_sample
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import NoPowerData, System

MIXED = Objective(energy=0.5, makespan=3.0)


@pytest.mark.parametrize(
    ("energy", "makespan"),
    [(0, 0), (-1, 1), (1, -1), (np.inf, 1), (1, np.inf), (np.nan, 1), (1, np.nan)],
)
def test_weights_that_mean_nothing_are_refused(energy: float, makespan: float) -> None:
    with pytest.raises(ValueError, match="weights"):
        Objective(energy, makespan)


@pytest.mark.parametrize("objective", [ENERGY, MAKESPAN, MIXED])
@given(schedule=schedules(systems(with_apc=True, dyadic=True)))
def test_both_ways_to_add_it_up_give_the_value_of_the_schedule(
    objective: Objective, schedule: Schedule
) -> None:
    system = schedule.system
    value = objective.energy * schedule.energy + objective.makespan * schedule.makespan

    def over_tasks(costs: np.ndarray) -> float:
        return float(schedule.placed[system.can_run] @ costs[system.can_run])

    above_idle = over_tasks(objective.task_costs(system))
    assert above_idle + objective.price_of_time(system) * schedule.makespan == value

    waiting = system.machine_counts * schedule.makespan - schedule.busy_seconds
    at_work = over_tasks(objective.work_costs(system))
    at_rest = float(objective.waiting_prices(system) @ waiting)
    assert at_work + at_rest + objective.makespan * schedule.makespan == value


@given(system=systems(with_apc=True))
def test_a_pair_that_cannot_run_costs_infinitely_much(system) -> None:
    for objective in (ENERGY, MAKESPAN, MIXED):
        for costs in (objective.task_costs(system), objective.work_costs(system)):
            assert (np.isinf(costs) == ~system.can_run).all()


def test_the_makespan_needs_no_power_and_energy_does() -> None:
    unpowered = load_sample("e3")
    assert (MAKESPAN.task_costs(unpowered) == 0).all()
    assert (MAKESPAN.work_costs(unpowered) == 0).all()
    assert MAKESPAN.price_of_time(unpowered) == 1
    for costs in (ENERGY.task_costs, ENERGY.work_costs):
        with pytest.raises(NoPowerData):
            costs(unpowered)


def test_the_costs_of_two_by_two_machines_by_hand(two_by_two: Callable[..., System]) -> None:
    system = two_by_two(20.0, 10.0)
    assert (ENERGY.energy, ENERGY.makespan) == (1.0, 0.0)
    assert (MAKESPAN.energy, MAKESPAN.makespan) == (0.0, 1.0)
    both = Objective(energy=0.5, makespan=7.0)
    assert both.task_costs(system).tolist() == [[40, 20], [80, 30]]
    assert both.work_costs(system).tolist() == [[50, 30], [100, 45]]
    assert both.waiting_prices(system).tolist() == [10, 5]
    assert both.price_of_time(system) == 22
    assert MAKESPAN.price_of_time(system) == 1
