"""The sentence and the figures say what the solution holds, and never promise more."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from core.makespan.solve import solve
from core.model.kinds import MachineType, TaskType
from core.model.system import System
from core.say.words import Sense, in_joules
from dashboard.common.answer import figures, sentence


def test_the_sentence_gives_makespan_bound_and_what_separates_them() -> None:
    assert sentence(2597.0, 2585.2) == (
        "Done in 43 min 17 s. No schedule can be faster than 43 min 5 s; the gap is at most 0.46 %."
    )


def test_a_schedule_on_its_bound_is_called_the_fastest() -> None:
    assert sentence(11.0, 11.0) == "Done in 11 s. No schedule can be faster."


def test_figures_are_those_of_the_verdict(two_by_two: Callable[..., System]) -> None:
    solution = solve(two_by_two(), method="paper")
    values = {figure.label: figure.value for figure in figures(solution)}
    joules = solution.schedule.energy
    assert values == {
        "Makespan": f"{solution.schedule.makespan:g} s",
        "Lower bound": "10.79 s",
        "Gap": "11.2 %",
        "Busy": "91.7 %",
        "Machines at work": "2",
        "Energy": in_joules(joules, Sense.SPENT),
    }


def test_without_powers_the_energy_is_unknown_and_the_remedy_is_there(
    two_by_two: Callable[..., System],
) -> None:
    solution = solve(replace(two_by_two(), apc=None), method="paper")
    energy = figures(solution)[-1]
    assert energy.value == "unknown"
    assert "table apc" in energy.meaning


def test_machines_without_work_are_not_counted_as_working() -> None:
    system = System((TaskType("T", 3),), (MachineType("M", 1_000),), np.array([[1.0]]))
    working = figures(solve(system, method="paper"))[4]
    assert working.value == "3"
    assert working.meaning == "Of 1,000 machines. They run 3 tasks."
