"""JSON read strictly: no repeated keys, no NaN, limited sizes; and the fields of its objects.

Numbers that Python would read wrongly or slowly become `Odd`, which no reader accepts as a number;
readers then report where it is.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final

import numpy as np

from core.files import limits
from core.files.findings import Findings, Unreadable, shown
from core.vocabulary.arrays import FloatArray
from core.vocabulary.ranges import Range
from core.vocabulary.say.money import currency_fault
from core.vocabulary.say.quantities import Quantity, read_quantity

_DIGITS_OF_A_FLOAT: Final = 300
_HEAD: Final = 1_000
_BEFORE_DOCUMENT: Final = b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"
"""White space and the bytes of byte-order marks."""


@dataclass(frozen=True, slots=True)
class Odd:
    """A value that JSON does not have, or a number of too many digits, as written."""

    text: str


def says_format(data: bytes, form: str) -> bool:
    """Whether content says that it is a document of this format, with or without faults."""
    return re.search(rb'"format"\s*:\s*"%b"' % form.encode(), data) is not None


def is_document(data: bytes) -> bool:
    """Whether the content of a file begins as a JSON document does."""
    return data[:_HEAD].lstrip(_BEFORE_DOCUMENT).startswith(b"{")


def parse_json(text: str, label: str, findings: Findings) -> dict[str, object]:
    """The object of a document; repeated keys are reported. May raise `Unreadable`."""
    if text.count("[") + text.count("{") > limits.JSON_CONTAINERS:
        raise Unreadable(f"has more than {limits.JSON_CONTAINERS:,} lists; give fewer")
    if text.count('"') > 2 * limits.JSON_STRINGS or text.count(",") > limits.JSON_VALUES:
        raise Unreadable("has too many values; give fewer")

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        content = dict(pairs)
        if len(content) < len(pairs):
            for key, times in Counter(key for key, _ in pairs).items():
                if times > 1:
                    message = f"key '{shown(key)}' is there {times:,} times; keep one"
                    findings.error(label, "", shown(key), message)
        return content

    try:
        document = json.loads(
            text, object_pairs_hook=unique, parse_int=_parse_int, parse_constant=Odd
        )
    except json.JSONDecodeError as error:
        raise Unreadable(
            f"is not valid JSON: {error.msg} (line {error.lineno}, column {error.colno}); "
            "correct it"
        ) from error
    except RecursionError as error:
        raise Unreadable("is nested too deeply; write it in the format of Wattfront") from error
    if not isinstance(document, dict):
        raise Unreadable("is not a JSON object; write it in the format of Wattfront")
    return document


def check_format(document: dict[str, object], name: str, version: int) -> None:
    """Raise `Unreadable` unless the document says that it has this format and version."""
    if document.get("format") != name:
        raise Unreadable(f'is not a document of the format "{name}"; give "format": "{name}"')
    stated = document.get("version")
    if isinstance(stated, bool) or stated != version:
        said = f"version {stated}" if isinstance(stated, int) else "no known version"
        raise Unreadable(
            f"has {shown(said)}, but only version {version} can be read; write "
            f'"version": {version} if it is, or use a newer Wattfront'
        )


def as_float(value: object) -> float | None:
    """A JSON value as a number; None if it is not one. Infinite if it is too large."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)


def as_whole(value: object) -> int | None:
    """A JSON value as a whole number, also if written as `3.0`; None if it is not one."""
    number = as_float(value)
    if number is None or not number.is_integer():
        return None
    return int(value) if isinstance(value, int) else int(number)


def value_fault(value: object) -> str:
    """Why a JSON value is not a number, and the remedy."""
    if value is None:
        return "is null; give a number"
    if isinstance(value, bool):
        return f"is {str(value).lower()}; give a number"
    if isinstance(value, str):
        return f"'{shown(value)}' is text; give a number, without quotation marks"
    if isinstance(value, Odd):
        return f"'{shown(value.text)}' is not a number that can be read; give a finite number"
    if isinstance(value, list | dict):
        return "is a list or an object; give a number"
    return "is too large for a number; check the exponent"


def whole_value_fault(value: object) -> str:
    """Why a JSON value is not a whole number, and the remedy."""
    number = as_float(value)
    if number is None or math.isinf(number):
        return value_fault(value)
    return f"{number!r} is not a whole number; give one such as 12"


def _parse_int(digits: str) -> int | Odd:
    return int(digits) if len(digits) <= _DIGITS_OF_A_FLOAT else Odd(digits)


