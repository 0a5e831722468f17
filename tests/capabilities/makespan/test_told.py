"""The sentence and the figures say what the solution holds, and never promise more."""

from dataclasses import replace

import numpy as np
from studied import on_the_wasteful, uneven

from core.capabilities.makespan.solve import solve
from core.capabilities.makespan.told import figures, sentence
from core.engines.verify.judge import verify
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.say.words import Sense, in_joules
from core.vocabulary.system import System


def test_the_sentence_gives_makespan_bound_and_what_separates_them():
    assert sentence(2597.0, 2585.2) == ("Done in 43 min, at most 0.5 % from the best possible.")


def test_a_schedule_on_its_bound_is_called_the_fastest():
    assert sentence(11.0, 11.0) == "Done in 11 s. No schedule can be faster."


def test_figures_are_those_of_the_verdict(two_by_two):
    solution = solve(two_by_two(), method="paper")
    values = {figure.label: figure.value for figure in figures(solution)}
    joules = solution.schedule.energy
    assert values == {
        "Makespan": f"{solution.schedule.makespan:g} s",
        "Lower bound": "10.79 s",
        "From the best, at most": "11.2 %",
        "Busy": "91.7 %",
        "Machines at work": "2",
        "Energy": in_joules(joules, Sense.SPENT),
    }


def test_without_powers_the_energy_is_unknown_and_the_remedy_is_there(two_by_two):
    solution = solve(replace(two_by_two(), apc=None), method="paper")
    energy = figures(solution)[-1]
    assert energy.value == "unknown"
    assert "table apc" in energy.meaning


def test_machines_without_work_are_not_counted_as_working():
    system = System((TaskType("T", 3),), (MachineType("M", 1_000),), np.array([[1.0]]))
    working = figures(solve(system, method="paper"))[4]
    assert working.value == "3"
    assert working.meaning == "Of 1,000 machines. They run 3 tasks."


def test_what_is_taken_and_the_gap_are_rounded_up_and_what_is_proven_down():
    """Of 100.08001 s and 1,441,182.17 J, where no schedule takes less than 100.04001 s."""
    schedule = on_the_wasteful()
    verdict = verify(schedule, schedule.system)
    solution = replace(solve(uneven(), method="paper"), schedule=schedule, verdict=verdict)
    makespan, bound, gap, *_, energy = figures(solution)
    assert (makespan.value, bound.value, gap.value) == ("100.1 s", "100 s", "0.04 %")
    assert makespan.meaning.endswith(" 100.081 s.")
    assert bound.meaning.startswith("No schedule can be shorter than 100.04 s.")
    assert bound.meaning.endswith(" 33.3466 s.")  # a third of 100.04001 s, on three machines
    assert energy.value == "400.4 Wh"
    assert energy.meaning.endswith(" 1,441,183 J.")
