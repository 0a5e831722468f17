"""Reads a centre: a folder, a .zip of it, or a document; what is wrong is named by its place."""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from core.capabilities.centre.centre import Centre, ServerKind
from core.capabilities.centre.files.centre_file import CentreFile, CentreJobs, DayGrid
from core.capabilities.centre.files.centre_settings import (
    SETTINGS,
    CentreSettings,
    moment_of,
    read_centre_settings,
)
from core.capabilities.centre.files.job_log import jobs_of_log
from core.capabilities.centre.files.signal_files import FOLDER, on_grid, read_signals
from core.engines.signals.source import written
from core.engines.signals.zones import EPOCH
from core.files.columns import ReadColumns
from core.files.findings import Findings, Reading, Unreadable, shown, shown_list
from core.files.numbers import number_cell, parse_number
from core.files.schema import SECONDS, Column, Schema
from core.files.table_file import read_plain_columns
from core.files.table_set import TableSet, UnreadTables
from core.vocabulary.arrays import IntArray
from core.vocabulary.ranges import MACHINE_COUNT, POWER, Range
from core.vocabulary.say.words import DAY

CENTRE_FORMAT: Final = "wattfront-centre"
CENTRE_VERSION: Final = 1
JOB_SECONDS: Final = Range(1e-3, 1e8, "s")
WHEN: Final = Range(-1e9, 1e9, "s")
JOBS_A_ROW: Final = Range(1, 10**9, "jobs")

SERVERS: Final[Schema] = (
    Column("kind", "name"),
    Column("count", "whole", allowed=MACHINE_COUNT, called="servers, number"),
    *(
        Column(name, "number", unit="watts", allowed=POWER, symbols="w")
        for name in ("busy_watts", "idle_watts", "asleep_watts")
    ),
    Column("start_seconds", "number", 0.0, "seconds", allowed=Range(0, DAY, "s"), symbols=SECONDS),
    Column("start_joules", "number", math.nan, "joules", allowed=Range(0, 1e12, "J"), symbols="j"),
)
JOBS: Final[Schema] = (
    Column("job", "name", ""),
    Column("kind", "name", ""),
    Column("servers", "whole", 1, allowed=Range(1, MACHINE_COUNT.high, "servers")),
    Column("seconds", "number", unit="seconds", allowed=JOB_SECONDS, symbols=SECONDS),
    Column("release", "number", 0.0, "seconds", allowed=WHEN, symbols=SECONDS),
    Column("due", "number", math.nan, "seconds", allowed=WHEN, symbols=SECONDS),
    Column("count", "whole", 1, allowed=JOBS_A_ROW),
)
LOG_STEM: Final = "jobs."
_ANY_STEPS: Final = 10**12
"""The steps of a day whose length is not known: then no job is too long."""


def _is_log(name: str) -> bool:
    """Whether a file stands in place of jobs.csv, by its name."""
    plain = name.casefold()
    return plain.startswith(LOG_STEM) and not plain.endswith(".csv")


CENTRE: Final = TableSet(
    "centre",
    ("servers", "jobs"),
    SETTINGS,
    f"{SETTINGS}.toml",
    CENTRE_FORMAT,
    CENTRE_VERSION,
    others=FOLDER,
    is_other=_is_log,
)
"""Where its tables are."""


def inspect_centre(path: Path) -> Reading[CentreFile]:
    """The centre at `path`: a folder, a .zip of it, or a JSON document; or all its errors. The
    content never makes it raise.
    """
    return Reading.of(path.name or str(path), lambda found: _file(CENTRE.at(path, found), found))


def inspect_centre_bytes(name: str, data: bytes) -> Reading[CentreFile]:
    """`inspect_centre` for the content of a file of this name, such as an upload."""
    return Reading.of(name, lambda found: _file(CENTRE.of_bytes(name, data, found), found))


