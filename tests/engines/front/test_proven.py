"""What is proven is below every schedule there is, and as high as its lines and steps say."""

import math
from itertools import product

import numpy as np
import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import systems
from tiny import all_points, lines_alone, tiny_systems

from core.engines.front.proven import Proven
from core.engines.front.wish import Deadline, EnergyBudget, ExchangeRate, PowerCap
from core.engines.recover.settling import settle
from core.engines.relaxed import trace_front
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.points import Steps
from core.vocabulary.system import System

NEARLY = 1 + 1e-9


def alike(tasks, machines, *seconds, idle=20.0):
    """Equal tasks on so many machines of each type, the later types slower and thriftier."""
    watts = [100.0 - 15 * j for j in range(len(seconds))]
    return System(
        (TaskType("task", tasks),),
        tuple(MachineType(str(j), machines, idle) for j in range(len(seconds))),
        np.array([seconds]),
        np.array([watts]),
    )


@given(tiny_systems())
@examples(16)
def test_no_schedule_is_below_what_is_proven(system):
    points = all_points(system)
    front = trace_front(system)
    proven = Proven.of(front)
    energy, makespan = points.T
    assert proven.soonest <= makespan.min()
    assert proven.latest >= makespan.max()
    assert proven.least_power <= (energy / makespan).min() * (1 + 1e-12) + 1e-12
    assert proven.thriftiest <= energy.min() * (1 + 1e-12)
    assert (proven.least_energy(makespan) <= energy * (1 + 1e-12)).all()
    assert (proven.least_makespan(energy * (1 + 1e-12)) <= makespan).all()
    assert (proven.above_idle(makespan) <= energy - system.total_idle_power * makespan + 1e-9).all()
    watts = energy / makespan
    wishes = [Deadline(float(seconds)) for seconds in makespan]
    wishes += [EnergyBudget(float(joules)) for joules in energy]
    wishes += [PowerCap(float(power)) for power in watts]
    wishes += [ExchangeRate(rate) for rate in (0.0, 1.0, 100.0)]
    for wish in wishes:
        met = points[wish.excess(points) == 0]
        least = wish.value(met).min()
        assert wish.bound(proven) <= least + 1e-11 * abs(least) + 1e-12
        assert wish.bound(proven) >= wish.bound(lines_alone(front)) - 1e-9 * (1 + abs(least))


@pytest.mark.parametrize("idle", [0.0, 20.0, 130.0])
@pytest.mark.parametrize(
    ("tasks", "machines", "seconds"),
    list(product((1, 7), (1, 3, 1000), ((10.0,), (10 / 3, 7.1)))),
)
def test_of_equal_tasks_all_is_known(tasks, machines, seconds, idle):
    system = alike(tasks, machines, *seconds, idle=idle)
    proven = Proven.of(trace_front(system))
    # The longest of those on one type is there first, so how many go there says all.
    dear = tasks if len(seconds) == 1 else None
    points = []
    for here in range(tasks + 1) if dear is None else [tasks]:
        counts = (here, tasks - here)[: len(seconds)]
        makespan = max(math.ceil(n / machines) * t for n, t in zip(counts, seconds, strict=True))
        above_idle = sum(
            n * t * (100.0 - 15 * j - idle)
            for j, (n, t) in enumerate(zip(counts, seconds, strict=True))
        )
        points.append((above_idle + system.total_idle_power * makespan, makespan))
    energy, makespan = np.array(points).T
    assert proven.soonest <= makespan.min() <= proven.soonest * NEARLY
    assert proven.thriftiest == pytest.approx(energy.min(), rel=1e-9)
    for deadline in np.concatenate([makespan, makespan * 1.3]):
        least = energy[makespan <= deadline].min()
        assert proven.least_energy(deadline) == pytest.approx(least, rel=1e-9)


def on_curve(front, steps, makespans):
    """Joules of a schedule of each makespan, at least, as lines and steps say one by one."""
    lines = front.lines.chosen(slice(0, -1)).followed_by(front.slower_lines)
    levels = lines.value - lines.weights[:, 1] * makespans[:, None]
    place = np.searchsorted(steps.begins, makespans, side="right") - 1
    idle = front.system.total_idle_power
    return np.maximum(levels.max(axis=1), steps.joules[place] + idle * makespans)


