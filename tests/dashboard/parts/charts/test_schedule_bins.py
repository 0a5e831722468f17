"""Spans of time hold all the work that a schedule has, whatever the number of machines."""

import numpy as np
import pytest
from hypothesis import given
from strategies import schedules, systems

from core.capabilities.makespan.solve import solve
from core.files.samples.named import load_sample
from core.vocabulary.say.colours import leading_task_types
from core.vocabulary.schedule import Schedule
from dashboard.parts.charts import timeline as schedule_bins
from dashboard.parts.charts.timeline import (
    machine_seconds,
    occupancy,
    timeline,
    utilisation,
)


@given(schedules(systems()))
def test_occupancy_adds_up_to_the_busy_time_of_each_machine_type(schedule: Schedule) -> None:
    shown = occupancy(schedule, leading_task_types(schedule.system))
    machines = schedule.system.machine_counts[shown.machine_types]
    busy = (shown.share.sum(axis=1) * np.diff(shown.edges)).sum(axis=1) * machines
    scale = float(schedule.makespan * machines.max())
    assert busy == pytest.approx(schedule.busy_seconds[shown.machine_types], abs=1e-9 * scale)
    assert (shown.share >= 0).all()
    assert shown.share.sum(axis=1).max() <= 1 + 1e-9


@given(schedules(systems()))
def test_utilisation_adds_up_to_the_busy_time(schedule: Schedule) -> None:
    of_types, of_rows = utilisation(schedule), utilisation(schedule, timeline(schedule))
    for shown in (of_types, of_rows):
        assert ((shown.busy >= 0) & (shown.busy <= 1)).all()
        # A machine never waits, so no row grows busier.
        assert (np.diff(shown.busy, axis=1) <= 1e-9).all()
    machines = np.array([row.machines for row in of_types.rows])
    busy = machines @ of_types.busy @ np.diff(of_types.edges)
    assert busy == pytest.approx(schedule.busy_seconds.sum(), rel=1e-9)


def test_runs_are_shared_among_the_spans_that_they_touch() -> None:
    seconds = machine_seconds(
        key=np.array([0, 0, 1]),
        machines=np.array([2, 1, 5]),
        start=np.array([0.0, 1.5, 3.0]),
        end=np.array([1.5, 4.0, 4.0]),
        edges=np.linspace(0.0, 4.0, 5),
        keys=3,
    )
    assert seconds.tolist() == [[2, 1.5, 1, 1], [0, 0, 0, 5], [0, 0, 0, 0]]


def test_only_the_task_types_asked_for_are_there() -> None:
    schedule = solve(load_sample("nine"), method="paper").schedule
    tasks = leading_task_types(schedule.system)
    shown = occupancy(schedule, tasks, only=[2])
    assert np.flatnonzero(shown.share.any(axis=(0, 2))).tolist() == [tasks.rank[2]]


def test_rows_go_from_the_last_to_finish_if_asked() -> None:
    schedule = solve(load_sample("nine"), method="paper").schedule
    finish = np.zeros(9)
    np.maximum.at(finish, schedule.machine_type, schedule.load)
    tasks = leading_task_types(schedule.system)
    assert occupancy(schedule, tasks).machine_types.tolist() == list(range(9))
    rows = occupancy(schedule, tasks, by_finish=True).machine_types
    assert (np.diff(finish[rows]) <= 0).all()


def test_many_types_keep_the_picture_small(many_types: Schedule) -> None:
    shown = occupancy(many_types, leading_task_types(many_types.system))
    assert len(shown.machine_types) == 48
    assert np.count_nonzero(shown.share) <= 12_000
    assert len(utilisation(many_types).rows) == 48


def test_there_are_fewer_spans_if_a_picture_would_have_too_many_cells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    schedule = solve(load_sample("nine"), method="paper").schedule
    tasks = leading_task_types(schedule.system)
    whole = occupancy(schedule, tasks)
    assert len(whole.edges) == 96 + 1
    cells = np.count_nonzero(whole.share)
    for most, spans in ((cells + 1, 96), (cells, 96), (cells - 1, 48), (0, 12)):
        monkeypatch.setattr(schedule_bins, "MOST_CELLS", most)
        assert len(occupancy(schedule, tasks).edges) == spans + 1
