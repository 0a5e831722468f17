"""A wish is met where it says, and its bound is below every schedule that meets it."""

from dataclasses import astuple, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import schedules, systems
from tiny import lines_alone

from benchmarks.every import every_schedule, number_of_ways
from core.capabilities.makespan.solve import solve
from core.engines.front.methods import Lp
from core.engines.front.proven import Proven
from core.engines.front.study import Possible, pick, study
from core.engines.front.wish import (
    SI_WISHES,
    WISH_KINDS,
    Deadline,
    EnergyBudget,
    ExchangeRate,
    PeakCap,
    PowerCap,
    StatedWish,
)
from core.engines.relaxed import trace_front
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

SCHEDULES = schedules(systems(with_apc=True, dyadic=True))


@st.composite
def wishes(draw, front):
    """Any kind of wish, about where the front is; some of them cannot be met."""
    energy, makespan = front.points.max(axis=0)
    share = draw(st.floats(0.2, 3.0))
    return draw(
        st.sampled_from(
            [
                Deadline(share * front.makespan[-1]),
                Deadline(share * makespan),
                EnergyBudget(share * energy),
                PowerCap(share * energy / makespan),
                ExchangeRate(share * energy / makespan),
                ExchangeRate(0.0),
            ]
        )
    )


@given(SCHEDULES)
@examples(8)
def test_what_rounding_lets_a_schedule_meet_is_not_proven_impossible(schedule):
    front = trace_front(schedule.system)
    energy, makespan = schedule.energy, schedule.makespan
    point = np.array([[energy, makespan]])
    less = 1 - 5e-13
    for wish in (Deadline(less * makespan), EnergyBudget(less * energy)):
        assert wish.excess(point)[0] == 0
        assert np.isfinite(wish.bound(Proven.of(front)))


@given(systems(with_apc=True, dyadic=True), st.data())
@examples(10)
def test_where_the_front_meets_a_wish_it_has_the_value_of_the_bound(system, data):
    front = trace_front(system)
    wish = data.draw(wishes(front))
    makespan = wish.makespan(front)
    assert front.makespan[-1] * (1 - 1e-9) <= makespan <= front.makespan[0] * (1 + 1e-9)
    there = np.array([[front.least_energy(max(makespan, front.makespan[-1])), makespan]])
    size = 1e-6 * (1 + np.abs(there).max())
    bound = wish.bound(lines_alone(front))
    if not isinstance(wish, PowerCap) and np.isfinite(bound):
        assert wish.excess(there)[0] <= size
        assert wish.value(there)[0] == pytest.approx(bound, rel=1e-6, abs=size)


def test_amounts_far_apart_do_not_blur_a_deadline():
    # A rounding error of these joules is more than the seconds.
    points = np.array([[1e17, 2.0], [1e16, 3.0]])
    assert Deadline(2.0).excess(points).tolist() == [0.0, 1.0]
    assert EnergyBudget(1.0).excess(np.array([[1.5, 1e17]])).tolist() == [0.5]


@pytest.mark.parametrize(
    ("wish", "bound", "makespan"),
    [
        (Deadline(10.7), np.inf, 10.8),
        (Deadline(14.4), 1392.0, 14.4),
        (Deadline(1000.0), 1380.0, 18.0),
        (EnergyBudget(1379.0), np.inf, 18.0),
        (EnergyBudget(1392.0), 14.4, 14.4),
        (EnergyBudget(1e6), 10.8, 10.8),
        (PowerCap(30.0), np.inf, 18.0),
        (PowerCap(60.0), 24.0, 18.0),
        (PowerCap(500.0), 10.8, 10.8),
        (ExchangeRate(0.0), 1380.0, 18.0),
        (ExchangeRate(2.0), 1416.0, 18.0),
        (ExchangeRate(10 / 3), 1440.0, None),
        (ExchangeRate(100.0), 1404 + 1080, 10.8),
    ],
)
def test_what_is_proven_of_the_front_worked_out_by_hand(two_by_two, wish, bound, makespan):
    front = trace_front(two_by_two(20, 10))
    assert wish.bound(lines_alone(front)) == pytest.approx(bound, rel=1e-9)
    if makespan is not None:
        assert wish.makespan(front) == pytest.approx(makespan, rel=1e-9)


@pytest.mark.parametrize("kind", [Deadline, EnergyBudget, PowerCap, ExchangeRate])
@pytest.mark.parametrize("amount", [np.inf, -np.inf, np.nan])
def test_what_is_not_finite_is_no_wish(kind, amount):
    with pytest.raises(ValueError, match="give finite numbers"):
        kind(amount)


POINTS = np.array([[1400.0, 12.0], [1390.0, 15.0], [1380.0, 18.0]])


@pytest.mark.parametrize(
    ("wish", "excess", "value"),
    [
        (Deadline(14.0), [0, 1, 4], [1400, 1390, 1380]),
        (Deadline(15.0), [0, 0, 3], [1400, 1390, 1380]),
        (EnergyBudget(1390.0), [10, 0, 0], [12, 15, 18]),
        (PowerCap(100.0), [1400 / 12 - 100, 0, 0], [12, 15, 18]),
        (PowerCap(1390.0 / 15), [1400 / 12 - 1390 / 15, 0, 0], [12, 15, 18]),
        (ExchangeRate(10.0), [0, 0, 0], [1520, 1540, 1560]),
    ],
)
def test_what_each_point_exceeds_and_is_worth(wish, excess, value):
    assert wish.excess(POINTS) == pytest.approx(np.array(excess))
    assert wish.value(POINTS) == pytest.approx(np.array(value))


