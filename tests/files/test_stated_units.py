"""The unit that a table states is honoured and said, or it is asked for."""

import books
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files import (
    Reading,
    inspect_system_bytes,
    inspect_system_files,
    inspect_tables,
    write_system,
)
from core.files.folder import table_of_file
from core.files.mends import mends
from core.files.stated_units import tables_said, unit_called, unit_in
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def read(text: str, name: str = "etc.csv") -> Reading:
    return inspect_system_bytes(name, text.encode())


def said(reading: Reading) -> list[str]:
    return [f"{p.severity} {p.file}: {p.message}" for p in reading.problems]


def zipped(**files: str) -> Reading:
    data = books.zipped({f"{name}.csv": text for name, text in files.items()})
    return inspect_system_bytes("mine.zip", data)


TITLES = {
    "min": "ETC [min]; [min]; min; Times (min); etc_min; times_cluster_min; "
    "execution time (in minutes); minutes per run; min/job; time_in_min_avg; CPU minutes; "
    "Laufzeiten in Minuten, gemessen im März; min/job type; Runtime in minutes (mean of 5)",
    "ms": "runtime-ms",
    "h": "tiempo [horas]; temps en heures; durée (heures); "
    "Run time in hours; etc (h) old; h per Lauf; times_hours; CPU hours; wall hours; "
    "runtime hours per job; time (hours); Mean hours by machine; wall-clock hours; Hours per run",
    "s": "task_type [s]; Duration (seconds)",
    "d": "ETC in d",
    "µs": "µs",
    "ns": "runtime_ns",
    "ks": "ks; [ks]; Times in ks; times_ks; all times in kiloseconds",
    "kW": "power_kw",
    "mW": "apc [mW]",
    "MW": "Power (MW)",
    "W": "powers_W",
    "": "etc; task_type; Measured in May; ; jobs of the last 30 days; times of the last 30 days; "
    "node_d; all of the times now h; cluster (2024); etc (1); Machine type →; tasks per hours; "
    "the last 90 minutes; Runtime (x100 s); Runtime (min, mean); jobs/min; H/W; H/W type; d/b; "
    "w/o GPU; w/hostname; times_core_h; W/core; times in 1000 s; time 10 min; "
    "Measured outside office hours; times outside office hours; working hours",
}
"""Titles by their units; the last have none."""


@pytest.mark.parametrize("symbol", TITLES)
def test_units_are_found_where_people_write_them(symbol):
    for title in TITLES[symbol].split("; "):
        unit = unit_in(title)
        assert (unit.symbol if unit else "") == symbol, title


@pytest.mark.parametrize(
    ("name", "corner", "seconds"),
    [
        *[("etc.csv", "ETC [min]", 60), ("etc.csv", "[h]", 3600), ("etc_min.csv", "task_type", 60)],
        *[("Runtime (ms).csv", "", 0.001), ("etc.csv", "time in days", 86_400)],
        *[("etc.csv", "ETC [s]", 1), ("etc_s.csv", "x", 1), ("etc.csv", "ETC (in min)", 60)],
        *[("etc.csv", "ETC [µs]", 1e-6), ("etc.csv", "ETC [2024]", 1)],
        ("etc.csv", "under a power cap", 1),
    ],
)
def test_a_stated_unit_of_times_is_honoured_and_said(name, corner, seconds):
    """Issue 33, point 6: "[min]" in the corner cell or in the name is not ignored."""
    reading = read(f"{corner},A,B\nt1,2,3.9\n", name)
    found = reading.require().etc[0]
    assert found.tolist() == pytest.approx([2 * seconds, 3.9 * seconds], rel=1e-15)
    told = [text for text in said(reading) if "times are in " in text]
    assert len(told) == (seconds != 1)


@pytest.mark.parametrize(("unit", "how"), [("min", "multiplied by 60"), ("ms", "divided by 1,000")])
def test_what_is_said_of_a_unit(unit, how):
    """Issue 33, point 6: who reads minutes as seconds is told so."""
    assert said(read(f"ETC [{unit}],A\nt1,2\n")) == [
        f"warning etc.csv: times are in {unit}, as 'ETC [{unit}]' says: all are {how}"
    ]


