"""A table has one number format: what some cells show holds for all; what none shows is asked."""

import math
from functools import partial

import books
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.profit.command import read_rewards
from core.engines.logs.types.node_table import parse_node_table
from core.files import Reading, inspect_system_bytes, inspect_tables
from core.files.assembly import read_sources
from core.files.columns import read_columns
from core.files.findings import Findings
from core.files.mends import mends
from core.files.number_format import (
    NumberMarks,
    decided,
    is_unclear,
    marks_of,
    plainly,
    report_unclear,
    rewritten,
    shown_by,
)
from core.files.numbers import StoredNumber
from core.files.raw_table import Source
from core.files.schema import Column
from core.files.sheet import Sheet, SheetRow
from core.files.text import sheet_of_text
from core.shells.settings.by_hour import read_by_hour
from core.vocabulary.prices.site import ANY_PRICE
from core.vocabulary.problems import InvalidInput
from core.vocabulary.setting import ByHour


def read(text: str) -> Reading:
    return inspect_system_bytes("etc.csv", text.encode())


def said_of(findings: Findings) -> list[str]:
    return [f"{p.severity} {p.row}/{p.column}: {p.message}" for p in findings.problems()]


def said(reading: Reading) -> list[str]:
    return [f"{p.severity} {p.row}/{p.column}: {p.message}" for p in reading.problems]


def workload_columns(data: bytes, label: str, findings: Findings) -> None:
    wanted = [Column("job", "name"), Column("units", "whole")]
    wanted += [Column(name, "number", 0.0, "seconds") for name in ("arrival", "seconds")]
    read_columns(sheet_of_text(data.decode(), label, findings), wanted, findings)


@pytest.mark.parametrize(
    ("cell", "comma", "point"),
    [
        ("2,5", "2.5", None),
        (" -0,25 ", "-0.25", None),
        ("1,234", "1.234", "1234"),
        ("2.400", "2400", "2.400"),
        ("1.234,5", "1234.5", None),
        ("1 234,5", "1234.5", None),
        ("1\u202f234,5", "1234.5", None),
        ("1'234,567", "1234.567", None),
        ("1,234.5", None, "1234.5"),
        ("1,234,567", None, "1234567"),
        ("1.000.000", "1000000", None),
        ("1'000", "1000", "1000"),
        ("12 000", "12000", "12000"),
        ("1_000", "1000", "1000"),
        ("1,5e3", "1.5e3", None),
        ("12.5", None, "12.5"),
        ("12", "12", "12"),
        ("1234,567", "1234.567", None),
        ("1.234'567", None, None),
        ("1'234 567", None, None),
        ("1,2,3", None, None),
        ("1.2,5", None, None),
        ("soon", None, None),
        ("", None, None),
        (",5", None, None),
        ("1," * 300, None, None),
    ],
)
def test_a_number_has_one_value_in_a_format(cell, comma, point):
    assert (plainly(cell, ","), plainly(cell, ".")) == (comma, point)


@pytest.mark.parametrize(
    ("cell", "mark"),
    [
        *[("2.5", "."), (".5", "."), ("5.", "."), ("0.400", "."), ("1234.567", ".")],
        *[("2.400e3", "."), ("1,234.5", "."), ("1,234,567", ".")],
        *[("2,5", ","), ("0,400", ","), ("1.234,5", ","), ("1.234.567", ","), ("1234,567", ",")],
        *[("2.400", None), ("2,400", None), ("12", None), ("1'000", None), ("1e3", None)],
        *[("soon", None), ("", None), (StoredNumber("2.5"), None)],
    ],
)
def test_a_number_shows_its_decimal_mark_or_nothing(cell, mark):
    assert shown_by(cell) == mark
    assert not (mark and is_unclear(cell))


