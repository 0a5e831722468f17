"""Archives give their logs, or say why not; how much was read is counted in bytes on disk."""

import bz2
import gzip
import hashlib
import io
import lzma
import zipfile
from pathlib import Path

import pytest

from core.engines.logs.reading import limits
from core.engines.logs.reading.streams import LogStream, _directory_bytes, logs_at
from core.files.findings import Unreadable

TEXT = b"a line\n" * 10


def zipped(way: int = zipfile.ZIP_DEFLATED, **members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", way) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__slash__", "/"), data)
    return stream.getvalue()


def logs_of(folder: Path, content: bytes) -> list[LogStream]:
    (folder / "x.zip").write_bytes(content)
    return logs_at([folder / "x.zip"])


def content_of(log: LogStream) -> bytes:
    with log.blocks() as blocks:
        return b"".join(blocks)


def test_each_member_is_a_log(tmp_path: Path) -> None:
    members = {
        "b.txt": TEXT,
        "c": b"",
        "__MACOSX__slash__b.txt": b"x",
        ".DS_Store": b"x",
        "d__slash__.DS_Store": b"x",
        "d__slash__": b"",
        "d__slash__e": b"e",
    }
    found = logs_of(tmp_path, zipped(**members))
    assert [log.name for log in found] == ["x.zip/b.txt", "x.zip/c", "x.zip/d/e"]
    assert [content_of(log) for log in found] == [TEXT, b"", b"e"]
    first = found[0]
    assert (first.digest, first.inflated) == (hashlib.sha256(TEXT).hexdigest(), 70)
    assert first.size == first.read < 70


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


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (zipped(), "x.zip: is an archive without files; put the logs into it"),
        (
            zipped(zipfile.ZIP_BZIP2, a=TEXT),
            "x.zip: is compressed in an unusual way; make an ordinary zip archive",
        ),
        (b"PK\x03\x04 and more", "x.zip: is a damaged zip archive; make it again"),
    ],
)
def test_an_archive_that_cannot_be_read(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        logs_of(tmp_path, content)
    assert str(refused.value) == said


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    content = bytearray(zipped(a=TEXT))
    content[content.find(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(Unreadable, match="is encrypted; make the archive without a password"):
        logs_of(tmp_path, bytes(content))


@pytest.mark.parametrize(
    ("magic", "name"),
    [(b"\x28\xb5\x2f\xfd", "zstd"), (b"7z\xbc\xaf\x27\x1c", "7z"), (b"Rar!", "rar")],
)
def test_other_archives_are_named(tmp_path: Path, magic: bytes, name: str) -> None:
    (log,) = logs_of(tmp_path, magic + b"12345678")
    with pytest.raises(Unreadable, match=f"is compressed with {name}; give it plain"):
        content_of(log)


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
    large = b"PK\x06\x06" + bytes(36) + (7 << 32).to_bytes(8, "little") + bytes(8)
    end = b"PK\x05\x06" + bytes(8) + b"\xff" * 4 + bytes(6)
    path.write_bytes(large + end)
    assert _directory_bytes(path, len(large + end)) == 7 << 32
    path.write_bytes(end)
    assert _directory_bytes(path, len(end)) == 0
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


@pytest.mark.parametrize(("free", "known"), [(70, True), (69, False)])
def test_what_is_inflated_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, known: bool
) -> None:
    monkeypatch.setattr(limits, "INFLATED_FREE", free)
    monkeypatch.setattr(limits, "INFLATED", 1)
    (log,) = logs_of(tmp_path, zipped(a=TEXT))
    if known:
        assert content_of(log) == TEXT
    else:
        with pytest.raises(Unreadable, match="is 1 times as large as its compressed file"):
            content_of(log)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="is not a regular file; give the logs themselves"):
        logs_at([tmp_path])
    with pytest.raises(Unreadable, match=r"^missing: "):
        logs_at([tmp_path / "missing"])


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
