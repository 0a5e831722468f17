"""Jobs of higher tiers stop those of lower ones."""

import pytest
from engines.replay.stopping.stopped_days import MINUTE, Job, day, run

from core.engines.replay.stopping.rules import Technique
from core.engines.replay.workload import (
    StopRights,
)

pytestmark = pytest.mark.usefixtures("kernels_interpreted")


class TestTiers:
    def rights(self, *tiers: int) -> StopRights:
        return StopRights.of(len(tiers), tier=list(tiers))

    def test_the_lowest_tier_is_stopped_first_and_then_the_youngest(self):
        jobs = [Job(0, {0: 60}, 1), Job(1, {0: 60}, 1), Job(2, {0: 60}, 1), Job(5, {0: 9}, 1)]
        workload = day([3], jobs, rights=self.rights(1, 0, 0, 2))
        for whom, stopped in (("youngest", 2), ("oldest", 1)):
            outcome = run(workload, Technique.TIERS, whom=whom)
            assert outcome.broken is not None
            assert set(outcome.broken.job.tolist()) == {stopped}

    def test_an_equal_tier_stays(self):
        workload = day([1], [Job(0, {0: 60}, 1), Job(5, {0: 9}, 9)], rights=self.rights(1, 1))
        assert run(workload, Technique.TIERS).broken is None

    def test_an_equal_tier_stays_also_where_lower_ones_are_too_few(self):
        jobs = [Job(0, {0: 60}, 1), Job(0, {0: 60}, 1), Job(5, {0: 9}, 9, units=2)]
        workload = day([2], jobs, rights=self.rights(1, 0, 1))
        assert run(workload, Technique.TIERS).broken is None

    def test_a_lower_tier_stays_if_the_higher_one_is_enough(self):
        jobs = [Job(0, {0: 60}, 1), Job(0, {0: 60}, 1, units=3), Job(5, {0: 9}, 9, units=3)]
        workload = day([4], jobs, rights=self.rights(0, 1, 2))
        outcome = run(workload, Technique.TIERS, whom="least-lost")
        assert outcome.broken is not None
        assert set(outcome.broken.job.tolist()) == {1}

    def test_no_more_jobs_stop_than_are_needed(self):
        wide = Job(9, {0: 10}, 1, units=3)
        jobs = [Job(0, {0: 60}, 1, units=3), Job(1, {0: 60}, 1), Job(2, {0: 60}, 1), wide]
        workload = day([5], jobs, rights=self.rights(0, 0, 0, 1))
        outcome = run(workload, Technique.TIERS, whom="youngest")
        assert outcome.broken is not None
        assert set(outcome.broken.job.tolist()) == {0}

    def test_the_least_lost_by_checkpoints(self):
        jobs = [Job(0, {0: 600}, 1), Job(2, {0: 600}, 1), Job(63, {0: 9}, 1)]
        workload = day([2], jobs, rights=self.rights(0, 0, 1))
        kept = {"checkpoints": 3600.0, "whom": "least-lost"}
        outcome = run(workload, Technique.TIERS, **kept)
        assert outcome.broken is not None
        assert outcome.broken.job[0] == 1
        assert outcome.broken.kept[0] == 3600.0

    def test_a_promise_is_kept(self):
        """Job 1 is promised the unit of job 0; job 2 would need it for longer."""
        jobs = [Job(0, {0: 20}, 1), Job(1, {0: 60}, 1), Job(5, {0: 60}, 1)]
        outcome = run(day([1], jobs, rights=self.rights(0, 0, 1)), Technique.TIERS)
        assert outcome.start[1] == 20 * MINUTE

    def test_the_highest_tier_starts_first(self):
        jobs = [Job(0, {0: 10}, 1), Job(1, {0: 10}, 1), Job(2, {0: 10}, 1)]
        given = StopRights.of(3, may_be_stopped=False, tier=[0, 0, 1])
        outcome = run(day([1], jobs, rights=given), Technique.TIERS)
        assert outcome.start[1] == 10 * MINUTE  # by a promise that it had before
        jobs = [Job(0, {0: 10}, 1), Job(2, {0: 10}, 1), Job(2, {0: 10}, 1)]
        outcome = run(day([1], jobs, rights=given), Technique.TIERS)
        assert outcome.start[2] == 10 * MINUTE

    def test_without_the_right_a_higher_tier_stops_nobody(self):
        jobs = [Job(0, {0: 60}, 1), Job(5, {0: 9}, 9)]
        given = StopRights.of(2, may_stop_others=False, tier=[0, 1])
        assert run(day([1], jobs, rights=given), Technique.TIERS).broken is None

    def test_nobody_is_stopped_for_a_start_after_the_horizon(self):
        workload = day([1], [Job(0, {0: 60}, 1), Job(5, {0: 9}, 9)], (0, 6), self.rights(0, 1))
        assert run(workload, Technique.TIERS, stop_seconds=90.0).broken is None
        assert len(run(workload, Technique.TIERS).stops) == 1

    def test_the_start_waits_until_the_units_are_free(self):
        workload = day([1], [Job(0, {0: 60}, 1), Job(5, {0: 9}, 9)], rights=self.rights(0, 1))
        outcome = run(workload, Technique.TIERS, stop_seconds=90.0)
        assert outcome.start[1] == 6.5 * MINUTE

    def test_the_least_measure_may_say_whom(self):
        jobs = [Job(0, {0: 60}, 5), Job(0, {0: 60}, 1), Job(5, {0: 9}, 9)]
        workload = day([2], jobs, rights=self.rights(0, 0, 1))
        outcome = run(workload, Technique.TIERS, whom="measure")
        assert outcome.broken is not None
        assert outcome.broken.job[0] == 1
