"""Tables are matched by name, and all that is wrong with a system is found in one pass."""

import books

from core.files import inspect_system_bytes, limits
from core.files.assembly import _labels
from core.files.findings import Findings
from core.files.system_file import inspect_parts_bytes

ETC = "x,A,B\nT1,1,2\nT2,3,4\n"


def places(reading):
    return {(p.file, p.row, p.column) for p in reading.problems}


def test_power_may_come_in_another_order(read_tables):
    system = read_tables(etc=ETC, apc="x;B;A\nT2;40;30\nT1;20;10\n").require()
    assert system.apc.tolist() == [[10.0, 20.0], [30.0, 40.0]]


def test_etc_alone_is_a_system(read_tables):
    system = read_tables(etc=ETC).require()
    assert system.apc is None
    assert (system.tasks, system.machines, system.total_idle_power) == (2, 2, 0.0)


def test_shapes_that_differ_are_located_by_name(read_tables):
    reading = read_tables(etc=ETC, apc="x,A,C\nT1,1,2\nT3,3,4\n")
    assert places(reading) == {
        ("apc.csv", "T2", ""),
        ("apc.csv", "T3", ""),
        ("apc.csv", "", "B"),
        ("apc.csv", "", "C"),
    }


def test_types_missing_from_or_unknown_to_the_listings(read_tables):
    reading = read_tables(
        etc=ETC,
        tasks="task_type,count\nt1,1\nT2,1\n",
        machines="machine_type,count\nA,1\nB,1\nC,1\n",
    )
    assert places(reading) == {
        ("tasks.csv", "T1", ""),
        ("tasks.csv", "t1", ""),
        ("machines.csv", "C", ""),
    }
    assert any("write it 'T1'" in p.message for p in reading.problems)


def test_what_is_wrong_with_a_name_is_not_said_again_of_other_tables(read_tables):
    reading = read_tables(etc="x,A\nT1,1\n,2\n", apc="x,A\nT1,1\n", tasks="task_type,count\nT1,1\n")
    assert places(reading) == {("etc.csv", "line 3", "")}


def test_syntax_and_meaning_are_checked_together(read_tables):
    reading = read_tables(
        etc='x,A,B\nT1,-1,"1,5"\nT2,0,3\nT3,,\n',
        apc="x,A,B\nT1,1,2\nT2,abc,\nT3,5,\n",
        tasks="task_type,count\nT1,1.5\nT2,-3\nT3,1\n",
        machines="machine_type,count,idle_power\nA,2000000,1\nB,1,-1\n",
    )
    assert places(reading) == {
        ("etc.csv", "T1", "A"),
        ("etc.csv", "T1", "B"),
        ("etc.csv", "T2", "A"),
        ("etc.csv", "T3", ""),
        ("apc.csv", "T2", "A"),
        ("apc.csv", "T2", "B"),
        ("apc.csv", "T3", "A"),
        ("tasks.csv", "T1", "count"),
        ("tasks.csv", "T2", "count"),
        ("machines.csv", "A", "count"),
        ("machines.csv", "B", "idle_power"),
    }
    assert all(p.severity == "error" for p in reading.problems)


def test_idle_power_above_all_power_is_a_warning(read_tables):
    reading = read_tables(
        etc=ETC,
        apc="x,A,B\nT1,10,20\nT2,10,20\n",
        machines="machine_type,count,idle_power\nA,1,11\nB,1,1\n",
    )
    assert reading.ok
    (problem,) = reading.problems
    assert (problem.file, problem.row, problem.severity) == ("machines.csv", "A", "warning")


def test_faults_of_names_are_located_where_the_names_are(read_tables):
    long = "x" * 201
    reading = read_tables(etc=f"x,A\n{long},1\n", tasks=f"task_type,count\n{long},1\n")
    assert {p.file for p in reading.problems} == {"etc.csv"}
    assert "longer than 200" in reading.problems[0].message


def test_a_table_that_cannot_be_read_does_not_hide_the_others(read_tables):
    reading = read_tables(etc=b"x,A\nT1,\x00\n", tasks="task_type,count\nT1,x\n")
    assert places(reading) == {("etc.csv", "", ""), ("tasks.csv", "T1", "count")}


