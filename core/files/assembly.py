"""Makes a system of tables: matched by name, checked as a whole, with every problem in one pass."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from core.files.beside import NumberColumns, OtherCells, ReadParts, SettingsSource
from core.files.findings import Findings
from core.files.headings import TableName, column_beside
from core.files.mends import seem_swapped, swapped_by_names
from core.files.number_format import NumberMarks, report_unclear
from core.files.raw_table import RawTable, RawTables, Source, report_spare, told_by_content
from core.files.sheet import Sheet
from core.files.tables import MARKS, Listing, Matrix, Names, read_listing, read_matrix
from core.files.times_and_powers import read_values
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.kinds import MARKET, MachineType, TaskType, TypeKind
from core.vocabulary.problems import Problem
from core.vocabulary.say.words import counted
from core.vocabulary.system import System
from core.vocabulary.system_problems import find_problems

_UNKNOWN_COUNT: Final = 1

T = TypeVar("T")


class Read(NamedTuple):
    """What the files of a system hold: the system, and its tables and spare ones if these are
    small; or the parts of a system, for those who ask for settings beside it.
    """

    system: System | None
    tables: RawTables | None = None
    spare: tuple[RawTable, ...] = ()
    parts: ReadParts | None = None


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a system that were found. Without `tasks` every count of tasks is 1, without
    `machines` every count of machines, and without `estimated` no pair is an estimate.

    `task_names` and `machine_names` say where the names are declared, for the messages of problems.
    """

    etc: Matrix
    apc: Matrix | None
    tasks: Listing | None
    machines: Listing | None
    task_names: str
    machine_names: str
    estimated: Matrix | None = None


def read_sources(
    sources: Mapping[str, Source],
    etc_label: str,
    findings: Findings,
    spare: Sequence[Source] = (),
    settings: SettingsSource | None = None,
) -> Read:
    """The system of these tables ("etc", ...), or with `settings` its parts; all of them are read,
    even after an error. Without times, only the lists of types and the settings are checked.

    The names of `spare` ones say no kind of table: if their content does not say it either, they
    are reported, unless they are blank, and kept if they are small.
    """
    can_be_mended = not findings.failed
    sources, left = told_by_content(sources, spare, findings)
    if "etc" not in sources:
        findings.file_error(
            etc_label, "is missing; add the table of times in seconds, one row for each task type"
        )
    etc, apc, tasks, machines, estimated, kept = _read_tables(sources, findings)
    system = parts = tables = None
    swapped = False
    if etc is not None:
        tables = Tables(etc, apc, tasks, machines, etc.label, etc.label, estimated)
        swapped = _report_swapped(tables, findings)
        if not swapped:
            _ask_of_corner(kept, findings)
    if settings is not None and not swapped:
        parts = parts_of(tables, tasks, machines, settings, findings)
    elif settings is None and tables is not None and not swapped:
        system = assemble(tables, findings)
    others = report_spare(left, sources, findings)
    whole = can_be_mended and kept.keys() == sources.keys() and ("etc" in kept or others)
    if settings is None:
        findings.notes += _taken_for_granted(etc, sources)
    return Read(system, kept if whole else None, others, parts)


class _TablesRead(NamedTuple):
    """The tables that could be read, and those of them that are small as they were."""

    etc: Matrix | None
    apc: Matrix | None
    tasks: Listing | None
    machines: Listing | None
    estimated: Matrix | None
    kept: dict[str, RawTable]


