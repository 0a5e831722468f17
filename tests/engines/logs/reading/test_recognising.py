"""What a log is shows in its first lines; where it is none, the remedy is said."""

import pytest

from core.engines.logs.reading import recognising
from core.engines.logs.reading.layout import Form
from core.engines.logs.reading.recognising import (
    almost_a_log,
    end_of_header,
    layout_again,
    recognise,
)
from core.files.findings import Unreadable

SACCT = b"JobID|Elapsed|State\n1|00:00:05|CD\n"
SWF = b"; Version: 2\n" + b" ".join([b"1"] * 18) + b"\n"
RUNS = b"task,machine,seconds\na,b,1\n"
FIXED = b"JobID    Elapsed      State\n----- ---------- ----------\n1       00:00:05  COMPLETED\n"


@pytest.mark.parametrize(
    ("data", "name", "form", "begin"),
    [
        (SACCT, "sacct", Form.SEPARATED, 20),
        (b"a warning\n\n" + SACCT, "sacct", Form.SEPARATED, 31),
        (FIXED, "sacct", Form.COLUMNS, 56),
        (SWF, "swf", Form.WORDS, 0),
        (RUNS, "runs", Form.SEPARATED, 21),
        (b"note\n" + RUNS, "runs", Form.SEPARATED, 26),
        (SACCT[:19], "sacct", Form.SEPARATED, 19),
    ],
)
def test_formats(data: bytes, name: str, form: Form, begin: int) -> None:
    found = recognise(data, None, final=True)
    assert found is not None
    assert (found.format, found.layout.form, found.begin) == (name, form, begin)
    assert recognise(data, name, final=True) == found  # type: ignore[arg-type]


def test_more_is_asked_for_until_there_are_twenty_lines() -> None:
    assert recognise(SACCT, None, final=False) is None
    assert recognise(SACCT + b"1|00:00:05|CD\n" * 17, None, final=False) is None
    assert recognise(SACCT + b"1|00:00:05|CD\n" * 18, None, final=False) is not None


def test_a_line_without_end_is_waited_for_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognising, "ROW_BYTES", 50)
    monkeypatch.setattr(recognising, "_BYTES", 100)
    assert recognise(b"x" * 150, None, final=False) is None
    with pytest.raises(Unreadable, match=r"^begins with a line of more than 50 bytes; give"):
        recognise(b"x" * 151, None, final=False)


