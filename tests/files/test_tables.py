"""Each unreadable cell, name or column of a table is reported where it is, by name."""

import copy
import json

import books
import numpy as np
import pytest

from core.files import inspect_system, inspect_system_bytes, inspect_tables, limits, write_system
from core.files.mends import mends, seem_swapped
from core.files.numbers import TruthCell, UnusableCell
from core.files.tables import mark_fault, parse_mark, parse_marks

ETC = "x,A,B\nT1,1,2\nT2,3,4\n"


def places(reading):
    return {(p.file, p.row, p.column) for p in reading.problems}


@pytest.mark.parametrize(
    "cell", ["abc", "nan", "inf", "1 234", "3.5 s", "1e400", "TRUE", "#DIV/0!"]
)
def test_a_cell_that_is_no_number(read_tables, cell):
    reading = read_tables(etc=f"x,A,B\nT1,1,2\nT2,{cell},4\n")
    (problem,) = reading.problems
    assert (problem.file, problem.row, problem.column) == ("etc.csv", "T2", "A")
    assert "(line 3)" in problem.message
    assert not reading.ok


def test_a_blank_cell_is_a_pair_that_cannot_run(read_tables):
    system = read_tables(etc="x,A,B\nT1,,2\n", apc="x,A,B\nT1, ,20\n").require()
    assert system.can_run.tolist() == [[False, True]]


def test_duplicates_are_reported_on_both_sides_with_both_places(read_tables):
    reading = read_tables(etc="x,A,A\nT1,1,2\nT1,3,4\n")
    by_place = {(p.row, p.column): p.message for p in reading.problems}
    assert set(by_place) == {("", "A"), ("T1", "")}
    assert "line 2 and line 3" in by_place["T1", ""]
    assert "number 2 and number 3" in by_place["", "A"]


def test_values_of_a_duplicate_or_nameless_row_are_checked_too(read_tables):
    reading = read_tables(etc="x,A,\nT1,1\nT1,-3\n,0\n")
    assert {("etc.csv", "line 3", "A"), ("etc.csv", "line 4", "A")} <= places(reading)


def test_missing_names_are_reported_where_they_are_missing(read_tables):
    reading = read_tables(etc="x,,B\n,1,2\n")
    assert places(reading) == {("etc.csv", "line 2", ""), ("etc.csv", "", "number 2")}


def test_a_table_without_machines_or_tasks(read_tables):
    assert "no column of a machine type" in read_tables(etc="x\nT1\n").problems[0].message
    assert "no task type" in read_tables(etc="x,M\n").problems[0].message
    assert "no column of a machine type" in read_tables(etc="").problems[0].message


def test_listings_are_read_by_the_titles_of_their_columns(read_tables):
    system = read_tables(
        etc=ETC,
        tasks="Count,Task_Type\n1e3,T2\n2.0,T1\n",
        machines="idle_power,machine_type,count\n5,B,7\n2.5,A,6\n",
    ).require()
    assert system.task_counts.tolist() == [2, 1000]
    assert system.machine_counts.tolist() == [6, 7]
    assert system.idle_power.tolist() == [2.5, 5.0]


def test_idle_power_may_be_left_out(read_tables):
    system = read_tables(etc=ETC, machines="machine_type,count\nA,1\nB,1\n").require()
    assert system.idle_power.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("header", ["task_type", "task_type,colour", ""])
def test_a_count_column_is_needed(read_tables, header):
    reading = read_tables(etc=ETC, tasks=f"{header}\nT1\nT2\n")
    assert ("tasks.csv", "", "count") in places(reading)


def test_a_column_twice_is_ambiguous(read_tables):
    reading = read_tables(etc=ETC, tasks="task_type,count,count\nT1,1,2\nT2,1,2\n")
    assert places(reading) == {("tasks.csv", "", "count")}


def test_columns_that_are_not_used_are_a_warning(read_tables):
    reading = read_tables(etc=ETC, tasks="task_type,count,owner,note\nT1,1,a,b\nT2,1,a,b\n")
    assert reading.ok
    (problem,) = reading.problems
    assert problem.severity == "warning"
    assert "owner, note" in problem.message


@pytest.mark.parametrize("count", ["", "3.5", "-1", "x", "1e400", "1000000000001", "1,000", "1e18"])
@pytest.mark.parametrize("watts", ["", "-1", "x", "inf", "1,5"])
def test_bad_counts_and_idle_powers(read_tables, count, watts):
    reading = read_tables(
        etc=ETC,
        tasks=f'task_type,count\nT1,"{count}"\nT2,1\n',
        machines=f'machine_type,count,idle_power\nA,1,"{watts}"\nB,1,1\n',
    )
    expected = {("tasks.csv", "T1", "count"), ("machines.csv", "A", "idle_power")}
    assert places(reading) == expected


