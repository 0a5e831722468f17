"""The step function of what is free says what counting every moment says."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.replay.profile import (
    all_free,
    copy_profile,
    earliest_start,
    forget_before,
    free_until,
    give_back,
    occupy,
    unused,
    with_room,
)
from core.vocabulary.arrays import IntArray

UNITS = 5
MEMORY = 7


class Taken(NamedTuple):
    """What is taken from a start to an end, all times whole."""

    units: int
    memory: int
    start: int
    end: int


def profile_of(units: list[int], *further: list[int], room: int = 16):
    return all_free(np.array(units), np.array(further, np.int64).reshape(len(units), -1), room)


def amounts(units: int, *further: int) -> tuple[int, IntArray]:
    return units, np.array(further, np.int64)


@st.composite
def _taken(draw: st.DrawFn) -> list[Taken]:
    """What fits into a pool of five units and seven GB."""
    found: list[Taken] = []
    for _ in range(draw(st.integers(0, 8))):
        start, length = draw(st.integers(0, 20)), draw(st.integers(1, 10))
        free = [_free_at(found, moment) for moment in range(start, start + length)]
        units, memory = (min(one) for one in zip(*free, strict=True))
        if units > 0:
            wide, much = draw(st.integers(1, units)), draw(st.integers(0, memory))
            found.append(Taken(wide, much, start, start + length))
    return found


def _free_at(taken: list[Taken], moment: float) -> tuple[int, int]:
    there = [one for one in taken if one.start <= moment < one.end]
    return UNITS - sum(one.units for one in there), MEMORY - sum(one.memory for one in there)


@pytest.mark.parametrize("with_memory", [False, True])
@given(
    _taken(),
    st.tuples(st.integers(1, UNITS), st.integers(0, MEMORY)),
    st.integers(1, 12),
    st.integers(0, 25),
    st.integers(0, 8),
)
def test_the_earliest_start_is_that_of_trying_every_moment(
    with_memory: bool,
    taken: list[Taken],
    wanted: tuple[int, int],
    seconds: int,
    since: int,
    forgotten: int,
) -> None:
    wanted = wanted if with_memory else (wanted[0], 0)
    more = [MEMORY] if with_memory else []
    profile = with_room(profile_of([UNITS], more, room=4), 64)
    for one in taken:
        mine = amounts(one.units, *[one.memory][: len(more)])
        occupy(profile, 0, mine, float(one.start), float(one.end))
    forget_before(profile, 0, float(min(forgotten, since)))

    def fits(start: int) -> bool:
        free = [_free_at(taken, moment) for moment in range(start, start + seconds)]
        return all(units >= wanted[0] and memory >= wanted[1] for units, memory in free)

    expected = next(start for start in range(since, 100) if fits(start))
    asked = amounts(wanted[0], *[wanted[1]][: len(more)])
    assert earliest_start(profile, 0, asked, float(seconds), float(since)) == expected
    begin = min(forgotten, since)
    if begin == since:
        assert free_until(profile, 0, asked, float(since + seconds)) == fits(since)
    free = sum(_free_at(taken, moment)[0] for moment in range(since, 30))
    assert unused(profile, 0, float(since), 30.0) == free


def test_what_is_given_back_leaves_nothing() -> None:
    profile, copy = profile_of([3, 7], [1], [9]), profile_of([3, 7], [1], [9])
    occupy(profile, 1, amounts(4, 2), 10.0, 20.0)
    occupy(profile, 1, amounts(2, 5), 15.0, 30.0)
    copy_profile(profile, copy)
    assert profile.free[1, :5].tolist() == [7, 3, 1, 5, 7]
    assert profile.spare[1, :5, 0].tolist() == [9, 7, 2, 4, 9]
    give_back(profile, 1, amounts(2, 5), 15.0, 30.0)
    give_back(profile, 1, amounts(4, 2), 10.0, 20.0)
    forget_before(profile, 1, 0.0)
    assert profile.steps.tolist() == [1, 1]
    assert copy.steps.tolist() == [1, 5]
    assert copy.spare[1, :5, 0].tolist() == [9, 7, 2, 4, 9]


def test_steps_that_differ_in_memory_alone_stay_apart() -> None:
    profile = profile_of([3], [9])
    occupy(profile, 0, amounts(0, 5), 10.0, 20.0)
    forget_before(profile, 0, 0.0)
    assert profile.time[0, : profile.steps[0]].tolist() == [0, 10, 20]
