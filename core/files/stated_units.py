"""The unit of a table of times or powers, as its titles, its corner cell or its name say it.

A table that says nothing is in seconds or watts.
"""

from collections.abc import Iterator
from dataclasses import replace

from core.files.findings import Findings, shown
from core.files.sheet import Sheet
from core.files.tables import Matrix, read_matrix
from core.files.value_units import (
    KNOWN,
    QUANTITIES,
    StatedUnit,
    ValueTable,
    in_brackets,
    odd_unit,
    tables_said,
    unit_in,
)


def read_values(table: ValueTable, sheet: Sheet, findings: Findings) -> Matrix | None:
    """A table of times or powers in seconds or watts; None if it has no column of a machine type.
    Another unit is said, and one that is not clear is an error.
    """
    matrix = read_matrix(sheet, findings)
    if matrix is None:
        return None
    asked = sheet.lone and len(matrix.rows) > 0
    if asked and (why := _why_not_times(tables_said((*sheet.titles, matrix.corner)))):
        findings.error(matrix.label, "", "", why)
    return _in_si(matrix, table, sheet.titles, findings)


def _why_not_times(said: frozenset[ValueTable]) -> str | None:
    """Why a table that came alone is not taken for times."""
    if said == {"etc"}:
        return None
    if said == {"apc"}:
        return "holds powers, and a system needs times; give etc.csv with it, and call it apc.csv"
    return (
        "does not say whether it holds times or powers; call it etc.csv if it holds times in "
        "seconds, or write the unit into its first cell, as in 'times [min]'; give powers together "
        "with the times, as apc.csv"
    )


def _in_si(
    matrix: Matrix, table: ValueTable, titles: tuple[str, ...], findings: Findings
) -> Matrix:
    stated = {unit: text for text, unit in _stated(matrix, table, titles)}
    quantity = QUANTITIES[table]
    if (odd := odd_unit(matrix.corner)) is not None:
        message = f"'{shown(matrix.corner)}' has a unit that is not known, {odd}"
        findings.error(matrix.label, "", "", f"{message}; give {quantity} in {KNOWN[table]}")
    for unit, text in stated.items():
        if unit.table != table:
            findings.error(
                matrix.label,
                "",
                "",
                f"'{shown(text)}' says {unit.symbol}, which is no unit of {quantity}; correct it, "
                f"or use the table for {QUANTITIES[unit.table]}",
            )
    if len(stated) > 1:
        said = " and ".join(f"{unit.symbol} ('{shown(text)}')" for unit, text in stated.items())
        findings.error(matrix.label, "", "", f"says {said}; keep one unit")
        return matrix
    if not stated:
        return matrix
    unit, text = next(iter(stated.items()))
    if unit.table != table or unit.is_si:
        return matrix
    findings.warning(matrix.label, "", "", unit.said(quantity, text))
    return replace(matrix, values=unit.in_si(matrix.values))


def _stated(
    matrix: Matrix, table: ValueTable, titles: tuple[str, ...]
) -> Iterator[tuple[str, StatedUnit]]:
    """All units that are stated, with where: also the one that all machine types have in brackets,
    if it can be that of the table.
    """
    for text in (*titles, matrix.corner):
        if (unit := unit_in(text)) is not None:
            yield text, unit
    names = matrix.columns.keys
    units = {in_brackets(name) for name in names}
    common = units.pop() if len(units) == 1 else None
    if common is not None and common.table == table:
        yield names[0], common
