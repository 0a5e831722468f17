"""Numbers as people write them: read exactly, or refused with a remedy.

A number has ASCII digits, perhaps a decimal point and an exponent. Nothing else is guessed: `1,234`
may be a thousand or a little more than one.
"""

import math
import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from typing import Final, Self

import numpy as np

from core.files import limits
from core.files.findings import shown
from core.vocabulary.arrays import FloatArray, IntArray

_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_PLAIN_BYTES: Final = b"0123456789+-.eE "
_EXPONENT: Final = r"(?:[eE][+-]?[0-9]+)?"
_GROUPED: Final = re.compile(rf"([+-]?[0-9]+(?:[.,'’_\s][0-9]+)+)({_EXPONENT})")
_WITH_UNIT: Final = re.compile(rf"({_NUMBER.pattern})\s*([^\W\d_]{{1,10}}(?:/[^\W\d_]{{1,10}})?)")
_MARK: Final = re.compile(r"[^0-9+-]")
_NOT_A_NUMBER: Final = frozenset(
    {"nan", "na", "n/a", "#n/a", "nil", "none", "null", "-", "–", "—", "?", "x"}
)
_INFINITE: Final = frozenset({"inf", "infinity", "infinite", "∞"})
_LARGEST_WHOLE: Final = 10**18


class UnusableCell(str):
    """A cell that is neither text nor a number; `why` says what it is, and the remedy.

    As a text it is a control character, which is in no name and no number.
    """

    __slots__ = ("why",)
    why: str

    def __new__(cls, why: str) -> Self:
        cell = super().__new__(cls, "\x1a")
        cell.why = why
        return cell


class TruthCell(UnusableCell):
    """True or false in a workbook: no name and no number, but it can mark a pair."""

    __slots__ = ("value",)
    value: bool

    def __new__(cls, value: bool) -> Self:
        cell = super().__new__(cls, "holds true or false; give a number or a name")
        cell.value = value
        return cell


class StoredNumber(str):
    """A number in the form of programs: as a workbook stores it, or as a person has decided. Its
    point is a decimal one, whatever marks the texts around it have.
    """

    __slots__ = ()


def number_cell(value: float) -> str:
    """The number as a cell of a table for programs; blank for NaN."""
    return "" if math.isnan(value) else f"{value:.15g}"


def parse_numbers(cells: Sequence[str]) -> tuple[FloatArray, list[int]]:
    """The numbers of many cells, NaN where blank; and the positions of cells without a number."""
    if _are_short(cells) and _only_plain_characters(cells):
        try:
            values = np.array([float(cell or "nan") for cell in cells], dtype=np.float64)
        except ValueError:
            pass
        else:
            if not np.isinf(values).any():
                return values, []
    parsed = [parse_number(cell) for cell in cells]
    values = np.array([math.nan if number is None else number for number in parsed], np.float64)
    return values, [i for i, number in enumerate(parsed) if number is None]


def parse_number(cell: str) -> float | None:
    """The number of a cell, NaN if blank; None if it is not a finite number."""
    if len(cell) > limits.NUMBER_CHARACTERS:
        return None
    text = cell.strip()
    if not text:
        return math.nan
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text)
    return number if math.isfinite(number) else None


def parse_share(cell: str) -> float | None:
    """The share of a cell, also as `25 %`, NaN if blank; None if it is none."""
    text = cell.strip()
    if not text.endswith("%"):
        return parse_number(text)
    number = parse_number(text.removesuffix("%"))
    return None if number is None or math.isnan(number) else number / 100


def parse_whole(cell: str) -> int | None:
    """The exact whole number of a cell, also from `3.0` or `1e12`; None if it is not one."""
    number = parse_number(cell)
    if number is None or math.isnan(number) or abs(number) > _LARGEST_WHOLE:
        return None
    exact = Decimal(cell.strip())
    return int(exact) if exact == exact.to_integral_value() else None


def parse_wholes(cells: Sequence[str]) -> tuple[IntArray, list[int]]:
    """The whole numbers of many cells, 0 where a cell has none; and the positions of these."""
    joined = "".join(cells) if _are_short(cells) else ""
    if joined.isascii() and joined.isdigit():
        try:
            return np.array([int(cell) for cell in cells], np.int64), []
        except (ValueError, OverflowError):
            pass  # a blank, or too many digits
    parsed = [parse_whole(cell) for cell in cells]
    values = np.array([number or 0 for number in parsed], np.int64)
    return values, [i for i, number in enumerate(parsed) if number is None]


