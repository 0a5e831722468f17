"""No server sleeps for fewer steps than its start takes, and none is awake without need."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from centre_days import day_of
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.rivals.sleeping import awake_for, keep_awake


@given(needed=st.lists(st.integers(0, 3), min_size=1, max_size=9), start=st.integers(0, 4))
def test_it_is_as_if_each_server_were_asked(needed: list[int], start: int) -> None:
    awake = np.array(needed)
    keep_awake(awake, 3, start)
    expected = np.zeros(len(needed), int)
    for server in range(3):
        at_work = [-1, *(step for step, many in enumerate(needed) if many > server), len(needed)]
        there = np.isin(np.arange(len(needed)), at_work)
        for before, after in pairwise(at_work):
            if after < len(needed) and after - before - 1 < start:
                there[before + 1 : after] = True
        expected += there
    assert awake.tolist() == expected.tolist()


def test_a_gap_of_two_steps_is_slept_through_only_by_who_starts_in_two() -> None:
    kept = {}
    for start in (0, 1, 2, 3):
        awake = np.array([2, 0, 0, 1, 0])
        keep_awake(awake, 2, start)
        kept[start] = awake.tolist()
    assert kept == {0: [2, 0, 0, 1, 0], 1: kept[0], 2: kept[0], 3: [2, 1, 1, 1, 0]}


def test_each_kind_has_its_own_start() -> None:
    """One starts in 90 s, two steps, the other at once; what is needed stays as it is given."""
    day = day_of([], 5)
    slow = replace(day.centre.kinds[0], start_seconds=90.0)
    quick = replace(slow, name="quick", start_seconds=0.0)
    day = replace(day, centre=replace(day.centre, kinds=(slow, quick)))
    needed = np.array([[1, 0, 1, 0, 0], [1, 0, 1, 0, 0]])
    assert awake_for(day, needed).tolist() == [[1, 1, 1, 0, 0], [1, 0, 1, 0, 0]]
    assert needed.tolist() == [[1, 0, 1, 0, 0]] * 2
