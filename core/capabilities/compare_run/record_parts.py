"""The records of a run on disk, in parts: the memory does not depend on how many there are."""

import tempfile
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.vocabulary.arrays import IntArray

PART_SIZE: Final = 1 << 18
"""Records and tasks of a part, more or less: a machine is never divided."""

RECORD: Final = np.dtype(
    [
        ("task", "i8"),
        ("job", "i8"),
        ("start", "f8"),
        ("end", "f8"),
        ("joules", "f8"),
        ("node", "i4"),
        ("state", "i4"),
    ]
)
"""One start of a task. `node` and `state` are numbers of texts of a log, -1 for unknown ones."""

RecordArray = np.ndarray[Any, Any]
"""An array of `RECORD`s."""


class RecordParts:
    """Files below a folder, each with the records of some machines that follow each other.

    `sizes` says how many records and tasks each machine has. Part p has the machines from
    `first[p]` to before `first[p + 1]`; every machine is in a part.
    """

    def __init__(self, folder: Path, sizes: IntArray) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="parts-", dir=folder))
        before = np.cumsum(sizes) - sizes
        _, first, self._part = np.unique(
            before // PART_SIZE, return_index=True, return_inverse=True
        )
        self.first: IntArray = np.append(first, len(sizes))

    def __len__(self) -> int:
        return len(self.first) - 1

    def add(self, machine: IntArray, records: RecordArray) -> None:
        """Append records, each of a machine."""
        part = self._part[machine]
        order = np.argsort(part, kind="stable")
        bounds = np.searchsorted(part[order], np.arange(len(self) + 1))
        for number in np.flatnonzero(np.diff(bounds)).tolist():
            with self._path(number).open("ab") as stream:
                stream.write(records[order[bounds[number] : bounds[number + 1]]].data)

    def read(self, number: int) -> RecordArray:
        """The records of a part, in the order in which they were added."""
        path = self._path(number)
        return np.fromfile(path, RECORD) if path.exists() else np.zeros(0, RECORD)

    def _path(self, number: int) -> Path:
        return self._folder / str(number)
