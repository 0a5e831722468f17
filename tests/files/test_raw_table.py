"""Tables that cannot be a system yet are kept as read, and checked again have the same errors."""

import json
from dataclasses import replace

import books
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files import inspect_system_bytes, inspect_tables, limits
from core.files.findings import Findings
from core.files.raw_table import RawTable, keep, looks_like, untitled
from core.files.sheet import Sheet, SheetRow

FAULTY = {
    "etc": "task_type,old,new\nrender,-3,60\ntrain,fast,450\ntrain,1,2\nvoid,,\n",
    "tasks": "task_type,count\nrender,\ntrain,1\nvoid,1\n",
    "machines": "machine_type,count,idle_power\nold,2,40\n",
}
DOCUMENT = {
    "format": "wattfront-system",
    "version": 1,
    "task_types": [{"name": "T", "count": "many"}, {"name": "U", "count": 2}],
    "machine_types": [{"name": "M", "count": 1, "idle_power": 3}],
    "etc": [[-1.5], [None]],
    "apc": [["10"], [True]],
}


def zipped(tables):
    return books.zipped({f"{name}.csv": text for name, text in tables.items()})


def book(tables):
    def cells(line):
        return [float(c) if c.lstrip("-").isdigit() else c for c in line.split(",")]

    return books.book({name: map(cells, text.splitlines()) for name, text in tables.items()})


def table(text):
    rows = (
        SheetRow(i, line.split(",") if line else []) for i, line in enumerate(text.split("\n"), 1)
    )
    return RawTable("etc.csv", tuple(rows), is_text=True)


def cells(raw):
    return [row.cells for row in raw.rows]


def read_document(**changes):
    return inspect_system_bytes("s.json", json.dumps(DOCUMENT | changes).encode())


@pytest.mark.parametrize("packed", [zipped, book])
def test_checked_again_the_tables_have_the_errors_of_the_file(packed):
    reading = inspect_system_bytes("mine", packed(FAULTY))
    assert reading.tables is not None
    assert reading.tables.keys() == FAULTY.keys()
    assert len(reading.problems) == 6
    assert inspect_tables(reading.tables).problems == reading.problems


def test_mended_cell_by_cell_they_are_a_system():
    tables = dict(inspect_system_bytes("mine.zip", zipped(FAULTY)).tables)
    blank = {(i, j): "" for i in (3, 4) for j in range(3)}
    tables["etc"] = tables["etc"].with_cells({(1, 1): "3", (2, 1): "2.5"} | blank)
    tables["tasks"] = tables["tasks"].with_cells({(1, 1): "7", (3, 0): "", (3, 1): ""})
    tables["machines"] = tables["machines"].with_cells({(2, 0): "new", (2, 1): "1", (2, 2): "30"})
    reading = inspect_tables(tables)
    assert (reading.problems, reading.tables) == ((), tables)
    system = reading.require()
    assert system.etc.tolist() == [[3.0, 60.0], [2.5, 450.0]]
    assert system.task_counts.tolist() == [7, 1]
    assert system.idle_power.tolist() == [40.0, 30.0]


def test_a_sound_file_keeps_its_tables_too_for_what_one_may_still_decide():
    reading = inspect_system_bytes("etc.csv", b"x,M\nT,1\n")
    assert reading.ok
    assert cells(reading.tables["etc"]) == [["x", "M"], ["T", "1"]]


@pytest.mark.parametrize(
    "data",
    [
        zipped({"tasks": "task_type,count\nT,x\n"}),
        zipped({"etc": 'x,M\nT,"1\nU,2\n'}),
        zipped({"etc": "x,M\nT,-1\n", "apc": "\n"}),
        b"",
        b"x,M\nT,\x00\n",
        b"2 2\n1\n2\nx\n4\n",
        b"{",
    ],
)
def test_what_is_no_set_of_tables_cannot_be_mended_as_such(data):
    reading = inspect_system_bytes("mine", data)
    assert not reading.ok
    assert reading.tables is None


