"""A timeline shows every machine while there are few, and stays small however many there are."""

import numpy as np
import pytest
from hypothesis import given
from strategies import schedules, systems

from core.capabilities.makespan.solve import solve
from core.files.samples.generate import CoefficientOfVariation
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.parts.charts.timeline import timeline


def drawn(task_types: int, machine_types: int, tasks: int, machines: int) -> Schedule:
    etc = CoefficientOfVariation(10.0, 0.4, 0.4).draw(
        task_types, machine_types, np.random.default_rng(1)
    )
    system = System(
        tuple(TaskType(f"T{i}", tasks) for i in range(task_types)),
        tuple(MachineType(f"M{j}", machines) for j in range(machine_types)),
        etc + 0.1,
    )
    return solve(system, method="paper").schedule


def test_of_few_machines_each_has_a_row_idle_or_not() -> None:
    system = System((TaskType("T", 2),), (MachineType("M", 5),), np.array([[3.0]]))
    shown = timeline(solve(system, method="paper").schedule)
    assert [row.numbers for row in shown.rows] == ["#1", "#2", "#3", "#4", "#5"]
    assert (shown.bars.row.tolist(), shown.bars.end.tolist()) == ([0, 1], [3.0, 3.0])


@given(schedules(systems(dyadic=True)))
def test_a_row_a_machine_holds_all_tasks_and_all_busy_time(schedule: Schedule) -> None:
    shown = timeline(schedule)
    if shown.grain == "machine":
        assert shown.bars.count.sum() == schedule.system.tasks
        busy = (shown.bars.end - shown.bars.start).sum()
        assert busy == pytest.approx(schedule.busy_seconds.sum())


@given(schedules(systems()))
def test_any_schedule_becomes_a_few_rows_of_bars_within_the_makespan(schedule: Schedule) -> None:
    shown = timeline(schedule)
    assert 1 <= len(shown.rows) <= 48
    assert len(shown.bars) <= 1_200 + len(shown.rows)
    assert set(shown.bars.row.tolist()) <= set(range(len(shown.rows)))
    assert shown.bars.end.max() <= schedule.makespan * (1 + 1e-12)


def test_many_machines_are_shown_as_groups_that_run_the_same() -> None:
    schedule = drawn(6, 3, 10_000, 500)
    shown = timeline(schedule)
    assert shown.grain == "group"
    assert sum(row.machines for row in shown.rows) == 1_500


def test_pages_hold_every_group_once_and_in_order() -> None:
    schedule = drawn(80, 40, 5_000, 300)
    first = timeline(schedule)
    assert (first.before, first.page) == (0, 0)
    assert first.total == len(schedule.machines) > 96
    pages = [timeline(schedule, page=page) for page in range(first.pages)]
    rows = [row for shown in pages for row in shown.rows]
    assert [row.machine_type for row in rows] == schedule.machine_type.tolist()
    assert [row.first for row in rows] == schedule.first_machine.tolist()
    assert [shown.before for shown in pages] == [48 * page for page in range(len(pages))]
    ends = np.concatenate([shown.finish for shown in pages])
    assert ends.tolist() == schedule.load.tolist()
    assert sum(shown.bars.count.sum() for shown in pages) == schedule.tasks.sum()


def test_beyond_the_last_page_is_the_last_page() -> None:
    schedule = drawn(80, 40, 5_000, 300)
    last, beyond = (
        timeline(schedule, page=timeline(schedule).pages - 1),
        timeline(schedule, page=99),
    )
    assert (beyond.rows, beyond.page) == (last.rows, last.page)
    assert timeline(solve(load_sample("nine"), method="paper").schedule, page=7).page == 0


def test_more_bars_than_a_browser_can_draw_are_merged() -> None:
    schedule = drawn(400, 6, 40, 8)
    rows = len(timeline(schedule).rows)
    assert int(schedule.machines @ (schedule.tasks > 0).sum(axis=1)) > 1_200 + rows
    assert len(timeline(schedule).bars) <= 1_200 + rows
    assert timeline(schedule).bars.count.sum() == schedule.system.tasks


