"""Tables being edited take any change, and say where it makes no system."""

import numpy as np
import pytest
from hypothesis import given
from marked import marked
from strategies import systems

from core.files.headings import TableName
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System
from dashboard.workspace.draft import (
    NAME,
    Change,
    Draft,
    MachineRow,
    TaskRow,
    is_editable,
)


def bed() -> Draft:
    return Draft.of(load_sample("testbed"))


def places(draft: Draft) -> set[tuple[str, str, str]]:
    return {(p.file, p.row, p.column) for p in draft.check().problems}


@given(systems())
def test_untouched_tables_are_the_system_they_came_from(system: System) -> None:
    assert Draft.of(system).check().value == system


@given(systems())
def test_frames_show_every_name_count_and_cell(system: System) -> None:
    draft = Draft.of(system)
    assert draft.frame("tasks")[NAME].tolist() == [task.name for task in system.task_types]
    assert draft.frame("machines")["count"].tolist() == [m.count for m in system.machine_types]
    cells = draft.frame("etc").drop(columns=NAME).to_numpy()
    np.testing.assert_array_equal(np.isnan(cells), ~np.isfinite(system.etc))


def test_a_mended_cell_is_in_the_system() -> None:
    system = bed().changed("etc", Change({1: {"m2": 99.5}})).changed("apc", Change({1: {"m2": 40}}))
    found = system.check().value
    assert found is not None
    assert (found.etc[1, 2], found.apc[1, 2]) == (99.5, 40.0)


def test_a_blank_is_a_pair_that_cannot_run() -> None:
    blank = Change({0: {"m0": None}})
    found = bed().changed("etc", blank).changed("apc", blank).check().value
    assert found is not None
    assert found.etc[0, 0] == np.inf


def test_every_fault_is_named_with_its_table_row_and_column() -> None:
    draft = (
        bed()
        .changed("etc", Change({0: {"m1": -3}, 2: {"m0": None}}))
        .changed("tasks", Change({1: {"count": None}}))
        .changed("machines", Change({3: {"idle_power": -1.0}, 2: {"name": "cluster 1"}}))
    )
    assert places(draft) >= {
        ("Times (ETC)", "IS.8", "cluster 2"),
        ("Powers (APC)", "MG.16", "cluster 1"),
        ("Task types", "MG.8", "count"),
        ("Machine types", "cluster 4", "idle_power"),
        ("Machine types", "cluster 1", ""),
    }
    assert draft.check().value is None


def test_a_new_task_type_needs_a_time_first() -> None:
    draft = bed().changed("tasks", Change({}, added=[{"name": "new", "count": 2}]))
    assert draft.tasks[-1] == TaskRow("new", 2)
    assert ("Times (ETC)", "new", "") in places(draft)
    timed = draft.changed("etc", Change({4: {"m0": 5.0}}))
    mended = timed.changed("apc", Change({4: {"m0": 50.0}})).check().value
    assert mended is not None
    assert mended.task_types[-1] == TaskType("new", 2)


def test_a_new_machine_type_without_a_name_says_so_and_runs_nothing() -> None:
    draft = bed().changed("machines", Change({}, added=[{}]))
    assert draft.machines[-1] == MachineRow("", 1, 0.0)
    assert places(draft) == {("Machine types", "row 5", "")}
    named = draft.changed("machines", Change({4: {"name": " new "}})).check().value
    assert named is not None
    assert named.machine_types[-1] == MachineType("new")
    assert not named.can_run[:, 4].any()


@pytest.mark.parametrize("table", ["tasks", "machines"])
def test_a_removed_type_takes_its_cells_along(table: TableName) -> None:
    full = load_sample("testbed")
    change = Change({2: {"count": 7}}, deleted=[0])
    assert full.apc is not None
    found = bed().changed(table, change).check().value
    assert found is not None
    axis = 0 if table == "tasks" else 1
    np.testing.assert_array_equal(found.etc, np.delete(full.etc, 0, axis))
    np.testing.assert_array_equal(found.apc, np.delete(full.apc, 0, axis))
    assert (found.task_counts if table == "tasks" else found.machine_counts)[1] == 7


@pytest.mark.parametrize(("table", "kind"), [("tasks", "task"), ("machines", "machine")])
def test_without_any_type_there_is_no_system(table: TableName, kind: str) -> None:
    emptied = bed().changed(table, Change({}, deleted=[0, 1, 2, 3]))
    messages = [problem.message for problem in emptied.check().problems]
    assert f"there is no {kind} type; give at least one" in messages
    assert len(emptied.frame(table)) == 0
    assert emptied.frame("etc").shape == ((0, 5) if table == "tasks" else (4, 1))


@pytest.mark.parametrize(("typed", "count"), [(3.0, 3), (2.5, None), (np.nan, None)])
def test_a_count_is_whole_or_blank(typed: float, count: int | None) -> None:
    assert bed().changed("tasks", Change({0: {"count": typed}})).tasks[0].count == count


