"""Slices add up to the system; polishing one slice polishes them all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.engines.recover import assign, polish, round_rows
from core.engines.recover.polish import _best_number, slice_system
from core.engines.relaxed import ENERGY, MAKESPAN, lower_bound
from core.engines.verify.judge import verify
from core.files.samples.named import load_sample
from core.vocabulary.budget import Budget
from core.vocabulary.schedule import Schedule


def recovered(bound):
    return assign(bound.system, round_rows(bound.placed, bound.system.task_counts))


def many_nines(times):
    nine = load_sample("nine")
    return nine.with_counts(nine.task_counts * times + 7, nine.machine_counts * times + 1)


@given(systems(max_task_types=3, max_machine_types=3), st.integers(1, 50))
def test_slices_and_rest_are_the_whole_system(system, cells):
    bound = lower_bound(system, MAKESPAN)
    schedule = recovered(bound)
    sliced = slice_system(bound, schedule, cells)
    if sliced is None:
        return
    whole = sliced.together(system, recovered(sliced.slice), recovered(sliced.rest))
    assert verify(whole, system).ok


@pytest.mark.thorough
def test_a_system_of_many_equal_parts_is_sliced_and_polished():
    system = many_nines(50)
    bound = lower_bound(system, MAKESPAN)
    schedule = recovered(bound)
    sliced = slice_system(bound, schedule, 3_000)
    assert sliced.repeats > 1
    assert sliced.slice.system.machines * len(system.task_types) <= 3_000
    polished = polish(schedule, bound, Budget.of_work(2.0), seed=1)
    assert verify(polished, system).ok
    assert schedule.makespan / bound.value - 1 > 0.05
    assert polished.makespan / bound.value - 1 < 0.02


def test_the_pieces_are_as_many_as_divide_the_system_evenly():
    """A hundred nines: any number of pieces will do for the size, a hundred leaves no remainder."""
    nine = load_sample("nine")
    system = nine.with_counts(nine.task_counts * 100, nine.machine_counts * 100)
    bound = lower_bound(system, MAKESPAN)
    sliced = slice_system(bound, recovered(bound), 1500)
    assert sliced.rest.value == pytest.approx(bound.value, rel=1e-6)
    assert sliced.slice.value == pytest.approx(bound.value, rel=1e-6)


@pytest.mark.parametrize("times", [1, 2])
def test_small_systems_are_not_sliced(times):
    bound = lower_bound(many_nines(times), MAKESPAN)
    assert slice_system(bound, recovered(bound), 3_000) is None


def test_energy_is_not_sliced():
    bound = lower_bound(many_nines(50), ENERGY)
    assert slice_system(bound, recovered(bound), 3_000) is None


def test_what_does_not_divide_is_not_sliced():
    """Three tasks of a long type cannot be spread over a thousand slices."""
    nine = load_sample("nine")
    tasks = np.full(len(nine.task_types), 3)
    system = nine.with_counts(tasks, nine.machine_counts * 1000)
    bound = lower_bound(system, MAKESPAN)
    assert slice_system(bound, recovered(bound), 3_000) is None


def test_pieces_are_no_more_than_twice_the_fewest():
    """Sixty-one nines: only as many pieces leave no remainder, unless one would do."""
    nine = load_sample("nine")
    system = nine.with_counts(nine.task_counts * 61, nine.machine_counts * 61)
    bound = lower_bound(system, MAKESPAN)
    assert _best_number(bound, 31) == 61
    assert _best_number(bound, 61) == 61
    assert 30 <= _best_number(bound, 30) <= 60
    assert 62 <= _best_number(bound, 62) <= 124


def test_slices_must_win_back_half_of_the_gap():
    system = many_nines(50)
    bound = lower_bound(system, MAKESPAN)
    schedule = recovered(bound)
    sliced = slice_system(bound, schedule, 3_000)
    worst = max(sliced.slice.value, sliced.rest.value)
    for gap, worthwhile in ((2.001, True), (1.999, False)):
        makespan = bound.value + gap * (worst - bound.value)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Schedule, "makespan", makespan)
            assert (slice_system(bound, schedule, 3_000) is not None) is worthwhile


@pytest.mark.parametrize(("most", "cut"), [(67, True), (68, True), (85, False), (90, False)])
def test_systems_of_more_than_four_slices_are_cut(most, cut):
    """340 cells: 68 a slice are five slices, of which four are for the remainder; 85 are four."""
    nine = load_sample("nine")
    system = nine.with_counts(nine.task_counts * 40, nine.machine_counts * 40)
    cells = system.machines * len(system.task_types)
    bound = lower_bound(system, MAKESPAN)
    sliced = slice_system(bound, recovered(bound), cells * most // 340)
    assert (sliced is not None) is cut
