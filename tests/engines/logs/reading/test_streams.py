"""Logs are read compressed or not, in any encoding; what is no log is refused with the remedy."""

import bz2
import gzip
import hashlib
import io
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.engines.logs.reading import limits
from core.engines.logs.reading.logs import LogProgress, read_logs
from core.engines.logs.reading.store import Stopped
from core.files.findings import Unreadable

LOG = "JobID|JobName|State|Elapsed\n1|näh|COMPLETED|00:00:05\n2|b|COMPLETED|00:00:07\n".encode()


def zipped(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def elapsed(folder: Path, *contents: bytes) -> list[float]:
    """The durations of the runs of these logs, which are read together."""
    paths = []
    for number, content in enumerate(contents):
        path = folder / f"log-{number}"
        path.write_bytes(content)
        paths.append(path)
    store = read_logs(paths, folder=folder)
    found = store.column("elapsed").tolist()
    for log, content in zip(store.logs, contents, strict=False):
        if not content.startswith(b"PK"):
            assert log.digest == hashlib.sha256(content).hexdigest()
    store.close()
    return found


@pytest.mark.parametrize(
    "packed",
    [
        lambda data: data,
        gzip.compress,
        lambda data: gzip.compress(data[:40]) + gzip.compress(data[40:]),
        bz2.compress,
        lzma.compress,
        lambda data: zipped(log=data),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.decode().encode("utf-16"),
        lambda data: data.decode().encode("latin-1"),
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"sacct: warning\n\n" + data,
        lambda data: data[:50] + data[50:].replace(b"|b|", b"|\xe4|"),
    ],
)
def test_a_log_is_read(tmp_path: Path, packed: Callable[[bytes], bytes]) -> None:
    assert elapsed(tmp_path, packed(LOG)) == [5, 7]


def test_several_logs_are_one(tmp_path: Path) -> None:
    other = LOG.replace(b"00:00:05", b"00:00:09")
    assert elapsed(tmp_path, LOG, gzip.compress(other)) == [5, 7, 9, 7]
    assert elapsed(tmp_path, zipped(a=LOG, b=other)) == [5, 7, 9, 7]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"JobID|Elapsed\n\0", r"holds a NUL byte \(line 2\)"),
        (gzip.compress(LOG)[:30], "is damaged after"),
        (zipped(log=LOG)[:60], "is a damaged zip archive"),
        (zipped(), "is an archive without files"),
        (zipped(log=zipped(log=LOG)), "is an archive in an archive"),
        (b"\x28\xb5\x2f\xfd123456", "is compressed with zstd"),
        (b'{"meta": {}}', 'has no list "jobs"'),
        (b'{"jobs": ' + b"[" * 100_000, "job 1 is nested too deeply"),
        (b"JobID|Elapsed|State|" + b"x|" * 1_000_000, "begins with a line of more than 1,0"),
        (b"JobID|Elapsed|State" + b"|x" * 997, "is not recognised"),
        (b"JobID|Elapsed|State" + b"|x" * 998, "has more than 1,000 columns"),
        (b"JobID|Elapsed|State|" + b"x" * 1_200_000, "begins with a line of more than 1,048,576"),
        (b"x" * 1_200_000, "begins with a line of more than 1,048,576"),
        (bytes(range(1, 256)) * 400, "is not recognised"),
    ],
    ids=lambda value: value if isinstance(value, str) else "log",  # archives have the time in them
)
def test_what_is_no_log_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(Unreadable, match=f"^log-0.*{said}"):
        elapsed(tmp_path, data)
    assert [path.name for path in tmp_path.iterdir()] == ["log-0"]  # nothing is left of the store


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "INFLATED_FREE", 1 << 20)
    bomb = gzip.compress(LOG + b"3|c|COMPLETED|00:00:01\n" * 300_000)
    with pytest.raises(Unreadable, match="250 times as large as its compressed file"):
        elapsed(tmp_path, bomb)


def test_a_long_line_is_skipped_and_counted(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(LOG + b"3|" + b"x" * (3 << 20) + b"\n4|d|COMPLETED|00:00:09\n")
    store = read_logs([log], folder=tmp_path)
    assert store.column("elapsed").tolist() == [5, 7, 9]
    assert store.column("line").tolist() == [2, 3, 5]
    assert store.rejected == {"row is too long": 1}
    store.close()


def test_reading_can_be_stopped_and_tells_how_far_it_is(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(LOG)
    told: list[LogProgress] = []
    read_logs([log], folder=tmp_path, report=told.append).close()
    assert told[-1] == LogProgress(1.0, 2)
    with pytest.raises(Stopped):
        read_logs([log], folder=tmp_path, should_stop=lambda: True)
    assert [path.name for path in tmp_path.iterdir()] == ["log"]
