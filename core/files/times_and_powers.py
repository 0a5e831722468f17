"""Reads tables of times and of powers, in any unit that they state, into seconds and watts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from core.files.findings import Findings, shown
from core.files.headings import TASK_TYPE, what_else
from core.files.sheet import Sheet
from core.files.stated_units import (
    KNOWN,
    POWERS_FOR_ENERGIES,
    QUANTITIES,
    StatedUnit,
    ValueTable,
    in_brackets,
    odd_corner,
    odd_ending,
    odd_unit,
    says_energy,
    tables_said,
    unit_in,
    unsure_unit,
)
from core.files.tables import Matrix, TableSide, read_matrix
from core.vocabulary.arrays import FloatArray

_SUMS: Final = frozenset(
    {"total", "totals", "sum", "average", "mean", "avg", "summe", "gesamt", "mittelwert"}
)
"""What people call the row of sums below a table."""
_ROUNDED: Final = 0.005
"""Relative: people round what they sum up."""


def read_values(table: ValueTable, sheet: Sheet, findings: Findings) -> Matrix | None:
    """A table of times or powers in seconds or watts; None if it has no column of a machine type.
    Another unit is said, and one that is not clear is an error.
    """
    matrix = read_matrix(sheet, findings)
    if matrix is None:
        return None
    asked = sheet.lone and len(matrix.rows) > 0
    said = tables_said((*sheet.titles, matrix.corner))
    said |= {unit.table for unit in map(in_brackets, matrix.headings) if unit is not None}
    energy = any(map(says_energy, (*sheet.titles, matrix.corner)))
    if asked and not energy and (why := _why_not_times(said)):
        findings.file_error(matrix.label, why)
    _report_others(matrix, findings)
    return _in_si(matrix, table, sheet.titles, findings)


def _report_others(matrix: Matrix, findings: Findings) -> None:
    """Report rows and columns that are no types, by their names; and the last of each if it is the
    sum or the mean of those before it.
    """
    down = TableSide(matrix.label, "task type", "row")
    across = TableSide(matrix.label, "machine type", "column")
    for side, names, values in (
        (down, matrix.rows.keys, matrix.values),
        (across, matrix.columns.keys, matrix.values.T),
    ):
        found = [
            (name, what) for name in names if (what := what_else(name, side.kind, matrix.corner))
        ]
        if word := _sum_or_mean(names, values):
            found.append((names[-1], f"the {word} of the {side.side}s before it"))
        for name, what in found:
            seems = f"seems to hold {what}, and is no {side.kind}"
            side.error(name, f"{seems}; remove the {side.side}, or rename it", findings)


def _sum_or_mean(names: Sequence[str], values: FloatArray) -> str:
    """Whether the last is the sum or the mean of those before it; else blank."""
    if len(names) <= 2 or names[-1].casefold().rstrip(":") not in _SUMS:
        return ""
    above, found = values[:-1], values[-1]
    known = np.isfinite(found)
    total = np.nansum(above, axis=0)
    mean = total / np.maximum(np.isfinite(above).sum(axis=0), 1)
    for of_all, word in ((total, "sum"), (mean, "mean")):
        if known.any() and np.allclose(of_all[known], found[known], rtol=_ROUNDED):
            return word
    return ""


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
    if (odd := odd_corner(matrix.corner)) is not None:
        remedy = f"give {quantity} in {KNOWN[table]}"
        findings.file_error(matrix.label, _odd(matrix.corner, odd, remedy))
    for unit, text in stated.items():
        if unit.table != table:
            findings.file_error(
                matrix.label,
                f"'{shown(text)}' says {unit.symbol}, which is no unit of {quantity}; correct it, "
                f"or use the table for {QUANTITIES[unit.table]}",
            )
    if len(stated) > 1:
        said = " and ".join(f"{unit.symbol} ('{shown(text)}')" for unit, text in stated.items())
        findings.file_error(matrix.label, f"says {said}; keep one unit")
        return matrix
    if not stated:
        return _with_units_of_columns(matrix, table, titles, findings)
    unit, text = next(iter(stated.items()))
    if unit.table != table or unit.is_si:
        return matrix
    findings.file_warning(matrix.label, unit.said(quantity, text))
    return replace(matrix, values=unit.in_si(matrix.values))


def _odd(text: str, odd: str, remedy: str) -> str:
    """Why a table with such a title is not read, and the remedy."""
    if says_energy(text):
        return f"'{shown(text)}' says energies; {POWERS_FOR_ENERGIES}"
    return f"'{shown(text)}' has a unit that is not known, {shown(odd)}; {remedy}"


def _ask_of_words(
    matrix: Matrix, table: ValueTable, titles: tuple[str, ...], findings: Findings
) -> None:
    """Ask if a title, or all names of machine types, may say a unit."""
    known = f"one of {KNOWN[table]} in brackets"
    remedy = f"write the unit into the first cell of the table: {known}"
    for text in titles:
        if (odd := odd_unit(text)) is not None:
            findings.file_error(matrix.label, _odd(text, odd, remedy))
            return
    for text in (*titles, matrix.corner):
        if (unit := unsure_unit(text)) is not None and unit.table == table:
            findings.file_error(
                matrix.label,
                f"'{shown(text)}' may say that {QUANTITIES[table]} are in {unit.symbol}; {remedy}",
            )
            return
    is_ours = matrix.corner.strip() == TASK_TYPE.name
    if not is_ours and (odd := odd_ending(matrix.headings, table)) is not None:
        findings.file_error(
            matrix.label,
            f"the names of all machine types have '{shown(odd)}', which may be a unit; {remedy}",
        )


def _with_units_of_columns(
    matrix: Matrix, table: ValueTable, titles: tuple[str, ...], findings: Findings
) -> Matrix:
    """The matrix in seconds or watts if each machine type has a unit of its own in brackets."""
    names = matrix.headings
    units = [in_brackets(name) if name.endswith(("]", ")")) else None for name in names]
    known = [unit for unit in units if unit is not None and unit.table == table]
    if not known:
        _ask_of_words(matrix, table, titles, findings)
        return matrix
    if len(known) < len(units):
        findings.file_error(
            matrix.label,
            f"only some columns say a unit of {QUANTITIES[table]}; give each one, of "
            f"{KNOWN[table]}, or give it once, in the first cell of the table",
        )
        return matrix
    said = ", ".join(f"'{shown(name)}'" for name in names)
    findings.file_warning(
        matrix.label, f"{QUANTITIES[table]} are read in the units that columns say: {said}"
    )
    factors = np.array([unit.in_si(1.0) for unit in known])
    return replace(matrix, values=matrix.values * factors)


def _stated(
    matrix: Matrix, table: ValueTable, titles: tuple[str, ...]
) -> Iterator[tuple[str, StatedUnit]]:
    """All units that are stated, with where: also the one that all machine types have in brackets,
    if it can be that of the table.
    """
    for text in (*titles, matrix.corner):
        if (unit := unit_in(text)) is not None:
            yield text, unit
    names = matrix.headings
    units = {in_brackets(name) for name in names}
    common = units.pop() if len(units) == 1 else None
    if common is not None and (common.table == table or table == "etc"):
        yield names[0], common
