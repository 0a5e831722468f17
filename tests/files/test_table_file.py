"""A file is one table: of any encoding, of a workbook the sheet of its title or the only one."""

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from books import book
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.files.columns import ReadColumns, read_columns
from core.files.findings import Findings, Unreadable
from core.files.schema import Column
from core.files.table_file import read_plain_columns, read_table, sheet_of_table
from core.files.text import sheet_of_text


def rows(data, title="map"):
    sheet = sheet_of_table("t", data, title, Findings())
    return sheet.label, [row.cells for row in sheet.fitted_rows(Findings())]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_csv(encoding):
    assert rows("a;b\n計;2\n".encode(encoding)) == ("t", [["a", "b"], ["計", "2"]])


def test_of_a_workbook_the_sheet_of_the_title_or_the_only_one():
    data = book({"other": [["x"]], "Map": [["a", "b"], [1, "n[1-2]"]]})
    assert rows(data) == ("t [Map]", [["a", "b"], ["1", "n[1-2]"]])
    assert rows(book({"other": [["x"]]})) == ("t [other]", [["x"]])
    with pytest.raises(Unreadable, match="has no sheet 'map', but one, two; rename one"):
        rows(book({"one": [["x"]], "two": [["y"]]}))


@pytest.mark.parametrize("data", [b"PK\x03\x04" + b"\0" * 40, b"a\0b", b"\xd0\xcf\x11\xe0" * 99])
def test_what_is_no_table_is_refused(data):
    with pytest.raises(Unreadable):
        rows(data)


def test_so_is_one_that_is_too_large(monkeypatch):
    monkeypatch.setattr("core.files.limits.FILE_BYTES", 5)
    assert rows(b"a\nbcd") == ("t", [["a"], ["bcd"]])
    with pytest.raises(Unreadable, match="is larger than"):
        rows(b"a\nbcde")


WANTED = (
    Column("arrival", "number"),
    Column("job", "name", ""),
    Column("kind", "name", "usual"),
    Column("units", "whole", 1),
    Column("watts", "number", np.nan),
)
CELLS = {
    "arrival": st.sampled_from(
        ["0", "1.5", "-2", "1e3", ".5", "7.", "", "x", " 3", "1e999", "nan"]
    ),
    "job": st.sampled_from(["a", "b", "", "'=1", "=2", " c ", "ü", "NA", "null", "3", "x" * 300]),
    "kind": st.sampled_from(["", "usual", "other", "  "]),
    "units": st.sampled_from(["1", "12", "", "2.0", "9007199254740993", "-4", "1e3", "x"]),
    "watts": st.sampled_from(["1", "", "inf", "NaN", "0.1", "2,5"]),
}
GOOD = {
    "arrival": st.floats(0, 1e9).map(repr),
    "job": st.sampled_from(["a", "b", "", "'=1", " c ", "ü", "NA", "null", "3"]),
    "kind": st.sampled_from(["", "usual", "other"]),
    "units": st.integers(-5, 10**12).map(str),
    "watts": st.floats(0, 1e300).map(repr) | st.just(""),
}


def both(text: str) -> tuple[ReadColumns | None, ReadColumns | None, Findings]:
    findings = Findings()
    careful = read_columns(sheet_of_text(text, "t.csv", findings), WANTED, findings)
    return read_plain_columns("t.csv", text.encode(), WANTED, Findings()), careful, findings


def text_of(rows: list[dict[str, str]], columns: list[str]) -> str:
    lines = [columns, *([row[column] for column in columns] for row in rows)]
    return "".join(",".join(line) + "\n" for line in lines)


def assert_same(plain: ReadColumns, careful: ReadColumns) -> None:
    assert np.array_equal(plain.lines, careful.lines)
    assert plain.there == careful.there
    for name, found in careful.texts.items():
        mine = plain.texts[name]
        assert (mine.names, mine.code.tolist()) == (found.names, found.code.tolist())
    for name, values in careful.numbers.items():
        assert np.array_equal(plain.numbers[name], values, equal_nan=True)
    for name, wholes in careful.wholes.items():
        assert np.array_equal(plain.wholes[name], wholes)


