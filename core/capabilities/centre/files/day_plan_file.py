"""Plans of a day as files: a folder, a .zip, a workbook or a JSON document, by the suffix.

`starts` has a row for each start of jobs: their name in jobs.csv, seconds after the day began, and
how many. `awake` says how many servers of a kind are awake from a time on, until its next row.
`steps` has the fan and the compressor in each step. The settings `plan` say the step, who made the
plan and what is stated to come of it, which the judge adds up again.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from core.capabilities.centre.files.centre_file import CentreFile, CurvesOf
from core.capabilities.centre.files.centre_settings import STEP
from core.capabilities.centre.files.centre_writer import moment_written
from core.capabilities.centre.judge import STATED_FIGURES, DayVerdict, PlanPlaces, judged_plan
from core.capabilities.centre.plan import DayPlan
from core.files.archive import write_lines
from core.files.columns import ReadColumns
from core.files.disk import cannot_write, is_named_as_file, refuse_missing_folder, replacing
from core.files.findings import Findings, Reading, Unreadable, shown
from core.files.numbers import number_cell
from core.files.schema import SECONDS, Column, Schema
from core.files.strict_json import Fields
from core.files.table_set import TableSet, UnreadTables
from core.files.table_writer import WrittenTable, WrittenTables
from core.files.tables import YES
from core.vocabulary.arrays import IntArray
from core.vocabulary.ranges import MACHINE_COUNT, Range
from core.vocabulary.tolerances import SAME

PLAN_SETTINGS: Final = "plan"
_COUNT: Final = Range(1, 10**9, "jobs")
_CLOCK: Final = Column("clock", "text", "")
"""What a clock shows then. It is for people, and not read."""
PLAN_TABLES: Final[dict[str, Schema]] = {
    "starts": (
        Column("job", "name"),
        Column("start", "number", unit="seconds", symbols=SECONDS),
        Column("count", "whole", 1, allowed=_COUNT),
        _CLOCK,
    ),
    "awake": (
        Column("kind", "name"),
        Column("from", "number", unit="seconds", symbols=SECONDS),
        Column("servers", "whole", allowed=MACHINE_COUNT),
        _CLOCK,
    ),
    "steps": (
        Column("time", "number", unit="seconds", symbols=SECONDS),
        Column("fan_speed", "number", 0.0, "shares of the full speed"),
        Column("compressor", "flag", 0.0),
        _CLOCK,
    ),
}
DAY_PLAN: Final = TableSet(
    "plan of a day",
    tuple(PLAN_TABLES),
    PLAN_SETTINGS,
    "steps.csv",
    "wattfront-day-plan",
    1,
)
"""Where its tables are."""
_WHICH: Final[tuple[CurvesOf, ...]] = ("came", "forecast")
_KEYS: Final = ("method", "step", "curves", *STATED_FIGURES)


@dataclass(frozen=True, eq=False)
class DayPlanFile:
    """A plan as its file states it, for the jobs in rows of a centre (`CentreFile.day_by_rows`) in
    the steps of the plan. `figures` are stated to come of it under the curves that `came` or were
    `forecast`.
    """

    file: CentreFile
    plan: DayPlan
    method: str = ""
    curves: CurvesOf = "came"
    figures: Mapping[str, float] = field(default_factory=dict)
    places: PlanPlaces = field(default_factory=PlanPlaces)

    def judged(self) -> DayVerdict:
        """The verdict on the plan, and on what is stated of it."""
        day = self.file.day_by_rows(self.curves)
        return judged_plan(day, self.plan, None, self.figures, self.places)

    @property
    def grouped(self) -> DayPlan:
        """The plan for the jobs in groups of `file.day()`."""
        return self.file.plan_by_groups(self.plan)


def is_day_plan(path: Path) -> bool:
    """Whether what is at `path` says that it is a plan of a day, with or without faults."""
    try:
        tables = DAY_PLAN.at(path, Findings())
    except Unreadable:
        return False
    return "awake" in tables.sheets


def inspect_day_plan(path: Path, file: CentreFile) -> Reading[DayPlanFile]:
    """The plan at `path`, for a day of this centre; or all its errors."""

    def read(findings: Findings) -> DayPlanFile | None:
        return _read(DAY_PLAN.at(path, findings), file, findings)

    return Reading.of(path.name or str(path), read)


def inspect_day_plan_bytes(name: str, data: bytes, file: CentreFile) -> Reading[DayPlanFile]:
    """`inspect_day_plan` for the content of a file of this name, such as an upload."""
    return Reading.of(name, lambda found: _read(DAY_PLAN.of_bytes(name, data, found), file, found))


def _read(tables: UnreadTables, file: CentreFile, findings: Findings) -> DayPlanFile | None:
    content: dict[str, object] | None = None
    label = tables.settings.label
    with findings.refusals(label):
        content = tables.settings.content(findings)
    given = Fields(content or {}, label, findings)
    given.warn_of_unused(_KEYS)
    step = given.number("step", STEP) if given.has("step") else file.grid.step
    which = given.one_of("curves", _WHICH) if given.has("curves") else _WHICH[0]
    if not math.isnan(step) and step != file.grid.step:
        with findings.refusals(label):
            file = file.with_step(step)
    rows = {name: _table(tables, name, findings) for name in PLAN_TABLES}
    starts, awake, steps = rows.values()
    if findings.failed or starts is None or awake is None or steps is None:
        return None
    found = _ReadPlan(file, starts, awake, steps)
    plan = found.plan()
    figures = {name: given.number(name) for name in STATED_FIGURES if given.has(name)}
    return DayPlanFile(
        file,
        plan,
        given.text("method") if given.has("method") else "",
        next((one for one in _WHICH if one == which), _WHICH[0]),
        figures,
        found.places()._replace(figures=label),
    )


def _table(tables: UnreadTables, name: str, findings: Findings) -> ReadColumns | None:
    if name not in tables.sheets:
        findings.error(tables.label, "", "", f"has no table {name}; add it")
        return None
    with findings.refusals(tables.sheets[name].label):
        return tables.sheets[name].columns(lambda _: PLAN_TABLES[name], findings)
    return None


class _ReadPlan:
    """The rows of a plan, made one for the jobs in rows of a centre; what is wrong is reported."""

    def __init__(
        self, file: CentreFile, starts: ReadColumns, awake: ReadColumns, steps: ReadColumns
    ) -> None:
        self.file, self.starts, self.awake, self.steps = file, starts, awake, steps
        self.kinds = [kind.name for kind in file.centre.kinds]
        self.kind = awake.positions("kind", self.kinds, "a kind of servers of the centre")
        self.since = self._on_grid(awake, "from")

    def plan(self) -> DayPlan:
        names = self.file.rows.names
        job = self.starts.positions("job", names, "a job of the centre")
        start = self._on_grid(self.starts, "start")
        time = self.steps.numbers["time"]
        wanted = self.file.grid.step * np.arange(len(time))
        self.steps.report(
            np.abs(time - wanted) > SAME * self.file.grid.seconds,
            "time",
            lambda row: (
                f"is {number_cell(time[row])} s, but row {row + 1:,} is the step at "
                f"{number_cell(wanted[row])} s; give a row for each step of "
                f"{self.file.grid.step:g} s, in order"
            ),
        )
        return DayPlan(
            job,
            start,
            self.starts.wholes["count"],
            self._levels(len(time)),
            self.steps.numbers["fan_speed"],
            self.steps.numbers["compressor"] != 0,
        )

    def _on_grid(self, rows: ReadColumns, column: str) -> IntArray:
        """The steps at whose begin these times are; others are reported."""
        step, times = self.file.grid.step, rows.numbers[column]
        found = np.round(times / step)
        rows.report(
            np.abs(times - found * step) > SAME * self.file.grid.seconds,
            column,
            lambda row: (
                f"is {number_cell(times[row])} s, which is not when a step of {step:g} s begins; "
                f"give a multiple of {step:g} s"
            ),
        )
        return np.asarray(found, np.int64)

    def _levels(self, steps: int) -> IntArray:
        """Servers of each kind that are awake in each step."""
        rows, kinds = self.awake, len(self.kinds)
        servers = rows.wholes["servers"]
        rows.report(
            (self.since < 0) | (self.since >= steps),
            "from",
            lambda row: (
                f"is {number_cell(rows.numbers['from'][row])} s, outside the day of "
                f"{steps * self.file.grid.step:g} s; remove the row, or correct it"
            ),
        )
        order = np.lexsort((self.since, self.kind))
        again = np.zeros(len(rows), bool)
        same = (np.diff(self.kind[order]) == 0) & (np.diff(self.since[order]) == 0)
        again[order[1:][same]] = True
        rows.report(again, "from", lambda _: "is there twice for this kind; keep one row")
        first = set(self.kind[self.since == 0].tolist())
        for kind in range(kinds):
            if kind not in first:
                said = (
                    f"does not say how many of {shown(self.kinds[kind])} are awake at 0 s; add it"
                )
                rows.findings.error(rows.label, "", "from", said)
        if rows.findings.failed:
            return np.zeros((kinds, steps), np.int64)
        key = self.kind[order] * steps + self.since[order]
        row = np.searchsorted(key, np.arange(kinds * steps), side="right") - 1
        return np.asarray(servers[order[row]].reshape(kinds, steps))

    def places(self) -> PlanPlaces:
        """Where the judge's faults are in the files."""
        awake = self.awake
        order = np.lexsort((self.since, self.kind))
        kind, since, steps = self.kind[order], self.since[order], max(len(self.steps), 1)

        def awake_row(of: int, step: int) -> str:
            row = int(np.searchsorted(kind * steps + since, of * steps + step, side="right")) - 1
            return f"{awake.place(int(order[row]))} (at {step * self.file.grid.step:g} s)"

        return PlanPlaces(
            self.starts.label,
            awake.label,
            self.steps.label,
            start_row=self.starts.place,
            awake_row=awake_row,
            cooling_row=self.steps.place,
        )