def test_what_is_exceeded_by_no_more_than_rounding_is_met():
    limit = 0.5
    at_most = limit + 1e-12 * limit
    points = np.array([[at_most, 1.0], [np.nextafter(at_most, 1), 1.0]])
    assert (EnergyBudget(limit).excess(points) > 0).tolist() == [False, True]
    assert EnergyBudget(-1.0).excess(np.array([[-1 + 9e-13, 1.0]])).tolist() == [0]


@pytest.mark.parametrize(
    ("wish", "time", "energy", "power"),
    [
        (Deadline(1.5), 1.5, np.inf, np.inf),
        (EnergyBudget(1.5), np.inf, 1.5, np.inf),
        (PowerCap(1.5), np.inf, np.inf, 1.5),
        (ExchangeRate(1.5), np.inf, np.inf, np.inf),
    ],
)
def test_what_a_wish_limits(wish, time, energy, power):
    assert (wish.time_limit, wish.energy_limit, wish.power_limit) == (time, energy, power)


@pytest.mark.parametrize(
    ("wish", "makespan", "bound"),
    [
        (Deadline(5.0), 10.8, np.inf),
        (Deadline(14.0), 14.0, 1800 - 1540 / 3),
        (Deadline(20.0), 20.0, 1100.0),
        (Deadline(99.0), 30.0, 900.0),
        (EnergyBudget(1e6), 10.8, 10.8),
        (EnergyBudget(1140.0), 18.0, 18.0),
        (EnergyBudget(1020.0), 24.0, 24.0),
        (EnergyBudget(1.0), 30.0, np.inf),
        (PowerCap(1e6), 10.8, 10.8),
        (PowerCap(50.0), 150 / 7, 150 / 7),
        (PowerCap(1.0), 30.0, np.inf),
        (ExchangeRate(0.0), 30.0, 900.0),
        (ExchangeRate(25.0), 18.0, 1590.0),
        (ExchangeRate(99.0), 10.8, 1404 + 99 * 10.8),
    ],
)
def test_where_a_front_of_three_vertices_meets_it(two_by_two, wish, makespan, bound):
    front = trace_front(two_by_two())
    assert wish.makespan(front) == pytest.approx(makespan)
    assert wish.bound(lines_alone(front)) == pytest.approx(bound)


@pytest.mark.parametrize(
    ("wish", "beyond"),
    [
        (PowerCap(60.0), True),
        (PowerCap(76.0), True),
        (PowerCap(1380 / 18 + 0.001), False),
        (PowerCap(80.0), False),
        (PowerCap(500.0), False),
        (PowerCap(30.0), False),
        (Deadline(99.0), False),
        (EnergyBudget(1.0), False),
        (ExchangeRate(0.0), False),
    ],
)
def test_only_a_cap_may_be_kept_by_slower_ones_alone(two_by_two, wish, beyond):
    assert wish.beyond(trace_front(two_by_two(20, 10))) is beyond


def test_each_is_known_by_its_flag_its_parameter_and_its_label():
    """Study files and addresses that were written before say the same."""
    assert [astuple(kind) for kind in WISH_KINDS] == [
        ("deadline", "deadline", "Deadline", Deadline, False),
        ("energy-budget", "budget", "Energy", EnergyBudget, False),
        ("power-cap", "cap", "Power", PowerCap, False),
        ("peak-cap", "peak", "Peak", PeakCap, False),
        ("cost-budget", "money", "Money", EnergyBudget, True),
        ("exchange-rate", "rate", "Worth of time", ExchangeRate, False),
    ]
    assert list(SI_WISHES) == [
        "deadline",
        "energy-budget",
        "power-cap",
        "peak-cap",
        "exchange-rate",
    ]


def test_a_stated_wish_is_in_si_units_but_for_money():
    assert StatedWish("deadline", 7200.0).wish() == Deadline(7200.0)
    assert StatedWish("budget", 1e6).wish(0.5) == EnergyBudget(1e6)
    assert StatedWish("cap", 55e3).wish() == PowerCap(55e3)
    assert StatedWish("rate", 120.0).wish() == ExchangeRate(120.0)
    assert StatedWish("money", 10.0).wish(0.5) == EnergyBudget(20.0)
    assert [StatedWish(kind.parameter, 1.0).flag for kind in WISH_KINDS] == [
        kind.flag for kind in WISH_KINDS
    ]


def test_money_is_not_a_limit_where_energy_costs_nothing():
    with pytest.raises(ValueError, match="money is not a limit; give a price above 0"):
        StatedWish("money", 10.0).wish(0.0)


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


def amounts_around(exact):
    """What some schedule has exactly, what is between, a little less than the least, and more."""
    ordered = sorted(exact)
    yield from ordered
    yield from ((low + high) / 2 for low, high in pairwise(ordered))
    yield ordered[0] * Fraction(999, 1000)
    yield ordered[-1] * 2


def assert_granted(found, wish, meeting):
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
@examples(12)
def test_every_deadline_budget_cap_and_rate(system):
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
@examples(8)
def test_the_fastest_and_the_thriftiest(system):
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
@examples(8)
def test_machines_that_draw_less_at_work_than_idle(system, watts):
    # No machine draws more than 64 W at work: now all draw more when idle.
    assume(number_of_ways(system) <= MOST_WAYS)
    hungry = system.with_idle_power((system.idle_power + watts).tolist())
    joules, _ = every_schedule(hungry).T
    assert solve(hungry, minimise="energy", effort=Effort(0.01)).value == joules.min()
    found = study(hungry, QUICKLY, effort=Effort(0.01))
    assert found.points[:, 0].min() == joules.min()
    idle = hungry.total_idle_power
    assert_granted(found, PowerCap(idle), every_schedule(hungry))


def test_a_limit_that_is_met_exactly_is_met_though_sums_are_rounded():
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
