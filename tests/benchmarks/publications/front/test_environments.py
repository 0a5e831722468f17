"""No method passes the exact front, and bounds leave less the more they know of it."""

import numpy as np
import pytest

from benchmarks.publications.front import environments
from benchmarks.publications.front.environments import FILLED, METHODS, NAMES, OURS, PUBLISHED
from core.engines.rivals import basic_seeds
from core.files.samples.named import load_sample


@pytest.mark.parametrize("name", NAMES)
def test_no_schedule_of_any_method_is_below_the_exact_front(small_environments, name):
    environment = small_environments.each[name]
    lines = environment.front.lines
    assert tuple(environment.attempts) == METHODS
    for attempt in environment.attempts.values():
        above = attempt.points @ lines.weights.T / lines.value
        assert above.min() >= 1 - 1e-9
        assert attempt.seconds > 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", METHODS)
def test_bounds_leave_less_the_more_they_know(small_environments, name, method):
    environment = small_environments.each[name]
    loose, exact = environment.left_loose(method), environment.left_exact(method)
    slack = 1e-9 * environment.loose_area()
    assert environment.loose_area() + slack >= loose
    assert loose + slack >= environment.left_convex(method)
    assert environment.left_convex(method) + slack >= exact > 0


@pytest.mark.parametrize("name", NAMES)
def test_the_common_nadir_is_beyond_every_method(small_environments, name):
    environment = small_environments.each[name]
    for attempt in environment.attempts.values():
        assert (attempt.points <= environment.nadir).all()
    assert (environment.nadir_of(FILLED, OURS) <= environment.nadir).all()


def test_seeded_evolution_leaves_no_more_than_what_it_began_with(small_environments):
    for environment in small_environments.each.values():
        seeded, swept = (environment.left_loose(name) for name in PUBLISHED[2:0:-1])
        assert seeded <= swept * (1 + 1e-9)


def test_optima_are_on_the_exact_front(small_environments):
    for environment in small_environments.each.values():
        for energy, makespan in environment.optima:
            assert environment.front.least_energy(makespan) == pytest.approx(energy, rel=1e-7)


def test_idle_fronts_go_from_none_to_all(small_environments):
    fronts = small_environments.idle_fronts
    assert len(fronts) == len(environments.IDLE_FRACTIONS) == 21
    assert fronts[0].energy[0] == pytest.approx(small_environments.nine.front.energy[0])
    assert fronts[2].energy[0] == pytest.approx(small_environments.idle_front.energy[0])


def test_threads_find_what_one_finds():
    two = load_sample("two")
    jobs = [(two, basic_seeds(two), 5)]
    here = environments._evolve_all(jobs, 1)
    there = environments._evolve_all(jobs, 2)
    for one, other in zip(here, there, strict=True):
        np.testing.assert_array_equal(one.points, other.points)


def test_a_sweep_leads_to_no_more_schedules_than_it_has_optima_and_filling_to_more(
    small_environments,
):
    nine = small_environments.nine
    assert len(nine.swept.assigned) <= len(nine.optima)
    assert len(nine.filled.assigned) > len(nine.swept.assigned)
