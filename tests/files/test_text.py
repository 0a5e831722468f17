"""Encodings are recognised or refused, never guessed; lines are counted however they end."""

import codecs
import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import names

from core.files import limits
from core.files.findings import Findings, Unreadable
from core.files.sheet import csv_cell, neutralised, restored
from core.files.text import TextLines, decode, first_lines, sheet_of_text

TEXT = "größer,\nT€,1\n"


@pytest.mark.parametrize("name", ["UTF8", "UTF16_LE", "UTF16_BE", "UTF32_LE", "UTF32_BE"])
def test_a_byte_order_mark_is_stripped_with_a_warning(name):
    mark, encoding = getattr(codecs, f"BOM_{name}"), name.replace("UTF", "utf-").replace("_", "-")
    text, warning = decoded(mark + TEXT.encode(encoding))
    assert text == TEXT
    assert "byte-order mark" in warning


def decoded(data):
    """The text of bytes, and the one warning about them; None without."""
    findings = Findings()
    text = decode(data, "etc.csv", findings)
    warning = next(iter(findings.problems()), None)
    assert warning is None or (warning.file, warning.severity) == ("etc.csv", "warning")
    return text, warning and warning.message


def test_utf8_needs_no_warning_and_windows_1252_has_one():
    assert decoded(TEXT.encode()) == (TEXT, None)
    text, warning = decoded(TEXT.encode("cp1252"))
    assert text == TEXT
    assert "Windows-1252" in warning
    assert "line 1, 2" in warning


MIXED = "ä\nb\n".encode() + "ö\n".encode("cp1252") + b"\n" + "ü\n".encode("cp1252")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (MIXED, "mixes encodings.*line 3, 5"),
        ("ä".encode() + "ö".encode("cp1252"), "mixes encodings"),
        (b"a\n\x81\n", "neither UTF-8 nor Windows-1252.*line 2"),
        (b"a\nb\x00c", "NUL.*line 2"),
        (TEXT.encode("utf-16-le"), "NUL"),
        (codecs.BOM_UTF16_LE + b"a", "not UTF-16-LE throughout"),
        (codecs.BOM_UTF16_LE + "a\0".encode("utf-16-le"), "NUL"),
    ],
)
def test_other_bytes_are_refused(data, why):
    with pytest.raises(Unreadable, match=why):
        decode(data, "f", Findings())


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_any_way(end):
    assert list(TextLines(end.join(["a", "", "b"]))) == ["a\n", "\n", "b"]
    assert list(TextLines("a" + end)) == ["a\n"]


def test_other_separators_do_not_end_lines():
    assert list(TextLines("a\x0bb\x85c\u2028d")) == ["a\x0bb\x85c\u2028d"]


def test_first_lines_skip_blank_ones_and_keep_a_blank_first_cell(monkeypatch):
    monkeypatch.setattr(limits, "RECORD_CHARACTERS", 5)
    assert first_lines("\n \n a \n\nb\nc", 2) == ["a", "b"]
    assert first_lines(" \tM \nT\t1", 2) == ["\tM", "T\t1"]


@pytest.mark.parametrize(
    ("limit", "unit", "said"),
    [("RECORD_CHARACTERS", "x", "longer than 10 characters"), ("LINES", "\n", "than 10 lines")],
)
def test_endless_lines_and_too_many_are_refused(monkeypatch, limit, unit, said):
    monkeypatch.setattr(limits, limit, 10)
    for length in (9, 10):
        assert "".join(TextLines(unit * length)) == unit * length
    with pytest.raises(Unreadable, match=said):
        list(TextLines(unit * 11))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_that_are_not_utf8_are_counted_however_lines_end(end):
    data = end.join(["a", "\xe9\xe9", "b", "", "\xfc", ""]).encode("cp1252")
    assert "(line 2, 5)" in decoded(data)[1]


@pytest.mark.parametrize("lines", [4, 5, 6, 50])
def test_five_lines_that_are_not_utf8_are_named(lines):
    named = ", ".join(map(str, range(1, min(lines, 5) + 1)))
    more = " and more" if lines > 5 else ""
    assert f"(line {named}{more})" in decoded("\xe9\n".encode("cp1252") * lines)[1]


def rows_of(text):
    findings = Findings()
    sheet = sheet_of_text(text, "etc.csv", findings)
    return [row.cells for row in sheet.fitted_rows(findings)], findings.problems()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_is_that_of_the_header(delimiter):
    rows, problems = rows_of(f'x{delimiter}"a,;\t""b"\nT{delimiter} 1\n')
    assert rows == [["x", 'a,;\t"b'], ["T", "1"]]
    assert problems == ()


