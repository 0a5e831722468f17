"""What may lie beside the tables of a system, for those who ask for it: settings by name, and
columns that a system does not need. Readers keep both as they are; who asks knows what they mean.

Settings named "plan" are the file `plan.toml`, the sheet `plan` of a workbook (a key and its value
in each row, groups with a point, as in `limits.power`), or the object "plan" of a JSON document.
"""

import math
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final, NamedTuple, Self

import numpy as np

from core.files import limits
from core.files.columns import stand_in
from core.files.findings import Findings, Unreadable, shown
from core.files.numbers import UnusableCell, number_fault, parse_number
from core.files.schema import Column
from core.files.sheet import Sheet
from core.files.strict_json import Odd
from core.files.text import decode
from core.vocabulary.arrays import FloatArray
from core.vocabulary.problems import Problem
from core.vocabulary.system import System

SETTINGS_SUFFIX: Final = ".toml"
_DEEPEST: Final = 4
_DIGITS: Final = 300
_WHOLE_DIGITS: Final = 19
_HEADERS: Final = frozenset({"key", "setting", "name"})

OtherCells = Mapping[str, tuple[str | None, ...]]
"""The cells of columns by their names, in the order of the types; None where a row is faulty."""


SheetNamed = Callable[[str], Sheet]
"""Reads a table that settings name."""


def _no_table(name: str) -> Sheet:
    raise Unreadable(f"has no table '{shown(name)}' beside it")


class SettingsSource(NamedTuple):
    """Where settings are. `content` reads them; None if there are none. `sheet` reads a table that
    they name. Both may raise `Unreadable`.
    """

    label: str
    content: Callable[[Findings], dict[str, object] | None]
    sheet: SheetNamed

    @classmethod
    def absent(cls, label: str) -> "SettingsSource":
        """The source of a format that has no settings."""
        return cls(label, lambda _: None, _no_table)

    @classmethod
    def of_file(
        cls, label: str, load: Callable[[], bytes] | None, sheet: SheetNamed = _no_table
    ) -> "SettingsSource":
        """The settings of a TOML file; None if there is no such file."""

        def content(findings: Findings) -> dict[str, object] | None:
            return None if load is None else settings_of_toml(decode(load(), label, findings))

        return cls(label, content, sheet)

    @classmethod
    def of_sheet(
        cls, label: str, read: Callable[[], Sheet] | None, sheet: SheetNamed = _no_table
    ) -> "SettingsSource":
        """The settings of a table of keys and values; None if there is no such table."""

        def content(findings: Findings) -> dict[str, object] | None:
            return None if read is None else settings_of_sheet(read(), findings)

        return cls(label, content, sheet)

    @classmethod
    def of_object(cls, document: dict[str, object], key: str, label: str) -> "SettingsSource":
        """The settings under a key of a document."""

        def content(_: Findings) -> dict[str, object] | None:
            found = document.get(key)
            if found is not None and not isinstance(found, dict):
                raise Unreadable(f'is not an object; give "{key}": {{...}}')
            return found

        return cls(f"{label} [{key}]", content, _no_table)


@dataclass(frozen=True, slots=True, eq=False)
class ReadParts:
    """The parts of a system, and what else its files say.

    `types` is a system of the same types with at least one machine and one task; None if anything
    is wrong with it. The columns of `tasks` and `machines` are in the order of the names.
    """

    task_names: tuple[str, ...]
    machine_names: tuple[str, ...]
    machine_counts: tuple[int, ...]
    tasks: OtherCells
    machines: OtherCells
    labels: Mapping[str, str]
    types: System | None
    settings: dict[str, object] | None
    source: SettingsSource
    missing: frozenset[str] = frozenset()
    """The tables, of tasks and of machines, that are not there."""


