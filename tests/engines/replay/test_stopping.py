"""Jobs that are stopped for others: worked fixtures, a plain loop over cores, and the judge."""

from dataclasses import replace
from typing import Any, NamedTuple, get_args

import numpy as np
import pytest
from engines.replay.by_cores import PlainJob, replayed
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from interpreted import interpreted

from core.engines.replay.bound import bound
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.curves import busy_curve, power_curve, waiting_curve, worth_curve
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.judge import judge_outcome, judge_stated
from core.engines.replay.layout import laid_out
from core.engines.replay.outcome import ReplayOutcome, StatedOutcome
from core.engines.replay.policy import Blocked, Measure, Order, Policy, Prices
from core.engines.replay.stopping.covering import cover, cover_in_order
from core.engines.replay.stopping.rules import MOST_STOPS, NOTHING, Stopping, Technique, Whom
from core.engines.replay.stopping.score import StopScore
from core.engines.replay.workload import (
    ArrivingJobs,
    Horizon,
    Options,
    Pools,
    StopRights,
    Truth,
    Workload,
)
from core.engines.replay.worth import WorthCurves, WorthPiece

MINUTE = 60.0
NONE, GREEDY, DIFF, PAIR = Technique.NONE, Technique.GREEDY, Technique.DIFF, Technique.PAIR
UTIL, UPT = Measure.WORTH, Measure.PER_TIME


@pytest.fixture(autouse=True)
def at_once():
    with interpreted():
        yield


class Job(NamedTuple):
    """Minutes: arrival, run time on each pool, worth, and until when it has it, or falls to 0."""

    arrival: float
    minutes: dict[int, float]
    worth: float
    until: float = np.inf
    falls: bool = False
    units: int = 1

    @property
    def curve(self) -> tuple[WorthPiece, ...]:
        if np.isinf(self.until):
            return (WorthPiece(0.0, 1.0, 1.0, 0.0),)
        low = 0.0 if self.falls else 1.0
        return (
            WorthPiece(0.0, 1.0, low, 0.0),
            WorthPiece(self.until * MINUTE, 0.0, 0.0, 0.0),
        )

    def value(self, delay: float) -> float:
        if delay >= self.until:
            return 0.0
        return self.worth * (1 - delay / self.until) if self.falls else self.worth


def day(
    units: list[int], jobs: list[Job], horizon: Any = (0, np.inf), rights: StopRights | None = None
) -> Workload:
    rows = [
        (k, pool, job.units, job.minutes[pool] * MINUTE)
        for k, job in enumerate(jobs)
        for pool in sorted(job.minutes)
    ]
    number = np.arange(len(jobs))
    names = tuple(map(str, number))
    arriving = ArrivingJobs(
        np.array([job.arrival * MINUTE for job in jobs]),
        number,
        names,
        np.array([job.worth for job in jobs], float),
        np.zeros(len(jobs)),
        number,
        rights=rights or StopRights.of(len(jobs)),
    )
    pools = Pools.of([f"p{k}" for k in range(len(units))], units)
    options = Options.of(*map(list, zip(*rows, strict=True)))
    curves = WorthCurves(tuple(job.curve for job in jobs), names)
    return Workload(pools, arriving, options, curves, Horizon(*(one * MINUTE for one in horizon)))


def policy(technique: Technique, measure: Measure = UTIL) -> Policy:
    if technique is Technique.TIERS:
        kept = Blocked.RESERVE_FIRST
        return Policy("tiers", Order.ARRIVAL, Measure.EARLIEST, kept, technique=technique)
    return Policy("now", Order.BEST, measure, Blocked.WAIT, only_now=True, technique=technique)


def run(
    workload: Workload, technique: Technique, measure: Measure = UTIL, **stopping: Any
) -> ReplayOutcome:
    settings = ReplaySettings(stopping=Stopping(**stopping))
    outcome = replay(workload, policy(technique, measure), settings=settings)
    assert judge_outcome(outcome).problems == ()
    return outcome


def pieces(outcome: ReplayOutcome) -> list[tuple[int, int, float, float]]:
    """Job, pool, begin and end (minutes) of each piece."""
    job, option, start, end, *_ = outcome.pieces
    pool = outcome.workload.options.pool[option]
    columns = (job, pool, (start / MINUTE).round(6), (end / MINUTE).round(6))
    return list(zip(*(column.tolist() for column in columns), strict=True))


LONG = Job(0, {0: 10}, 1)


class TestWorkedByHand:
    """The fixtures P3 to P16 of the reading of the publication."""

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


