"""The Standard Workload Format: 18 numbers a job, and comments that describe the log."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple, Self

import numpy as np

from core.engines.logs.reading.layout import Form, Layout, NumberCell
from core.engines.logs.reading.values import AMOUNT
from core.files.numbers import parse_number

CELLS: Final = 18
BEGIN: Final = "UnixStartTime"
_KIB: Final = 1 / 1024
_COMMENT_BYTES: Final = 2_000
_COMMENT: Final = re.compile(r"\s*;\s*([A-Za-z][A-Za-z ]{0,60}?)\s*:\s*(.*)")
_JOB: Final = re.compile(rb"[-+0-9.eE\s]+")
_NUMBER: Final = re.compile(rb"[-+]?\d{1,30}(\.\d*)?([eE][-+]?\d{1,2})?")
_MOST_CELLS: Final = 100
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
    may be broken. Jobs may have more cells, if those behind the 18th are clearly the further ones.
    """
    if not lines:
        return None
    jobs = [line for line in lines if not is_comment(line)]
    whole = [line for line in jobs if len(line.split()) == CELLS and _JOB.fullmatch(line)]
    if 2 * len(whole) >= len(jobs):
        return _layout(CELLS)
    wide = _Wide.of(jobs)
    if wide is None or not wide.fits_without(CELLS):
        return None
    left = _columns(CELLS, wide.cells)
    verb = "is" if wide.cells == CELLS + 1 else "are"
    return _layout(wide.cells, f"{left} of {wide.cells} {verb} not of SWF, and left out")


def refusal(lines: Sequence[bytes]) -> str:
    """Why these lines, which are almost an SWF log, are none; empty if they are nothing like it."""
    jobs = [line for line in lines if not is_comment(line)]
    if wide := _Wide.of(jobs):
        too_many = [at for at in range(CELLS) if wide.fits_without(at)]
        many = f"has {wide.cells} cells on its lines, where SWF has {CELLS}; "
        them = "it" if wide.cells == CELLS + 1 else "them"
        if not too_many:
            return f"{many}find out which are too many, and leave {them} out"
        each = " or ".join(_columns(at, at + wide.cells - CELLS) for at in too_many[:3])
        return f"{many}it would be SWF without {each}: leave {them} out"
    for separator, name in ((b",", "commas"), (b";", "semicolons")):
        cut = [line for line in jobs if line.count(separator) >= CELLS - 1]
        if 2 * len(cut) > len(jobs) and all(
            _JOB.fullmatch(line.replace(separator, b" ")) for line in cut
        ):
            return f"has {name} between its numbers, where SWF has spaces; write spaces for them"
    return ""


def _columns(first: int, last: int) -> str:
    """The cells from `first` to before `last`, as people count them."""
    return f"column {last}" if last - first == 1 else f"columns {first + 1} to {last}"


def _layout(cells: int, note: str = "") -> Layout:
    return Layout(
        Form.WORDS,
        cells,
        {
            name: [NumberCell(cell, AMOUNT, factor) for cell, factor in places]
            for name, places in _NUMBERS.items()
        },
        _TEXTS,
        job=0,
        note=note,
    )


class _Wide(NamedTuple):
    """Jobs that have so many cells each, more than the format has."""

    cells: int
    jobs: Sequence[Sequence[bytes]]

    @classmethod
    def of(cls, lines: Sequence[bytes]) -> Self | None:
        """The lines of the usual width, if it is that of at least half of the lines; most of their
        cells are numbers.
        """
        rows = [line.split() for line in lines]
        cells, _ = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
        if not CELLS < cells <= _MOST_CELLS:
            return None
        wide = (row for row in rows if len(row) == cells)
        jobs = [row for row in wide if sum(map(bool, map(_NUMBER.fullmatch, row))) >= CELLS - 1]
        return cls(cells, jobs) if jobs and 2 * len(jobs) >= len(rows) else None

    def fits_without(self, first: int) -> bool:
        """Whether the jobs are those of an SWF log without the cells too many, from `first` on:
        numbers, none before the one above, and with a state.
        """
        rest = first + self.cells - CELLS
        jobs = [[*job[:first], *job[rest:]] for job in self.jobs]
        if not all(_NUMBER.fullmatch(cell) for job in jobs for cell in job):
            return False
        numbers, arrivals = ([float(job[cell]) for job in jobs] for cell in (0, 1))
        states = [job[_TEXTS["state"]].decode() for job in jobs]
        known = sum(state in STATES for state in states)
        return (
            all(number > 0 and number % 1 == 0 for number in numbers)
            and min(arrivals) >= 0
            and all(a <= b for column in (numbers, arrivals) for a, b in pairwise(column))
            and (len(numbers) == 1 or numbers[0] < numbers[-1])
            and 2 * known >= len(states)
            and all(state in STATES or state == "-1" for state in states)
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
