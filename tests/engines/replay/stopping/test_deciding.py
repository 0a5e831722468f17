"""Policies that stop jobs: worked fixtures, a plain loop over all cores, and the bound."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from engines.replay.stopping.by_cores import PlainJob, replayed
from engines.replay.stopping.stopped_days import (
    DIFF,
    GREEDY,
    LONG,
    MINUTE,
    NONE,
    PAIR,
    UPT,
    UTIL,
    Job,
    busy_day,
    crowded_day,
    day,
    days,
    pieces,
    policy,
    run,
    with_memory_of,
)
from engines.replay.workloads import with_memory
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st

from core.engines.replay.bound import bound
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.curves import busy_curve, power_curve, waiting_curve, worth_curve
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.judge import judge_outcome
from core.engines.replay.layout import laid_out
from core.engines.replay.outcome import StatedOutcome
from core.engines.replay.policy import Prices
from core.engines.replay.stopping.rules import (
    NOTHING,
    Stopping,
    SuspendedMemory,
    Technique,
    Whom,
)
from core.engines.replay.workload import (
    StopRights,
    Truth,
)
from core.engines.replay.worth import WorthCurves, WorthPiece

pytestmark = pytest.mark.usefixtures("kernels_interpreted")


class TestWorkedByHand:
    """The fixtures P1 to P16 of the reading of the publication; P12 is with the days it is of."""

    def test_each_type_runs_where_it_takes_the_least_time(self):
        rows = [(50, 56, 37), (43, 51, 85), (12, 6, 23), (51, 45, 96)]
        jobs = [Job(100 * k, dict(enumerate(map(float, row))), 1) for k, row in enumerate(rows)]
        found = pieces(run(day([1, 1, 1], jobs), GREEDY, UPT))
        assert [pool for _, pool, _, _ in found] == [2, 0, 1, 1]

    @pytest.mark.parametrize(("at", "minutes", "standing"), [(0, 10, 1.6), (30, 10, 4), (45, 5, 8)])
    def test_the_measure_of_a_job_grows_as_less_of_it_is_left(self, at, minutes, standing):
        """Worth 8 in 50 min is 0.16 a minute; 0.4 after 30 min, and 1.6 after 45."""
        for more in (-0.1, 0.1):
            jobs = [Job(0, {0: 50}, 8), Job(at, {0: minutes}, standing + more)]
            first = (1, 0, at, at + minutes)
            assert (first in pieces(run(day([1], jobs), GREEDY, UPT))) == (more > 0)

    def test_greedy_takes_the_best_core_and_diff_the_largest_difference(self):
        jobs = [Job(0, {0: 60}, 2), Job(1, {0: 10, 1: 40}, 2.5)]
        workload = day([1, 1], jobs)
        falls = (WorthPiece(0.0, 1.0, 1.0, 0.0), WorthPiece(1200.0, 0.4, 0.4, 0.0))
        curves = WorthCurves((jobs[0].curve, falls), ("0", "1"))
        workload = replace(workload, curves=curves)
        for technique in (GREEDY, PAIR):
            outcome = run(workload, technique)
            assert outcome.worth == 4.5
            assert pieces(outcome) == [(0, 0, 0, 1), (0, 0, 11, 70), (1, 0, 1, 11)]
        assert run(workload, DIFF).worth == 3.0

    def test_a_job_goes_on_in_its_pool_alone(self):
        jobs = [Job(0, {0: 20, 1: 20}, 1), Job(0, {1: 9}, 1), Job(5, {0: 10}, 8, 11)]
        found = pieces(run(day([1, 1], jobs), GREEDY))
        assert found == [(0, 0, 0, 5), (0, 0, 15, 30), (1, 1, 0, 9), (2, 0, 5, 15)]

    def test_a_job_of_which_nothing_is_kept_begins_at_once_in_another_pool(self):
        jobs = [Job(0, {0: 10, 1: 20}, 1), Job(0, {1: 5}, 1), Job(5, {0: 10}, 8)]
        found = pieces(run(day([1, 1], jobs), GREEDY, checkpoints=NOTHING))
        assert found == [(0, 0, 0, 5), (0, 1, 5, 25), (1, 1, 0, 5), (2, 0, 5, 15)]

    def test_idle_units_come_first_then_the_least_measure(self):
        jobs = [Job(0, {0: 30}, 3), Job(0, {1: 30}, 2), Job(1, {0: 10, 1: 10, 2: 10}, 5)]
        assert (2, 2, 1, 11) in pieces(run(day([1, 1, 1], jobs), GREEDY))
        jobs[2] = Job(1, {0: 10, 1: 10}, 5)
        assert (2, 1, 1, 11) in pieces(run(day([1, 1, 1], jobs), GREEDY))

    def test_as_much_is_not_enough(self):
        found = pieces(run(day([1], [Job(0, {0: 10}, 2), Job(3, {0: 10}, 2)]), GREEDY))
        assert found == [(0, 0, 0, 10), (1, 0, 10, 20)]

    def test_worth_for_each_second_spares_what_is_nearly_done(self):
        jobs = [Job(0, {0: 50}, 1), Job(48, {0: 10}, 4)]
        assert (0, 0, 58, 60) in pieces(run(day([1], jobs), GREEDY))
        assert (0, 0, 0, 50) in pieces(run(day([1], jobs), GREEDY, UPT))
        jobs[1] = Job(20, {0: 10}, 4)
        assert (0, 0, 30, 60) in pieces(run(day([1], jobs), GREEDY, UPT))

    @pytest.mark.parametrize("rights", [(False, True), (True, False)])
    def test_rights_are_kept(self, rights):
        jobs = [LONG, Job(5, {0: 5}, 10, 6)]
        assert run(day([1], jobs), GREEDY).worth == 11
        may_stop, may_be_stopped = rights
        given = StopRights.of(2, [True, may_stop], [may_be_stopped, True])
        assert run(day([1], jobs, rights=given), GREEDY).worth == 1

    @pytest.mark.parametrize(("horizon", "worth"), [((8, 30), 4.5), ((0, 12), 10.7)])
    def test_a_job_earns_by_its_seconds_within_the_horizon(self, horizon, worth):
        jobs = [Job(0, {0: 10}, 1, 15.5), Job(5, {0: 5}, 10, 5.5)]
        outcome = run(day([1], jobs, horizon), GREEDY)
        assert outcome.worth == pytest.approx(worth, rel=1e-12)
        assert worth_curve(outcome).value[-1] == pytest.approx(worth, rel=1e-12)

    @pytest.mark.parametrize(
        ("stopping", "end", "kept"),
        [({}, 15, 7), ({"checkpoints": NOTHING}, 22, 0), ({"checkpoints": 240.0}, 18, 4)],
    )
    def test_what_is_kept(self, stopping, end, kept):
        outcome = run(day([1], [LONG, Job(7, {0: 5}, 10)]), GREEDY, **stopping)
        assert outcome.end[0] == end * MINUTE
        assert outcome.broken is not None
        assert outcome.broken.kept[0] == kept * MINUTE

    def test_going_on_and_stopping_take_time(self):
        workload = day([1], [LONG, Job(7, {0: 5}, 10)])
        assert run(workload, GREEDY, resume_seconds=120.0).end[0] == 17 * MINUTE
        found = pieces(run(workload, GREEDY, stop_seconds=90.0))
        assert found == [(0, 0, 0, 8.5), (0, 0, 14, 17), (1, 0, 8.5, 13.5)]

    def test_a_job_that_can_only_go_on_too_late_is_not_tried_again(self):
        jobs = [Job(0, {0: 10, 1: 4}, 1, 14), Job(0, {1: 30}, 3), Job(2, {0: 13}, 9, 14)]
        assert run(day([1, 1], jobs), GREEDY).worth == 12

    def test_a_burst(self):
        jobs = [Job(0, {0: 50}, 1, 500)] * 2 + [Job(10, {0: 10}, 8, 20.5)] * 3
        assert run(day([2], jobs), NONE).worth == 2
        for technique in (GREEDY, DIFF, PAIR):
            outcome = run(day([2], jobs), technique)
            assert outcome.worth == 26
            assert len(outcome.stops) == 2

    def test_a_pair_is_put_in_the_better_order(self):
        jobs = [Job(0, {0: 10}, 6, 30, falls=True), Job(4, {0: 5}, 5, 20, falls=True)]
        assert run(day([1], jobs), PAIR).worth == pytest.approx(6.75)
        assert run(day([1], jobs), GREEDY).worth == pytest.approx(6.25)


TECHNIQUES = (
    ("none", NONE, 0.0),
    ("greedy", GREEDY, 0.0),
    ("diff", DIFF, 0.0),
    ("pair", PAIR, 0.0),
    *(("prices", Technique.PRICES, price / 64) for price in (0, 15, 45, 120)),
)
"""With the price of a minute, which is a whole number of 1,024ths a second."""


@given(given=days(), per_time=st.booleans())
def test_the_policies_decide_as_a_plain_loop_over_all_cores(given, per_time):
    decide_alike(given, per_time)


@pytest.mark.parametrize("per_time", [False, True])
def test_they_do_so_on_crowded_days(per_time):
    for seed in range(6):
        decide_alike(crowded_day(np.random.default_rng(seed)), per_time)


def decide_alike(given, per_time):
    units, jobs, rights = given
    cores = [pool for pool, count in enumerate(units) for _ in range(count)]
    for name, technique, price in TECHNIQUES:
        plain = [
            PlainJob(job.arrival, job.minutes, job.value, bool(stops), bool(stopped))
            for job, stops, stopped in zip(jobs, *rights[:2], strict=True)
        ]
        replayed(cores, plain, name, per_time, 200, price)
        settings = ReplaySettings(prices=Prices(price / MINUTE))
        measure = UPT if per_time else UTIL
        outcome = replay(
            day(units, jobs, (0, 200), rights), policy(technique, measure), settings=settings
        )
        assert judge_outcome(outcome).problems == ()
        wanted = sorted(
            (number, cluster, round(begin, 6), round(end, 6))
            for number, job in enumerate(plain)
            for cluster, begin, end in job.pieces
        )
        assert sorted(pieces(outcome)) == wanted


@pytest.mark.parametrize("technique", list(Technique)[1:])
@given(seed=st.integers(0, 2**32 - 1))
@example(seed=30530)  # stopped at first with nothing kept, then with something kept
@examples(12)
def test_what_comes_of_any_way_to_stop_is_sound(technique, seed):
    """Most days have a job that is stopped, many have energy for only some of them."""
    random = np.random.default_rng(seed)
    workload = busy_day(random)
    if random.random() < 0.5:
        workload = with_memory(workload, random)
    count = len(workload.jobs)
    truth = Truth(random.uniform(0.3, 1.0, count), random.uniform(0.5, 1.5, count))
    stopping = Stopping(
        float(random.choice([0.0, 120.0, 300.0, NOTHING])),
        *random.choice([0.0, 30.0, 90.0], 3).tolist(),
        [1, 2, None][random.integers(3)],
        get_args(Whom)[random.integers(4)],
        get_args(SuspendedMemory)[random.integers(2)],
    )
    joules = np.array([float(random.choice([1e5, 3e5, np.inf])), np.inf])
    windows = EnergyWindows(np.array([0.0, 3600.0, 1e6]), joules)
    settings = ReplaySettings(windows, prices=Prices(2e-4), stopping=stopping)
    outcome = replay(workload, policy(technique, UPT), truth, settings)
    verdict = judge_outcome(outcome)
    assert verdict.problems == ()
    assert outcome.worth == pytest.approx(verdict.worth)
    assert worth_curve(outcome).value[-1] == pytest.approx(outcome.worth)
    assert waiting_curve(outcome).value.min() >= 0
    assert np.isfinite(power_curve(outcome).value).all()
    for pool, units in enumerate(workload.pools.units):
        assert laid_out(outcome, pool).last.max(initial=0) < units
        assert busy_curve(outcome, pool).value.max() <= units
    again = StatedOutcome.of(outcome).outcome("again")
    assert again.worth == pytest.approx(outcome.worth)
    assert pieces(again) == pieces(outcome)


@given(seed=st.integers(0, 2**32 - 1), technique=st.sampled_from([GREEDY, DIFF, PAIR]))
def test_no_policy_earns_more_than_the_bound(seed, technique):
    random = np.random.default_rng(seed)
    workload = busy_day(random)
    if random.random() < 0.5:
        workload = with_memory(workload, random)
    checkpoints = float(random.choice([0.0, 120.0, NOTHING]))
    settings = ReplaySettings(stopping=Stopping(checkpoints))
    earned = replay(workload, policy(technique, UPT), settings=settings).worth
    assert earned <= bound(workload, slots=6, checkpoints=checkpoints).value


@given(given=days(), per_time=st.booleans(), data=st.data())
def test_jobs_that_are_suspended_hold_their_memory_as_in_the_plain_loop(given, per_time, data):
    units, jobs, rights = given
    takes = data.draw(st.lists(st.integers(0, 3), min_size=len(jobs), max_size=len(jobs)))
    cores = [pool for pool, count in enumerate(units) for _ in range(count)]
    workload = with_memory_of(day(units, jobs, (0, 200), rights), 4.0, takes)
    for name, technique in (("none", NONE), ("greedy", GREEDY), ("diff", DIFF)):
        plain = [
            PlainJob(job.arrival, job.minutes, job.value, bool(stops), bool(stopped), memory)
            for job, stops, stopped, memory in zip(jobs, *rights[:2], takes, strict=True)
        ]
        replayed(cores, plain, name, per_time, 200, memory=dict.fromkeys(range(len(units)), 4))
        outcome = run(workload, technique, UPT if per_time else UTIL)
        wanted = sorted(
            (number, cluster, round(begin, 6), round(end, 6))
            for number, job in enumerate(plain)
            for cluster, begin, end in job.pieces
        )
        assert sorted(pieces(outcome)) == wanted


@given(given=days(), per_time=st.booleans())
def test_without_rights_greedy_and_diff_are_the_policy_that_stops_nothing(given, per_time):
    units, jobs, _ = given
    measure = UPT if per_time else UTIL
    none = StopRights.of(len(jobs), may_stop_others=False)
    workload = day(units, jobs, rights=none)
    alone = run(workload, NONE, measure)
    for technique in (GREEDY, DIFF):
        outcome = run(workload, technique, measure)
        for name in ("option", "start", "end"):
            one, other = getattr(outcome, name), getattr(alone, name)
            assert np.array_equal(one, other, equal_nan=True)
        assert outcome.broken is None
