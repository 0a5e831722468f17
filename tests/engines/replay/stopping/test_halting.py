"""Each rule about stopping, on a day that it alone decides."""

from dataclasses import replace

import numpy as np
import pytest
from engines.replay.stopping.stopped_days import (
    GREEDY,
    MINUTE,
    PAIR,
    UPT,
    Job,
    day,
    pieces,
    policy,
    run,
)

from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.judge import judge_outcome
from core.engines.replay.policy import Measure, Prices
from core.engines.replay.stopping.rules import NOTHING, Stopping, Technique
from core.engines.replay.workload import (
    StopRights,
    Truth,
)

pytestmark = pytest.mark.usefixtures("kernels_interpreted")


class TestOneRuleEach:
    """Days on which one rule alone decides."""

    TWICE = (Job(0, {0: 30}, 1), Job(5, {0: 5}, 9), Job(15, {0: 5}, 9))

    @pytest.mark.parametrize(("most", "stops"), [(0, 0), (1, 1), (2, 2)])
    def test_most_stops(self, most, stops):
        assert len(run(day([1], list(self.TWICE)), GREEDY, most_stops=most).stops) == stops

    @pytest.mark.parametrize(("least", "start"), [(300.0, 5), (360.0, 6), (600.0, 10)])
    def test_least_run(self, least, start):
        outcome = run(day([1], list(self.TWICE)), GREEDY, least_run=least)
        assert outcome.start[1] == start * MINUTE

    def test_a_set_that_has_as_much_together_stays(self):
        wide = Job(3, {0: 9}, 4, units=2)
        jobs = [Job(0, {0: 30}, 2), Job(0, {0: 30}, 2), wide]
        assert run(day([2], jobs), GREEDY).broken is None
        jobs[2] = wide._replace(worth=4.1)
        assert len(run(day([2], jobs), GREEDY).stops) == 2

    def test_units_that_are_left_over_are_for_others_at_once(self):
        jobs = [Job(0, {0: 30}, 1, units=3), Job(2, {0: 9}, 9, units=2), Job(2, {0: 9}, 0.5)]
        assert run(day([3], jobs), GREEDY).start[2] == 2 * MINUTE

    def test_units_that_are_left_over_are_for_one_that_could_not_start_before(self):
        jobs = [Job(0, {0: 30}, 1, units=3), Job(2, {0: 9}, 9, units=2), Job(2, {0: 9}, 10)]
        rights = StopRights.of(3, [True, True, False])
        assert run(day([3], jobs, rights=rights), GREEDY).start[2] == 2 * MINUTE

    def test_a_job_does_not_go_on_before_its_units_are_free(self):
        jobs = [Job(0, {0: 20, 1: 20}, 1), Job(0, {1: 5}, 1), Job(5, {0: 9}, 9)]
        stopping = {"checkpoints": NOTHING, "stop_seconds": 150.0}
        found = pieces(run(day([1, 1], jobs), GREEDY, **stopping))
        assert found[:2] == [(0, 0, 0, 7.5), (0, 1, 8, 28)]

    def test_no_job_is_stopped_for_one_that_would_start_after_the_horizon(self):
        jobs = [Job(0, {0: 30}, 1), Job(5, {0: 5}, 9)]
        assert run(day([1], jobs, (0, 6)), GREEDY, stop_seconds=90.0).broken is None

    def test_what_remains_is_of_the_true_time(self):
        workload = day([1], [Job(0, {0: 20}, 1), Job(5, {0: 5}, 9)])
        truth = Truth(np.array([0.5, 1.0]), np.ones(2))
        outcome = replay(workload, policy(GREEDY), truth)
        assert outcome.end[0] == 15 * MINUTE
        assert outcome.estimated_end[0] == 25 * MINUTE

    def test_the_measure_of_what_remains_is_for_each_second_of_it(self):
        """After 8 of its 10 minutes job 0 has 1 / 2 a minute; job 2 has less, and waits for it."""
        jobs = [Job(0, {0: 10}, 1), Job(8, {0: 2}, 9), Job(9, {0: 10}, 4)]
        outcome = run(day([1], jobs), GREEDY, UPT)
        assert outcome.start[2] == 12 * MINUTE
        by_cores = run(day([1], jobs), GREEDY, Measure.PER_RESOURCE)
        assert pieces(by_cores) == pieces(outcome)

    def test_energy_that_was_not_drawn_is_for_others(self):
        jobs = [Job(0, {0: 20}, 1), Job(5, {0: 5}, 9), Job(12, {0: 12}, 8)]
        workload = day([1], jobs, (0, 60))
        options = replace(workload.options, watts=np.full(3, 100.0))
        workload = replace(workload, options=options)
        windows = EnergyWindows(np.array([0.0, 3600.0]), np.array([100.0 * 22 * MINUTE]))
        outcome = replay(workload, policy(GREEDY), settings=ReplaySettings(windows))
        assert judge_outcome(outcome).problems == ()
        assert outcome.start[1] == 5 * MINUTE
        assert outcome.start[2] == 12 * MINUTE

    def test_a_job_is_dropped_by_what_remains_of_it(self):
        jobs = [Job(0, {0: 10}, 1, 20.5), Job(8, {0: 9}, 9)]
        rules = replace(policy(GREEDY), drop_below=0.5)
        outcome = replay(day([1], jobs), rules)
        assert not outcome.dropped[0]
        assert outcome.end[0] == 19 * MINUTE

    def test_prices_count_what_is_lost(self):
        """Job 0 loses 9 minutes, at 0.3 each, which count twice."""
        prices = Prices(0.3 / MINUTE)
        settings = ReplaySettings(prices=prices, stopping=Stopping(NOTHING))
        for worth, stops in ((8.8, 1), (8.6, 0)):
            jobs = [Job(0, {0: 10}, 3.3), Job(9, {0: 1}, worth)]
            rules = policy(Technique.PRICES, UPT)
            assert len(replay(day([1], jobs), rules, settings=settings).stops) == stops

    def test_the_price_of_what_remains_is_for_what_remains(self):
        """After 8 of 10 minutes, job 0 is worth 1.2 less 0.2 above its price, and goes on."""
        settings = ReplaySettings(prices=Prices(0.1 / MINUTE))
        jobs = [Job(0, {0: 10}, 1.2), Job(8, {0: 1}, 3), Job(9, {0: 9}, 1.5)]
        rules = policy(Technique.PRICES, UPT)
        outcome = replay(day([1], jobs), rules, settings=settings)
        assert outcome.start[2] == 11 * MINUTE

    def test_equal_jobs_begin_in_their_order_also_after_a_stop(self):
        jobs = [Job(0, {0: 20}, 1)] * 3 + [Job(5, {0: 5}, 9)]
        found = pieces(run(day([1], jobs), GREEDY))
        assert [one[:3] for one in found] == [
            (0, 0, 0),
            (0, 0, 10),
            (1, 0, 25),
            (2, 0, 45),
            (3, 0, 5),
        ]

    @pytest.mark.parametrize(
        ("whom", "worth", "stopped"),
        [("measure", 0.5, 1), ("youngest", 1, 2), ("oldest", 1, 0), ("least-lost", 1, 2)],
    )
    def test_whom_first(self, whom, worth, stopped):
        jobs = [Job(0, {0: 60}, 1), Job(1, {0: 60}, worth), Job(4, {0: 60}, 1), Job(9, {0: 5}, 9)]
        outcome = run(day([3], jobs), GREEDY, checkpoints=NOTHING, whom=whom)
        assert outcome.broken is not None
        assert outcome.broken.job[0] == stopped

    def test_the_least_lost_counts_units(self):
        """Job 0 has run for longer, but on one unit alone."""
        jobs = [Job(0, {0: 60}, 1), Job(3, {0: 60}, 1, units=2), Job(7, {0: 5}, 9)]
        outcome = run(day([3], jobs), GREEDY, checkpoints=NOTHING, whom="least-lost")
        assert outcome.broken is not None
        assert outcome.broken.job[0] == 0

    def test_what_is_lost_counts_from_the_last_checkpoint_of_all_parts(self):
        """At 780 s, job 0 has run for 300 s and 420 s, and loses 120 s; job 2 would lose 240 s. Job
        0 then goes on in place of job 2.
        """
        wide = Job(5, {0: 1}, 9, units=2)
        jobs = [Job(0, {0: 60}, 1), wide, Job(9, {0: 60}, 0.5), Job(13, {0: 5}, 9)]
        outcome = run(day([2], jobs), GREEDY, checkpoints=300.0, whom="least-lost")
        assert outcome.stops.tolist() == [300, 780, 780]
        assert [one[2:] for one in pieces(outcome) if one[0] == 0] == [(0, 5), (6, 13), (13, 63)]

    def test_a_job_that_would_be_worth_nothing_after_the_stop_stops_nobody(self):
        jobs = [Job(0, {0: 60}, 1), Job(5, {0: 5}, 9, 6.5)]
        assert len(run(day([1], jobs), GREEDY).stops) == 1
        assert run(day([1], jobs), GREEDY, stop_seconds=120.0).broken is None

    @pytest.mark.parametrize("measure", [Measure.PER_RESOURCE, Measure.PER_ENERGY])
    def test_what_remains_counts_for_cores_and_joules_too(self, measure):
        """Two minutes before its end, job 0 has 1 / 2 a minute; job 1 has 4 / 10."""
        workload = day([1], [Job(0, {0: 50}, 1), Job(48, {0: 10}, 4)])
        options = replace(workload.options, watts=np.full(2, 7.0))
        outcome = replay(replace(workload, options=options), policy(GREEDY, measure))
        assert outcome.broken is None

    def test_prices_take_the_largest_difference(self):
        """Job 2 is worth more above its price on pool 0, but stops more there."""
        jobs = [Job(0, {0: 60}, 8), Job(0, {1: 60}, 1), Job(5, {0: 5, 1: 10}, 9)]
        rules = policy(Technique.PRICES, UPT)
        settings = ReplaySettings(prices=Prices(0.01 / MINUTE))
        outcome = replay(day([1, 1], jobs), rules, settings=settings)
        assert outcome.broken is not None
        assert outcome.broken.job[0] == 1

    def test_by_prices_stopping_costs_what_it_takes(self):
        """Job 1 is worth 0.4 more above the price than the rest of job 0; going on costs 1.2."""
        jobs = [Job(0, {0: 10}, 9), Job(5, {0: 1}, 7)]
        rules = policy(Technique.PRICES, UPT)
        for seconds, stops in ((0.0, 1), (60.0, 0)):
            stopping = Stopping(resume_seconds=seconds)
            settings = ReplaySettings(prices=Prices(0.6 / MINUTE), stopping=stopping)
            outcome = replay(day([1], jobs), rules, settings=settings)
            assert len(outcome.stops) == stops

    def test_energy_that_a_stop_gives_back_is_there_at_once(self):
        """What job 0 had left pays for job 1; without a stop nothing would."""
        workload = day([2], [Job(0, {0: 20}, 1), Job(5, {0: 5}, 9, units=2)], (0, 60))
        options = replace(workload.options, watts=np.array([100.0, 200.0]))
        workload = replace(workload, options=options)
        windows = EnergyWindows(np.array([0.0, 3600.0]), np.array([100.0 * 22 * MINUTE]))
        outcome = replay(workload, policy(GREEDY), settings=ReplaySettings(windows))
        assert outcome.start[1] == 5 * MINUTE
        assert judge_outcome(outcome).problems == ()


