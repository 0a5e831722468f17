"""The clock: feeds a policy its arrivals, lets true times happen, and keeps the record."""

import math
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, get_args

import numpy as np

from core.engines.compute.records import RecordRows, zeros
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.events import NO_MORE, room_needed, run_event, run_events
from core.engines.replay.outcome import NOT_RUN, Decisions, PricesFrom, ReplayOutcome
from core.engines.replay.pieces import Pieces
from core.engines.replay.policy import Blocked, Charges, Measure, Policy, Prices
from core.engines.replay.profile import all_free, occupy_until, with_room
from core.engines.replay.standing import DROPPED
from core.engines.replay.state import (
    COUNT,
    JOB,
    OUTLOOK,
    PIECE,
    POOL,
    RUN,
    STOP,
    WAY,
    Clock,
    EventRows,
    Facts,
    Looked,
    Rules,
)
from core.engines.replay.stopping.events import offers_of, run_stopping_events
from core.engines.replay.stopping.ranks import ranks_of
from core.engines.replay.stopping.rules import FREE, Stopping, Whom
from core.engines.replay.workload import Truth, Workload, repeated
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.budget import Budget

EVERY: Final = 60.0
"""Seconds between mapping events, as published."""
_AT_ONCE: Final = 256
_FIRST_ROOM: Final = 64


class RestOfDay(NamedTuple):
    """Nothing starts before `since`. Jobs that run by then hold `units[k]` of `pool[k]`, and
    `further[k]` of its further resources (`PARTS`), until they are expected to end, at `until[k]`.
    """

    since: float
    pool: IntArray
    units: IntArray
    further: IntArray
    until: FloatArray


class Pricing(Protocol):
    """What sets the prices of a replay, and when it does so again."""

    def prices(self, run: "OpenReplay", budget: Budget) -> Prices | None:
        """The prices from the next event on, by what is known at it; None: the usual ones."""
        ...

    def again(self, run: "OpenReplay") -> float:
        """When they are set anew (s), which is after the next event."""
        ...


@dataclass(frozen=True)
class ReplaySettings:
    """What a replay needs beside a workload and a policy. Events are `every` seconds apart.

    The prices are for policies that look at them. They stay as they are, or `pricing` sets them.
    """

    windows: EnergyWindows | None = None
    every: float = EVERY
    seed: int = 0
    prices: Prices | None = None
    pricing: Pricing | None = None
    stopping: Stopping = FREE


