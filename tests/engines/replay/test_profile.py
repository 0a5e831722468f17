"""The step function of free units says what counting every moment says."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.engines.replay.profile import (
    all_free,
    copy_profile,
    earliest_start,
    forget_before,
    occupy,
    unused,
    with_room,
)

UNITS = 5


@st.composite
def _taken(draw: st.DrawFn) -> list[tuple[int, int, int]]:
    """(units, start, end) of what fits into a pool of five units, all times whole."""
    free = [UNITS] * 40
    found = []
    for _ in range(draw(st.integers(0, 8))):
        start, length = draw(st.integers(0, 20)), draw(st.integers(1, 10))
        most = min(free[start : start + length])
        if most > 0:
            units = draw(st.integers(1, most))
            found.append((units, start, start + length))
            for moment in range(start, start + length):
                free[moment] -= units
    return found


def _free_at(taken: list[tuple[int, int, int]], moment: float) -> int:
    return UNITS - sum(units for units, start, end in taken if start <= moment < end)


@given(_taken(), st.integers(1, UNITS), st.integers(1, 12), st.integers(0, 25), st.integers(0, 8))
def test_the_earliest_start_is_that_of_trying_every_moment(
    taken: list[tuple[int, int, int]], units: int, seconds: int, since: int, forgotten: int
) -> None:
    profile = with_room(all_free(np.array([UNITS]), 4), 64)
    for one in taken:
        occupy(profile, 0, one[0], float(one[1]), float(one[2]))
    forget_before(profile, 0, float(min(forgotten, since)))
    expected = next(
        start
        for start in range(since, 100)
        if all(_free_at(taken, moment) >= units for moment in range(start, start + seconds))
    )
    assert earliest_start(profile, 0, units, float(seconds), float(since)) == expected
    until = 30.0
    free = sum(_free_at(taken, moment) for moment in range(since, 30))
    assert unused(profile, 0, float(since), until) == free


def test_what_is_given_back_leaves_nothing() -> None:
    profile, copy = all_free(np.array([3, 7]), 16), all_free(np.array([3, 7]), 16)
    occupy(profile, 1, 4, 10.0, 20.0)
    occupy(profile, 1, 2, 15.0, 30.0)
    copy_profile(profile, copy)
    assert profile.free[1, :5].tolist() == [7, 3, 1, 5, 7]
    occupy(profile, 1, -2, 15.0, 30.0)
    occupy(profile, 1, -4, 10.0, 20.0)
    forget_before(profile, 1, 0.0)
    assert profile.steps.tolist() == [1, 1]
    assert copy.steps.tolist() == [1, 5]