def test_powers_in_kilowatts():
    """Issue 33, point 6: units of powers in the name of a file or in its corner."""
    for name, corner in (("apc", "APC [kW]"), ("power_kw", "x")):
        reading = zipped(etc="x,A\nt1,2\n", **{name: f"{corner},A\nt1,0.21\n"})
        apc = reading.require().apc
        assert apc is not None
        assert apc.tolist() == [[210]]


@pytest.mark.parametrize(
    ("title", "watts"),
    [
        *[("Idle (kW)", 210), ("idle_power [kW]", 210), ("Idle kW", 210), ("idle_power_kw", 210)],
        *[("Idle (mW)", 0.00021), ("Idle (MW)", 210_000), ("Idle power (megawatts)", 210_000)],
        *[("Idle (W)", 0.21), ("idle_power", 0.21), ("Idle watts", 0.21)],
    ],
)
def test_idle_powers_in_the_unit_of_their_column(title, watts):
    """Issue 33, point 6: the unit of a column of idle powers is honoured and said."""
    reading = zipped(etc="x,A\nt1,2\n", machines=f"machine_type,count,{title}\nA,1,0.21\n")
    assert reading.require().idle_power.tolist() == pytest.approx([watts], rel=1e-15)
    told = [text for text in said(reading) if "idle powers are in" in text]
    assert len(told) == (watts != 0.21)
    if title == "Idle (kW)":
        assert told == [
            "warning machines.csv: idle powers are in kW, as 'Idle (kW)' says: all are "
            "multiplied by 1,000"
        ]


def test_units_in_the_names_of_sheets_and_above_tables():
    """Issue 33, point 6: units in a sheet's name, and in the title above a table."""
    sheets = {
        "Times (min)": [["x", "A"], ["t1", 2]],
        "apc": [["Average power in kW"], ["x", "A"], ["t1", 0.5]],
    }
    system = inspect_system_bytes("b.xlsx", books.book(sheets)).require()
    assert system.apc is not None
    assert (system.etc.item(), system.apc.item()) == (120, 500)


def test_a_unit_that_all_machine_types_have():
    """Issue 33, point 6: units in the header."""
    reading = read("x,A [min],B [min]\nt1,2,3\n")
    assert reading.require().etc.tolist() == [[120, 180]]
    assert read("x,A (in min)\nt1,2\n").require().etc.item() == 120
    assert not read("x,A [min],B\nt1,2,3\n").ok, "issue 35: a question, no wrong numbers"
    both = zipped(etc="x,A [min]\nt1,2\n", apc="x,A [min]\nt1,210\n").require()
    assert both.apc is not None
    assert (both.etc.item(), both.apc.item()) == (120, 210)


@pytest.mark.parametrize(
    ("name", "corner", "why"),
    [
        ("etc.csv", "ETC [fortnight]", "'ETC [fortnight]' has a unit that is not known, fortnight"),
        (
            "etc.csv",
            "(m)",
            "'(m)' has a unit that is not known, m; give times in ns, µs, ms, s, ks, min",
        ),
        ("etc.csv", "[kW]", "'[kW]' says kW, which is no unit of times; correct it, or use the"),
        ("etc_min.csv", "[s]", "says min ('etc_min') and s ('[s]'); keep one unit"),
    ],
)
def test_a_unit_that_is_not_clear_is_asked_for(name, corner, why):
    """Issue 33, point 6: a unit that cannot be honoured is no unit of seconds."""
    reading = read(f"{corner},A\nt1,2\n", name)
    assert not reading.ok
    assert [text for text in said(reading) if why in text]
    assert not [text for text in said(reading) if "all are" in text]