def centre_in_document(
    document: dict[str, object], label: str, findings: Findings
) -> CentreFile | None:
    """The centre in an object of a larger document; None if there are errors, which are reported
    to `findings`.
    """
    with findings.refusals(label):
        return _file(CENTRE.of_document(label, document), findings)
    return None


def is_centre(path: Path) -> bool:
    """Whether what is at `path` says that it is a centre, with or without faults."""
    try:
        CENTRE.at(path, Findings())
    except Unreadable:
        return False
    return True


def _file(tables: UnreadTables, findings: Findings) -> CentreFile | None:
    """The centre in tables; None if there are errors."""
    label = tables.settings.label
    content: dict[str, object] | None = None
    with findings.refusals(label):
        content = tables.settings.content(findings)
    if findings.failed:
        return None
    settings = read_centre_settings(content or {}, label, findings)
    is_sound = not findings.failed
    kinds = _kinds(tables, findings)
    read = read_signals(tables.others, settings, label, findings)
    begins = settings.begins
    if begins is None:
        begins = read.begins or 0.0
        if read.begins is not None:
            findings.notes.append("The day begins when its curves do, since [grid] says no begin.")
    grid = settings.grid(begins)
    signals = on_grid(read, grid, settings, findings) if is_sound else read.signals
    whole = grid if is_sound else replace(grid, steps=_ANY_STEPS)
    jobs = _jobs(tables, kinds, whole, findings)
    if "jobs" not in tables.sheets and kinds is not None and is_sound:
        jobs = _jobs_of_log(tables, settings, kinds, grid, findings)
    if findings.failed or kinds is None or jobs is None:
        return None
    centre = _centre(settings, kinds, label, findings)
    if centre is None:
        return None
    file = CentreFile(
        centre,
        grid,
        jobs,
        signals,
        settings.feed_in,
        settings.peak_price,
        settings.currency,
        settings.moved,
    )
    _check_room(file, label, findings)
    return file


def _kinds(tables: UnreadTables, findings: Findings) -> tuple[ServerKind, ...] | None:
    """The kinds of servers; None if there are errors."""
    if "servers" not in tables.sheets:
        findings.error(tables.label, "", "", "has no table servers; add it")
        return None
    rows, before = None, findings.errors
    with findings.refusals(tables.sheets["servers"].label):
        rows = tables.sheets["servers"].columns(lambda _: SERVERS, findings)
    if rows is None:
        return None
    if not len(rows):
        findings.error(rows.label, "", "", "has no row; give one for each kind of servers")
        return None
    rows.unique_names("kind")
    busy, idle, asleep = (rows.numbers[f"{name}_watts"] for name in ("busy", "idle", "asleep"))
    rows.report(rows.wholes["count"] < 1, "count", lambda _: "is 0; remove the row, or give 1")
    rows.report(
        idle > busy,
        "idle_watts",
        lambda row: f"is {idle[row]:g}, above busy_watts, {busy[row]:g}; correct one of them",
    )
    rows.report(
        asleep > idle,
        "asleep_watts",
        lambda row: f"is {asleep[row]:g}, above idle_watts, {idle[row]:g}; correct one of them",
    )
    seconds, joules = rows.numbers["start_seconds"], rows.numbers["start_joules"]
    rows.report(
        (joules > 0) & (seconds == 0),
        "start_joules",
        lambda _: "are drawn while a server starts, for 0 s; give start_seconds, too",
    )
    if findings.errors > before:
        return None
    assumed = np.isnan(joules)
    if (assumed & (seconds > 0)).any():
        findings.notes.append(
            f"{rows.label}: a server that starts draws as much as a busy one, since start_joules "
            "does not say it"
        )
    joules = np.where(assumed, busy * seconds, joules)
    columns = rows.wholes["count"], busy, idle, asleep, seconds, joules
    each = zip(rows.listed("kind"), *(column.tolist() for column in columns), strict=True)
    return tuple(ServerKind(*row) for row in each)


