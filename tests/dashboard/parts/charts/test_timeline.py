"""A timeline shows every machine while there are few, and stays small however many there are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.capabilities.makespan.solve import solve
from core.files.samples.generate import CoefficientOfVariation
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.say.colours import leading_task_types
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.parts.charts import timeline as module
from dashboard.parts.charts.timeline import (
    SEVERAL,
    Bars,
    machine_seconds,
    occupancy,
    timeline,
    utilisation,
)


def drawn(task_types, machine_types, tasks, machines):
    etc = CoefficientOfVariation(10.0, 0.4, 0.4).draw(
        task_types, machine_types, np.random.default_rng(1)
    )
    system = System(
        tuple(TaskType(f"T{i}", tasks) for i in range(task_types)),
        tuple(MachineType(f"M{j}", machines) for j in range(machine_types)),
        etc + 0.1,
    )
    return solve(system, method="paper").schedule


def test_of_few_machines_each_has_a_row_idle_or_not():
    system = System((TaskType("T", 2),), (MachineType("M", 5),), np.array([[3.0]]))
    shown = timeline(solve(system, method="paper").schedule)
    assert [row.numbers for row in shown.rows] == ["#1", "#2", "#3", "#4", "#5"]
    assert (shown.bars.row.tolist(), shown.bars.end.tolist()) == ([0, 1], [3.0, 3.0])


@given(schedules(systems(dyadic=True)))
def test_a_row_a_machine_holds_all_tasks_and_all_busy_time(schedule):
    shown = timeline(schedule)
    if shown.grain == "machine":
        assert shown.bars.count.sum() == schedule.system.tasks
        busy = (shown.bars.end - shown.bars.start).sum()
        assert busy == pytest.approx(schedule.busy_seconds.sum())


@given(schedules(systems()))
def test_any_schedule_becomes_a_few_rows_of_bars_within_the_makespan(schedule):
    shown = timeline(schedule)
    assert 1 <= len(shown.rows) <= 48
    assert len(shown.bars) <= 1_200 + len(shown.rows)
    assert set(shown.bars.row.tolist()) <= set(range(len(shown.rows)))
    assert shown.bars.end.max() <= schedule.makespan * (1 + 1e-12)


def test_many_machines_are_shown_as_groups_that_run_the_same():
    schedule = drawn(6, 3, 10_000, 500)
    shown = timeline(schedule)
    assert shown.grain == "group"
    assert sum(row.machines for row in shown.rows) == 1_500


def test_pages_hold_every_group_once_and_in_order():
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


def test_beyond_the_last_page_is_the_last_page():
    schedule = drawn(80, 40, 5_000, 300)
    last, beyond = (
        timeline(schedule, page=timeline(schedule).pages - 1),
        timeline(schedule, page=99),
    )
    assert (beyond.rows, beyond.page) == (last.rows, last.page)
    assert timeline(solve(load_sample("nine"), method="paper").schedule, page=7).page == 0


def test_more_bars_than_a_browser_can_draw_are_merged():
    schedule = drawn(400, 6, 40, 8)
    rows = len(timeline(schedule).rows)
    assert int(schedule.machines @ (schedule.tasks > 0).sum(axis=1)) > 1_200 + rows
    assert len(timeline(schedule).bars) <= 1_200 + rows
    assert timeline(schedule).bars.count.sum() == schedule.system.tasks


@pytest.fixture(scope="module")
def nine():
    return solve(load_sample("nine"), method="paper").schedule


def test_one_machine_type_can_be_looked_at_alone(nine):
    shown = timeline(nine, machine_type=4)
    assert {row.machine_type for row in shown.rows} == {4}
    assert shown.bars.count.sum() == nine.placed[:, 4].sum()


def test_one_machine_is_found_by_its_number_within_its_group():
    schedule = drawn(6, 3, 10_000, 500)
    group = int(np.flatnonzero(schedule.machines > 1)[0])
    kind, number = int(schedule.machine_type[group]), int(schedule.first_machine[group]) + 1
    shown = timeline(schedule, kind, machine=number)
    assert [(row.first, row.machines) for row in shown.rows] == [(number, 1)]
    assert shown.bars.count.sum() == schedule.tasks[group].sum()


@given(schedules(systems()))
def test_rows_can_go_from_the_last_to_finish_to_the_first(schedule):
    shown = timeline(schedule, by_finish=True)
    ends = np.zeros(len(shown.rows))
    np.maximum.at(ends, shown.bars.row, shown.bars.end)
    assert (np.diff(shown.finish) <= 0).all()
    assert ends == pytest.approx(shown.finish, rel=1e-9)
    usual = timeline(schedule)
    assert sorted(shown.rows, key=str) == sorted(usual.rows, key=str)
    assert shown.bars.count.sum() == usual.bars.count.sum()


def test_bars_of_one_task_type_alone_stay_where_they_were(nine):
    every, some = timeline(nine).bars, timeline(nine, only=[2, 4]).bars
    kept = np.isin(every.task_type, [2, 4])
    for name in ("row", "task_type", "count", "start", "end"):
        assert (getattr(some, name) == getattr(every, name)[kept]).all()


def ladder(machines):
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
def test_a_page_has_forty_eight_rows(machines, grain, pages, last):
    shown = timeline(ladder(machines), page=99)
    assert (shown.grain, shown.pages, len(shown.rows)) == (grain, pages, last)
    assert (shown.page, shown.before) == (pages - 1, 48 * (pages - 1))


@pytest.mark.parametrize(("more", "merged"), [(-1, False), (0, False), (1, True)])
def test_twelve_hundred_bars_are_not_too_many(more, *, merged):
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


def test_of_many_groups_of_one_type_the_last_to_finish_can_come_first():
    schedule = ladder(100)
    shown = timeline(schedule, 0, by_finish=True)
    assert (shown.grain, len(shown.rows), shown.total) == ("group", 48, 100)
    assert shown.finish.min() >= np.sort(schedule.load)[-48]


@st.composite
def bars(draw):
    rows, types, counts, starts, ends = [], [], [], [], []
    for row in range(draw(st.integers(1, 3))):
        now = 0.0
        for length in draw(st.lists(st.integers(1, 20), min_size=1, max_size=12)):
            rows.append(row)
            types.append(draw(st.integers(0, 2)))
            counts.append(draw(st.integers(1, 9)))
            starts.append(now)
            now += length
            ends.append(now)
    return Bars(*map(np.array, (rows, types, counts, starts, ends)))


def test_tasks_of_one_type_with_no_wait_between_them_are_one_bar():
    rows, kinds = np.array([0, 0, 0, 0, 1]), np.array([2, 2, 2, 5, 5])
    start, end = np.array([0.0, 1.0, 2.5, 3.5, 3.5]), np.array([1.0 + 1e-12, 2.0, 3.5, 4.0, 9.0])
    bars = Bars(rows, kinds, np.array([1, 2, 3, 4, 5]), start, end)
    for apart, counts, ends in (
        (0.0, [3, 3, 4, 5], [2.0, 3.5, 4.0, 9.0]),
        (0.5, [6, 4, 5], [3.5, 4.0, 9.0]),
    ):
        joined = bars.joined(apart)
        assert (joined.count.tolist(), joined.end.tolist()) == (counts, ends)
        assert SEVERAL not in joined.task_type
    within = Bars(rows[:2], kinds[:2], np.array([1, 1]), np.array([0.0, 1.0]), np.array([5.0, 2.0]))
    assert within.joined().end.tolist() == [5.0], "data on their way can overlap"
    assert within.joined(overlapping=False).end.tolist() == [5.0, 2.0]
    assert len(bars.chosen(rows > 1).joined()) == 0


@given(bars(), st.integers(1, 25))
def test_merging_keeps_the_tasks_and_the_time_of_every_row(given_bars, width):
    merged = given_bars.merged(width)
    for row in np.unique(given_bars.row):
        old, new = given_bars.row == row, merged.row == row
        assert merged.count[new].sum() == given_bars.count[old].sum()
        assert (merged.end - merged.start)[new].sum() == pytest.approx(given_bars.end[old].max())
        assert new.sum() <= 2 * given_bars.end[old].max() / width + 1


@given(bars(), st.integers(1, 25))
def test_bars_that_are_long_enough_are_left_alone(given_bars, width):
    merged = given_bars.merged(width)
    long = np.flatnonzero(given_bars.end - given_bars.start >= width)
    kept = {
        (int(r), float(s)): int(t)
        for r, s, t in zip(merged.row, merged.start, merged.task_type, strict=True)
    }
    for b in long:
        assert kept[int(given_bars.row[b]), float(given_bars.start[b])] == given_bars.task_type[b]


def test_a_merged_bar_of_one_type_keeps_it_and_of_several_says_so():
    both = Bars(
        np.array([0, 0, 1, 1]),
        np.array([4, 4, 4, 5]),
        np.array([1, 2, 3, 4]),
        np.array([0.0, 1.0, 0.0, 1.0]),
        np.array([1.0, 2.0, 1.0, 2.0]),
    ).merged(10.0)
    assert both.task_type.tolist() == [4, SEVERAL]
    assert both.count.tolist() == [3, 7]


def test_a_repeated_row_is_there_as_often_as_asked_in_its_place():
    bars = Bars(
        np.array([0, 0, 1]),
        np.array([7, 8, 9]),
        np.array([1, 2, 3]),
        np.array([0.0, 1.0, 0.0]),
        np.array([1.0, 2.0, 5.0]),
    ).repeated(np.array([2, 3]))
    assert bars.row.tolist() == [0, 0, 1, 1, 2, 3, 4]
    assert bars.task_type.tolist() == [7, 8, 7, 8, 9, 9, 9]


def test_bars_far_from_each_other_are_not_merged():
    few = Bars(
        np.zeros(3, int),
        np.array([0, 1, 0]),
        np.ones(3, int),
        np.array([0.0, 1.5, 9.0]),
        np.array([1.0, 2.0, 10.0]),
    )
    merged = few.merged(2.0)
    assert merged.start.tolist() == [0.0, 9.0]
    assert merged.task_type.tolist() == [SEVERAL, 0]


@given(bars(), st.integers(1, 25), st.sets(st.integers(0, 2), min_size=1))
def test_bars_that_were_filtered_merge_to_as_few(given_bars, width, only):
    some = given_bars.chosen(np.isin(given_bars.task_type, list(only)))
    if len(some):
        merged = some.merged(width)
        assert merged.count.sum() == some.count.sum()
        for row in np.unique(some.row):
            end = some.end[some.row == row].max()
            assert (merged.row == row).sum() <= 2 * end / width + 1


@given(schedules(systems()))
def test_occupancy_adds_up_to_the_busy_time_of_each_machine_type(schedule):
    shown = occupancy(schedule, leading_task_types(schedule.system))
    machines = schedule.system.machine_counts[shown.machine_types]
    busy = (shown.share.sum(axis=1) * np.diff(shown.edges)).sum(axis=1) * machines
    scale = float(schedule.makespan * machines.max())
    assert busy == pytest.approx(schedule.busy_seconds[shown.machine_types], abs=1e-9 * scale)
    assert (shown.share >= 0).all()
    assert shown.share.sum(axis=1).max() <= 1 + 1e-9


@given(schedules(systems()))
def test_utilisation_adds_up_to_the_busy_time(schedule):
    of_types, of_rows = utilisation(schedule), utilisation(schedule, timeline(schedule))
    for shown in (of_types, of_rows):
        assert ((shown.busy >= 0) & (shown.busy <= 1)).all()
        # A machine never waits, so no row grows busier.
        assert (np.diff(shown.busy, axis=1) <= 1e-9).all()
    machines = np.array([row.machines for row in of_types.rows])
    busy = machines @ of_types.busy @ np.diff(of_types.edges)
    assert busy == pytest.approx(schedule.busy_seconds.sum(), rel=1e-9)


def test_runs_are_shared_among_the_spans_that_they_touch():
    seconds = machine_seconds(
        key=np.array([0, 0, 1]),
        machines=np.array([2, 1, 5]),
        start=np.array([0.0, 1.5, 3.0]),
        end=np.array([1.5, 4.0, 4.0]),
        edges=np.linspace(0.0, 4.0, 5),
        keys=3,
    )
    assert seconds.tolist() == [[2, 1.5, 1, 1], [0, 0, 0, 5], [0, 0, 0, 0]]


def test_only_the_task_types_asked_for_are_there(nine):
    tasks = leading_task_types(nine.system)
    shown = occupancy(nine, tasks, only=[2])
    assert np.flatnonzero(shown.share.any(axis=(0, 2))).tolist() == [tasks.rank[2]]


def test_rows_go_from_the_last_to_finish_if_asked(nine):
    finish = np.zeros(9)
    np.maximum.at(finish, nine.machine_type, nine.load)
    tasks = leading_task_types(nine.system)
    assert occupancy(nine, tasks).machine_types.tolist() == list(range(9))
    rows = occupancy(nine, tasks, by_finish=True).machine_types
    assert (np.diff(finish[rows]) <= 0).all()


def test_many_types_keep_the_picture_small(many_types):
    shown = occupancy(many_types, leading_task_types(many_types.system))
    assert len(shown.machine_types) == 48
    assert np.count_nonzero(shown.share) <= 12_000
    assert len(utilisation(many_types).rows) == 48


def test_there_are_fewer_spans_if_a_picture_would_have_too_many_cells(nine, monkeypatch):
    tasks = leading_task_types(nine.system)
    whole = occupancy(nine, tasks)
    assert len(whole.edges) == 96 + 1
    cells = np.count_nonzero(whole.share)
    for most, spans in ((cells + 1, 96), (cells, 96), (cells - 1, 48), (0, 12)):
        monkeypatch.setattr(module, "MOST_CELLS", most)
        assert len(occupancy(nine, tasks).edges) == spans + 1