def settings_of_toml(text: str) -> dict[str, object]:
    """The settings in a TOML document; may raise `Unreadable`."""
    if len(text) > limits.SETTINGS_CHARACTERS:
        raise Unreadable(f"is longer than {limits.SETTINGS_CHARACTERS:,} characters; shorten it")
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"is not valid TOML: {shown(str(error), 200)}; correct it") from error
    except ValueError as error:  # more digits than Python converts
        raise Unreadable("has a number of too many digits; shorten it") from error
    except RecursionError as error:
        raise Unreadable("is nested too deeply; give keys and values in few groups") from error
    return {key: _plain(value, 1) for key, value in found.items()}


def settings_of_sheet(sheet: Sheet, findings: Findings) -> dict[str, object]:
    """The settings in a table of keys and values; several values of a row are a list."""
    found: dict[str, object] = {}
    for number, row in enumerate(sheet.rows):
        for cell in row.cells:
            if isinstance(cell, UnusableCell):
                findings.error(sheet.label, row.place, "", cell.why)
        key, *values = [cell.strip() for cell in row.cells] or [""]
        values = [value for value in values if value]
        if not key and not values:
            continue
        if not number and key.casefold() in _HEADERS:
            continue
        if number > limits.SETTINGS_ROWS:
            raise Unreadable(f"has more than {limits.SETTINGS_ROWS:,} rows; give fewer")
        *groups, last = key.casefold().replace(" ", "_").split(".")
        group: object = found
        for name in groups:
            group = group.setdefault(name, {}) if isinstance(group, dict) else None
        if not isinstance(group, dict) or last in group or len(groups) >= _DEEPEST:
            findings.error(sheet.label, row.place, shown(key), "is there twice; keep one")
            continue
        if values:
            read = [_value(cell) for cell in values]
            group[last] = read[0] if len(read) == 1 else read
    return found


def tables_named_by(sources: Iterable[SettingsSource]) -> frozenset[str]:
    """All texts of settings, in lower case: tables with these names are not taken for tables of the
    system. What is wrong with settings is reported to those who ask for them.
    """
    found: set[str] = set()
    for source in sources:
        try:
            content = source.content(Findings())
        except Unreadable:
            continue
        found |= {text.strip().casefold() for text in _texts_in(content)}
    return frozenset(found)


