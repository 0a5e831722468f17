"""What is said of a system is so, by counting again."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from marked import marked
from strategies import systems

from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System
from dashboard.parts.machines.insight import (
    best_somewhere,
    best_table,
    insight,
    of_machines,
    of_tasks,
    trade_off,
)


def said(system: System) -> str:
    found = insight(system)
    named = (*of_machines(system, found), *of_tasks(system, found))
    return " ".join((best_somewhere(system, found), trade_off(system, found), *named))


@given(systems())
def test_the_fastest_machine_type_has_the_least_time_of_those_that_are_there(
    system: System,
) -> None:
    found = insight(system)
    for i in range(len(system.task_types)):
        able = [j for j in range(len(system.machine_types)) if system.can_run[i, j]]
        assert found.homes[i] == len(able)
        least = min((system.etc[i, j] for j in able), default=math.inf)
        assert set(np.flatnonzero(found.speed.best[i])) == {
            j for j in able if system.etc[i, j] == least
        }
    assert (found.thrift is None) == (system.apc is None)


@given(systems())
def test_any_system_can_be_put_in_words_and_in_a_table(system: System) -> None:
    assert said(system)
    table = best_table(system, insight(system))
    assert table["Task type"].tolist() == [task.name for task in system.task_types]


def test_the_two_by_two_by_hand() -> None:
    found = insight(load_sample("two-by-two"))
    assert found.thrift is not None
    assert (found.speed.wins.tolist(), found.thrift.wins.tolist()) == ([2, 0], [0, 2])
    assert not len(found.never_best)
    # Rows 1, 2 and 2, 3; columns 1, 2 and 2, 3: both deviate by 1/2 about means 1.5 and 2.5.
    assert found.machine_variation == pytest.approx((1 / 3 + 1 / 5) / 2)
    assert found.task_variation == pytest.approx((1 / 3 + 1 / 5) / 2)
    np.testing.assert_allclose(found.speed.excess, [0.0, math.sqrt(2 * 1.5) - 1])


def test_a_trade_off_between_time_and_energy_is_told() -> None:
    text = said(load_sample("two-by-two"))
    assert "M" not in text
    assert "A is fastest for 2 of 2 task types; B is thriftiest for 2 of them." in text
    assert "For 2 of 2 task types the fastest machine type is not the thriftiest" in text


def test_one_home_absent_machines_and_those_never_best_are_named() -> None:
    system = System(
        (TaskType("anywhere"), TaskType("<b>here</b>")),
        (MachineType("best"), MachineType("worse"), MachineType("gone", 0)),
        np.array([[1.0, 2.0, 0.5], [3.0, np.inf, 0.1]]),
        np.array([[10.0, 10.0, 1.0], [10.0, np.nan, 1.0]]),
    )
    text = said(system)
    assert "saving energy costs no time" in text
    assert "<b>here</b> can run on one machine type only" in text
    assert "worse: neither fastest nor thriftiest" in text
    assert "gone: no machines, or no task type can run on them" in text


def test_equals_lead_together() -> None:
    assert "M1, M3 are each fastest for 1 of 2 task types." in said(load_sample("e1"))


def test_one_machine_type_has_nothing_to_vary_between() -> None:
    system = System((TaskType("a"), TaskType("b")), (MachineType("M"),), np.array([[1.0], [3.0]]))
    found = insight(system)
    assert found.machine_variation is None
    assert found.task_variation == pytest.approx(0.5)


def test_powers_of_zero_have_a_best_too() -> None:
    system = System(
        (TaskType("T"),),
        (MachineType("A"), MachineType("B")),
        np.array([[1.0, 1.0]]),
        np.array([[0.0, 5.0]]),
    )
    found = insight(system)
    assert found.thrift is not None
    assert found.thrift.wins.tolist() == [1, 0]


def test_the_table_says_where_each_task_type_is_best() -> None:
    system = load_sample("two-by-two")
    table = best_table(system, insight(system))
    assert table["Fastest on"].tolist() == ["A", "A"]
    assert table["Thriftiest on"].tolist() == ["B", "B"]
    assert table["Energy (kJ)"].tolist() == pytest.approx([0.06, 0.09])
    assert table["Runs on"].tolist() == [2, 2]


@pytest.mark.parametrize(
    ("types", "listed"),
    [
        (5, "M0, M1, M2, M3, M4"),
        (6, "M0, M1, M2, M3, M4, M5"),
        (7, "M0, M1, M2, M3, M4, M5 and 1 more"),
    ],
)
def test_six_machine_types_that_are_equally_good_are_named(types: int, listed: str) -> None:
    system = System(
        (TaskType("T"),),
        tuple(MachineType(f"M{j}") for j in range(types)),
        np.ones((1, types)),
    )
    assert f"{listed} are each " in said(system)


def test_estimates_are_counted_first_and_marked_in_the_table() -> None:
    system = load_sample("two-by-two")  # A is fastest, B thriftiest
    assert "Estimated" not in best_table(system, insight(system))
    some = marked(system, (0, 0), (1, 0), (1, 1))
    assert next(of_tasks(some, insight(some))) == "3 of 4 pairs are estimates, not measurements."
    table = best_table(some, insight(some))
    assert table["Estimated"].tolist() == ["time", "time, energy"]
    other = marked(system, (0, 1))
    assert best_table(other, insight(other))["Estimated"].tolist() == ["energy", ""]


def test_without_powers_only_times_are_estimates() -> None:
    system = replace(marked(load_sample("two-by-two"), (0, 0), (0, 1)), apc=None)
    assert best_table(system, insight(system))["Estimated"].tolist() == ["time", ""]
