"""A click leads to the machine type or the machine that was clicked, and nowhere else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked import marked
from strategies import schedules, systems

from core.capabilities.makespan.solve import solve
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.say.words import Sense, rounded
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.parts.machines.scope import (
    PARAMETERS,
    NotFound,
    Scope,
    block_table,
    by_type_at_first,
    clicked,
    find,
    looked_at,
    read_scope,
    scope_name,
    types_of,
    written_scope,
)


def test_a_row_leads_to_its_type_and_a_block_to_its_machine() -> None:
    system = load_sample("nine")
    assert clicked(system, ["words", 3]) == (3, None)
    last = system.machine_types[3].count
    assert clicked(system, ["a", "b", "c", 3, last]) == (3, last)


@pytest.mark.parametrize(
    "mark",
    [
        [],
        ["a"],
        ["a", "3"],
        ["a", -1],
        ["a", 9],
        ["a", "b", "c", 3, 0],
        ["a", "b", "c", 3, 10**12],
        ["a", "b", "c", 9, 1],
    ],
)
def test_a_click_beside_everything_leads_nowhere(mark: list[object]) -> None:
    assert clicked(load_sample("nine"), mark) is None


def test_few_machines_are_shown_at_once_and_many_by_their_types() -> None:
    system = load_sample("nine")
    assert not by_type_at_first(system)
    for first, by_type in ((39, False), (40, False), (41, True), (400, True)):
        counts = np.array([first, 1, 1, 1, 1, 1, 1, 1, 1])
        assert by_type_at_first(system.with_counts(system.task_counts, counts)) is by_type


def test_the_table_of_a_machine_holds_all_that_it_runs() -> None:
    schedule = solve(load_sample("nine"), method="paper").schedule
    group = 5
    kind, machine = int(schedule.machine_type[group]), int(schedule.first_machine[group])
    table = block_table(schedule, kind, machine)
    assert table["Tasks"].sum() == schedule.tasks[group].sum()
    assert table["End (min)"].iloc[-1] == rounded(schedule.load[group] / 60, Sense.SPENT, 6)
    apc = schedule.system.apc
    assert apc is not None
    joules = schedule.tasks[group] @ (schedule.system.etc[:, kind] * apc[:, kind])
    assert 3.6e6 * table["Energy (kWh)"].sum() == pytest.approx(joules, rel=1e-5)


def test_without_powers_the_table_has_no_energy() -> None:
    schedule = solve(load_sample("e1"), method="paper").schedule
    assert "Energy (kWh)" not in block_table(schedule, 0, 1)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("M3 #4", (2, 4)),
        ("m3 #4", (2, 4)),
        (" M3#4 ", (2, 4)),
        ("M3 4", (2, 4)),
        ("M3", (2, None)),
    ],
)
def test_a_machine_is_found_as_people_write_it(said: str, found: tuple[int, int | None]) -> None:
    assert find(load_sample("nine"), said) == found


def test_a_machine_is_found_by_its_number_written_with_a_comma() -> None:
    system = load_sample("nine")
    many = system.with_counts(system.task_counts, np.full(9, 4_000))
    assert find(many, "M1 #3,210") == (0, 3_210)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("M3 #5", "numbers 1 to 4"),
        ("M3 #0", "numbers 1 to 4"),
        ("M33", "“M33”. Try “M3 #1”"),
        ("M33 #2", "“M33”"),
        ("#3", "No machine type is called"),
        ("9" * 10_000, "No machine type is called"),
        (" #" * 10_000, "No machine type is called"),
        ("M3 #" + "9" * 20, "numbers 1 to 4"),
    ],
)
def test_what_is_not_there_is_said_with_what_is(said: str, why: str) -> None:
    found = find(load_sample("nine"), said)
    assert isinstance(found, NotFound)
    assert why in found.reason
    assert len(found.reason) < 200


def test_a_name_that_ends_like_a_number_is_a_name_first() -> None:
    system = System(
        (TaskType("T", 3),),
        (MachineType("node", 9), MachineType("node 7"), MachineType("Gpu"), MachineType("gPU")),
        np.ones((1, 4)),
    )
    assert find(system, "node 7") == (1, None)
    assert find(system, "node #7") == (0, 7)
    assert find(system, "Gpu") == (2, None)
    assert isinstance(find(system, "GPU"), NotFound), "two are called so"


@given(schedules(systems()), st.data())
def test_what_is_looked_at_is_as_many_machines_as_it_says(
    schedule: Schedule, data: st.DataObject
) -> None:
    counts = schedule.system.machine_counts
    assert looked_at(schedule, Scope()).tolist() == schedule.machines.tolist()
    kind = data.draw(st.integers(0, len(counts) - 1))
    of_type = looked_at(schedule, Scope(machine_type=kind))
    assert of_type.sum() == counts[kind]
    assert (schedule.machine_type[of_type > 0] == kind).all()
    if counts[kind]:
        number = data.draw(st.integers(1, int(counts[kind])))
        one = looked_at(schedule, Scope(machine_type=kind, machine=number))
        (group,) = np.flatnonzero(one)
        first = schedule.first_machine[group]
        assert one.sum() == 1
        assert first <= number < first + schedule.machines[group]


def test_types_tell_systems_apart_and_powers_do_not() -> None:
    nine = load_sample("nine")
    assert types_of(nine) == types_of(nine.with_idle_fraction(0.5))
    assert types_of(nine) != types_of(load_sample("six"))
    assert [
        scope_name(nine, scope)
        for scope in (Scope(), Scope(machine_type=4), Scope(machine_type=4, machine=2))
    ] == ["", "M5", "M5 #2"]


def test_the_longest_name_is_found_with_the_largest_number() -> None:
    name = "x" * 200
    system = System((TaskType("T"),), (MachineType(name, 10**6),), np.ones((1, 1)))
    assert find(system, name) == (0, None)
    assert find(system, f"{name} #1,000,000") == (0, 10**6)
    assert find(system, f"{name}{' ' * 9}#1,000,000") == (0, 10**6)


def test_times_that_are_estimates_are_marked_in_the_table_of_a_machine() -> None:
    system = load_sample("two-by-two")
    tasks = np.array([[6, 6], [0, 0]])
    schedule = Schedule(marked(system, (1, 0), (0, 1)), np.array([0, 1]), np.array([1, 1]), tasks)
    assert block_table(schedule, 0, 1)["Time of one"].tolist() == ["≈ 2 s", "1 s"]
    plain = Schedule(system, np.array([0, 1]), np.array([1, 1]), tasks)
    assert block_table(plain, 0, 1)["Time of one"].tolist() == ["2 s", "1 s"]


NINE = load_sample("nine")
LARGE = NINE.with_counts(NINE.task_counts, np.full(9, 400))


@st.composite
def scopes(draw: st.DrawFn) -> Scope:
    kind = draw(st.none() | st.integers(0, 8))
    return Scope(
        kind is None and draw(st.booleans()),
        kind,
        None if kind is None else draw(st.none() | st.integers(1, 4)),
        tuple(sorted(draw(st.sets(st.integers(0, 29))))),
        draw(st.booleans()),
        draw(st.integers(0, 40)),
    )


@given(scopes(), st.sampled_from([NINE, LARGE]))
def test_what_is_written_is_read_again(scope: Scope, system: object) -> None:
    where = NINE if system is NINE else LARGE
    said = written_scope(scope, where)
    assert set(said) <= PARAMETERS
    assert read_scope(said, where) == (scope, ())


@pytest.mark.parametrize("system", [NINE, LARGE])
def test_the_usual_is_not_said(system: object) -> None:
    where = NINE if system is NINE else LARGE
    assert written_scope(Scope(by_type_at_first(where)), where) == {}
    assert read_scope({}, where) == (Scope(by_type_at_first(where)), ())


def test_a_machine_is_told_by_positions_alone() -> None:
    assert written_scope(Scope(machine_type=4, machine=2), NINE) == {"machines_at": "5.2"}
    assert read_scope({"machines_at": "5"}, NINE)[0] == Scope(machine_type=4)


@pytest.mark.parametrize(
    "given",
    [
        {"machines_at": text}
        for text in ("10", "0", "-1", "5.9", "5.", "5.0", ".", "nan", "1e1", "５", "9" * 100_000)
    ]
    + [{"machines_tasks": text} for text in ("31", "0", "1 x", "-1", " ".join(["1"] * 100_000))]
    + [{"machines_page": text} for text in ("0", "-3", "nan", "1.5", "9" * 5_000)]
    + [{"machines_rows": "<b>"}, {"machines_order": "up"}],
)
def test_nonsense_is_ignored_and_said(given: dict[str, str]) -> None:
    scope, notes = read_scope(given, NINE)
    assert scope == Scope(by_type_at_first(NINE))
    assert len(notes) == 1
    assert len(notes[0]) < 250


@pytest.mark.parametrize(("named", "kept"), [(59, True), (60, True), (61, False)])
def test_so_many_task_types_are_in_the_address_at_most(named: int, *, kept: bool) -> None:
    many = System(
        tuple(TaskType(f"T{i}") for i in range(61)), (MachineType("M"),), np.ones((61, 1))
    )
    said = " ".join(str(task + 1) for task in range(named))
    assert written_scope(Scope(task_types=tuple(range(named))), many) == (
        {"machines_tasks": said} if kept else {}
    )
    scope, notes = read_scope({"machines_tasks": said}, many)
    assert (scope.task_types, len(notes)) == (tuple(range(named)) if kept else (), not kept)
