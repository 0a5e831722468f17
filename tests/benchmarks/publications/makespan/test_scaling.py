"""The scaled-up systems have the sizes asked for, and at least one machine of every type."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.publications.makespan import scaling
from benchmarks.publications.makespan.publication import scaling_figures
from benchmarks.publications.makespan.scaling import (
    GRID,
    HEAP_GRID,
    MACHINES,
    TASKS,
    RandomSystems,
    SizeSweep,
    run_time_in_machine_types,
    run_time_in_machines,
    run_time_in_task_types,
    run_time_in_tasks,
)
from benchmarks.publications.makespan.scaling_quality import (
    quality_in_machine_types,
    quality_in_machines,
    quality_in_task_types,
    quality_in_tasks,
)
from benchmarks.publications.phases import Runs, generator

NOMINAL = {"tasks": TASKS, "machines": MACHINES, "task types": 30, "machine types": 9}


@pytest.mark.parametrize(
    ("size", "value"),
    [("tasks", 777), ("machines", 9), ("task types", 100), ("machine types", 40)],
)
def test_one_size_varies_and_the_others_stay(size, value):
    system = RandomSystems().varying(size)(value, generator(0))
    sizes = {
        "tasks": system.tasks,
        "machines": system.machines,
        "task types": len(system.task_types),
        "machine types": len(system.machine_types),
    }
    assert sizes == NOMINAL | {size: value}
    assert system.machine_counts.min() >= 1


def test_as_many_machines_of_each_type_unless_they_vary():
    system = RandomSystems()(generator(0))
    assert set(system.machine_counts.tolist()) == {4000}


def test_the_same_stream_draws_the_same_system():
    draw = RandomSystems().varying("task types")
    assert draw(12, generator(5)) == draw(12, generator(5))
    assert draw(12, generator(5)) != draw(12, generator(6))


def test_each_size_is_swept(small_scaling):
    assert list(small_scaling.sweeps) == list(NOMINAL)
    for sweep in small_scaling.sweeps.values():
        assert sweep.runs.full.shape == (len(sweep.x), 2)
        assert (sweep.total >= 0).all()
        both = (1 + sweep.rounding) * (1 + sweep.assignment)
        assert np.allclose(both, 1 + sweep.total, rtol=0.01)
    assert small_scaling.hundred_million_seconds.shape == (2,)


def test_trials_are_limited(monkeypatch):
    monkeypatch.setattr(scaling, "MOST_TRIALS", 2)
    monkeypatch.setattr(scaling, "MOST_HEAP_TRIALS", 1)
    measured = scaling.measure(9, lambda _: None, {"tasks": (500, 900)}, {"tasks": (500,)})
    assert measured.sweeps["tasks"].runs.full.shape == (2, 2)
    assert measured.sweeps["tasks"].heap_seconds.shape == (1, 1)


def test_the_grids_cover_the_same_sizes():
    assert list(GRID) == list(HEAP_GRID) == list(NOMINAL)
    for size, values in HEAP_GRID.items():
        assert (values[0], values[-1]) == (GRID[size][0], GRID[size][-1])


def test_what_is_tried_has_more_tasks_and_fewer(monkeypatch):
    asked = []
    monkeypatch.setattr(scaling.scaling_causes, "measure", lambda *given: asked.append(given))
    grid = {"task types": (5,)}
    scaling.measure(1, lambda _: None, grid, grid, {"task types": (7, 9)})
    ((size, *draws, beyond, within),) = asked
    tasks = [draw(12, generator(0)).tasks for draw in draws]
    assert tasks == [TASKS, 10 * TASKS, scaling.FEW_TASKS]
    assert {len(draw(12, generator(0)).task_types) for draw in draws} == {12}
    assert (size, beyond, within) == ("task types", (7, 9), HEAP_GRID["task types"])


X = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0])


def sweep(rounding, assignment, bound_seconds, round_seconds, assign_seconds, heap_seconds):
    """A sweep of one trial, each quantity given as a function of the size."""

    def column(quantity):
        return np.broadcast_to(quantity(X), X.shape)[:, None]

    bound = np.full((len(X), 1), 1000.0)
    integer = bound * (1 + column(rounding))
    return SizeSweep(
        X,
        Runs(
            bound,
            integer,
            integer * (1 + column(assignment)),
            column(bound_seconds),
            column(round_seconds),
            column(assign_seconds),
        ),
        X,
        column(heap_seconds),
    )


def flat(x):
    return 0.01


def falling(x):
    return 0.5 / x


def saw(x):
    return 0.5 / x * np.where(np.arange(len(x)) % 2, 4, 1)


def rising(x):
    return 0.001 * x


def quality(rounding, assignment):
    return sweep(rounding, assignment, flat, flat, flat, flat)


def run_times(bound, rounding, on_counts, heap):
    return sweep(falling, flat, bound, rounding, on_counts, heap)


def tenth(assignment):
    return lambda x: assignment(x) / 10


AS_PUBLISHED, AS_HERE = run_times(flat, flat, rising, rising), run_times(flat, flat, flat, rising)
LOSSY = quality(flat, tenth(flat))
GROWING = run_times(rising, rising, rising, rising)
SOON = np.array([8.0, 8.1])
CUBIC = run_times(lambda x: x**3, rising, falling, falling)
ON_COUNTS = replace(CUBIC, runs=replace(CUBIC.runs, assign_seconds=X[:, None] * 1e-3))
YES, NO = True, False
ANY = None
"""A claim that is not what the case is about."""


@pytest.mark.parametrize(
    ("figure", "given", "expected"),
    [
        (quality_in_tasks, [quality(tenth(saw), saw)], [YES, YES, YES]),
        (quality_in_tasks, [quality(tenth(falling), falling)], [YES, YES, NO]),
        (quality_in_tasks, [quality(tenth(rising), rising)], [NO, YES, YES]),
        (quality_in_tasks, [LOSSY], [ANY, NO, ANY]),
        (run_time_in_tasks, [AS_PUBLISHED, SOON], [YES] * 5),
        (run_time_in_tasks, [AS_HERE, SOON], [YES, YES, YES, NO, YES]),
        (run_time_in_tasks, [AS_HERE, 2 * SOON], [ANY, ANY, ANY, ANY, NO]),
        (run_time_in_tasks, [GROWING, SOON / 8], [NO, NO, ANY, ANY, ANY]),
        (quality_in_machines, [quality(tenth(rising), rising)], [YES] * 3),
        (quality_in_machines, [quality(tenth(flat), flat)], [NO, NO, ANY]),
        (quality_in_machines, [LOSSY], [ANY, ANY, NO]),
        (run_time_in_machines, [GROWING], [NO] * 4),
        (
            run_time_in_machines,
            [run_times(flat, flat, lambda x: x**0.2, lambda x: 5 * x**0.3)],
            [YES] * 4,
        ),
        (quality_in_task_types, [quality(tenth(flat), flat)], [YES] * 3),
        (quality_in_task_types, [LOSSY], [ANY, ANY, NO]),
        (
            run_time_in_task_types,
            [run_times(lambda x: x**1.5, rising, rising, rising)],
            [YES] * 4,
        ),
        (run_time_in_task_types, [run_times(lambda x: 1000 + x, flat, flat, flat)], [NO] * 4),
        (quality_in_machine_types, [quality(lambda x: 1e-6 * x, flat)], [YES, YES]),
        (quality_in_machine_types, [quality(flat, rising)], [NO, NO]),
        (run_time_in_machine_types, [CUBIC], [YES] * 4),
        (run_time_in_machine_types, [ON_COUNTS], [YES, YES, YES, NO]),
    ],
)
def test_a_claim_holds_where_results_are_as_published(figure, given, expected):
    found = [claim.holds for claim in figure(*given).claims]
    wanted = zip(found, expected, strict=True)
    assert found == [here if holds is ANY else holds for here, holds in wanted]


def test_a_wide_spread_is_told_by_how_much():
    wide = quality(tenth(flat), lambda x: np.where(x == 8, 0.07, 0.04))
    judged = quality_in_task_types(wide).claims[1]
    assert not judged.holds
    assert judged.difference.startswith("+1.1")


def test_every_published_figure_is_there(small_scaling):
    made = scaling_figures(small_scaling)
    numbers = " ".join(figure.number for figure in made)
    assert numbers == "8 9 10 11 A.12 A.13 A.14 A.15"
    assert [len(figure.panels) for figure in made] == [1, 3] * 4
