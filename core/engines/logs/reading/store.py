"""Runs on disk, one array a column: any log takes little memory, however many rows it has."""

import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import numpy as np

from core.engines.logs.reading import limits
from core.engines.logs.reading.rejections import REJECTED_ROWS, Example, Rejections
from core.engines.logs.reading.texts import PackedTexts, TextRoom, Texts, decoded
from core.vocabulary.arrays import IntArray
from core.vocabulary.budget import Cancelled, never

COLUMNS: Final[Mapping[str, str]] = {
    "job": "i8",
    "task": "i4",
    "submit": "f8",
    "start": "f8",
    "end": "f8",
    "elapsed": "f8",
    "limit": "f4",
    "nodes": "i4",
    "cores": "i4",
    "gpus": "i4",
    "memory": "f4",
    "joules": "f8",
    "log": "i2",
    "line": "i8",
}
"""What is known of each run. Moments and durations are in seconds, memory in MiB, energy in joules;
NaN, or 0 for counts, where the log does not say. `task` is the task of a job array, -1 for none;
see `core.engines.logs.reading.values.read_jobs`. `log` and `line` say where the run stands.
"""

_MANY: Final = frozenset({"name", "nodelist", "machine"})
_DESCRIPTION: Final = "store.json"
_BLOCK: Final = 1 << 19
"""Runs that are read at once."""
_FEW: Final = 10_000
"""Different texts of a column that are held in memory."""
_TEXTS_AT_ONCE: Final = 1 << 14
"""Texts that are read together."""


class Stopped(Cancelled):
    """Reading a log was cancelled."""


@dataclass(frozen=True, slots=True)
class LogFile:
    """A log that was read: its format, its SHA-256, its bytes on disk, its rows."""

    name: str
    format: str
    digest: str
    bytes: int
    rows: int
    facts: Mapping[str, str] = field(default_factory=dict)
    """What the comments of an SWF log say."""
    note: str = ""
    """What is odd about its columns, in a sentence."""


