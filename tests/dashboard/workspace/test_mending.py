"""What is to be mended in an upload is found cell by cell, and gone as soon as it is mended."""

import json

import pytest

from core.files import RawTable, limits
from core.files.sheet import SheetRow
from core.vocabulary.problems import Problem
from dashboard.workspace.mending import (
    LINE,
    NEW,
    SPARE_ROWS,
    TO_MEND,
    Mending,
    cells_of,
    column_of,
    is_last,
    located,
)
from dashboard.workspace.upload import Upload

ETC = "\t<b>old</b>\tnew\n=1+1\t-3\t60\nT\tfast\t450\nT\t1\t2\n\nvoid\n"
POWERS = {2: ("T", "7"), 3: ("void", "")}


@pytest.fixture
def mending() -> Mending:
    found = Upload.pasted(
        ETC.replace("void", "void\t\t"), "\tnew\t<b>old</b>\n=1+1\t1\t2\n"
    ).mending
    assert found is not None
    return found


def to_mend(mending: Mending) -> dict[int, list[str]]:
    frame = mending.frame("etc", mending.tables["etc"])
    rows = zip(frame[LINE], frame[TO_MEND], strict=True)
    return {line: json.loads(titles) for line, titles in rows if titles}


def test_the_problems_are_listed_table_by_table_from_the_top_down(mending: Mending) -> None:
    assert [(p.file, p.row, p.column) for p in mending.problems] == [
        ("pasted ETC", "=1+1", "<b>old</b>"),
        ("pasted ETC", "T", ""),
        ("pasted ETC", "T", "<b>old</b>"),
        ("pasted ETC", "void", ""),
        ("pasted APC", "T", ""),
        ("pasted APC", "void", ""),
    ]
    assert (mending.names, mending.first) == (["etc", "apc"], "etc")


def test_the_cells_to_mend_are_marked_line_by_line(mending: Mending) -> None:
    assert to_mend(mending) == {
        2: ["<b>old</b>"],
        3: ["number 1", "<b>old</b>"],
        4: ["number 1"],
        6: ["number 1"],
    }


def test_the_grid_is_the_table_as_text_with_room_to_grow(mending: Mending) -> None:
    frame = mending.frame("etc", mending.tables["etc"])
    assert frame[LINE].tolist() == [1, 2, 3, 4, 6, 7, 8, 9]
    cells = frame[[column_of(j) for j in range(4)]].to_numpy().tolist()
    assert cells[1:3] == [["=1+1", "-3", "60", ""], ["T", "fast", "450", ""]]
    assert cells[-SPARE_ROWS:] == [[""] * 4] * SPARE_ROWS
    assert mending.titles("etc", 4) == ["number 1", "<b>old</b>", "new", NEW]


def test_a_cell_that_is_mended_is_a_problem_no_longer(mending: Mending) -> None:
    base = mending.tables["etc"]
    mended = mending.changed("etc", base.with_cells({(1, 1): "3"}))
    assert len(mended.problems) == len(mending.problems) - 1
    assert 2 not in to_mend(mended)
    before, after = mending.frame("etc", base), mended.frame("etc", base)
    assert after[LINE].tolist() == before[LINE].tolist()
    assert after.dtypes.equals(before.dtypes), "or an editor would begin anew"


def test_rows_that_are_cleared_and_rows_that_are_added_are_taken_as_such(mending: Mending) -> None:
    etc = cells_of({1: {"c1": "3"}, 2: {"c1": "2.5"}, 3: dict.fromkeys(("c0", "c1", "c2"), None)})
    mended = mending.changed("etc", mending.tables["etc"].with_cells(etc | {(4, 1): "8"}))
    apc = cells_of({i: {"c0": n, "c1": w, "c2": "9"} for i, (n, w) in POWERS.items()})
    mended = mended.changed("apc", mended.tables["apc"].with_cells(apc))
    assert mended.problems == ()
    assert mended.reading.require().etc.tolist() == [[3, 60], [2.5, 450], [8, float("inf")]]


def test_what_is_no_text_is_shown_in_brackets_until_it_is_replaced() -> None:
    document = (
        b'{"format": "wattfront-system", "version": 1, "etc": [[true]], '
        b'"task_types": [{"name": "\\ud800", "count": 1}], '
        b'"machine_types": [{"name": "M", "count": 1}]}'
    )
    mending = Upload.read("mine.json", document).mending
    assert mending is not None
    frame = mending.frame("etc", mending.tables["etc"])
    assert frame.loc[1, ["c0", "c1"]].tolist() == ["(has half of a surrogate pair)", "(is true)"]
    mended = mending.changed("etc", mending.tables["etc"].with_cells({(1, 1): "5", (1, 0): "T"}))
    tasks = mending.tables["tasks"].with_cells({(1, 0): "T"})
    assert mended.changed("tasks", tasks).reading.ok


def test_problems_are_found_in_listings_by_the_titles_of_their_columns() -> None:
    rows = (
        SheetRow(1, ["Count", "Task_Type"]),
        SheetRow(2, ["few", "T"]),
        SheetRow(3, ["", "count"]),
    )
    listing = RawTable("tasks", rows, is_text=True)
    problems = [
        Problem("tasks", "", "count", "there is no task to run"),
        Problem("tasks", "count", "count", "is blank"),
        Problem("tasks", "V", "", "is missing here"),
        Problem("tasks", "T", "", "is there twice"),
    ]
    found = located(problems, listing, "tasks")
    assert [(fault.problem.row, fault.cells) for fault in found] == [
        ("", ((1, 0),)),
        ("T", ((2, 1),)),
        ("count", ((3, 0),)),
        ("V", ()),
    ]


def test_only_the_last_spare_row_and_the_spare_column_make_the_grid_grow(mending: Mending) -> None:
    etc = mending.tables["etc"]
    rows = len(etc.rows)
    assert not is_last(etc, rows + SPARE_ROWS - 2, 2)
    assert is_last(etc, rows + SPARE_ROWS - 1, 0)
    assert is_last(etc, 0, 3)


def test_a_table_of_which_all_is_cleared_leaves_a_grid_to_fill(mending: Mending) -> None:
    etc = mending.tables["etc"]
    cleared = etc.with_cells({(i, j): "" for i in range(5) for j in range(3)})
    emptied = mending.changed("etc", cleared)
    assert not emptied.reading.ok
    assert len(emptied.frame("etc", cleared)) == SPARE_ROWS


@pytest.mark.thorough
@pytest.mark.parametrize(
    "data", [b"x," + b"M," * 200 + b"N\nT,-1\n", b"x,M\n" + b"T,-1\n" * limits.KEPT_CELLS]
)
def test_what_no_grid_should_hold_is_to_be_mended_in_the_file(data: bytes) -> None:
    upload = Upload.read("large-times.csv", data)
    assert upload.problems
    assert upload.mending is None


@pytest.mark.parametrize(("columns", "shown"), [(199, True), (200, True), (201, False)])
def test_a_table_of_two_hundred_columns_is_not_too_wide(columns: int, *, shown: bool) -> None:
    cells = ["task", *(f"M{j}" for j in range(columns - 1))], ["T", *["x"] * (columns - 1)]
    found = Upload.pasted("\n".join("\t".join(row) for row in cells), "")
    assert (found.mending is not None) is shown
