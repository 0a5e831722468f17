"""The tables of a JSON document of a system, with values as text, so that a person can correct
them.

Each table has the name that problems of the document use for it, and the titles of a CSV file. A
number in quotation marks becomes a number, because tables have no quotation marks.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from core.files import limits
from core.files.numbers import StoredNumber, UnusableCell
from core.files.raw_table import RawTable, RawTables
from core.files.schema import Column, Schema
from core.files.sheet import Sheet, SheetRow
from core.files.strict_json import value_fault
from core.files.tables import YES
from core.vocabulary.kinds import OPTIONAL

_KEYS: Final = {"tasks": "task_types", "machines": "machine_types"}
_NUMBERS: Final = (int, float)
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
        table: RawTable(f"{label} [{_KEYS.get(table, table)}]", _rows(values), is_text=False)
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
                    if type(value := item.get(key)) in _NUMBERS and is_number
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