@pytest.mark.parametrize("corner", ["x", "x [s]", "x [min]"])
def test_words_that_may_be_a_unit_are_asked_about(corner):
    """No times are converted, and none are left as they are, unless the table says it clearly."""
    reading = read(f"{corner},A\nt1,2\n", "times outside office hours.csv")
    if corner == "x":
        (problem,) = said(reading)
        assert "'times outside office hours' may say that times are in h; write the" in problem
        assert not reading.ok
    else:
        assert reading.require().etc.item() == (2 if corner == "x [s]" else 120)
    assert read("x,A [s]\nt1,2\n", "times outside office hours.csv").require().etc.item() == 2
    assert said(read("x,A\nt1,2\n", "times at odd seconds.csv")) == [], "they are in seconds anyway"


@pytest.mark.parametrize("corner", ["Task (type)", "Job (name)", "Jobs / machines", "type of task"])
def test_other_words_in_brackets_are_no_units(corner):
    assert said(read(f"{corner},A\nt1,2\n")) == []


@pytest.mark.parametrize("name", ["mine.csv", "times_and_powers.csv"])
def test_a_table_that_says_nothing_or_both_is_asked_what_it_holds(name):
    """Issue 33, point 6: a CSV of powers alone does not become the times."""
    reading = read("x,A\nt1,120\n", name)
    assert [text.split(";")[0] for text in said(reading)] == [
        f"error {name}: does not say whether it holds times or powers"
    ]
    assert (table_of_file(name), table_of_file("my_powers.csv")) == (None, "apc")
    assert "whether it holds" not in str(said(read("x,A\n", name))), "it has no rows"


def test_what_a_table_holds_can_be_told():
    """Issue 33, point 6: and then it is that."""
    tables = read("x,A\nt1,120\n", "mine.csv").tables
    assert tables
    offered = mends(tables)
    units = ("seconds", "minutes", "hours")
    assert [mend.action for mend in offered] == [f"It holds times in {unit}" for unit in units]
    values = [inspect_tables(mend.tables).require().etc.item() for mend in offered]
    assert values == [120, 7200, 432_000]
    assert mends(offered[0].tables) == []


@pytest.mark.parametrize("name", ["my_times.csv", "cluster_min.csv", "Run times.txt"])
def test_a_name_that_says_times_is_not_asked(name):
    corner = "t [min]" if "times" not in name else "x"
    assert read(f"{corner},A\nt1,1\n", name).ok


@pytest.mark.parametrize(
    ("name", "corner"),
    [("cluster_power.csv", "x"), ("a.csv", "[kW]"), ("watts of all.csv", "Power")],
)
def test_powers_alone_are_no_system(name, corner):
    """Issue 33, point 6: a CSV of powers alone is refused with what is missing."""
    reading = read(f"{corner},A\nt1,120\n", name)
    assert not reading.ok
    assert said(reading)[0] == (
        f"error {name}: holds powers, and a system needs times; give etc.csv with it, and call it "
        "apc.csv"
    )


ETC, APC = b"x,A\nt1,120\n", b"x,A\nt1,210\n"


@pytest.mark.parametrize("names", ["etc.csv apc.csv", "my_times.csv cluster_power_W.csv"])
def test_times_and_powers_are_taken_together(names):
    """Issue 33, point 6: ETC and APC as two CSV files are one system."""
    etc, apc = names.split()
    for files in ({etc: ETC, apc: APC}, {apc: APC, etc: ETC}):
        reading = inspect_system_files(files)
        system = reading.require()
        assert system.apc is not None
        assert (system.etc.item(), system.apc.item(), reading.problems) == (120, 210, ())


def test_files_whose_names_say_nothing_are_not_guessed():
    """Issue 33, point 6: of two files without clear names, neither is taken for times."""
    reading = inspect_system_files({"a.csv": ETC, "b.csv": APC})
    assert not reading.ok
    assert [table.label for table in reading.spare] == ["a.csv", "b.csv"]
    twice = inspect_system_files({"old_times.csv": ETC, "new_times.csv": ETC})
    assert not twice.ok
    assert len(twice.spare) == 2


def test_other_files_together_are_refused():
    reading = inspect_system_files({"a.json": b"{}", "b.xlsx": b""})
    assert said(reading) == [
        "error a.json, b.xlsx: are several files (a.json, b.xlsx); give one system: one file, or "
        "the .csv files of its tables"
    ]
    assert inspect_system_files({"etc.csv": ETC, "a.json": b"{}"}).unread == ("a.json",)
    assert inspect_system_files({"etc_min.csv": ETC}).require().etc.item() == 7200