class OpenReplay:
    """A replay that can be stopped, looked at and gone on with."""

    def __init__(
        self, workload: Workload, truth: Truth, policy: Policy, settings: ReplaySettings
    ) -> None:
        self.workload, self.truth, self.policy = workload, truth, policy
        self.windows = settings.windows or EnergyWindows.without_limit(workload.horizon)
        self.every = settings.every
        self.facts = _facts_of(workload, truth, self.windows, policy)
        self.prices = settings.prices
        self._pricing = settings.pricing if policy.by_price else None
        self._priced_until = 0.0
        self.stopping = settings.stopping
        self.charges = self._charged()
        self.rules = _rules_of(policy, self.charges, settings.seed, self.stopping)
        holding = policy.stops and self.stopping.holds_memory
        held = self.facts.further[: None if holding and workload.pools.resources else 0]
        self._clock = _clock_of(workload, self.windows, policy.stops, held)
        columns = truth.time, truth.power, *(workload.jobs.rights or ())
        equal = repeated(workload, *columns) if policy.stops else None
        self._ranks = None if equal is None else ranks_of(workload, equal)
        self._offers = offers_of(len(workload.pools))
        self._number = 0
        self._tally: list[EventRows] = []
        self._priced: list[PricesFrom] = []
        self._ended = False

    @property
    def now(self) -> float:
        """The time of the next mapping event (s)."""
        return self._number * self.every

    def run(self, until: float, budget: Budget) -> None:
        """Runs all events before a time. Raises `Cancelled` or `TooLong`."""
        until = min(until, self.facts.end)
        while not self._ended and self.now < until:
            budget.check("replaying")
            self._price(budget)
            tally = _empty_tally(_AT_ONCE)
            stop = min(until, self._priced_until)
            rows, self._number, cramped = self._go_on(tally, stop)
            self._tally.append(EventRows._make(column[:rows] for column in tally))
            if cramped and not self._note_more_pieces():
                self._make_room(2 * self._room)
            self._ended = self._number >= NO_MORE

    def _go_on(self, tally: EventRows, stop: float) -> tuple[int, int, bool]:
        """How many events were run, the number of the next, and whether it needs more room."""
        given = self.facts, self.rules, self._clock
        pace = (self._number, self.every, stop, self.policy.only_news)
        found: tuple[int, int, bool]
        if self._ranks is None:
            found = run_events(*given, _looked(0), tally, pace)
        else:
            found = run_stopping_events(*given, self._ranks, self._offers, tally, pace)
        return found

    def look(self) -> Looked:
        """Runs the next event, and returns what it decided, in the order of the decisions: also
        what would start later. Raises `ValueError` if no event is left, or for a policy that looks
        at what can start now, or stops jobs.
        """
        if self._ended:
            raise ValueError("the replay has ended: no event is left")
        if self._ranks is not None:
            raise ValueError("an event of such a policy cannot be seen from near")
        self._price(Budget())
        jobs = len(self.workload.jobs)
        looked = _looked(jobs)
        while room_needed(self.facts, self._clock, self.now) > self._room:
            self._make_room(2 * self._room)
        run_event(self.facts, self.rules, self._clock, looked, self.now)
        self._number += 1
        picks = int(self._clock.counts[0].picks)
        return Looked._make(column[:picks] for column in looked)

    def begin(self, rest: RestOfDay) -> None:
        """Lets the first event be at `rest.since` or next after it; some units are held by then."""
        self._number = math.ceil(rest.since / self.every)
        self._make_room(max(2 * len(rest.pool) + _FIRST_ROOM, self._room))
        held = rest.pool, rest.units, rest.further
        occupy_until(self._clock.base, *held, rest.since, rest.until)

    def _price(self, budget: Budget) -> None:
        """Sets the prices anew if it is time to."""
        if self._pricing is None:
            self._priced_until = np.inf
        elif self.now >= self._priced_until:
            self.prices = self._pricing.prices(self, budget)
            self._priced_until = self._pricing.again(self)
            before = self._priced[-1].prices if self._priced else None
            if self.prices is not None and self.prices != before:
                self._priced.append(PricesFrom(self.now, self.prices))
            self.charges = self._charged()
            seed = int(self.rules.seed)
            self.rules = _rules_of(self.policy, self.charges, seed, self.stopping)
            # The cached ranking was computed with the old prices.
            self._clock.outlook["floor_measure"] = -1
            self._clock.runs["shut"] = 0

    @property
    def taken_in(self) -> int:
        """How many jobs have arrived at the events so far."""
        return int(self._clock.counts[0].arrived)

    @property
    def waiting(self) -> IntArray:
        """The jobs that wait, by arrival."""
        return self._clock.waiting[: self._clock.counts[0].waiting].copy()

    @property
    def underway(self) -> IntArray:
        """The jobs that run or have a promise."""
        return self._clock.underway[: self._clock.counts[0].underway].copy()

    @property
    def left(self) -> FloatArray:
        """The joules of each window that are neither spent nor promised."""
        return self._clock.left.copy()

    def outcome(self) -> ReplayOutcome:
        """The record so far: of jobs that run, with the end that they will have."""
        runs = self._clock.runs.copy()
        rows = self._tally or [_empty_tally(0)]
        time, waiting, measure = map(np.concatenate, zip(*rows, strict=True))
        broken, stopped_for = self._pieces(runs)
        return ReplayOutcome(
            self.workload,
            self.truth,
            self.windows,
            self.policy.name,
            runs["option"],
            runs["start"],
            runs["end"],
            runs["estimated_end"],
            runs["status"] == DROPPED,
            Decisions(time, waiting, measure, tuple(self._priced), stopped_for),
            broken,
            self.stopping if self.policy.stops else None,
        )

    def _pieces(self, runs: RecordRows) -> tuple[Pieces | None, IntArray | None]:
        """The parts of the jobs that were stopped, and for which jobs; None if none was."""
        rows = self._clock.pieces[: self._clock.counts[0].pieces]
        if not len(rows):
            return None, None
        stops = self._clock.stops
        last = np.flatnonzero((stops["count"] > 0) & (runs["option"] != NOT_RUN))
        lasts, lead = runs[last], stops["lead"][last]
        kept = lasts["end"] - lasts["start"] - lead
        ends = (last, lasts["option"], lasts["start"], lasts["end"], lead, kept)
        stopped = Pieces._make(rows[name].copy() for name in Pieces._fields)
        pieces = stopped.and_those(Pieces(*ends))
        stopped_for = np.append(rows["stopped_for"], np.full(len(last), NOT_RUN))
        return pieces.at(pieces.order), stopped_for[pieces.order]

    def _charged(self) -> Charges:
        if not self.policy.by_price:
            return Charges.none()
        prices = self.prices or Prices()
        if prices.by_share:
            return Charges.by_share(self.workload, _shares(self.workload, self.policy))
        charges = Charges.of(self.workload, prices, by_resources=self.policy.by_resources)
        if self.policy.stops:
            charges.price[:] *= self.facts.ways["seconds"] / self.workload.options.seconds
        return charges

    @property
    def _room(self) -> int:
        return int(self._clock.base.time.shape[1])

    def _note_more_pieces(self) -> bool:
        """Makes room for all pieces that the next event may write down; whether it was needed."""
        counts, pieces = self._clock.counts[0], self._clock.pieces
        if self._ranks is None or counts.pieces + counts.underway <= len(pieces):
            return False
        more = zeros(PIECE, 2 * int(counts.pieces + counts.underway))
        more[: counts.pieces] = pieces[: counts.pieces]
        self._clock = self._clock._replace(pieces=more)
        return True

    def _make_room(self, room: int) -> None:
        base, plan = with_room(self._clock.base, room), with_room(self._clock.plan, room)
        self._clock = self._clock._replace(base=base, plan=plan)


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


