"""Tables of the report are of bounded length, and say what they leave out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked import marked
from markup import checked

from core.shells.report.svg import Scale
from core.shells.report.tables import evenly, machines_table, system_tables
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


def sized(tasks: int, machines: int) -> System:
    return System(
        tuple(TaskType(f"T{i}") for i in range(tasks)),
        tuple(MachineType(f"M{j}") for j in range(machines)),
        np.ones((tasks, machines)),
        np.ones((tasks, machines)),
    )


@pytest.mark.parametrize(("types", "rows"), [(39, 39), (40, 40), (41, 40)])
def test_forty_machine_types_are_listed(types: int, rows: int) -> None:
    system = sized(1, types)
    tasks = np.eye(types, 1, dtype=np.int64)
    schedule = Schedule(system, np.arange(types), np.ones(types, np.int64), tasks)
    for table in (machines_table(schedule), system_tables(sized(20, types))):
        page = checked(table)
        assert page.said.count("M") >= rows
        listed = {text for text in page.text if text.startswith("M") and text[1:].isdigit()}
        assert len(listed) == rows
        assert {"M0", f"M{types - 1}"} <= listed
        assert ("Left out: 1 more machine type." in page.said) is (types == 41)
        assert ("Left out" in page.said) is (types > 40)


@pytest.mark.parametrize(("tasks", "machines", "shown"), [(30, 20, True), (601, 1, False)])
def test_six_hundred_pairs_are_shown(tasks: int, machines: int, *, shown: bool) -> None:
    said = checked(system_tables(sized(tasks, machines))).said
    assert ("Average power at work (W)" in said) is shown
    assert (
        f"The times and powers of {tasks * machines:,} pairs are in the study file." in said
    ) is (not shown)


@pytest.mark.parametrize(
    ("number", "most", "places"),
    [(1, 3, [0]), (3, 3, [0, 1, 2]), (4, 3, [0, 2, 3]), (9, 3, [0, 4, 8])],
)
def test_a_selection_is_even_with_both_ends(number: int, most: int, places: list[int]) -> None:
    assert evenly(number, most).tolist() == places


def test_estimates_are_marked_in_the_tables_of_pairs_and_explained() -> None:
    system = sized(2, 2)
    assert "≈" not in checked(system_tables(system)).said
    page = checked(system_tables(marked(system, (1, 0))))
    assert [text for text in page.text if "≈" in text] == ["≈ 1", "≈ 1", "≈ marks an estimate."]


def test_estimates_that_are_not_shown_need_no_explanation() -> None:
    assert "≈" not in checked(system_tables(marked(sized(601, 1), (0, 0)))).said


@given(low=st.floats(0, 1e12), extent=st.floats(1e-3, 1e12), about=st.integers(3, 12))
def test_ticks_are_round_and_within(low: float, extent: float, about: int) -> None:
    scale = Scale(low, low + max(extent, 1e-6 * low), 0.0, 100.0)
    ticks = scale.ticks(about)
    assert 1 <= len(ticks) <= 2 * about + 1
    assert all(-0.1 <= scale(tick) <= 100.1 for tick in ticks)
    for step in np.diff(ticks):
        leading = step / 10.0 ** np.floor(np.log10(1.001 * step))
        assert np.abs(leading - [1, 2, 5]).min() < 1e-3
        assert ticks[0] / step == pytest.approx(round(ticks[0] / step), rel=1e-6)