@st.composite
def days(draw: st.DrawFn) -> tuple[list[int], list[Job], StopRights]:
    pools = draw(st.integers(1, 2))
    units = draw(st.lists(st.integers(1, 2), min_size=pools, max_size=pools))
    count = draw(st.integers(2, 7))
    minutes = st.integers(1, 12).map(float)
    jobs = [
        Job(
            arrival,
            {0: draw(minutes)} | ({1: draw(minutes)} if pools == 2 and draw(st.booleans()) else {}),
            draw(st.integers(1, 40)) / 4,
            draw(st.sampled_from([np.inf, 6.5, 14.5, 33.5])),
            draw(st.booleans()),
        )
        for arrival in sorted(draw(st.lists(st.integers(0, 12), min_size=count, max_size=count)))
    ]
    marks = [draw(st.lists(st.booleans(), min_size=count, max_size=count)) for _ in range(2)]
    return units, jobs, StopRights.of(count, *marks)


@given(given=days(), per_time=st.booleans())
def test_the_policies_decide_as_a_plain_loop_over_all_cores(given, per_time):
    units, jobs, rights = given
    cores = [pool for pool, count in enumerate(units) for _ in range(count)]
    for name, technique in (("none", NONE), ("greedy", GREEDY), ("diff", DIFF), ("pair", PAIR)):
        plain = [
            PlainJob(job.arrival, job.minutes, job.value, bool(stops), bool(stopped))
            for job, stops, stopped in zip(jobs, *rights[:2], strict=True)
        ]
        replayed(cores, plain, name, per_time, 200)
        outcome = run(day(units, jobs, (0, 200), rights), technique, UPT if per_time else UTIL)
        wanted = sorted(
            (number, cluster, round(begin, 6), round(end, 6))
            for number, job in enumerate(plain)
            for cluster, begin, end in job.pieces
        )
        assert sorted(pieces(outcome)) == wanted


def busy_day(random: np.random.Generator) -> Workload:
    """Wide and long jobs, and among them others that are worth more: many are stopped."""
    pools, count = int(random.integers(1, 3)), int(random.integers(4, 12))
    units = random.integers(1, 6, pools).tolist()
    jobs = [
        Job(
            float(arrival),
            {pool: float(random.integers(1, 30)) for pool in range(pools)},
            float(random.uniform(1, 9)),
            float(random.choice([np.inf, random.integers(5, 90) + 0.5])),
            bool(random.random() < 0.5),
            int(random.integers(1, min(units) + 1)),
        )
        for arrival in np.sort(random.integers(0, 25, count))
    ]
    marks = random.random((2, count)) < 0.9
    rights = StopRights.of(count, *marks, random.integers(0, 3, count))
    horizon = float(random.integers(0, 20)), float(random.integers(30, 200))
    return replace(day(units, jobs, horizon, rights))


@given(seed=st.integers(0, 2**32 - 1), technique=st.sampled_from(list(Technique)[1:]))
@examples(30)
def test_what_comes_of_any_way_to_stop_is_sound(seed, technique):
    random = np.random.default_rng(seed)
    workload = busy_day(random)
    count = len(workload.jobs)
    truth = Truth(random.uniform(0.3, 1.0, count), random.uniform(0.5, 1.5, count))
    measure = Measure.SURPLUS if technique is Technique.PRICES else UPT
    stopping = Stopping(
        float(random.choice([0.0, 120.0, 300.0, NOTHING])),
        *random.choice([0.0, 30.0, 90.0], 3).tolist(),
        int(random.choice([1, 2, MOST_STOPS])),
        get_args(Whom)[random.integers(4)],
    )
    settings = ReplaySettings(prices=Prices(2e-4), stopping=stopping)
    outcome = replay(workload, policy(technique, measure), truth, settings)
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
        """Job 0 loses 9 minutes, at 0.3 each: job 1 is worth 3 more than it, and job 2 is 2."""
        prices = Prices(0.3 / MINUTE)
        settings = ReplaySettings(prices=prices, stopping=Stopping(NOTHING))
        for worth, stops in ((7.0, 1), (6.0, 0)):
            jobs = [Job(0, {0: 10}, 3.3), Job(9, {0: 1}, worth)]
            rules = policy(Technique.PRICES, Measure.SURPLUS)
            assert len(replay(day([1], jobs), rules, settings=settings).stops) == stops

    def test_the_price_of_what_remains_is_for_what_remains(self):
        """After 8 of 10 minutes, job 0 is worth 1.2 less 0.2 above its price, and goes on."""
        settings = ReplaySettings(prices=Prices(0.1 / MINUTE))
        jobs = [Job(0, {0: 10}, 1.2), Job(8, {0: 1}, 3), Job(9, {0: 9}, 1.5)]
        rules = policy(Technique.PRICES, Measure.SURPLUS)
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