class _DayClock(NamedTuple):
    """Reads times of a day: seconds since its begin, or what a clock shows."""

    grid: DayGrid

    def seconds(self, cell: str) -> float | None:
        """Seconds since the day began; NaN for a blank, None for no time."""
        if ":" not in cell:
            return parse_number(cell)
        text, grid = cell.strip(), self.grid
        if len(text) > len("0:00:00") or "-" in text:
            moment = moment_of(written(text), grid.zone)
            return None if moment is None else moment - grid.begins
        local = (EPOCH + timedelta(seconds=grid.begins)).astimezone(ZoneInfo(grid.zone))
        for day in range(2):
            date = (local + timedelta(days=day)).date()
            moment = moment_of(written(f"{date}T{text:0>5}"), grid.zone)
            if moment is not None and moment >= grid.begins:
                return moment - grid.begins
        return None


_NO_TIME: Final = (
    "is no time; give seconds from the begin of the day on, or a time as 14:00 or 2026-08-01T14:00"
)


def _job_rows(tables: UnreadTables, grid: DayGrid, findings: Findings) -> ReadColumns | None:
    """The rows of jobs; None if they cannot be read."""
    table, clock = tables.sheets["jobs"], _DayClock(grid)
    if table.data is not None:
        plain = read_plain_columns(table.label, table.data(), JOBS, findings)
        if plain is not None:
            return plain
    schema = tuple(
        replace(column, parse=clock.seconds, otherwise=_NO_TIME)
        if column.name in ("release", "due")
        else column
        for column in JOBS
    )
    return table.columns(lambda _: schema, findings)


def _jobs(
    tables: UnreadTables,
    kinds: Sequence[ServerKind] | None,
    grid: DayGrid,
    findings: Findings,
) -> CentreJobs | None:
    """The jobs; None if there are errors."""
    if "jobs" not in tables.sheets:
        return None
    if logs := [name for name in tables.others if _is_log(name)]:
        said = f"is not read, since {tables.sheets['jobs'].label} is there; remove one of the two"
        findings.file_warning(logs[0], said)
    rows = None
    with findings.refusals(tables.sheets["jobs"].label):
        rows = _job_rows(tables, grid, findings)
    if rows is None or kinds is None:
        return None
    if not len(rows):
        findings.error(rows.label, "", "", "has no job; give a row for each")
        return None
    before = findings.errors
    names = rows.unique_names("job")
    kind = _kinds_of_jobs(rows, kinds)
    jobs = CentreJobs(
        kind,
        rows.wholes["servers"],
        rows.numbers["seconds"],
        rows.numbers["release"],
        rows.numbers["due"],
        rows.wholes["count"],
        tuple(names or ()),
    )
    _check_jobs(rows, jobs, kinds, grid)
    return None if findings.errors > before else jobs


def _jobs_of_log(
    tables: UnreadTables,
    settings: CentreSettings,
    kinds: Sequence[ServerKind],
    grid: DayGrid,
    findings: Findings,
) -> CentreJobs | None:
    """The jobs of the log that stands in place of jobs.csv; None if there are errors."""
    logs = [name for name in tables.others if _is_log(name)]
    if len(logs) != 1:
        there = f"has several logs ({shown_list(logs)}); keep one" if logs else _NO_JOBS
        findings.error(tables.label, "", "", there)
        return None
    with findings.refusals(logs[0]):
        data = tables.others[logs[0]]()
        return jobs_of_log(logs[0], data, settings.log, kinds, grid, findings)
    return None


_NO_JOBS: Final = "has no table jobs; add it, or a log as jobs.swf"


