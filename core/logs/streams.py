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
from typing import IO, Any, BinaryIO, Final

from core.files.disk import kind_of
from core.files.findings import Unreadable
from core.logs import limits

_BROKEN: Final = (
    EOFError,
    OSError,
    ValueError,
    lzma.LZMAError,
    zlib.error,
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
)
_COMPRESSED: Final[tuple[tuple[bytes, Any], ...]] = (
    (b"\x1f\x8b", gzip.open),
    (b"BZh", bz2.open),
    (b"\xfd7zXZ\0", lzma.open),
)
_ZIP: Final = b"PK\x03\x04"
_WIDE_MARKS: Final = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_ENCRYPTED: Final = 0x1


@dataclass
class LogStream:
    """One log: its name, and its content in blocks. `digest` is the SHA-256 of the file as it is on
    disk (of a member of an archive: of its content), known when all is read.
    """

    name: str
    path: Path
    member: str = ""
    size: int = 0
    """Bytes on disk."""
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
            with self.path.open("rb") as file, self._inflating(file) as content:
                first = content.read(limits.BLOCK_BYTES)
                for mark, encoding in _WIDE_MARKS:
                    if first.startswith(mark):
                        yield from self._decoded(first[len(mark) :], content, encoding)
                        return
                yield from self._checked(first, content)
                if not self.member:
                    self._sha.update(file.read())
        except Unreadable:
            raise
        except _BROKEN as error:
            raise Unreadable(
                f"is damaged after {self.inflated:,} bytes of its content ({error}); copy or "
                "compress it again"
            ) from error

    def _inflating(self, file: BinaryIO) -> AbstractContextManager[IO[bytes]]:
        """The content of the file, or of its member."""
        if self.member:
            return zipfile.ZipFile(file).open(self.member)
        counted = _Counted(self, file)
        start = file.read(8)
        file.seek(0)
        for magic, opened in _COMPRESSED:
            if start.startswith(magic):
                content: IO[bytes] = opened(counted)
                return content
        return nullcontext(counted)  # type: ignore[arg-type]

    def _checked(self, first: bytes, content: IO[bytes]) -> Iterator[bytes]:
        block = first.removeprefix(codecs.BOM_UTF8)
        if b"\0" in block:
            line = block.count(b"\n", 0, block.index(b"\0")) + 1
            raise Unreadable(
                f"holds a NUL byte (line {line}), so it is not a text; give the output of sacct, "
                "an SWF log or a CSV table"
            )
        while block:
            self._count(block)
            yield block
            block = content.read(limits.BLOCK_BYTES)

    def _decoded(self, block: bytes, content: IO[bytes], encoding: str) -> Iterator[bytes]:
        """A text in UTF-16, as PowerShell writes it, in UTF-8."""
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        while block:
            self._count(block)
            yield decoder.decode(block).encode()
            block = content.read(limits.BLOCK_BYTES)

    def _count(self, block: bytes) -> None:
        self.inflated += len(block)
        if self.member:
            self.read = self.inflated
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

    def read(self, size: int = -1) -> bytes:
        part = self._file.read(size)
        self._log.read += len(part)
        self._log._sha.update(part)
        return part


def logs_at(paths: Sequence[Path]) -> list[LogStream]:
    """The logs of these files; a zip archive may have several. Raises `Unreadable`, which names the
    file.
    """
    found: list[LogStream] = []
    for path in paths:
        try:
            found += _logs_of(path)
        except Unreadable as refusal:
            raise Unreadable(f"{path.name}: {refusal}") from refusal
    if len(found) > limits.LOGS:
        raise Unreadable(f"there are more than {limits.LOGS:,} logs; give fewer at once")
    return found


def _logs_of(path: Path) -> Iterator[LogStream]:
    if kind_of(path) != stat.S_IFREG:
        raise Unreadable("is not a regular file; give the logs themselves")
    size = path.stat().st_size
    with path.open("rb") as file:
        if file.read(len(_ZIP)) != _ZIP:
            yield LogStream(path.name, path, size=size)
            return
    try:
        with zipfile.ZipFile(path) as archive:
            members = [m for m in archive.infolist() if not m.is_dir()]
    except _BROKEN as error:
        raise Unreadable("is a damaged zip archive; make it again") from error
    if any(member.flag_bits & _ENCRYPTED for member in members):
        raise Unreadable("is encrypted; make the archive without a password")
    if not members:
        raise Unreadable("is an archive without files; put the logs into it")
    for member in members:
        name = f"{path.name}/{member.filename}"
        yield LogStream(name, path, member.filename, member.file_size)