class TestAfterAStop:
    """What is there again, and when."""

    @pytest.mark.parametrize("technique", [PAIR, Technique.TIERS])
    def test_it_waits_for_them(self, technique):
        """Job 0 is stopped at 5 until 8; pool 1 is free from 6 on, but job 0 ends on it no sooner
        than 8 and its own time.
        """
        jobs = [Job(0, {0: 20, 1: 20}, 1), Job(0, {1: 6}, 1), Job(5, {0: 2}, 90, 10)]
        rights = StopRights.of(3, [False, False, True], [True, True, False], [0, 0, 1])
        outcome = run(
            day([1, 1], jobs, rights=rights),
            technique,
            checkpoints=NOTHING,
            stop_seconds=3 * MINUTE,
        )
        assert len(outcome.stops) == 1
        assert outcome.start[0] >= 8 * MINUTE

    def test_no_pair_begins_after_the_horizon(self):
        jobs = [Job(0, {0: 20}, 1), Job(5, {0: 2}, 90, 10)]
        outcome = run(day([1], jobs, (0, 8)), PAIR, stop_seconds=3 * MINUTE)
        assert not len(outcome.stops)

    def test_energy_that_a_job_drew_less_than_expected_is_there_again(self):
        """Job 0 draws half of 100 W for 5 min, then job 1 all for 2: of energy for 21 min, enough
        is left for the 15 min of job 0 that remain.
        """
        workload = day([1], [Job(0, {0: 20}, 1), Job(5, {0: 2}, 90, 90)], (0, 60))
        options = replace(workload.options, watts=np.array([100.0, 100.0]))
        truth = Truth(np.ones(2), np.array([0.5, 1.0]))
        windows = EnergyWindows(np.array([0.0, 3600.0]), np.array([100.0 * 21 * MINUTE]))
        given = replace(workload, options=options), policy(GREEDY), truth, ReplaySettings(windows)
        assert replay(*given).end[0] == 22 * MINUTE
