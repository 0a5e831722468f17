"""Curves over time of an outcome, for charts: exact, and thinned without losing extremes."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.replay.energy import EnergyWindows
from core.engines.replay.outcome import ReplayOutcome, busy_units, taken_of, units_on
from core.engines.replay.workload import PARTS
from core.vocabulary.arrays import FloatArray
from core.vocabulary.prices.day import by_hour_of_day

MOST_POINTS: Final = 2_000


@dataclass(frozen=True)
class TimeCurve:
    """`value[k]` at `time[k]` (s). With `steps`, it holds until the next point; otherwise straight
    lines join the points. Two points at one time are a jump.
    """

    time: FloatArray
    value: FloatArray
    steps: bool

    def __len__(self) -> int:
        return len(self.time)

    def thinned(self, most: int = MOST_POINTS) -> "TimeCurve":
        """At most about so many points: of each span of time the first, the last, the least and the
        greatest. A curve that has no more points is unchanged.
        """
        if len(self) <= most:
            return self
        spans = max(most // 4, 1)
        begin, end = self.time[0], self.time[-1]
        span = ((self.time - begin) * (spans / (end - begin))).astype(np.int64)
        span = np.minimum(span, spans - 1)
        order = np.lexsort((self.value, span))
        firsts = np.flatnonzero(np.diff(span, prepend=-1))
        lasts = np.append(firsts[1:], len(span)) - 1
        kept = np.unique(np.concatenate([firsts, lasts, order[firsts], order[lasts]]))
        return TimeCurve(self.time[kept], self.value[kept], self.steps)


def last_moment(outcome: ReplayOutcome) -> float:
    """Where curves end (s): when the horizon does; without an end, when the last job does."""
    end = outcome.workload.horizon.end
    return float(end if np.isfinite(end) else max(outcome.makespan, outcome.workload.horizon.begin))


def worth_curve(outcome: ReplayOutcome) -> TimeCurve:
    """Worth earned so far: a job earns evenly while it does what is kept of it, as the horizon
    divides its worth. One that ends as it starts earns at once, as a jump.
    """
    begin, pieces = outcome.workload.horizon.begin, outcome.pieces
    end = last_moment(outcome)
    first, last = np.clip(pieces.since, begin, end), np.clip(pieces.until, begin, end)
    length = pieces.of_jobs(last - first, len(outcome.ran))
    lasts = outcome.ran & (length > 0.0)
    rate = np.where(lasts, outcome.job_worth / np.where(lasts, length, 1.0), 0.0)
    jumps = outcome.ran & ~lasts & (outcome.job_worth > 0)
    moments, moment_of = np.unique(np.clip(outcome.start[jumps], begin, end), return_inverse=True)
    also = np.concatenate([[begin, end], moments])
    earn = lasts[pieces.job] & (last > first)
    time, value = _risen(first[earn], last[earn], rate[pieces.job[earn]], also)
    earned = np.cumsum(np.bincount(moment_of, outcome.job_worth[jumps], len(moments)))
    before = np.concatenate([[0.0], earned])[np.searchsorted(moments, time)]
    after = np.interp(moments, time, value) + earned
    place = np.searchsorted(time, moments, side="right")
    return TimeCurve(
        np.insert(time, place, moments), np.insert(value + before, place, after), steps=False
    )


def spent_curve(outcome: ReplayOutcome) -> TimeCurve:
    """Joules that jobs have drawn in the present window of the energy budget, from 0 at its begin;
    windows that are not limited are there, too.
    """
    watts, first, last = _draws(outcome)
    end = last_moment(outcome)
    edges = _within(outcome.windows, end)
    time, value = _risen(first, np.minimum(last, end), watts, edges)
    return _by_window(time, value, edges)


def goal_curve(outcome: ReplayOutcome) -> TimeCurve | None:
    """Joules that a constant rate would have drawn in the present window; None without a limit."""
    windows = outcome.windows
    edges = _within(windows, last_moment(outcome))
    if not np.isfinite(windows.joules[: len(edges) - 1]).all() or np.isinf(windows.edges[-1]):
        return None
    lengths = np.diff(windows.edges)[: len(edges) - 1]
    reached = windows.joules[: len(edges) - 1] * (np.diff(edges) / lengths)
    value = np.column_stack([np.zeros(len(reached)), reached]).ravel()
    return TimeCurve(np.repeat(edges, 2)[1:-1], value, steps=False)


def waiting_curve(outcome: ReplayOutcome) -> TimeCurve:
    """How many jobs have arrived, do not run, and have neither ended nor been dropped."""
    end, pieces = last_moment(outcome), outcome.pieces
    come = np.append(outcome.workload.jobs.arrival, outcome.stops)
    gone = np.append(pieces.start, outcome.end[outcome.dropped])
    come, gone = come[come <= end], gone[gone <= end]
    time = np.concatenate([come, gone, [0.0, end]])
    change = np.concatenate([np.ones(len(come)), -np.ones(len(gone)), [0.0, 0.0]])
    return _stepped(time, change)


def busy_curve(outcome: ReplayOutcome, pool: int) -> TimeCurve:
    """How many units of a pool work."""
    edges, used = busy_units(outcome, pool, 0.0, last_moment(outcome))
    value = np.append(used, used[-1:]).astype(float)  # the last one holds at the last edge, too
    return TimeCurve(edges[: len(value)], value, steps=True)


def resource_curve(outcome: ReplayOutcome, pool: int, resource: int) -> TimeCurve:
    """How much of a further resource of a pool its jobs take."""
    parts = outcome.workload.options.parts[:, resource]
    edges, used = taken_of(outcome, pool, (0.0, last_moment(outcome)), parts)
    value = np.append(used, used[-1:]) / PARTS
    return TimeCurve(edges[: len(value)], value, steps=True)


def power_curve(outcome: ReplayOutcome) -> TimeCurve:
    """Watts of all jobs, and within the horizon of machines that are on or asleep."""
    watts, first, last = _draws(outcome)
    begin, end = outcome.workload.horizon.begin, last_moment(outcome)
    times, changes = [first, np.minimum(last, end), np.array([0.0, end])], [watts, -watts]
    changes.append(np.zeros(2))
    pools = outcome.workload.pools
    for pool in np.flatnonzero((pools.idle_watts > 0) | (pools.sleep_watts > 0)).tolist():
        edges, on = units_on(outcome, pool, begin, end)
        level = on * pools.idle_watts[pool] + (pools.units[pool] - on) * pools.sleep_watts[pool]
        times.append(edges)
        changes.append(np.diff(level, prepend=0.0, append=0.0))
    return _stepped(np.concatenate(times), np.concatenate(changes))


def joules_by_hour(outcome: ReplayOutcome) -> FloatArray | None:
    """Joules that were drawn in each hour of the day, within the horizon, which begins at midnight.
    None for a horizon without an end: nobody knows at which hour its times begin.
    """
    begin, end = outcome.workload.horizon
    if not np.isfinite(end):
        return None
    curve = power_curve(outcome)
    seconds = np.maximum(curve.time - begin, 0.0)
    return by_hour_of_day(seconds, np.append(0.0, np.cumsum(curve.value[:-1] * np.diff(seconds))))


def _draws(outcome: ReplayOutcome) -> tuple[FloatArray, FloatArray, FloatArray]:
    """What each job that ran draws (W), from when to when, before the curves end."""
    job, option, start, end, *_ = outcome.pieces
    draws = (start < last_moment(outcome)) & (end > start)
    watts = outcome.workload.options.watts[option[draws]] * outcome.truth.power[job[draws]]
    return watts, start[draws], end[draws]


def _within(windows: EnergyWindows, end: float) -> FloatArray:
    """The edges of windows that begin before a time, and that time."""
    edges = windows.edges
    if end <= edges[0]:
        return np.repeat(edges[:1], 2)
    return np.append(edges[:-1][edges[:-1] < end], min(float(edges[-1]), end))


def _risen(
    first: FloatArray, last: FloatArray, rate: FloatArray, also: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """What has come together at each change, and at other times: each row adds its rate from its
    first time to its last.
    """
    time = np.unique(np.concatenate([first, last, also]))
    slope = np.zeros(len(time))
    np.add.at(slope, np.searchsorted(time, first), rate)
    np.subtract.at(slope, np.searchsorted(time, last), rate)
    gained = np.cumsum(slope)[:-1] * np.diff(time)
    return time, np.concatenate([[0.0], np.cumsum(np.maximum(gained, 0.0))])


def _by_window(time: FloatArray, value: FloatArray, edges: FloatArray) -> TimeCurve:
    """The growth since the begin of each window."""
    times, values = [], []
    for begin, end in zip(np.searchsorted(time, edges[:-1]), edges[1:], strict=True):
        part = slice(begin, np.searchsorted(time, end) + 1)
        times.append(time[part])
        values.append(value[part] - value[begin])
    return TimeCurve(np.concatenate(times), np.concatenate(values), steps=False)


def _stepped(time: FloatArray, change: FloatArray) -> TimeCurve:
    """The sum of changes, from change to change."""
    found = np.unique(time)
    level = np.zeros(len(found))
    np.add.at(level, np.searchsorted(found, time), change)
    return TimeCurve(found, np.cumsum(level), steps=True)