class RunStore:
    """The runs of some logs, as `RunWriter` wrote them into a folder.

    >>> len(store), store.column("elapsed").sum()
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        described: dict[str, Any] = json.loads((folder / _DESCRIPTION).read_text("utf-8"))
        self.runs: int = described["runs"]
        self.rows: int = described["rows"]
        self.logs = tuple(LogFile(**log) for log in described["logs"])
        self.known: frozenset[str] = frozenset(described["known"])
        """Columns of numbers that the logs have."""
        self.texts: tuple[str, ...] = tuple(described["texts"])
        """Columns of texts that the logs have."""
        self.dropped: dict[str, int] = described["dropped"]
        """How many texts of a column are not kept, because there were too many different ones."""
        self.refused: tuple[str, ...] = tuple(described["refused"])
        """Logs that could not be read and were left out, each with the reason."""
        self.rejected: dict[str, int] = described["rejected"]
        """Rows that are no runs, by reason."""
        self.examples: dict[str, list[Example]] = {
            reason: [Example(*example) for example in examples]
            for reason, examples in described["examples"].items()
        }
        self._values: dict[str, Sequence[str]] = {}
        self._should_stop: Callable[[], bool] = never

    def __len__(self) -> int:
        return self.runs

    def column(self, name: str, first: int = 0, last: int | None = None) -> np.ndarray[Any, Any]:
        """A column of numbers, or the numbers of the texts of a column; of all runs, or of those
        from `first` to before `last`.
        """
        kind = np.dtype(COLUMNS.get(name, "i4"))
        last = self.runs if last is None else min(last, self.runs)
        if name in COLUMNS and name not in self.known:
            return _unknown(name, last - first)
        path = self.folder / _file_of(name, self.texts)
        return np.fromfile(path, kind, last - first, offset=first * kind.itemsize)

    def blocks(self, names: Iterable[str]) -> Iterator[dict[str, np.ndarray[Any, Any]]]:
        """The columns of these names, many runs at a time."""
        return (block for _, block in self.parts(names))

    def until(self, should_stop: Callable[[], bool]) -> "RunStore":
        """The same store. Once this says so, its `parts` and `blocks` raise `Stopped`."""
        watched = copy(self)
        watched._should_stop = should_stop
        return watched

    def parts(
        self, names: Iterable[str]
    ) -> Iterator[tuple[slice, dict[str, np.ndarray[Any, Any]]]]:
        """Which runs they are, and these columns of them, many runs at a time."""
        columns = tuple(dict.fromkeys(names))
        for first in range(0, self.runs, _BLOCK):
            if self._should_stop():
                raise Stopped
            rows = slice(first, min(first + _BLOCK, self.runs))
            yield rows, {name: self.column(name, first, rows.stop) for name in columns}

    @property
    def notes(self) -> tuple[str, ...]:
        """What is odd about the columns of logs, in sentences."""
        return tuple(f"{log.name}: {log.note}" for log in self.logs if log.note)

    @property
    def is_table(self) -> bool:
        """Whether all logs are tables of runs. Somebody has put their task types together."""
        return all(log.format == "runs" for log in self.logs)

    def values(self, name: str) -> Sequence[str]:
        """The different texts of a column, in the order of their numbers."""
        if name not in self._values:
            number = self.texts.index(name)
            texts = StoredTexts(
                self.folder / f"values-{number}",
                np.fromfile(self.folder / f"ends-{number}", np.int64),
            )
            self._values[name] = tuple(texts) if len(texts) <= _FEW else texts
        return self._values[name]

    @property
    def rejected_rows(self) -> Path:
        """A CSV file of broken rows: reason, log, line, and the row as it is."""
        return self.folder / REJECTED_ROWS

    def close(self) -> None:
        """Remove the store from disk."""
        shutil.rmtree(self.folder, ignore_errors=True)


class StoredTexts(PackedTexts):
    """Texts that lie in a file one after the other; text k is the bytes `ends[k]` to `ends[k + 1]`.
    They are read when they are asked for.
    """

    def __init__(self, file: Path, ends: IntArray) -> None:
        self._ends = ends
        self._file = os.open(file, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def text(self, number: int) -> str:
        return next(self._read(number, number + 1))

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), _TEXTS_AT_ONCE):
            yield from self._read(first, min(first + _TEXTS_AT_ONCE, len(self)))

    def _read(self, first: int, last: int) -> Iterator[str]:
        ends = self._ends[first : last + 1].tolist()
        content = os.pread(self._file, ends[-1] - ends[0], ends[0])
        for low, high in pairwise(ends):
            yield decoded(content[low - ends[0] : high - ends[0]])


class RunWriter:
    """Collects runs block by block, and closes into a `RunStore`."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="wattfront-runs-", dir=folder))
        self.runs = 0
        self._files: dict[str, BinaryIO] = {}
        self._texts: dict[str, Texts] = {}
        self._room = TextRoom(limits.TEXT_BYTES)
        self._known: set[str] = set()

    def texts_of(self, name: str) -> Texts:
        """The texts of a column; there are only so many columns."""
        if name not in self._texts:
            most = limits.MANY_VALUES if name in _MANY else limits.VALUES
            self._texts[name] = Texts(most, self._room)
            self._write(name, self._blanks(name, self.runs))
        return self._texts[name]

    def takes(self, name: str) -> bool:
        """Whether there is room for a column of texts."""
        return name in self._texts or len(self._texts) < limits.TEXT_COLUMNS

    def add(
        self,
        runs: int,
        numbers: Mapping[str, np.ndarray[Any, Any]],
        texts: Mapping[str, np.ndarray[Any, Any]],
    ) -> None:
        """Append runs; columns of numbers and texts that are not given are unknown."""
        for name in numbers.keys() - self._known:
            self._known.add(name)
            self._write_unknown(name, self.runs)
        for name in self._known:
            if name in numbers:
                self._write(name, _as(numbers[name], COLUMNS[name]))
            else:
                self._write_unknown(name, runs)
        for name in self._texts:
            found = texts.get(name)
            self._write(name, self._blanks(name, runs) if found is None else found)
        self.runs += runs

    def _write_unknown(self, name: str, runs: int) -> None:
        for first in range(0, runs, _BLOCK):
            self._write(name, _unknown(name, min(runs - first, _BLOCK)))

    def _blanks(self, name: str, runs: int) -> np.ndarray[Any, Any]:
        """The number of the blank text, for each of some runs."""
        nothing = np.zeros(1, np.int32)
        no_bytes = np.frombuffer(b"\0", np.uint8)
        return np.resize(self._texts[name].numbers(no_bytes, nothing, nothing), runs)

    def _write(self, name: str, values: np.ndarray[Any, Any]) -> None:
        if name not in self._files:
            path = self.folder / _file_of(name, tuple(self._texts))
            self._files[name] = path.open("wb")
        self._files[name].write(np.ascontiguousarray(values).data)

    def mark(self) -> "WriterMark":
        """What was added so far."""
        return WriterMark(self.runs, frozenset(self._known), len(self._texts))

    def back_to(self, mark: "WriterMark") -> None:
        """Forget the runs that were added since, and their columns."""
        for name in {*self._files} - mark.known - {*list(self._texts)[: mark.texts]}:
            self._files.pop(name).close()
        self._known = {*mark.known}
        for name in list(self._texts)[mark.texts :]:
            del self._texts[name]
        for name, file in self._files.items():
            file.seek(mark.runs * np.dtype(COLUMNS.get(name, "i4")).itemsize)
            file.truncate()
        self.runs = mark.runs

    def close(
        self, logs: Sequence[LogFile], rejections: Rejections, refused: Sequence[str] = ()
    ) -> RunStore:
        """The store of all that was added; logs that were left out are named in `refused`."""
        for file in self._files.values():
            file.close()
        for number, texts in enumerate(self._texts.values()):
            ends = [0]
            with (self.folder / f"values-{number}").open("wb") as stream:
                for value in texts.values():
                    stream.write(value)
                    ends.append(ends[-1] + len(value))
            np.array(ends, np.int64).tofile(self.folder / f"ends-{number}")
        described = {
            "runs": self.runs,
            "rows": sum(log.rows for log in logs),
            "logs": [asdict(log) for log in logs],
            "known": sorted(self._known),
            "texts": list(self._texts),
            "dropped": {name: texts.dropped for name, texts in self._texts.items()},
            "refused": list(refused),
            "rejected": rejections.counts,
            "examples": rejections.examples,
        }
        (self.folder / _DESCRIPTION).write_text(json.dumps(described), "utf-8")
        return RunStore(self.folder)

    def abandon(self) -> None:
        """Remove what was written."""
        for file in self._files.values():
            file.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class WriterMark(NamedTuple):
    """What had been added at a moment: runs, columns of numbers, and how many of texts."""

    runs: int
    known: frozenset[str]
    texts: int


def _unknown(name: str, runs: int) -> np.ndarray[Any, Any]:
    """A column of runs of which it is not known."""
    kind = COLUMNS[name]
    blank = -1 if name == "task" else np.nan if kind[0] == "f" else 0
    return np.full(runs, blank, kind)


def _file_of(name: str, texts: Sequence[str]) -> str:
    return name if name in COLUMNS else f"text-{texts.index(name)}"


def _as(values: np.ndarray[Any, Any], kind: str) -> np.ndarray[Any, Any]:
    """The values as the column has them: counts that are unknown or absurd are 0."""
    if values.dtype.kind == "f" and kind[0] == "i":
        top = np.iinfo(kind).max
        with np.errstate(invalid="ignore"):
            sound = (values >= 0) & (values <= top)
        return np.where(sound, values, 0).astype(kind)
    if kind != "f4":
        return values.astype(kind, copy=False)
    with np.errstate(over="ignore"):
        found = values.astype(kind)
    return np.where(np.isfinite(found), found, np.nan).astype(kind)