def test_swapped_tables_keep_their_unit():
    """Issue 33, point 6: a corner "machine [min]" still says minutes when its table is swapped."""
    reading = read("machine [min],t1,t2\nA,1,2\n")
    assert reading.tables
    swap = next(mend for mend in mends(reading.tables) if "Swap" in mend.action)
    assert inspect_tables(swap.tables).require().etc.tolist() == [[60], [120]]


CORNERS = (
    "(hh:mm); time [hh:mm:ss]; HH:MM:SS; [мин]; tempo [ore]; czas (godz); app (m); kWh; "
    "energy [kWh]; Energy per task; J; [%]; %; speedup; GFLOPS; jobs/h; 1/h; x [CPU units]; "
    "tasks per second; t/h; CPU-h; core hours; mean h; h mean; quarters of an hour; weeks per job; "
    "time in weeks; time in 1000 s; ETC [x100 s]; 10^3 s; times 10min; hours per step; time m; Std."
)
FILES = (
    "energy_kWh; energy; times_kWh; times_cs; times_x100; times-1000s; times_core_h; "
    "Laufzeiten_Std; times_weeks; times_m; time_per_iteration; times_normalised"
)
ABOVE = (
    "Unit: h; Units = min; Times (hh:mm); Energy a task, kWh; all in 1000 s; Laufzeiten in Wochen"
)
HEADINGS = (
    "A_ks,B_ks; A h,B h; A_min,B_min; A/min,B/min; A (m),B (m); A [J],B [J]; A (hh:mm),B (hh:mm); "
    "hours A,hours B; A [W],B [W]; A_W,B_W; A (runtime h),B (runtime h); A [h],B; A [h],B [hh:mm]"
)
POWERS = (
    "kWh; Energy (J); [Wh/task]; power_kWh; kVA; [A]; BTU/h; power [J/s]; [W/core]; "
    "watts per core; power in hW; µW; [TDP %]; potencia [kilovatios]"
)


@pytest.mark.parametrize(
    ("name", "above", "head"),
    [
        *(("etc", "", f'"{corner}",A,B') for corner in CORNERS.split("; ")),
        *((name, "", "x,A,B") for name in FILES.split("; ")),
        *(("etc", f'"{title}",,\n', "x,A,B") for title in ABOVE.split("; ")),
        *(("etc", "", f"x,{names}") for names in HEADINGS.split("; ")),
        ("etc", "", "task_type,A [W],B [W]"),
    ],
)
def test_no_unit_that_is_not_read_becomes_seconds(name, above, head):
    """Issue 35, 1: what strangers say of their numbers ends in right numbers or in a question."""
    reading = read(f"{above}{head}\nt1,2,3.9\n", f"{name}.csv")
    assert not reading.ok
    assert not [text for text in said(reading) if "all are" in text]


@pytest.mark.parametrize("title", POWERS.split("; "))
def test_no_unit_that_is_not_read_becomes_watts(title):
    """Issue 35, 1: also energies, volt-amperes, and powers of a part of a machine."""
    reading = zipped(etc="x,A\nt1,2\n", apc=f'"{title}",A\nt1,0.21\n')
    assert not reading.ok


def test_energies_are_told_from_powers():
    """Issue 35, 1: `energy_kWh.csv` is neither times nor powers, and that is said."""
    said_once = "give times in seconds and powers in watts: a power is the energy of a task divided"
    (alone,) = said(read("x,A\nt1,2\n", "energy_kWh.csv"))
    assert alone.startswith(f"error energy_kWh.csv: 'energy_kWh' says energies; {said_once}")
    beside = inspect_system_files({"times.csv": ETC, "energy_kWh.csv": APC})
    assert beside.require().apc is None
    (warned,) = said(beside)
    assert warned.startswith(
        f"warning energy_kWh.csv: is not used, because it says energies; {said_once}"
    )
    tables = read("x,A\nt1,2\n", "energy_kWh.csv").tables
    assert tables
    assert mends(tables) == [], "nobody is offered to read them as times"


