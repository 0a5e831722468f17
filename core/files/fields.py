"""The fields of an object in a study file; a field of the wrong type is reported."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final

import numpy as np

from core.files.findings import Findings, shown
from core.files.strict_json import as_float, as_whole, value_fault, whole_value_fault
from core.vocabulary.arrays import FloatArray
from core.vocabulary.ranges import Range
from core.vocabulary.say.money import currency_fault
from core.vocabulary.say.quantities import Quantity, read_quantity

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