def test_quoted_cells_may_hold_line_breaks():
    rows, problems = rows_of('x,"a\nb"\n"T\r\n1",2\n3,4')
    assert rows == [["x", "a\nb"], ["T\n1", "2"], ["3", "4"]]
    assert problems == ()


def test_blank_lines_and_trailing_separators_are_one_warning_each():
    rows, problems = rows_of("x,M,\n\nT1,1,\n ,,\nT2,2\nT3,3,,,\n\n")
    assert rows == [["x", "M"], ["T1", "1"], ["T2", "2"], ["T3", "3"]]
    assert [p.severity for p in problems] == ["warning", "warning"]
    assert "blank lines (line 2, 4, 7)" in problems[0].message
    assert "(line 1, 3, 6)" in problems[1].message


def test_ragged_rows_are_located_by_name_or_line():
    rows, problems = rows_of("x,A,B\nT1,1\nT2,1,2,3\n,1\nT4,1,2\n")
    assert rows == [
        ["x", "A", "B"],
        ["T1", "1"],
        ["T2", "1", "2", "3"],
        ["", "1"],
        ["T4", "1", "2"],
    ]
    assert [p.row for p in problems] == ["T1", "T2", "line 4"]
    assert "line 2 has 2 cells, but the header has 3" in problems[0].message
    assert "decimals with a point" in problems[1].message


@pytest.mark.parametrize("line", ['"T2,2', '"T2"x,2', 'T2,"2', '"T2" "x",2'])
def test_faulty_quotes_spoil_one_line(line):
    rows, problems = rows_of(f"x,M\nT1,1\n{line}\nT3,3\n")
    assert rows == [["x", "M"], ["T1", "1"], ["T3", "3"]]
    (problem,) = problems
    assert (problem.row, problem.severity) == ("line 3", "error")
    assert "quotation mark" in problem.message


def test_many_faulty_quotes_end_the_reading():
    with pytest.raises(Unreadable, match="quotation marks"):
        rows_of("x,M\n" + '"a"b,1\n' * (limits.ERRORS_LISTED + 1))


def test_a_million_columns_are_refused():
    with pytest.raises(Unreadable, match=r"1,000,001 columns"):
        rows_of("x" + ",M" * 1_000_000 + "\nT,1")


@pytest.mark.parametrize(("limit", "most"), [("ROWS", 3), ("CELLS", 8), ("COLUMNS", 2)])
def test_as_many_rows_columns_and_cells_are_read_as_the_limit_says(monkeypatch, limit, most):
    """The row of titles is none of the rows."""
    for value in (most - 1, most, most + 1):
        monkeypatch.setattr(limits, limit, value)
        rows = sheet_of_text("x,M\nA,1\nB,2\nC,3\n", "f", Findings()).fitted_rows(
            Findings(), limits.ROWS
        )
        if value >= most:
            assert len(list(rows)) == 4
        else:
            with pytest.raises(Unreadable, match=r"too large|has 2 columns; at most 1 can"):
                list(rows)


@pytest.mark.parametrize(("length", "kept"), [(131_071, 2), (131_072, 2), (131_073, 1)])
def test_a_cell_may_be_as_long_as_the_limit_says(length, kept):
    rows, problems = rows_of(f"x,M\n{'y' * length},1\nT,1\n")
    assert (len(rows), len(problems)) == (kept + 1, 2 - kept)
    assert all("longer than 131,072 characters" in one.message for one in problems)


FORMULA_LIKE = st.text("'=+-@a", min_size=1, max_size=5)


@given(names() | FORMULA_LIKE)
def test_a_neutralised_name_comes_back_and_is_no_formula(name):
    text = neutralised(name)
    assert restored(text) == name
    assert text[0] not in "=+-@"


@given(FORMULA_LIKE, FORMULA_LIKE)
def test_different_names_stay_different(one, other):
    assert (neutralised(one) == neutralised(other)) == (one == other)


@pytest.mark.parametrize("name", ["T1", "'quoted'", "a=b", "1-2", "'s"])
def test_ordinary_names_are_left_alone(name):
    assert neutralised(name) == restored(name) == name


@given(names(), st.sampled_from(",;\t"))
def test_a_name_is_one_cell_whatever_the_delimiter(name, delimiter):
    line = delimiter.join([csv_cell(name), "1"])
    assert list(csv.reader([line], delimiter=delimiter, strict=True)) == [[neutralised(name), "1"]]
