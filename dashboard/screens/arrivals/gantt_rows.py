"""The rows of a Gantt chart of one pool: each is one unit of it, and shows all of its jobs."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.replay.curves import last_moment
from core.engines.replay.layout import laid_out
from core.engines.replay.outcome import ReplayOutcome
from core.vocabulary.arrays import IntArray
from dashboard.parts.charts.bars import Bars

MOST_ROWS: Final = 40
MOST_BARS: Final = 1_500


@dataclass(frozen=True, eq=False, slots=True)
class PoolRows:
    """The units that have a row, from the top down, numbered from 0; and their bars, whose task
    type is the type of the job. `job[b]` is the first job of a bar.
    """

    pool: int
    units: IntArray
    bars: Bars
    job: IntArray


def pool_rows(outcome: ReplayOutcome, pool: int) -> PoolRows:
    """The rows of a pool; of a large one, units that are evenly far from each other; short bars of
    a row that follow each other become one.
    """
    spans = laid_out(outcome, pool)
    there = int(outcome.workload.pools.units[pool])
    units = np.unique(np.linspace(0, there - 1, min(there, MOST_ROWS)).astype(np.int64))
    of_row: list[IntArray] = []
    of_span: list[IntArray] = []
    for row, unit in enumerate(units.tolist()):
        on = np.flatnonzero((spans.first <= unit) & (unit <= spans.last))
        on = on[np.argsort(spans.start[on], kind="stable")]
        of_row.append(np.full(len(on), row))
        of_span.append(on)
    in_row, at = np.concatenate(of_row), np.concatenate(of_span)
    job = spans.job[at]
    bars = Bars(
        in_row,
        outcome.workload.jobs.type[job],
        np.ones(len(at), np.int64),
        spans.start[at],
        spans.end[at],
    )
    if len(bars) > MOST_BARS:
        bars = _fewer(bars, last_moment(outcome))
        place = {
            (r, start): j
            for r, start, j in zip(
                in_row.tolist(), spans.start[at].tolist(), job.tolist(), strict=True
            )
        }
        keys = zip(bars.row.tolist(), bars.start.tolist(), strict=True)
        job = np.array([place[key] for key in keys], np.int64)
    return PoolRows(pool, units, bars, job)


def _fewer(bars: Bars, length: float) -> Bars:
    """Short bars become one, as few of them as are needed for `MOST_BARS`. `length` is that of the
    axis (s).
    """
    short, found = length / 1_000, bars
    while len(found) > MOST_BARS:
        found, short = bars.merged(shorter_than=short), 1.5 * short
    return found
