"""JSON read strictly: no repeated keys, no NaN, limited sizes.

Numbers that Python would read wrongly or slowly become `Odd`, which no reader accepts as a number;
readers then report where it is.
"""

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from core.files import limits
from core.files.findings import Findings, Unreadable, shown

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