def write_day_plan(planned: DayPlanFile, path: str | Path) -> None:
    """Write .zip, .xlsx or .json, by the suffix; without one of these, a new folder, or one that
    has a plan.

    Old files are replaced only when the new ones are complete. Raises `InvalidInput` if it cannot
    be written. What is written reads back equal.
    """
    path = Path(path)
    refuse_day_plan_path(path)
    suffix, written = path.suffix.casefold(), partial(_written, planned)
    if suffix == ".zip":
        with replacing(path) as stream:
            written().write_zip(stream)
    elif suffix == ".xlsx":
        with replacing(path) as stream:
            written().write_workbook(stream)
    elif suffix == ".json":
        with replacing(path) as stream:
            write_lines(stream, [json.dumps(document_of_day_plan(planned), ensure_ascii=False)])
    else:
        written().write_folder(path, DAY_PLAN.tables, "steps")


def refuse_day_plan_path(path: Path) -> None:
    """Raise `InvalidInput` if no plan can have this name, before it is computed."""
    if is_named_as_file(path) and path.suffix.casefold() not in (".zip", ".xlsx", ".json"):
        raise cannot_write(path, "name a folder, or a .zip, .xlsx or .json file")
    refuse_missing_folder(path)


def document_of_day_plan(planned: DayPlanFile) -> dict[str, object]:
    """The JSON document of a plan; it is all in memory."""
    tables = _written(planned).tables
    return {
        "format": DAY_PLAN.format,
        "version": DAY_PLAN.version,
        PLAN_SETTINGS: _settings(planned),
        **{name: [table.titles, *map(list, table.rows)] for name, table in tables.items()},
    }


