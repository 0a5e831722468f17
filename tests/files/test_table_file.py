"""A file is one table: of any encoding, of a workbook the sheet of its title or the only one."""

import pytest
from books import book

from core.files.findings import Findings, Unreadable
from core.files.table_file import sheet_of_table


def rows(data, title="map"):
    sheet = sheet_of_table("t", data, title, Findings())
    return sheet.label, [row.cells for row in sheet.fitted_rows(Findings())]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_csv(encoding):
    assert rows("a;b\n計;2\n".encode(encoding)) == ("t", [["a", "b"], ["計", "2"]])


def test_the_sheet_of_the_title():
    data = book({"other": [["x"]], "Map": [["a", "b"], [1, "n[1-2]"]]})
    assert rows(data) == ("t [Map]", [["a", "b"], ["1", "n[1-2]"]])


def test_the_only_sheet_whatever_its_title():
    assert rows(book({"other": [["x"]]})) == ("t [other]", [["x"]])


def test_several_sheets_none_of_the_title():
    data = book({"one": [["x"]], "two": [["y"]]})
    with pytest.raises(Unreadable, match="has no sheet 'map', but one, two; rename one"):
        rows(data)


@pytest.mark.parametrize("data", [b"PK\x03\x04" + b"\0" * 40, b"a\0b", b"\xd0\xcf\x11\xe0" * 99])
def test_what_is_no_table_is_refused(data):
    with pytest.raises(Unreadable):
        rows(data)


def test_so_is_one_that_is_too_large(monkeypatch):
    monkeypatch.setattr("core.files.limits.FILE_BYTES", 5)
    assert rows(b"a\nbcd") == ("t", [["a"], ["bcd"]])
    with pytest.raises(Unreadable, match="is larger than"):
        rows(b"a\nbcde")