def test_machines_that_are_switched_off_say_their_watts_and_others_are_blank(read_tables):
    machines = "machine_type,count,idle_power,Power asleep (kW)\nA,1,20,0.004\nB,2,30,{}\n"
    system = read_tables(etc=ETC, machines=machines.format("")).require()
    assert [machine.asleep_watts for machine in system.machine_types] == [4.0, None]
    reading = read_tables(etc=ETC, machines=machines.format("x"))
    assert places(reading) >= {("machines.csv", "B", "asleep_watts")}


def test_machines_say_what_they_cost_and_how_often_they_fail(read_tables):
    machines = "machine_type,count,Purchase price (EUR),resale,AFR\nA,1,900,{},\nB,2,,,0.25\n"
    kinds = read_tables(etc=ETC, machines=machines.format(100)).require().machine_types
    assert [(one.price, one.resale, one.failures_a_year) for one in kinds] == [
        (900.0, 100.0, None),
        (None, None, 0.25),
    ]
    for wrong in ("x", "-1", "901"):
        reading = read_tables(etc=ETC, machines=machines.format(wrong))
        assert places(reading) == {("machines.csv", "A", "resale")}


def test_a_ragged_row_is_one_problem(read_tables):
    reading = read_tables(etc=ETC + "T3,3,5,2,5\n", tasks="task_type,count\nT1\nT2,1\nT3,1\n")
    assert places(reading) == {("etc.csv", "T3", ""), ("tasks.csv", "T1", "")}


def test_white_space_around_names_is_dropped(read_tables):
    system = read_tables(etc='x, A , "B"\n T1 ,1,2\n').require()
    assert [m.name for m in system.machine_types] == ["A", "B"]
    assert system.task_types[0].name == "T1"


def test_neutralised_formulas_are_the_names_they_were(read_tables):
    system = read_tables(etc="x,'=1+1,=A1\n''@x,1,2\n'quoted,1,2\n").require()
    assert [m.name for m in system.machine_types] == ["=1+1", "=A1"]
    assert [task.name for task in system.task_types] == ["'@x", "'quoted"]


HOLED = "x,A,B\nT1,1,2\nT2,3,\n"
FORMATS = ["folder", "s.zip", "s.xlsx", "s.json"]


def marks(reading):
    found = reading.require().estimated
    return None if found is None else found.astype(int).tolist()


def document(**more):
    return json.dumps(
        {
            "format": "wattfront-system",
            "version": 1,
            "task_types": [{"name": "T1", "count": 1}, {"name": "T2", "count": 1}],
            "machine_types": [{"name": "A", "count": 1}, {"name": "B", "count": 1}],
            "etc": [[1, 2], [3, None]],
            **more,
        }
    ).encode()


def book(rows):
    return books.book({"etc": [["x", "A", "B"], ["T1", 1, 2]], "estimated": rows})


@pytest.mark.parametrize("name", FORMATS)
def test_without_marks_no_format_has_such_a_table(tmp_path, name, two_by_two):
    write_system(two_by_two(), tmp_path / name)
    files = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert not any("estimated" in p.name or b"estimated" in p.read_bytes() for p in files)


def test_a_folder_loses_the_table_with_the_last_mark(tmp_path, two_by_two):
    system = two_by_two()
    marked = type(system)(
        system.task_types, system.machine_types, system.etc, system.apc, np.eye(2, dtype=bool)
    )
    write_system(marked, tmp_path / "s")
    assert (tmp_path / "s" / "estimated.csv").read_text() == "task_type,A,B\n1,yes,\n2,,yes\n"
    write_system(system, tmp_path / "s")
    assert not (tmp_path / "s" / "estimated.csv").exists()


@pytest.mark.parametrize(
    ("mark", "cells"),
    [
        (1, ["yes", "YES", " Yes ", "y", "true", "True", "TRUE", "x", "X", "1", "1.0"]),
        (0, ["", " ", "no", "No", "n", "false", "FALSE", "0", "0.0"]),
        (None, ["maybe", "2", "0.5", "-", "N/A", "yes!", "10", "yesyes"]),
    ],
)
def test_people_say_yes_and_no_in_many_ways(mark, cells):
    assert [parse_mark(cell) for cell in cells] == [mark] * len(cells)


def test_what_is_no_mark_is_said_with_the_remedy():
    assert mark_fault(" maybe") == (
        "'maybe' is neither yes nor no; write yes if the pair is an estimate, or leave the cell "
        "blank"
    )