def _facts_of(workload: Workload, truth: Truth, windows: EnergyWindows, policy: Policy) -> Facts:
    jobs, options = workload.jobs, workload.options
    shortest = np.full(len(jobs), np.inf)
    np.minimum.at(shortest, options.job, options.seconds)
    most_extra = np.zeros(len(jobs))
    if options.extra is not None:
        np.maximum.at(most_extra, options.job, options.extra)
    return Facts(
        _records(
            JOB,
            arrival=jobs.arrival,
            priority=jobs.priority,
            urgency=jobs.urgency,
            curve=jobs.curve,
            first=options.first[:-1],
            last=options.first[1:],
            shortest=shortest,
            most_extra=most_extra,
            time_share=truth.time,
            power_share=truth.power,
        ),
        _records(
            WAY,
            pool=options.pool,
            units=options.units,
            seconds=options.seconds,
            watts=options.watts,
            state=options.state,
            extra=options.added,
        ),
        _shares(workload, policy) if policy.measure is Measure.PER_SHARE else np.zeros(0),
        options.parts,
        workload.curves.table,
        workload.pools.cores,
        windows.edges,
        float(workload.horizon.end),
    )


def _shares(workload: Workload, policy: Policy) -> FloatArray:
    """The sum of the shares that each option takes of its pool, weighed."""
    options, pools, weights = workload.options, workload.pools, policy.weights
    units = options.units / pools.units[options.pool]
    there, taken = pools.parts[options.pool], options.parts
    if not taken.shape[1]:
        return weights[0] * units
    further = np.divide(taken, there, out=np.zeros(taken.shape), where=there > 0)
    return np.asarray(weights[0] * units + weights[1] * further.sum(axis=1))


