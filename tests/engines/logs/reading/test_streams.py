"""Logs are read compressed or not, in any encoding; what is no log is refused with the remedy."""

import bz2
import gzip
import hashlib
import io
import lzma
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from core.engines.logs.reading import limits
from core.engines.logs.reading.logs import read_logs
from core.engines.logs.reading.streams import LogStream, _directory_bytes, logs_at
from core.files.findings import Unreadable

LOG = "JobID|JobName|State|Elapsed\n1|näh|COMPLETED|00:00:05\n2|b|COMPLETED|00:00:07\n".encode()


def zipped(way: int = zipfile.ZIP_DEFLATED, **members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", way) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__slash__", "/"), data)
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


OTHERS = ((b"\x28\xb5\x2f\xfd", "zstd"), (b"7z\xbc\xaf\x27\x1c", "7z"), (b"Rar!", "rar"))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"JobID|Elapsed\n\0", r"holds a NUL byte \(line 2\)"),
        (gzip.compress(LOG)[:30], "is damaged after"),
        (zipped(log=LOG)[:60], "is a damaged zip archive"),
        (zipped(), "is an archive without files"),
        (zipped(log=zipped(log=LOG)), "is an archive in an archive"),
        *((magic + b"12345678", f"is compressed with {n}; give it plain") for magic, n in OTHERS),
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


TEXT = b"a line\n" * 10


def logs_of(folder: Path, content: bytes) -> list[LogStream]:
    (folder / "x.zip").write_bytes(content)
    return logs_at([folder / "x.zip"])


def content_of(log: LogStream) -> bytes:
    with log.blocks() as blocks:
        return b"".join(blocks)


