"""Every job gets as many units of its pool as it takes, and no unit has two jobs at once."""

from dataclasses import replace

import numpy as np
import pytest
from engines.replay.workloads import policies, small_workloads
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.engines.replay.clock import replay
from core.engines.replay.layout import UnitSpans, laid_out
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.policy import Blocked, Measure, Order, Policy
from core.engines.replay.workload import ArrivingJobs, Options, Pools, Truth, Workload

GREEDY = Policy("greedy", Order.ARRIVAL, Measure.EARLIEST, Blocked.WAIT)


def overlaps(spans: UnitSpans) -> list[tuple[int, int]]:
    """Pairs of rows that share a unit at some time."""
    rows = range(len(spans.job))
    return [
        (one, other)
        for one in rows
        for other in range(one)
        if spans.start[one] < spans.end[other]
        and spans.start[other] < spans.end[one]
        and spans.first[one] <= spans.last[other]
        and spans.first[other] <= spans.last[one]
    ]


@examples(20)
@given(small_workloads(), policies(), st.sampled_from([1, 10**8]))
def test_no_unit_has_two_jobs(drawn: tuple[Workload, Truth], policy: Policy, larger: int) -> None:
    workload, truth = drawn
    workload = replace(
        workload,
        pools=replace(workload.pools, units=workload.pools.units * larger),
        options=replace(workload.options, units=workload.options.units * larger),
    )
    outcome = replay(workload, policy, truth)
    of = outcome.workload.options
    laid = 0
    for pool, there in enumerate(workload.pools.units.tolist()):
        spans = laid_out(outcome, pool)
        assert overlaps(spans) == []
        assert (spans.first >= 0).all()
        assert (spans.last < there).all()
        for job in np.unique(spans.job).tolist():
            mine = spans.job == job
            units = spans.last[mine] - spans.first[mine] + 1
            assert units.sum() == of.units[outcome.option[job]]
            assert of.pool[outcome.option[job]] == pool
            assert set(spans.start[mine]) == {outcome.start[job]}
            assert set(spans.end[mine]) == {outcome.end[job]}
            laid += 1
    assert laid == outcome.completed


def outcome_of(rows: list[tuple[int, float, float]], units: int) -> ReplayOutcome:
    """Jobs (units, start, end) on one pool."""
    jobs = len(rows)
    taken, start, end = (np.array(column) for column in zip(*rows, strict=True))
    workload = Workload(
        Pools.of(["A"], [units]),
        ArrivingJobs.plain(np.zeros(jobs)),
        Options.of(jobs, 0, taken, 1),
    )
    return replace(
        replay(workload, GREEDY),
        option=np.arange(jobs),
        start=start.astype(float),
        end=end.astype(float),
    )


def test_a_job_gets_the_lowest_range_that_is_wide_enough() -> None:
    spans = laid_out(outcome_of([(2, 0, 5), (3, 0, 9), (5, 0, 6), (4, 6, 9), (2, 6, 8)], 10), 0)
    found = list(zip(spans.job.tolist(), spans.first.tolist(), spans.last.tolist(), strict=True))
    # Job 3 does not fit into the 2 units of job 0.
    assert found == [(0, 0, 1), (1, 2, 4), (2, 5, 9), (3, 5, 8), (4, 0, 1)]


def test_a_job_without_a_range_gets_several() -> None:
    rows = [(1, 0.0, 1.0 + unit % 2) for unit in range(9)] + [(5, 1.0, 3.0)]
    spans = laid_out(outcome_of(rows, 9), 0)
    mine = spans.job == 9
    assert spans.first[mine].tolist() == spans.last[mine].tolist() == [0, 2, 4, 6, 8]
    assert overlaps(spans) == []


def test_more_units_than_there_are_are_refused() -> None:
    with pytest.raises(ValueError, match="more units work at once than there are"):
        laid_out(outcome_of([(2, 0, 5), (3, 4, 9)], 4), 0)


def test_runs_that_overlap_by_rounding_are_laid_out() -> None:
    """0.1 + 0.2 is more than 0.3. No run gives its units back before it has them."""
    rows = [(2, 0.0, 0.1 + 0.2), (2, 0.3, 1e9), (2, 1e9 - 1e-7, 1e9 + 1e-7)]
    spans = laid_out(outcome_of(rows, 2), 0)
    assert (spans.first.tolist(), spans.last.tolist()) == ([0, 0, 0], [1, 1, 1])
    assert (spans.start.tolist(), spans.end[0]) == ([0, 0.3, 1e9 - 1e-7], 0.1 + 0.2)
    with pytest.raises(ValueError, match="more units work at once than there are"):
        laid_out(outcome_of([(2, 0.0, 0.3 + 1e-9), (2, 0.3, 1.0)], 2), 0)
    brief = [(1, 1e9, 1e9 + 5e-7), (1, 1e9 + 1e-7, 1e9 + 4e-7), (2, 1e9 + 1.0, 1e9 + 2.0)]
    spans = laid_out(outcome_of(brief, 2), 0)
    assert spans.job.tolist() == [0, 1, 2]
    assert overlaps(spans) == []  # these fit as they are
    spans = laid_out(outcome_of([*brief, (2, 1e9 + 5e-7, 1e9 + 0.5)], 2), 0)
    assert spans.last.tolist() == [0, 1, 1, 1]


def test_much_is_broken_into_many_ranges() -> None:
    """Every second unit ends; then one job takes all of them, again and again."""
    rows = []
    for time in range(0, 40, 4):
        rows += [(1, float(time), time + 2.0 + 2.0 * (unit % 2)) for unit in range(100)]
        rows += [(50, time + 2.0, time + 4.0)]
    spans = laid_out(outcome_of(rows, 100), 0)
    assert len(spans.job) == 10 * (100 + 50)
