"""What sleep brings is what a replay of node by node finds, for every plan."""

import numpy as np
import pytest
from capabilities.switch_off.uses import changes_of, replay, replay_with_list, some_jobs
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.switch_off.levels import levels_of
from core.capabilities.switch_off.sleeping import (
    CLOSE,
    NodePowers,
    SleepTable,
    best_plan,
    least_joules,
    times_to_try,
)

NODES, END = 4, 40
IDLE, ASLEEP = 5.0, 1.0


@examples(40)
@given(some_jobs(), st.integers(0, END + 1), st.integers(0, NODES))
def test_a_plan_does_what_a_replay_of_nodes_finds(jobs, after, awake):
    levels = levels_of(changes_of(jobs), NODES, 0, END)
    table = SleepTable.of(levels, np.array([after, after + 3, np.inf]))
    for row, time in enumerate((after, after + 3)):
        judged = replay(jobs, NODES, END, time, awake)
        assert table.at(row, awake) == (judged.asleep, judged.starts, judged.waits)
    assert table.at(2, awake) == (0, 0, 0)


@examples(24)
@given(some_jobs(), st.integers(0, NODES))
def test_a_table_has_every_number_of_nodes_that_stay_awake(jobs, awake):
    levels = levels_of(changes_of(jobs), NODES, 0, END)
    table = SleepTable.of(levels, np.array([2.0, 9.0, np.inf]))
    joules = table.joules(IDLE, ASLEEP, 12.0)
    for row in range(3):
        seconds, starts, _ = table.at(row, min(awake, levels.most))
        said = IDLE * (levels.idle_seconds - seconds) + ASLEEP * seconds + 12.0 * starts
        assert joules[row, min(awake, levels.most)] == pytest.approx(said)


@examples(40)
@given(some_jobs(), st.sampled_from([0.0, 8.0, 30.0, 100.0]))
def test_no_plan_is_below_the_bound_and_break_even_is_at_most_twice_it(jobs, start):
    """And for each node, one start more for its last gap, which no start ends."""
    levels = levels_of(changes_of(jobs), NODES, 0, END)
    after = start / (IDLE - ASLEEP)
    table = SleepTable.of(levels, np.array([after, np.inf]))
    joules, least = table.joules(IDLE, ASLEEP, start), least_joules(levels, IDLE, ASLEEP, start)
    assert (joules >= least - 1e-9).all()
    assert joules[0, 0] <= 2 * least + NODES * start + 1e-9


@examples(24)
@given(some_jobs(), st.sampled_from([0.0, 0.2, 0.5, 1.0]), st.sampled_from([4.0, 30.0]))
def test_no_other_plan_is_better(jobs, most, start):
    """Every number of nodes, and every time that is a whole number of steps of 100 s, is tried."""
    step = 100
    longer = [(step * begin, step * end, nodes) for begin, end, nodes in jobs]
    levels = levels_of(changes_of(longer), NODES, 0, step * END)
    no = np.array([False])
    powers = NodePowers(np.array([IDLE]), np.array([ASLEEP + start]), ASLEEP, step, no, no)
    assert powers.start[0] == step * start
    table = SleepTable.of(levels, times_to_try([levels], powers))
    drawn = table.joules(IDLE, ASLEEP, step * start)
    plan = best_plan([table], [drawn], most)
    every = [
        IDLE * levels.idle_seconds + step * (start * one.starts - (IDLE - ASLEEP) * one.asleep)
        for after in range(1, END + 1)
        for awake in range(NODES + 1)
        if (one := replay(jobs, NODES, END, after, awake)).waits <= most * len(jobs)
    ]
    assert drawn[plan.row, plan.awake[0]] <= min(every) * (1 + CLOSE)
    assert table.at(plan.row, plan.awake[0]).waits <= most * len(jobs)


def test_a_fixed_list_of_nodes_comes_near_to_levels():
    """Four weeks of drawn jobs, more by day than by night; Slurm's list has the nodes that stay
    awake. Levels are the best case.
    """
    rng, nodes, end = np.random.default_rng(5), 60, 28 * 86_400
    starts = np.sort(rng.integers(0, end, 6_000))
    starts = starts[rng.random(len(starts)) < 0.6 + 0.4 * np.sin(starts * (2 * np.pi / 86_400))]
    ends = np.minimum(starts + rng.integers(600, 20_000, len(starts)), end)
    jobs = [(int(start), int(until), 1) for start, until in zip(starts, ends, strict=True)]
    levels = levels_of(changes_of(jobs), nodes, 0, end)
    assert levels.most <= nodes
    table = SleepTable.of(levels, np.array([900.0, np.inf]))
    for awake in (8, 14, 18):
        said, found = table.at(0, awake), replay_with_list(jobs, nodes, end, 900.0, awake)
        assert 0.95 * said.seconds <= found.asleep <= said.seconds
        assert found.waits <= said.waits
