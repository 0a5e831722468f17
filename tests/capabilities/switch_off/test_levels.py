"""Levels are what comes of taking the nodes that were used last, and no way needs less energy."""

import numpy as np
import pytest
from capabilities.switch_off.uses import all_ways, busy_at, changes_of, some_jobs
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.switch_off.levels import levels_of
from core.capabilities.switch_off.sleeping import least_joules

NODES, END = 4, 40
WATTS = st.sampled_from([(5.0, 1.0, 12.0), (5.0, 1.0, 0.0), (2.0, 3.0, 9.0), (7.0, 0.0, 60.0)])


def test_gaps_are_where_fewer_nodes_are_busy():
    found = levels_of(changes_of([(10, 20, 2), (25, 30, 1)]), 3, 0, 40)
    assert (found.nodes, found.most, found.jobs, found.busy_seconds) == (3, 2, 2, 25.0)
    gaps = zip(found.level, found.length, found.closed, strict=True)
    assert sorted(gaps) == [
        (1, 5, True),
        (1, 10, False),
        (1, 10, True),
        (2, 10, True),
        (2, 20, False),
    ]
    assert [*zip(found.job_level, found.job_gap, strict=True)] == [(2, 10), (1, 5)]


@examples(60)
@given(some_jobs())
def test_levels_cover_the_time(jobs):
    """Busy and free seconds of all levels are all seconds, and gaps grow with the level."""
    found = levels_of(changes_of(jobs), NODES, 0, END)
    assert found.busy_seconds == sum(busy_at(jobs, t) for t in range(END))
    free = found.length.sum() + (NODES - found.most) * END
    assert free == pytest.approx(found.idle_seconds)
    for t in range(1, END):
        since = [
            next((s for s in range(t, 0, -1) if busy_at(jobs, s - 1) >= level), 0)
            for level in range(1, NODES + 1)
        ]
        assert since == sorted(since, reverse=True)


@examples(40)
@given(some_jobs(nodes=3, most=5), WATTS)
def test_no_way_to_give_uses_to_nodes_needs_less(jobs, watts):
    """All ways are tried, each gap with the better of its two choices."""
    idle, asleep, start = watts
    found = levels_of(changes_of(jobs), 3, 0, END)

    def least(uses):
        moments = [0, *[moment for use in uses for moment in use], END]
        gaps = np.diff(moments)[::2]
        closed = sum(min(idle * gap, asleep * gap + start if gap else 0) for gap in gaps[:-1])
        return float(closed + min(idle, asleep) * gaps[-1])

    best = min(sum(map(least, way)) for way in all_ways(jobs, 3))
    assert least_joules(found, idle, asleep, start) == pytest.approx(best, rel=1e-12)


@examples(60)
@given(some_jobs(), st.integers(1, END - 1))
def test_parts_of_the_time_add_up(jobs, middle):
    changes = changes_of(jobs)
    parts = [(0, middle), (middle, END)]
    found = [levels_of(changes.within(*part), NODES, *part) for part in parts]
    assert sum(one.busy_seconds for one in found) == levels_of(changes, NODES, 0, END).busy_seconds
    assert sum(one.jobs for one in found) == len(jobs)
    assert found[1].seconds == END - middle
