"""The other count of rows is right where it was wrong once: literal logs, and what they have."""

from pathlib import Path

import pytest
from logs.counted import bounds_of_rows
from logs.mutated import check

ABOVE = b"JobID|State|Elapsed\n1|COMPLETED|00:10:00\n"
RULE = b"-------- ---------- -------\n"
BELOW = b"       2  COMPLETED 0:20:00\n"
LOGS = [
    # A header of fixed columns in the middle; moved by one byte, `Elapse` may be ElapsedRaw, too.
    (ABOVE + b"JobID    State      Elapsed\n" + RULE + BELOW, 2, 2),
    (ABOVE + b"}JobID    State      Elapsed\n" + RULE + BELOW, 4, 1),
    (ABOVE + b"Foo      Stat       Elapsed\n" + RULE + BELOW, 2, 2),
    (ABOVE + b"Foo      La         Elapsed\n" + RULE + BELOW, 4, 1),
    # Titles of a table of runs.
    *((b"task;machine;time\na;m;1\n", 1, 1), (b"task;machine;time min\na;m;1\n", 1, 1)),
    (b'task;"machine";"time ( min)"\na;m;1\n', 1, 1),
    (b'task;machine;time\ntask;machine;"time\n (min)\n"\na;m;1\n', 2, 2),
    (b'task;machine;time\ntask;machine;"times\na;m;1\n', 2, 2),
]


@pytest.mark.parametrize(("log", "rows", "runs"), LOGS)
def test_rows_of_a_literal_log(tmp_path: Path, log: bytes, rows: int, runs: int) -> None:
    assert bounds_of_rows(log) == (rows, rows)
    assert check(log, tmp_path, 61) == runs