def test_hopeless_tables_have_a_bounded_list_of_problems(read_tables):
    names = range(limits.ERRORS_LISTED)
    reading = read_tables(
        etc="x,A,B,C,D\n" + "".join(f"T{i},-1,0,x,\n" for i in names),
        apc="x,A,B,C,D\n" + "".join(f"T{i},0,0,0,\n" for i in names),
    )
    assert len(reading.problems) <= limits.ERRORS_LISTED + limits.WARNINGS_LISTED + 2
    assert "more errors" in reading.problems[limits.ERRORS_LISTED].message


def parts_of(settings="", **tables):
    """The parts of a system in an archive of these tables, and what is wrong with them."""
    files = {f"{name}.csv": text for name, text in tables.items()}
    findings = Findings()
    data = books.zipped({**files, "plan.toml": settings} if settings else files)
    return inspect_parts_bytes("mine.zip", data, "plan", findings), findings.problems()


def test_parts_of_a_system_are_its_lists_in_the_order_of_its_times():
    """Counts of none are kept, and the system has one of each in their place."""
    parts, problems = parts_of(
        settings="budget = 3",
        etc=ETC,
        tasks="task_type,count,release\nT2,0,5\nT1,0,\n",
        machines="machine_type,count,idle_power,price\nB,0,7,2.5\nA,3,6,x\n",
    )
    assert problems == ()
    assert (parts.task_names, parts.machine_names) == (("T1", "T2"), ("A", "B"))
    assert (parts.machine_counts, parts.missing) == ((3, 0), frozenset())
    assert parts.tasks == {"release": ("", "5")}
    assert parts.machines == {"price": ("x", "2.5")}
    assert parts.labels == {name: f"{name}.csv" for name in ("etc", "tasks", "machines")}
    assert (parts.settings, parts.source.label) == ({"budget": 3}, "plan.toml")
    assert parts.types.task_counts.tolist() == [1, 1]
    assert parts.types.machine_counts.tolist() == [3, 1]
    assert parts.types.idle_power.tolist() == [6, 7]
    parts, _ = parts_of(etc=ETC, tasks="task_type,count\nT1,0\nT2,4\n")
    assert parts.types.task_counts.tolist() == [0, 4]


def test_parts_that_are_missing_would_be_beside_the_times():
    parts, problems = parts_of(etc=ETC)
    assert (problems, parts.settings, parts.machine_counts) == ((), None, (1, 1))
    assert parts.missing == {"tasks", "machines"}
    assert parts.labels == {name: f"{name}.csv" for name in ("etc", "tasks", "machines")}
    parts, problems = parts_of(settings="budget = ", machines="machine_type,count\nA,2\n")
    assert [(p.file, p.message[:10]) for p in problems] == [
        ("etc.csv", "is missing"),
        ("plan.toml", "is not val"),
    ]
    assert (parts.types, parts.settings, parts.task_names) == (None, {}, ())
    assert (parts.machine_names, parts.machine_counts, parts.missing) == (("A",), (2,), {"tasks"})
    assert parts.labels == {"etc": "etc", "tasks": "tasks", "machines": "machines.csv"}
    parts, _ = parts_of(etc="x,A\nT1,1\n", machines="machine_type,count\nB,2\n")
    assert (parts.types, parts.machine_counts) == (None, (1,))


def test_a_label_of_times_without_their_name_names_no_other_table():
    assert _labels("mine.csv", None, None) == {
        **{"etc": "mine.csv", "tasks": "tasks", "machines": "machines"}
    }
    assert _labels("b.xlsx [etc]", None, None)["tasks"] == "b.xlsx [tasks]"


def test_tables_that_can_be_mended_are_kept(read_tables):
    reading = read_tables(etc="machine,a,b\nA,1,2\n", estimated="x,a,b\nA,1,0\n")
    assert reading.tables.keys() == {"etc", "estimated"}
    (problem,) = reading.problems
    assert problem.message.startswith("seems to have machine types as rows, as the title above")
    assert read_tables(etc=b"x,A\nT1,\x00\n").tables is None
    alone = inspect_system_bytes("m.zip", books.zipped({"tasks.csv": "x,count\nT,1\n"}))
    assert alone.tables is None