@pytest.mark.parametrize(
    ("name", "data", "cells", "place"),
    [
        ("etc.csv", b"x,A,B\nT1,1,2\nT2,-3,4\n", 9, ("T2", "A")),
        ("etc.csv", b"x,A\n\n\nT1,-3\n", 6, ("T1", "A")),  # a blank line counts as a cell
        ("s.json", json.dumps(DOCUMENT).encode(), 12, ("T", "count")),
    ],
)
def test_a_table_of_many_cells_is_read_but_not_kept(monkeypatch, name, data, cells, place):
    for most, kept in ((cells, True), (cells - 1, False)):
        monkeypatch.setattr(limits, "KEPT_CELLS", most)
        reading = inspect_system_bytes(name, data)
        assert (reading.tables is not None) is kept
        assert place in [(p.row, p.column) for p in reading.problems]


def test_a_document_is_mended_as_the_tables_that_it_amounts_to():
    tables = dict(read_document().tables)
    assert cells(tables["etc"]) == [["task_type", "M"], ["T", "-1.5"], ["U", ""]]
    assert cells(tables["tasks"]) == [["task_type", "count"], ["T", "many"], ["U", "2"]]
    assert cells(tables["apc"])[1] == ["T", "10"]
    assert {(p.file, p.row, p.column) for p in inspect_tables(tables).problems} == {
        ("s.json [etc]", "T", "M"),
        ("s.json [etc]", "U", ""),
        ("s.json [apc]", "U", "M"),
        ("s.json [task_types]", "T", "count"),
    }
    tables["etc"] = tables["etc"].with_cells({(1, 1): "1.5", (2, 1): "4"})
    tables["apc"] = tables["apc"].with_cells({(2, 1): "20"})
    tables["tasks"] = tables["tasks"].with_cells({(1, 1): "6"})
    system = inspect_tables(tables).require()
    assert system.apc.tolist() == [[10.0], [20.0]]
    assert system.idle_power.tolist() == [3.0]


@pytest.mark.parametrize(
    "changes",
    [
        {"etc": [[-1]]},
        {"etc": [[-1], [1, 2]]},
        {"apc": {"T": 1}, "etc": [[-1], [1]]},
        {"task_types": [{"name": "T"}, "U"]},
        {"machine_types": None},
    ],
)
def test_a_document_without_the_form_of_tables_cannot_be_mended_so(changes):
    reading = read_document(**changes)
    assert not reading.ok
    assert reading.tables is None


def test_names_that_are_no_text_can_be_mended():
    tables = dict(read_document(task_types=[{"name": "\ud800"}, {"name": ["U"]}]).tables)
    faults = [p.message for p in inspect_tables(tables).problems if p.file.endswith("[task_types]")]
    assert any("half of a surrogate pair" in fault for fault in faults)
    assert any("is a list or an object" in fault for fault in faults)


def test_blank_rows_and_cells_beside_the_table_are_gone():
    assert cells(table("x,M,,\n\nT,1,,\n,,\nU,2,3").with_cells({})) == [
        ["x", "M"],
        ["T", "1"],
        ["U", "2", "3"],
    ]


def test_rows_keep_their_line_and_new_ones_follow():
    of_rows = RawTable("book", (SheetRow(1, ["x", "M"], unit="row"),), is_text=False)
    assert of_rows.with_cells({(1, 0): "T"}).rows[1].place == "row 2"
    mended = table("x,M\n\nT,1").with_cells({(4, 0): "V", (4, 1): "2"})
    assert [row.line for row in mended.rows] == [1, 3, 5]


def test_a_new_column_makes_no_other_row_too_short():
    mended = table("x,M\nT,1\nU").with_cells({(0, 2): "N"})
    assert cells(mended) == [["x", "M", "N"], ["T", "1", ""], ["U"]]


def test_a_row_that_is_too_short_is_so_until_somebody_looks_at_it():
    short = table("x,M,N\nT,1\nU,1,2")
    assert "has 2 cells, but the header has 3" in inspect_tables({"etc": short}).problems[0].message
    assert inspect_tables({"etc": short.with_cells({(2, 1): "5"})}).problems
    assert inspect_tables({"etc": short.with_cells({(1, 1): "5"})}).ok


