"""The scaled-up systems have the sizes asked for, and at least one machine of every type."""

import numpy as np
import pytest

from benchmarks.publications.makespan import scaling
from benchmarks.publications.makespan.scaling import GRID, HEAP_GRID, MACHINES, TASKS, RandomSystems
from benchmarks.publications.phases import generator

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
