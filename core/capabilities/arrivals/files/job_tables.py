"""The jobs of a table: their names, and their options: listed, or from times of types."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from core.capabilities.arrivals.files.workload_file import title_of_resource
from core.engines.replay.workload import Options, Pools, States
from core.files.columns import Coded, ReadColumns
from core.vocabulary.arrays import FloatArray, IntArray


class ListedTimes(NamedTuple):
    """What a type of jobs takes on one pool in one state: `seconds[k]` and `watts[k]` with
    `units[k]` units, which rise.
    """

    units: IntArray
    seconds: FloatArray
    watts: FloatArray

    def between(self, units: IntArray) -> tuple[FloatArray, FloatArray]:
        """Seconds and watts with so many units, on the straight line between the listed numbers;
        NaN outside them.
        """
        return (
            np.interp(units, self.units, self.seconds, left=np.nan, right=np.nan),
            np.interp(units, self.units, self.watts, left=np.nan, right=np.nan),
        )


def _known(rows: ReadColumns, column: str, names: Sequence[str], what: str) -> IntArray:
    """The positions of names; 0 for one that is not known, which is reported."""
    return np.maximum(rows.positions(column, names, what), 0)


def options_of_rows(
    rows: ReadColumns, jobs: Sequence[str], pools: Pools, states: tuple[str, ...] | None
) -> Options:
    """The options of a table that has a row for each, in the order of the jobs."""
    job = _known(rows, "job", jobs, "a job of the workload")
    pool = _known(rows, "pool", pools.names, "a pool of the workload")
    units, seconds, watts = rows.wholes["units"], rows.numbers["seconds"], rows.numbers["watts"]
    found = Options.of(job, pool, units, seconds, watts, states_of(rows, states), len(jobs))
    order, extra = np.argsort(job, kind="stable"), rows.numbers["extra"]
    further = amounts(rows, pools.resources)
    return replace(
        found,
        further=None if further is None else further[order],
        extra=extra[order] if extra.any() else None,
    )


def amounts(rows: ReadColumns, resources: Sequence[str]) -> FloatArray | None:
    """How much the rows of a table have, or take, of each further resource; nothing where the table
    has no column of it. None: there are no further resources.
    """
    if not resources:
        return None
    nothing = np.zeros(len(rows))
    titles = map(title_of_resource, resources)
    return np.column_stack([rows.numbers.get(title, nothing) for title in titles])


def states_of(rows: ReadColumns, states: tuple[str, ...] | None) -> States:
    """The power states of rows; without a list of them, in the order in which they appear."""
    if states is not None:
        return States(states, _known(rows, "state", states, "one of the states"))
    found: Coded = rows.texts["state"]
    return States(found.names or ("",), found.code)


def options_of_types(
    rows: ReadColumns,
    jobs: ReadColumns,
    types: Coded,
    pools: Pools,
    states: tuple[str, ...] | None,
) -> Options:
    """Options by the times of types: on each pool for which times are listed, a job takes as many
    units as have its cores. If it has none, it takes the only number that is listed.

    Numbers of units between the listed ones are interpolated; numbers outside them are reported,
    unless the pool has fewer units.
    """
    labels, state = states_of(rows, states)
    cores = jobs.wholes["cores"]
    nothing = np.zeros(0, np.int64)
    parts = [(nothing, nothing, nothing, np.zeros(0), np.zeros(0), nothing)]
    for (kind, pool, level), table in _listed(rows, types.names, pools, state).items():
        mine = np.flatnonzero(types.code == kind)
        units = -(-cores[mine] // max(int(pools.cores[pool]), 1))
        if len(table.units) == 1:
            units = np.where(cores[mine] == 0, table.units[0], units)
        seconds, watts = table.between(units)
        fits = units <= pools.units[pool]
        _report_outside(jobs, mine[np.isnan(seconds) & fits], pools, pool, table)
        kept = fits & ~np.isnan(seconds)
        same = np.ones(np.count_nonzero(kept), np.int64)
        taken = units[kept], seconds[kept], watts[kept]
        parts.append((mine[kept], pool * same, *taken, level * same))
    job, pool_of, units, seconds, watts, state_of = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    at = np.lexsort((state_of, pool_of))
    where, cost = (job[at], pool_of[at], units[at]), (seconds[at], watts[at])
    return Options.of(*where, *cost, States(labels, state_of[at]), len(jobs))


def _report_outside(
    jobs: ReadColumns, outside: IntArray, pools: Pools, pool: int, table: ListedTimes
) -> None:
    """Reports the jobs for whose number of units no time is listed."""
    wrong = np.zeros(len(jobs), bool)
    wrong[outside] = True
    cores, each = jobs.wholes["cores"], max(int(pools.cores[pool]), 1)
    jobs.report(
        wrong,
        "cores",
        lambda row: (
            f"{cores[row]:,} cores are {-(-cores[row] // each):,} units of {pools.names[pool]}, "
            f"but times of this type are listed for {table.units[0]:,} to "
            f"{table.units[-1]:,}; list more, or change the cores"
        ),
    )


def _listed(
    rows: ReadColumns, types: Sequence[str], pools: Pools, state: IntArray
) -> dict[tuple[int, int, int], ListedTimes]:
    """The listed times by type, pool and state. Types that no job has are left out."""
    kind = rows.positions("job_type", types)
    pool = _known(rows, "pool", pools.names, "a pool of the workload")
    units = rows.wholes["units"]
    order = np.lexsort((units, state, pool, kind))
    keys = np.column_stack([kind, pool, state])[order]
    same = (np.diff(keys, axis=0) == 0).all(axis=1)
    again = np.zeros(len(rows), bool)
    again[order[1:][same & (np.diff(units[order]) == 0)]] = True
    rows.report(again, "units", lambda _: "is there twice for this type and pool; keep one row")
    bounds = [0, *(np.flatnonzero(~same) + 1).tolist(), len(order)]
    found = {}
    for begin, end in pairwise(bounds):
        these = order[begin:end]
        if len(these) and keys[begin, 0] >= 0:
            one, two, three = keys[begin].tolist()
            found[one, two, three] = ListedTimes(
                units[these], rows.numbers["seconds"][these], rows.numbers["watts"][these]
            )
    return found
