"""Logs of the Standard Workload Format are read with their comments and missing values."""

import gzip
from pathlib import Path

import pytest
from log_stores import runs_of

from core.engines.logs.reading import swf
from core.engines.logs.reading.logs import read_logs
from core.engines.logs.reading.recognising import recognise
from core.files.findings import Unreadable

LOG = """\
; Computer: Paragon
; UnixStartTime: 1000000
; MaxProcs: 8
 1 10 5 60 -1 -1 -1 4 900 1024 1 7 1 3 2 1 -1 -1
 2 20 -1 30 2 -1 512 2 -1 -1 0 8 1 -1 2 -1 -1 -1
; UnixStartTime: 2000000
 3 0 0 10 1 -1 -1 1 -1 -1 5 8 1 4 2 -1 -1 -1
"""


def test_missing_values_and_comments(tmp_path: Path) -> None:
    log = tmp_path / "log.swf.gz"
    log.write_bytes(gzip.compress(LOG.encode()))
    store = read_logs([log], folder=tmp_path)
    assert store.column("job").tolist() == [1, 2, 3]
    assert store.column("cores").tolist() == [4, 2, 1]  # what was asked for where -1 was given
    assert store.column("elapsed").tolist() == [60, 30, 10]
    assert store.column("submit").tolist() == [1_000_010, 1_000_020, 2_000_000]
    assert store.column("start").tolist() == [1_000_015, 1_000_020, 2_000_000]
    assert store.column("memory").tolist()[:2] == [4.0, 1.0]  # MiB, of all processors
    assert store.logs[0].facts["Computer"] == "Paragon"
    assert store.logs[0].facts["MaxProcs"] == "8"
    texts = [store.values("application")[k] for k in store.column("application")]
    assert texts == ["3", "-1", "4"]
    assert store.rows == 3
    assert store.rejected == {}
    store.close()


def test_each_cell_of_a_job_has_its_column() -> None:
    """Memory is in KiB of each processor; the CPU time, and what a job follows, are not read."""
    columns = "job submit start end elapsed cores memory limit state user group application queue"
    row = "7 10 5 60 4 99 512 8 900 1024 1 21 22 23 24 25 98 97\n"
    with runs_of(row, *columns.split(), "partition") as (store, found):
        assert [value for (value,) in found.values()] == [
            *(7, 10, 15, 75, 60, 4, 4, 900),
            *("1", "21", "22", "23", "24", "25"),
        ]
        assert store.known == {*columns.split()[:8], "task", "log", "line"}


JOB = "{0} {1} 5 60 4 -1 -1 4 200 -1 1 3 1 7 1 -1 -1 -1"


def swf_of(
    *, first: str = "", fifth: str = "", last: str = "", between: str = " ", ended: int = 10
) -> bytes:
    """A log of ten jobs, with further cells; so many have a state."""
    jobs = [JOB.format(k, 10 * k).split() for k in range(1, 11)]
    for job in jobs[ended:]:
        job[10] = "-1"
    lines = [[*first.split(), *j[:4], *fifth.split(), *j[4:], *last.split()] for j in jobs]
    return b"; MaxProcs: 8\n" + "".join(f"{between.join(line)}\n" for line in lines).encode()


@pytest.mark.parametrize(
    ("data", "cells", "left_out"),
    [
        (swf_of(), 18, ""),
        (swf_of(between="\t"), 18, ""),
        (swf_of(last=" ".join(["3"] * 82)), 100, "columns 19 to 100 of 100 are"),
        (swf_of(last="-1", ended=5), 19, "column 19 of 19 is"),
        (swf_of(last="-1"), 19, "column 19 of 19 is"),
        (swf_of(last="0 1.5 n1"), 21, "columns 19 to 21 of 21 are"),
        (swf_of(last="7 8", between="\t"), 20, "columns 19 to 20 of 20 are"),
    ],
)
def test_swf_with_further_columns(data: bytes, cells: int, left_out: str) -> None:
    """Issue 33, point 11: what stands behind the 18 columns is left out, and said."""
    found = recognise(data, None, final=True)
    assert found is not None
    note = f"{left_out} not of SWF, and left out" if left_out else ""
    assert (found.format, found.layout.cells, found.layout.note) == ("swf", cells, note)


WOULD_BE = "cells on its lines, where SWF has 18; it would be SWF without"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (swf_of(first="1"), f"19 {WOULD_BE} column 1: leave it out"),
        (swf_of(fifth="a b c"), f"21 {WOULD_BE} columns 5 to 7: leave them out"),
        (
            swf_of(first="a", last="b"),
            "20 cells on its lines, where SWF has 18; find out which are too many, and leave them "
            "out",
        ),
        # No job arrives before the log begins.
        (
            swf_of(last="-1").replace(b"1 10 ", b"1 -10 ", 1),
            f"19 {WOULD_BE} column 2: leave it out",
        ),
        (
            swf_of(last="-1", ended=4),
            f"19 {WOULD_BE} column 1 or column 2 or column 3: leave it out",
        ),
        *(
            (
                swf_of(between=mark),
                f"{name} between its numbers, where SWF has spaces; write spaces for them",
            )
            for mark, name in ((",", "commas"), (";", "semicolons"))
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


def test_commas_are_named_where_most_lines_are_numbers_between_them() -> None:
    numbers = b",".join([b"1"] * 18)
    assert swf.refusal([numbers, numbers, b"x"]).startswith("has commas between its numbers")
    assert swf.refusal([numbers, b"x"]) == ""
    assert swf.refusal([numbers, numbers, b"x" + numbers]) == ""


def test_at_least_half_of_the_lines_are_jobs() -> None:
    job = swf_of().split(b"\n")[1]
    assert swf.layout_of([job, b"x"]) is not None
    assert swf.layout_of([job, b"x", b"x y"]) is None


def test_jobs_that_are_too_wide_are_at_least_half_of_the_lines() -> None:
    job = swf_of(first="1").split(b"\n")[1]
    assert swf.refusal([job, b"x"]).startswith("has 19 cells on its lines")
    assert swf.refusal([job, b"x", b"x y"]) == ""


def test_more_than_a_hundred_cells_are_nothing_like_swf() -> None:
    with pytest.raises(Unreadable, match=r"^is not recognised"):
        recognise(swf_of(last=" ".join(["3"] * 83)), None, final=True)
    assert swf.refusal([]) == ""


@pytest.mark.parametrize(("said", "begin"), [("1", 1.0), ("0", 0.0), ("-5", 0.0), ("soon", 0.0)])
def test_a_log_begins_after_1970_or_at_no_known_time(said: str, begin: float) -> None:
    assert swf.begin_of(("UnixStartTime", said)) == begin
    assert swf.begin_of(("MaxProcs", said)) is None
    assert swf.begin_of(None) is None
