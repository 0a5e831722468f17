"""Each unreadable cell, name or column of a table is reported where it is, by name."""

import pytest

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
def test_bad_counts(read_tables, count):
    reading = read_tables(etc=ETC, tasks=f'task_type,count\nT1,"{count}"\nT2,1\n')
    assert places(reading) == {("tasks.csv", "T1", "count")}


@pytest.mark.parametrize("watts", ["", "-1", "x", "inf", "1,5"])
def test_bad_idle_power(read_tables, watts):
    reading = read_tables(
        etc=ETC, machines=f'machine_type,count,idle_power\nA,1,"{watts}"\nB,1,1\n'
    )
    assert places(reading) == {("machines.csv", "A", "idle_power")}


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