def _kinds_of_jobs(rows: ReadColumns, kinds: Sequence[ServerKind]) -> IntArray:
    """The kind of servers of each job; a blank is the only kind, if there is one."""
    names = [kind.name for kind in kinds]
    blank = 0 if len(kinds) == 1 else len(kinds)
    found = rows.positions("kind", names, "a kind in servers.csv", blank=blank)
    unsaid = found == len(kinds)
    rows.report(
        unsaid,
        "kind",
        lambda _: f"is blank, but there are {len(kinds):,} kinds of servers; give one",
    )
    return np.where(unsaid, -1, found)


def _check_jobs(
    rows: ReadColumns, jobs: CentreJobs, kinds: Sequence[ServerKind], grid: DayGrid
) -> None:
    there = np.array([kind.count for kind in kinds])
    known = np.maximum(jobs.kind, 0)
    rows.report(
        (jobs.kind >= 0) & (jobs.servers > there[known]),
        "servers",
        lambda row: (
            f"is {jobs.servers[row]:,}, but there are only {there[known[row]]:,} of kind "
            f"{shown(kinds[known[row]].name)}; give fewer, or another kind"
        ),
    )
    rows.report(
        jobs.release < 0,
        "release",
        lambda row: (
            f"is {number_cell(-jobs.release[row])} s before the day begins; give 0 for what may "
            "start at once"
        ),
    )
    rows.report(
        (jobs.release >= 0) & jobs.unfit(grid),
        "seconds",
        lambda row: (
            f"is {number_cell(jobs.seconds[row])}, so a job that may start at "
            f"{number_cell(jobs.release[row])} s cannot end within the day, which has "
            f"{grid.steps:,} whole steps of {grid.step:g} s; release it earlier, or give a longer "
            "day"
        ),
    )
    soon = jobs.due < jobs.release + jobs.seconds
    for row in np.flatnonzero(soon).tolist()[:_WARNED]:
        by = jobs.release[row] + jobs.seconds[row] - jobs.due[row]
        rows.findings.warning(
            rows.label,
            rows.place(row),
            "due",
            f"is {number_cell(jobs.due[row])} s, {by:g} s before the job can end; it is late "
            "whatever is done, so give a later date unless that is meant",
        )
    if (more := int(np.count_nonzero(soon)) - _WARNED) > 0:
        said = f"so are {more:,} more due dates"
        rows.findings.warning(rows.label, "", "due", f"{said}; correct them, too, or go on")


_WARNED: Final = 5


def _centre(
    settings: CentreSettings, kinds: tuple[ServerKind, ...], label: str, findings: Findings
) -> Centre | None:
    """The centre, whose room bears the step; None if not, which is reported."""
    try:
        centre = Centre(
            kinds,
            settings.cooling,
            settings.room,
            settings.limit,
            settings.first,
            settings.coolest,
            settings.name,
        )
        centre.heat(settings.step)
    except ValueError as refused:
        findings.error(label, "", "room", str(refused))
        return None
    return centre


def _check_room(file: CentreFile, label: str, findings: Findings) -> None:
    """Whether the room can be held below its limit at all: with all servers asleep, and as much
    cooling as there is in each step.
    """
    day = file.day()
    law, now = file.centre.heat(day.step), file.centre.first
    asleep = float(file.centre.counts @ file.centre.asleep)
    for step, outside in enumerate(day.curves.outside.tolist()):
        colder = max(now - outside, 0.0) if law.by_difference else 1.0
        now = law.kept * now + law.outside * outside + law.per_watt * asleep
        now = min(now, max(now - max(law.fan * colder, law.compressor), file.centre.coolest))
        if now > file.centre.limit:
            above = now - file.centre.limit
            missing = f"{above:.3g} K"
            if law.per_watt:
                missing = f"{above / law.per_watt / 1000:.3g} kW of cooling"
            findings.error(
                label,
                "",
                "cooling",
                f"cannot hold {file.centre.limit:g} °C from step {step + 1:,} on "
                f"({step * day.step:g} s), even if all servers sleep: {missing} are missing; give "
                "more cooling, or a higher limit",
            )
            return