@pytest.mark.parametrize(
    ("data", "wanted", "said"),
    [
        (b"", None, "is empty; give a log with its rows"),
        (b"\n \n", None, "is empty; give a log with its rows"),
        (b"1|a|COMPLETED\n", None, "has no header; dump it again without --noheader"),
        (b" 1_2,a\n", "sacct", "has no header; dump it again without --noheader"),
        (b"1|a|COMPLETED\n", "runs", f"is not recognised; give {recognising._WANTED['runs']}"),
        (b"hello\n", None, f"is not recognised; give {recognising._WANTED[None]}"),
        (RUNS, "swf", "is not recognised; give an SWF log, which has 18 numbers on each line"),
        (SACCT, "runs", f"is not recognised; give {recognising._WANTED['runs']}"),
        (
            b"JobID|JobName|State\n1|a|b\n",
            "swf",
            "is not recognised; give an SWF log, which has 18 numbers on each line",
        ),
    ],
)
def test_what_is_no_log_is_refused(data: bytes, wanted: object, said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        recognise(data, wanted, final=True)  # type: ignore[arg-type]
    assert str(refused.value) == said


def test_a_dump_without_times_is_told_from_other_texts() -> None:
    for lines in (b"JobID|JobName|State\n1|a|b\n", b"note\nJobID JobName State\n"):
        with pytest.raises(Unreadable, match=r"^has no column Elapsed; dump it again"):
            recognise(lines, None, final=True)


JOB = "{0} {1} 5 60 4 -1 -1 4 200 -1 1 3 1 7 1 -1 -1 -1"


def swf_of(*, first: str = "", fifth: str = "", last: str = "", between: str = " ") -> bytes:
    """A log of ten jobs, with further cells."""
    jobs = [JOB.format(k, 10 * k).split() for k in range(1, 11)]
    lines = [[*first.split(), *j[:4], *fifth.split(), *j[4:], *last.split()] for j in jobs]
    return b"; MaxProcs: 8\n" + "".join(f"{between.join(line)}\n" for line in lines).encode()


@pytest.mark.parametrize(
    ("data", "cells", "note"),
    [
        (swf_of(), 18, ""),
        (swf_of(between="\t"), 18, ""),
        (swf_of(last="-1"), 19, "column 19 of 19 is not of SWF, and left out"),
        (swf_of(last="0 1.5 n1"), 21, "columns 19 to 21 of 21 are not of SWF, and left out"),
        (
            swf_of(last="7 8", between="\t"),
            20,
            "columns 19 to 20 of 20 are not of SWF, and left out",
        ),
    ],
)
def test_swf_with_further_columns(data: bytes, cells: int, note: str) -> None:
    """Issue 33, point 11: what stands behind the 18 columns is left out, and said."""
    found = recognise(data, None, final=True)
    assert found is not None
    assert (found.format, found.layout.cells, found.layout.note) == ("swf", cells, note)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            swf_of(first="1"),
            "19 cells on its lines, where SWF has 18; it would be SWF without column 1: leave it "
            "out",
        ),
        (
            swf_of(fifth="a b c"),
            "21 cells on its lines, where SWF has 18; it would be SWF without "
            "columns 5 to 7: leave them out",
        ),
        (
            swf_of(first="a", last="b"),
            "20 cells on its lines, where SWF has 18; find out which are "
            "too many, and leave them out",
        ),
        (
            swf_of(between=","),
            "commas between its numbers, where SWF has spaces; write spaces for them",
        ),
        (
            swf_of(between=";"),
            "semicolons between its numbers, where SWF has spaces; write spaces for them",
        ),
    ],
)
def test_what_is_almost_swf_is_refused_with_the_column(data: bytes, said: str) -> None:
    """Issue 33, point 11: the columns that are too many are named."""
    for wanted in (None, "swf"):
        with pytest.raises(Unreadable) as refused:
            recognise(data, wanted, final=True)  # type: ignore[arg-type]
        assert str(refused.value) == f"has {said}"


def test_a_column_of_row_numbers_is_not_that_of_jobs() -> None:
    """Issue 33, point 11: all that follows would be one column off, and no job had a state."""
    lines = "".join(f"{k} {JOB.format(k + 1, 10 * k)}\n" for k in range(9))
    with pytest.raises(Unreadable, match="it would be SWF without column 1 or column 2"):
        recognise(lines.replace("0 1 0", "1 1 0", 1).encode(), None, final=True)


def test_what_is_almost_a_log_is_told_from_other_tables() -> None:
    """Issue 33, point 11: a dump without header is no table of jobs."""
    dump = b"7|train|COMPLETED|00:05:00\n8_1|train|FAILED|00:00:01\n"
    assert almost_a_log(dump) == "has no header; dump it again without --noheader"
    assert almost_a_log(b"JobID|JobName|State\n").startswith("has no column Elapsed")
    assert almost_a_log(swf_of(first="1")).startswith("has 19 cells on its lines")
    for other in (b"", b"0,60\n5,70\n", b"arrival,seconds\n1,2\n", SACCT, SWF, b"\0\1"):
        assert almost_a_log(other) == ""


def test_headers_in_the_middle() -> None:
    layout = layout_again("sacct", [b"JobID,Elapsed,State,x", b""])
    assert layout is not None
    assert (layout.cells, end_of_header(b"1\n2\n3\n", 0, layout)) == (4, 2)
    assert layout_again("sacct", [b"1|00:00:05|CD", b""]) is None
    fixed = layout_again("sacct", FIXED.splitlines()[:2])
    assert fixed is not None
    assert [end_of_header(b"1\n2\n3\n", at, fixed) for at in (0, 2, 4)] == [4, 6, 6]
