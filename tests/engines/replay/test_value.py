"""Value of service: worked fixtures of functions, policies and several resources."""

from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.arrivals.policies import VALUE, published_maximum
from core.engines.replay.bound import bound
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.judge import judge_outcome
from core.engines.replay.policy import Blocked, Measure, Order, Policy
from core.engines.replay.profile import all_free, earliest_start, occupy
from core.engines.replay.value import (
    PUBLISHED_WEIGHTS,
    JobValues,
    ValueFunctions,
    ValueWeights,
    valued,
)
from core.engines.replay.workload import (
    WITHOUT_END,
    ArrivingJobs,
    Horizon,
    Options,
    Pools,
    Workload,
)

HOUR = 3600.0
EQUAL = ValueWeights(
    ("any",), ("always",), np.ones((1, 1)), np.ones((1, 1)), np.zeros(24, np.int64)
)
FREE = (1e9, 2e9, 1.0, 0.5)
"""A value function that is 1."""


def functions(*each):
    return ValueFunctions(*np.array(each, float).T)


def day(cores, memory, jobs, weights=EQUAL, horizon=WITHOUT_END, pools=1):
    """Jobs: arrival, importance, time function, energy function, options (cores, GB, s, J)."""
    arrival = np.array([one[0] for one in jobs], float)
    values = JobValues(
        np.array([one[1] for one in jobs], float),
        np.zeros(len(jobs), np.int64),
        functions(*(one[2] for one in jobs)),
        functions(*(one[3] for one in jobs)),
        weights,
    )
    rows = [
        (job, pool, *way) for job, one in enumerate(jobs) for way in one[4] for pool in range(pools)
    ]
    job, pool, units, gigabytes, seconds, joules = map(np.array, zip(*rows, strict=True))
    options = Options.of(job, pool, units, seconds, joules / seconds)
    options = replace(options, further=gigabytes[:, None].astype(float))
    found = valued(ArrivingJobs.plain(arrival), options, values)
    there = Pools.of([f"p{k}" for k in range(pools)], [cores] * pools)
    has = np.full((pools, 1), float(memory))
    there = replace(there, resources=("memory_gb",), further=has)
    return Workload(there, found.jobs, found.options, found.curves, horizon)


def run(workload, name, seed=0):
    policy = VALUE[name].policy if isinstance(name, str) else name
    outcome = replay(workload, policy, settings=ReplaySettings(every=60.0, seed=seed))
    assert judge_outcome(outcome).problems == ()
    return outcome


def starts(outcome):
    return outcome.start.tolist()


def test_a_value_falls_evenly_between_its_thresholds():
    found = functions(*[(40, 100, 1, 0.25)] * 6).at(np.array([0, 40, 70, 99.9, 100, 150]))
    assert found.tolist() == pytest.approx([1, 1, 0.625, 0.25125, 0, 0])


@pytest.mark.parametrize(
    ("category", "hour", "worth"),
    [
        (1, 11, 17.4),
        (2, 11, 25.5),
        (0, 3 + 59 / 60, 3.9),
        (0, 4, 6.3),
        (0, 10, 11.1),
        (0, 17 + 59 / 60, 11.1),
        (0, 18, 6.3),
        (0, 24, 3.9),
    ],
)
def test_weights_are_those_of_the_hour_of_submission(category, hour, worth):
    ramp = (0.0, 1.0, 1.0, 0.0)
    values = JobValues(
        np.array([3.0]), np.array([category]), functions(ramp), functions(ramp), PUBLISHED_WEIGHTS
    )
    of = np.array([hour * HOUR])
    assert values.of(of, np.array([0.5]), np.array([0.2])) == pytest.approx([worth])
    assert values.of(of, np.array([1.0]), np.array([0.2])) == [0]
    assert values.of(of, np.array([0.5]), np.array([1.0])) == [0]


V4 = (
    0,
    2,
    (500, 2000, 1, 0.2),
    (100, 1000, 1, 0.5),
    [(4, 6, 1200, 150), (16, 12, 400, 420)],
)
ONE_TO_TWO = ValueWeights(
    ("any",), ("always",), np.ones((1, 1)), np.full((1, 1), 2.0), np.zeros(24, np.int64)
)


