"""A seed gives the same random numbers on every machine, and they are in their range."""

import numpy as np
import pytest
from called import kernels_called
from hypothesis import given
from hypothesis import strategies as st

from core.engines.recover.states import (
    NO_ARCHIVE,
    Archive,
    cost_of,
    load_kernels,
    loads_of,
    random_below,
    random_bits,
    random_state,
    random_unit,
)


def test_states_are_the_multiples_of_the_golden_ratio_that_are_odd():
    ratio = 0x9E3779B97F4A7C15
    for seed in (0, 1, 2, 10**6, 2**31):
        (state,) = random_state(seed).tolist()
        assert state == (2 * seed + 1) * ratio % 2**64
        assert state % 2 == 1
    assert random_state(7).dtype == np.uint64
    assert random_state(0).tolist() == [11400714819323198485]


def test_the_bits_are_those_of_xorshift64():
    """Marsaglia (2003), with the shifts 13, 7 and 17, in whole numbers of Python."""
    drawn = random_state(3)
    (expected,) = drawn.tolist()
    for _ in range(10):
        expected ^= expected << 13 & (2**64 - 1)
        expected ^= expected >> 7
        expected ^= expected << 17 & (2**64 - 1)
        assert int(random_bits(drawn)) == expected
        assert drawn.tolist() == [expected]


def test_what_is_drawn_is_the_upper_part_of_the_bits():
    for limit in (1, 2, 7, 2**32 - 1):
        bits, below, unit = random_state(5), random_state(5), random_state(5)
        for _ in range(20):
            expected = int(random_bits(bits))
            number = random_below(below, limit)
            assert number == (expected >> 32) * limit >> 32
            assert 0 <= number < limit
            share = random_unit(unit)
            assert share == (expected >> 11) / 2**53
            assert 0 <= share < 1


def test_the_first_of_a_seed():
    state = random_state(0)
    assert [int(random_below(state, 10)) for _ in range(12)] == [8, 3, 4, 1, 1, 5, 6, 8, 8, 5, 0, 1]
    assert random_unit(state) == 0.33490717240570356


@given(st.integers(0, 2**32 - 1))
def test_they_are_what_the_tasks_take_and_cost_one_by_one(seed):
    rng = np.random.default_rng(seed)
    machine_type = np.sort(rng.integers(0, 3, 5))
    seconds, costs = rng.uniform(0.1, 1.0, (4, 3)), rng.uniform(-1.0, 1.0, (4, 3))
    seconds[0, 1] = costs[0, 1] = np.inf
    counts = rng.integers(0, 4, (5, 4))
    counts[machine_type == 1, 0] = 0
    tasks = [(m, i) for m, i in np.ndindex(5, 4) for _ in range(counts[m, i])]
    taken = [sum(seconds[i, machine_type[m]] for m, i in tasks if m == only) for only in range(5)]
    np.testing.assert_allclose(loads_of(counts, seconds, machine_type), taken)
    paid = sum(costs[i, machine_type[m]] for m, i in tasks)
    np.testing.assert_allclose(cost_of(counts, costs, machine_type), paid, atol=1e-12)


def test_of_two_machines_by_hand():
    """The first runs two tasks of 3 s and 5 J, the second one of 4 s that earns 1 J, and nothing of
    what it cannot run.
    """
    counts, machine_type = np.array([[2, 0], [0, 1]]), np.array([0, 1])
    each = np.array([[3.0, np.inf], [7.0, 4.0]]), np.array([[5.0, np.inf], [8.0, -1.0]])
    seconds, costs = each

    def asked():
        assert loads_of(counts, seconds, machine_type).tolist() == [6.0, 4.0]
        assert cost_of(counts, costs, machine_type) == 9.0

    called = kernels_called(asked)
    assert {name for name, _ in called} == {"loads_of", "cost_of"}
    assert called <= kernels_called(load_kernels)


LIMITS = np.array([1.0, 2.0, 4.0])
STATES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 10)), max_size=12)


def archive():
    return Archive.empty(LIMITS, np.ones((2, 3)), 0.5, machines=4)


def counts(mark):
    return np.full((4, 2), mark, np.int64)


def test_empty_slots_cost_infinitely_much():
    empty = archive()
    assert empty.counts.shape == (3, 4, 2)
    assert np.isinf(empty.costs).all()
    assert np.isinf(empty.makespans).all()
    assert len(empty.filled) == 0


@pytest.mark.parametrize(
    ("makespan", "slot"), [(0.5, 0), (1.0, 0), (np.nextafter(1, 2), 1), (2.0, 1), (4.0, 2)]
)
def test_a_slot_ends_with_its_limit(makespan, slot):
    kept = archive()
    kept.offer(7.0, makespan, counts(1))
    assert kept.filled.tolist() == [slot]
    assert (kept.costs[slot], kept.makespans[slot]) == (7.0, makespan)
    assert (kept.counts[slot] == 1).all()


def test_what_is_beyond_the_last_limit_is_not_kept():
    kept = archive()
    kept.offer(0.0, np.nextafter(4, 5), counts(1))
    assert np.isinf(kept.costs).all()
    NO_ARCHIVE.offer(0.0, 0.0, np.zeros((0, 0), np.int64))
    assert len(NO_ARCHIVE.costs) == 0


@given(STATES)
def test_of_each_slot_the_first_of_the_cheapest_stays(states):
    kept = archive()
    for mark, (cost, halves) in enumerate(states):
        kept.offer(cost, halves / 2, counts(mark))
    for slot, (low, high) in enumerate([(-1, 1), (1, 2), (2, 4)]):
        there = [(cost, mark) for mark, (cost, h) in enumerate(states) if low < h / 2 <= high]
        if not there:
            assert np.isinf(kept.costs[slot])
            continue
        cost, mark = min(there)
        assert kept.costs[slot] == cost
        assert kept.makespans[slot] == states[mark][1] / 2
        assert (kept.counts[slot] == mark).all()


@given(STATES, STATES)
def test_taking_over_is_as_if_all_had_been_offered_to_one(mine, yours):
    both, one, other = archive(), archive(), archive()
    for mark, (cost, halves) in enumerate([*mine, *yours]):
        both.offer(cost, halves / 2, counts(mark))
        (one if mark < len(mine) else other).offer(cost, halves / 2, counts(mark))
    one.take_over(other)
    np.testing.assert_array_equal(one.costs, both.costs)
    np.testing.assert_array_equal(one.makespans, both.makespans)
    np.testing.assert_array_equal(one.counts, both.counts)
    # The other one now knows what is to be beaten, and so offers nothing twice.
    np.testing.assert_array_equal(other.costs, both.costs)
    before = one.counts.copy()
    one.take_over(other)
    np.testing.assert_array_equal(one.counts, before)
