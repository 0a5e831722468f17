"""A system as one JSON document.

```
{"format": "wattfront-system", "version": 1,
 "task_types": [{"name": "T1", "count": 5}],
 "machine_types": [{"name": "M1", "count": 2, "idle_power": 40.0}],
 "etc": [[12.5]], "apc": [[80.0]], "estimated": [[true]]}
```

The rows of `etc` (seconds) and `apc` (watts) are in the order of the task types, the values of a
row in the order of the machine types; null where the pair cannot run. `apc` may be null or absent.
`estimated` has true where a pair is an estimate; it is absent if none is.

A study file (`core.shells.studies`) has such a document under "system", and can be read as a
system. What is wrong in a document can be corrected in tables: each has the name that problems use
for it, and the titles of a CSV file. A number in quotation marks becomes a number there.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import NoneType
from typing import Final, NamedTuple

import numpy as np

from core.files import limits
from core.files.assembly import Read, Tables, assemble, parts_of
from core.files.beside import Additions, SettingsSource, machine_columns, task_columns
from core.files.findings import Findings, Unreadable, shown
from core.files.headings import LIST_OF, LISTS, SETTINGS, beside
from core.files.numbers import StoredNumber, UnusableCell
from core.files.raw_table import RawTable, RawTables
from core.files.schema import Column, Schema
from core.files.sheet import Sheet, SheetRow
from core.files.strict_json import as_float, check_format, parse_json, value_fault
from core.files.tables import COUNTED_BY, YES, Listing, Matrix, Names, parse_mark, read_listing
from core.vocabulary.arrays import FloatArray
from core.vocabulary.kinds import OPTIONAL, TypeKind
from core.vocabulary.system import System

_LISTED: Final = {"tasks": "task_types", "machines": "machine_types"}
_NUMBER_KINDS: Final = (int, float)
_HALF_CHARACTER: Final = "has half of a surrogate pair; write the character itself"


def tables_of_document(document: dict[str, object], label: str) -> RawTables | None:
    """The tables of a parsed document; None if its form is wrong or they are not small."""
    tasks, machines = _types(document.get("task_types")), _types(document.get("machine_types"))
    if tasks is None or machines is None:
        return None
    if (len(tasks) + 1) * (len(machines) + 3) > limits.KEPT_CELLS:
        return None
    names = [task.get("name") for task in tasks]
    header: list[object] = ["task_type", *(machine.get("name") for machine in machines)]
    tables: dict[str, list[list[object]]] = {}
    for table in ("etc", "apc", "estimated"):
        rows = document.get(table)
        if table != "etc" and rows is None:
            continue
        if (matrix := _matrix(rows, len(tasks), len(machines))) is None:
            return None
        if table == "estimated":
            matrix = [[_in_words(value) for value in row] for row in matrix]
        tables[table] = [header, *([name, *row] for name, row in zip(names, matrix, strict=True))]
    counts = [[task.get("name"), task.get("count")] for task in tasks]
    tables["tasks"] = [["task_type", "count"], *counts]
    usual: dict[str, object] = {"idle_power": 0.0}
    usual |= {name: None for name in OPTIONAL if any(name in machine for machine in machines)}
    watts = [
        [m.get("name"), m.get("count"), *(m.get(key, usual[key]) for key in usual)]
        for m in machines
    ]
    tables["machines"] = [["machine_type", "count", *usual], *watts]
    return {
        table: RawTable(f"{label} [{_LISTED.get(table, table)}]", _rows(values), is_text=False)
        for table, values in tables.items()
    }


def _types(items: object) -> list[dict[str, object]] | None:
    """The task or machine types, if all are objects."""
    if not isinstance(items, list):
        return None
    found = [item for item in items if isinstance(item, dict)]
    return found if len(found) == len(items) else None


def _matrix(rows: object, height: int, width: int) -> list[list[object]] | None:
    """The rows of a table of pairs, if their number and length are those of the types."""
    if not isinstance(rows, list) or len(rows) != height:
        return None
    found = [row for row in rows if isinstance(row, list) and len(row) == width]
    return found if len(found) == height else None


def _in_words(mark: object) -> object:
    """A mark as tables have it."""
    if isinstance(mark, bool):
        return YES if mark else ""
    return mark


def _rows(values: list[list[object]]) -> tuple[SheetRow, ...]:
    return tuple(
        SheetRow(i, [cell_of(value) for value in row], unit="row") for i, row in enumerate(values)
    )


def cell_of(value: object) -> str:
    """A value of a document as the cell of a table."""
    if isinstance(value, str):
        halves = not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value)
        return UnusableCell(_HALF_CHARACTER) if halves else value
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return UnusableCell(value_fault(value))
    return StoredNumber(repr(value))


def sheet_of_objects(
    label: str,
    items: Sequence[object],
    schema: Schema,
    unit: str,
    *,
    named: str = "",
    others: Schema = (),
) -> Sheet:
    """A list of objects as a table that is not read yet; `unit` is what messages call a row. Their
    keys are the names of columns, but `named` for the first. The numbers of `others` may be texts.
    """
    keys = [named or schema[0].name, *(column.name for column in schema[1:])]
    columns = [(key, each, each.is_number) for key, each in zip(keys, schema, strict=True)]

    def rows() -> Iterator[SheetRow]:
        yield SheetRow(0, [column.name for column in (*schema, *others)], unit=unit)
        for number, item in enumerate(items, start=1):
            if isinstance(item, dict):
                cells = [
                    StoredNumber(repr(value))
                    if type(value := item.get(key)) in _NUMBER_KINDS and is_number
                    else _cell(value, column)
                    for key, column, is_number in columns
                ]
                cells += [cell_of(item.get(each.name)) for each in others]
            else:
                why = f'is missing: it is not an object; give {{"{keys[0]}": ...}}'
                cells = [UnusableCell(why)] * (len(schema) + len(others))
            yield SheetRow(number, cells, isinstance(item, dict), unit)

    return Sheet(label, rows(), is_text=False)


def _cell(value: object, column: Column) -> str:
    """A value as the cell of this column; a text is no number, and a number is no text."""
    if value is None and column.blank is not None:
        return ""
    if not isinstance(value, str) or not column.is_text:
        missing = "is missing or not text; give it in quotation marks"
        return UnusableCell(missing if column.is_text else value_fault(value))
    if column.kind == "name" and value.strip() != value:
        return UnusableCell("begins or ends with white space; remove it")
    return cell_of(value)


FORMAT: Final = "wattfront-system"
VERSION: Final = 1
STUDY_FORMAT: Final = "wattfront-study"
STUDY_VERSION: Final = 1
WHAT_IFS_FORMAT: Final = "wattfront-what-ifs"
_KEYS: Final = (
    *("format", "version", "task_types", "machine_types", "etc", "apc", "estimated"),
    *SETTINGS,
)


def read_document(text: str, label: str, findings: Findings, settings: str = "") -> Read:
    """The system of a JSON document, which may be a study file. With `settings`, its parts, and the
    settings under that key.
    """
    document = parse_json(text, label, findings)
    if document.get("format") == STUDY_FORMAT:
        return Read(system_of_study(document, label, findings))
    if document.get("format") == WHAT_IFS_FORMAT:
        raise Unreadable("holds what-ifs, not one system; open it on the page “What if”")
    if settings:
        return _parts_of(document, label, findings, settings)
    can_be_mended = not findings.failed
    system = system_of(document, label, findings)
    if system is None and can_be_mended:
        return Read(None, tables_of_document(document, label))
    return Read(system)


def system_of_study(document: dict[str, object], label: str, findings: Findings) -> System | None:
    """The system of a parsed study file; may raise `Unreadable`."""
    check_format(document, STUDY_FORMAT, STUDY_VERSION)
    system = document.get("system")
    if not isinstance(system, dict):
        raise Unreadable('has no system; give "system": {"format": "wattfront-system", ...}')
    return system_of(system, f"{label} [system]", findings)


def system_of(document: dict[str, object], label: str, findings: Findings) -> System | None:
    """The system of a parsed document; may raise `Unreadable`."""
    lists = _lists(document, label, findings)
    tables = None if lists is None else _tables(document, label, lists, findings)
    return None if tables is None else assemble(tables, findings)


def _parts_of(document: dict[str, object], label: str, findings: Findings, settings: str) -> Read:
    """The parts of the system of a parsed document."""
    source = SettingsSource.of_object(document, settings, label)
    lists = _lists(document, label, findings)
    if lists is None:
        return Read(None)
    tables = _tables(document, label, lists, findings)
    return Read(None, parts=parts_of(tables, *lists, source, findings))


def _lists(
    document: dict[str, object], label: str, findings: Findings
) -> tuple[Listing, Listing] | None:
    """The task types and the machine types."""
    check_format(document, FORMAT, VERSION)
    findings.unused([key for key in document if key not in _KEYS], label)
    tasks = _read_types(document.get("task_types"), label, "task type", findings)
    machines = _read_types(document.get("machine_types"), label, "machine type", findings)
    return None if tasks is None or machines is None else (tasks, machines)


def _tables(
    document: dict[str, object], label: str, lists: tuple[Listing, Listing], findings: Findings
) -> Tables | None:
    tasks, machines = lists
    if len(tasks.names) * len(machines.names) > limits.CELLS:
        raise Unreadable(f"is too large: at most {limits.CELLS:,} pairs can be read")
    names = tasks.names, machines.names
    etc = _read_matrix(document.get("etc"), f"{label} [etc]", *names, _NUMBERS, findings)
    apc = marks = None
    if document.get("apc") is not None:
        apc = _read_matrix(document["apc"], f"{label} [apc]", *names, _NUMBERS, findings)
    if document.get("estimated") is not None:
        place = f"{label} [estimated]"
        marks = _read_matrix(document["estimated"], place, *names, _MARKS, findings)
    if etc is None:
        return None
    return Tables(etc, apc, tasks, machines, tasks.label, machines.label, marks)


def document_lines(system: System, beside: Additions | None = None) -> Iterator[str]:
    """The JSON document of a system, and of what is beside it, line by line."""
    yield f'{{\n "format": "{FORMAT}",\n "version": {VERSION},\n "task_types": '
    yield from _json_list(_types_as_data(system.task_names, task_columns(system, beside)))
    yield ',\n "machine_types": '
    yield from _json_list(_types_as_data(system.machine_names, machine_columns(system, beside)))
    yield ',\n "etc": '
    yield from _json_list(map(_nullable, system.etc))
    yield ',\n "apc": '
    yield from ["null"] if system.apc is None else _json_list(map(_nullable, system.apc))
    if system.estimated is not None:
        yield ',\n "estimated": '
        yield from _json_list(row.tolist() for row in system.estimated)
    if beside is not None:
        for name, settings in beside.settings.items():
            yield f',\n "{name}": {json.dumps(settings, ensure_ascii=False, allow_nan=False)}'
    yield "\n}\n"


def _types_as_data(
    names: Sequence[str], columns: Mapping[str, Sequence[float]]
) -> Iterator[dict[str, object]]:
    """The types with their numbers, without those that are infinite."""
    for name, *numbers in zip(names, *columns.values(), strict=True):
        known = zip(columns, numbers, strict=True)
        yield {"name": name} | {key: number for key, number in known if math.isfinite(number)}


def _json_list(items: Iterable[object]) -> Iterator[str]:
    yield "["
    for i, item in enumerate(items):
        yield ",\n  " if i else "\n  "
        yield json.dumps(item, ensure_ascii=False, allow_nan=False)
    yield "\n ]"


def _nullable(row: FloatArray) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in row.tolist()]


def _read_types(items: object, label: str, kind: TypeKind, findings: Findings) -> Listing | None:
    """The list of task or machine types."""
    key = f"{kind.replace(' ', '_')}s"
    label = f"{label} [{key}]"
    if not isinstance(items, list):
        findings.file_error(label, f'is not a list; give "{key}": [{{"name": ..., "count": ...}}]')
        return None
    keys = dict.fromkeys(key for item in items if isinstance(item, dict) for key in item)
    schema, others = LISTS[LIST_OF[kind]], beside(LIST_OF[kind])
    known = ["name", *(column.name for column in (*schema[1:], *others))]
    findings.unused([key for key in keys if key not in known], label)
    if COUNTED_BY in keys and "count" not in keys:
        schema = [column for column in schema if column.name != "count"]
    schema = [column for column in schema if column.name != "asleep_watts" or column.name in keys]
    usual = {"idle_power": 0.0} if kind == "machine type" else {}
    rows = [{**usual, **item} if isinstance(item, dict) else item for item in items]
    there = [column for column in others if column.name in keys]
    sheet = sheet_of_objects(label, rows, schema, kind, named="name", others=there)
    return read_listing(kind, sheet, findings)


class _ValueKind(NamedTuple):
    """How the values of a row are read: as in `core.files.tables.CellKind`; and what null means."""

    parse: Callable[[Sequence[object]], tuple[FloatArray, list[int]]]
    fault: Callable[[object], str]
    noun: str
    null_where: str


def _read_matrix(
    rows: object, label: str, tasks: Names, machines: Names, kind: _ValueKind, findings: Findings
) -> Matrix | None:
    """The rows of a table of pairs."""
    if not isinstance(rows, list):
        fault = f"is not a list; give one list of {kind.noun}s for each task type"
        findings.file_error(label, fault)
        return None
    if len(rows) != len(tasks):
        findings.file_error(
            label,
            f"has {len(rows):,} rows, but there are {len(tasks):,} task types; give one row each",
        )
    values = np.full((len(tasks), len(machines)), np.nan)
    unread = np.ones(values.shape, bool)
    for i, row in enumerate(rows[: len(tasks)]):
        place = tasks.keys[i]
        if not isinstance(row, list):
            fault = f"is not a list; give one {kind.noun} for each machine type"
            findings.error(label, place, "", fault)
        elif len(row) != len(machines):
            findings.error(
                label,
                place,
                "",
                f"has {len(row):,} values, but there are {len(machines):,} machine types; give one "
                f"value each, null where the pair {kind.null_where}",
            )
        else:
            values[i], bad = kind.parse(row)
            unread[i] = False
            unread[i, bad] = True
            for j in findings.listed(bad):
                findings.error(label, place, machines.keys[j], kind.fault(row[j]))
    return Matrix(label, tasks, machines, values, unread)


def _numbers(row: Sequence[object]) -> tuple[FloatArray, list[int]]:
    """The numbers of a row, NaN for null; and the positions of cells that are not numbers."""
    if set(map(type, row)) <= {float, int, NoneType}:
        values = np.array(row, np.float64)
    else:
        numbers = [math.nan if value is None else as_float(value) for value in row]
        values = np.array([math.inf if number is None else number for number in numbers])
    bad = np.flatnonzero(np.isinf(values))
    values[bad] = math.nan
    return values, bad.tolist()


def _number_fault(value: object) -> str:
    return f"{value_fault(value)}; if the pair cannot run, give null"


def _marks(row: Sequence[object]) -> tuple[FloatArray, list[int]]:
    """1 for true, 0 for false and null; and the positions of cells that are none of these."""
    if set(map(type, row)) <= {bool, NoneType}:
        return np.array([value is True for value in row], np.float64), []
    values = np.array([_mark(value) for value in row], np.float64)  # None becomes NaN
    return values, np.flatnonzero(np.isnan(values)).tolist()


def _mark(value: object) -> float | None:
    if value is None:
        return 0.0
    # Other programs write 1 and 0, or words.
    return parse_mark(str(value)) if isinstance(value, str | int | float) else None


def _mark_fault(value: object) -> str:
    said = f"'{shown(str(value))}'" if isinstance(value, str | int | float) else "the value"
    return f"{said} is neither true nor false; give true if the pair is an estimate"


_NUMBERS: Final = _ValueKind(_numbers, _number_fault, "number", "cannot run")
_MARKS: Final = _ValueKind(_marks, _mark_fault, "mark", "is no estimate")
