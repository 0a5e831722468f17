"""Moments of samples, as monitoring writes them."""

import math
import re
from datetime import UTC, datetime
from typing import Final, NamedTuple

import numpy as np

from core.vocabulary.arrays import FloatArray

_FORMS: Final = (
    "%a %b %d %H:%M:%S %Y",
    "%m/%d/%Y %I:%M:%S %p",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%Y%m%d%H%M%S",
)
_ZONE: Final = re.compile(r"\s*(?:Z|UTC|GMT)$", re.IGNORECASE)
_LEAST, _MOST = 1e8, 8e9
"""Seconds since 1970 of the years 1973 and 2223."""


class SampleMoment(NamedTuple):
    """Seconds since 1970; without a zone, of a clock that shows UTC. NaN if it is none."""

    seconds: float
    is_absolute: bool


NO_MOMENT: Final = SampleMoment(math.nan, False)


def moment_of(text: str) -> SampleMoment:
    """The moment that a text is: ISO 8601 or nearly so, as `ipmitool` and spreadsheets write it, or
    a number of seconds, milliseconds, microseconds or nanoseconds since 1970.
    """
    plain = text.strip()
    number = _number(plain)
    if number is not None:
        return SampleMoment(float(seconds_of(np.array([number]))[0]), True)
    zoned = _ZONE.sub("", plain)
    found = _read(zoned.replace("/", "-", 2) if zoned[4:5] == "/" else zoned)
    if found is None:
        return NO_MOMENT
    absolute = found.tzinfo is not None or zoned != plain
    seconds = (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    return SampleMoment(seconds if _LEAST <= seconds <= _MOST else math.nan, absolute)


def seconds_of(numbers: FloatArray) -> FloatArray:
    """Times since 1970 in seconds, whether they are in seconds, milliseconds, microseconds or
    nanoseconds; NaN for those that are none of these.
    """
    scale = np.array([1.0, 1e3, 1e6, 1e9])
    for one in scale.tolist():  # all are alike as a rule
        if _LEAST * one <= numbers.min(initial=np.inf) and numbers.max(initial=0) <= _MOST * one:
            return np.asarray(numbers / one)
    with np.errstate(invalid="ignore"):
        each = numbers[:, None] / scale
        fits = (each >= _LEAST) & (each <= _MOST)
    return np.where(fits.any(axis=1), each[np.arange(len(numbers)), fits.argmax(axis=1)], np.nan)


def _number(text: str) -> float | None:
    if len(text) < 9 or len(text) > 30 or not text[0].isdigit() or "-" in text or ":" in text:
        return None
    try:
        return float(text) if len(text) != 14 or "." in text else None  # 20260302100000
    except ValueError:
        return None


def _read(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    for form in _FORMS:
        try:
            return datetime.strptime(" ".join(text.split()), form)
        except ValueError:
            continue
    return None
