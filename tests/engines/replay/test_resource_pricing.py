"""Prices of cores and memory are the duals of the last hour's jobs, solved by other code."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from engines.replay.workloads import lone_jobs
from scipy.optimize import linprog

from core.capabilities.arrivals.made.value import ValueSettings, draw_value_day
from core.capabilities.arrivals.made.value_testbed import HostSettings, draw_value_testbed
from core.capabilities.arrivals.policies import VALUE
from core.engines.lp.program import Program
from core.engines.replay.clock import OpenReplay, ReplaySettings, replay
from core.engines.replay.looking import RecordedPrices, see_event
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.policy import Measure, Prices
from core.engines.replay.pricing import Foresight
from core.engines.replay.resource_pricing import (
    OFTEN,
    PART_OF_DUALS,
    prices_of_resources,
)
from core.engines.replay.workload import Truth, Workload
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Budget

HOUR = 3600.0
POLICY = VALUE["value-prices"].policy


def day(cores: int, memory: float) -> Workload:
    return draw_value_day(ValueSettings(seed=100, cores=cores, memory=memory)).workload


def opened(workload: Workload, until: float) -> OpenReplay:
    truth = Truth.as_estimated(len(workload.jobs))
    found = OpenReplay(workload, truth, POLICY, ReplaySettings(every=60.0, pricing=Foresight()))
    found.run(until, Budget())
    return found


def solved(run: OpenReplay) -> list[float]:
    """The worth of 1 more core-second, and GB-second, of what the next hour has free."""
    workload, options = run.workload, run.workload.options
    came = [job for job in range(run.taken_in) if workload.jobs.arrival[job] >= run.now - HOUR]
    fastest = [min(options.seconds[options.first[j] : options.first[j + 1]]) for j in came]
    span, after = HOUR, sum(fastest) / len(fastest)
    free = [float(workload.pools.units.sum()), float(workload.pools.further.sum())]
    free = [one * (span + after) for one in free]
    record = run.outcome()
    for job in run.underway:
        seconds = min(record.estimated_end[job], run.now + span) - max(record.start[job], run.now)
        option = record.option[job]
        free[0] -= max(seconds, 0.0) * options.units[option]
        free[1] -= max(seconds, 0.0) * options.further[option, 0]
    worth, core, memory, of_lot = [], [], [], []
    lots = [(job, 0.0) for job in came]
    lots += [(job, run.now - workload.jobs.arrival[job]) for job in run.waiting]
    for lot, (job, late) in enumerate(lots):
        for option in range(options.first[job], options.first[job + 1]):
            seconds = options.seconds[option]
            of_lot.append(lot)
            worth.append(
                float(workload.worth_of(*map(np.atleast_1d, (job, option, late + seconds)))[0])
            )
            core.append(seconds * options.units[option])
            memory.append(seconds * options.further[option, 0])
    once = np.zeros((len(lots), len(worth)))
    once[of_lot, range(len(worth))] = 1.0
    table = np.vstack([once, np.array([core]) / free[0], np.array([memory]) / free[1]])
    found = linprog(-np.array(worth), table, np.ones(len(table)))
    return (-found.ineqlin.marginals[-2:] / free).tolist()


@pytest.mark.parametrize(
    ("cores", "memory", "dear"), [(128, 256.0, 0), (256, 128.0, 1)], ids=["cores", "memory"]
)
def test_prices_are_the_duals_of_the_last_hour(cores: int, memory: float, dear: int) -> None:
    for hours in (12, 15.5):
        run = opened(day(cores, memory), hours * HOUR)
        prices = prices_of_resources(run)
        found = [prices.core_second, *prices.further]
        part = [PART_OF_DUALS * one for one in solved(run)]
        assert found == pytest.approx(part, rel=1e-6, abs=1e-12)
        assert found[dear] > 0


@pytest.fixture
def columns(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many columns each program was given."""
    found: list[int] = []
    add_columns = Program.add_columns

    def counted(program: Program, entries: Any, costs: FloatArray) -> Any:
        found.append(len(costs))
        return add_columns(program, entries, costs)

    monkeypatch.setattr(Program, "add_columns", counted)
    return found


def test_options_on_equal_hosts_are_one_column(columns: list[int]) -> None:
    workload = draw_value_testbed(HostSettings(hosts=2)).workload
    options = workload.options
    order = np.lexsort((options.pool, options.job))
    names = ("pool", "units", "seconds", "watts", "state", "further", "extra")
    host_by_host = replace(options, **{name: getattr(options, name)[order] for name in names})
    run = opened(replace(workload, options=host_by_host), 2 * HOUR)
    columns.clear()
    prices = prices_of_resources(run)
    part = [PART_OF_DUALS * one for one in solved(run)]
    assert [prices.core_second, *prices.further] == pytest.approx(part, rel=1e-6, abs=1e-12)
    assert max(part) > 0
    came = np.count_nonzero(workload.jobs.arrival[: run.taken_in] >= run.now - HOUR)
    assert columns == [20 * (came + len(run.waiting))]