def _read_tables(sources: Mapping[str, Source], findings: Findings) -> _TablesRead:
    """Each table, and what is not clear about the numbers of all."""
    kept: dict[str, RawTable] = {}
    marks: dict[str, NumberMarks] = {}

    def read(table: str, reader: Callable[[Sheet, Findings], T | None]) -> T | None:
        if table not in sources:
            return None
        errors_before = findings.errors
        with findings.refusals(sources[table].label):
            sheet, raw = sources[table].read(findings)
            if raw and findings.errors == errors_before:
                kept[table] = raw
            if table != "estimated":
                marks[table] = NumberMarks(sheet.label)
                sheet = replace(sheet, rows=marks[table].watched(sheet, table))
            return reader(sheet, findings)
        return None

    found = _TablesRead(
        read("etc", partial(read_values, "etc")),
        read("apc", partial(read_values, "apc")),
        read("tasks", partial(read_listing, "task type")),
        read("machines", partial(read_listing, "machine type")),
        read("estimated", partial(read_matrix, kind=MARKS)),
        kept,
    )
    report_unclear(marks, findings)
    return found


def _taken_for_granted(etc: Matrix | None, sources: Mapping[str, Source]) -> tuple[str, ...]:
    """The assumptions made because no table says otherwise, a sentence each."""
    if etc is None:
        return ()
    found: list[str] = []
    if "tasks" not in sources:
        found.append(
            "No counts of tasks were given, so there is one task of each type: "
            f"{counted(len(etc.rows), 'task')} in all."
        )
    if "machines" not in sources:
        found.append(
            "No counts of machines were given, so there is one machine of each type, which idles "
            f"at 0 W: {counted(len(etc.columns), 'machine')} in all."
        )
    return tuple(found)


def _report_swapped(tables: Tables, findings: Findings) -> bool:
    """Whether rows and columns of a matrix are swapped, judging by the names in the lists or in
    etc. That is then reported in place of every single name.
    """
    tasks, machines = tables.tasks, tables.machines
    listed = _names_of_sides(tasks.names if tasks else None, machines.names if machines else None)
    given: dict[TableName, Matrix | None] = {
        "etc": tables.etc,
        "apc": tables.apc,
        "estimated": tables.estimated,
    }
    matrices = {name: matrix for name, matrix in given.items() if matrix is not None}
    sides = {name: _names_of_sides(each.rows, each.columns) for name, each in matrices.items()}
    found = swapped_by_names(sides, listed)
    for name in found:
        message = (
            "has machine types as rows and task types as columns, as the other tables show; "
            "swap its rows and columns"
        )
        findings.file_error(matrices[name].label, message)
    return bool(found)


def _names_of_sides(
    rows: Names | None, columns: Names | None
) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(rows.keys if rows else ()), frozenset(columns.keys if columns else ())


def _ask_of_corner(kept: RawTables, findings: Findings) -> None:
    """Ask of a table whose rows and columns may be swapped, if no list of types can tell."""
    if seem_swapped(kept):
        message = (
            "seems to have machine types as rows, as the title above them says; swap its rows and "
            "columns, or let that title be task_type"
        )
        findings.file_error(kept["etc"].label, message)


def read_kept(tables: RawTables, findings: Findings) -> Read:
    """The system of tables that an earlier reading kept, perhaps with corrected cells."""
    sources = {name: Source.of(table) for name, table in tables.items()}
    return read_sources(sources, "etc", findings)


def assemble(tables: Tables, findings: Findings) -> System | None:
    """The system of the tables, or None if anything is wrong with them."""
    task_count, *_ = _counts_in_order(
        tables.tasks, tables.etc.rows, "task type", tables.task_names, findings
    )
    machines = _counts_in_order(
        tables.machines, tables.etc.columns, "machine type", tables.machine_names, findings
    )
    market = _market(tables.machines, tables.etc.columns, findings)
    return _system(tables, task_count, (*machines, *market), findings)


def _market(listing: Listing | None, names: Names, findings: Findings) -> list[list[float | None]]:
    """What is known of machines that are bought and sold, column by column (`MARKET`)."""
    cells = _others_in_order(listing, names)
    label = "" if listing is None else listing.label
    numbers = NumberColumns(label, names.keys, cells, findings)
    columns = (replace(column_beside("plan", name), blank=math.inf) for name in MARKET)
    read = (numbers.numbers(column).tolist() for column in columns)
    return [[one if math.isfinite(one) else None for one in each] for each in read]


