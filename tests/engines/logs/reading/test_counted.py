"""The other count of rows is right where it was wrong once: literal logs, and what they have."""

from pathlib import Path

import pytest
from engines.logs.counted import bounds_of_rows
from engines.logs.mutated import block, check, logs, mutant

ABOVE = b"JobID|State|Elapsed\n1|COMPLETED|00:10:00\n"
RULE = b"-------- ---------- -------\n"
BELOW = b"       2  COMPLETED 0:20:00\n"
LOGS = [
    (11 * b"\n \n" + ABOVE, 1, 1),
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


@pytest.mark.thorough
@pytest.mark.parametrize(("log", "rows", "runs"), LOGS)
def test_rows_of_a_literal_log(tmp_path: Path, log: bytes, rows: int, runs: int) -> None:
    assert bounds_of_rows(log) == (rows, rows)
    assert check(log, tmp_path, 61) == runs


SWF = b" 60 5 30 4 -1 -1 4 900 -1 1 7 1 3 1 -1 -1 -1\n"


@pytest.mark.parametrize("digits", [1, 65_536, 70_000])
def test_a_first_line_is_looked_at_as_a_whole(tmp_path: Path, digits: int) -> None:
    log = b"1" * digits + SWF
    assert bounds_of_rows(log) == (1, 1)
    assert check(log, tmp_path, 61) is not None
    assert bounds_of_rows(b" " * digits + ABOVE) == (1, 1)


@pytest.mark.parametrize(("above", "known"), [(65_535, True), (65_536, False)])
def test_a_first_line_begins_early(tmp_path: Path, above: int, known: bool) -> None:
    log = b"x" * (above - 1) + b"\n" + ABOVE
    assert (check(log, tmp_path, 61) is not None) == known
    if known:
        assert bounds_of_rows(log) == (2, 2)
    else:
        with pytest.raises(StopIteration):
            bounds_of_rows(log)


MUTATED = 80


@pytest.mark.thorough
def test_logs_with_faults(tmp_path: Path) -> None:
    originals, read = logs(), 0
    for number in range(MUTATED):
        data = mutant(number, originals)
        read += check(data, tmp_path, block(number, data)) is not None
    assert MUTATED // 3 < read < MUTATED


RUNS_OF = [10, 36, 35, 11, 37, 36, 36, 10, None, 36, 36, None, 29, 29, 29, 36]


@pytest.mark.thorough
@pytest.mark.parametrize("original", range(len(logs())))
def test_logs_without_faults(tmp_path: Path, original: int) -> None:
    assert check(logs()[original], tmp_path, 61) == RUNS_OF[original]