def test_one_format_holds_for_all_cells_of_a_file():
    """Issue 33, point 6: `1.250,5` and `2.400` in one file are 1250.5 and 2400, and listed. Names
    show no format.
    """
    named = read("task_type;A\n1,5;2.400\n")
    assert (named.ok, [problem.severity for problem in named.problems]) == (True, ["warning"])
    reading = read("task_type;A;B\nt1;1.250,5;2.400\nt2;8;1,234\n")
    first, second, third = said(reading)
    assert first.startswith("error t1/A: '1.250,5' has thousands")
    assert second.startswith("error t2/B: '1,234' has a comma, which may")
    assert third.startswith("error t1/B: '2.400' has a point between thousands, as '1.250,5'")
    for text, number in ((first, "1250.5"), (second, "1234 or 1.234"), (third, "2400")):
        assert f"; write {number} (line " in text
    assert reading.tables
    (mend,) = mends(reading.tables)
    assert mend.action == "Write 3 numbers as 1234.5"
    assert mend.preview == (
        "'1.250,5' becomes 1250.5 (etc.csv, line 2)",
        "'2.400' becomes 2400 (etc.csv, line 2)",
        "'1,234' becomes 1.234 (etc.csv, line 3)",
    )
    mended = inspect_tables(mend.tables)
    assert (mended.require().etc.tolist(), mended.problems) == ([[1250.5, 2400], [8, 1.234]], ())
    assert mends(mend.tables) == []


def test_a_point_that_may_separate_thousands_is_asked_about():
    """Issue 33, point 6: where the format cannot be told, it is said, and both can be chosen. Issue
    35: beside whole numbers it is a question, since those show no decimals.
    """
    (warning,) = said(read("task_type;A\nt1;2.400\nt2;12.345\nt3;1800\n"))
    assert warning.startswith("warning t1/A: '2.400' is read as 2.4, and 1 more")
    reading = read("task_type;A\nt1;2.400\nt2;12.345\nt3;800\n")
    (error,) = said(reading)
    assert error.startswith("error t1/A: '2.400' may be 2400 or 2.4, and 1 more")
    assert "'800' in line 4" in error
    assert "write 2400 or 2.4000 (line 2)" in error
    assert read("task_type;A\nt1;2.4000\nt2;800\n").problems == ()
    assert reading.tables
    comma, point = mends(reading.tables)
    assert (comma.action, point.action) == (
        "The comma is decimal: write 2 numbers as 1234.5",
        "The point is decimal: write 2 numbers as 1234.5",
    )
    assert comma.preview[0] == "'2.400' becomes 2400 (etc.csv, line 2)"
    assert point.preview[0] == "'2.400' becomes 2.4 (etc.csv, line 2)"
    for mend, values in ((comma, [[2400], [12345], [800]]), (point, [[2.4], [12.345], [800]])):
        decided = inspect_tables(mend.tables)
        assert (decided.require().etc.tolist(), decided.problems) == (values, ())
        assert mends(mend.tables) == []


@pytest.mark.parametrize("other", ["0.400", "1234.567", "2.5", "2.400e0", ".5", "1,234.5"])
def test_another_cell_tells_that_the_point_is_decimal(other):
    """Issue 33, point 6: nothing is asked where one cell tells."""
    reading = read(f"task_type;A\nt1;2.400\nt2;{other}\n")
    assert [text for text in said(reading) if "2.400'" in text.replace(other, "")] == []


def test_a_table_with_two_formats_is_asked_about():
    """Issue 33, point 6: two formats in one table leave no number unsaid."""
    reading = read("task_type;A;B\nt1;2,5;2.400\nt2;2.5;8\n")
    assert not reading.ok
    error = said(reading)[1]
    assert error.startswith("error t1/B: '2.400' may be 2400 or 2.4")
    assert "'2,5' in line 2" in error
    assert "'2.5' in line 3" in error
    assert "write 2400 or 2.4, and one decimal mark everywhere" in error
    assert reading.tables
    values = [inspect_tables(mend.tables).require().etc.tolist() for mend in mends(reading.tables)]
    assert values == [[[2.5, 2400], [2.5, 8]], [[2.5, 2.4], [2.5, 8]]]


@pytest.mark.parametrize("late", ["2,5", "1.234.567", "1.234.567,5"])
def test_a_format_that_is_shown_late_is_asked_about(late):
    """Issue 33, point 6: the order of the rows does not matter."""
    reading = read(f"task_type;A\nt1;2.5\nt2;2.400\nt3;{late}\n")
    assert any("'2.400' may be 2400 or 2.4" in text for text in said(reading))


