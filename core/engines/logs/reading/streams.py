"""Logs as streams of bytes: plain or compressed files, and members of zip archives.

Nothing is held but the block that is read next, which a thread prepares meanwhile.
"""

import bz2
import codecs
import gzip
import hashlib
import lzma
import stat
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import Any, BinaryIO, Final, Protocol

from core.engines.logs.reading import limits
from core.files.disk import kind_of
from core.files.findings import Unreadable, shown

_BROKEN: Final = (
    EOFError,
    OSError,
    ValueError,
    lzma.LZMAError,
    zlib.error,
    zipfile.BadZipFile,
    NotImplementedError,  # zipfile's word for a compression, version or flag unknown to it
    RuntimeError,
)
_ZIP: Final = b"PK\x03\x04"
_EMPTY_ZIP: Final = b"PK\x05\x06"
_LARGE_END: Final = b"PK\x06\x06"
_OTHERS: Final = {b"\x28\xb5\x2f\xfd": "zstd", b"7z\xbc\xaf\x27\x1c": "7z", b"Rar!": "rar"}
_WIDE_MARKS: Final = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_ENCRYPTED: Final = 0x1
_ON_THE_SIDE: Final = ("__MACOSX/", ".DS_Store")
"""Members that computers add by themselves."""
_NAME_CHARACTERS: Final = 100
_CHUNK: Final = 1 << 16
_BINARY_SHOWS: Final = 1 << 16
"""Bytes among which a file that is no text has a NUL; further ones do no harm."""


class _Content(Protocol):
    """What is read from begin to end, and need not be a file."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes; none at the end."""


@dataclass
class LogStream:
    """One log: its name, and its content in blocks. `digest` is the SHA-256 of the file as it is on
    disk (of a member of an archive: of its content), known when all is read.
    """

    name: str
    path: Path
    size: int
    """Bytes on disk."""
    member: zipfile.ZipInfo | None = None
    read: int = 0
    """Bytes on disk that were read."""
    inflated: int = 0
    _sha: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    @property
    def digest(self) -> str:
        return self._sha.hexdigest()

    @contextmanager
    def blocks(self) -> Iterator[Iterator[bytes]]:
        """The content, a block at a time; a thread reads ahead by one block.

        Raises `Unreadable` where the content is damaged, or a bomb.
        """
        ready: Queue[bytes | Exception | None] = Queue(1)
        given_up = Event()

        def read_ahead() -> None:
            try:
                for block in self._read():
                    ready.put(block)
                    if given_up.is_set():
                        return
                ready.put(None)
            except Exception as error:
                ready.put(error)

        def taken() -> Iterator[bytes]:
            while (block := ready.get()) is not None:
                if isinstance(block, Exception):
                    raise block
                yield block

        thread = Thread(target=read_ahead, daemon=True)
        thread.start()
        try:
            yield taken()
        finally:
            given_up.set()
            while thread.is_alive():
                while not ready.empty():
                    ready.get()
                thread.join(0.01)

    def _read(self) -> Iterator[bytes]:
        try:
            with self.path.open("rb") as file, self._opened(file) as packed:
                content = _inflating(packed)
                first = content.read(limits.BLOCK_BYTES)
                for mark, encoding in _WIDE_MARKS:
                    if first.startswith(mark):
                        yield from self._decoded(first[len(mark) :], content, encoding)
                        break
                else:
                    yield from self._checked(first, content)
                while packed.read(_CHUNK):
                    pass  # what stands behind the compressed content is part of the digest
        except Unreadable:
            raise
        except _BROKEN as error:
            why = getattr(error, "strerror", None) or error
            raise Unreadable(
                f"is damaged after {self.inflated:,} bytes of its content ({why}); copy or "
                "compress it again"
            ) from error

    def _opened(self, file: BinaryIO) -> AbstractContextManager[Any]:
        """The file, or its member."""
        if self.member is not None:
            return zipfile.ZipFile(file).open(self.member)
        return nullcontext(_Counted(self, file))

    def _checked(self, first: bytes, content: _Content) -> Iterator[bytes]:
        block, line = first.removeprefix(codecs.BOM_UTF8), 1
        while block:
            begin = block[: max(_BINARY_SHOWS - self.inflated, 0)]
            line += begin.partition(b"\0")[0].count(b"\n")
            if b"\0" in begin:
                raise Unreadable(
                    f"holds a NUL byte (line {line}), so it is not a text; give the output of "
                    "sacct, an SWF log or a CSV table"
                )
            self._count(block)
            yield block
            block = content.read(limits.BLOCK_BYTES)

    def _decoded(self, block: bytes, content: _Content, encoding: str) -> Iterator[bytes]:
        """A text in UTF-16, as PowerShell writes it, in UTF-8."""
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        while block:
            self._count(block)
            yield decoder.decode(block).encode()
            block = content.read(limits.BLOCK_BYTES)

    def _count(self, block: bytes) -> None:
        self.inflated += len(block)
        if self.member is not None:
            share = self.inflated / max(self.member.file_size, 1)
            self.read = min(self.size, int(self.size * share))
            self._sha.update(block)
        if self.inflated > max(limits.INFLATED_FREE, limits.INFLATED * self.size):
            raise Unreadable(
                f"is {limits.INFLATED} times as large as its compressed file: no log is so "
                "uniform; check that it is the file"
            )


