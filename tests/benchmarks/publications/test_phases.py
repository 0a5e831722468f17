"""The timed phases are the published ones: bound <= rounded <= schedule, one task at a time."""

import numpy as np
import pytest

from benchmarks.publications.phases import (
    Runs,
    generator,
    observe,
    one_by_one,
    published_method,
    rival_run,
    rounded,
)
from core.capabilities.makespan.solve import solve
from core.engines.recover import assign
from core.engines.relaxed import MAKESPAN, lower_bound
from core.files.samples.named import load_sample


@pytest.mark.parametrize("name", ["nine", "six", "two-by-two", "testbed"])
def test_phases_never_shorten_the_makespan(name):
    run = published_method(load_sample(name))
    assert 0 < run.bound <= run.integer * (1 + 1e-9)
    assert run.integer <= run.full * (1 + 1e-9)
    assert min(run.bound_seconds, run.round_seconds, run.assign_seconds) > 0


def test_the_published_method_is_the_one_that_solve_knows_as_paper():
    nine = load_sample("nine")
    assert published_method(nine).full == solve(nine, method="paper").schedule.makespan


@pytest.mark.parametrize("name", ["nine", "ten", "two-by-two", "testbed"])
def test_one_task_at_a_time_makes_the_same_makespan_as_counts(name):
    system = load_sample(name)
    placed = rounded(system)
    makespan, seconds = one_by_one(system, placed)
    assert makespan == pytest.approx(assign(system, placed).makespan, rel=1e-12)
    assert seconds > 0


def test_a_rival_is_timed_and_its_makespan_is_of_a_real_schedule():
    nine = load_sample("nine")
    makespan, seconds = rival_run("min-min", nine)
    assert makespan >= lower_bound(nine, MAKESPAN).value
    assert seconds > 0


def test_streams_are_reproducible_and_distinct():
    first, again, other = (generator(*place).random(5) for place in ((1, 2), (1, 2), (2, 1)))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_more_trials_keep_the_draws_of_fewer():
    nine = load_sample("nine")

    def draw(value, rng):
        assert value in (1, 2)
        return nine if rng.random() < 0.5 else load_sample("six")

    few, many = (observe((1, 2), trials, 7, draw) for trials in (2, 4))
    assert np.array_equal(few.full, many.full[:, :2])
    assert many.gap.shape == (2, 4)


def test_runs_gather_field_by_field():
    run = published_method(load_sample("two-by-two"))
    runs = Runs.of([[run, run]])
    assert runs.full.tolist() == [[run.full, run.full]]
    assert runs.gap[0, 0] == pytest.approx(run.full / run.bound - 1)
    total = run.bound_seconds + run.round_seconds + run.assign_seconds
    assert runs.seconds[0, 1] == pytest.approx(total)
