"""No more of a log is read, held or cut again than the limits say."""

from pathlib import Path

import pytest
from log_stores import CUT_OFF, HEADER, STEP, job_row, runs_of, step_rows

from core.engines.logs.reading import limits, logs, recognising
from core.engines.logs.reading.cutting import Cuts
from core.engines.logs.reading.layout import ROWS_AT_ONCE, Layout
from core.engines.logs.reading.logs import _check, read_logs
from core.files.findings import Unreadable
from core.vocabulary.arrays import ByteArray

LOG = HEADER + job_row(1) + step_rows(1, 3)


@pytest.mark.parametrize(
    ("limit", "most", "said"),
    [
        ("ROWS", 4, "there are more than 3 rows; give fewer logs at once"),
        ("LOG_BYTES", len(LOG), "there are more than 0 GiB of logs; give fewer at once"),
    ],
)
def test_only_so_much_is_read_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, said: str
) -> None:
    """What is too much together is no fault of one log."""
    log, small = tmp_path / "dump.txt", tmp_path / "small.txt"
    log.write_text(LOG)
    small.write_text("task,machine,seconds\na,m,7\n")
    monkeypatch.setattr(limits, limit, most)
    read_logs([log], folder=tmp_path).close()
    with pytest.raises(Unreadable, match="at once"):
        read_logs([small, log], folder=tmp_path, skip_unreadable=True)
    monkeypatch.setattr(limits, limit, most - 1)
    with pytest.raises(Unreadable, match=said):
        read_logs([log], folder=tmp_path)


def test_the_most_that_is_read_at_once() -> None:
    _check(limits.ROWS, limits.LOG_BYTES, lambda: False)
    with pytest.raises(Unreadable, match="there are more than 128 GiB of logs; give fewer"):
        _check(0, limits.LOG_BYTES + 1, None)


def test_a_job_has_more_steps_than_rows_are_cut_at_once() -> None:
    steps = ROWS_AT_ONCE + 1
    text = HEADER + job_row(1) + step_rows(1, steps) + job_row(2, "b", 7)
    with runs_of(text, "joules") as (store, found):
        assert found["joules"] == [2 * steps, 7]
        assert store.rejected == {STEP: steps}


def test_steps_beyond_what_is_held_have_lost_their_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job whose own name has a separator is mended, and keeps them all."""
    monkeypatch.setattr(limits, "BLOCK_BYTES", 100)
    monkeypatch.setattr(limits, "HELD_BYTES", 300)
    with runs_of(HEADER + job_row(1) + step_rows(1, 40) + job_row(2), "job") as (store, found):
        assert found["job"] == [1, 2]
        assert sum(store.rejected.values()) == 40
        assert 0 < store.rejected["step without its job"] < 40
    monkeypatch.setattr(limits, "HELD_BYTES", 500)
    rows = (job_row(1), step_rows(1, 2), job_row(2, "b|c"), step_rows(2, 18), job_row(3))
    with runs_of(HEADER + "".join(rows), "name", "joules") as (store, found):
        assert store.rejected == {STEP: 20}
        assert found == {"name": ["a", "b|c", "a"], "joules": [4, 36, None]}


@pytest.mark.parametrize(("more", "rejected"), [(0, {}), (1, {"row is too long": 1})])
@pytest.mark.parametrize("end", ["\n" + job_row(2), ""])
def test_a_row_of_the_most_bytes_is_read(
    monkeypatch: pytest.MonkeyPatch, more: int, rejected: dict[str, int], end: str
) -> None:
    """The last row of a log that has no end may be too long, and is cut off else."""
    monkeypatch.setattr(limits, "ROW_BYTES", 60)
    name = "x" * (61 - len(job_row(1, "")) + more)
    with runs_of(HEADER + job_row(1, name).strip() + end, "job") as (store, found):
        assert store.rejected == (rejected if end or more else {CUT_OFF: 1})
        assert found["job"] == ([1, 2][more:] if end else [])


def test_of_a_long_text_the_first_thousand_bytes_are_kept() -> None:
    rows = "".join(job_row(1, "x" * length) for length in (999, 1001))
    with runs_of(HEADER + rows, "name") as (_, found):
        assert [len(text) for text in found["name"]] == [999, 1000]


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes wait each time for those that follow."""
    found: list[int] = []
    take = logs.LogParser.take

    def watched(parser: logs.LogParser, data: bytes, *, final: bool) -> bytes:
        rest = take(parser, data, final=final)
        found.append(len(rest))
        return rest

    monkeypatch.setattr(logs.LogParser, "take", watched)
    return found


