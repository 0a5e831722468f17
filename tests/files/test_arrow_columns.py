"""What Arrow reads of a plain CSV file is what the careful reader reads; the rest it leaves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.files.arrow_columns import read_plain_columns
from core.files.columns import ReadColumns, read_columns
from core.files.delimited import sheet_of_text
from core.files.findings import Findings
from core.files.schema import Column

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


@settings(max_examples=150)
@given(st.lists(st.fixed_dictionaries(CELLS), max_size=5), st.permutations(list(CELLS)))
def test_both_readers_agree_on_odd_cells(rows: list[dict[str, str]], columns: list[str]) -> None:
    plain, careful, findings = both(text_of(rows, columns))
    if plain is not None:
        assert not findings.failed
        assert careful is not None
        assert_same(plain, careful)


@settings(max_examples=80)
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
