"""Files as people really have them are understood, or what is not understood of them is named."""

import io

import numpy as np
import openpyxl
import pytest

from core.files import Reading, inspect_system_bytes, inspect_tables
from core.files.mends import mends, used_as


def book(**sheets: list[list[object]]) -> Reading:
    """A workbook as Excel saves it, one that has blank sheets, too."""
    workbook = openpyxl.Workbook()
    for title, rows in sheets.items():
        sheet = workbook.create_sheet(title.replace("_", " "))
        for row in rows:
            sheet.append(row)
        if len(rows[0]) == 1:
            sheet.merge_cells("A1:C1")
    stream = io.BytesIO()
    workbook.save(stream)
    return inspect_system_bytes("cluster.xlsx", stream.getvalue())


TIMES = [["Machine type →", "old", "new"], ["render", 120, 60], ["train", 900, None]]


def said(reading: Reading) -> list[str]:
    return [f"{p.file}: {p.message}" for p in reading.problems]


def test_sheets_and_columns_called_as_people_do() -> None:
    reading = book(
        Runtime=TIMES,
        Power=[["", "old", "new"], ["render", 180, 210], ["train", 190, None]],
        Jobs=[["Job", "Number"], ["render", 300], ["train", 50]],
        Nodes=[["Node", "Idle power (W)", "Nodes"], ["old", 45, 20], ["new", 60, 16]],
    )
    system = reading.require()
    assert (reading.problems, reading.notes) == ((), ())
    assert (system.task_counts.tolist(), system.machine_counts.tolist()) == ([300, 50], [20, 16])
    assert system.idle_power.tolist() == [45, 60]


def test_a_sheet_that_is_not_understood_is_named_and_can_be_used() -> None:
    counts: list[list[object]] = [["Job", "Number"], ["render", 300], ["train", 50]]
    reading = book(etc=TIMES, What_runs=counts, Notes=[["ask Kim"]])
    assert reading.require().task_counts.tolist() == [1, 1]
    assert said(reading) == [
        "cluster.xlsx [What runs]: is not used, because its name is not that of a table; if it is "
        "one, "
        "it is probably tasks: give it this name",
        "cluster.xlsx [Notes]: is not used, because its name is not that of a table; if it is one, "
        "name "
        "it etc, apc, tasks, machines or estimated",
    ]
    assert reading.notes[0].startswith("No counts of tasks were given, so there is one task of")
    assert reading.tables is not None
    used = used_as(reading.tables, reading.spare[0], "tasks")
    assert inspect_tables(used.tables).require().task_counts.tolist() == [300, 50]


def test_two_sheets_for_one_table_are_no_guess() -> None:
    counts: list[list[object]] = [["Job", "Number"], ["render", 300], ["train", 50]]
    reading = book(etc=TIMES, tasks=counts, Jobs=counts)
    assert reading.require().task_counts.tolist() == [300, 50]
    assert [p.file for p in reading.problems] == ["cluster.xlsx [Jobs]"]


def test_titles_above_a_table_are_left_out_and_named() -> None:
    reading = book(etc=[["Cluster of 2024"], [], ["Measured in May"], *TIMES])
    assert reading.require().machine_names == ("old", "new")
    assert "titles above the table (Cluster of 2024, Measured in May)" in said(reading)[0]


def test_a_first_column_of_a_machine_is_no_title() -> None:
    reading = inspect_system_bytes("etc.csv", b"M\nT1,5\n")
    assert not reading.ok
    assert "has no column of a machine type" in said(reading)[0]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_title_may_stand_above_a_csv_table(mark: str) -> None:
    text = "Measured in May\n\nx,old,new\nrender,1,2\n".replace(",", mark)
    assert inspect_system_bytes("etc.csv", text.encode()).require().machine_names == ("old", "new")


def test_columns_that_are_blank_are_left_out() -> None:
    reading = book(etc=[[None, *row[:2], None, *row[2:]] for row in TIMES])
    assert reading.require().etc.tolist() == [[120, 60], [900, np.inf]]


EXPORT = "\ufeffTask type;old;new\r\nrender;120,5;1.060,0\r\ntrain;N/A;9'000\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_an_export_of_another_country_is_mended_in_clicks(encoding: str) -> None:
    text = EXPORT if encoding == "utf-8" else EXPORT.removeprefix("\ufeff")
    reading = inspect_system_bytes("etc.csv", text.encode(encoding))
    assert not reading.ok
    assert reading.tables is not None
    tables = reading.tables
    for _ in range(2):
        tables = mends(tables)[0].tables
    assert inspect_tables(tables).require().etc.tolist() == [[120.5, 1060.0], [np.inf, 9000.0]]


def test_counts_with_units_in_their_headings() -> None:
    reading = book(
        etc=TIMES, machines=[["Server type", "Idle [W]", "#"], ["old", 4, 2], ["new", 5, 3]]
    )
    assert reading.require().machine_counts.tolist() == [2, 3]
    reading = book(etc=TIMES, machines=[["Server", "Idle (kW)", "#"], ["old", 4, 2], ["new", 5, 3]])
    assert reading.require().idle_power.tolist() == [4000, 5000]
    reading = book(etc=TIMES, machines=[["Server", "Idle (hp)", "#"], ["old", 4, 2], ["new", 5, 3]])
    assert not reading.ok, "0 W would be wrong"
    assert "column idle_power is in 'hp'; give it in watts" in said(reading)[0]
