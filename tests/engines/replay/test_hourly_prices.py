"""Prices of a day say what 1 of a resource is worth in each hour, and limit what more brings."""

from dataclasses import replace

import numpy as np
import pytest

from core.engines.replay.bound import WorthBound, bound
from core.engines.replay.hourly_prices import HourlyPrices
from core.engines.replay.workload import ArrivingJobs, Horizon, Options, Pools, Workload
from core.engines.replay.worth import WorthCurves, WorthPiece

HOUR = 3600.0
DAY = Horizon(2 * HOUR, 26 * HOUR)


def workload(memory: float = 8.0, horizon: Horizon = DAY, nodes: int = 2) -> Workload:
    """From 10:00 to 13:00, four jobs an hour want a node of 4 cores, and 4 GB, for an hour."""
    arrival = horizon.begin + 10 * HOUR + np.arange(12) * HOUR / 4
    options = replace(Options.of(12, 0, 1, HOUR), further=np.full((12, 1), 4.0))
    pools = Pools.of(["p"], nodes, cores=4, further={"memory_gb": memory})
    return Workload(pools, ArrivingJobs.plain(arrival), options, horizon=horizon)


def test_a_price_of_slots_is_that_of_the_hours_they_cover() -> None:
    there = workload()
    edges = DAY.begin + np.array([0, 1.5, 10, 24]) * HOUR
    each = np.array([[[8.0, 4.0, 0.0], [2.0, 0.0, 1.0]]]) / HOUR
    found = HourlyPrices.of(there, WorthBound(9.0, edges, each, np.zeros(0)))
    assert found is not None
    assert (found.pools, found.resources) == (("p",), ("cores", "memory_gb"))
    assert found.amounts.tolist() == [[8.0, 8.0]]
    cores, memory = found.worth[0]
    assert cores.tolist() == pytest.approx([2.0, 1.5, *8 * [1.0], *14 * [0.0]]), "4 cores a unit"
    assert memory.tolist() == pytest.approx([2.0, 1.0, *8 * [0.0], *14 * [1.0]])


def test_only_a_day_on_which_more_than_units_is_taken_has_prices() -> None:
    plain = workload()
    bare = replace(plain, pools=Pools.of(["p"], 2), options=replace(plain.options, further=None))
    for other in (bare, workload(horizon=Horizon(0.0, 30 * HOUR)), workload(horizon=Horizon())):
        assert HourlyPrices.of(other, bound(other)) is None


def test_nobody_earns_more_with_more_memory_than_prices_say() -> None:
    """Memory is short for jobs that are worth nothing two hours after they came."""
    gone = WorthPiece(0.0, 1.0, 0.0, 0.0), WorthPiece(2 * HOUR, 0.0, 0.0, 0.0)
    few, more = (
        replace(workload(memory, nodes=4), curves=WorthCurves((gone,), ("a",)))
        for memory in (6.0, 7.0)
    )
    found = bound(few)
    prices = HourlyPrices.of(few, found)
    assert prices is not None
    brings = bound(more).value - found.value
    memory = float(prices.worth[0, 1].sum())
    assert 0.0 < brings <= memory * 1.001
    assert memory < found.value / 4


def test_what_a_pool_has_nothing_of_has_no_price() -> None:
    jobs = ArrivingJobs.plain(DAY.begin + np.arange(12) * HOUR / 4)
    options = Options.of(np.repeat(np.arange(12), 2), np.tile([0, 1], 12), 1, HOUR)
    options = replace(options, further=np.tile([[4.0], [0.0]], (12, 1)))
    pools = Pools.of(["p", "bare"], 1, further={"memory_gb": np.array([4.0, 0.0])})
    gone = WorthPiece(0.0, 1.0, 0.0, 0.0), WorthPiece(2 * HOUR, 0.0, 0.0, 0.0)
    there = Workload(pools, jobs, options, WorthCurves((gone,), ("a",)), DAY)
    found = bound(there)
    prices = HourlyPrices.of(there, found)
    assert prices is not None
    assert np.isfinite(found.value)
    assert prices.worth[:, 0].sum() > 0.0
    assert not prices.worth[1, 1].any()
