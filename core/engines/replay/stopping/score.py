"""What stopping jobs for others comes to: stops, lost work, and how long each kind of job waits."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from core.engines.replay.curves import last_moment
from core.engines.replay.outcome import NOT_RUN, ReplayOutcome
from core.engines.replay.pieces import Pieces
from core.engines.replay.stopping.rules import Stopping
from core.engines.replay.workload import ArrivingJobs, Workload
from core.engines.replay.worth import curves_at
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.tolerances import INSTANT


class UrgentWaits(NamedTuple):
    """The wait of so many urgent `jobs` until they first start (s): the mean, and what 95 % of them
    do not exceed (None: no one starts). One that never starts waits until it was dropped, or else
    until the end; so many `never` do. The median of them `can` wait so long (s) and end with half
    of its worth; infinite: for ever.
    """

    jobs: int
    never: int
    mean: float | None
    p95: float | None
    can: float


class StopScore(NamedTuple):
    """How often jobs were stopped; the core-seconds of work that was lost, and their share of all
    work that was done; the waits of urgent jobs (None: no job is urgent); and the mean time of the
    other jobs from arrival to end (s; None: no other job ended).
    """

    stops: int
    lost_core_seconds: float
    lost_share: float
    urgent: UrgentWaits | None
    other_flow: float | None

    @classmethod
    def of(cls, outcome: ReplayOutcome) -> "StopScore":
        """The figures of an outcome."""
        jobs, pieces = outcome.workload.jobs, outcome.pieces
        lost, cores = 0.0, outcome.workload.option_cores
        if outcome.broken is not None and outcome.stopping is not None:
            stopped = outcome.broken.at(~outcome.lasts)
            lost = float(_lost(stopped, outcome.stopping, cores).sum())
        in_all = lost + float((pieces.kept * cores[pieces.option]).sum())
        urgent = urgent_jobs(jobs)
        flow = (outcome.end - jobs.arrival)[outcome.ran & ~urgent]
        return cls(
            len(outcome.stops),
            lost,
            lost / in_all if in_all > 0 else 0.0,
            _urgent_waits(outcome, urgent) if urgent.any() else None,
            float(flow.mean()) if len(flow) else None,
        )


class Stops(NamedTuple):
    """Row r: at `time[r]` (s), job `job[r]` was stopped `after[r]` seconds, for another one
    (`NOT_RUN`: the record does not say which), and lost `lost[r]` core-seconds. At its expected end
    it would have been worth `worth[r]`, and the other one `gain[r]` at its own.
    """

    time: FloatArray
    job: IntArray
    stopped_for: IntArray
    after: FloatArray
    lost: FloatArray
    worth: FloatArray
    gain: FloatArray

    @classmethod
    def of(cls, outcome: ReplayOutcome) -> "Stops":
        """The stops of an outcome, in the order of time."""
        broken, stopping = outcome.broken, outcome.stopping
        if broken is None or stopping is None:
            none, nothing = np.zeros(0, np.int64), np.zeros(0)
            return cls(nothing, none, none, nothing, nothing, nothing, nothing)
        rows = np.flatnonzero(~outcome.lasts)
        rows = rows[np.argsort(broken.end[rows], kind="stable")]
        parts, others = broken.at(rows), outcome.decisions.stopped_for
        time = parts.end - stopping.stop_seconds
        stopped_for = np.full(len(rows), NOT_RUN) if others is None else others[rows]
        return cls(
            time,
            parts.job,
            stopped_for,
            time - parts.start,
            _lost(parts, stopping, outcome.workload.option_cores),
            *_expected_worths(
                outcome, stopping, (parts.job, parts.start), (stopped_for, parts.end)
            ),
        )


def _lost(stopped: Pieces, stopping: Stopping, cores: IntArray) -> FloatArray:
    """The core-seconds that each of these parts lost when it was stopped."""
    done = stopped.end - stopping.stop_seconds - stopped.since
    return np.asarray((done - stopped.kept) * cores[stopped.option])


def _expected_worths(
    outcome: ReplayOutcome, stopping: Stopping, *wanted: tuple[IntArray, FloatArray]
) -> Iterator[FloatArray]:
    """What each wanted job would be worth at the end that is expected of its part that begins then;
    0 for no job.
    """
    pieces, workload, jobs = outcome.pieces, outcome.workload, outcome.workload.jobs
    so_far = np.cumsum(pieces.kept) - pieces.kept
    before = so_far - so_far[np.searchsorted(pieces.job, pieces.job)]
    remains = np.maximum(workload.options.seconds[pieces.option] - before, 0.0)
    remains += np.where(before > 0.0, stopping.resume_seconds, 0.0)
    delay = pieces.start + remains - jobs.arrival[pieces.job]
    worth = workload.worth_of(pieces.job, pieces.option, delay)
    # Complex numbers are in order by their real parts, and then by their imaginary ones.
    places = pieces.job + 1j * pieces.start
    for job, start in wanted:
        at = np.searchsorted(places, job + 1j * (start - INSTANT))
        yield np.where(job == NOT_RUN, 0.0, worth[np.minimum(at, len(worth) - 1)])


def _urgent_waits(outcome: ReplayOutcome, urgent: BoolArray) -> UrgentWaits:
    waits = waits_of(outcome)[urgent]
    starts = np.isin(np.flatnonzero(urgent), outcome.pieces.job)
    return UrgentWaits(
        len(waits),
        int(np.count_nonzero(~starts)),
        float(waits.mean()) if starts.any() else None,
        float(np.quantile(waits, 0.95)) if starts.any() else None,
        float(np.median(waits_allowed(outcome.workload, urgent))),
    )


def urgent_jobs(jobs: ArrivingJobs) -> BoolArray:
    """The jobs of the highest tier that may stop others; if all are of one tier, those that are
    worth the most.
    """
    if jobs.rights is None:
        return np.zeros(len(jobs), bool)
    stop, _, tier = jobs.rights
    rank = tier if len(np.unique(tier)) > 1 else jobs.priority
    return np.asarray(stop & (rank == rank[stop].max(initial=0)))


def waits_of(outcome: ReplayOutcome) -> FloatArray:
    """How long each job waited until it first started (s)."""
    jobs = outcome.workload.jobs
    gone = np.where(outcome.dropped, outcome.end, np.maximum(last_moment(outcome), jobs.arrival))
    first = np.full(len(jobs), np.inf)
    np.minimum.at(first, outcome.pieces.job, outcome.pieces.start)
    return np.asarray(np.where(np.isfinite(first), first, gone) - jobs.arrival)


_LONGEST: Final = 2.0**40
_HALVINGS: Final = 60


def waits_allowed(workload: Workload, which: BoolArray) -> FloatArray:
    """How long each of these jobs can wait for its fastest option, and still end with half of its
    first worth (s; infinite: for ever; 0: not at all).
    """
    jobs, options = workload.jobs, workload.options
    least = np.minimum.reduceat(options.seconds, options.first[:-1])[which]
    curve, urgency = jobs.curve[which], jobs.urgency[which]

    def worth(delay: FloatArray) -> FloatArray:
        return curves_at(workload.curves, curve, urgency, delay)

    half = worth(np.zeros(len(least))) / 2
    low, high = np.zeros(len(least)), np.full(len(least), _LONGEST)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        enough = worth(least + middle) >= half
        low, high = np.where(enough, middle, low), np.where(enough, high, middle)
    return np.where(worth(least + _LONGEST) >= half, np.inf, low)
