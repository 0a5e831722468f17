"""Rows with too many or too few cells are mended where there is exactly one reading."""

from dataclasses import replace
from typing import Any

import pytest

from core.engines.logs.reading.layout import Form, Layout
from core.engines.logs.reading.odd_rows import Group, Mender, joined
from core.engines.logs.reading.rejections import AMBIGUOUS, WRONG_CELLS
from core.engines.logs.reading.sacct import header_layout, layout_of


def layout(header: bytes) -> Layout:
    found = header_layout(header)
    assert found is not None
    return found


NAMED = layout(b"JobID|JobName|State|Elapsed|AllocTRES")
COMMAS = layout(b"JobID,JobName,State,Elapsed,NodeList,AllocTRES")
SAID = layout(b"Comment|JobID|JobName|Elapsed")
WIDE = layout(b"JobID<=>JobName<=>State<=>Elapsed")


def mended(row: str, layout: Layout) -> list[str] | None:
    """The cells of a row before other bytes; None if they cannot be read."""
    text = f"{row}?".encode()
    found = Mender(layout).mended(text, 0, len(text) - 1)
    return None if isinstance(found, str) else [text[low:high].decode() for low, high in found]


NAME_CASES = [
    ("1|a|CD|00:05|", ["1", "a", "CD", "00:05", ""]),
    ("1|a|b|c|CD|00:05|cpu=1", ["1", "a|b|c", "CD", "00:05", "cpu=1"]),
    ("1||a|CD|00:05|", ["1", "|a", "CD", "00:05", ""]),
    ("1|a\nb|CD|00:05|", ["1", "a\nb", "CD", "00:05", ""]),
    ("1_[3-5]|a|b|CANCELLED by 5|1-00:05|", ["1_[3-5]", "a|b", "CANCELLED by 5", "1-00:05", ""]),
    ("1|a|b| CD | 00:05 |", ["1", "a|b", " CD ", " 00:05 ", ""]),
    ("|a|b|CD|00:05|", None),  # a job has a number
    ("x|a|b|CD|00:05|", None),
    ("1|a|b|lower|00:05|", None),
    ("1|a|b|CD|five|", None),
    ("1|a|CD", None),
    ("1|a|b|CD|00:05|cpu=1,cpu=2", None),
    ("1|a|b|CD|00:05|cpu=1,=2", None),
    ("1|a|b|CD|00:05|cpu", None),
    # What would take long is not tried.
    (f"1|{'|' * 64}|CD|00:05|", ["1", "|" * 64, "CD", "00:05", ""]),
    (f"1|{'|' * 65}|CD|00:05|", None),
]
LIST_CASES = [
    ("1,a,CD,00:05,n[1,3-4],cpu=1,mem=2G", ["1", "a", "CD", "00:05", "n[1,3-4]", "cpu=1,mem=2G"]),
    ("1,a,b,CD,00:05,n1,cpu=1", ["1", "a,b", "CD", "00:05", "n1", "cpu=1"]),
    ("1,a,CD,00:05,n1,n2,cpu=1", ["1", "a", "CD", "00:05", "n1,n2", "cpu=1"]),
    ("1,a,CD,00:05,n[1,cpu=1", None),
    ('1,"a,b",CD,00:05,n1,', ["1", "a,b", "CD", "00:05", "n1", ""]),
]


@pytest.mark.parametrize(
    ("row", "layout", "cells"),
    [
        *((row, NAMED, cells) for row, cells in NAME_CASES),
        *((row, COMMAS, cells) for row, cells in LIST_CASES),
        ("|7|a|b|00:05", SAID, ["", "7", "a|b", "00:05"]),
        # Issue 33, point 11: a row is mended whatever is between its cells.
        ("7<=>a<=>b=>c<=>CD<=>00:05", WIDE, ["7", "a<=>b=>c", "CD", "00:05"]),
    ],
)
def test_separators_in_names_and_lists(row: str, layout: Layout, cells: list[str] | None) -> None:
    assert mended(row, layout) == cells


