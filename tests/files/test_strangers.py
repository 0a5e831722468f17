"""Files as strangers have them give right numbers or a question, never wrong numbers."""

from collections.abc import Mapping, Sequence

import pytest
from books import book

from core.files import RawTables, SystemReading, inspect_system_bytes, inspect_system_files
from core.files.assembly import read_kept
from core.files.findings import Findings
from core.files.mends import mends, used_as
from core.vocabulary.problems import errors
from core.vocabulary.system import System

Files = Mapping[str, bytes]
NAMES: list[object] = ["app", "cn", "gv"]
TIMES = [NAMES, ["a", 60, 30], ["b", 600, 100]]
POWERS = [NAMES, ["a", 300, 700], ["b", 310, 720]]
ETC, APC = [[60.0, 30.0], [600.0, 100.0]], [[300.0, 700.0], [310.0, 720.0]]

OF_NO_NAME: Files = {
    "Messung 1.csv": "Laufzeiten in Minuten, im März;;\n;;\nProgramm;cn;gv\na;1,0;0,5\n".encode(),
    "Messung 2.csv": b"Watt;cn;gv\na;300;700\n",
}
GERMAN_BOOK: Files = {
    "Cluster.xlsx": book(
        {
            "Übersicht": [["Unser Cluster"], ["Stand", "März"]],
            "Laufzeiten (min)": [["Programm", "cn", "gv"], ["a", 1, 0.5], ["b", 10, 100 / 60]],
            "Tabelle 2": [["Leistung (W)", "cn", "gv"], ["a", 300, 700], ["b", 310, 720]],
            "Knoten": [["Typ", "Anzahl", "Leerlauf (W)"], ["cn", 14, 140], ["gv", 4, 320]],
            "Aufgaben": [["Programm", "Anzahl"], ["a", 120], ["b", 3]],
        }
    )
}
TWO_GERMAN_CSVS: Files = {
    "Laufzeiten.csv": b"Anwendung;Knoten A;Knoten B\nGROMACS;1.234,5;987,25\nVASP;12.000,0;8,5\n",
    "Leistung.csv": b"Anwendung;Knoten A;Knoten B\nGROMACS;310,5;420\nVASP;1.250,0;400,25\n",
}
ANY_SHEETS: Files = {"ours.xlsx": book({"Tabelle1": TIMES, "Blatt 2": POWERS})}
NAMED_SHEETS: Files = {
    "ours.xlsx": book(
        {
            "Runtimes (min)": [NAMES, ["a", 1, 0.5], ["b", 10, 100 / 60]],
            "Power (kW)": [NAMES, ["a", 0.3, 0.7], ["b", 0.31, 0.72]],
            "Remarks": [["measured in March"]],
        }
    )
}


def read(files: Files) -> SystemReading:
    if len(files) == 1:
        return inspect_system_bytes(*next(iter(files.items())))
    return inspect_system_files(files)


def after(tables: RawTables | None, *actions: str) -> System | None:
    """The system after these buttons."""
    assert tables is not None
    for action in actions:
        tables = next(mend.tables for mend in mends(tables) if mend.action.startswith(action))
    return read_kept(tables, Findings()).system