def test_a_table_that_does_not_tell_has_the_format_of_the_others():
    """Issue 33, point 6: what one table of a system shows holds for one that shows nothing."""
    texts = {"etc": "x;A\nt1;1.250,5\n", "apc": "x;A\nt1;2.400\n"}
    findings = Findings()
    sources = {
        name: Source(name, lambda name=name, text=text: sheet_of_text(text, name, findings))
        for name, text in texts.items()
    }
    found = read_sources(sources, "etc", findings)
    problem = findings.problems()[1]
    assert (problem.file, "'1.250,5' in line 2 of etc" in problem.message) == ("apc", True)
    assert "write 2400" in problem.message
    assert found.tables
    (mend,) = mends(found.tables)
    system = inspect_tables(mend.tables).require()
    assert (system.etc.item(), system.apc.item()) == (1250.5, 2400)


def test_numbers_of_a_workbook_are_what_they_are():
    """Issue 33, point 6: only texts of a sheet have a number format."""
    rows = [["x", "A", "B"], ["t1", "1.250,5", 2.345], ["t2", "2.400", 3]]
    reading = inspect_system_bytes("b.xlsx", books.book({"etc": rows}))
    assert [text.split(";")[0] for text in said(reading)] == [
        "error t1/A: '1.250,5' has thousands separators",
        "error t2/A: '2.400' has a point between thousands, as '1.250,5' in line 2 shows",
    ]
    assert reading.tables
    (mend,) = mends(reading.tables)
    assert inspect_tables(mend.tables).require().etc.tolist() == [[1250.5, 2.345], [2400, 3]]


def test_large_tables_are_looked_at_as_well():
    """Issue 33, point 6: a table that is too large to keep has one format, too."""
    rows = "".join(f"t{i};2.400;{i + 1}\n" for i in range(12_000))
    assert len(said(read(f"x;A;B\n{rows}"))) == 1
    reading = read(f"x;A;B\n{rows}last;1.250,5;7\n")
    assert not reading.ok
    assert "error t0/A: '2.400' has a point between thousands" in said(reading)[1]


THOUSANDS = "line 3/{}: '2.400' has a point between thousands, as '{}' in line 2 shows; write 2400"


@pytest.mark.parametrize(
    ("read_by", "header", "column", "first"),
    [
        (parse_node_table, "type;busy_watts;count", "busy_watts", "1.250,5"),
        (parse_node_table, "type;idle_watts;count", "idle_watts", "0,5"),
        (workload_columns, "job;seconds;units", "seconds", "1.250,5"),
        (workload_columns, "job;arrival;units", "arrival", "12,5"),
    ],
)
def test_other_tables_have_one_format_as_well(read_by, header, column, first):
    """Issue 33, point 6: a table of nodes, and those of workloads; names have no format."""

    def told(*rows):
        findings = Findings()
        read_by("\n".join([header, *rows, ""]).encode(), "t.csv", findings)
        return said_of(findings)

    assert f"error {THOUSANDS.format(column, first)}" in told(f"1.000;{first};2", "b;2.400;1")
    assert told("1.000;2.400;2", "b;7;1") == [
        f"warning line 2/{column}: '2.400' is read as 2.4; if the point separates thousands, write "
        "2400"
    ]
    assert told("1,5;2.400;2", "b;7.5;1") == []


def test_what_a_table_shows_itself_holds_for_it():
    """Issue 33, point 6: whatever another table of the system shows."""
    etc, apc = NumberMarks("etc", {",": "'1,5' in line 2"}), marks_of("apc", ["2.400", "0.5"])
    findings = Findings()
    report_unclear({"etc": etc, "apc": apc}, findings)
    assert said_of(findings) == []
    none = {"tasks": NumberMarks("tasks")}
    assert decided({"etc": etc, "apc": apc} | none) == {"etc": ",", "apc": ".", "tasks": None}