def test_one_machine_type_can_be_looked_at_alone() -> None:
    schedule = solve(load_sample("nine"), method="paper").schedule
    shown = timeline(schedule, machine_type=4)
    assert {row.machine_type for row in shown.rows} == {4}
    assert shown.bars.count.sum() == schedule.placed[:, 4].sum()


def test_one_machine_is_found_by_its_number_within_its_group() -> None:
    schedule = drawn(6, 3, 10_000, 500)
    group = int(np.flatnonzero(schedule.machines > 1)[0])
    kind, number = int(schedule.machine_type[group]), int(schedule.first_machine[group]) + 1
    shown = timeline(schedule, kind, machine=number)
    assert [(row.first, row.machines) for row in shown.rows] == [(number, 1)]
    assert shown.bars.count.sum() == schedule.tasks[group].sum()


@given(schedules(systems()))
def test_rows_can_go_from_the_last_to_finish_to_the_first(schedule: Schedule) -> None:
    shown = timeline(schedule, by_finish=True)
    ends = np.zeros(len(shown.rows))
    np.maximum.at(ends, shown.bars.row, shown.bars.end)
    assert (np.diff(shown.finish) <= 0).all()
    assert ends == pytest.approx(shown.finish, rel=1e-9)
    usual = timeline(schedule)
    assert sorted(shown.rows, key=str) == sorted(usual.rows, key=str)
    assert shown.bars.count.sum() == usual.bars.count.sum()


def test_bars_of_one_task_type_alone_stay_where_they_were() -> None:
    schedule = solve(load_sample("nine"), method="paper").schedule
    every, some = timeline(schedule).bars, timeline(schedule, only=[2, 4]).bars
    kept = np.isin(every.task_type, [2, 4])
    for name in ("row", "task_type", "count", "start", "end"):
        assert (getattr(some, name) == getattr(every, name)[kept]).all()


def ladder(machines: int) -> Schedule:
    """Each machine runs one task more than the one before."""
    each = np.arange(machines)
    system = System(
        (TaskType("T", int(each.sum())),), (MachineType("M", machines),), np.array([[3.0]])
    )
    return Schedule(system, 0 * each, 0 * each + 1, each[:, None])


@pytest.mark.parametrize(
    ("machines", "grain", "pages", "last"),
    [
        (47, "machine", 1, 47),
        (48, "machine", 1, 48),
        (49, "group", 2, 1),
        (96, "group", 2, 48),
        (97, "group", 3, 1),
    ],
)
def test_a_page_has_forty_eight_rows(machines: int, grain: str, pages: int, last: int) -> None:
    shown = timeline(ladder(machines), page=99)
    assert (shown.grain, shown.pages, len(shown.rows)) == (grain, pages, last)
    assert (shown.page, shown.before) == (pages - 1, 48 * (pages - 1))


@pytest.mark.parametrize(("more", "merged"), [(-1, False), (0, False), (1, True)])
def test_twelve_hundred_bars_are_not_too_many(more: int, *, merged: bool) -> None:
    """Of 48 machines each runs 25 tasks of types of their own, one of them one more or fewer."""
    types = np.arange(26)
    tasks = np.array([types < 25, types < 25 + more], np.int64)
    system = System(
        tuple(TaskType(f"T{i}", int(n)) for i, n in enumerate(np.array([47, 1]) @ tasks)),
        (MachineType("M", 48),),
        np.ones((26, 1)),
    )
    schedule = Schedule(system, np.zeros(2, np.int64), np.array([47, 1]), tasks)
    assert (len(timeline(schedule).bars) < 1200 + more) is merged


def test_of_many_groups_of_one_type_the_last_to_finish_can_come_first() -> None:
    schedule = ladder(100)
    shown = timeline(schedule, 0, by_finish=True)
    assert (shown.grain, len(shown.rows), shown.total) == ("group", 48, 100)
    assert shown.finish.min() >= np.sort(schedule.load)[-48]