def test_the_score_of_stops():
    """Job 0 loses 4 minutes on 2 cores; the urgent job waits a minute for it."""
    wide = Job(0, {0: 10}, 1, units=2)
    outcome = run(
        day([2], [wide, Job(4, {0: 5}, 9)]), GREEDY, checkpoints=NOTHING, stop_seconds=60.0
    )
    score = StopScore.of(outcome)
    assert (score.stops, score.lost_core_seconds) == (1, 5 * MINUTE * 2)
    assert score.lost_share == pytest.approx(10 / (10 + 20 + 5))
    assert (score.urgent_wait, score.urgent_wait_p95) == (MINUTE, MINUTE)
    assert score.other_flow == outcome.end[0]


@given(seed=st.integers(0, 2**32 - 1), technique=st.sampled_from([GREEDY, DIFF, PAIR]))
def test_no_policy_earns_more_than_the_bound(seed, technique):
    random = np.random.default_rng(seed)
    workload = busy_day(random)
    checkpoints = float(random.choice([0.0, 120.0, NOTHING]))
    settings = ReplaySettings(stopping=Stopping(checkpoints))
    earned = replay(workload, policy(technique, UPT), settings=settings).worth
    assert earned <= bound(workload, slots=6, checkpoints=checkpoints).value


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


@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(0, 9)), min_size=1, max_size=8),
    st.integers(1, 20),
)
def test_the_least_loss_that_covers_is_exact(rows, missing):
    units, loss = (np.array(column) for column in zip(*rows, strict=True))
    taken = np.zeros(len(rows), bool)
    enough = cover(units, loss.astype(float), missing, taken)
    sets = np.array(list(np.ndindex(*[2] * len(rows))), bool)
    covering = sets[sets @ units >= missing]
    assert enough == (len(covering) > 0)
    if enough:
        assert units[taken].sum() >= missing
        assert loss[taken].sum() == (covering @ loss).min()
        spare = units[taken].sum() - missing
        assert (units[taken] > spare).all()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.engines.replay.stopping.covering._MOST_CELLS", 0)
        assert cover(units, loss.astype(float), missing, taken) == enough
    assert not enough or (units[taken] > units[taken].sum() - missing).all()
    assert cover_in_order(units, np.arange(len(rows)), missing, taken) == enough
    assert not enough or units[taken].sum() >= missing


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


class TestJudge:
    """What cannot have happened is found."""

    @pytest.fixture
    def stated(self) -> StatedOutcome:
        outcome = run(day([1], [LONG, Job(7, {0: 5}, 10)]), GREEDY, checkpoints=240.0)
        return StatedOutcome.of(outcome)

    @pytest.mark.parametrize(
        ("column", "row", "value", "said"),
        [
            ("start", 1, 360.0, "before the end of the part before it"),
            ("end", 0, 500.0, "1 units, but"),
            ("option", 1, 1, "no option of this job"),
        ],
    )
    def test_of_parts(self, stated, column, row, value, said):
        values = getattr(stated, column).copy()
        values[row] = value
        problems = judge_stated(replace(stated, **{column: values})).problems
        assert any(said in problem.message for problem in problems), problems

    @pytest.mark.parametrize(
        ("name", "value", "said"), [("kept", 420.0, "may be kept"), ("lead", 30.0, "going on")]
    )
    def test_of_what_is_kept(self, stated, name, value, said):
        values = getattr(stated.parts, name).copy()
        values[0 if name == "kept" else 1] = value
        parts = stated.parts._replace(**{name: values})
        problems = judge_stated(replace(stated, parts=parts)).problems
        assert any(said in problem.message for problem in problems), problems

    @pytest.mark.parametrize(
        ("rule", "said"),
        [({"most_stops": 0}, "more stops"), ({"least_run": 9 * MINUTE}, "the least run")],
    )
    def test_of_stops(self, stated, rule, said):
        wrong = replace(stated, stopping=replace(stated.stopping, **rule))
        problems = judge_stated(wrong).problems
        assert any(said in problem.message for problem in problems), problems


@pytest.mark.parametrize(
    "wrong",
    [
        {"only_now": True},
        {"technique": GREEDY},
        {"technique": Technique.TIERS, "order": Order.BEST},
    ],
)
def test_policies_that_cannot_be_are_refused(wrong):
    usual = {"order": Order.ARRIVAL, "measure": UTIL, "blocked": Blocked.HOLD}
    with pytest.raises(ValueError, match=r"now|tiers"):
        Policy("wrong", **usual | wrong)


@pytest.mark.parametrize("wrong", [{"checkpoints": -1.0}, {"stop_seconds": np.inf}])
def test_ways_to_stop_that_cannot_be_are_refused(wrong):
    with pytest.raises(ValueError, match=r"kept is -1|stop_cost is inf"):
        Stopping(**wrong)
