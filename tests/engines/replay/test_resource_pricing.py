"""Prices of cores and memory are the duals of the last hour's jobs, solved by other code."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

from core.capabilities.arrivals.made.value import ValueSettings, draw_value_day
from core.capabilities.arrivals.policies import VALUE
from core.engines.replay.clock import OpenReplay, ReplaySettings, replay
from core.engines.replay.policy import Prices
from core.engines.replay.pricing import Foresight
from core.engines.replay.resource_pricing import prices_of_resources
from core.engines.replay.workload import Truth, Workload
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
        assert found == pytest.approx(solved(run), rel=1e-6, abs=1e-12)
        assert found[dear] > 0


def test_before_jobs_came_nothing_has_a_price() -> None:
    run = opened(day(256, 256.0), 0.0)
    assert prices_of_resources(run) == Prices(0.0, 0.0, (0.0,))


def test_jobs_to_come_are_not_looked_at() -> None:
    workload, now = day(192, 256.0), 9 * HOUR
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
    truth = Truth.as_estimated(len(workload.jobs))
    one, two = (replay(each, POLICY, truth, settings) for each in (workload, other))
    assert (one.start != two.start).any()
    for outcome, its_fellow in ((one, two), (two, one)):
        before = outcome.ran & (outcome.start <= now)
        assert (outcome.start[before] == its_fellow.start[before]).all()
        assert (outcome.option[before] == its_fellow.option[before]).all()
