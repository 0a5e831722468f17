"""The Standard Workload Format: 18 numbers a job, and comments that describe the log."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from core.files.numbers import parse_number
from core.logs.layout import Form, Layout, NumberCell
from core.logs.values import AMOUNT

CELLS: Final = 18
_KIB: Final = 1 / 1024
_COMMENT: Final = re.compile(r";\s*([A-Za-z][A-Za-z ]*?)\s*:\s*(.*)")
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
STATES: Final[Mapping[str, str]] = {
    "0": "FAILED",
    "1": "COMPLETED",
    "2": "PARTIAL",
    "3": "PARTIAL",
    "4": "PARTIAL",
    "5": "CANCELLED",
}
"""What the status of a job means; parts of a job with checkpoints are counted by its summary."""


def layout_of(lines: Sequence[bytes]) -> Layout | None:
    """The layout, if the first lines are comments or jobs of this format."""
    jobs = [line for line in lines if not line.startswith(b";")]
    comments = [line for line in lines if line.startswith(b";")]
    if not lines or not (jobs or len(comments) == len(lines)):
        return None
    for line in jobs:
        cells = line.split()
        if len(cells) != CELLS or not all(re.fullmatch(rb"-?[0-9.]+", cell) for cell in cells):
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


def complete(numbers: dict[str, np.ndarray[Any, Any]], facts: Mapping[str, str]) -> None:
    """Make moments of the seconds since the log's begin, and the memory that of the job."""
    begin = parse_number(facts.get("UnixStartTime", "")) or 0.0
    begin = begin if begin > 0 else 0.0
    submit = numbers["submit"] + begin
    start = submit + np.nan_to_num(numbers["start"])  # the wait, of which 0 is a usual value
    numbers["submit"], numbers["start"] = submit, start
    numbers["end"] = start + numbers["elapsed"]
    numbers["memory"] = numbers["memory"] * numbers["cores"]


def described(line: bytes) -> tuple[str, str] | None:
    """What a comment of the header says: its word and its value ("MaxNodes", "128")."""
    match = _COMMENT.match(line.decode("utf-8", "replace"))
    return (match[1].strip(), match[2].strip()) if match else None