def test_one_power_can_be_given_to_all_pairs_at_once() -> None:
    system = load_sample("testbed")
    bare = System(system.task_types, system.machine_types, system.etc)
    found = Draft.of(bare).with_power(100.0).check().value
    assert found is not None
    assert found.apc is not None
    np.testing.assert_array_equal(found.apc, np.where(np.isfinite(system.etc), 100.0, np.nan))


@pytest.mark.parametrize(
    ("tasks", "machines", "editable"),
    [
        (1, 199, True),
        (1, 200, True),
        (1, 201, False),
        (100, 200, True),
        (101, 198, True),
        (101, 199, False),
    ],
)
def test_two_hundred_columns_and_twenty_thousand_cells_are_not_too_many(
    tasks: int, machines: int, *, editable: bool
) -> None:
    system = System(
        tuple(TaskType(f"T{i}") for i in range(tasks)),
        tuple(MachineType(f"M{j}") for j in range(machines)),
        np.ones((tasks, machines)),
    )
    assert is_editable(system) is editable


ESTIMATES = ((0, 0), (0, 1), (1, 1), (3, 2))


def estimated() -> Draft:
    return Draft.of(marked(load_sample("testbed"), *ESTIMATES))


def marks(draft: Draft) -> set[tuple[int, int]]:
    """The pairs that are estimates in the system of a draft."""
    found = draft.check().require()
    if found.estimated is None:
        return set()
    return {(int(i), int(j)) for i, j in np.argwhere(found.estimated)}


def test_the_table_of_estimates_is_offered_if_there_are_any() -> None:
    assert bed().offered == ["etc", "apc", "tasks", "machines"]
    assert estimated().offered == ["etc", "apc", "tasks", "machines", "estimated"]


def test_estimates_are_ticks_and_blank_where_a_pair_cannot_run() -> None:
    frame = estimated().frame("estimated").drop(columns=NAME)
    assert frame.isna().to_numpy().nonzero()[0].tolist() == [1, 1]
    ticks = frame.fillna(False).to_numpy(bool)
    assert {(int(i), int(j)) for i, j in np.argwhere(ticks)} == set(ESTIMATES)
    with pytest.raises(ValueError, match="there is no table estimated"):
        bed().frame("estimated")


@pytest.mark.parametrize("table", ["etc", "apc"])
def test_a_pair_that_is_typed_is_no_longer_an_estimate(table: TableName) -> None:
    draft = estimated().changed(table, Change({0: {"m1": 99.0}, 2: {"m0": 98.0}}))
    assert marks(draft) == {(0, 0), (1, 1), (3, 2)}


def test_the_same_number_typed_again_is_no_estimate_either() -> None:
    same = float(estimated().etc[0, 0])
    draft = estimated().changed("etc", Change({0: {"m0": same}}))
    assert marks(draft) == {(0, 1), (1, 1), (3, 2)}
    assert draft.fingerprint != estimated().fingerprint


def test_a_pair_that_is_blanked_is_no_estimate_and_nothing_is_doubted() -> None:
    blank = Change({0: {"m0": None}})
    draft = estimated().changed("etc", blank).changed("apc", blank)
    assert marks(draft) == {(0, 1), (1, 1), (3, 2)}
    assert draft.check().problems == ()


def test_ticks_can_be_set_and_taken_away() -> None:
    change = Change({0: {"m0": False, "m2": True}, 1: {"m1": None}})
    assert marks(estimated().changed("estimated", change)) == {(0, 1), (0, 2), (3, 2)}
    gone = Change({i: {f"m{j}": False} for i, j in ESTIMATES} | {0: {"m0": False, "m1": False}})
    assert marks(estimated().changed("estimated", gone)) == set()


def test_a_tick_where_the_pair_cannot_run_is_doubted() -> None:
    draft = estimated().changed("estimated", Change({1: {"m2": True}}))
    (problem,) = draft.check().problems
    assert (problem.severity, problem.file) == ("warning", "Estimated pairs")
    assert marks(draft) == set(ESTIMATES)


@pytest.mark.parametrize("table", ["tasks", "machines"])
def test_estimates_go_with_their_types(table: TableName) -> None:
    renamed = estimated().changed(table, Change({1: {"name": "renamed", "count": 3}}))
    assert marks(renamed) == set(ESTIMATES)
    removed = estimated().changed(table, Change({}, deleted=[0]))
    rest = {(i - 1, j) if table == "tasks" else (i, j - 1) for i, j in ESTIMATES}
    assert marks(removed) == {(i, j) for i, j in rest if i >= 0 and j >= 0}
    added = estimated().changed(table, Change({}, added=[{"name": "new"}]))
    assert added.estimated is not None
    assert added.estimated.shape == ((5, 4) if table == "tasks" else (4, 5))
    assert added.estimated.sum() == len(ESTIMATES)


def test_powers_for_all_pairs_leave_times_estimates() -> None:
    assert marks(estimated().with_power(100.0)) == set(ESTIMATES)