def test_a_table_of_which_nothing_is_left_can_be_filled_again():
    emptied = table("x,M").with_cells({(0, 0): "", (0, 1): ""})
    assert emptied.rows == ()
    assert "has no column" in inspect_tables({"etc": emptied}).problems[0].message
    assert cells(emptied.with_cells({(0, 0): "x", (0, 1): "M"})) == [["x", "M"]]


texts = st.lists(st.lists(st.sampled_from(["", " ", "a", "1"]), max_size=4), max_size=5)


@given(texts, st.dictionaries(st.tuples(st.integers(0, 6), st.integers(0, 5)), st.just("7")))
def test_every_text_that_was_given_is_there_and_none_is_lost(rows, given_cells):
    before = RawTable("t", tuple(SheetRow(i + 1, row) for i, row in enumerate(rows)), is_text=True)
    after = {row.line - 1: row.cells for row in before.with_cells(given_cells).rows}
    expected = {(i, j): cell for i, row in enumerate(rows) for j, cell in enumerate(row)}
    for (i, j), text in (expected | given_cells).items():
        if text.strip():
            assert after[i][j] == text
    assert [row.cells for row in before.rows] == rows


@pytest.mark.parametrize(("titles", "left_out"), [(8, True), (9, True), (10, False), (11, False)])
def test_fewer_than_ten_lines_above_a_table_are_its_titles(titles, left_out):
    lines = [["title"]] * titles + [["task", "A", "B"], ["T", "1", "2"]]
    rows = [SheetRow(line, cells) for line, cells in enumerate(lines, 1)]
    findings = Findings()
    found = list(untitled(Sheet("t", rows, is_text=True), findings).rows)
    assert len(found) == (2 if left_out else titles + 2)
    assert bool(findings.problems()) is left_out


@pytest.mark.parametrize(("place", "seen"), [(199, True), (200, True), (201, False)])
def test_of_a_line_two_hundred_cells_are_looked_at(place, seen):
    """Whether a second one is filled, so that it is no title; and whether one is a number."""
    filled = ["x", *[""] * (place - 2), "1"]
    rows = [SheetRow(1, filled), SheetRow(2, ["task", "A"]), SheetRow(3, ["T", "1"])]
    findings = Findings()
    found = list(untitled(Sheet("t", rows, is_text=True), findings).rows)
    assert (len(found) == 3) is seen
    numbers = [SheetRow(1, ["task", "A"]), SheetRow(2, ["T", *["y"] * (place - 2), "1"])]
    _, table = keep(Sheet("t", numbers, is_text=False))
    assert (looks_like(table) == "etc") is seen


@pytest.mark.parametrize(
    ("text", "guess"),
    [
        ("Job;Number\nrender;70", "tasks"),
        ("Node;How many;Idle (W)\nold;70;2", "machines"),
        ("Server;count\nold;70", "machines"),
        ("x;M\nrender;70", "etc"),
        ("x;M;P\nrender;;70", "etc"),
        ("hello", None),
        ("a;b\nc;d", None),
        ("", None),
    ],
)
def test_what_a_table_may_be_is_told_from_its_header_and_its_numbers(text, guess):
    one = table(text.replace(";", ","))
    assert looks_like(one) == guess
    assert looks_like(one, {"etc"}) == {"etc": "apc"}.get(guess, guess)
    assert looks_like(replace(one, titles=("runtimes",)), {"etc"}) == guess


def test_a_table_that_is_not_used_is_read_once(monkeypatch):
    """Issue 35: its titles are said once, also if it is too large to keep."""
    monkeypatch.setattr(limits, "KEPT_CELLS", 4)
    tables = {"etc": "x,A\na,1\n", "other": "A long title\nx,A\na,1\nb,2\n", "none": ""}
    found = inspect_system_bytes("mine.zip", zipped(tables))
    messages = [problem.message for problem in found.problems if "other" in problem.file]
    assert [text.partition(" (")[0] for text in messages if "titles above" in text] == [
        "is taken for titles above the table"
    ]
    assert len(messages) == 2
    assert "none" not in str(found.problems)