def planned_file(
    file: CentreFile,
    plan: DayPlan,
    verdict: DayVerdict,
    method: str = "",
    curves: CurvesOf = "came",
) -> DayPlanFile:
    """A plan for the jobs in groups of `file.day()`, to be written with what the judge says comes
    of it.
    """
    figures = {name: float(getattr(verdict, name)) for name in STATED_FIGURES}
    return DayPlanFile(file, file.plan_by_rows(plan), method, curves, figures)


def _written(planned: DayPlanFile) -> WrittenTables:
    rows = {"starts": _starts(planned), "awake": _awake(planned), "steps": _steps(planned)}
    tables = {
        name: WrittenTable([column.name for column in PLAN_TABLES[name]], each)
        for name, each in rows.items()
    }
    return WrittenTables(tables, {PLAN_SETTINGS: _settings(planned)})


def _settings(planned: DayPlanFile) -> dict[str, object]:
    named: dict[str, object] = {"method": planned.method} if planned.method else {}
    return {
        **named,
        "step": planned.file.grid.step,
        "curves": planned.curves,
        **planned.figures,
    }


def _starts(planned: DayPlanFile) -> Iterator[Sequence[object]]:
    plan, grid, names = planned.plan, planned.file.grid, planned.file.rows.names
    order = np.lexsort((plan.group, plan.start))
    columns = (column[order].tolist() for column in (plan.group, plan.start, plan.count))
    for job, start, count in zip(*columns, strict=True):
        yield names[job], start * grid.step, count, moment_written(grid, start * grid.step)


def _awake(planned: DayPlanFile) -> Iterator[Sequence[object]]:
    grid = planned.file.grid
    for kind, levels in zip(planned.file.centre.kinds, planned.plan.awake, strict=True):
        new = np.append(True, np.diff(levels) != 0)
        for step in np.flatnonzero(new).tolist():
            seconds = step * grid.step
            yield kind.name, seconds, int(levels[step]), moment_written(grid, seconds)


def _steps(planned: DayPlanFile) -> Iterator[Sequence[object]]:
    plan, grid = planned.plan, planned.file.grid
    rows = zip(plan.speed.tolist(), plan.compressor.tolist(), strict=True)
    for step, (speed, runs) in enumerate(rows):
        seconds = step * grid.step
        yield seconds, speed, YES if runs else "", moment_written(grid, seconds)
