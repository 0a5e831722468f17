"""Rows with too many or too few cells are mended where there is exactly one reading."""

import pytest

from core.logs.odd_rows import Group, joined, mended
from core.logs.sacct import header_layout

NAMED = header_layout(b"JobID|JobName|State|Elapsed|AllocTRES")
COMMAS = header_layout(b"JobID,JobName,State,Elapsed,NodeList,AllocTRES")


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("1|a|CD|00:05|", ["1", "a", "CD", "00:05", ""]),
        ("1|a|b|c|CD|00:05|cpu=1", ["1", "a|b|c", "CD", "00:05", "cpu=1"]),
        ("1||a|CD|00:05|", ["1", "|a", "CD", "00:05", ""]),
        ("1|a\nb|CD|00:05|", ["1", "a\nb", "CD", "00:05", ""]),
        (
            "1_[3-5]|a|b|CANCELLED by 5|1-00:05|",
            ["1_[3-5]", "a|b", "CANCELLED by 5", "1-00:05", ""],
        ),
        ("|a|b|CD|00:05|", None),  # a job has a number
        ("x|a|b|CD|00:05|", None),
        ("1|a|b|lower|00:05|", None),
        ("1|a|b|CD|five|", None),
        ("1|a|CD", None),
        ("1|a|b|CD|00:05|cpu=1,cpu=2", None),
        ("1|a|b|CD|00:05|cpu=1,=2", None),
        ("1|a|b|CD|00:05|cpu", None),
    ],
)
def test_a_separator_in_a_name(row: str, cells: list[str] | None) -> None:
    text = f"?{row}?"
    found = mended(text.encode(), 1, len(text) - 1, NAMED)
    assert (found and [text[low:high] for low, high in found]) == cells


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        (
            "1,a,CD,00:05,n[1,3-4],cpu=1,mem=2G",
            ["1", "a", "CD", "00:05", "n[1,3-4]", "cpu=1,mem=2G"],
        ),
        ("1,a,b,CD,00:05,n1,cpu=1", ["1", "a,b", "CD", "00:05", "n1", "cpu=1"]),
        ("1,a,CD,00:05,n1,n2,cpu=1", ["1", "a", "CD", "00:05", "n1,n2", "cpu=1"]),
        ("1,a,CD,00:05,n[1,cpu=1", None),
        ('1,"a,b",CD,00:05,n1,', ["1", "a,b", "CD", "00:05", "n1", ""]),
    ],
)
def test_commas_of_lists(row: str, cells: list[str] | None) -> None:
    found = mended(row.encode(), 0, len(row), COMMAS)
    assert (found and [row[low:high] for low, high in found]) == cells


def test_what_would_take_long_is_not_tried() -> None:
    row = b"1|" + b"|" * 2_000 + b"|CD|00:05|"
    assert mended(row, 0, len(row), NAMED) is None
    few = b"1|" + b"|" * 20 + b"|CD|00:05|"
    assert mended(few, 0, len(few), NAMED) is not None


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
