"""Value of service in the words of files: columns of jobs, and the tables `weights` and `periods`.

Without weights, the value of the time and that of the energy of a job count alike at all hours.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from core.engines.replay.value import JobValues, ValueFunctions, ValueWeights
from core.engines.replay.workload import Horizon
from core.files.columns import ReadColumns
from core.files.findings import shown
from core.files.schema import Column, Schema
from core.vocabulary.arrays import IntArray
from core.vocabulary.calendar import HOURS_OF_DAY

_PARTS: Final = (("soft", math.nan), ("hard", math.nan), ("most", 1.0), ("least", 0.0))
OF_VALUE: Final[Schema] = (
    Column("importance", "number", 1.0, "worth"),
    Column("category", "name", ""),
    *(
        Column(f"{of}_{part}", "number", blank, "")
        for of in ("time", "energy")
        for part, blank in _PARTS
    ),
)
"""Columns of jobs. A hard threshold that is blank is never reached; a soft one is the hard one."""
VALUE_COLUMNS: Final = tuple(column.name for column in OF_VALUE)
WORTH_COLUMNS: Final = ("priority", "urgency", "curve")
"""Columns of jobs that say otherwise what a job is worth."""
WEIGHTS: Final[Schema] = (
    Column("category", "name"),
    Column("period", "name"),
    Column("time", "number"),
    Column("energy", "number"),
)
PERIODS: Final[Schema] = (
    Column("period", "name"),
    Column("begin", "whole"),
    Column("end", "whole"),
)
_SAME: Final = ValueWeights(
    ("",), ("",), np.ones((1, 1)), np.ones((1, 1)), np.zeros(HOURS_OF_DAY, np.int64)
)


def has_values(jobs: ReadColumns) -> bool:
    """Whether a table of jobs says what they are worth by value functions; if it says it otherwise,
    too, that is reported.
    """
    if jobs.there.isdisjoint(VALUE_COLUMNS):
        return False
    for name in WORTH_COLUMNS:
        if name in jobs.there:
            given = next(one for one in VALUE_COLUMNS if one in jobs.there)
            message = f"is there beside {given}, and says otherwise what jobs are worth; remove it"
            jobs.findings.error(jobs.label, "", name, message)
    return True


def values_of(jobs: ReadColumns, weights: ValueWeights) -> JobValues:
    """The value functions of jobs; a category that has no weights is reported."""
    what = "a category of weights"
    category = jobs.positions("category", weights.categories, what, blank=0)
    return JobValues(
        jobs.numbers["importance"],
        np.maximum(category, 0),
        _functions(jobs, "time"),
        _functions(jobs, "energy"),
        weights,
    )


def _functions(jobs: ReadColumns, of: str) -> ValueFunctions:
    soft, hard, most, least = (jobs.numbers[f"{of}_{part}"] for part, _ in _PARTS)
    hard = np.where(np.isnan(hard), np.inf, hard)
    return ValueFunctions(np.where(np.isnan(soft), hard, soft), hard, most, least)


def weights_of(
    weights: ReadColumns | None, periods: ReadColumns | None, horizon: Horizon
) -> ValueWeights | None:
    """What two tables say; None if there are errors, which are reported. A day with an end begins
    at midnight.
    """
    if weights is None:
        return _SAME
    categories = tuple(dict.fromkeys(weights.listed("category")))
    names = tuple(dict.fromkeys(weights.listed("period")))
    row, column = weights.positions("category", categories), weights.positions("period", names)
    pairs = row * len(names) + column
    _, first = np.unique(pairs, return_index=True)
    again = np.ones(len(pairs), bool)
    again[first] = False
    weights.report(again, "category", lambda _: "is there twice for this period; keep one row")
    tables = np.full((2, len(categories), len(names)), np.nan)
    tables[:, row, column] = weights.numbers["time"], weights.numbers["energy"]
    for one, other in np.argwhere(np.isnan(tables[0])).tolist():
        message = f"has no weights in the period '{shown(names[other])}'; add a row"
        weights.findings.error(weights.label, shown(categories[one]), "period", message)
    hours = _hours(weights, periods, names)
    if weights.findings.errors > 0:
        return None
    found = ValueWeights(categories, names, tables[0], tables[1], hours)
    return found.within(horizon)


def _hours(weights: ReadColumns, periods: ReadColumns | None, names: Sequence[str]) -> IntArray:
    """The period of each hour of the day; what is wrong is reported."""
    found = np.zeros(HOURS_OF_DAY, np.int64)
    if periods is None:
        if len(names) > 1:
            message = "have several periods, but no table periods says when they are; add it"
            weights.findings.error(weights.label, "", "period", message)
        return found
    period = periods.positions("period", names, "a period of weights")
    begin, end = periods.wholes["begin"], periods.wholes["end"]
    wrong = ~((begin >= 0) & (begin < end) & (end <= HOURS_OF_DAY))
    periods.report(
        wrong,
        "end",
        lambda row: (
            f"is {end[row]}, with a begin at {begin[row]}; give hours of the day, the begin from 0 "
            f"on, and a later end, {HOURS_OF_DAY} at most"
        ),
    )
    taken = np.full(HOURS_OF_DAY, -1)
    for row in np.flatnonzero(~wrong).tolist():
        hours = slice(int(begin[row]), int(end[row]))
        if (taken[hours] >= 0).any():
            hour = int(begin[row] + np.argmax(taken[hours] >= 0))
            other = periods.place(int(taken[hour]))
            message = f"has {hour}:00, as the period in {other} has; let them follow each other"
            periods.findings.error(periods.label, periods.place(row), "begin", message)
        taken[hours], found[hours] = row, max(int(period[row]), 0)
    if len(gap := np.flatnonzero(taken < 0)) and not wrong.any():
        message = f"leave {int(gap[0])}:00 out; give each hour of the day to a period"
        periods.findings.error(periods.label, "", "begin", message)
    return found


def value_cells(values: JobValues, part: slice) -> Iterator[tuple[object, ...]]:
    """The cells of `OF_VALUE` of some jobs, which read back equal."""
    names = values.weights.categories
    columns = [values.importance[part].tolist()]
    columns.append([names[one] for one in values.category[part].tolist()])
    for function in (values.time, values.energy):
        columns += [list(map(_cell, one[part].tolist())) for one in function]
    yield from zip(*columns, strict=True)


def _cell(value: float) -> float | None:
    """Infinity is blank."""
    return None if math.isinf(value) else value


def weight_rows(weights: ValueWeights) -> Iterator[tuple[object, ...]]:
    """The table `weights`."""
    for one, category in enumerate(weights.categories):
        for other, period in enumerate(weights.periods):
            both = (float(table[one, other]) for table in (weights.time, weights.energy))
            yield category, period, *both


def period_rows(weights: ValueWeights) -> Iterator[tuple[object, ...]]:
    """The table `periods`."""
    edges = [0, *(np.flatnonzero(np.diff(weights.period)) + 1).tolist(), HOURS_OF_DAY]
    for begin, end in pairwise(edges):
        yield weights.periods[int(weights.period[begin])], begin, end


def says_weights(weights: ValueWeights) -> bool:
    """Whether weights have to be written: they are not those that hold without tables."""
    return weights.categories != ("",)
