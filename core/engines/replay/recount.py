"""The arithmetic of the judge of outcomes: worth, energy and units at work, computed again.

It shares no formula with the clock, its kernels or `ReplayOutcome`. Sums are those of `math.fsum`.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.engines.replay.energy import EnergyWindows
from core.engines.replay.outcome import StatedOutcome
from core.engines.replay.workload import Workload
from core.engines.replay.worth import WorthPiece
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray


class UnitSteps(NamedTuple):
    """`busy[k]` units work from `time[k]` to `time[k + 1]` (or so many parts of a further resource
    are taken); before and after, none does.
    """

    time: FloatArray
    busy: IntArray


@dataclass(frozen=True)
class JobRuns:
    """The rows of an outcome that run an option of the workload at finite times."""

    workload: Workload
    job: IntArray
    option: IntArray
    start: FloatArray
    end: FloatArray
    seconds: FloatArray
    """How long each really takes, as the truth says."""
    watts: FloatArray
    """What each really draws."""
    excess_watts: FloatArray
    """What each draws more than was known when it was decided."""
    kept: FloatArray
    """How many of its last seconds, before what was lost, count as done."""
    lead: FloatArray
    """How long after its start each goes on."""
    ends: BoolArray
    """Whether the job ends with it; otherwise it was stopped."""
    held_until: FloatArray
    """Until when its further resources are taken."""

    @classmethod
    def of(cls, stated: StatedOutcome, rows: BoolArray) -> "JobRuns":
        options, truth = stated.workload.options, stated.truth
        job, option = stated.job[rows], stated.option[rows]
        known = options.watts[option]
        real = known * truth.power[job]
        start, end = stated.start[rows], stated.end[rows]
        parts = stated.parts
        lead = np.zeros(len(job)) if parts is None else parts.lead[rows]
        return cls(
            stated.workload,
            job,
            option,
            start,
            end,
            options.seconds[option] * truth.time[job],
            real,
            np.clip(real - known, 0.0, None),
            end - start if parts is None else parts.kept[rows],
            lead,
            ~stated.stopped[rows],
            _held_until(stated, job, start, end, ~stated.stopped[rows]),
        )

    @cached_property
    def done_before(self) -> FloatArray:
        """How many seconds of its job were kept before each run begins."""
        order = np.lexsort((self.start, self.job))
        job, kept = self.job[order], np.where(self.ends, 0.0, self.kept)[order]
        so_far, found = np.cumsum(kept) - kept, np.zeros(len(job))
        first = np.searchsorted(job, job)
        found[order] = so_far - so_far[first]
        return found

    @cached_property
    def scored(self) -> FloatArray:
        """The share of each run that is within the horizon."""
        begin, end = self.workload.horizon
        length = self.end - self.start
        outside = np.clip(begin - self.start, 0.0, None) + np.clip(self.end - end, 0.0, None)
        at_once = (self.start >= begin) & (self.start < end)
        share = 1.0 - np.divide(outside, length, out=np.where(at_once, 0.0, 1.0), where=length > 0)
        return np.asarray(np.clip(share, 0.0, 1.0))

    @cached_property
    def earns(self) -> FloatArray:
        """The share of what is kept of its job that is within the horizon, if the job ends with the
        run; otherwise 0.
        """
        begin, end = self.workload.horizon
        first = self.start + self.lead
        outside = np.clip(begin - first, 0.0, self.kept)
        outside += np.clip(first + self.kept - np.maximum(end, first), 0.0, self.kept)
        several = np.bincount(self.job, minlength=self.job.max(initial=0) + 1)[self.job] > 1
        inside = np.bincount(self.job, np.maximum(self.kept - outside, 0.0))[self.job]
        in_all = np.bincount(self.job, self.kept)[self.job]
        share = np.where(several, inside / np.where(in_all > 0.0, in_all, 1.0), self.scored)
        return np.where(self.ends, share, 0.0)

    @cached_property
    def worth(self) -> FloatArray:
        """What each run earns within the horizon."""
        jobs = self.workload.jobs
        delay, curve = self.end - jobs.arrival[self.job], jobs.curve[self.job]
        urgency = jobs.urgency[self.job]
        found = np.zeros(len(delay))
        order = np.argsort(curve, kind="stable")
        for mine in (
            np.split(order, np.flatnonzero(np.diff(curve[order])) + 1) if len(order) else ()
        ):
            pieces = self.workload.curves.pieces[int(curve[mine[0]])]
            found[mine] = share_of_priority(pieces, urgency[mine], delay[mine])
        worth = found * jobs.priority[self.job]
        if self.workload.options.extra is not None:
            worth = worth + np.where(found > 0, self.workload.options.extra[self.option], 0.0)
        return np.asarray(worth * self.earns)

    @cached_property
    def joules(self) -> FloatArray:
        """What each run draws, in all."""
        return self.watts * (self.end - self.start)

    def joules_between(self, begin: float, end: float, watts: FloatArray) -> float:
        """What all runs draw between two times."""
        touches = (self.start < end) & (self.end > begin)
        first, last = self.start[touches], self.end[touches]
        early = np.where(first < begin, begin - first, 0.0)
        late = np.where(last > end, last - end, 0.0)
        return math.fsum((watts[touches] * (last - first - early - late)).tolist())

    def steps(self, pool: int, taken: IntArray | None = None) -> UnitSteps:
        """How many units of a pool work, from change to change; or how much is taken, if that is
        given for each option.
        """
        options = self.workload.options
        mine = options.pool[self.option] == pool
        units = (options.units if taken is None else taken)[self.option[mine]]
        until = self.end if taken is None else self.held_until
        time = np.concatenate([until[mine], self.start[mine]])
        change = np.concatenate([-units, units])
        order = np.argsort(time, kind="stable")  # of one moment, ends come first
        return UnitSteps(time[order], np.cumsum(change[order]))

    @cached_property
    def idle_joules(self) -> float:
        """What machines draw beside their jobs within the horizon."""
        pools = self.workload.pools
        begin, end = self.workload.horizon
        if math.isinf(end):
            end = max(begin, float(self.end.max(initial=0.0)))
        parts = []
        for pool in range(len(pools)):
            idle, asleep = float(pools.idle_watts[pool]), float(pools.sleep_watts[pool])
            if idle == asleep == 0.0:
                continue
            awake = self._awake(pool, begin, end)
            parts += [awake * idle, (float(pools.units[pool]) * (end - begin) - awake) * asleep]
        return math.fsum(parts)

    def _awake(self, pool: int, begin: float, end: float) -> float:
        """Unit-seconds for which a pool is on between two times."""
        pools, rule = self.workload.pools, self.workload.switching
        every = int(pools.units[pool])
        if rule == "always on":
            return every * (end - begin)
        time, busy = self.steps(pool)
        if rule == "until last job":
            # Also before its first job, a unit waits for it.
            time = np.concatenate([[begin], time])
            busy = np.concatenate([[0], busy])
            busy = np.flip(np.maximum.accumulate(np.flip(busy)))
        if pools.whole[pool]:
            busy = np.where(busy > 0, every, 0)
        length = np.diff(np.clip(time, begin, end), append=np.clip(time[-1:], begin, end))
        return math.fsum((busy * length).tolist())


def _held_until(
    stated: StatedOutcome, job: IntArray, start: FloatArray, end: FloatArray, ends: BoolArray
) -> FloatArray:
    """The end of each run; or if its job then is suspended and holds what it has, when that goes on
    or is dropped, or else the last end of all.
    """
    if stated.stopping is None or not stated.stopping.holds_memory:
        return end
    gone = np.full(len(stated.workload.jobs), end.max(initial=0.0))
    dropped = stated.dropped & (stated.job >= 0) & (stated.job < len(gone))
    gone[stated.job[dropped]] = stated.end[dropped]
    order = np.lexsort((start, job))
    same = job[order[:-1]] == job[order[1:]]
    until = gone[job]
    until[order[:-1][same]] = start[order[1:][same]]
    return np.where(ends, end, np.maximum(end, until))


def share_of_priority(
    pieces: tuple[WorthPiece, ...], urgency: FloatArray, delay: FloatArray
) -> FloatArray:
    """The worth of jobs with priority 1 by their delays, piece by piece. A job that ends before it
    arrives, which is a fault of its own, is worth as much as at once.
    """
    delay = np.maximum(delay, 0.0)
    found = np.full(len(delay), np.nan)
    ends = [piece.begin for piece in pieces[1:]] + [math.inf]
    for piece, end in zip(pieces, ends, strict=True):
        within = (delay >= piece.begin) & (delay < end)
        since = delay[within] - piece.begin
        falls = piece.high - piece.low
        if piece.decay > 0:
            found[within] = piece.low + falls * np.exp(-(urgency[within] * piece.decay) * since)
        elif math.isinf(end):
            found[within] = piece.high
        else:
            found[within] = piece.high - falls * (since / (end - piece.begin))
    return found


def limited(windows: EnergyWindows) -> list[tuple[float, float, float]]:
    """Begin, end and joules of each window that has a limit."""
    edges = windows.edges.tolist()
    rows = zip(edges[:-1], edges[1:], windows.joules.tolist(), strict=True)
    return [row for row in rows if not math.isinf(row[2])]
