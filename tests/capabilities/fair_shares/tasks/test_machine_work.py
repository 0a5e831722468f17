"""Whole tasks are replayed one by one, so there may only be so many."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from capabilities.fair_shares.made import made

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.tasks.machine_work import MOST_TASKS, MachineWork
from core.vocabulary.kinds import MachineType
from core.vocabulary.problems import InvalidInput


def with_machines(bags: ArrivingBags, count: int) -> ArrivingBags:
    machines = (MachineType("M0", count),)
    return replace(bags, system=replace(bags.system, machine_types=machines))


def refusal(bags: ArrivingBags) -> str:
    with pytest.raises(InvalidInput) as refused:
        MachineWork.of(bags)
    (problem,) = refused.value.problems
    assert (problem.file, problem.column) == ("tasks", "count")
    return problem.message


def test_tasks_that_are_too_many_are_refused_with_the_reason() -> None:
    """Issue 33, point 30: a task takes memory of its own, so 10^12 of them are too many."""
    half = MOST_TASKS // 2
    assert MachineWork.of(made((half, half), [[1, 1]])).counts.sum() == MOST_TASKS
    assert refusal(made((half, half + 1), [[1, 1]])) == (
        "policies replay whole tasks one by one, which takes too long for 1,000,001 tasks of "
        "2 bags on 1 machine: at most 1,000,000 tasks; ask for no policy, or take fewer and "
        "longer tasks"
    )
    assert "1,000,000,000,000 tasks of 1 bag" in refusal(made((10**12,), [[1]]))


def test_tasks_times_machines() -> None:
    """Issue 33, point 30: each event looks at every bag and machine."""
    bags = made((MOST_TASKS,), [[1]])
    assert MachineWork.of(with_machines(bags, 999)).machines == 999
    said = refusal(with_machines(bags, 1000))
    assert "at most 1,000,000,000 tasks times bags and machines" in said


def test_bags_times_machines() -> None:
    """Issue 33, point 30: each pair has numbers of its own."""
    bags = made([1] * 40, [[1] * 40])
    assert MachineWork.of(with_machines(bags, 500_000)).machines == 500_000
    said = refusal(with_machines(bags, 500_001))
    assert "at most 20,000,000 pairs of a bag and a machine" in said


def test_the_command_refuses_them(wattfront: Callable[..., Any], tmp_path: Path) -> None:
    """Issue 33, point 30: with a policy only; the best possible does not depend on the number."""
    (tmp_path / "etc.csv").write_text("task_type,M\nx,1\n")
    (tmp_path / "tasks.csv").write_text("task_type,count\nx,1000000000000\n")
    (tmp_path / "machines.csv").write_text("machine_type,count\nM,1\n")
    assert wattfront("fair-shares", tmp_path).status == 0
    said = wattfront("fair-shares", tmp_path, "--policy", "fifo-mct")
    assert said.status == 2
    assert "policies replay whole tasks one by one" in said.err
