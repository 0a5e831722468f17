"""The file of a sweep has the same bytes however it came to be, and no run is lost or twice."""

import pytest

from core.engines.compute.parts import ResultParts, RowsInMemory, digest_of, folder_of_parts
from core.vocabulary.problems import InvalidInput

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

SCHEMA = pa.schema([("run", pa.int64()), ("value", pa.float64()), ("why", pa.string())])
QUESTION = {"of": "squares"}
ROWS = [(run, None if run == 4 else run / 3, "four" if run == 4 else None) for run in range(10)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "sweep.parquet"


def parts(path, question=QUESTION):
    return ResultParts(path, question, SCHEMA)


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_the_file_has_the_same_bytes_in_any_order_and_any_parts(tmp_path, suffix):
    contents = set()
    for number, chunks in enumerate(
        ([ROWS], [ROWS[5:], ROWS[:5]], [[row] for row in reversed(ROWS)])
    ):
        path = tmp_path / f"{number}{suffix}"
        with parts(path) as kept:
            for chunk in chunks:
                kept.add(chunk)
            kept.join()
        contents.add(path.read_bytes())
        assert not folder_of_parts(path).exists()
    assert len(contents) == 1


def test_what_is_read_is_what_was_kept(path):
    with parts(path) as kept:
        kept.add(ROWS[::-1])
        kept.join()
    assert [tuple(row.values()) for row in pq.read_table(path).to_pylist()] == ROWS


def test_csv_is_text(tmp_path):
    path = tmp_path / "sweep.csv"
    with parts(path) as kept:
        kept.add([(0, 0.1, None), (1, None, 'no "machine", none')])
        kept.join()
    assert path.read_text().splitlines() == [
        '"run","value","why"', "0,0.1,", '1,,"no ""machine"", none"',
    ]  # fmt: skip


def test_an_interrupted_one_goes_on(path):
    with parts(path) as kept:
        kept.add(ROWS[3:6])
    assert not path.exists()
    with parts(path) as kept:
        assert kept.done.tolist() == [3, 4, 5]
        kept.add(ROWS[:3])
        assert kept.done.tolist() == [0, 1, 2, 3, 4, 5]
        assert kept.table()["run"].to_pylist() == [0, 1, 2, 3, 4, 5]


def test_a_part_that_was_not_written_to_its_end_is_computed_again(path):
    with parts(path) as kept:
        kept.add(ROWS[:5])
        kept.add(ROWS[5:])
    first, second = sorted(folder_of_parts(path).glob("0*.parquet"))
    second.write_bytes(second.read_bytes()[:-9])
    (folder_of_parts(path) / ".wattfront-begun").write_bytes(b"PAR1")
    with parts(path) as kept:
        assert kept.done.tolist() == [0, 1, 2, 3, 4]
        kept.add(ROWS[5:])
        kept.join()
    assert pq.read_table(path).num_rows == 10
    assert first.name == "00000000.parquet"


def test_parts_of_another_question_are_refused(path):
    with parts(path) as kept:
        kept.add(ROWS[:5])
    with pytest.raises(InvalidInput, match="1 parts of another question"):
        parts(path, {"of": "cubes"})
    (folder_of_parts(path) / "question.json").write_text("[")
    with pytest.raises(InvalidInput, match="another question"):
        parts(path)


def test_two_at_once_are_refused(path):
    with parts(path), pytest.raises(InvalidInput, match="another process computes this file now"):
        parts(path)
    with parts(path):
        pass


def test_a_place_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InvalidInput, match="cannot be written"):
        parts(tmp_path / "file" / "sweep.parquet")
    with pytest.raises(InvalidInput, match="cannot be written"):
        parts(tmp_path / "none" / "sweep.parquet")


def test_equal_questions_have_equal_digests():
    assert digest_of({"a": 1, "b": [0.1]}) == digest_of({"b": [0.1], "a": 1})
    assert digest_of({"a": 1}) != digest_of({"a": 2})


def test_rows_in_memory_are_sorted_too():
    with RowsInMemory(SCHEMA) as kept:
        assert kept.table().num_rows == 0
        kept.add(ROWS[5:])
        kept.add(ROWS[:5])
        kept.join()
        assert kept.done.tolist() == []
        assert [tuple(row.values()) for row in kept.table().to_pylist()] == ROWS
