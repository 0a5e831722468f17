"""Workbooks are read and written as Excel means them; openpyxl is the independent witness."""

import datetime
import io
import zipfile
from contextlib import nullcontext

import books
import numpy as np
import openpyxl
import pytest
from hypothesis import given
from strategies import systems

from core.files import inspect_system_bytes, limits
from core.files.archive import ZipArchive
from core.files.findings import Unreadable
from core.files.system_file import write_workbook
from core.files.table_writer import writing_workbook
from core.files.workbook_reader import Workbook, _parser, unescaped

ETC = [["x", "A", "B"], ["T1", 1, 2.5], ["T2", None, 4]]


def book(**sheets):
    return books.book(sheets)


def read(data):
    return inspect_system_bytes("book.xlsx", data)


def places(reading):
    return {(p.file, p.row, p.column) for p in reading.problems}


def with_part(data, name, change):
    """The same archive with one part changed."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        assert name in old.namelist()
        for part in old.namelist():
            content = old.read(part).decode()
            new.writestr(part, change(content) if part == name else content)
    return stream.getvalue()


def test_sheets_are_found_by_title_in_any_case():
    machines = [["machine_type", "count", "idle_power"], ["B", 2, 1.5], ["A", 3.0, 2]]
    data = book(Notes=[["hello"]], ETC=ETC, Machines=machines)
    reading = read(data)
    system = reading.require()
    assert Workbook(ZipArchive(data)).titles == ["Notes", "ETC", "Machines"]
    assert places(reading) == {("book.xlsx [Notes]", "", "")}
    assert "is not used" in reading.problems[0].message
    assert system.etc.tolist() == [[1.0, 2.5], [np.inf, 4.0]]
    assert system.machine_counts.tolist() == [3, 2]


def test_problems_name_the_sheet():
    data = book(etc=ETC, tasks=[["task_type", "count"], ["T1", "many"], ["T2", 1]])
    assert places(read(data)) == {("book.xlsx [tasks]", "T1", "count")}


def test_a_workbook_without_times():
    reading = read(book(Sheet1=ETC))
    assert places(reading) == {("book.xlsx [etc]", "", ""), ("book.xlsx [Sheet1]", "", "")}
    assert "it is probably etc: give it this name" in reading.problems[1].message
    assert [table.label for table in reading.spare] == ["book.xlsx [Sheet1]"]


def test_sheets_of_the_same_name_are_ambiguous():
    data = with_part(
        book(etc=ETC, spare=ETC), "xl/workbook.xml", lambda x: x.replace('"spare"', '"Etc"')
    )
    assert places(read(data)) == {("book.xlsx [Etc]", "", "")}


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("=1+1", "formula"),
        (datetime.datetime(2024, 1, 1), "date"),
        (datetime.time(12, 30), "date"),
        (True, "true or false"),
        ("#DIV/0!", "error"),
        ("1,5", "write 1.5"),
        ("abc", "not a number"),
        ("x" * 5000, "too long"),
    ],
)
def test_cells_that_hold_no_number(value, why):
    reading = read(book(etc=[["x", "A", "B"], ["T1", 1, value], ["T2", 2, 4]]))
    assert places(reading) == {("book.xlsx [etc]", "T1", "B")}
    assert why in reading.problems[0].message


@pytest.mark.parametrize("value", ["=A1", True, datetime.date(2024, 1, 1)])
def test_names_that_are_no_text(value):
    reading = read(book(etc=[["x", "A", value], [value, 1, 2]]))
    assert {(p.row, p.column) for p in reading.problems} == {("line 2", ""), ("", "number 3")}


def test_numbers_stored_as_text_are_numbers_and_numeric_names_text():
    system = read(book(etc=[["x", 1, 0.1], [2024, "2.5", " 3 "]])).require()
    assert [m.name for m in system.machine_types] == ["1", "0.1"]
    assert system.task_types[0].name == "2024"
    assert system.etc.tolist() == [[2.5, 3.0]]


def test_names_need_no_protection_in_a_workbook():
    system = read(book(etc=[["x", "'=A1"], ["''@", 1]])).require()
    assert (system.machine_types[0].name, system.task_types[0].name) == ("'=A1", "''@")


def test_blank_rows_and_merged_cells_are_tolerated():
    workbook = openpyxl.load_workbook(io.BytesIO(book(etc=[*ETC, [], ["T3", 5], [None] * 9])))
    workbook["etc"].merge_cells("A9:C12")
    workbook["etc"]["F20"].font = openpyxl.styles.Font(bold=True)
    stream = io.BytesIO()
    workbook.save(stream)
    reading = read(stream.getvalue())
    assert reading.problems == ()
    assert len(reading.require().task_types) == 3


def test_what_is_beside_the_table_is_a_problem():
    reading = read(book(etc=[*ETC, ["T3", 1, 2, "note"]]))
    assert places(reading) == {("book.xlsx [etc]", "T3", "")}
    assert "beside the table" in reading.problems[0].message


def sharing(strings, cells):
    """A workbook whose cells share these strings."""
    stream = io.BytesIO()
    with writing_workbook(stream) as writer:
        writer.add_sheet("etc", [cells])
    return with_part(
        stream.getvalue(), "xl/sharedStrings.xml", lambda x: x.replace("</sst>", strings + "</sst>")
    )


FOUR_CELLS = (
    '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>'
    '<row><c t="s"><v>2</v></c><c><v>1</v></c></row>'
)
"""A table whose names are the first three strings."""


def test_shared_and_rich_and_phonetic_strings():
    strings = (
        "<si><t>x</t></si><si><r><t>A</t></r><r><t>B</t></r><rPh><t>hint</t></rPh></si>"
        "<si><t>_x0054__x005F_x0031_</t></si>"
    )
    system = read(sharing(strings, FOUR_CELLS)).require()
    assert (system.machine_types[0].name, system.task_types[0].name) == ("AB", "T_x0031_")


@given(systems())
def test_openpyxl_reads_what_is_written(system):
    stream = io.BytesIO()
    write_workbook(system, stream)
    workbook = openpyxl.load_workbook(stream)
    rows = list(workbook["etc"].iter_rows(values_only=True))
    seconds = [[np.inf if v is None else v for v in row[1:]] for row in rows[1:]]
    assert (np.array(seconds, float) == system.etc).all()
    names = [task.name for task in system.task_types if "x005F_" not in task.name]
    assert [row[0] for row in rows[1:] if "x005F_" not in row[0]] == names
    assert all(
        cell.data_type in "ns" for sheet in workbook for row in sheet.iter_rows() for cell in row
    )
    assert ("apc" in workbook.sheetnames) == (system.apc is not None)


def test_escapes_are_undone_once():
    assert unescaped("_x0041__x005F_x0041_") == "A_x0041_"
    assert unescaped("_x41_ _xZZZZ_") == "_x41_ _xZZZZ_"


@pytest.mark.parametrize(
    ("xml", "limit", "most"),
    [
        ("<a>" * 100 + "</a>" * 100, "_DEPTH", 100),
        ("<a><b/><b/></a>", "limits.XML_ELEMENTS", 3),
        ('<a xmlns:x="u">' * 4 + "</a>" * 4, "_DIFFERENT_NAMES", 4),
        ("<a><b/><c/><b/></a>", "_DIFFERENT_NAMES", 3),
    ],
)
def test_xml_is_read_up_to_its_limits(monkeypatch, xml, limit, most):
    for less in (0, 1):
        monkeypatch.setattr(f"core.files.workbook_reader.{limit}", most - less)
        with pytest.raises(Unreadable, match="too many names") if less else nullcontext():
            _parser(lambda *_: None, None).Parse(xml, True)


SHEET = "xl/worksheets/sheet1.xml"


def hostile(change, part=SHEET):
    reading = read(with_part(book(etc=ETC), part, change))
    assert not reading.ok
    return reading.problems[0].message


def test_entities_are_refused_unexpanded():
    laughs = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'

    def laugh(xml):
        return laughs + xml[xml.index("?>") + 2 if "?>" in xml else 0 :]

    for part in (SHEET, "xl/workbook.xml", "xl/styles.xml", "_rels/.rels"):
        assert "document type" in hostile(laugh, part)
    stream = io.BytesIO()
    with writing_workbook(stream) as writer:
        writer.add_sheet("etc", [])
    data = with_part(stream.getvalue(), "xl/sharedStrings.xml", laugh)
    assert "document type" in read(data).problems[0].message


def test_a_sheet_that_lies_about_its_size_is_read_as_it_is():
    def lie(xml):
        return xml.replace('ref="A1:C3"', 'ref="A1:XFD1048576"')

    data = with_part(book(etc=ETC), SHEET, lie)
    assert "XFD1048576" in zipfile.ZipFile(io.BytesIO(data)).read(SHEET).decode()
    assert read(data).ok


def test_far_columns_are_refused():
    assert "beside the table" in hostile(lambda x: x.replace('r="C2"', 'r="ZZZ2"'))
    wide = "<row>" + "<c><v>1</v></c>" * (limits.COLUMNS + 1) + "</row>"
    assert "columns" in hostile(lambda x: x.replace("<sheetData>", f"<sheetData>{wide}"))


def test_far_rows_are_only_labels():
    far = '<row r="999999999"><c r="A1" t="str"><v>T3</v></c><c r="B1"><v>x</v></c></row>'
    message = hostile(lambda x: x.replace("</sheetData>", f"{far}</sheetData>"))
    assert "line 999999999" in message


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x[:-20],
        lambda x: x.replace('r="C2"', 'r="??"'),
        lambda x: x.replace('r="C2"', 'r="A2"'),
        lambda x: x.replace('r="C2"', 'r="C99999999999"'),
        lambda x: (
            x.replace('t="inlineStr"', 't="s"')
            .replace("<is><t>", "<v>")
            .replace("</t></is>", "</v>")
        ),
        lambda x: "<a>" * 1_000_000,
        lambda x: "<a>" + "".join(f"<a{i}/>" for i in range(20_000)) + "</a>",
        lambda x: "<a>" + "".join(f'<a xmlns:p{i}="u"/>' for i in range(20_000)) + "</a>",
        lambda x: x.replace("<v>2.5</v>", "<v>1_000_000_000_000_000</v>"),
    ],
)
def test_damaged_and_hostile_sheets_are_refused(change):
    assert hostile(change)


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ("xl/workbook.xml", "is missing; add the table"),
        ("_rels/.rels", "damaged"),
        ("xl/_rels/workbook.xml.rels", "damaged"),
    ],
)
def test_a_workbook_that_leads_nowhere_is_refused(part, why):
    assert why in hostile(lambda _: "<a/>", part)


def test_a_bomb_in_a_workbook_is_refused(monkeypatch):
    data = with_part(book(etc=ETC), SHEET, lambda x: x + " " * 5_000_000)
    monkeypatch.setattr(limits, "FILE_BYTES", 4 * limits.MIB)
    assert "at most 4 MiB" in read(data).problems[0].message


def test_old_excel_files_are_told_apart():
    message = read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500).problems[0].message
    assert "old Excel" in message


def test_date_styles_are_those_that_show_dates():
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = "etc"
    numbers = ["0.00", '0.0" days"', "[Red]0.0", "General", "0.00E+00"]
    dates = ["yyyy-mm-dd", "[h]:mm", "d/m"]
    sheet.append(["x", *numbers, *dates])
    sheet.append(["T", *[1.5] * len([*numbers, *dates])])
    for column, code in enumerate([*numbers, *dates], start=2):
        sheet.cell(2, column).number_format = code
    stream = io.BytesIO()
    workbook.save(stream)
    assert {p.column for p in read(stream.getvalue()).problems} == {*dates}


@pytest.mark.parametrize(
    ("limit", "most", "why"),
    [
        ("SHARED_STRINGS", 3, "has more than 2 texts; give fewer"),
        ("CELL_CHARACTERS", 5, "has a text longer than 4 characters; shorten it"),
        ("LINES", 2, "has more than 1 rows; give fewer"),
    ],
)
def test_as_much_is_read_as_the_limit_says(monkeypatch, limit, most, why):
    data = sharing(
        "<si><t>x</t></si><si><r><t>Blue</t></r><r><t>!</t></r></si><si><t>T</t></si>", FOUR_CELLS
    )
    for value in (most - 1, most, most + 1):
        monkeypatch.setattr(limits, limit, value)
        assert [problem.message for problem in read(data).problems] == [why] * (value < most)


@pytest.mark.parametrize("digits", [4, 5, 6])
def test_a_cell_is_read_up_to_the_limit(monkeypatch, digits):
    longer = with_part(
        book(etc=ETC), SHEET, lambda x: x.replace("<v>1</v>", f"<v>{'9' * digits}</v>")
    )
    monkeypatch.setattr(limits, "CELL_CHARACTERS", 5)
    said = [problem.message for problem in read(longer).problems]
    assert said == ["line 2 has a cell longer than 5 characters; shorten it"] * (digits > 5)