def test_a_cell_of_a_workbook_is_true_or_false_or_says_what_it_is():
    for value in (True, False):
        assert parse_mark(TruthCell(value)) == value
        assert parse_mark(copy.copy(TruthCell(value))) == value, "as pickle copies it"
    formula = UnusableCell("holds a formula; copy it")
    assert parse_mark(formula) is None
    assert mark_fault(formula) == "holds a formula; copy it"


@pytest.mark.parametrize(("more", "read"), [(-1, True), (0, True), (1, False)])
def test_a_cell_is_looked_at_up_to_the_length_of_numbers(more, read):
    cell = "yes".ljust(limits.NUMBER_CHARACTERS + more)
    assert parse_mark(cell) == (1 if read else None)


def test_many_cells_are_read_with_the_places_of_those_that_are_none():
    values, bad = parse_marks(["yes", "", "perhaps", "no", "?"])
    np.testing.assert_array_equal(values, [1, 0, np.nan, 0, np.nan])
    assert bad == [2, 4]


def test_marks_may_come_in_another_order_and_in_part(read_tables):
    assert marks(read_tables(etc=HOLED, estimated="x;B;A\nT2;;x\nT1;1;no\n")) == [[0, 1], [1, 0]]
    assert marks(read_tables(etc=HOLED, estimated="x,B\nT1,yes\n")) == [[0, 1], [0, 0]]
    assert marks(read_tables(etc=HOLED, estimated="x,A,B\nT1,no,\n")) is None
    assert marks(read_tables(etc=HOLED, estimated="x,A\n")) is None


def test_what_is_wrong_is_located_with_the_remedy(read_tables):
    reading = read_tables(etc=HOLED, estimated="x,A,C\nT1,maybe,\nt2,yes,yes\n")
    found = {(p.file, p.row, p.column): p.message for p in reading.problems}
    assert found == {
        ("estimated.csv", "T1", "A"): f"{mark_fault('maybe')} (line 2)",
        ("estimated.csv", "t2", ""): "task type 't2' is not in etc.csv; write it 'T2'",
        ("estimated.csv", "", "C"): "machine type 'C' is not in etc.csv; correct the name, or "
        "remove it",
    }
    assert not reading.ok


def test_a_mark_on_a_pair_that_cannot_run_is_a_warning(read_tables):
    reading = read_tables(etc=HOLED, estimated="x,A,B\nT1,yes,\nT2,,yes\n")
    (problem,) = reading.problems
    assert (problem.severity, problem.file) == ("warning", "estimated.csv")
    assert (problem.row, problem.column) == ("T2", "B")
    assert marks(inspect_tables(reading.tables)) == marks(reading) == [[1, 0], [0, 0]]


def test_it_is_no_doubt_about_a_time_that_cannot_be_read(read_tables):
    reading = read_tables(etc="x,A\nT1,soon\n", estimated="x,A\nT1,yes\n")
    assert [(p.file, p.row, p.column) for p in reading.problems] == [("etc.csv", "T1", "A")]


@pytest.mark.parametrize(
    ("cells", "found"), [([True, False], [[1, 0]]), (["x", 1], [[1, 1]]), ([False, None], None)]
)
def test_a_workbook_may_hold_truths_numbers_and_words(cells, found):
    data = book([["x", "A", "B"], ["T1", *cells]])
    assert marks(inspect_system_bytes("b.xlsx", data)) == found


def test_another_number_of_a_workbook_is_no_mark():
    (problem,) = inspect_system_bytes("b.xlsx", book([["x", "A"], ["T1", 5]])).problems
    assert (problem.file, problem.row, problem.column) == ("b.xlsx [estimated]", "T1", "A")


def test_a_name_is_no_truth():
    (problem,) = inspect_system_bytes(
        "b.xlsx", book([["x", "A", True], ["T1", True, True]])
    ).problems
    assert "the name of a machine type holds true or false; give a number or a name" in str(problem)


@pytest.mark.parametrize(
    "rows", [[[True, False], [True, None]], [[1, 0], ["yes", ""]], [["x", None], [1.0, "no"]]]
)
def test_a_document_may_hold_truths_numbers_and_words(rows):
    reading = inspect_system_bytes("s.json", document(estimated=rows))
    assert marks(reading) == [[1, 0], [1, 0]]
    assert reading.problems == ()


@pytest.mark.parametrize("absent", [{}, {"estimated": None}])
def test_a_document_may_have_no_marks(absent):
    assert marks(inspect_system_bytes("s.json", document(**absent))) is None


