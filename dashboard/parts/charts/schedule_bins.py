"""Machine-seconds of work in equal spans of time: few numbers, however many blocks there are."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.colours import Leaders
from core.vocabulary.schedule import Schedule
from dashboard.parts.charts.timeline import Row, Timeline

MOST_CELLS: Final = 6_000
MOST_SPANS: Final = 96
UTILISATION_SPANS: Final = 60
MOST_TYPES: Final = 48


@dataclass(frozen=True, eq=False, slots=True)
class Occupancy:
    """`share[k, r, s]`: of all machines of type `machine_types[k]`, the share that runs task types
    of rank r from `edges[s]` to `edges[s + 1]` seconds, on average. The rest is idle.
    """

    machine_types: IntArray
    edges: FloatArray
    share: FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class Utilisation:
    """`busy[r, s]`: the share of row r's machine time from `edges[s]` to `edges[s + 1]` seconds
    that is spent on tasks.
    """

    rows: tuple[Row, ...]
    edges: FloatArray
    busy: FloatArray


def occupancy(
    schedule: Schedule, tasks: Leaders, *, only: Collection[int] = (), by_finish: bool = False
) -> Occupancy:
    """What each machine type runs over time, in few enough spans to keep the picture small.

    If there are more than `MOST_TYPES` machine types, it has those that finish last. If `only`
    names task types, it has only those.
    """
    kinds = _types_shown(schedule, by_finish)
    blocks, ranks = schedule.blocks(), tasks.tail + 1
    place = np.full(len(schedule.system.machine_types), -1)
    place[kinds] = np.arange(len(kinds))
    row = place[blocks.machine_type]
    shown = row >= 0
    if only:
        shown &= np.isin(blocks.task_type, list(only))
    key = row * ranks + tasks.rank[blocks.task_type]
    spans = MOST_SPANS
    while True:
        edges = np.linspace(0.0, schedule.makespan, spans + 1)
        seconds = machine_seconds(
            key[shown],
            blocks.machines[shown],
            blocks.start[shown],
            blocks.end[shown],
            edges,
            len(kinds) * ranks,
        ).reshape(len(kinds), ranks, spans)
        if np.count_nonzero(seconds) <= MOST_CELLS or spans <= MOST_SPANS // 8:
            break
        spans //= 2
    machines = schedule.system.machine_counts[kinds]
    return Occupancy(kinds, edges, seconds / (machines[:, None, None] * np.diff(edges)))


def utilisation(schedule: Schedule, shown: Timeline | None = None) -> Utilisation:
    """How busy the rows of a timeline are; without a timeline, the machine types of a schedule."""
    edges = np.linspace(0.0, schedule.makespan, UTILISATION_SPANS + 1)
    counts = schedule.system.machine_counts
    if shown is None:
        kinds = _types_shown(schedule, by_finish=False)
        rows = tuple(Row(int(kind), 1, int(counts[kind])) for kind in kinds)
        place = np.full(len(counts), -1)
        place[kinds] = np.arange(len(kinds))
        row, machines, load = place[schedule.machine_type], schedule.machines, schedule.load
        there = row >= 0
        row, machines, load = row[there], machines[there], load[there]
    else:
        rows = shown.rows
        row = np.arange(len(rows))
        machines = np.array([each.machines for each in rows], np.int64)
        load = shown.finish
    seconds = machine_seconds(row, machines, np.zeros(len(row)), load, edges, len(rows))
    capacity = np.array([each.machines for each in rows])[:, None] * np.diff(edges)
    return Utilisation(rows, edges, np.clip(seconds / capacity, 0.0, 1.0))


def machine_seconds(
    key: IntArray,
    machines: IntArray,
    start: FloatArray,
    end: FloatArray,
    edges: FloatArray,
    keys: int,
) -> FloatArray:
    """For each key and span of time, the machine-seconds of its runs from `start` to `end`.

    The computing time grows with runs plus spans, not with their product.
    """
    until = _seconds_since(key, machines, start, edges, keys)
    until -= _seconds_since(key, machines, end, edges, keys)
    # Where nothing runs, rounding leaves a little that is not work.
    noise = 1e-12 * np.abs(until).max(axis=1, keepdims=True, initial=0.0)
    seconds = np.diff(until, axis=1)
    return np.where(seconds > noise, seconds, 0.0)


def _seconds_since(
    key: IntArray, machines: IntArray, moment: FloatArray, edges: FloatArray, keys: int
) -> FloatArray:
    """Machine-seconds from each moment to each later edge."""
    spans = len(edges)
    cell = key * (spans + 1) + np.searchsorted(edges, moment)
    size = keys * (spans + 1)

    def before(weight: FloatArray) -> FloatArray:
        counted = np.bincount(cell, weights=weight, minlength=size).reshape(keys, spans + 1)
        summed: FloatArray = np.cumsum(counted, axis=1, dtype=np.float64)[:, :spans]
        return summed

    return edges * before(machines.astype(float)) - before(machines * moment)


def _types_shown(schedule: Schedule, by_finish: bool) -> IntArray:
    """The machine types that have machines; at most `MOST_TYPES`, those that finish last."""
    counts = schedule.system.machine_counts
    finish = np.zeros(len(counts))
    np.maximum.at(finish, schedule.machine_type, schedule.load)
    order = np.argsort(-finish, kind="stable")
    latest: IntArray = order[counts[order] > 0][:MOST_TYPES]
    return latest if by_finish else np.sort(latest)