LINES = layout(b"JobID|JobName|SubmitLine|User|WorkDir|ExitCode|Elapsed")


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("7|a|sbatch --wrap=x | y || z|ana|/home/ana|0:0|00:05", "a;sbatch --wrap=x | y || z"),
        ("7|a|b|/usr/bin/srun x|ana|/|0:0|00:05", "a|b;/usr/bin/srun x"),
        ("7|a||ana|/|0:0|00:05", "a;"),
        ("7|a\nb|salloc|ana|/|0:0|00:05", "a\nb;salloc"),
        # Where usual cells allow no way, any text may be a submit line.
        ("7|a|start.py 1|ana|/|0:0|00:05", "a;start.py 1"),
    ],
)
def test_a_separator_in_the_line_that_submitted_a_job(row: str, cells: str) -> None:
    """Issue 33, point 11: the types of the other columns tell where it ends."""
    found = mended(row, LINES)
    assert found
    assert ";".join(found[1:3]) == cells


def test_what_a_shell_writes_with_a_space_is_no_folder() -> None:
    """Issue 33, point 11: Slurm writes a folder without spaces around it."""
    submitted = layout(b"JobID|JobName|SubmitLine|WorkDir|Elapsed")
    found = mended("7|a|sbatch x | /bin/y|/home|00:05", submitted)
    assert found
    assert found[2:4] == ["sbatch x | /bin/y", "/home"]


def test_rows_of_fixed_columns_are_not_mended() -> None:
    """They have no separators, so a bar in a name is a bar."""
    fixed = layout_of([b"JobID JobName State Elapsed", b"----- ------- ----- -------"])
    assert fixed is not None
    row = b"1|a|b|CD|00:05"
    assert Mender(fixed).mended(row, 0, len(row)) == WRONG_CELLS


def test_what_can_be_read_in_several_ways_is_said_where_it_matters() -> None:
    """Issue 33, point 11: a name may be needed; a comment is left blank, and the job is kept."""
    named = Mender(layout(b"JobID|JobName|SubmitLine|Elapsed"))
    row = b"7|a|sbatch x|sbatch y|00:05"
    assert named.mended(row, 0, len(row)) == AMBIGUOUS
    commented = Mender(layout(b"JobID|SubmitLine|Comment|Elapsed"))
    row = b"7|sbatch x|y|z|00:05"
    found = commented.mended(row, 0, len(row))
    assert [row[low:high] for low, high in found if low < high] == [b"7", b"00:05"]
    broken = b"7|sbatch x|y|z|five"
    assert commented.mended(broken, 0, len(broken)) == WRONG_CELLS


@pytest.mark.parametrize(
    ("cells", "groups"),
    [
        ([], []),
        ([7], [(0, 1, True)]),
        ([3], [(0, 1, False)]),
        ([2, 4], [(0, 2, True)]),
        ([2, 2, 3], [(0, 3, True)]),
        ([2, 2], [(0, 1, False), (1, 2, False)]),
        ([4, 4, 2], [(0, 1, True), (1, 3, True)]),
        ([3, 3, 1], [(0, 2, True), (2, 3, False)]),
        ([3, 9], [(0, 1, True), (1, 2, True)]),
        ([1] * 70, None),
    ],
)
def test_lines_that_are_one_row(
    cells: list[int], groups: list[tuple[int, int, bool]] | None
) -> None:
    found = [*joined(cells, NAMED)]
    if groups is None:  # after so many lines, no row is looked for
        assert [group.sure for group in found[:6]] == [True] * 6
        assert all(group.last - group.first == 1 for group in found)
    else:
        assert found == [Group(*group) for group in groups]


def test_lines_that_make_no_row_are_looked_at_once() -> None:
    looked = 0

    class Cells(list[int]):
        def __getitem__(self, at: Any) -> Any:
            nonlocal looked
            looked += 1
            return super().__getitem__(at)

    layout = Layout(Form.SEPARATED, 67, {}, {})
    assert len(list(joined(Cells([2] * 400), layout))) == 400
    assert looked < 3 * 400
    # 65 lines are the most that make a row, of 66 cells.
    assert list(joined([2] * 66, replace(layout, cells=66))) == [(0, 65, True), (65, 66, False)]
    assert [group[:2] for group in joined([2] * 65, layout)] == [(k, k + 1) for k in range(65)]
