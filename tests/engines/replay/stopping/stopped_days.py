"""Days on which jobs are stopped for others, and what comes of them."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.judge import judge_outcome
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.policy import Blocked, Measure, Order, Policy
from core.engines.replay.stopping.rules import Stopping, Technique
from core.engines.replay.workload import (
    ArrivingJobs,
    Horizon,
    Options,
    Pools,
    StopRights,
    Workload,
)
from core.engines.replay.worth import WorthCurves, WorthPiece

MINUTE = 60.0
NONE, GREEDY, DIFF, PAIR = Technique.NONE, Technique.GREEDY, Technique.DIFF, Technique.PAIR
UTIL, UPT = Measure.WORTH, Measure.PER_TIME


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


LONG = Job(0, {0: 10}, 1)


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


def with_memory_of(workload: Workload, has: float, takes: list[float]) -> Workload:
    """The same where each pool has so much memory, and each job takes so much."""
    pools, options = workload.pools, workload.options
    further = np.full((len(pools), 1), has)
    return replace(
        workload,
        pools=replace(pools, resources=("memory_gb",), further=further),
        options=replace(options, further=np.array(takes)[options.job][:, None]),
    )


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


def busy_day(random: np.random.Generator) -> Workload:
    """Wide and long jobs, and among them others that are worth more: many are stopped. Each draws
    100 W.
    """
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
    workload = day(units, jobs, horizon, rights)
    watts = np.full(len(workload.options.pool), 100.0)
    return replace(workload, options=replace(workload.options, watts=watts))


def crowded_day(random: np.random.Generator) -> tuple[list[int], list[Job], StopRights]:
    """More jobs than units, of which many can be stopped at an event, and some are worth as much;
    as `days` draws them.
    """
    pools = int(random.integers(1, 3))
    jobs = [
        Job(
            float(arrival),
            {pool: float(random.integers(1, 13)) for pool in range(pools)},
            float(random.choice([1, 2, 4, 8])),
            float(random.choice([np.inf, 6.5, 14.5, 33.5])),
            bool(random.random() < 0.3),
        )
        for arrival in np.sort(random.integers(0, 15, 24))
    ]
    marks = random.random((2, len(jobs))) < 0.9
    return random.integers(2, 6, pools).tolist(), jobs, StopRights.of(len(jobs), *marks)


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
