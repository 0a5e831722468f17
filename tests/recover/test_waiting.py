"""Schedules that wait on purpose keep the cap that they are made for, and hardly waste time."""

import numpy as np
import pytest
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import systems

from core.front.methods import Lp
from core.front.pick import Possible, pick
from core.front.proven import Proven
from core.front.study import study
from core.front.wish import PowerCap
from core.model.budget import Effort
from core.model.kinds import MachineType, TaskType
from core.model.system import System
from core.recover.settling import settle
from core.recover.waiting import CAPS, TYPES_TRIED, waiting_longer, waiting_within
from core.relaxed import Front, trace_front
from core.samples.named import load_sample
from core.verify.judge import verify


def cap_beyond(front: Front, share: float) -> float:
    """Watts: this share of what the thriftiest divisible schedule draws above idle power."""
    idle = front.system.total_idle_power
    joules, seconds = front.points[0]
    return float(idle + share * (joules / seconds - idle))


@given(systems(with_apc=True, dyadic=True), st.floats(0.01, 2.0))
@examples(40)
def test_all_keep_the_cap(system: System, share: float) -> None:
    watts = cap_beyond(trace_front(system), share)
    found = waiting_within(system, watts)
    assert len(found) <= TYPES_TRIED
    for schedule in found:
        assert verify(schedule, system).ok
        assert schedule.energy <= watts * schedule.makespan * (1 + 1e-12)


@given(systems(with_apc=True, dyadic=True, max_count=4), st.floats(0.1, 1.0))
@examples(30)
def test_none_is_faster_than_the_best_of_all_schedules(system: System, share: float) -> None:
    settled = settle(system)
    assume(settled is not None)
    assert settled is not None
    watts = cap_beyond(trace_front(system), share)
    within = [s.makespan for s in settled.schedules if s.energy <= watts * s.makespan]
    for schedule in waiting_within(system, watts):
        assert schedule.makespan >= min(within)


@pytest.mark.parametrize("name", ["nine", "six"])
@pytest.mark.parametrize("share", [0.3, 0.2, 0.1])
def test_with_many_tasks_little_time_is_wasted(name: str, share: float) -> None:
    front = trace_front(load_sample(name).with_idle_fraction(0.1))
    watts = cap_beyond(front, share)
    fastest = min(s.makespan for s in waiting_within(front.system, watts))
    assert fastest <= 1.01 * Proven.of(front).least_makespan_at_power(watts)


@pytest.mark.parametrize("wished", [True, False])
def test_a_cap_below_what_the_front_draws_is_kept(wished: bool) -> None:
    front = trace_front(load_sample("nine").with_idle_fraction(0.1))
    for share in (0.9, 0.5, 0.2):
        wish = PowerCap(cap_beyond(front, share))
        method = Lp(0.3, wish if wished else None)
        found = study(front.system, method, front=front, effort=Effort(0.01))
        assert found.verified
        picked = pick(found, wish)
        assert picked.possible is Possible.YES
        assert not wished or picked.gap < 0.02


def test_the_ladder_goes_down_to_all_tasks_on_one_machine() -> None:
    front = trace_front(load_sample("nine").with_idle_fraction(0.1))
    ladder = waiting_longer(front)
    assert len(ladder) == CAPS
    makespans = [schedule.makespan for schedule in ladder]
    powers = [schedule.energy / schedule.makespan for schedule in ladder]
    assert (np.diff(makespans) > 0).all()
    assert (np.diff(powers) < 0).all()
    assert (ladder[-1].load > 0).sum() == 1


def test_the_only_machine_of_its_type_keeps_its_own_tasks() -> None:
    # B is cheapest for both, and there is one of it: all 20 s of its work are its own.
    system = System(
        (TaskType("T", 10),),
        (MachineType("A", 3, 1.0), MachineType("B", 1, 1.0)),
        np.array([[1.0, 2.0]]),
        np.array([[100.0, 2.0]]),
    )
    found = waiting_within(system, 4.0 + 20.0 / 20.0)
    assert (found[0].makespan, found[0].energy) == (20.0, 100.0)


def test_no_cap_below_idle_power_is_kept_by_waiting() -> None:
    nine = load_sample("nine").with_idle_fraction(0.1)
    assert waiting_within(nine, nine.total_idle_power) == []
    assert waiting_within(nine, 0.5 * nine.total_idle_power) == []
