"""The Standard Workload Format: 18 numbers a job, and comments that describe the log."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from core.files.numbers import parse_number
from core.logs.layout import Form, Layout, NumberCell
from core.logs.values import AMOUNT

CELLS: Final = 18
BEGIN: Final = "UnixStartTime"
_KIB: Final = 1 / 1024
_COMMENT_BYTES: Final = 2_000
_COMMENT: Final = re.compile(r"\s*;\s*([A-Za-z][A-Za-z ]{0,60}?)\s*:\s*(.*)")
_JOB: Final = re.compile(rb"[-+0-9.eE\s]+")
_NUMBERS: Final[Mapping[str, Sequence[tuple[int, float]]]] = {
    "submit": ((1, 1),),
    "start": ((2, 1),),  # the wait, to which the reader adds `submit`
    "elapsed": ((3, 1),),
    "cores": ((4, 1), (7, 1)),
    "memory": ((9, _KIB), (6, _KIB)),  # of each processor
    "limit": ((8, 1),),
}
_TEXTS: Final[Mapping[str, int]] = {
    "state": 10,
    "user": 11,
    "group": 12,
    "application": 13,
    "queue": 14,
    "partition": 15,
}
PARTIAL: Final = "PARTIAL"
STATES: Final[Mapping[str, str]] = {
    "0": "FAILED",
    "1": "COMPLETED",
    "2": PARTIAL,
    "3": PARTIAL,
    "4": PARTIAL,
    "5": "CANCELLED",
}
"""What the status of a job means; parts of a job with checkpoints are counted by its summary."""


def layout_of(lines: Sequence[bytes]) -> Layout | None:
    """The layout, if the first lines are comments or jobs of this format; of the jobs, up to a half
    may be broken.
    """
    jobs = [line for line in lines if not is_comment(line)]
    whole = [line for line in jobs if len(line.split()) == CELLS and _JOB.fullmatch(line)]
    if not lines or 2 * len(whole) < len(jobs):
        return None
    return Layout(
        Form.WORDS,
        CELLS,
        {
            name: [NumberCell(cell, AMOUNT, factor) for cell, factor in places]
            for name, places in _NUMBERS.items()
        },
        _TEXTS,
        job=0,
    )


def complete(numbers: dict[str, np.ndarray[Any, Any]], begin: float) -> None:
    """Make moments of the seconds since the log's begin, and the memory that of the job."""
    submit = numbers["submit"] + begin
    start = submit + np.nan_to_num(numbers["start"])  # the wait, of which 0 is a usual value
    numbers["submit"], numbers["start"] = submit, start
    numbers["end"] = start + numbers["elapsed"]
    numbers["memory"] = numbers["memory"] * numbers["cores"]


def is_comment(line: bytes) -> bool:
    return line.lstrip().startswith(b";")


def begin_of(fact: tuple[str, str] | None) -> float | None:
    """The begin of the log, in seconds since 1970, if this is what a comment says."""
    if fact is None or fact[0] != BEGIN:
        return None
    begin = parse_number(fact[1]) or 0.0
    return begin if begin > 0 else 0.0


def described(line: bytes) -> tuple[str, str] | None:
    """What a comment of the header says: its word and its value ("MaxNodes", "128")."""
    match = _COMMENT.match(line[:_COMMENT_BYTES].decode("utf-8", "replace"))
    return (match[1].strip(), match[2].strip()) if match else None