class _Counted:
    """A file that tells a log how much of it was read."""

    def __init__(self, log: LogStream, file: BinaryIO) -> None:
        self._log, self._file = log, file

    def peek(self, size: int) -> bytes:
        begin = self._file.tell()
        part = self._file.read(size)
        self._file.seek(begin)
        return part

    def read(self, size: int) -> bytes:
        part = self._file.read(size)
        self._log.read += len(part)
        self._log._sha.update(part)
        return part


class _Xz:
    """The content of an xz file, which may ask for `limits.XZ_BYTES` of memory."""

    def __init__(self, file: _Content) -> None:
        self._file = file
        self._part = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=limits.XZ_BYTES)

    def read(self, size: int, /) -> bytes:
        while True:
            more = b""
            if self._part.eof:  # another part may follow, after zeros
                more = self._part.unused_data.lstrip(b"\0") or self._file.read(_CHUNK)
                while more and not more.strip(b"\0"):
                    more = self._file.read(_CHUNK)
                if not more:
                    return b""
                self._part = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=limits.XZ_BYTES)
                more = more.lstrip(b"\0")
            elif self._part.needs_input:
                more = self._file.read(_CHUNK)
                if not more:
                    raise EOFError("the compressed file ends too early")
            block = self._part.decompress(more, size)
            if block:
                return block


def _inflating(packed: Any) -> _Content:
    """The content of a file that may be compressed. Raises `Unreadable` for other archives."""
    start = packed.peek(8)
    if start.startswith(b"\x1f\x8b"):
        return gzip.open(packed)
    if start.startswith(b"BZh"):
        return bz2.open(packed)
    if start.startswith(b"\xfd7zXZ\0"):
        return _Xz(packed)
    if start.startswith(_ZIP):
        raise Unreadable("is an archive in an archive; put the logs themselves into one archive")
    for magic, name in _OTHERS.items():
        if start.startswith(magic):
            raise Unreadable(
                f"is compressed with {name}; give it plain, or compressed with gzip, bzip2 or xz"
            )
    content: _Content = packed
    return content


def logs_at(paths: Sequence[Path], refused: list[str] | None = None) -> list[LogStream]:
    """The logs of these files; a zip archive may have several. Files that cannot be read are named
    in `refused`; without it, raises `Unreadable`, which names the file.
    """
    found: list[LogStream] = []
    for path in paths:
        try:
            found += list(_logs_of(path))
        except Unreadable as refusal:
            why = f"{path.name}: {refusal}"
            if refused is None:
                raise Unreadable(why) from refusal
            refused.append(why)
    if len(found) > limits.LOGS:
        raise Unreadable(f"there are more than {limits.LOGS:,} logs; give fewer at once")
    return found


def _logs_of(path: Path) -> Iterator[LogStream]:
    if kind_of(path) != stat.S_IFREG:
        raise Unreadable("is not a regular file; give the logs themselves")
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(len(_ZIP))
    except OSError as error:
        raise Unreadable(
            f"cannot be read ({error.strerror}); check the path and its permissions"
        ) from error
    if start not in (_ZIP, _EMPTY_ZIP):
        yield LogStream(path.name, path, size)
        return
    for member in _members(path, size):
        name = f"{path.name}/{shown(member.filename, _NAME_CHARACTERS)}"
        yield LogStream(name, path, member.compress_size, member)


def _members(path: Path, size: int) -> list[zipfile.ZipInfo]:
    """The logs in a zip archive. Raises `Unreadable`."""
    try:
        if _directory_bytes(path, size) > limits.DIRECTORY_BYTES:
            raise Unreadable(f"holds more than {limits.LOGS:,} files; put fewer into one archive")
        with zipfile.ZipFile(path) as archive:
            members = [m for m in archive.infolist() if not m.is_dir()]
    except _BROKEN as error:
        raise Unreadable("is a damaged zip archive; make it again") from error
    if any(member.flag_bits & _ENCRYPTED for member in members):
        raise Unreadable("is encrypted; make the archive without a password")
    folder, file = _ON_THE_SIDE
    logs = [
        member
        for member in members
        if not member.filename.startswith(folder) and member.filename.rpartition("/")[2] != file
    ]
    if not logs:
        raise Unreadable("is an archive without files; put the logs into it")
    usual = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    if any(member.compress_type not in usual for member in logs):
        raise Unreadable("is compressed in an unusual way; make an ordinary zip archive")
    if sum(member.compress_size for member in logs) > size:
        raise Unreadable("has files that share their content; make the archive again")
    return logs


def _directory_bytes(path: Path, size: int) -> int:
    """The bytes of the directory of a zip archive, which zipfile reads as a whole."""
    with path.open("rb") as file:
        file.seek(max(size - (1 << 16) - 128, 0))
        tail = file.read()
    end = tail.rfind(_EMPTY_ZIP)
    claimed = int.from_bytes(tail[end + 12 : end + 16], "little") if end >= 0 else 0
    if claimed == 0xFFFFFFFF:
        large = tail.rfind(_LARGE_END, 0, end)
        claimed = int.from_bytes(tail[large + 40 : large + 48], "little") if large >= 0 else 0
    return claimed
