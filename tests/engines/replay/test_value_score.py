"""The worth of value of service is split without rest, and each job that ran has one size."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.policy import Blocked, Measure, Order, Policy
from core.engines.replay.value import JobValues, ValueFunctions, ValueWeights
from core.engines.replay.value_score import ValueScore, worth_by_hour
from core.engines.replay.workload import ArrivingJobs, Horizon, Options, Pools, Workload
from core.engines.replay.worth import WorthCurves, WorthPiece

HOUR = 3600.0
POLICY = Policy("vptr", Order.BEST, Measure.PER_SHARE, Blocked.HOLD, drops=True)
GONE = WorthCurves(((WorthPiece(0.0, 1.0, 1.0, 0.0), WorthPiece(2 * HOUR, 0.0, 0.0, 0.0)),), ("a",))
"""Worth is full for two hours, and then nothing."""


def outcome_of(
    extra: tuple[float, float] | None = (3.0, 1.0), jobs: int = 4, end: float = 8 * HOUR
) -> ReplayOutcome:
    """Jobs of 2 or 1 units of 2 cores, for an hour or two, on 3 units with 12 GB."""
    options = Options.of(np.repeat(np.arange(jobs), 2), 0, jobs * [2, 1], jobs * [HOUR, 1.5 * HOUR])
    options = replace(
        options,
        further=np.array(jobs * [[4.0], [8.0]]),
        extra=None if extra is None else np.array(jobs * [*extra]),
    )
    pools = Pools.of(["p"], 3, cores=2, further={"memory_gb": 12.0})
    arriving = replace(ArrivingJobs.plain(np.arange(jobs) * HOUR / 4), priority=np.full(jobs, 2.0))
    workload = Workload(pools, arriving, options, GONE, Horizon(0.0, end))
    return replay(workload, POLICY, settings=ReplaySettings(every=60.0))


@given(st.tuples(*2 * [st.floats(0, 9)]), st.integers(1, 9), st.floats(0.3, 8.0))
def test_both_parts_are_the_worth(extra: tuple[float, float], jobs: int, hours: float) -> None:
    outcome = outcome_of(extra, jobs, hours * HOUR)
    score = ValueScore.of(outcome)
    assert score.energy is not None
    assert score.time + score.energy == pytest.approx(outcome.worth)
    assert sum(score.sizes.values()) == outcome.completed
    assert score.seconds.keys() == score.sizes.keys()
    lasted = outcome.end - outcome.start
    for (cores, _), seconds in score.seconds.items():
        ran = outcome.ran & (outcome.workload.option_cores[outcome.option] == cores)
        assert seconds == pytest.approx(lasted[ran].sum())


def test_a_job_alone_earns_its_priority_and_what_its_option_adds() -> None:
    score = ValueScore.of(outcome_of(jobs=1))
    assert (score.time, score.energy) == (2.0, 3.0)
    assert score.sizes == {(4.0, 4.0): 1}
    assert score.seconds == {(4.0, 4.0): HOUR}
    assert score.resources == ("memory_gb",)
    half = ValueScore.of(outcome_of(jobs=1, end=HOUR / 2))
    assert (half.time, half.energy) == (1.0, 1.5), "half of it is within the horizon"


def test_an_option_adds_nothing_once_the_curve_is_at_0() -> None:
    outcome = outcome_of(jobs=1)
    late = replace(outcome, start=outcome.start + 2 * HOUR, end=outcome.end + 2 * HOUR)
    assert ValueScore.of(late)[:2] == (0.0, 0.0)


def test_what_no_option_adds_or_takes_is_not_there() -> None:
    assert ValueScore.of(outcome_of(None)).energy is None
    plain = outcome_of(None, 1)
    options = replace(plain.workload.options, further=None)
    bare = replace(plain, workload=replace(plain.workload, options=options))
    assert ValueScore.of(bare).sizes == {}


def test_worth_by_hour_is_all_worth_in_its_category_and_hour() -> None:
    outcome = outcome_of(jobs=9)
    category = np.arange(9) % 2
    table = np.ones((2, 1))
    weights = ValueWeights(("a", "b"), ("",), table, table, np.zeros(24, np.int64), 22.5)
    every = ValueFunctions(*np.ones((4, 9)))
    found = worth_by_hour(outcome, JobValues(np.ones(9), category, every, every, weights))
    expected = np.zeros((2, 24))
    for job, worth in enumerate(outcome.job_worth.tolist()):
        expected[category[job], int(22.5 + job / 4) % 24] += worth
    np.testing.assert_allclose(found, expected)
    assert found.sum() == pytest.approx(outcome.worth)
