"""A click leads to the machine type or the machine that was clicked, and nowhere else."""

import numpy as np
import pytest

from core.samples import load_sample
from core.solve import solve
from dashboard.logic.schedule_scope import block_table, clicked, usual_rows


def test_a_row_leads_to_its_type_and_a_block_to_its_machine() -> None:
    assert clicked([{"customdata": ["words", 3]}]) == (3, None)
    assert clicked([{"customdata": ["a", "b", "c", 3, 17]}]) == (3, 17)


@pytest.mark.parametrize("points", [[], [{"x": 1}], [{"customdata": ["a"]}]])
def test_a_click_beside_everything_leads_nowhere(points: list[dict[str, object]]) -> None:
    assert clicked(points) is None


def test_few_machines_are_shown_at_once_and_many_by_their_types() -> None:
    system = load_sample("nine")
    assert usual_rows(solve(system, method="paper").schedule) == "machines"
    many = system.with_counts(system.task_counts, np.full(9, 400))
    assert usual_rows(solve(many, method="paper").schedule) == "types"


def test_the_table_of_a_machine_holds_all_that_it_runs() -> None:
    schedule = solve(load_sample("nine"), method="paper").schedule
    group = 5
    kind, machine = int(schedule.machine_type[group]), int(schedule.first_machine[group])
    table = block_table(schedule, kind, machine)
    assert table["Tasks"].sum() == schedule.tasks[group].sum()
    assert table["End (s)"].iloc[-1] == pytest.approx(schedule.load[group])
    apc = schedule.system.apc
    assert apc is not None
    joules = schedule.tasks[group] @ (schedule.system.etc[:, kind] * apc[:, kind])
    assert 3.6e6 * table["Energy (kWh)"].sum() == pytest.approx(joules)


def test_without_powers_the_table_has_no_energy() -> None:
    schedule = solve(load_sample("e1"), method="paper").schedule
    assert "Energy (kWh)" not in block_table(schedule, 0, 1)
