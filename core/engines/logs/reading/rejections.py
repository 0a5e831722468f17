"""Rows of a log that are no runs: counted by reason, with examples, and kept to be downloaded."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple, TextIO

from core.engines.logs.reading import limits
from core.files.sheet import csv_cell

ABOVE_HEADER: Final = "above the header"
WRONG_CELLS: Final = "wrong number of cells"
AMBIGUOUS: Final = "separators in its texts can be read in several ways"
CUT_OFF: Final = "cut off at the end of the log"
TOO_LONG: Final = "row is too long"
JOB_STEP: Final = "step, counted with its job"
LONE_STEP: Final = "step without its job"
NO_NUMBER: Final = "no job number"

REJECTED_ROWS: Final = "rejected.csv"
HEADER: Final = "reason,log,line,row\n"
_MOST_CHARACTERS: Final = 1_000


class Example(NamedTuple):
    """A row that is no run: where it is, and its beginning."""

    log: str
    line: int
    text: str


class Rejections:
    """Counts rows by reason, and writes them to a CSV file of limited length."""

    def __init__(self, file: TextIO) -> None:
        self.counts: dict[str, int] = {}
        self.examples: dict[str, list[Example]] = {}
        self._file = file
        self._written = 0

    def count(self, reason: str, rows: int) -> None:
        """Count rows that are not shown."""
        if rows:
            self.counts[reason] = self.counts.get(reason, 0) + rows

    def add(self, reason: str, log: str, line: int, row: bytes) -> None:
        """Count a row, and keep it."""
        self.count(reason, 1)
        text = row[:_MOST_CHARACTERS].decode("utf-8", "replace")
        shown = self.examples.setdefault(reason, [])
        if len(shown) < limits.EXAMPLES:
            shown.append(Example(log, line, text))
        if self._written < limits.REJECTED_ROWS:
            self._file.write(",".join(map(csv_cell, (reason, log, str(line), text))) + "\n")
            self._written += 1

    def mark(self) -> "RejectionsMark":
        examples = {reason: list(shown) for reason, shown in self.examples.items()}
        return RejectionsMark(dict(self.counts), examples, self._written, self._file.tell())

    def back_to(self, mark: "RejectionsMark") -> None:
        self.counts, self.examples, self._written, end = mark
        self._file.seek(end)
        self._file.truncate()


class RejectionsMark(NamedTuple):
    """What was counted at a moment; `end` is where the file of rows ended."""

    counts: dict[str, int]
    examples: dict[str, list[Example]]
    written: int
    end: int


@contextmanager
def rejecting(folder: Path) -> Iterator[Rejections]:
    with (folder / REJECTED_ROWS).open("w", encoding="utf-8", newline="") as file:
        file.write(HEADER)
        yield Rejections(file)
