"""Small workloads and policies for tests, drawn at random."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from core.engines.replay.policy import Blocked, Filter, Measure, Order, Policy, Switch
from core.engines.replay.workload import (
    SWITCHING,
    ArrivingJobs,
    Horizon,
    Options,
    Pools,
    Truth,
    Workload,
)
from core.engines.replay.worth import WorthCurves, WorthPiece

CURVES = WorthCurves(
    (
        (WorthPiece(0, 1, 1, 0),),
        (WorthPiece(0, 1, 0.5, 1), WorthPiece(300, 0.5, 0, 0), WorthPiece(900, 0, 0, 0)),
        (WorthPiece(0, 0.9, 0.1, 2), WorthPiece(500, 0, 0, 0)),
    ),
    ("constant", "falls", "decays"),
)


@st.composite
def small_workloads(draw: st.DrawFn) -> tuple[Workload, Truth]:
    """Up to 25 jobs on up to three pools, with what really happens."""
    pools, jobs = draw(st.integers(1, 3)), draw(st.integers(1, 25))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    units = random.integers(2, 9, pools)
    ways = random.integers(1, 5, jobs)
    first = np.concatenate([[0], np.cumsum(ways)])
    options = int(first[-1])
    pool = random.integers(0, pools, options)
    warm = draw(st.booleans())
    begin = 300.0 if warm else 0.0
    workload = Workload(
        Pools(
            tuple(f"pool {p}" for p in range(pools)),
            units,
            random.integers(1, 5, pools),
            random.integers(0, 3, pools) * 50.0,
            random.integers(0, 2, pools) * 5.0,
            random.random(pools) < 0.5,
        ),
        ArrivingJobs(
            np.sort(random.integers(0, 1200, jobs)).astype(float),
            random.integers(0, 2, jobs),
            ("short", "long"),
            random.integers(1, 9, jobs).astype(float),
            random.random(jobs) * 0.01,
            random.integers(0, 3, jobs),
        ),
        Options(
            first,
            pool,
            1 + (random.random(options) * units[pool]).astype(np.int64),
            # Some end when there is an event.
            np.where(
                random.random(options) < 0.2,
                random.integers(1, 16, options) * 60.0,
                random.integers(30, 900, options) * 1.1,
            ),
            random.integers(1, 100, options) * 3.0,
            random.integers(0, 2, options),
            ("P0", "P1"),
        ),
        CURVES,
        Horizon(begin, draw(st.sampled_from([np.inf, 1500.0]))),
        draw(st.sampled_from(SWITCHING)),
        "drawn",
    )
    if draw(st.booleans()):
        workload = with_memory(workload, random)
    exact = draw(st.booleans())
    if exact:
        return workload, Truth.as_estimated(jobs)
    time = np.where(random.random(jobs) < 0.2, 1.0, random.uniform(0.2, 1.0, jobs))
    power = np.where(random.random(jobs) < 0.2, 1.0, random.uniform(0.5, 1.5, jobs))
    return workload, Truth(time, power)


def with_memory(workload: Workload, random: np.random.Generator) -> Workload:
    """The same with memory and licences that are short, and options that add to the worth."""
    pools, options = workload.pools, workload.options
    has = random.integers(1, 9, (len(pools), 2)) / 2
    taken = np.floor(random.random((len(options.pool), 2)) * 5) / 4 * has[options.pool]
    extra = random.integers(0, 4, len(options.pool)) / 2
    return replace(
        workload,
        pools=replace(pools, resources=("memory_gb", "licences"), further=has),
        options=replace(options, further=taken, extra=extra if extra.any() else None),
    )


def on_equal_hosts(workload: Workload, hosts: int) -> Workload:
    """The same where each pool is so many equal ones, and each option is one on each of these."""
    pools, options = workload.pools, workload.options

    def each(values: np.ndarray | None) -> np.ndarray | None:
        return None if values is None else np.repeat(values, hosts, axis=0)

    columns = ("units", "cores", "idle_watts", "sleep_watts", "whole", "further")
    names = tuple(f"{name}, host {host}" for name in pools.names for host in range(hosts))
    there = replace(pools, names=names, **{name: each(getattr(pools, name)) for name in columns})
    columns = ("units", "seconds", "watts", "state", "further", "extra")
    host = np.tile(np.arange(hosts), len(options.pool))
    ways = replace(
        options,
        first=options.first * hosts,
        pool=np.repeat(options.pool, hosts) * hosts + host,
        **{name: each(getattr(options, name)) for name in columns},
    )
    return replace(workload, pools=there, options=ways)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    return Policy(
        "drawn",
        draw(st.sampled_from(Order)),
        draw(st.sampled_from([one for one in Measure if one != Measure.SURPLUS])),
        draw(st.sampled_from(Blocked)),
        filter=draw(st.sampled_from(Filter)),
        leniency=2.0,
        switch=draw(st.sampled_from(Switch)),
        drop_below=draw(st.sampled_from([-1.0, 0.5])),
        drops=draw(st.booleans()),
    )


def lone_jobs(arrival: np.ndarray) -> Workload:
    """Job k is worth k + 1, and takes one unit for 100 + k seconds, and 10 W."""
    count = len(arrival)
    nothing = np.zeros(count, int)
    return Workload(
        Pools.of(("A",), [2]),
        ArrivingJobs(
            arrival, nothing, ("job",), np.arange(1.0, count + 1), np.zeros(count), nothing
        ),
        Options.of(count, 0, 1, 100.0 + np.arange(count), 10.0),
    )