def test_lines_that_may_be_one_row_are_held_up_to_a_limit(
    monkeypatch: pytest.MonkeyPatch, held: list[int]
) -> None:
    monkeypatch.setattr(limits, "BLOCK_BYTES", 20)
    monkeypatch.setattr(limits, "HELD_BYTES", 60)
    monkeypatch.setattr(recognising, "_LOOKED_AT", 2)
    log = "JobName|State|Elapsed\n" + "x\n" * 60 + "a|X|00:00:05\n"
    with runs_of(log, "elapsed") as (store, found):
        assert (found["elapsed"], store.rejected) == ([5], {"wrong number of cells": 60})
    assert 50 < max(held) < 100


@pytest.mark.parametrize(
    ("text", "lines", "line"),
    [
        (f"{HEADER}{job_row(1)}{job_row(2, 'x' * 400)}{job_row(3)}", [2, 4], 3),
        # Cells in quotation marks have line ends.
        (f'task,machine,seconds\na,m,5\nb,"x\ny\nz",{"9" * 400}\nc,m,6\n', [2, 6], 3),
    ],
)
def test_lines_are_counted_across_a_long_row(
    monkeypatch: pytest.MonkeyPatch, held: list[int], text: str, lines: list[int], line: int
) -> None:
    """It is too long wherever blocks are cut, and its bytes are not held."""
    monkeypatch.setattr(limits, "ROW_BYTES", 60)
    monkeypatch.setattr(limits, "QUOTED_BYTES", 10)
    monkeypatch.setattr(limits, "HELD_BYTES", 100)
    monkeypatch.setattr(recognising, "_LOOKED_AT", 2)
    for block in (40, 90, 1 << 20):
        monkeypatch.setattr(limits, "BLOCK_BYTES", block)
        with runs_of(text, "line") as (store, columns):
            assert columns["line"] == lines, block
            assert store.rejected == {"row is too long": 1}, block
            assert store.examples["row is too long"][0].line == line, block
    assert max(held) < 200


@pytest.mark.parametrize(
    ("headers", "runs"),
    [
        (HEADER + "{}|a|COMPLETED|00:00:05|\n", 1),
        ("JobID|State|Elapsed\nElapsed|JobID|State\n00:00:05|{}|COMPLETED\n", 1),
        ("; UnixStartTime: {}\n" + "1 " * 17 + "1\n", 1),
        (HEADER + "{}|a|COMP\n", 0),
    ],
)
def test_twice_as_many_headers_are_twice_the_work(
    monkeypatch: pytest.MonkeyPatch, headers: str, runs: int
) -> None:
    works: list[int] = []
    cut = Layout.cut

    def counted(layout: Layout, data: ByteArray, most: int, *, final: bool) -> tuple[Cuts, int]:
        works[-1] += len(data)
        return cut(layout, data, most, final=final)

    monkeypatch.setattr(Layout, "cut", counted)
    monkeypatch.setattr(logs, "_NEAR", 64)
    for many in (50, 100):
        works.append(0)
        with runs_of("".join(headers.format(k) for k in range(1, many + 1))) as (store, _):
            assert (store.runs, store.rows) == (many * runs, many)
    assert works[1] < 2.5 * works[0]