@given(
    systems(with_apc=True, dyadic=True),
    st.lists(st.tuples(st.floats(0.0, 3.0), st.floats(-0.5, 1.5)), max_size=5),
    st.floats(0.3, 3.0),
)
@examples(16)
def test_answers_are_those_of_the_curve(system, drawn, share):
    front = trace_front(system)
    soonest = float(front.lines.value[-1])
    most = np.abs(system.dynamic_energy[system.can_run]).max() * system.tasks
    begins = np.unique([soonest, *((1 + later) * soonest for later, _ in drawn)])
    joules = np.append(np.sort([most * part for _, part in drawn])[::-1], -np.inf)[: len(begins)]
    steps = Steps.descending(begins, joules)
    proven = Proven(front, steps)
    longest = 6 * max(float(front.makespan[0]), soonest)
    makespans = np.unique(np.concatenate([np.linspace(soonest, longest, 3001), begins]))
    curve = on_curve(front, steps, makespans)
    size = 1e-9 * (np.abs(curve).max() + 1)
    least = np.minimum.accumulate(curve)
    coarse = np.abs(np.diff(curve)).max() + size
    assert (proven.least_energy(makespans) <= least + size).all()
    # Between two makespans tried the curve may dip before a step, or rise, by no more than so much.
    inside = proven.least_energy(makespans)
    assert (least - inside <= coarse).all()
    assert proven.least_energy(soonest * (1 - 1e-9)) == np.inf
    budget = share * float(least[0])
    met = makespans[curve <= budget]
    bound = float(proven.least_makespan(budget))
    assert bound <= (met[0] if len(met) else np.inf) * NEARLY
    if bound < longest:
        assert proven.least_energy(bound) <= budget + size
    rate = share * float(np.abs(curve[0])) / soonest
    weighed = curve + rate * makespans
    assert proven.least_weighed(rate) <= weighed.min() + size
    assert proven.least_weighed(rate) >= weighed.min() - coarse - rate * (longest / 3000)
    watts = share * float(curve[0]) / soonest
    drawn_less = makespans[(curve <= watts * makespans) & (makespans <= proven.latest)]
    at_power = proven.least_makespan_at_power(watts)
    assert at_power <= (drawn_less[0] if len(drawn_less) else np.inf) * NEARLY
    possible = makespans <= proven.latest
    least_power = (curve[possible] / makespans[possible]).min(initial=np.inf)
    assert proven.least_power <= least_power + 1e-9 * abs(least_power)
    assert (watts < proven.least_power - size) <= (at_power == np.inf)
    if at_power < longest:
        after = on_curve(front, steps, np.array([at_power, at_power * NEARLY]))
        assert (after - watts * at_power).min() <= 1e-7 * (np.abs(curve).max() + 1)
    amount = float(most) * share
    gained = (amount - (curve - system.total_idle_power * makespans)) / makespans
    assert proven.most_a_second(amount) >= gained.max() * (1 - 1e-9) - size


# Two tasks on two machines: 2 J if both run at once, none in 2 s; so with 1 J none is the fastest.
ONLY_SLOWLY = System(
    (TaskType("none", 0), TaskType("task", 2)),
    (MachineType("free", 1), MachineType("dear", 1)),
    np.array([[1.0, np.inf], [1.0, 1.0]]),
    np.array([[0.0, np.nan], [0.0, 2.0]]),
)


@given(systems(with_apc=True, dyadic=True), st.floats(0.5, 2.0), st.floats(0.5, 2.0))
@example(ONLY_SLOWLY, 1.0, 1.0)
@examples(12)
def test_the_boundary_is_the_curve_within_the_box(system, wide, high):
    proven = Proven.of(trace_front(system))
    box = np.array([proven.thriftiest * wide + 1, proven.soonest * (1 + high)])
    boundary = proven.boundary(box)
    if proven.least_energy(box[1]) > box[0]:
        assert len(boundary) == 0
        return
    assert (np.diff(boundary[:, 0]) >= 0).all()
    assert (np.diff(boundary[:, 1]) <= 0).all()
    assert boundary[0, 1] == box[1]
    assert boundary[-1, 0] == box[0]
    size = 1e-9 * (1 + np.abs(box[0]))
    for joules, seconds in boundary:
        assert proven.least_energy(seconds * (1 + 1e-12)) <= joules + size
    for seconds in np.linspace(proven.soonest, box[1], 50)[1:-1]:
        least = float(proven.least_energy(seconds))
        if seconds < boundary[-1, 1]:
            # It has left the box on its right side: all that is as fast takes more.
            assert least >= box[0] - size
            continue
        left = boundary[boundary[:, 1] >= seconds][-1]
        right = boundary[boundary[:, 1] <= seconds][0]
        assert left[0] - size <= min(least, box[0]) <= right[0] + size


@given(tiny_systems())
@examples(12)
def test_where_all_schedules_were_considered_every_answer_is_exact(system):
    points = all_points(system)
    front, settled = trace_front(system), settle(system)
    assert settled is not None
    proven = Proven.of(front, settled=settled)
    energy, makespan = points.T
    wishes = [Deadline(float(seconds)) for seconds in makespan]
    wishes += [EnergyBudget(float(joules)) for joules in energy]
    wishes += [PowerCap(float(power)) for power in energy / makespan]
    wishes += [ExchangeRate(rate) for rate in (0.0, 1.0, 100.0)]
    for wish in wishes:
        least = wish.value(points[wish.excess(points) == 0]).min()
        assert wish.bound(proven) == pytest.approx(least, rel=1e-9, abs=1e-9)
        assert wish.bound(proven) <= least + 1e-12 * abs(least)
    assert proven.soonest == pytest.approx(makespan.min())
    assert proven.thriftiest == pytest.approx(energy.min())
    assert proven.least_power == pytest.approx((energy / makespan).min())
    impossible = (Deadline(0.999 * proven.soonest), EnergyBudget(0.999 * proven.thriftiest))
    for wish in (*impossible, PowerCap(0.999 * proven.least_power)):
        assert wish.bound(proven) == np.inf or not proven.thriftiest
    assert (proven.energy_gaps(points) >= 0).all()
