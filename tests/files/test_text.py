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


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_is_stripped_with_a_warning(mark, encoding):
    findings = Findings()
    assert decode(mark + TEXT.encode(encoding), "etc.csv", findings) == TEXT
    (warning,) = findings.problems()
    assert (warning.file, warning.severity) == ("etc.csv", "warning")
    assert "byte-order mark" in warning.message


def test_utf8_needs_no_warning():
    findings = Findings()
    assert decode(TEXT.encode(), "f", findings) == TEXT
    assert findings.problems() == ()


def test_windows_1252_is_read_with_a_warning():
    findings = Findings()
    assert decode(TEXT.encode("cp1252"), "f", findings) == TEXT
    (warning,) = findings.problems()
    assert "Windows-1252" in warning.message
    assert "line 1, 2" in warning.message


def test_mixed_encodings_are_refused_naming_the_lines():
    data = "ä\nb\n".encode() + "ö\n".encode("cp1252") + b"\n" + "ü\n".encode("cp1252")
    with pytest.raises(Unreadable, match=r"mixes encodings.*line 3, 5"):
        decode(data, "f", Findings())


def test_a_mixture_within_a_line_is_refused():
    with pytest.raises(Unreadable, match="mixes encodings"):
        decode("ä".encode() + "ö".encode("cp1252"), "f", Findings())


@pytest.mark.parametrize(
    ("data", "why"),
    [
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


def test_first_lines_skip_blank_ones():
    assert first_lines("\n \n a \n\nb\nc", 2) == ["a", "b"]


def test_a_blank_first_cell_is_there_still():
    assert first_lines(" \tM \nT\t1", 2) == ["\tM", "T\t1"]


def test_endless_lines_are_refused(monkeypatch):
    monkeypatch.setattr(limits, "RECORD_CHARACTERS", 10)
    for length in (9, 10):
        assert list(TextLines("x" * length)) == ["x" * length]
    with pytest.raises(Unreadable, match="longer than 10 characters"):
        list(TextLines("x" * 11))


def test_too_many_lines_are_refused(monkeypatch):
    monkeypatch.setattr(limits, "LINES", 3)
    for lines in (2, 3):
        assert len(list(TextLines("\n" * lines))) == lines
    with pytest.raises(Unreadable, match="more than 3 lines"):
        list(TextLines("\n" * 4))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_that_are_not_utf8_are_counted_however_lines_end(end):
    data = end.join(["a", "\xe9\xe9", "b", "", "\xfc", ""]).encode("cp1252")
    findings = Findings()
    decode(data, "f", findings)
    assert "(line 2, 5)" in findings.problems()[0].message


def test_no_more_than_some_of_the_lines_that_are_not_utf8_are_looked_for():
    findings = Findings()
    decode("\xe9\n".encode("cp1252") * 50, "f", findings)
    assert "(line 1, 2, 3, 4, 5 and more)" in findings.problems()[0].message


@pytest.mark.parametrize(("lines", "more"), [(4, ""), (5, ""), (6, " and more")])
def test_five_lines_that_are_not_utf8_are_named(lines, more):
    findings = Findings()
    decode("\xe9\n".encode("cp1252") * lines, "f", findings)
    named = ", ".join(map(str, range(1, min(lines, 5) + 1)))
    assert f"(line {named}{more})" in findings.problems()[0].message


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


def test_an_endless_cell_is_refused():
    rows, problems = rows_of(f"x,M\n{'y' * (limits.CELL_CHARACTERS + 1)},1\nT,1\n")
    assert rows == [["x", "M"], ["T", "1"]]
    assert "longer than 131,072 characters" in problems[0].message


def test_a_million_columns_are_refused():
    with pytest.raises(Unreadable, match=r"1,000,001 columns"):
        rows_of("x" + ",M" * 1_000_000 + "\nT,1")


@pytest.mark.parametrize(
    ("limit", "value", "read"),
    [
        ("ROWS", 2, False),  # below the three rows under the heading
        ("ROWS", 3, True),
        ("ROWS", 4, True),
        ("CELLS", 7, False),
        ("CELLS", 8, True),
        ("CELLS", 9, True),
        ("COLUMNS", 1, False),
        ("COLUMNS", 2, True),
        ("COLUMNS", 3, True),
    ],
)
def test_as_many_rows_columns_and_cells_are_read_as_the_limit_says(monkeypatch, limit, value, read):
    monkeypatch.setattr(limits, limit, value)
    sheet = sheet_of_text("x,M\nA,1\nB,2\nC,3\n", "f", Findings())
    if read:
        assert len(list(sheet.fitted_rows(Findings(), limits.ROWS))) == 4
    else:
        with pytest.raises(Unreadable, match=r"too large|has 2 columns; at most 1 can"):
            list(sheet.fitted_rows(Findings(), limits.ROWS))


@pytest.mark.parametrize(("length", "kept"), [(131_071, 2), (131_072, 2), (131_073, 1)])
def test_a_cell_may_be_as_long_as_the_limit_says(length, kept):
    rows, problems = rows_of(f"x,M\n{'y' * length},1\n")
    assert (len(rows), len(problems)) == (kept, 2 - kept)


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
