"""Days of small centres, drawn by chance, and the day of the published size."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from core.capabilities.centre.centre import Centre, Cooling, PhysicalRoom, ServerKind, parasol
from core.capabilities.centre.day import CentreDay, Curves, grouped
from core.capabilities.centre.plan import DayPlan, executing, measured, starting
from core.vocabulary.budget import NoScheduleFound


def flat_curves(steps: int, **curves: Any) -> Curves:
    """Curves that hold all day, if nothing else is given; no green power, no target."""
    usual = {"price": 1.0, "carbon": 100.0, "outside": 25.0, "green": 0.0, "target": 1e6}
    given = (np.broadcast_to(value, steps).astype(float) for value in (usual | curves).values())
    return Curves(*given)


Row = tuple[int, int, int, int, float]
"""A job: its kind, width, length, release and due date."""


def day_of(rows: Sequence[Row], steps: int, **curves: Any) -> CentreDay:
    """A day of the published centre, in steps of a minute."""
    return CentreDay(parasol(), grouped(rows), flat_curves(steps, **curves), 60.0)


def parasol_day(jobs: int, seed: int = 1, steps: int = 150, **curves: Any) -> CentreDay:
    """Jobs of the published size on the published centre, with our lengths and due dates."""
    random = np.random.default_rng(seed)
    rows = []
    for job in range(jobs):
        length = int(random.integers(5, 26))
        release = 0 if job % 4 == 0 else int(random.integers(0, steps - 50))
        due = np.ceil(release + length * random.uniform(1.2, 3.0))
        rows.append((0, 1, length, release, float(due)))
    return day_of(rows, steps, **{"target": 1300.0} | curves)


@st.composite
def centre_days(draw: st.DrawFn, most_kinds: int = 2) -> CentreDay:
    """A few jobs on a few servers of up to two kinds, some of which take steps to start."""
    steps = draw(st.integers(2, 8))
    whole = st.integers(0, 40)
    kinds = []
    for name in "ab"[: draw(st.integers(1, most_kinds))]:
        asleep, idle, busy = sorted(draw(st.tuples(whole, whole, whole)))
        start = draw(st.integers(0, 3))
        joules = float(start * draw(st.integers(0, 50)))
        kinds.append(ServerKind(name, draw(st.integers(1, 4)), busy, idle, asleep, start, joules))
    most = sum(kind.count * max(kind.busy_watts, 50) for kind in kinds)
    law = draw(st.sampled_from(("cubic", "linear")))
    cooling = Cooling(draw(whole), draw(st.integers(0, 80)), draw(whole), 500.0 + most, law)
    room = PhysicalRoom(draw(st.integers(100, 2000)), draw(st.integers(1, 15)))
    outside = draw(st.lists(st.integers(15, 30), min_size=steps, max_size=steps))
    centre = Centre(tuple(kinds), cooling, room, 27.0, draw(st.sampled_from((20.0, 26.5, 27.0))))
    rows = []
    for _ in range(draw(st.integers(1, 8))):
        kind = draw(st.integers(0, len(kinds) - 1))
        length = draw(st.integers(1, steps))
        release = draw(st.integers(0, steps - length))
        due = draw(st.sampled_from((0.0, 0.5, 3.0)))
        width = draw(st.integers(1, kinds[kind].count))
        rows.append((kind, width, length, release, release + length + due))
    curve = st.lists(st.integers(0, 200), min_size=steps, max_size=steps)
    curves = flat_curves(
        steps,
        price=np.array(draw(curve)) - 20.0,
        green=draw(curve),
        target=draw(curve),
        outside=outside,
    )
    day = CentreDay(centre, grouped(rows), curves, 1.0)
    return replace(day, feed_in=draw(st.sampled_from((0.0, 0.1))), peak_price=draw(whole))


def plan_or_none(day: CentreDay, method: Callable[[CentreDay], DayPlan]) -> DayPlan | None:
    """The plan of a method; none if it says that jobs find no room."""
    try:
        return method(day)
    except NoScheduleFound as refused:
        if "find no room" not in str(refused):
            raise
        return None


def faults(day: CentreDay, plan: DayPlan) -> list[str]:
    """What cannot be of a plan: jobs lost, too early or on no server, a room that gets too warm."""
    found, jobs, counts = [], day.jobs, day.centre.counts[:, None]
    done = np.bincount(plan.group, plan.count, len(jobs))
    if done.tolist() != jobs.count.tolist() or (plan.count < 1).any():
        found.append("jobs are lost or made")
    if (plan.start < jobs.release[plan.group]).any():
        found.append("a job starts before its release")
    if (plan.start + jobs.length[plan.group] > day.steps).any():
        found.append("a job ends after the day")
    busy = executing(day, plan.group, plan.start, plan.count)
    if (busy > plan.awake).any() or (plan.awake + starting(day, plan.awake) > counts).any():
        found.append("more servers are busy than awake, or there are fewer than awake and starting")
    for kind, steps in enumerate(day.centre.start_steps(day.step).tolist()):
        if (plan.awake[kind, :steps] > np.minimum.accumulate(plan.awake[kind, :steps])).any():
            found.append("a server starts before the day")
    if ((plan.speed > 0) & plan.compressor).any() or plan.speed.max() > 1:
        found.append("a fan and a compressor run together")
    if measured(day, plan).hottest > day.centre.limit:
        found.append("it gets too warm")
    return found