@examples(60)
@given(st.lists(st.fixed_dictionaries(CELLS), max_size=5), st.permutations(list(CELLS)))
def test_both_readers_agree_on_odd_cells(rows: list[dict[str, str]], columns: list[str]) -> None:
    plain, careful, findings = both(text_of(rows, columns))
    if plain is not None:
        assert not findings.failed
        assert careful is not None
        assert_same(plain, careful)


@examples(30)
@given(st.lists(st.fixed_dictionaries(GOOD), min_size=1, max_size=8), st.integers(1, 5))
def test_plain_files_are_read_fast_and_equally(rows: list[dict[str, str]], columns: int) -> None:
    plain, careful, findings = both(text_of(rows, list(GOOD)[:columns]))
    assert not findings.failed
    assert careful is not None
    if columns > 1:  # a single blank cell is a blank line
        assert plain is not None
        assert_same(plain, careful)


@pytest.mark.parametrize(
    "text",
    [
        'arrival,job\n1,"a"\n',
        "arrival,job\r\n1,a\r\n",
        "arrival;job\n1;a\n",
        "arrival,job\n\n1,a\n",
        "arrival,job\n1,a\n\n",
        "arrival,job,more\n1,a,2\n",
        "arrival,job,job\n1,a,2\n",
        "job\na\n",
        "arrival,job\n1,a,2\n",
        "arrival,job\n1\n",
        "arrived,job\n1,a\n",
        "\ufeffarrival,job\n1,a\n",
        "arrival,job\n1,a\0\n",
        "",
    ],
)
def test_what_is_not_plain_is_left_to_the_careful_reader(text: str) -> None:
    assert read_plain_columns("t.csv", text.encode(), WANTED, Findings()) is None


@pytest.mark.parametrize("said", [[True, False, None], [1, 0, None], [1.0, 0.0, None]])
def test_marks_of_a_parquet_file_are_truths_or_numbers(said: list[object]) -> None:
    """As in a CSV file, a blank says no."""
    stream = io.BytesIO()
    pq.write_table(pa.table({"job": ["a", "b", "c"], "alone": said}), stream)
    schema = (Column("job", "name"), Column("alone", "flag", 0.0))
    findings = Findings()
    found = read_table("t.parquet", stream.getvalue(), schema, findings, "jobs")
    assert found is not None
    assert (found.numbers["alone"].tolist(), findings.problems()) == ([1, 0, 0], ())


def test_faults_of_a_large_table_are_told_by_their_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read in parts, wherever they are cut; the titles stand in the first line."""
    schema = (Column("arrival", "number"), Column("job", "name", ""))
    wrong = ["x", "1", "2", "y", "z", "3", "u"]
    data = "\n".join(["arrival,job", *(f"{cell},a" for cell in wrong)])
    for rows in range(6, 0, -1):
        for limit in ("ROWS", "JOB_ROWS"):
            monkeypatch.setattr(f"core.files.limits.{limit}", rows)
        for end in ("", "\n"):
            findings = Findings()
            assert read_table("t.csv", (data + end).encode(), schema, findings, "jobs", 7) is None
            assert [p.row for p in findings.problems()] == [f"line {k}" for k in (2, 5, 6, 8)]
    with pytest.raises(Unreadable, match="has 7 rows, but at most 6 can be read; give fewer"):
        read_table("t.csv", data.encode(), schema, Findings(), "jobs", 6)


def test_what_is_wrong_with_a_parquet_file_is_said_in_a_line() -> None:
    data = b"PAR1" + bytes(99) + b"PAR1"
    with pytest.raises(Unreadable, match=r"^is not a Parquet file that can be read \(\S.*\); make"):
        read_table("t.parquet", data, WANTED, Findings(), "jobs")