@pytest.mark.parametrize(
    ("name", "chosen", "worth"),
    [
        ("max-value", 1, 5.288889),
        ("max-vpt", 1, 5.288889),
        ("max-vpc", 0, 5.142222),
        ("max-vpm", 1, 5.288889),
        ("max-vptr", 0, 5.142222),
    ],
)
def test_measures_choose_sizes_differently(name, chosen, worth):
    outcome = run(day(32, 64, [V4], ONE_TO_TWO), name)
    assert outcome.option.tolist() == [chosen]
    assert outcome.worth == pytest.approx(worth, rel=1e-6)


def simply(cores, memory, seconds, arrival=0, importance=1):
    return (arrival, importance, FREE, FREE, [(cores, memory, seconds, 1)])


EARLIEST = Policy("earliest", Order.ARRIVAL, Measure.EARLIEST, Blocked.RESERVE)


@pytest.mark.parametrize(
    ("running", "asked", "start"),
    [
        ([(0, 4, 60, 600)], (4, 8, 100), 600),
        ([(0, 4, 60, 600)], (4, 4, 100), 0),
        ([(0, 30, 10, 300), (0, 2, 40, 900), (500, 10, 40, 200)], (4, 8, 100), 300),
        ([(0, 30, 10, 300), (0, 2, 40, 900), (500, 10, 40, 200)], (4, 8, 500), 700),
        ([(0, 30, 10, 300), (0, 2, 40, 900), (500, 10, 40, 200)], (2, 20, 100), 300),
        ([(0, 30, 10, 300), (0, 2, 40, 900), (500, 10, 40, 200)], (20, 24, 250), 700),
        ([(0, 30, 10, 300), (0, 2, 40, 900), (500, 10, 40, 200)], (4, 30, 700), 900),
    ],
)
def test_the_earliest_start_has_cores_and_memory(running, asked, start):
    profile = all_free(np.array([32]), np.array([[64]]), 32)
    for begin, units, memory, seconds in running:
        occupy(profile, 0, (units, np.array([memory])), float(begin), float(begin + seconds))
    taken = asked[0], np.array([asked[1]])
    assert earliest_start(profile, 0, taken, float(asked[2]), 0.0) == start


E7 = (10, 20, 1, 0.5)
V7 = [
    (0, 1, (600, 3000, 1, 0.5), E7, [(8, 4, 600, 10)]),
    (0, 1, (300, 3000, 1, 0.5), E7, [(4, 12, 300, 10)]),
    (0, 1, (300, 3000, 1, 0.5), E7, [(4, 8, 300, 10), (2, 4, 600, 10)]),
]


@pytest.mark.parametrize(
    ("name", "begins", "worth"),
    [
        ("max-value", [0, 600, 900], 5.722222),
        ("max-vpt", [600, 0, 300], 5.819444),
        ("max-vptr", [600, 300, 0], 5.819444),
        ("max-vpm", [0, 900, 600], 5.722222),
    ],
)
def test_the_order_is_that_of_the_measure(name, begins, worth):
    workload = day(8, 16, V7)
    outcome = run(workload, name)
    assert starts(outcome) == begins
    assert outcome.worth == pytest.approx(worth, rel=1e-6)
    assert published_maximum(workload) == pytest.approx(6)
    assert bound(workload).value >= 5.819444


P8 = (600, 4000, 1, 0.5)
V8 = [
    (0, 1, P8, FREE, [(8, 8, 600, 1)]),
    (1, 1, P8, FREE, [(8, 8, 600, 1)]),
    (200, 5, (300, 4000, 1, 0.5), FREE, [(8, 8, 300, 1)]),
]


@pytest.mark.parametrize(
    ("blocked", "begins", "worth"),
    [(Blocked.HOLD, [0, 900, 600], 13.597524), (Blocked.RESERVE, [0, 600, 1200], 13.236236)],
)
def test_a_place_that_is_held_can_be_lost_to_another(blocked, begins, worth):
    policy = Policy("v8", Order.BEST, Measure.WORTH, blocked, drops=True)
    outcome = run(day(8, 16, V8), policy)
    assert starts(outcome) == begins
    assert outcome.worth == pytest.approx(worth, rel=1e-6)


