"""How wrong powers may be is so for every schedule of small systems, at any factor within."""

import math
from dataclasses import replace

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from studied import study_of
from tiny import all_schedules, tiny_systems

from core.capabilities.trade_offs.how_wrong import (
    FACTORS,
    holding,
    how_wrong,
    of_estimates,
    scaled,
    without_work,
)
from core.engines.recover.along import points_of
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.points import non_dominated
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


def study_with(schedules):
    points = points_of(schedules)
    best = non_dominated(points)
    return replace(study_of(schedules[0]), schedules=schedules, points=points, on_front=best)


@pytest.mark.parametrize("part", [without_work, of_estimates])
@given(tiny_systems(), st.data())
@examples(12)
def test_within_it_none_is_better_and_beyond_it_one_is(part, system, data):
    marks = np.arange(system.etc.size).reshape(system.etc.shape) % 2 == 0
    system = replace(system, estimated=marks)
    every = all_schedules(system)
    found = study_with(data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=12)))
    chosen = found.schedules[np.flatnonzero(found.on_front)[0]]
    if (holds := holding(chosen, found, part)) is None:
        assert part(chosen) <= 1e-9 * chosen.energy
        return

    def least(schedules, factor):
        there = scaled(system, part, factor)
        as_fast = [one for one in schedules if one.makespan <= chosen.makespan]
        return min(replace(one, system=there).energy for one in as_fast)

    inside = [holds.low, holds.high, data.draw(st.floats(holds.low, holds.high))]
    for factor in inside:
        own = replace(chosen, system=scaled(system, part, factor)).energy
        assert own <= least(found.schedules, factor) * (1 + 1e-9) + 1e-9
        if math.isfinite(holds.above):
            assert own <= least(every, factor) * (1 + holds.above) * (1 + 1e-9) + 1e-9
    assert 0 <= holds.low <= 1 <= holds.high <= FACTORS.high
    for beyond in (holds.low - 0.01, holds.high + 0.01):
        if FACTORS.low <= beyond <= FACTORS.high:
            own = replace(chosen, system=scaled(system, part, beyond)).energy
            assert least(found.schedules, beyond) < own


def test_it_is_said_by_hand():
    """Two tasks of 10 s. Both on A: 20 s, B idle at 10 W meanwhile. One each: 10 s, 700 J more at
    work; so as long as idle power is less than 3.5 times that, the first is the thriftier.
    """
    system = System(
        (TaskType("t", 2),),
        (MachineType("A", 1, 10.0), MachineType("B", 1, 10.0)),
        np.array([[10.0, 10.0]]),
        np.array([[30.0, 100.0]]),
    )
    thrifty, fast = (Schedule(system, [0, 1], [1, 1], [[n], [2 - n]]) for n in (2, 1))
    found = study_with([thrifty, fast])
    holds = holding(thrifty, found, without_work)
    assert (holds.low, holds.high) == (0.0, 3.5)
    (said,) = how_wrong(thrifty, found, assumed=True)
    assert said.startswith("Power idle, 20 W for all machines: from 0 to 3.5 times what is assumed")
    assert not [*how_wrong(fast, found, assumed=True)], "nothing of it is idle"
    assert not [*how_wrong(thrifty, found, assumed=False)]
    marked = replace(thrifty, system=replace(system, estimated=np.array([[True, False]])))
    (said,) = how_wrong(marked, study_with([marked]), assumed=False)
    assert said.startswith("Powers of estimated pairs: from 0 to 5 times what is assumed")
