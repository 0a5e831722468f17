"""A wish that some schedule meets is met, as well as any schedule does: held against all there are.

Small systems are settled, so nothing here depends on how fast the computer is.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import systems

from benchmarks.every import every_schedule, number_of_ways
from core.capabilities.makespan.solve import solve
from core.engines.front.methods import Lp
from core.engines.front.study import Possible, Study, pick, study
from core.engines.front.wish import Deadline, EnergyBudget, ExchangeRate, PowerCap, Wish
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

SYSTEMS = systems(max_task_types=3, dyadic=True, max_count=4, with_apc=True)
MOST_WAYS = 20_000
# Of the schedules of this one some need to wait on purpose to keep a power cap.
SMALL = System(
    (TaskType("t0", 2), TaskType("t1", 2)),
    (MachineType("m0", 1, 30.0), MachineType("m1", 2, 30.0)),
    np.array([[3.0, 1.0], [9.0, 7.0]]),
    np.array([[90.0, 90.0], [170.0, 110.0]]),
)
QUICKLY = Lp(2.0)


def amounts_around(exact: set[Fraction]) -> Iterator[Fraction]:
    """What some schedule has exactly, what is between, a little less than the least, and more."""
    ordered = sorted(exact)
    yield from ordered
    yield from ((low + high) / 2 for low, high in pairwise(ordered))
    yield ordered[0] * Fraction(999, 1000)
    yield ordered[-1] * 2


def assert_granted(found: Study, wish: Wish, meeting: FloatArray) -> None:
    """`meeting` are the rows of (joules, seconds) of all schedules that meet the wish."""
    picked = pick(found, wish)
    if not len(meeting):
        assert picked.possible is Possible.NO, wish
        assert picked.bound == np.inf
        return
    assert picked.possible is Possible.YES, wish
    best = wish.value(meeting.astype(float)).min()
    assert picked.value == pytest.approx(best, rel=1e-12), wish
    # The bound is the best itself: sums of whole numbers are exact.
    assert picked.bound <= best * (1 + 1e-15)
    assert picked.gap <= 1e-12


@given(SYSTEMS)
@examples(30)
def test_every_deadline_budget_cap_and_rate(system: System) -> None:
    assume(number_of_ways(system) <= MOST_WAYS)
    every = every_schedule(system)
    found = study(system, QUICKLY, effort=Effort(0.01))
    joules, seconds = ([Fraction(x) for x in column] for column in every.T.tolist())
    for deadline in amounts_around(set(seconds)):
        meeting = np.array([second <= deadline for second in seconds])
        assert_granted(found, Deadline(float(deadline)), every[meeting])
    for budget in amounts_around(set(joules)):
        meeting = np.array([joule <= budget for joule in joules])
        assert_granted(found, EnergyBudget(float(budget)), every[meeting])
    watts = [joule / second for joule, second in zip(joules, seconds, strict=True)]
    for cap in amounts_around(set(watts)):
        meeting = np.array([watt <= cap for watt in watts])
        assert_granted(found, PowerCap(float(cap)), every[meeting])
    for rate in (0.0, 1.0, 17.0, 1e6):
        assert_granted(found, ExchangeRate(rate), every)


@given(SYSTEMS)
@examples(20)
def test_the_fastest_and_the_thriftiest(system: System) -> None:
    assume(number_of_ways(system) <= MOST_WAYS)
    joules, seconds = every_schedule(system).T
    fastest = solve(system, effort=Effort(0.01))
    assert fastest.value == fastest.bound.value == seconds.min()
    assert fastest.schedule.energy == joules[seconds == seconds.min()].min()
    thriftiest = solve(system, minimise="energy", effort=Effort(0.01))
    assert thriftiest.value == thriftiest.bound.value == joules.min()
    assert thriftiest.schedule.makespan == seconds[joules == joules.min()].min()
    assert fastest.gap == thriftiest.gap == 0
    assert fastest.verdict.ok
    assert thriftiest.verdict.ok


@given(SYSTEMS, st.integers(65, 500))
@examples(20)
def test_machines_that_draw_less_at_work_than_idle(system: System, watts: int) -> None:
    # No machine draws more than 64 W at work: now all draw more when idle.
    assume(number_of_ways(system) <= MOST_WAYS)
    hungry = replace(
        system,
        machine_types=tuple(
            replace(machine, idle_power=machine.idle_power + watts)
            for machine in system.machine_types
        ),
    )
    joules, _ = every_schedule(hungry).T
    assert solve(hungry, minimise="energy", effort=Effort(0.01)).value == joules.min()
    found = study(hungry, QUICKLY, effort=Effort(0.01))
    assert found.points[:, 0].min() == joules.min()
    idle = hungry.total_idle_power
    assert_granted(found, PowerCap(idle), every_schedule(hungry))


def test_a_limit_that_is_met_exactly_is_met_though_sums_are_rounded() -> None:
    # Tenths of seconds add up to a little more than they say, thirds of watts to a little less.
    for share in (0.1, 1 / 3, 0.7):
        system = replace(SMALL, etc=SMALL.etc * share)
        found = study(system, QUICKLY, effort=Effort(0.01))
        for joules, seconds in every_schedule(SMALL).tolist():
            for wish in (
                Deadline(seconds * share),
                EnergyBudget(joules * share),
                PowerCap(joules / seconds),
            ):
                assert pick(found, wish).possible is Possible.YES
