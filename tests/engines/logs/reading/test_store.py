"""Runs that are written block by block are read back, in blocks of any size."""

import math
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from core.engines.logs.reading import limits, store
from core.engines.logs.reading.rejections import rejecting
from core.engines.logs.reading.store import (
    COLUMNS,
    LogFile,
    RunStore,
    RunWriter,
    Stopped,
    StoredTexts,
)


def bytes_of(*values: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The texts one after the other, with where each begins and ends."""
    ends = np.cumsum([len(value) for value in values]).astype(np.int32)
    begins = np.concatenate([[0], ends[:-1]]).astype(np.int32)
    return np.frombuffer("".join(values).encode() + b"\0", np.uint8), begins, ends


def written(folder: Path) -> RunStore:
    """Two blocks of runs; the column `name` comes with the second."""
    writer = RunWriter(folder)
    writer.add(3, {"elapsed": np.array([1.0, math.nan, 3.0])}, {})
    names = writer.texts_of("name").numbers(*bytes_of("b", "a", "b"))
    numbers = {"cores": np.array([4.0, -1.0, math.nan]), "memory": np.array([1.5, math.inf, 2.0])}
    writer.add(3, numbers, {"name": names})
    with rejecting(writer.folder) as rejections:
        rejections.count("step", 2)
    return writer.close([LogFile("log", "runs", "d" * 64, 10, 8)], rejections)


def test_columns_come_back(tmp_path: Path) -> None:
    found = written(tmp_path)
    assert (len(found), found.rows, found.rejected) == (6, 8, {"step": 2})
    assert found.known == {"elapsed", "cores", "memory"}
    assert found.texts == ("name",)
    assert [found.values("name")[k] for k in found.column("name")] == ["", "", "", "b", "a", "b"]
    assert found.column("cores").tolist() == [0, 0, 0, 4, 0, 0]
    np.testing.assert_array_equal(found.column("memory")[3:], [1.5, np.nan, 2.0])
    np.testing.assert_array_equal(found.column("elapsed"), [1, np.nan, 3, *[np.nan] * 3])
    assert found.column("task").tolist() == [-1] * 6
    assert found.column("task", 3, 5).tolist() == [-1] * 2
    assert {name: found.column(name).dtype.str[1:] for name in COLUMNS} == dict(COLUMNS)
    assert (found.folder.parent, found.folder.name[:15]) == (tmp_path, "wattfront-runs-")
    assert found.rejected_rows.read_text().startswith("reason,log,line,row")
    assert (found.is_table, found.notes) == (True, ())
    found.logs = (*found.logs, LogFile("dump", "sacct", "d" * 64, 10, 8, note="is odd"))
    assert (found.is_table, found.notes) == (False, ("dump: is odd",))
    found.close()
    assert not found.folder.exists()
    found.close()  # what is gone already does no harm


@pytest.mark.parametrize("block", [1, 2, 4, 6, 7])
def test_blocks_have_all_runs_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(store, "_BLOCK", block)
    found = written(tmp_path)
    parts = [part["cores"].tolist() for part in found.blocks(["cores"])]
    assert [len(part) for part in parts] == [block] * (6 // block) + [6 % block] * bool(6 % block)
    assert [*chain.from_iterable(parts)] == [0, 0, 0, 4, 0, 0]
    assert found.column("cores", 3, 5).tolist() == [4, 0]
    found.close()


def test_reading_can_be_stopped(tmp_path: Path) -> None:
    found = written(tmp_path)
    with pytest.raises(Stopped):
        next(found.until(lambda: True).parts(["cores"]))
    assert next(found.parts(["cores"]))
    found.close()


@pytest.mark.parametrize(("few", "held"), [(3, True), (2, False)])
def test_a_few_different_texts_are_held_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int, held: bool
) -> None:
    monkeypatch.setattr(store, "_FEW", few)
    texts = written(tmp_path).values("name")
    assert ([*texts], isinstance(texts, tuple)) == (["", "b", "a"], held)


def test_there_are_only_so_many_columns_of_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TEXT_COLUMNS", 1)
    writer = RunWriter(tmp_path)
    assert writer.takes("name")
    writer.texts_of("name")
    assert writer.takes("name")
    assert not writer.takes("state")
    writer.abandon()
    assert list(tmp_path.iterdir()) == []
    writer.abandon()  # what is gone already does no harm


def test_what_was_added_since_a_mark_is_forgotten(tmp_path: Path) -> None:
    """Columns that came since are as if they had never been there, also if they come again."""
    writer = RunWriter(tmp_path)
    writer.add(2, {"elapsed": np.array([1.0, 2.0])}, {})
    mark = writer.mark()
    names = writer.texts_of("name").numbers(*bytes_of("bad", "bad"))
    writer.add(2, {"elapsed": np.array([8.0, 9.0]), "joules": np.full(2, 7.0)}, {"name": names})
    forgotten = writer._files["joules"]
    writer.back_to(mark)
    assert forgotten.closed
    writer.add(1, {"elapsed": np.array([3.0])}, {})
    names = writer.texts_of("name").numbers(*bytes_of("good"))
    writer.add(1, {"elapsed": np.array([4.0]), "joules": np.array([5.0])}, {"name": names})
    with rejecting(writer.folder) as rejections:
        found = writer.close([LogFile("log", "runs", "d" * 64, 10, 4)], rejections)
    assert found.known == {"elapsed", "joules"}
    assert found.column("elapsed").tolist() == [1, 2, 3, 4]
    np.testing.assert_array_equal(found.column("joules"), [np.nan] * 3 + [5])
    assert [found.values("name")[k] for k in found.column("name")] == ["", "", "", "good"]
    sizes = {path.name: path.stat().st_size for path in found.folder.iterdir()}
    assert (sizes["joules"], sizes["elapsed"]) == (32, 32)
    found.close()


def test_names_may_have_more_different_values_than_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MANY_VALUES", 600)
    monkeypatch.setattr(limits, "VALUES", 512)
    writer = RunWriter(tmp_path)
    words = [f"w{k}" for k in range(2_000)]
    names = writer.texts_of("name").numbers(*bytes_of(*words))
    states = writer.texts_of("state").numbers(*bytes_of(*words))
    assert (len({*names.tolist()}), len({*states.tolist()})) == (600, 512)
    writer.abandon()


CUT_OFF = ("x" * 999 + "ä").encode()[:1000]
"""Its last character was cut off."""
TEXTS = [b"a", b"", "näh".encode(), "näh".encode("latin-1"), b"x" * 998 + "ä".encode()[:1], CUT_OFF]


def stored(folder: Path, texts: list[bytes]) -> StoredTexts:
    file = folder / "values"
    file.write_bytes(b"".join(texts))
    return StoredTexts(file, np.cumsum([0, *map(len, texts)]))


def test_texts_are_read_one_by_one_and_all_together(tmp_path: Path) -> None:
    texts = stored(tmp_path, TEXTS)
    assert [*texts] == ["a", "", "näh", "näh", "x" * 998 + "Ã", "x" * 999]
    assert [texts[k] for k in range(len(texts))] == [*texts]
    assert (texts[-3], texts[1:3]) == ("näh", ["", "näh"])
    with pytest.raises(IndexError):
        texts[6]


@pytest.mark.parametrize("count", [0, (1 << 14) - 1, 1 << 14, (1 << 14) + 1])
def test_many_texts_are_read_in_parts(tmp_path: Path, count: int) -> None:
    texts = stored(tmp_path, [b"%d" % k for k in range(count)])
    assert [*texts] == [str(k) for k in range(count)]
