"""What a log's columns are: from cells to the columns of runs."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from core.engines.logs.reading.cutting import (
    Cuts,
    cut_between,
    cut_columns,
    cut_separated,
    cut_words,
)
from core.engines.logs.reading.limits import TITLE_CHARACTERS
from core.engines.logs.reading.store import COLUMNS
from core.engines.logs.reading.values import (
    BATCH_STEP,
    NO_JOB,
    NO_STEP,
    NUMBERED_STEP,
    PER_CORE,
    PER_NODE,
    read_jobs,
    read_memory,
    read_values,
    read_within,
)
from core.vocabulary.arrays import BoolArray, ByteArray, FloatArray, IntArray

MEMORY: Final = 4
"""Requested memory, in MiB, with its mark for cores or nodes."""
WITHIN: Final = 5
"""An amount within a list such as `cpu=8,mem=32G`."""

NUMBERS: Final = (
    "submit",
    "start",
    "end",
    "elapsed",
    "limit",
    "nodes",
    "cores",
    "gpus",
    "memory",
    "joules",
    "watts",
)
"""Columns of numbers: moments and durations in seconds, memory in MiB, energy in joules."""


ROWS_AT_ONCE: Final = 1 << 16


class NumberCell(NamedTuple):
    """A cell that a number can be read from: how, and what to multiply it by."""

    cell: int
    kind: int
    factor: float = 1.0
    key: str = ""


class Form(Enum):
    """What separates the cells of a row."""

    SEPARATED = "separated"
    WORDS = "words"
    COLUMNS = "columns"


@dataclass(frozen=True)
class Layout:
    """How the rows of a log are to be read.

    `sources` has for each column of numbers the cells that may have it, the best first. `texts` has
    the cell of each column of texts. `job` is the cell of the job's number, or None. `free` are
    cells of free text, which may hold separators; `lists` are cells with lists, which hold commas.
    `shapes` say what usual cells look like. A `note` says what is odd about the columns.
    """

    form: Form
    cells: int
    sources: Mapping[str, Sequence[NumberCell]]
    texts: Mapping[str, int]
    job: int | None = None
    free: tuple[int, ...] = ()
    lists: tuple[int, ...] = ()
    separator: bytes = b"|"
    quoting: bool = False
    edges: tuple[int, ...] = ()
    shapes: Mapping[int, re.Pattern[bytes]] = field(default_factory=dict)
    note: str = ""
    wanted: tuple[int, ...] = field(init=False)
    """The cells that are read, in the order of their bounds in `Cuts`."""

    def __post_init__(self) -> None:
        needed = {source.cell for sources in self.sources.values() for source in sources}
        needed |= {*self.texts.values()} | ({self.job} if self.job is not None else set())
        object.__setattr__(self, "wanted", tuple(sorted(needed)))

    def place(self, cell: int) -> int:
        """Where the bounds of a cell are in `Cuts.low` and `Cuts.high`."""
        return self.wanted.index(cell)

    def cut(self, data: ByteArray, most: int, *, final: bool) -> tuple[Cuts, int]:
        """The rows of a block, at most `most`; and the bytes that they take."""
        cuts = Cuts.room_for(min(len(data) // 2 + 1, most), len(self.wanted))
        wanted = np.full(self.cells, -1, np.int64)
        wanted[list(self.wanted)] = np.arange(len(self.wanted))
        if self.form is Form.SEPARATED:
            if len(self.separator) > 1:
                separator = np.frombuffer(self.separator, np.uint8)
                found = cut_between(data, separator, final, wanted, cuts)
            else:
                found = cut_separated(data, self.separator[0], self.quoting, final, wanted, cuts)
        elif self.form is Form.WORDS:
            found = cut_words(data, final, wanted, cuts)
        else:
            found = cut_columns(data, final, np.array(self.edges, np.int64), wanted, cuts)
        count, position = found
        return cuts.rows(slice(0, count)), position

    def numbers(self, data: ByteArray, cuts: Cuts) -> dict[str, FloatArray]:
        """The columns of numbers that the log has; NaN where a cell has none."""
        return {name: self.number(name, data, cuts) for name in self.sources}

    def number(self, name: str, data: ByteArray, cuts: Cuts) -> FloatArray:
        """One column of numbers: from the first of its cells that has one."""
        values = np.full(len(cuts.line), np.nan)
        for source in self.sources.get(name, ()):
            missing = np.isnan(values)
            if not missing.any():
                break
            found = self.read(data, cuts, source)
            values = np.where(missing & ~(found < 0), found, values)  # SWF has -1 for none
        return values

    def read(self, data: ByteArray, cuts: Cuts, source: NumberCell) -> FloatArray:
        k = self.place(source.cell)
        low, high = cuts.low[k], cuts.high[k]
        values = np.full(len(low), np.nan)
        if source.kind == WITHIN:
            key = np.frombuffer(source.key.encode(), np.uint8)
            read_within(data, low, high, key, values)
        elif source.kind == MEMORY:
            per = np.zeros(len(low), np.int8)
            read_memory(data, low, high, values, per)
            for mark, column in ((PER_CORE, "cores"), (PER_NODE, "nodes")):
                if (per == mark).any():
                    counts = self.number(column, data, cuts)
                    values = np.where(per == mark, values * counts, values)
        else:
            read_values(data, low, high, source.kind, values)
        return values * source.factor if source.factor != 1 else values


def text_column(title: str) -> str:
    """The name of a column of texts with this title: columns of numbers keep theirs."""
    name = "".join(c for c in title[:TITLE_CHARACTERS] if c.isprintable())
    return f"{name} (text)" if name in COLUMNS or name in NUMBERS else name


NO_LAYOUT: Final = Layout(Form.WORDS, 0, {}, {})
"""The layout of a log of which nothing is known yet."""


_MOST_JOULES: Final = 1e15
"""More is no energy: `sacct` writes 2^63 or 2^64 where a meter failed."""


@dataclass(frozen=True)
class JobRows:
    """The rows of a block by what they are; `job`, `task` and `step` as `read_jobs` has them."""

    layout: Layout
    data: ByteArray
    cuts: Cuts
    job: IntArray
    task: IntArray
    step: IntArray

    @classmethod
    def of(cls, layout: Layout, data: ByteArray, cuts: Cuts) -> "JobRows":
        rows = len(cuts.line)
        job, task, step = (np.zeros(rows, np.int64) for _ in range(3))
        if layout.job is None:
            step[:] = NO_STEP
        else:
            k = layout.place(layout.job)
            read_jobs(data, cuts.low[k], cuts.high[k], job, task, step)
        return cls(layout, data, cuts, job, task, step)

    def before(self, end: int) -> "JobRows":
        """The rows that begin before a byte."""
        row = int(np.searchsorted(self.cuts.row_from, end))
        if row == len(self.job):
            return self
        parts = (self.job[:row], self.task[:row], self.step[:row])
        return JobRows(self.layout, self.data, self.cuts.rows(slice(0, row)), *parts)

    @cached_property
    def begins_job(self) -> BoolArray:
        begins: BoolArray = self.step == NO_STEP
        return begins

    @cached_property
    def jobs(self) -> IntArray | slice:
        return slice(None) if self.begins_job.all() else np.flatnonzero(self.begins_job)

    @property
    def without_number(self) -> BoolArray:
        without: BoolArray = self.step == NO_JOB
        return without

    @property
    def is_step(self) -> BoolArray:
        found: BoolArray = self.step > NO_STEP
        return found

    @cached_property
    def owners(self) -> IntArray:
        """For each step, the row of its job, which stands before it; -1 for none, and for rows that
        are no steps.
        """
        if not self.is_step.any():
            return np.full(len(self.job), -1)
        rows = np.arange(len(self.job))
        last = np.maximum.accumulate(np.where(self.begins_job, rows, -1))
        there = self.is_step & (last >= 0)
        same = (self.job[last] == self.job) & (self.task[last] == self.task)
        return np.where(there & same, last, -1)

    def numbers(self) -> dict[str, np.ndarray[Any, Any]]:
        """The columns of numbers of the jobs."""
        jobs = self.cuts.rows(self.jobs)
        found: dict[str, np.ndarray[Any, Any]] = dict(self.layout.numbers(self.data, jobs))
        watts = found.pop("watts", None)
        if "joules" in found:
            found["joules"] = self._joules()[self.jobs]
        _derive(found, watts)
        if self.layout.job is not None:
            found["job"], found["task"] = self.job[self.jobs], self.task[self.jobs]
        return found

    def _joules(self) -> FloatArray:
        """The energy of each job: its own, else that of its steps. The batch step counts all that
        ran on its first node, the numbered steps count all nodes: the larger is that of the job.
        """
        joules = self.layout.number("joules", self.data, self.cuts)
        joules[(joules < 0) | (joules > _MOST_JOULES)] = np.nan
        owners = self.owners
        known = ~np.isnan(joules) & (owners >= 0)
        first, others = known & (self.step == BATCH_STEP), known & (self.step == NUMBERED_STEP)
        batch, numbered = np.zeros(len(joules)), np.zeros(len(joules))
        np.maximum.at(batch, owners[first], joules[first])
        np.add.at(numbered, owners[others], joules[others])
        of_steps = np.maximum(batch, numbered)
        own = np.nan_to_num(joules) > 0
        return np.where(~own & (of_steps > 0), of_steps, joules)


def _derive(found: dict[str, np.ndarray[Any, Any]], watts: FloatArray | None) -> None:
    """Fill in what follows from other columns: the duration, the end, the energy.

    Clocks change: a job's own duration is right where the difference of its moments is not.
    """
    start, end, elapsed = found.get("start"), found.get("end"), found.get("elapsed")
    if start is not None and end is not None:
        between = np.where(end >= start, end - start, np.nan)
        found["elapsed"] = between if elapsed is None else _first(elapsed, between)
    elapsed = found.get("elapsed")
    if start is not None and elapsed is not None:
        found["end"] = start + elapsed if end is None else _first(start + elapsed, end)
    if end is not None and elapsed is not None:
        found["start"] = end - elapsed if start is None else _first(start, end - elapsed)
    if watts is not None and elapsed is not None:
        energy = watts * elapsed
        joules = found.get("joules")
        found["joules"] = energy if joules is None else _first(joules, energy)


def _first(values: FloatArray, others: FloatArray) -> FloatArray:
    return np.where(np.isnan(values), others, values)
