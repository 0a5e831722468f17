"""One decision mends what it says, in every table, and nothing else; its preview says what."""

import numpy as np
import pytest

from core.files import inspect_system_bytes, inspect_tables
from core.files.mends import mends, seem_swapped, swapped, transposed, used_as
from core.files.numbers import cleared_if_unknown
from core.files.raw_table import RawTable
from core.files.sheet import SheetRow
from core.files.stated_units import QUANTITIES

ETC = "task_type;old;new\nrender;120,5;60\ntrain;900;N/A\n"


def table(text: str, label: str = "etc") -> RawTable:
    lines = enumerate(text.splitlines(), 1)
    return RawTable(label, tuple(SheetRow(n, line.split(";")) for n, line in lines), is_text=True)


@pytest.mark.parametrize(("cell", "cleared"), [(" N/A", ""), ("-", ""), ("", None), ("5", None)])
def test_cells_that_say_that_nothing_is_known_can_be_cleared(cell, cleared):
    assert cleared_if_unknown(cell) == cleared


def test_cells_are_mended_in_all_tables_at_once_with_a_preview():
    tables = {"etc": table(ETC), "tasks": table("task_type;count\nrender;1'000\ntrain;5", "tasks")}
    numbers, unknown = mends(tables)
    assert numbers.action == "Write 2 numbers as 1234.5"
    assert numbers.preview == (
        "'120,5' becomes 120.5 (etc, line 2)",
        "'1'000' becomes 1000 (tasks, line 2)",
    )
    assert unknown.preview == ("'N/A' becomes blank (etc, line 3)",)
    for mend in (numbers, unknown):
        assert len(mends(mend.tables)) == 1, "and nothing is left of it"
    reading = inspect_tables(mends(numbers.tables)[0].tables)
    assert reading.require().etc.tolist() == [[120.5, 60.0], [900.0, np.inf]]
    assert reading.require().task_counts.tolist() == [1000, 5]
    assert tables["etc"].rows[1].cells[1] == "120,5", "what it began with is as it was"


def test_a_number_that_is_not_clear_is_written_by_the_mark_of_the_others():
    (numbers,) = mends({"etc": table("x;a;b\nT;1.250,5;2.400\n")})
    assert numbers.preview == (
        "'1.250,5' becomes 1250.5 (etc, line 2)",
        "'2.400' becomes 2400 (etc, line 2)",
    )


def test_names_are_no_numbers_whatever_they_look_like():
    tables = {"etc": table("x;1,5\n2,5;3"), "tasks": table("count;task\n7;2,5", "tasks")}
    assert mends(tables) == []


def test_the_preview_shows_some_and_counts_the_rest():
    (numbers,) = mends({"etc": table("x;a;b\n" + "".join(f"t{i};1,5;2\n" for i in range(9)))})
    assert len(numbers.preview) == 4
    assert numbers.preview[-1] == "and 6 more"


SWAPPED = "machine;render;train\nold;120;900\nnew;60;450\n"
LISTED = table("machine_type;count\nold;2\nnew;3", "machines")


@pytest.mark.parametrize(
    ("tables", "which"),
    [
        ({"etc": SWAPPED}, ("etc",)),
        ({"etc": SWAPPED, "apc": SWAPPED}, ("etc", "apc")),
        ({"etc": ETC}, ()),
        ({"etc": ETC, "apc": SWAPPED}, ("apc",)),
        ({"etc": ETC.replace("task_type", "machine"), "machines": LISTED}, ()),
        ({"etc": SWAPPED.replace("machine", ""), "machines": LISTED}, ("etc",)),
        ({"etc": SWAPPED, "apc": SWAPPED, "machines": LISTED}, ("etc", "apc")),
        ({"etc": SWAPPED, "apc": ETC, "machines": LISTED}, ("etc",)),
        ({"apc": ETC}, ()),
    ],
)
def test_tables_the_wrong_way_round_are_noticed_by_their_names(tables, which):
    given = {k: v if isinstance(v, RawTable) else table(v, k) for k, v in tables.items()}
    assert seem_swapped(given) == which
    assert [mend.action for mend in mends(given) if "Swap" in mend.action] == (
        [f"Swap rows and columns of {' and '.join(map(QUANTITIES.__getitem__, which))}"]
        if which
        else []
    )
    if which:
        assert seem_swapped(swapped(given, which).tables) == ()


def test_swapped_tables_are_said_once_and_are_sound_when_swapped():
    text = {"etc": SWAPPED, "apc": SWAPPED, "tasks": "task_type;count\nrender;7\ntrain;9\n"}
    reading = inspect_tables({name: table(content, name) for name, content in text.items()})
    assert [p.file for p in reading.problems] == ["etc", "apc"]
    assert all("swap its rows and columns" in p.message for p in reading.problems)
    (mend,) = mends(reading.tables)
    system = inspect_tables(mend.tables).require()
    assert (system.task_names, system.machine_names) == (("render", "train"), ("old", "new"))
    assert system.etc.tolist() == [[120.0, 60.0], [900.0, 450.0]]


def test_a_corner_that_says_machine_is_asked_about():
    reading = inspect_system_bytes("etc.csv", b"\n" + SWAPPED.encode())
    (problem,) = (one for one in reading.problems if one.severity == "error")
    assert "swap its rows and columns, or let that title be task_type" in problem.message
    assert reading.tables is not None
    turned, kept = (inspect_tables(mend.tables).require() for mend in mends(reading.tables))
    assert turned.machine_names == kept.task_names == ("old", "new")
    assert turned.task_names == kept.machine_names == ("render", "train")


def test_twice_swapped_is_as_before():
    etc = table(ETC)
    again = transposed(transposed(etc))
    assert [row.cells for row in again.rows] == [row.cells for row in etc.rows]
    ragged = transposed(table("x;a\nT"))
    assert [row.cells for row in ragged.rows] == [["x", "T"], ["a", ""]]


def test_a_table_that_was_not_used_can_be_any_of_them():
    spare = table("Job;Number\nrender;70\ntrain;3", "book.xlsx [List]")
    tables = {"etc": table("x;M\nrender;1\ntrain;2")}
    mend = used_as(tables, spare, "tasks")
    assert mend.preview == ("book.xlsx [List]: columns Number; rows render, train",)
    assert inspect_tables(mend.tables).require().task_counts.tolist() == [70, 3]
