"""Small days of a centre, and plans for them, drawn by hypothesis."""

import numpy as np
from hypothesis import strategies as st

from core.capabilities.centre.centre import (
    Centre,
    Cooling,
    LinearRoom,
    PhysicalRoom,
    Room,
    ServerKind,
)
from core.capabilities.centre.day import CentreDay, Curves, grouped
from core.capabilities.centre.plan import DayPlan, executing, starting
from core.vocabulary.arrays import FloatArray

STEP = 300.0


@st.composite
def kinds(draw: st.DrawFn) -> tuple[ServerKind, ...]:
    found = []
    for k in range(draw(st.integers(1, 3))):
        asleep = draw(st.sampled_from([0.0, 3.0, 11.5]))
        idle = asleep + draw(st.sampled_from([0.0, 19.0, 80.25]))
        busy = idle + draw(st.sampled_from([0.0, 8.0, 150.0]))
        seconds = draw(st.sampled_from([0.0, 1.0, 300.0, 450.0]))
        joules = draw(st.sampled_from([0.0, 9000.0, 12345.6])) if seconds else 0.0
        count = draw(st.integers(1, 5))
        found.append(ServerKind(f"k{k}", count, busy, idle, asleep, seconds, joules))
    return tuple(found)


@st.composite
def days(draw: st.DrawFn, limit: float = 1000.0) -> CentreDay:
    """A day in which jobs fit; its limit is never reached unless another is given."""
    steps = draw(st.integers(2, 12))
    servers = draw(kinds())
    room: Room = draw(
        st.sampled_from(
            [
                PhysicalRoom(5e6, 120.0),
                PhysicalRoom(6e5, 10.0),
                LinearRoom(0.9, 0.05, 1e-3, 1.5, 2.5, STEP),
            ]
        )
    )
    law = draw(st.sampled_from(["cubic", "linear"]))
    cooling = Cooling(410.0, 1000.0, 2300.0, 5500.0, law)
    centre = Centre(servers, cooling, room, limit, draw(st.sampled_from([18.0, 26.5])), -50.0)

    def curve(low: float, high: float) -> FloatArray:
        return np.array(draw(st.lists(st.floats(low, high), min_size=steps, max_size=steps)))

    curves = Curves(
        curve(-0.5, 2.0),
        curve(0.0, 500.0),
        curve(-10.0, 35.0),
        curve(0.0, 900.0),
        curve(0.0, 900.0),
    )
    jobs = []
    for _ in range(draw(st.integers(0, 6))):
        kind = draw(st.integers(0, len(servers) - 1))
        length = draw(st.integers(1, steps))
        release = draw(st.integers(0, steps - length))
        due = draw(st.sampled_from([0.0, 0.5, 1.0])) + draw(st.integers(0, steps))
        jobs.append((kind, draw(st.integers(1, servers[kind].count)), length, release, due))
    feed_in, peak = draw(st.sampled_from([(0.0, 0.0), (0.08, 4.0)]))
    return CentreDay(centre, grouped(jobs), curves, STEP, feed_in, peak)


@st.composite
def plans(draw: st.DrawFn, day: CentreDay) -> DayPlan:
    """A plan that can be carried out if jobs that are placed at random find servers; else servers
    that are missing are for the judge to report.
    """
    jobs = day.jobs
    group = np.repeat(np.arange(len(jobs)), jobs.count)
    last = (day.steps - jobs.length)[group].tolist()
    first = jobs.release[group].tolist()
    start = np.array(
        [draw(st.integers(low, high)) for low, high in zip(first, last, strict=True)], np.int64
    )
    count = np.ones(len(group), np.int64)
    work = executing(day, group, start, count)
    most = np.maximum(day.centre.counts[:, None], work)
    share = np.array(
        draw(st.lists(st.floats(0, 1), min_size=work.size, max_size=work.size))
    ).reshape(work.shape)
    awake = work + np.floor((most - work) * share).astype(np.int64)
    begin = day.centre.start_steps(day.step)
    for k in range(len(awake)):  # who sleeps at first cannot have been woken before the day
        level = awake[k, : begin[k] + 1].max()
        awake[k, : begin[k] + 1] = level
        if (awake[k] + starting(day, awake)[k] > day.centre.counts[k]).any():
            awake[k] = most[k].max()
    mode = draw(st.lists(st.floats(-1, 1), min_size=day.steps, max_size=day.steps))
    speed = np.maximum(np.array(mode), 0.0)
    return DayPlan(group, start, count, awake, speed, np.array(mode) < -0.5)
