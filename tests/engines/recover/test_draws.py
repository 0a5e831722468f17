"""A seed gives the same random numbers on every machine, and they are in their range."""

import numpy as np

from core.engines.recover.states import random_below, random_bits, random_state, random_unit


def test_states_are_the_multiples_of_the_golden_ratio_that_are_odd() -> None:
    ratio = 0x9E3779B97F4A7C15
    for seed in (0, 1, 2, 10**6, 2**31):
        (state,) = random_state(seed).tolist()
        assert state == (2 * seed + 1) * ratio % 2**64
        assert state % 2 == 1
    assert random_state(7).dtype == np.uint64
    assert random_state(0).tolist() == [11400714819323198485]


def test_the_bits_are_those_of_xorshift64() -> None:
    """Marsaglia (2003), with the shifts 13, 7 and 17, in whole numbers of Python."""
    drawn = random_state(3)
    (expected,) = drawn.tolist()
    for _ in range(10):
        expected ^= expected << 13 & (2**64 - 1)
        expected ^= expected >> 7
        expected ^= expected << 17 & (2**64 - 1)
        assert int(random_bits(drawn)) == expected
        assert drawn.tolist() == [expected]


def test_what_is_drawn_is_the_upper_part_of_the_bits() -> None:
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


def test_the_first_of_a_seed() -> None:
    state = random_state(0)
    assert [int(random_below(state, 10)) for _ in range(12)] == [8, 3, 4, 1, 1, 5, 6, 8, 8, 5, 0, 1]
    assert random_unit(state) == 0.33490717240570356