_AMOUNT: Final = Range(-1e300, 1e300, "")


@dataclass(frozen=True, slots=True)
class Fields:
    """An object of a document, and the names that problems use for it."""

    content: dict[str, object]
    label: str
    findings: Findings
    row: str = ""

    @classmethod
    def of(cls, document: dict[str, object], key: str, label: str, findings: Findings) -> "Fields":
        """The object under a key; if there is none, that is reported, and the object is empty."""
        content = document.get(key)
        if not isinstance(content, dict):
            findings.error(label, "", key, f'is not an object; give "{key}": {{...}}')
            content = {}
        return cls(content, f"{label} [{key}]", findings)

    def error(self, key: str, message: str) -> None:
        self.findings.error(self.label, self.row, shown(key), message)

    def warn_of_unused(self, known: Collection[str]) -> None:
        self.findings.unused([k for k in self.content if k not in known], self.label, self.row)

    def refuse_unknown(self, known: Sequence[str], what: str) -> None:
        """An unknown key is an error: a limit that is misspelt would not be kept."""
        for key in self.content:
            if key not in known:
                close = get_close_matches(key.casefold(), known, 1, 0.7)
                there = (
                    f"there are {', '.join(known)}" if known[1:] else f"there is only {known[0]}"
                )
                meant = f"did you mean {close[0]}?" if close else there
                self.error(key, f"is not a key of a {what}; {meant}")

    def text(self, key: str) -> str:
        value = self.content.get(key)
        if isinstance(value, str) and not any("\ud800" <= c <= "\udfff" for c in value):
            return value
        self.error(key, "is missing or not text; give it in quotation marks")
        return ""

    def currency(self, key: str) -> str:
        """A text that names a currency; any other text is reported."""
        name = self.text(key)
        if name and (fault := currency_fault(name)) is not None:
            self.error(key, f"'{shown(name)}' {fault}")
        return name

    def number(self, key: str, allowed: Range = _AMOUNT) -> float:
        """A number within a range; anything else is reported, and read as NaN."""
        value = as_float(self.content.get(key))
        if value is None or not math.isfinite(value):
            self.error(key, value_fault(self.content.get(key)))
            return math.nan
        if value not in allowed:
            self.error(key, f"{value:g} is out of range; give {allowed}")
            return math.nan
        return value

    def quantity(self, key: str, quantity: Quantity, allowed: Range) -> float:
        """A number, or a text that is one with a unit; NaN for anything else, which is reported."""
        value = self.content.get(key)
        if not isinstance(value, str):
            return self.number(key, allowed)
        try:
            read = read_quantity(value, quantity)
        except ValueError as refused:
            self.error(key, str(refused))
            return math.nan
        return replace(self, content={key: read}).number(key, allowed)

    def whole(self, key: str, allowed: Range) -> int:
        """A whole number within a range; anything else is reported, and read as the least one."""
        value = as_whole(self.content.get(key))
        if value is None:
            self.error(key, whole_value_fault(self.content.get(key)))
        elif value not in allowed:
            self.error(key, f"{value:,} is out of range; give {allowed}")
        else:
            return value
        return int(allowed.low)

    def one_of(self, key: str, choices: Collection[str]) -> str:
        value = self.text(key)
        if value and value not in choices:
            self.error(
                key, f"'{shown(value)}' is not one of {', '.join(choices)}; give one of them"
            )
        return value

    def has(self, key: str) -> bool:
        """Whether the field is there and not null."""
        return self.content.get(key) is not None

    def numbers(self) -> dict[str, float]:
        """All fields as numbers."""
        return {key: self.number(key) for key in self.content}

    def texts(self) -> dict[str, str]:
        """All fields as text."""
        return {key: self.text(key) for key in self.content}


def read_points(items: object, label: str, findings: Findings) -> FloatArray:
    """A list of [joules, seconds]; anything else is reported, and read as no points."""
    if not isinstance(items, list):
        findings.file_error(label, "is not a list; give [[joules, seconds], ...]")
        return np.empty((0, 2))
    points = np.empty((len(items), 2))
    for k, item in enumerate(items):
        pair = item if isinstance(item, list) and len(item) == 2 else [None, None]
        numbers = [as_float(value) for value in pair]
        if all(number is not None and math.isfinite(number) for number in numbers):
            points[k] = numbers
        else:
            findings.error(label, f"point {k + 1:,}", "", "is not [joules, seconds]; give both")
    return points
