"""Schedules under a cap on the power at every moment, against all schedules that there are."""

from dataclasses import replace

import numpy as np
import pytest
from examples import examples, seeds
from hypothesis import given
from hypothesis import strategies as st
from second_by_second import caps_to_try, least_makespan, random_system

from core import Effort, Lp, PeakCap, load_sample, pick, study, verify
from core.engines.front.known import Known
from core.engines.front.study import Possible
from core.engines.peak.capped import cap_peak, keeps, least_peak
from core.engines.peak.mixes import Cap, best_mix
from core.engines.recover import assign, round_rows
from core.engines.relaxed import MAKESPAN, lower_bound
from core.vocabulary.power import peak_power, power_curve
from core.vocabulary.system import System
from core.vocabulary.timed import TimedSchedule


def check(system: System, watts: float) -> None:
    """What is found and proven is the best of all schedules."""
    least, found = least_makespan(system, watts), cap_peak(system, watts)
    if least is None:
        assert found.schedule is None
        return
    assert least_peak(system)[0] <= watts + 1e-9
    assert best_mix(Cap.of(system, watts)).bound <= least * (1 + 1e-9)
    assert found.schedule is not None
    assert verify(found.schedule, system, watts).ok
    assert found.schedule.makespan == pytest.approx(least)
    assert found.proof.seconds == pytest.approx(least)
    assert found.proof.seconds <= least * (1 + 1e-9)


@pytest.mark.parametrize("seed", seeds(8, 530))
def test_the_best_of_all_schedules_is_found_and_proven(seed: int) -> None:
    system = random_system(seed)
    for watts in caps_to_try(system, seed):
        check(system, watts)


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_claimed_where_work_draws_less_than_idle(seed: int) -> None:
    system = random_system(seed, cool=True)
    for watts in caps_to_try(system, seed):
        least, found = least_makespan(system, watts), cap_peak(system, watts)
        assert least is None or found.proof.seconds <= least * (1 + 1e-9)
        if found.schedule is not None:
            assert least is not None
            assert verify(found.schedule, system, watts).ok


@pytest.mark.thorough
@examples(6)
@given(st.integers(0, 10**6), st.floats(0, 1), st.sampled_from([1, 7, 1000, 10**9]))
def test_a_schedule_keeps_the_cap_and_its_figures_agree(
    seed: int, share: float, times: int
) -> None:
    """Whatever the number of tasks, and with machines that may be switched off."""
    small = random_system(seed)
    system = small.with_counts(small.task_counts * times, small.machine_counts * 3)
    low, _ = least_peak(system.always_on)
    watts = low + share * 200.0
    found = cap_peak(system, watts)
    schedule = found.schedule
    assert schedule is not None
    verdict = verify(schedule, system, watts)
    assert verdict.ok, verdict.problems
    assert found.proof.seconds <= schedule.makespan * (1 + 1e-9)
    assert verdict.energy == pytest.approx(schedule.energy)
    times_, watts_ = power_curve(schedule)
    assert float(watts_.sum(axis=0) @ np.diff(times_)) == pytest.approx(schedule.energy)
    peak = peak_power(schedule)
    assert peak <= watts * (1 + 1e-9)
    assert verify(schedule, system, peak).ok
    assert not peak or not verify(schedule, system, peak * (1 - 1e-6)).ok


@pytest.mark.thorough
def test_of_a_million_tasks_the_schedule_has_few_blocks_and_a_small_gap() -> None:
    nine = load_sample("nine")
    system = nine.with_counts(nine.task_counts * 1000, nine.machine_counts * 3)
    found = cap_peak(system, 4000.0)
    assert isinstance(found.schedule, TimedSchedule)
    assert len(found.schedule.timeline) < 20_000
    assert found.schedule.makespan < 1.01 * found.proof.seconds


def test_no_answer_is_slower_than_the_fastest_schedule_that_keeps_the_cap() -> None:
    system = load_sample("nine")
    bound = lower_bound(system, MAKESPAN)
    fastest = assign(system, round_rows(bound.placed, system.task_counts))
    kept = cap_peak(system, peak_power(fastest), [fastest]).schedule
    assert kept is not None
    assert kept.makespan <= fastest.makespan
    below = cap_peak(system, peak_power(fastest) - 1, [fastest]).schedule
    assert below is not None
    assert below is not fastest
    assert keeps(below, peak_power(fastest) - 1)


@pytest.mark.parametrize(
    ("watts", "makespan", "possible"),
    [(29.9, np.inf, Possible.NO), (30.0, 30.0, Possible.YES), (100.0, 18.0, Possible.YES)],
)
def test_a_study_answers_a_peak_cap(watts: float, makespan: float, possible: Possible) -> None:
    wish = PeakCap(watts)
    found = study(load_sample("two-by-two"), Lp(wish=wish), effort=Effort(0))
    answer = pick(found, wish)
    assert answer.possible is possible
    assert answer.bound == pytest.approx(makespan)
    if possible is Possible.YES:
        assert answer.schedule.makespan == makespan
        known = Known.nothing(found.system).with_schedules(found.schedules)
        again = pick(found.with_known(known.proving(proofs=found.proofs)), wish)
        assert again.schedule.makespan == makespan
        assert any(keeps(one, watts) for one in known.schedules)


def test_the_judge_finds_a_cap_that_is_not_kept_and_a_block_that_is_moved() -> None:
    system = load_sample("two-by-two")
    schedule = cap_peak(system, 100.0).schedule
    assert isinstance(schedule, TimedSchedule)
    assert not verify(schedule, system, 99.0).ok
    rows = schedule.timeline
    moved = replace(rows, start=rows.start * 0.5)
    assert not verify(replace(schedule, timeline=moved), system, 100.0).ok