def number_fault(cell: str, if_unknown: str = "", unit: str = "seconds or watts") -> str:
    """Why a cell is no number in this unit, and the remedy; `if_unknown` if it has none."""
    text = cell.strip()
    said = f"'{shown(text)}'"
    remedy = f"; {if_unknown}" if if_unknown else ""
    if isinstance(cell, UnusableCell):
        return cell.why
    if len(cell) > limits.NUMBER_CHARACTERS:
        return f"{said} is too long for a number; check the cell"
    if not text:
        return f"is blank; give a number{remedy}"
    if text.casefold() in _NOT_A_NUMBER:
        return f"{said} is not a number; give one{remedy}"
    if text.casefold().lstrip("+-") in _INFINITE:
        return f"{said} is infinite; give a finite number{remedy}"
    if _NUMBER.fullmatch(text):
        return f"{said} is too large for a number; check the exponent"
    if text.endswith("%"):
        return f"{said} has a percent sign; give a plain number, in the unit of the table"
    return (
        _punctuation_fault(text, said, unit)
        or f"{said} is not a number; give one such as 12.5{remedy}"
    )


def cleared_if_unknown(cell: str) -> str | None:
    """A blank for a cell such as N/A, which says that there is no number; None for any other."""
    short = len(cell) <= limits.NUMBER_CHARACTERS
    return "" if short and cell.strip().casefold() in _NOT_A_NUMBER else None


def whole_fault(cell: str) -> str:
    """Why a cell is not a whole number, and the remedy."""
    if parse_number(cell) is None or not cell.strip():
        return number_fault(cell)
    return f"'{shown(cell.strip())}' is not a whole number in range; give one such as 12"


def _are_short(cells: Sequence[str]) -> bool:
    """Whether the cells are short enough to be joined: many in a workbook may share a long text."""
    return max(map(len, cells), default=0) <= limits.NUMBER_CHARACTERS


def _only_plain_characters(cells: Sequence[str]) -> bool:
    joined = "".join(cells)
    return joined.isascii() and not joined.encode().translate(None, _PLAIN_BYTES)


def _punctuation_fault(text: str, said: str, unit: str) -> str | None:
    """The fault of a cell that is a number but for its digits, separators or unit."""
    ascii_digits = _in_ascii(text)
    if ascii_digits != text and parse_number(ascii_digits) is not None:
        return f"{said} is not written in plain digits; write {ascii_digits}"
    with_unit = _WITH_UNIT.fullmatch(text)
    if with_unit:
        return (
            f"{said} has a unit; give only the number, in {unit}: {with_unit[1]} if it already is"
        )
    grouped = _GROUPED.fullmatch(text)
    return _grouping_fault(grouped[1], grouped[2], said) if grouped else None


def _grouping_fault(number: str, exponent: str, said: str) -> str | None:
    marks = _MARK.findall(number)
    groups = _MARK.split(number)
    whole = "".join(groups)
    thousands = all(len(group) == 3 for group in groups[1:])
    if marks == [","]:
        decimal = f"{groups[0]}.{groups[1]}{exponent}"
        if thousands and len(groups[0].lstrip("+-0")) in (1, 2, 3):
            return (
                f"{said} has a comma, which may separate thousands or decimals; "
                f"write {whole}{exponent} or {decimal}"
            )
        return f"{said} has a decimal comma; write {decimal}"
    if "_" in marks:
        return f"{said} has underscores; write {number.replace('_', '')}{exponent}"
    if marks[-1] in ".," and marks.count(marks[-1]) == 1:
        decimal = f"{''.join(groups[:-1])}.{groups[-1]}{exponent}"
        return f"{said} has thousands separators; write {decimal}"
    if thousands:
        return f"{said} has thousands separators; write {whole}{exponent}"
    return None


def _in_ascii(text: str) -> str:
    """The text with digits and signs of other scripts as 0-9, + and -."""
    digits = (unicodedata.digit(c, None) for c in text)
    plain = "".join(
        c if digit is None else str(digit) for c, digit in zip(text, digits, strict=True)
    )
    return unicodedata.normalize("NFKC", plain).replace("\u2212", "-")
