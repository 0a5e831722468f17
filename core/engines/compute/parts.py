"""Results of runs on disk as they come, and the one file that is made of them at the end.

Parts are Parquet files in a folder beside the file. The file has the rows in the order of the runs,
so it is the same to the last bit whatever computed them, in which order, and however often it was
interrupted. Whoever is killed goes on with the runs that no part has.
"""

import fcntl
import json
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Self

import numpy as np

from core.files.disk import cannot_write, explained, name_beside, replacing
from core.vocabulary.arrays import IntArray
from core.vocabulary.problems import InvalidInput, Problem

if TYPE_CHECKING:
    import pyarrow as pa

RUN: Final = "run"
"""The column with the number of the run, from 0 on."""
RESULT_SUFFIXES: Final = (".parquet", ".csv")
_QUESTION: Final = "question.json"
_LOCK: Final = "lock"
_ROWS_IN_A_GROUP: Final = 100_000


def folder_of_parts(path: Path) -> Path:
    """Where the parts of a file are until it is complete."""
    return path.with_name(f"{path.name}.parts")


class RowsInMemory:
    """Rows that nobody keeps; used as `ResultParts` are."""

    def __init__(self, schema: "pa.Schema") -> None:
        self.done = np.empty(0, np.int64)
        self._schema = schema
        self._tables = [schema.empty_table()]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def add(self, rows: Sequence[tuple[Any, ...]]) -> None:
        self._tables.append(_as_table(rows, self._schema))

    def table(self) -> "pa.Table":
        """The rows so far, by run."""
        import pyarrow as pa

        return pa.concat_tables(self._tables).sort_by(RUN)

    def join(self) -> None:
        """There is no file to make."""


class ResultParts:
    """The parts of the file at `path`, one row a run, in a folder that nobody else uses meanwhile.

    `question` is all that the results depend on, and is kept beside them: parts of another question
    are refused. Use it as a context; the parts stay until `join` has made the file of them.
    """

    def __init__(self, path: Path, question: Mapping[str, object], schema: "pa.Schema") -> None:
        """Raises `InvalidInput` if the folder belongs to another question, is in use, or cannot be
        written.
        """
        self.path, self.folder = path, folder_of_parts(path)
        self._schema = schema
        self._lock: IO[bytes] | None = None
        self._next = 0
        with explained(self.folder):
            self.folder.mkdir(exist_ok=True)
            self._lock = _locked(self.folder)
        try:
            self._claim(question)
            self.done = self._found()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the parts to others."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def add(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Keep these rows, each with its run first. They are on disk when this returns."""
        import pyarrow.parquet as pq

        table = _as_table(rows, self._schema)
        with explained(self.folder):
            beside = name_beside(self.folder / "part")
            pq.write_table(table, beside)
            beside.replace(self.folder / f"{self._next:08}.parquet")
        self._next += 1
        self.done = np.union1d(self.done, [row[0] for row in rows])

    def table(self) -> "pa.Table":
        """The rows so far, by run."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        tables = [pq.read_table(part) for part in self._parts()]
        return pa.concat_tables([self._schema.empty_table(), *tables]).sort_by(RUN)

    def join(self) -> None:
        """Make the file of all parts, and remove them."""
        table = self.table().combine_chunks()
        with replacing(self.path) as stream:
            write_table(table, self.path.suffix, stream)
        with suppress(OSError):
            shutil.rmtree(self.folder)

    def _claim(self, question: Mapping[str, object]) -> None:
        """Say whose parts these are, or refuse those of another question."""
        asked = digest_of(question)
        beside = self.folder / _QUESTION
        with explained(self.folder):
            there = beside.read_text(encoding="utf-8") if beside.exists() else None
        if there is None:
            with replacing(beside) as stream:
                stream.write(json.dumps({"digest": asked, "question": question}).encode())
            return
        if _digest_in(there) != asked:
            raise InvalidInput(
                [
                    Problem(
                        str(self.folder),
                        "",
                        "",
                        f"has {len(self._parts())} parts of another question, which was not "
                        "finished; finish that one, or remove this folder, or name another file",
                    )
                ]
            )

    def _found(self) -> IntArray:
        """The runs of all parts. What was not written to its end is removed, and computed again."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        for begun in self.folder.glob(".wattfront-*"):
            begun.unlink(missing_ok=True)
        runs: list[IntArray] = []
        for part in self._parts():
            try:
                table = pq.read_table(part, schema=self._schema)
                runs.append(table[RUN].to_numpy())
            except (pa.ArrowException, OSError):
                part.unlink()
                continue
            self._next = int(part.stem) + 1
        return np.unique(np.concatenate([np.empty(0, np.int64), *runs]))

    def _parts(self) -> list[Path]:
        return sorted(self.folder.glob("[0-9]*.parquet"))


def _as_table(rows: Sequence[tuple[Any, ...]], schema: "pa.Schema") -> "pa.Table":
    import pyarrow as pa

    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.table(arrays, schema=schema)


def write_table(table: "pa.Table", suffix: str, stream: Any) -> None:
    """Write a table as Parquet or CSV. Equal tables give equal bytes."""
    if suffix.casefold() == ".csv":
        from pyarrow import csv

        csv.write_csv(table, stream, csv.WriteOptions(quoting_style="needed"))
        return
    import pyarrow.parquet as pq

    pq.write_table(table, stream, row_group_size=_ROWS_IN_A_GROUP)


def digest_of(question: Mapping[str, object]) -> str:
    return sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()


def _digest_in(text: str) -> object:
    try:
        return json.loads(text).get("digest")
    except (ValueError, AttributeError):
        return None


def _locked(folder: Path) -> IO[bytes]:
    """A file that is locked while it is open, also if its process is killed."""
    lock = (folder / _LOCK).open("wb")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        why = "another process computes this file now; wait until it has ended"
        raise cannot_write(folder, why) from None
    return lock
