"""Encodings are recognised or refused, never guessed; lines are counted however they end."""

import codecs

import pytest

from core.files import limits
from core.files.findings import Findings, Unreadable
from core.files.text import TextLines, decode, first_lines

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