def parts_of(
    tables: Tables | None,
    tasks: Listing | None,
    machines: Listing | None,
    settings: SettingsSource,
    findings: Findings,
) -> ReadParts:
    """What tables, or only lists, and settings say; the system is checked but for its counts."""
    if tables is None:
        etc, declared = "etc", "machines"
        rows, columns = (each.names if each else Names(()) for each in (tasks, machines))
    else:
        etc, declared = tables.etc.label, tables.machine_names
        rows, columns = tables.etc.rows, tables.etc.columns
    of_machines = _counts_in_order(machines, columns, "machine type", declared, findings)
    machine_count, *_ = of_machines
    system = None
    if tables is not None:
        task_count, *_ = _counts_in_order(tasks, rows, "task type", tables.task_names, findings)
        task_count = task_count if any(task_count) else [1] * len(task_count)
        at_least_one = [max(count, 1) for count in machine_count]
        counted = at_least_one, *of_machines[1:]
        system = _system(tables, task_count, counted, findings)
    said: dict[str, object] | None = {}
    with findings.refusals(settings.label):
        said = settings.content(findings)
    given = {"tasks": tasks, "machines": machines}
    return ReadParts(
        rows.keys,
        columns.keys,
        tuple(machine_count),
        _others_in_order(tasks, rows),
        _others_in_order(machines, columns),
        _labels(etc, tasks, machines),
        system,
        said,
        settings,
        frozenset(table for table, listing in given.items() if listing is None),
    )


def _labels(etc: str, tasks: Listing | None, machines: Listing | None) -> dict[str, str]:
    """Where tables are; those that are missing would be beside the times, under their names."""

    def expected(table: str) -> str:
        named = re.sub(r"\betc\b", table, etc)
        return table if named == etc else named

    return {
        "etc": etc,
        "tasks": tasks.label if tasks else expected("tasks"),
        "machines": machines.label if machines else expected("machines"),
    }


def _others_in_order(listing: Listing | None, names: Names) -> OtherCells:
    """The other columns of a list in the order of `names`; None for names that are not in it."""
    if listing is None:
        return {}
    position = listing.names.position
    places = [position.get(name) for name in names.keys]
    return {
        column: tuple(None if at is None else cells[at] for at in places)
        for column, cells in listing.others.items()
    }


def _system(
    tables: Tables, task_count: Sequence[int], machines: Iterable[Sequence[Any]], findings: Findings
) -> System | None:
    """The system with these counts; of machines, also with what is known of them beside."""
    etc = tables.etc
    task_types = [
        TaskType(name, count) for name, count in zip(etc.rows.keys, task_count, strict=True)
    ]
    machine_types = [
        MachineType(*columns) for columns in zip(etc.columns.keys, *machines, strict=True)
    ]
    seconds = np.where(np.isnan(etc.values) & ~etc.unread, np.inf, etc.values)
    power = unread_power = marks = None
    if tables.apc is not None:
        power, unread_power = _in_order(tables.apc, tables, findings, all_wanted=True)
    if tables.estimated is not None:
        values, _ = _in_order(tables.estimated, tables, findings, all_wanted=False)
        marks = values == 1
    found = find_problems(
        task_types,
        machine_types,
        seconds,
        power,
        marks,
        unread_etc=etc.unread,
        unread_apc=unread_power,
    )
    findings.extend(_located(found, tables))
    if findings.failed:
        return None
    return System(tuple(task_types), tuple(machine_types), seconds, power, marks)


