"""Reads a workload of any format, which its content shows; what is wrong is named by its place."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from core.capabilities.arrivals.files.job_tables import (
    amounts,
    options_of_rows,
    options_of_types,
)
from core.capabilities.arrivals.files.value_tables import has_values, values_of, weights_of
from core.capabilities.arrivals.files.workload_file import (
    LONE_JOBS,
    RIGHTS,
    TABLES,
    WORKLOAD,
    WorkloadFile,
    WorkloadSettings,
    amount_columns,
    read_workload_settings,
    resources_in,
    title_of_resource,
)
from core.engines.replay.value import JobValues, Valued, valued
from core.engines.replay.workload import (
    UNITS,
    ArrivingJobs,
    Options,
    Pools,
    StopRights,
    Truth,
    Workload,
)
from core.engines.replay.worth import ALWAYS_ONE, WorthCurves, WorthPiece
from core.files import limits
from core.files.columns import Coded, ReadColumns, row_numbers
from core.files.findings import Findings, Reading, Unreadable, shown
from core.files.numbers import number_cell
from core.files.schema import Schema
from core.files.table_set import LONE, UnreadTable, UnreadTables
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import Sense, share


def _rights(jobs: ReadColumns) -> StopRights | None:
    """Which jobs may stop others; None if nothing says so."""
    stop, stopped = (jobs.numbers[name] != 0 for name in RIGHTS[:2])
    tier = jobs.wholes[RIGHTS[2]]
    return StopRights(stop, stopped, tier) if (stop | stopped | (tier != 0)).any() else None


def inspect_workload(path: Path) -> Reading[WorkloadFile]:
    """The workload at `path`: a folder or zip archive of CSV files, a workbook, a JSON document, or
    one CSV file of jobs; or all its errors. The content never makes it raise.
    """
    return Reading.of(path.name or str(path), lambda found: _file(WORKLOAD.at(path, found), found))


def inspect_workload_bytes(name: str, data: bytes) -> Reading[WorkloadFile]:
    """`inspect_workload` for the content of a file of this name, such as an upload."""
    return Reading.of(name, lambda found: _file(WORKLOAD.of_bytes(name, data, found), found))


def workload_in_document(
    document: dict[str, object], label: str, findings: Findings
) -> WorkloadFile | None:
    """The workload in an object of a larger document; None if there are errors, which are reported
    to `findings`.
    """
    with findings.refusals(label):
        return _file(WORKLOAD.of_document(label, document), findings)
    return None


def is_workload(path: Path) -> bool:
    """Whether what is at `path` says that it is a workload, with or without faults."""
    findings = Findings()
    try:
        tables = WORKLOAD.at(path, findings)
        if LONE in tables.sheets:
            return is_lone(tables.sheets[LONE])
        if not tables.sheets.keys().isdisjoint(("pools", "options")):
            return True
        return tables.settings.content(findings) is not None
    except Unreadable:
        return False


def _file(tables: UnreadTables, findings: Findings) -> WorkloadFile | None:
    """The workload in tables; None if there are errors."""
    if LONE in tables.sheets:
        return lone_workload(tables.sheets[LONE], findings)
    return _WorkloadReader(tables, findings).file()


class _WorkloadReader:
    def __init__(self, tables: UnreadTables, findings: Findings) -> None:
        self._tables, self._findings = tables, findings
        self._labels: dict[str, str] = {}
        self._further: tuple[str, ...] = ()

    def file(self) -> WorkloadFile | None:
        settings = self._settings()
        pools = self._pools()
        jobs = self._table("jobs")
        if pools is None or jobs is None:
            return None
        names = jobs.unique_names("job")
        curves = self._curves()
        types = _types(jobs, settings.job_types)
        options = self._options(jobs, names, types, pools, settings)
        truth = self._truth(jobs, names)
        if curves is None or options is None or truth is None or self._findings.errors > 0:
            return None
        codes = jobs.positions("curve", curves.names, "a curve of the workload", blank=0)
        if self._findings.errors > 0:
            return None
        arriving = ArrivingJobs(
            jobs.numbers["arrival"],
            types.code,
            types.names,
            jobs.numbers["priority"],
            jobs.numbers["urgency"],
            codes,
            names,
            _rights(jobs),
        )
        values = None
        try:
            valued_jobs = Valued(arriving, options, curves)
            if has_values(jobs):
                values = self._values(jobs, settings)
                if values is None or self._findings.errors > 0:
                    return None
                valued_jobs = valued(arriving, options, values)
            how = (settings.horizon, settings.switching, settings.name)
            workload = Workload(pools, *valued_jobs, *how)
        except InvalidInput as refused:
            self._extend(refused)
            return None
        return WorkloadFile(workload, truth, settings.day_joules, values)

    def _values(self, jobs: ReadColumns, settings: WorkloadSettings) -> JobValues | None:
        """The value functions of jobs, with their weights; None if there are errors."""
        sheets = self._tables.sheets
        given, when = (
            self._table(name) if name in sheets else None for name in ("weights", "periods")
        )
        if self._findings.errors > 0:
            return None
        weights = weights_of(given, when, settings.horizon)
        return None if weights is None else values_of(jobs, weights)

    def _extend(self, refused: InvalidInput) -> None:
        """Reports what contradicts itself, in the words of the files."""
        labels = self._labels
        for problem in refused.problems:
            self._findings.add(replace(problem, file=labels.get(problem.file, problem.file)))

    def _settings(self) -> WorkloadSettings:
        label, content = self._tables.settings.label, None
        with self._findings.refusals(label):
            content = self._tables.settings.content(self._findings)
        return read_workload_settings(content or {}, label, self._findings)

    def _table(self, name: str) -> ReadColumns | None:
        """The columns of a table; None if it cannot be read or is missing."""
        if name not in self._tables.sheets:
            where = self._tables.label
            self._findings.error(where, "", "", f"has no table {name}; add it")
            return None
        sheet = self._tables.sheets[name]
        self._labels["options" if name == "types" else name] = sheet.label
        rows = None
        with self._findings.refusals(sheet.label):
            rows = sheet.columns(partial(self._schema, name), self._findings)
        if rows is not None and not len(rows) and not self._findings.failed:
            self._findings.error(sheet.label, "", "", "has no row; give at least one")
            return None
        return rows

    def _schema(self, name: str, titles: Sequence[str]) -> Schema:
        """The columns of a table with such titles. Pools, which are read first, say the further
        resources; others that options take are reported, and left out.
        """
        found = tuple(dict.fromkeys(resources_in(titles)))
        if name == "pools":
            self._further = found
        elif name == "options":
            for one in found:
                if one not in self._further:
                    message = "is taken, but pools have no such column; add it to pools"
                    label = self._tables.sheets[name].label
                    self._findings.error(label, "", title_of_resource(one), message)
        else:
            return TABLES[name]
        return (*TABLES[name], *amount_columns([one for one in self._further if one in found]))

    def _pools(self) -> Pools | None:
        rows = self._table("pools")
        if rows is None:
            return None
        return Pools(
            tuple(rows.listed("pool")),
            rows.wholes["units"],
            rows.wholes["cores"],
            rows.numbers["idle_watts"],
            rows.numbers["sleep_watts"],
            rows.numbers["one_machine"] != 0,
            self._further,
            amounts(rows, self._further),
        )

    def _curves(self) -> WorthCurves | None:
        if "curves" not in self._tables.sheets:
            return ALWAYS_ONE
        rows = self._table("curves")
        if rows is None or self._findings.errors > 0:
            return None
        found: dict[str, list[WorthPiece]] = {}
        columns = [rows.numbers[name].tolist() for name in ("begin", "high", "low", "decay")]
        for curve, begin, high, low, decay in zip(rows.listed("curve"), *columns, strict=True):
            piece = WorthPiece(begin, high, high if np.isnan(low) else low, decay)
            found.setdefault(curve, []).append(piece)
        try:
            return WorthCurves(tuple(map(tuple, found.values())), tuple(found))
        except InvalidInput as refused:
            self._extend(refused)
            return None

    def _options(
        self,
        jobs: ReadColumns,
        names: list[str] | None,
        types: Coded,
        pools: Pools,
        settings: WorkloadSettings,
    ) -> Options | None:
        sheets = self._tables.sheets
        if "options" in sheets and "types" in sheets:
            message = "is there beside options; remove one of the two"
            self._findings.error(sheets["types"].label, "", "", message)
            return None
        rows = self._table("types" if "types" in sheets else "options")
        if rows is None or self._findings.errors > 0:
            return None
        if "types" in sheets:
            return options_of_types(rows, jobs, types, pools, settings.states)
        return options_of_rows(rows, names or row_numbers(len(jobs)), pools, settings.states)

    def _truth(self, jobs: ReadColumns, names: list[str] | None) -> Truth | None:
        time, power = np.ones(len(jobs)), np.ones(len(jobs))
        if "truth" in self._tables.sheets:
            rows = self._table("truth")
            if rows is None or self._findings.errors > 0:
                return None
            job = rows.positions("job", names or row_numbers(len(jobs)), "a job of the workload")
            shares, powers = rows.numbers["time"], rows.numbers["power"]
            rows.report(
                ~((shares > 0) & (shares <= 1)),
                "time",
                lambda row: (
                    f"is {number_cell(shares[row])}; give a share of the estimate above 0, at "
                    "most 1"
                ),
            )
            rows.report(
                ~(powers >= 0),
                "power",
                lambda row: f"is {number_cell(powers[row])}; give at least 0",
            )
            if self._findings.errors > 0:
                return None
            time[job], power[job] = shares, powers
        return Truth(time, power)


def _types(jobs: ReadColumns, listed: tuple[str, ...] | None) -> Coded:
    """The types of jobs; without a list of them, in the order in which they appear."""
    if listed is None:
        return jobs.texts["job_type"]
    codes = jobs.positions("job_type", listed, "one of job_types")
    return Coded(listed, np.maximum(codes, 0))


_BUSY: Final = 0.8
"""The share of its time for which a pool of unknown size is assumed to be busy."""


def is_lone(table: UnreadTable) -> bool:
    """Whether a table has the columns that jobs must have; no other has both."""
    return table.has(("arrival", "seconds"))


def lone_workload(table: UnreadTable, findings: Findings) -> WorkloadFile | None:
    """The workload of a table of jobs; what was assumed becomes a note.

    A job runs on its pool, for what it requested if that is longer than its seconds. A pool has
    as many units as its widest job takes, or more, so that it is busy for 80 % of the time
    from the first arrival to the last. Raises `InvalidInput`, or `Unreadable`.
    """
    most = limits.JOB_ROWS if table.has(("job",)) else limits.NAMELESS_JOB_ROWS
    rows = table.columns(lambda _: LONE_JOBS, findings, most)
    if rows is None or findings.errors > 0:
        return None
    if not len(rows):
        findings.error(table.label, "", "", "has no job; give a row for each")
        return None
    arrival, seconds = rows.numbers["arrival"], rows.numbers["seconds"]
    units, pool = rows.wholes["units"], rows.texts["pool"]
    estimate = np.fmax(rows.numbers["requested"], seconds)
    rows.report(
        ~(seconds > 0),
        "seconds",
        lambda r: f"is {number_cell(seconds[r])}; give more than 0 s",
    )
    rows.report(units < 1, "units", lambda r: f"is {units[r]:,}; give at least 1")
    if findings.errors > 0:
        return None
    names = rows.unique_names("job")
    if findings.errors > 0:
        return None
    sizes = _sizes(pool, units, units * seconds, float(arrival.max() - arrival.min()))
    types = rows.texts["type"]
    try:
        workload = Workload(
            Pools.of(pool.names, sizes),
            ArrivingJobs(
                arrival,
                types.code,
                types.names,
                rows.numbers["worth"],
                np.zeros(len(rows)),
                np.zeros(len(rows), np.int64),
                names,
            ),
            Options.of(len(rows), pool.code, units, estimate, rows.numbers["watts"]),
            ALWAYS_ONE,
        )
    except InvalidInput as refused:
        for problem in refused.problems:
            findings.add(_located(problem, table.label, rows, numbered=names is None))
        return None
    listed = ", ".join(f"{name}: {size:,}" for name, size in zip(pool.names, sizes, strict=True))
    findings.notes.append(
        f"The file does not say how many units pools have; assumed so many that each is busy for "
        f"{share(_BUSY, Sense.TYPED)} of the time ({shown(listed, 100)})."
    )
    return WorkloadFile(workload, Truth(seconds / estimate, np.ones(len(rows))))


def _located(problem: Problem, label: str, rows: ReadColumns, *, numbered: bool) -> Problem:
    """A problem of the workload by the words and the line of its table; a job with a name is found
    by that.
    """
    column = "worth" if problem.column == "priority" else problem.column
    of_job = problem.file in ("jobs", "options") and numbered
    row = rows.place(int(problem.row) - 1) if of_job else problem.row
    return replace(problem, file=label, row=row, column=column)


def _sizes(pool: Coded, units: IntArray, work: FloatArray, span: float) -> list[int]:
    """How many units each pool is assumed to have."""
    pools = len(pool.names)
    widest = np.zeros(pools, np.int64)
    np.maximum.at(widest, pool.code, units)
    if span <= 0:
        return widest.tolist()
    busy = np.minimum(np.bincount(pool.code, work, pools) / (_BUSY * span), UNITS.high)
    return [max(int(wide), math.ceil(need)) for wide, need in zip(widest, busy, strict=True)]
