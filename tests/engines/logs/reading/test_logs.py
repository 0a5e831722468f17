"""A log is read into runs, whatever its format, and wherever its bytes are cut into blocks."""

import gzip
from pathlib import Path

import pytest

from core.engines.logs.reading import limits
from core.engines.logs.reading.logs import LogProgress, _check, is_log, read_logs
from core.engines.logs.reading.store import COLUMNS, Stopped
from core.files.findings import Unreadable

DUMP = """\
JobID|JobName|Partition|State|Start|End|Elapsed|AllocCPUS|NNodes|NodeList|ConsumedEnergyRaw
1|sort_1|cpu|COMPLETED|2024-03-01T00:00:00|2024-03-01T00:10:00|00:10:00|4|1|cpu1|
1.batch|batch||COMPLETED|2024-03-01T00:00:00|2024-03-01T00:10:00|00:10:00|4|1|cpu1|60000
2|a|b|cpu|COMPLETED|2024-03-01T01:00:00|2024-03-01T01:00:30|00:00:30|4|1|cpu2|3000
3|cut|cpu|COMPL"""


def test_a_dump_becomes_runs(tmp_path: Path) -> None:
    log = tmp_path / "dump.txt"
    log.write_text(DUMP)
    store = read_logs([log], folder=tmp_path)
    assert store.column("elapsed").tolist() == [600, 30]
    assert store.column("joules").tolist() == [60_000, 3_000]
    names = [store.values("name")[k] for k in store.column("name")]
    assert names == ["sort_1", "a|b"]
    assert store.column("line").tolist() == [2, 4]
    assert store.rejected == {
        "step, counted with its job": 1,
        "cut off at the end of the log": 1,
    }
    assert store.rows == 4
    store.close()


@pytest.mark.parametrize(
    ("content", "log"),
    [
        (DUMP.encode(), True),
        (gzip.compress(DUMP.encode()), True),
        (b"; MaxProcs: 4\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n", True),
        (b"task,machine,seconds\na,b,1\n", True),
        (b'{"meta": {}, "jobs": [ {"job_id": 1}]}', True),
        (b'{"jobs": [["job", "arrival"]]}', False),
        (b'{"meta": {}}', False),
        (b"arrival,seconds\n1,2\n", False),
        (b"JobID|State\n1|COMPLETED\n", False),
        (b"", False),
        (b"PK\x05\x06" + bytes(18), False),
        (b"\0\1\2", False),
    ],
)
def test_a_log_is_told_from_other_files_by_its_first_bytes(
    tmp_path: Path, content: bytes, log: bool
) -> None:
    path = tmp_path / "any"
    path.write_bytes(content)
    assert is_log(path) is log


def test_a_folder_and_nothing_are_no_logs(tmp_path: Path) -> None:
    assert not is_log(tmp_path)
    assert not is_log(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("limit", "most", "said"),
    [
        ("ROWS", 3, "there are more than 3 rows; give fewer logs at once"),
        ("LOG_BYTES", 300, "there are more than 0 GiB of logs; give fewer at once"),
    ],
)
def test_only_so_much_is_read_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, said: str
) -> None:
    log = tmp_path / "dump.txt"
    log.write_text(DUMP)
    monkeypatch.setattr(limits, limit, most)
    with pytest.raises(Unreadable, match=said):
        read_logs([log], folder=tmp_path)
    monkeypatch.setattr(limits, limit, len(DUMP) if limit == "LOG_BYTES" else 4)
    read_logs([log], folder=tmp_path).close()


def test_gigabytes_are_said() -> None:
    with pytest.raises(Unreadable, match="there are more than 128 GiB of logs; give fewer"):
        _check(0, limits.LOG_BYTES + 1, None)
    _check(limits.ROWS, limits.LOG_BYTES, lambda: False)
    with pytest.raises(Stopped):
        _check(0, 0, lambda: True)


def test_progress_is_the_share_of_all_bytes(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in "ab"]
    for path in paths:
        path.write_text(DUMP)
    told: list[LogProgress] = []
    read_logs(paths, folder=tmp_path, report=told.append).close()
    assert [one.fraction for one in told] == [0.5, 0.5, 1.0, 1.0]
    assert told[-1].rows == 8
    assert told[-1].in_words() == "100 % read, 8 rows"
    assert LogProgress(0.0249, 1).in_words() == "2 % read, 1 row"


@pytest.mark.parametrize("bad", ["text", "zip", "cut", "twice"])
def test_a_log_that_cannot_be_read_does_not_block_the_others(tmp_path: Path, bad: str) -> None:
    """Issue 33, point 5: it is left out whole, whether its first bytes or later ones are wrong."""
    good, more = tmp_path / "good.txt", tmp_path / "more.txt"
    good.write_text(DUMP.removesuffix("3|cut|cpu|COMPL"))
    more.write_text("task,machine,seconds\na,m,7\n")
    named = b"JobID|JobName|Elapsed|ReqMem|Extra\n" + b"7|bad|00:00:09|1|x\nbroken\n" * 9_000
    content = {
        "text": b"hello",
        "zip": b"PK\x03\x04" + bytes(90),
        "cut": gzip.compress(named)[:-200],
        "twice": gzip.compress(named)[:-9] + b"?",
    }
    (tmp_path / "bad.log").write_bytes(content[bad])
    limits_of_blocks = pytest.MonkeyPatch()
    limits_of_blocks.setattr(limits, "BLOCK_BYTES", 1_000)
    paths = [good, tmp_path / "bad.log", more]
    store = read_logs(paths, folder=tmp_path, skip_unreadable=True)
    alone = read_logs([good, more], folder=tmp_path)
    limits_of_blocks.undo()
    assert [why.partition(":")[0] for why in store.refused] == ["bad.log"]
    assert alone.refused == ()
    assert [log.name for log in store.logs] == ["good.txt", "more.txt"]
    for name in ("known", "texts", "rows", "rejected", "examples"):
        assert getattr(store, name) == getattr(alone, name), name
    for name in (*COLUMNS, *store.texts):
        assert store.column(name).tobytes() == alone.column(name).tobytes() or name in store.texts
    names = [store.values("name")[k] for k in store.column("name")]
    assert names == ["sort_1", "a|b", "a"]
    assert store.rejected_rows.read_text() == alone.rejected_rows.read_text()
    with pytest.raises(Unreadable, match=r"^bad.log"):
        read_logs(paths, folder=tmp_path)
    with pytest.raises(Unreadable, match=r"^bad.log: .*; bad.log: "):
        read_logs([tmp_path / "bad.log"] * 2, folder=tmp_path, skip_unreadable=True)
    store.close()
    alone.close()


def test_too_much_is_no_fault_of_one_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "ab":
        (tmp_path / name).write_text(DUMP)
    monkeypatch.setattr(limits, "ROWS", 5)
    with pytest.raises(Unreadable, match="more than 5 rows"):
        read_logs([tmp_path / "a", tmp_path / "b"], folder=tmp_path, skip_unreadable=True)