def test_equal_jobs_are_not_one(columns: list[int]) -> None:
    jobs = lone_jobs(np.zeros(9))
    alike = replace(jobs.jobs, priority=np.ones(9))
    options = replace(jobs.options, seconds=np.full(9, 600.0))
    run = opened(replace(jobs, jobs=alike, options=options), OFTEN)
    columns.clear()
    prices_of_resources(run)
    assert columns == [9 + len(run.waiting)]


def test_before_jobs_came_nothing_has_a_price() -> None:
    run = opened(day(256, 256.0), 0.0)
    assert prices_of_resources(run) == Prices(0.0, 0.0, (0.0,))


def same(one: ReplayOutcome, other: ReplayOutcome) -> bool:
    columns = ("option", "start", "end", "dropped")
    return all(
        np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True) for name in columns
    )


@pytest.mark.parametrize(("cores", "memory"), [(128, 256.0), (256, 128.0)])
def test_without_prices_it_decides_as_max_vptr(cores: int, memory: float) -> None:
    workload = day(cores, memory)
    by_share = ReplaySettings(prices=Prices(by_share=True))
    vptr = replay(workload, VALUE["max-vptr"].policy)
    assert same(replay(workload, POLICY, settings=by_share), vptr)
    assert not same(replay(workload, POLICY), vptr)


def test_where_prices_earned_less_lately_it_falls_back_until_they_earn_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Until 10:00 a GB costs far too much, so little is done."""

    def dear(run: OpenReplay) -> Prices:
        return Prices(further=(1.0 + run.now,)) if run.now < 10 * HOUR else prices_of_resources(run)

    workload = day(128, 256.0)
    monkeypatch.setattr("core.engines.replay.resource_pricing.prices_of_resources", dear)
    settings = ReplaySettings(pricing=Foresight())
    outcome = replay(workload, POLICY, settings=settings)
    priced = outcome.decisions.priced
    back, again = (
        next(one.time for one in priced if one.time > since and one.prices.by_share is by_share)
        for since, by_share in ((0.0, True), (5 * HOUR, False))
    )
    # It waits until there are four hours to compare.
    assert 4 * HOUR <= back <= 4 * HOUR + OFTEN
    # Prices that are right have not yet earned more in four hours with two dear ones.
    assert 11 * HOUR < again < 15 * HOUR
    vptr = replay(workload, VALUE["max-vptr"].policy)
    assert outcome.worth > 0.9 * vptr.worth
    monkeypatch.undo()
    recorded = ReplaySettings(pricing=RecordedPrices(priced))
    assert same(replay(workload, POLICY, settings=recorded), outcome)
    event = see_event(workload, POLICY, back + HOUR, settings=recorded)
    assert event.measure is Measure.PER_SHARE


@pytest.mark.parametrize(
    ("cores", "memory", "hours", "falls_back"), [(192, 256.0, 9, False), (256, 128.0, 15, True)]
)
def test_jobs_to_come_are_not_looked_at(
    cores: int, memory: float, hours: float, falls_back: bool
) -> None:
    """They are worth something else, and take other times and other shares of their estimates."""
    workload, now = day(cores, memory), hours * HOUR
    later = workload.jobs.arrival > now
    other = replace(
        workload,
        jobs=replace(workload.jobs, priority=np.where(later, 1.0, workload.jobs.priority)),
        options=replace(
            workload.options,
            seconds=np.where(later[workload.options.job], 77.0, workload.options.seconds),
        ),
    )
    settings = ReplaySettings(every=60.0, pricing=Foresight())
    one_of_each = np.ones(len(workload.jobs))
    one, two = (
        replay(each, POLICY, Truth(np.where(later, share, 1.0), one_of_each), settings)
        for each, share in ((workload, 1.0), (other, 0.5))
    )
    paid = [[p for p in each.decisions.priced if p.time <= now] for each in (one, two)]
    assert paid[0] == paid[1]
    assert any(each.prices.by_share for each in paid[0]) is falls_back
    assert (one.start != two.start).any()
    for outcome, its_fellow in ((one, two), (two, one)):
        before = outcome.ran & (outcome.start <= now)
        assert (outcome.start[before] == its_fellow.start[before]).all()
        assert (outcome.option[before] == its_fellow.option[before]).all()
