"""The address says what is looked at, gives it back, and is never trusted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System
from dashboard.parts.machines.scope import (
    PARAMETERS,
    Scope,
    by_type_at_first,
    read_scope,
    written_scope,
)

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