def test_each_member_is_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    members = {
        "b.txt": TEXT,
        "c": b"",
        "__MACOSX__slash__b.txt": b"x",
        ".DS_Store": b"x",
        "d__slash__.DS_Store": b"x",
        "d__slash__": b"",
        "d__slash__e": b"e",
        "y" * 101: b"y",
    }
    found = logs_of(tmp_path, zipped(**members))
    assert [log.name for log in found] == [
        "x.zip/b.txt",
        "x.zip/c",
        "x.zip/d/e",
        f"x.zip/{'y' * 100}…",
    ]
    assert [content_of(log) for log in found] == [TEXT, b"", b"e", b"y"]
    first = found[0]
    assert (first.digest, first.inflated) == (hashlib.sha256(TEXT).hexdigest(), 70)
    assert first.size == first.read < 70
    monkeypatch.setattr(limits, "BLOCK_BYTES", 35)
    first.inflated = 0
    assert [(len(block), first.read) for block in first._read()] == [
        (35, first.size // 2),
        (35, first.size),
    ]


@pytest.mark.parametrize("pack", [lambda data: data, gzip.compress, bz2.compress, lzma.compress])
def test_the_bytes_on_disk_are_counted_to_the_end(tmp_path: Path, pack) -> None:
    packed = pack(TEXT)
    (log,) = logs_of(tmp_path, packed)
    assert content_of(log) == TEXT
    assert (log.size, log.read, log.inflated) == (len(packed), len(packed), 70)
    assert log.digest == hashlib.sha256(packed).hexdigest()


def test_parts_of_an_xz_file_follow_each_other(tmp_path: Path) -> None:
    (log,) = logs_of(tmp_path, lzma.compress(b"a\n") + bytes(8) + lzma.compress(b"b\n") + bytes(4))
    assert content_of(log) == b"a\nb\n"


@pytest.mark.parametrize("block", [1, 3, 100])
def test_texts_of_windows_are_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(limits, "BLOCK_BYTES", block + 3)
    for encoding in ("utf-16-le", "utf-16-be", "utf-8"):
        (log,) = logs_of(tmp_path, ("\ufeff" + "é€\n" * 9).encode(encoding))
        assert content_of(log).decode() == "é€\n" * 9


def test_a_log_need_not_be_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One block waits to be taken, and one for its place; no more is read."""
    monkeypatch.setattr(limits, "BLOCK_BYTES", 7)
    (log,) = logs_of(tmp_path, TEXT)

    def wait_until_read(bytes_read: int) -> None:
        while log.inflated < bytes_read:
            time.sleep(0.001)
        assert log.inflated == bytes_read

    for _ in range(3):
        log.inflated = 0
        with log.blocks() as blocks:
            wait_until_read(14)
            assert next(blocks) == b"a line\n"
            wait_until_read(21)
        assert log.inflated == 21


def test_a_nul_is_looked_for_at_the_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BLOCK_BYTES", 1 << 15)
    for at, known in (((1 << 16) - 1, True), (1 << 16, False)):
        text = b"x\n" * (1 << 16)
        (log,) = logs_of(tmp_path, text[:at] + b"\0" + text[at:])
        if known:
            with pytest.raises(Unreadable, match=r"holds a NUL byte \(line 32768\)"):
                content_of(log)
        else:
            assert b"\0" in content_of(log)


def shared() -> bytes:
    """An archive whose two files are the same bytes of it."""
    content = zipped(zipfile.ZIP_STORED, a=TEXT * 9)
    directory, end = content.find(b"PK\x01\x02"), content.find(b"PK\x05\x06")
    entry = content[directory:end]
    both = b"\2\0\2\0" + (2 * len(entry)).to_bytes(4, "little")
    return content[:end] + entry + content[end : end + 8] + both + content[end + 16 :]


def encrypted() -> bytes:
    content = bytearray(zipped(a=TEXT))
    content[content.find(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (zipped(), "is an archive without files; put the logs into it"),
        (
            zipped(zipfile.ZIP_BZIP2, a=TEXT),
            "is compressed in an unusual way; make an ordinary zip archive",
        ),
        (b"PK\x03\x04 and more", "is a damaged zip archive; make it again"),
        (encrypted(), "is encrypted; make the archive without a password"),
        (shared(), "has files that share their content; make the archive again"),
    ],
    ids=["no files", "unusual", "damaged", "encrypted", "shared"],
)
def test_an_archive_that_cannot_be_read(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        logs_of(tmp_path, content)
    assert str(refused.value) == f"x.zip: {said}"


def test_the_size_of_a_directory_is_known_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = zipped(a=TEXT, b=TEXT)
    directory = content.find(b"PK\x05\x06") - content.find(b"PK\x01\x02")
    path = tmp_path / "x.zip"
    path.write_bytes(content)
    assert _directory_bytes(path, len(content)) == directory
    path.write_bytes(b"no archive")
    assert _directory_bytes(path, 10) == 0
    large = b"?PK\x06\x06" + bytes(36) + (7 << 32).to_bytes(8, "little") + bytes(8)
    end = b"PK\x05\x06" + bytes(8) + b"\xff" * 4 + bytes(6)
    for some in (large, large[1:]):
        path.write_bytes(some + end)
        assert _directory_bytes(path, len(some + end)) == 7 << 32
    path.write_bytes(end)
    assert _directory_bytes(path, len(end)) == 0
    end = b"PK\x05\x06" + bytes(8) + bytes([7]) + bytes(9)
    for comment, known in (((1 << 16) - 1, 7), ((1 << 16) + 128, 0)):  # so long, it is none
        path.write_bytes(end + bytes(comment))
        assert _directory_bytes(path, len(end) + comment) == known
    monkeypatch.setattr(limits, "DIRECTORY_BYTES", directory)
    assert len(logs_of(tmp_path, content)) == 2
    monkeypatch.setattr(limits, "DIRECTORY_BYTES", directory - 1)
    with pytest.raises(Unreadable, match="holds more than 1,000 files; put fewer into one archive"):
        logs_of(tmp_path, content)


def test_so_many_logs_are_read_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LOGS", 2)
    assert len(logs_of(tmp_path, zipped(a=TEXT, b=TEXT))) == 2
    with pytest.raises(Unreadable, match="there are more than 2 logs; give fewer at once"):
        logs_of(tmp_path, zipped(a=TEXT, b=TEXT, c=TEXT))


def test_what_is_inflated_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "INFLATED", 1)
    monkeypatch.setattr(limits, "INFLATED_FREE", 70)
    assert content_of(*logs_of(tmp_path, zipped(a=TEXT))) == TEXT
    monkeypatch.setattr(limits, "INFLATED_FREE", 69)
    with pytest.raises(Unreadable, match="is 1 times as large as its compressed file"):
        content_of(*logs_of(tmp_path, zipped(a=TEXT)))


def test_what_is_no_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unreadable, match="is not a regular file; give the logs themselves"):
        logs_at([tmp_path])
    with pytest.raises(Unreadable, match=r"^missing: "):
        logs_at([tmp_path / "missing"])
    locked = tmp_path / "locked"
    locked.touch()
    monkeypatch.setattr(Path, "open", Mock(side_effect=PermissionError(13, "Permission denied")))
    said = "locked: cannot be read (Permission denied); check the path and its permissions"
    refused: list[str] = []
    assert logs_at([locked, tmp_path / "missing"], refused) == []
    assert (refused[0], refused[1][:9]) == (said, "missing: ")


def test_an_xz_file_may_ask_for_so_much_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "XZ_BYTES", 1 << 20)
    one, other = lzma.compress(TEXT, preset=9), lzma.compress(TEXT, preset=0)
    for packed in (one, other + one):
        (log,) = logs_of(tmp_path, packed)
        with pytest.raises(Unreadable, match="is damaged after"):
            content_of(log)
    (log,) = logs_of(tmp_path, other)
    assert content_of(log) == TEXT