def _texts_in(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        for value in content.values():
            yield from _texts_in(value)


def _value(cell: str) -> object:
    if cell.isascii() and cell.isdigit() and len(cell) <= _WHOLE_DIGITS:
        return int(cell)
    number = parse_number(cell)
    return cell if number is None else number


def _plain(value: object, depth: int) -> object:
    """A value of TOML as JSON would have it; what JSON does not have is `Odd`."""
    if depth > _DEEPEST:
        raise Unreadable("is nested too deeply; give keys and values in few groups")
    if isinstance(value, dict):
        return {key: _plain(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each, depth + 1) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return Odd(str(value))
    if isinstance(value, int) and abs(value) >= 10**_DIGITS:
        return Odd("a number of many digits")
    return value if isinstance(value, str | int | float) else Odd(str(value))


@dataclass(frozen=True, slots=True, eq=False)
class Additions:
    """What is to be written beside the tables of a system: settings by their names, and columns,
    where infinity is written as a blank. `machine_counts` take the place of those of the system.
    """

    settings: Mapping[str, Mapping[str, object]]
    tasks: Mapping[str, Sequence[float]]
    machines: Mapping[str, Sequence[float]]
    machine_counts: Sequence[int]

    def and_also(self, other: "Additions") -> "Additions":
        """Both; they are beside the same system."""
        return Additions(
            {**self.settings, **other.settings},
            {**self.tasks, **other.tasks},
            {**self.machines, **other.machines},
            self.machine_counts,
        )


@dataclass(frozen=True, slots=True, eq=False)
class KeptBeside:
    """What a file has beside its system that is written with it; nothing without `additions`.
    `types` is the system with at least one machine of each type, `problems` what is not kept.
    """

    types: System | None = None
    additions: Additions | None = None
    problems: tuple[Problem, ...] = ()

    @classmethod
    def left_out(cls, what: str, *findings: Findings) -> Self:
        """Nothing is kept of, say, "the plan": a warning has the first error of the findings."""
        found = chain.from_iterable(one.problems() for one in findings)
        first = next(problem for problem in found if problem.severity == "error")
        why = f"{what} is not written, only its system, since it has errors: {first.message}"
        return cls(problems=(replace(first, message=why, severity="warning"),))


@dataclass(frozen=True, slots=True, eq=False)
class SeenBeside:
    """What a file is besides a system, for those who check it.

    `types` is the system with at least one machine of each type, and `machines` how many there are;
    `types` is None if there are errors. `problems` are all of the file. `rows` say it to people,
    `data` to programs. `without_machines` says whether there may be none.
    """

    types: System | None
    machines: int
    problems: tuple[Problem, ...]
    rows: tuple[tuple[str, str], ...] = ()
    data: Mapping[str, object] = field(default_factory=dict)
    without_machines: bool = False


def task_columns(system: System, beside: Additions | None) -> dict[str, Sequence[float]]:
    """The columns of the list of task types."""
    counts = {"count": [task.count for task in system.task_types]}
    return {**counts, **({} if beside is None else beside.tasks)}


def machine_columns(system: System, beside: Additions | None) -> dict[str, Sequence[float]]:
    """The columns of the list of machine types."""
    machines = system.machine_types
    counts = [machine.count for machine in machines]
    optional = {
        name: [math.inf if one is None else float(one) for one in known]
        for name, known in system.optional.items()
    }
    return {
        "count": counts if beside is None else beside.machine_counts,
        "idle_power": [float(machine.idle_power) for machine in machines],
        **optional,
        **({} if beside is None else beside.machines),
    }


def flat(settings: Mapping[str, object], above: str = "") -> Iterator[tuple[str, list[object]]]:
    """Settings as keys with their groups ("limits.budget") and the values of each."""
    for key, value in settings.items():
        if isinstance(value, dict):
            yield from flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value if isinstance(value, list) else [value]


@dataclass(frozen=True, slots=True)
class NumberColumns:
    """Columns of a list of types, where they are, and whether that table is there."""

    label: str
    names: Sequence[str]
    cells: OtherCells
    findings: Findings
    is_there: bool = True

    @classmethod
    def of_tasks(cls, parts: ReadParts, findings: Findings) -> Self:
        return cls._of(parts, "tasks", parts.task_names, parts.tasks, findings)

    @classmethod
    def of_machines(cls, parts: ReadParts, findings: Findings) -> Self:
        return cls._of(parts, "machines", parts.machine_names, parts.machines, findings)

    @classmethod
    def _of(
        cls,
        parts: ReadParts,
        table: str,
        names: Sequence[str],
        cells: OtherCells,
        findings: Findings,
    ) -> Self:
        return cls(parts.labels[table], names, cells, findings, table not in parts.missing)

    def numbers(self, column: Column) -> FloatArray:
        """The numbers of a column; NaN for a cell that cannot be read or is out of range. A column
        that is needed and missing is an error.
        """
        cells, usual = self.cells.get(column.name), stand_in(column)
        if cells is None:
            if column.is_needed:
                name, unit = column.name, column.unit
                place, fault = name, f"column {name} is missing; add it, in {unit}"
                if not self.is_there:
                    place, fault = "", f"is missing; add it, with a column {name} in {unit}"
                self.findings.error(self.label, "", place, fault)
            return np.full(len(self.names), usual)
        found = [self._number(column, row, cell, usual) for row, cell in enumerate(cells)]
        return np.array(found, float)

    def _number(self, column: Column, row: int, cell: str | None, usual: float) -> float:
        if cell is None:
            return math.nan  # which was reported
        number = (column.parse or parse_number)(cell)
        is_blank = number is not None and math.isnan(number)
        if number is None or (is_blank and column.blank is None):
            self.at(column.name, row, number_fault(cell, unit=column.unit))
        elif is_blank:
            return usual
        elif column.allowed and number not in column.allowed and number != usual:
            self.at(column.name, row, column.out_of_range(number))
        else:
            return number
        return math.nan

    def at(self, column: str, row: int, fault: str) -> None:
        """Report a fault of the cell in this row."""
        self.findings.error(self.label, self.names[row], column, fault)