@pytest.mark.parametrize(
    ("rows", "place", "said"),
    [
        ([[True, 2], [True, None]], ("T1", "B"), "'2' is neither true nor false; give true if"),
        ([[True, "so"], [1, None]], ("T1", "B"), "'so' is neither true nor false; give true if"),
        ([[True, [1]], [1, None]], ("T1", "B"), "the value is neither true nor false; give true"),
        ([[True], [1, None]], ("T1", ""), "give one value each, null where the pair is no estim"),
        ([True, [1, None]], ("T1", ""), "is not a list; give one mark for each machine"),
        ([[True, None]], ("", ""), "has 1 rows, but there are 2 task types; give one row each"),
        ("yes", ("", ""), "is not a list; give one list of marks for each task type"),
    ],
)
def test_what_is_wrong_with_marks_of_a_document_is_located(rows, place, said):
    (problem,) = inspect_system_bytes("s.json", document(estimated=rows)).problems
    assert problem.file == "s.json [estimated]"
    assert (problem.row, problem.column) == place
    assert said in problem.message


def test_marks_of_a_document_can_be_corrected_as_words():
    reading = inspect_system_bytes(
        "s.json", document(estimated=[[True, "so"], [False, None]], etc=[[1, 2], [3, None]])
    )
    assert reading.tables is not None
    table = reading.tables["estimated"]
    assert [row.cells for row in table.rows] == [
        ["task_type", "A", "B"],
        ["T1", "yes", "so"],
        ["T2", "", ""],
    ]
    again = inspect_tables({**reading.tables, "estimated": table.with_cells({(1, 2): "no"})})
    assert marks(again) == [[1, 0], [0, 0]]


def test_a_document_whose_marks_have_no_form_cannot_be_corrected_cell_by_cell():
    assert inspect_system_bytes("s.json", document(estimated=[[True]])).tables is None


def test_swapped_marks_are_noticed_and_swapped_back(read_tables):
    reading = read_tables(
        etc="x,A,B,C\nT1,1,2,3\nT2,4,5,6\n", estimated="x,T1,T2\nA,yes,\nB,,\nC,,yes\n"
    )
    (problem,) = reading.problems
    assert problem.file == "estimated.csv"
    assert "swap its rows and columns" in problem.message
    assert reading.tables is not None
    assert seem_swapped(reading.tables) == ("estimated",)
    (mend,) = mends(reading.tables)
    assert mend.action == "Swap rows and columns of estimates"
    assert marks(inspect_tables(mend.tables)) == [[1, 0, 0], [0, 0, 1]]


def test_all_tables_that_lie_the_wrong_way_round_are_swapped_at_once(read_tables):
    turned = "x,T1,T2\nA,1,2\nB,3,4\nC,5,6\n"
    reading = read_tables(
        etc=turned,
        apc=turned,
        estimated="x,T1,T2\nA,yes,\nB,,\nC,,yes\n",
        tasks="task_type,count\nT1,1\nT2,1\n",
    )
    assert seem_swapped(reading.tables) == ("etc", "apc", "estimated")
    assert marks(inspect_tables(mends(reading.tables)[0].tables)) == [[1, 0, 0], [0, 0, 1]]


def test_a_cross_is_a_mark_and_no_missing_number(read_tables):
    reading = read_tables(etc=HOLED, estimated="x,A,B\nT1,x,maybe\n")
    assert reading.tables is not None
    assert mends(reading.tables) == []


@pytest.mark.parametrize("title", ["estimated", "ESTIMATED", "Estimated pairs", "is_estimated"])
def test_the_table_is_called_as_people_call_it(tmp_path, title):
    (tmp_path / "etc.csv").write_text(HOLED)
    (tmp_path / f"{title}.csv").write_text("x,A\nT1,yes\n")
    assert marks(inspect_system(tmp_path)) == [[1, 0], [0, 0]]


def test_more_bad_marks_than_are_listed_are_counted(read_tables, monkeypatch):
    monkeypatch.setattr(limits, "ERRORS_LISTED", 2)
    names = ",".join(f"M{j}" for j in range(5))
    reading = read_tables(
        etc=f"x,{names}\nT,1,1,1,1,1\n", estimated=f"x,{names}\nT,so,so,so,so,so\n"
    )
    assert "3 more errors" in str(reading.problems[-1])


def test_marks_are_judged_by_the_names_in_etc_and_not_by_those_in_apc(read_tables):
    reading = read_tables(
        etc=HOLED, apc="x,C,D\nT3,1,2\nT4,3,\n", estimated="x,T1,T2\nA,yes,\nB,,\n"
    )
    assert reading.tables is not None
    assert seem_swapped(reading.tables) == ("estimated",)