def test_the_whole_value_is_earned_by_the_share_within_the_horizon():
    job = (100, 4, (1000, 2000, 1, 0.5), FREE, [(1, 1, 400, 1)])
    outcome = run(day(8, 16, [job], horizon=Horizon(220.0, 1e6)), "max-vptr")
    assert starts(outcome) == [120]
    assert outcome.worth == pytest.approx(6)


def test_the_published_maximum_has_the_least_time_and_the_least_energy():
    weights = ValueWeights(
        ("any",), ("always",), np.ones((1, 1)), np.full((1, 1), 4.0), np.zeros(24, np.int64)
    )
    job = (0, 2, (100, 500, 1, 0.5), (10, 60, 1, 0.5), [(4, 6, 100, 50), (1, 1, 300, 10)])
    workload = day(8, 16, [job], weights)
    assert published_maximum(workload) == pytest.approx(10)
    one, other = (
        workload.worth_of(np.array([0]), np.array([way]), workload.options.seconds[[way]])[0]
        for way in (0, 1)
    )
    assert (one, other) == pytest.approx((6.8, 9.5))


V11 = [
    *[(0, 1, (600, 9000, 1, 0.5), FREE, [(16, 16, 600, 1)])] * 5,
    (0, 1, (600, 9000, 1, 0.5), FREE, [(4, 16, 600, 1)]),
    (0, 1, (600, 9000, 1, 0.5), FREE, [(4, 8, 600, 1)]),
]


def test_a_size_fits_one_host():
    outcome = run(day(20, 24, V11, pools=4), "max-vptr")
    assert sorted(starts(outcome)) == [0] * 5 + [600] * 2
    assert outcome.worth == pytest.approx(13.928571)
    outcome = run(day(80, 96, V11), "max-vptr")
    assert sorted(starts(outcome)[:5]) == [0] * 4 + [600]
    assert outcome.worth == pytest.approx(13.964286)


def test_a_job_is_dropped_for_a_place_that_is_held():
    jobs = [
        (0, 9, (600, 9000, 1, 0.5), FREE, [(8, 8, 600, 1)]),
        (0, 1, (650, 700, 1, 0.5), FREE, [(8, 8, 600, 1)]),
    ]
    outcome = run(day(8, 16, jobs), "max-vptr")
    assert outcome.worth == pytest.approx(18)
    assert outcome.dropped.tolist() == [False, True]


def test_bounds_are_above_the_best_schedules():
    two = [V7[0], V7[2]]
    assert bound(day(8, 8, two)).value >= 3.9375
    assert bound(day(16, 12, two)).value >= 4


def test_weights_by_price_are_those_of_each_hour():
    prices = np.repeat([0.1, 0.4, 0.1, 0.2], 6)
    priced = PUBLISHED_WEIGHTS.at_prices(prices)
    for hour in range(24):
        at = np.array([(hour + 0.5) * HOUR])
        for category in range(3):
            one = np.array([category])
            time, energy = priced.of(one, at)
            before = PUBLISHED_WEIGHTS.of(one, at)
            assert time == before[0]
            assert energy == pytest.approx(before[1] * prices[hour] / 0.2)
    assert priced.periods[:2] == ("low from 0:00", "medium from 4:00")
    assert len(priced.periods) == len(set(priced.periods)) == 6
    close = PUBLISHED_WEIGHTS.at_prices(np.repeat([0.3001, 0.3002], 12))
    assert len(close.periods) == len(set(close.periods)) == 5
    free = PUBLISHED_WEIGHTS.at_prices(np.zeros(24))
    assert free.of(np.zeros(1, int), np.zeros(1))[1] == 1.0, "no price says nothing"


def test_functions_keep_their_order_when_they_are_scaled():
    both = functions((10.0, 20.0, 1.0, 0.5), (10.0, 20.0, 1.0, 0.5))
    first = np.array([True, False])
    for factors, expected in (
        ((0.5, 2.0, 0.5), (5.0, 40.0, 1.0, 0.25)),
        ((3.0, 1.0, 3.0), (20.0, 20.0, 1.0, 1.0)),
        ((1.0, 0.25, 1.0), (5.0, 5.0, 1.0, 0.5)),
    ):
        found = np.array(both.scaled(first, *factors)).T.tolist()
        assert found == [[*expected], [10.0, 20.0, 1.0, 0.5]]