@pytest.mark.parametrize(
    ("read_by", "text", "where"),
    [
        (parse_node_table, "type;count\na;1.000\n", ["warning line 2/count"]),
        (workload_columns, "job;units\na;1.000\n", ["warning line 2/units"]),
        # A small table is not read the fast way, plain as it may be.
        (parse_node_table, "type,busy_watts\na,1.250\n", ["warning line 2/busy_watts"]),
        # Rows with other cells tell nothing of the format.
        (
            parse_node_table,
            "type;busy_watts\na;1,5;7\nb;2.400\n",
            ["error a/", "warning line 3/busy_watts"],
        ),
    ],
)
def test_whole_numbers_have_a_format_too(read_by, text, where):
    """Issue 33, point 6: `1.000` may be a thousand nodes, or one."""
    findings = Findings()
    read_by(text.encode(), "t.csv", findings)
    assert [text.partition(":")[0] for text in said_of(findings)] == where


def test_prices_and_rewards_have_one_format(tmp_path):
    """Issue 33, point 6: in the files of rewards and of prices over the day."""
    path = tmp_path / "t.csv"
    kind = ByHour(ANY_PRICE, "price", "money")
    read_day_tariff = partial(read_by_hour, kind=kind, flag="--day-tariff")
    for read_by, header in ((read_day_tariff, "from;price"), (read_rewards, "task_type;reward")):
        path.write_text(f"{header}\n7;0,5\n8;2.400\n")
        with pytest.raises(InvalidInput) as refusal:
            read_by(str(path))
        column = header.partition(";")[2]
        said = [f"{p.row}/{p.column}: {p.message}" for p in refusal.value.problems]
        assert THOUSANDS.format(column, "0,5") in said


MARKS = {"1,234.5": (",", "."), "1.234,5": (".", ","), "1 234,5": (" ", ","), "1'234.5": ("'", ".")}


@st.composite
def tables(draw):
    """Numbers with up to three decimals, and how people of some country write them."""
    shape = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    places = draw(st.integers(0, 3))
    steps = st.integers(1, 9_999_999)
    values = [[draw(steps) / 10**places for _ in range(shape[1])] for _ in range(shape[0])]
    thousands, decimal = MARKS[draw(st.sampled_from(sorted(MARKS)))]
    groups = draw(st.booleans())

    def written(value: float) -> str:
        text = f"{value:,.{places}f}" if groups else f"{value:.{places}f}"
        return text.translate({ord(","): thousands, ord("."): decimal})

    return values, [[written(value) for value in row] for row in values]


@given(tables())
def test_any_format_is_read_as_it_was_written_or_asked_about(table):
    """Issue 33, point 6: no format is read as other numbers in silence."""
    values, cells = table
    header = ";".join(["x", *(f"M{j}" for j in range(len(values[0])))])
    text = "\n".join([header, *(";".join([f"t{i}", *row]) for i, row in enumerate(cells))])
    reading = read(text)
    assert reading.tables
    offered = [inspect_tables(mend.tables) for mend in mends(reading.tables)]
    assert all(each.ok for each in offered)
    found = [each.require().etc.tolist() for each in offered]
    if reading.ok and not reading.problems:
        assert (reading.require().etc.tolist(), found) == (values, [])
    else:
        assert values in found
        assert len(found) == 1 or reading.problems


@given(st.floats(1e-6, 1e12), st.sampled_from([",", "."]))
def test_what_is_rewritten_is_a_plain_number(value, decimal):
    for cell in (f"{value:,.2f}", f"{value:.3f}", repr(value)):
        new = rewritten(cell, decimal)
        assert new is None or math.isfinite(float(new))
        assert new is None or rewritten(new, decimal) is None


def test_a_row_that_ends_before_its_name_is_called_by_its_line():
    rows = [SheetRow(1, ["count", "task_type"]), SheetRow(2, ["2.400"])]
    marks = NumberMarks("tasks")
    assert [*marks.watched(Sheet("tasks", rows, is_text=True), "tasks")] == rows
    assert [(found.cell, found.row, found.where) for found in marks.unclear] == [
        ("2.400", "line 2", "")
    ]
