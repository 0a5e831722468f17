"""The clock: feeds a policy its arrivals, lets true times happen, and keeps the record."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from core.model.arrays import FloatArray, IntArray
from core.model.budget import Budget
from core.replay.energy import EnergyWindows
from core.replay.events import (
    COUNTS,
    DROPPED,
    NEXT_ARRIVAL,
    NO_MORE,
    PICKS,
    UNDERWAY_COUNT,
    WAITING_COUNT,
    Clock,
    EventRows,
    Facts,
    Looked,
    Rules,
    room_needed,
    run_event,
    run_events,
)
from core.replay.outcome import NOT_RUN, Decisions, ReplayOutcome
from core.replay.policy import Policy, Prices
from core.replay.profile import all_free, with_room
from core.replay.workload import Truth, Workload

EVERY: Final = 60.0
"""Seconds between mapping events, as published."""
_AT_ONCE: Final = 256
_FIRST_ROOM: Final = 64


class ReplayProgress(NamedTuple):
    """The time that the clock shows (s), and how many jobs have arrived, of how many."""

    now: float
    arrived: int
    jobs: int


@dataclass(frozen=True)
class ReplaySettings:
    """What a replay needs beside a workload and a policy. Events are `every` seconds apart."""

    windows: EnergyWindows | None = None
    every: float = EVERY
    seed: int = 0
    prices: Prices | None = None


class OpenReplay:
    """A replay that can be stopped, looked at and gone on with."""

    def __init__(
        self, workload: Workload, truth: Truth, policy: Policy, settings: ReplaySettings
    ) -> None:
        self.workload, self.truth, self.policy = workload, truth, policy
        self.windows = settings.windows or EnergyWindows.without_limit(workload.horizon)
        self.every = settings.every
        self._facts = _facts_of(workload, truth, self.windows)
        prices = settings.prices or Prices.none(len(workload.pools), len(self.windows.joules))
        self._rules = _rules_of(policy, prices, settings.seed)
        self._clock = _clock_of(workload, self.windows)
        self._number = 0
        self._tally: list[EventRows] = []
        self._ended = False

    @property
    def now(self) -> float:
        """The time of the next mapping event (s)."""
        return self._number * self.every

    def run(self, until: float, budget: Budget) -> None:
        """Runs all events before a time. Raises `Cancelled` or `TooLong`."""
        until = min(until, self._facts.end)
        while not self._ended and self.now < until:
            budget.check("replaying")
            tally = _empty_tally(_AT_ONCE)
            pace = (self._number, self.every, until, self.policy.only_news)
            rows, self._number, cramped = run_events(
                self._facts, self._rules, self._clock, tally, pace
            )
            self._tally.append(_first_rows(tally, rows))
            if cramped:
                self._make_room()
            self._ended = self._number >= NO_MORE

    def look(self) -> Looked:
        """Runs the next event, and returns what it decided, in the order of the decisions: also
        what would start later.
        """
        jobs = len(self.workload.jobs)
        looked = Looked(
            np.zeros(jobs, np.int64), np.zeros(jobs, np.int64), np.zeros(jobs), np.zeros(jobs)
        )
        while room_needed(self._clock) + 2 * self._arriving() + 4 > self._room:
            self._make_room()
        run_event(self._facts, self._rules, self._clock, looked, self.now)
        self._number += 1
        picks = int(self._clock.counts[PICKS])
        return Looked(
            looked.job[:picks], looked.option[:picks], looked.start[:picks], looked.measure[:picks]
        )

    def set_prices(self, prices: Prices) -> None:
        self._rules = _rules_of(self.policy, prices, int(self._rules.seed))

    @property
    def progress(self) -> ReplayProgress:
        arrived = int(self._clock.counts[NEXT_ARRIVAL])
        return ReplayProgress(self.now, arrived, len(self.workload.jobs))

    @property
    def waiting(self) -> IntArray:
        """The jobs that wait, by arrival."""
        return self._clock.waiting[: self._clock.counts[WAITING_COUNT]].copy()

    @property
    def underway(self) -> IntArray:
        """The jobs that run or have a promise."""
        return self._clock.underway[: self._clock.counts[UNDERWAY_COUNT]].copy()

    @property
    def left(self) -> FloatArray:
        """The joules of each window that are neither spent nor promised."""
        return self._clock.left.copy()

    def outcome(self) -> ReplayOutcome:
        """The record so far: of jobs that run, with the end that they will have."""
        clock = self._clock
        rows = self._tally or [_empty_tally(0)]
        return ReplayOutcome(
            self.workload,
            self.truth,
            self.windows,
            self.policy.name,
            clock.option.copy(),
            clock.start.copy(),
            clock.end.copy(),
            clock.estimated_end.copy(),
            clock.status == DROPPED,
            Decisions(
                np.concatenate([row.time for row in rows]),
                np.concatenate([row.waiting for row in rows]),
                np.concatenate([row.measure for row in rows]),
                np.concatenate([row.joules for row in rows]),
            ),
        )

    @property
    def _room(self) -> int:
        return int(self._clock.base.time.shape[1])

    def _make_room(self) -> None:
        room = 2 * self._room
        base, plan = with_room(self._clock.base, room), with_room(self._clock.plan, room)
        self._clock = self._clock._replace(base=base, plan=plan)

    def _arriving(self) -> int:
        known = int(self._clock.counts[NEXT_ARRIVAL])
        return int(np.searchsorted(self._facts.arrival, self.now, side="right")) - known


def replay(
    workload: Workload,
    policy: Policy,
    truth: Truth | None = None,
    settings: ReplaySettings | None = None,
    budget: Budget | None = None,
) -> ReplayOutcome:
    """What comes of a workload under a policy.

    The policy knows estimates and the jobs that have arrived; `truth` (default: as estimated) is
    what then happens. The same arguments give the same outcome, bit for bit.
    """
    truth = truth or Truth.as_estimated(len(workload.jobs))
    run = OpenReplay(workload, truth, policy, settings or ReplaySettings())
    run.run(np.inf, budget or Budget())
    return run.outcome()


def _facts_of(workload: Workload, truth: Truth, windows: EnergyWindows) -> Facts:
    jobs, options = workload.jobs, workload.options
    shortest = np.full(len(jobs), np.inf)
    np.minimum.at(shortest, options.job, options.seconds)
    return Facts(
        arrival=jobs.arrival,
        priority=jobs.priority,
        urgency=jobs.urgency,
        curve=jobs.curve,
        curves=workload.curves.table,
        first=options.first,
        pool=options.pool,
        units=options.units,
        seconds=options.seconds,
        watts=options.watts,
        state=options.state,
        shortest=shortest,
        cores=workload.pools.cores,
        edges=windows.edges,
        end=float(workload.horizon.end),
        time_share=truth.time,
        power_share=truth.power,
    )


def _rules_of(policy: Policy, prices: Prices, seed: int) -> Rules:
    steps = prices.units * prices.slot_seconds
    return Rules(
        order=int(policy.order),
        measure=int(policy.measure),
        blocked=int(policy.blocked),
        fastest_only=policy.fastest_only,
        filter=int(policy.filter),
        leniency=float(policy.leniency),
        switch=int(policy.switch),
        drop_below=float(policy.drop_below),
        seed=seed,
        price=np.hstack([np.zeros((len(steps), 1)), np.cumsum(steps, axis=1)]),
        slot_seconds=float(prices.slot_seconds),
        joule=prices.joule,
    )


def _clock_of(workload: Workload, windows: EnergyWindows) -> Clock:
    jobs, pools = len(workload.jobs), len(workload.pools)

    def whole() -> IntArray:
        return np.zeros(jobs, np.int64)

    return Clock(
        status=whole(),
        option=np.full(jobs, NOT_RUN, np.int64),
        start=np.full(jobs, np.nan),
        end=np.full(jobs, np.nan),
        estimated_end=np.full(jobs, np.nan),
        waiting=whole(),
        underway=whole(),
        tried=whole(),
        base=all_free(workload.pools.units, _FIRST_ROOM),
        plan=all_free(workload.pools.units, _FIRST_ROOM),
        budget=windows.joules,
        left=windows.joules.copy(),
        left_now=windows.joules.copy(),
        counts=np.zeros(COUNTS, np.int64),
        key=np.zeros(jobs),
        best=whole(),
        best_start=np.zeros(jobs),
        stamp=whole(),
        heap=whole(),
        line=whole(),
        changed=np.zeros(pools, np.int64),
        limits=np.full(2, np.inf),
        size_sum=np.zeros(3),
    )


def _empty_tally(rows: int) -> EventRows:
    return EventRows(
        np.zeros(rows), np.zeros(rows, np.int64), np.zeros(rows, np.int64), np.zeros(rows)
    )


def _first_rows(tally: EventRows, rows: int) -> EventRows:
    return EventRows(
        tally.time[:rows], tally.waiting[:rows], tally.measure[:rows], tally.joules[:rows]
    )