def _counts_in_order(
    listing: Listing | None, names: Names, kind: TypeKind, declared: str, findings: Findings
) -> tuple[list[int], list[float], list[float | None]]:
    """Counts, idle powers and powers asleep in the order of `names`; a valid value where a cell is
    unreadable.
    """
    if listing is None:
        return [1] * len(names), [0.0] * len(names), [None] * len(names)
    for name in _only_in(names, listing.names):
        message = f"{kind} '{name}' of {declared} is missing here; add it with its count"
        findings.error(listing.label, name, "", message)
    for name, message in _unknown_names(listing.names, names, kind, declared):
        findings.error(listing.label, name, "", message)
    position = listing.names.position
    counts: list[int] = []
    watts: list[float] = []
    asleep: list[float | None] = []
    for name in names.keys:
        at = position.get(name)
        count = None if at is None else listing.counts[at]
        power = None if at is None else listing.idle_power[at]
        counts.append(_UNKNOWN_COUNT if count is None else count)
        watts.append(0.0 if power is None else power)
        asleep.append(None if at is None else listing.asleep_watts[at])
    return counts, watts, asleep


def _in_order(
    matrix: Matrix, tables: Tables, findings: Findings, *, all_wanted: bool
) -> tuple[FloatArray, BoolArray]:
    """The cells in the order of ETC, and which of them are unknown. A row or column that is missing
    is an error if all are wanted.
    """
    etc, label = tables.etc, matrix.label
    for name in _only_in(etc.rows, matrix.rows) if all_wanted else ():
        message = f"task type '{name}' of {tables.task_names} has no row here; add it"
        findings.error(label, name, "", message)
    for name, message in _unknown_names(matrix.rows, etc.rows, "task type", tables.task_names):
        findings.error(label, name, "", message)
    for name in _only_in(etc.columns, matrix.columns) if all_wanted else ():
        message = f"machine type '{name}' of {tables.machine_names} has no column here; add it"
        findings.error(label, "", name, message)
    for name, message in _unknown_names(
        matrix.columns, etc.columns, "machine type", tables.machine_names
    ):
        findings.error(label, "", name, message)
    values = np.full(etc.values.shape, np.nan)
    unread = np.ones(etc.values.shape, bool)
    rows, from_rows = _shared_positions(etc.rows, matrix.rows)
    columns, from_columns = _shared_positions(etc.columns, matrix.columns)
    values[np.ix_(rows, columns)] = matrix.values[np.ix_(from_rows, from_columns)]
    unread[np.ix_(rows, columns)] = matrix.unread[np.ix_(from_rows, from_columns)]
    return values, unread


def _only_in(these: Names, those: Names) -> list[str]:
    known = {*those.keys, *these.stand_ins}
    return [name for name in these.keys if name not in known]


def _unknown_names(
    given: Names, wanted: Names, kind: TypeKind, declared: str
) -> Iterator[tuple[str, str]]:
    """The names that are in no other table, each with a message."""
    strangers = _only_in(given, wanted)
    alike = {name.casefold(): name for name in wanted.keys} if strangers else {}
    for name in strangers:
        meant = alike.get(name.casefold())
        remedy = f"write it '{meant}'" if meant else "correct the name, or remove it"
        yield name, f"{kind} '{name}' is not in {declared}; {remedy}"


def _shared_positions(wanted: Names, given: Names) -> tuple[list[int], list[int]]:
    """The positions of the names that are in both."""
    position = given.position
    stand_ins = wanted.stand_ins | given.stand_ins
    pairs = [
        (i, position[name])
        for i, name in enumerate(wanted.keys)
        if name in position and name not in stand_ins
    ]
    return [i for i, _ in pairs], [j for _, j in pairs]


def _located(problems: Iterable[Problem], tables: Tables) -> Iterator[Problem]:
    """The problems with the names of files: `find_problems` knows only the names of tables."""
    labels = {
        "etc": tables.etc.label,
        "apc": tables.apc.label if tables.apc else "",
        "estimated": tables.estimated.label if tables.estimated else "",
        "tasks": tables.tasks.label if tables.tasks else tables.task_names,
        "machines": tables.machines.label if tables.machines else tables.machine_names,
    }
    declared = {"tasks": tables.task_names, "machines": tables.machine_names}
    for problem in problems:
        about_names = not problem.column and problem.file in declared
        yield replace(problem, file=(declared if about_names else labels)[problem.file])