@pytest.mark.parametrize(
    ("files", "clicks", "etc", "apc"),
    [
        (
            TWO_GERMAN_CSVS,
            ["Write 7 numbers"],
            [[1234.5, 987.25], [12000.0, 8.5]],
            [[310.5, 420.0], [1250.0, 400.25]],
        ),
        ({"t.csv": b"[min],cn,gv\na,1,0.5\n"}, [], [[60.0, 30.0]], None),
        (NAMED_SHEETS, [], ETC, APC),
        (OF_NO_NAME, ["Write 2 numbers"], [[60.0, 30.0]], [[300.0, 700.0]]),
        (GERMAN_BOOK, [], ETC, APC),
        (
            {"times.csv": b"app,count,cn,gv,gv std\nnodes,,12,3,\na,4,60,30,1\n"},
            ["Leave out what is no type"],
            [[60.0, 30.0]],
            None,
        ),
        (
            {"bench.csv": b"app,cn (s),gv [min]\na,60,0.5\nb,600,2\n"},
            [],
            [[60.0, 30.0], [600.0, 120.0]],
            None,
        ),
        (
            {"runtimes.csv": b"app,cn,gv\na,00:01:00,0:00:30\nb,1-00:10:00,01:40:00.5\n"},
            ["Write 4 times"],
            [[60.0, 30.0], [87_000.0, 6000.5]],
            None,
        ),
        (
            {"times.csv": b"app,cn,gv\na,60 s,0.5 min\nb,10 minutes,2h\n"},
            ["Write 4 times"],
            [[60.0, 30.0], [600.0, 7200.0]],
            None,
        ),
        (
            {"Unicode Text.txt": "times [min]\tcn\tgv\na\t1,0\t0,5\n".encode("utf-16")},
            ["Write 2 numbers"],
            [[60.0, 30.0]],
            None,
        ),
        (
            {"durations_h.csv": b"app,cn,gv\na,1,n/a\nb,-,0.5\n"},
            ["Leave 2 cells blank"],
            [[3600.0, float("inf")], [float("inf"), 1800.0]],
            None,
        ),
        (
            {"mine.csv": "Jobs für März;;\n;;\nProgramm;cn;gv\nübung;60;30\n".encode("latin-1")},
            ["It holds times in seconds"],
            [[60.0, 30.0]],
            None,
        ),
    ],
    ids=[
        *(
            "german",
            "corner",
            "sheets",
            "no name",
            "book",
            "counts",
            "columns",
            "durations",
            "units",
            "utf-16",
            "blanks",
        ),
        "windows",
    ],
)
def test_they_give_right_numbers_perhaps_after_a_click(
    files: Files, clicks: Sequence[str], etc: list[list[float]], apc: list[list[float]] | None
) -> None:
    found = read(files)
    assert (found.value is None) == bool(clicks), "what needs a click is not in force before"
    system = after(found.tables, *clicks)
    assert system is not None
    assert system.etc.tolist() == [pytest.approx(row) for row in etc]
    assert (system.apc is None) == (apc is None)
    if files is GERMAN_BOOK:
        assert (system.task_counts.tolist(), system.machine_counts.tolist()) == ([120, 3], [14, 4])
        assert system.idle_power.tolist() == [140, 320]
    if apc is not None and system.apc is not None:
        assert system.apc.tolist() == [pytest.approx(row) for row in apc]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("mine.csv", b"Power [W],cn,gv\na,300,700\n", "holds powers, and a system needs times"),
        ("t.csv", b"times,cn,gv (min)\na,60,0.5\n", "only some columns say a unit of times"),
        ("t.csv", b"times,cn (s),gv (W)\na,60,300\n", "only some columns say a unit of times"),
        ("times.csv", b"app,cn,gv\na,60,30\nb,6,1\nTotal,66,31\n", "seems to hold the sum of the"),
        ("times.csv", b"app,cn,gv\na,60,30\nb,6,\nMean:,33,30\n", "seems to hold the mean of the"),
        ("times.csv", b"app,cn,gv,Mean\na,60,30,45\nb,6,2,4\n", "the mean of the columns before"),
        ("times.csv", b"app,cn,gv\na,10:30,9:15\n", "'10:30' is not a number"),
        ("times.csv", b"app,cn,gv\na,100%,50%\n", "'100%' has a percent sign"),
        ("times.csv", b'app,cn,gv\na,"1,234","8,500"\n', "may separate thousands or decimals"),
    ],
)
def test_what_cannot_be_known_is_a_question(name: str, data: bytes, said: str) -> None:
    found = inspect_system_bytes(name, data)
    assert found.value is None
    assert any(said in problem.message for problem in errors(found.problems)), found.problems


@pytest.mark.parametrize("rows", [b"a,60,30\nTotal,60,30\n", b"a,60,30\nb,6,1\nTotal,65,31\n"])
def test_a_task_type_may_be_called_total(rows: bytes) -> None:
    """One that is no sum of others is a task type."""
    assert inspect_system_bytes("times.csv", b"app,cn,gv\n" + rows).ok


def test_of_two_sheets_that_say_times_none_is_taken_in_silence() -> None:
    sheets = {"1": [["[min]", "cn"], ["a", 1]], "2": [["[h]", "cn"], ["a", 2]]}
    assert len(read({"ours.xlsx": book(sheets)}).spare) == 2
    beside = {"etc": [["x", "cn"], ["a", 90]], "1": sheets["1"]}
    system = read({"ours.xlsx": book(beside)}).value
    assert system is not None
    assert system.etc.tolist() == [[90.0]]


def test_sheets_of_any_name_are_asked_for() -> None:
    found = read(ANY_SHEETS)
    assert found.value is None
    times, powers = found.spare
    tables = used_as(used_as({}, times, "etc").tables, powers, "apc").tables
    system = read_kept(tables, Findings()).system
    assert system is not None
    assert system.apc is not None
    assert (system.etc.tolist(), system.apc.tolist()) == (ETC, APC)