def _records(kind: np.dtype[np.void], **columns: FloatArray | IntArray | BoolArray) -> RecordRows:
    """Records with these columns, which are all that they have."""
    found = zeros(kind, len(next(iter(columns.values()))))
    for name, values in columns.items():
        found[name] = values
    return found


def _rules_of(policy: Policy, charges: Charges, seed: int, stopping: Stopping) -> Rules:
    return Rules(
        order=int(policy.order),
        measure=int(policy.measure),
        holds=policy.blocked == Blocked.HOLD,
        promises=policy.blocked in (Blocked.RESERVE, Blocked.RESERVE_FIRST),
        only_first=policy.blocked == Blocked.RESERVE_FIRST,
        fastest_only=policy.fastest_only,
        filter=int(policy.filter),
        leniency=float(policy.leniency),
        switch=int(policy.switch),
        drop_below=float(policy.drop_below),
        drops=policy.drops,
        seed=seed,
        sequences=policy.sequences,
        price=charges.price,
        size=charges.size,
        least_size=charges.least_size,
        least_rate=charges.least_rate,
        technique=int(policy.technique),
        checkpoints=float(stopping.checkpoints),
        stop_seconds=float(stopping.stop_seconds),
        resume_seconds=float(stopping.resume_seconds),
        least_run=float(stopping.least_run),
        most_stops=NO_MORE if stopping.most_stops is None else stopping.most_stops,
        whom=get_args(Whom).index(stopping.whom),
    )


def _clock_of(
    workload: Workload, windows: EnergyWindows, stops_jobs: bool, held: IntArray
) -> Clock:
    jobs = len(workload.jobs)
    runs = zeros(RUN, jobs)
    runs["option"] = NOT_RUN
    for moment in ("start", "end", "estimated_end"):
        runs[moment] = np.nan
    stops = zeros(STOP, jobs if stops_jobs else 0)
    if stops_jobs and workload.jobs.rights is not None:
        for name, values in workload.jobs.rights._asdict().items():
            stops[name] = values
    outlook = zeros(OUTLOOK, len(workload.options.pool))
    outlook["floor_age"] = -1

    def whole(rows: int = jobs) -> IntArray:
        return np.zeros(rows, np.int64)

    return Clock(
        runs=runs,
        stops=stops,
        outlook=outlook,
        pools=zeros(POOL, len(workload.pools)),
        counts=zeros(COUNT, 1),
        waiting=whole(),
        underway=whole(),
        base=all_free(workload.pools.units, workload.pools.parts, _FIRST_ROOM),
        plan=all_free(workload.pools.units, workload.pools.parts, _FIRST_ROOM),
        budget=windows.joules,
        left=windows.joules.copy(),
        left_now=windows.joules.copy(),
        key=np.zeros(jobs),
        tilt=np.ones(jobs),
        best=whole(),
        fronts=whole(len(outlook)),
        heap=whole(),
        line=whole(),
        limits=np.full(2, np.inf),
        size_sum=np.zeros(3),
        pieces=zeros(PIECE, 0),
        halted=whole(len(stops)),
        held=np.zeros_like(held),
    )


def _looked(jobs: int) -> Looked:
    """Room for so many decisions of one event; 0: nobody looks."""
    return Looked(
        np.zeros(jobs, np.int64), np.zeros(jobs, np.int64), np.zeros(jobs), np.zeros(jobs)
    )


def _empty_tally(rows: int) -> EventRows:
    return EventRows(np.zeros(rows), np.zeros(rows, np.int64), np.zeros(rows, np.int64))