@pytest.mark.parametrize("said_by", ["corner", "titles"])
def test_a_unit_in_the_first_cell_answers_the_question(said_by):
    corner, name = ("times 10min [s]", "etc") if said_by == "corner" else ("x [s]", "times_weeks")
    assert read(f"{corner},A_h\nt1,2\n", f"{name}.csv").require().etc.item() == 2


@pytest.mark.parametrize(
    "text",
    [
        *("Job (ID),A", "GROMACS (2024),A", "Benchmark (MPI),A", "task_type,A_h", "H/W type,A"),
        *("x,A (64 cores)", "x,A (old)", "Measured in week 12\n\nx,A", "jobs of 30 days,A"),
        *("x,node-1", "Kernel,h1,h2", "ETC [2024],A", "times of 2024,A"),
    ],
)
def test_what_is_no_unit_is_not_asked_about(text):
    (*above, head) = text.split("\n\n")
    rows = [*(f"{title},," for title in above), head, "t1" + ",2" * head.count(",")]
    assert read("\n".join(rows) + "\n").require().etc.item(0) == 2


@pytest.mark.parametrize(
    "title", ["idle [kWh]", "Idle J", "idle %", "idle (share)", "idle W per core", "asleep [hW]"]
)
def test_idle_powers_in_another_unit_are_no_zeros(title):
    """Issue 35, 1: a column that says idle power is never left out in silence."""
    reading = zipped(etc="x,A\nt1,2\n", machines=f"machine_type,count,{title}\nA,1,0.21\n")
    assert not reading.ok
    column = "asleep_watts" if "asleep" in title else "idle_power"
    assert f"column {column} is in '" in said(reading)[0]


def test_names_of_machine_types_are_without_units():
    """Issue 35, 1: times and powers with units in their headings are of the same machine types, and
    what is written is read again as it was.
    """
    both = zipped(
        etc="x,A [min],B [s]\nt1,2,3\n",
        apc="x,A [kW],B [W]\nt1,0.5,210\n",
        machines="machine_type,count\nA,1\nB,2\n",
    ).require()
    assert (both.machine_names, both.etc.tolist()) == (("A", "B"), [[120, 3]])
    assert both.apc is not None
    assert both.apc.tolist() == [[500, 210]]
    assert read("x,A [min],A [h]\nt1,2,3\n").require().machine_names == ("A [min]", "A [h]")


def test_names_with_units_that_are_written_never_change_their_times(tmp_path):
    """Issue 35, 1: a system of a program may have them. They were read as minutes."""
    for names, fits in ((("A [min]", "B [min]"), False), (("A [min]", "B [h]"), True)):
        machines = tuple(map(MachineType, names))
        system = System((TaskType("t"),), machines, [[2.0, 3.0]], [[5.0, 7.0]])
        write_system(system, tmp_path / f"{fits}.zip")
        reading = inspect_system_bytes("s.zip", (tmp_path / f"{fits}.zip").read_bytes())
        assert reading.ok == fits
        if fits:
            assert reading.require().etc.tolist() == [[2, 3]]
        else:
            assert "says s ('task_type [s]') and min ('A [min]'); keep one" in said(reading)[0]


def test_times_of_the_clock_become_seconds_by_a_click():
    """Issue 35, 1: after that, no heading says another unit."""
    tables = read("time [hh:mm:ss],A\nt1,01:30:00\n").tables
    assert tables
    (mend,) = mends(tables)
    assert inspect_tables(mend.tables).require().etc.item() == 5400
    minutes = read("app,A [min]\nt1,10 min\n").tables
    assert minutes
    (mend,) = mends(minutes)
    assert not inspect_tables(mend.tables).ok, "the heading says minutes of what is in seconds"


@given(st.text(max_size=40))
def test_any_title_has_a_unit_or_none(text):
    unit = unit_in(text)
    assert unit is None or unit.table in tables_said([text])
    assert unit_called(text) is None or unit_in(text) is not None
