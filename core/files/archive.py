"""Zip archives: safe reading, and reproducible writing.

Nothing is unpacked to disk. An archive with a path outside its folder is refused as a whole. Bytes
are counted while they are inflated, whatever sizes the archive declares.
"""

import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, Final

from core.files import limits
from core.files.disk import replacing
from core.files.findings import Unreadable

_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,  # zipfile's word for a compression, version or flag unknown to it
)
_MAGICS: Final = (b"PK\x03\x04", b"PK\x05\x06")
_DIRECTORY_ENTRY: Final = b"PK\x01\x02"
_ESCAPES: Final = re.compile(r"^/|^[A-Za-z]:|\\|\0|(?:^|/)\.\.(?:/|$)")
_KINDS: Final = (0, stat.S_IFREG, stat.S_IFDIR)
_ENCRYPTED: Final = 0x1
_CHUNK: Final = 2**16
_UNIX: Final = 3  # the system whose permissions an archive has
_COMPRESSION_LEVEL: Final = 3  # higher levels hardly make digits smaller


def is_archive(data: bytes) -> bool:
    return data.startswith(_MAGICS)


class ZipArchive:
    """The members of a zip archive; all raise `Unreadable` if it is damaged or unsafe."""

    def __init__(self, data: bytes) -> None:
        # The directory is parsed as a whole, so its length is checked first. Members that are
        # archives contain entries, too: hence the margin.
        if data.count(_DIRECTORY_ENTRY) > 10 * limits.ARCHIVE_MEMBERS:
            raise _too_many_members()
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _BROKEN as error:
            raise Unreadable("is a damaged zip archive; make it again") from error
        members = [member for member in self._zip.infolist() if not member.filename.endswith("/")]
        if len(members) > limits.ARCHIVE_MEMBERS:
            raise _too_many_members()
        for member in self._zip.infolist():
            _refuse_unsafe(member)
        self._members = {member.filename: member for member in members}
        if len(self._members) < len(members):
            raise Unreadable("holds two files of the same name; make the archive again")
        self._inflated = 0

    @property
    def names(self) -> list[str]:
        """The paths of its files."""
        return list(self._members)

    def read(self, name: str) -> bytes:
        """The content of one file."""
        member = self._members[name]
        if member.flag_bits & _ENCRYPTED:
            raise Unreadable("is encrypted; make the archive without a password")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise Unreadable("is compressed in an unusual way; make an ordinary zip archive")
        allowed = min(limits.FILE_BYTES, limits.ARCHIVE_BYTES - self._inflated)
        if member.file_size > allowed:
            raise _too_large(allowed)
        content = bytearray()
        try:
            with self._zip.open(member) as stream:
                # zipfile gives no more than is declared; by chunks, it also inflates little more.
                while chunk := stream.read(_CHUNK):
                    content += chunk
        except _BROKEN as error:
            raise Unreadable("is damaged in the zip archive; make it again") from error
        self._inflated += len(content)
        return bytes(content)


class ArchiveWriter:
    """Writes a zip archive without dates, so that the same content gives the same bytes."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._zip = archive

    @contextmanager
    def member(self, name: str) -> Iterator[IO[bytes]]:
        with self._zip.open(name, "w", force_zip64=True) as stream:
            yield stream

    def add(self, name: str, lines: Iterable[str]) -> None:
        with self.member(name) as stream:
            write_lines(stream, lines)

    def add_with_mode(self, name: str, lines: Iterable[str], mode: int) -> None:
        """Add a file with the permissions of Unix that it has once it is unpacked."""
        info = zipfile.ZipInfo(name)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.create_system = _UNIX
        info.external_attr = (stat.S_IFREG | mode) << 16
        with self._zip.open(info, "w", force_zip64=True) as stream:
            write_lines(stream, lines)


@contextmanager
def writing_archive(stream: BinaryIO) -> Iterator[ArchiveWriter]:
    with zipfile.ZipFile(
        stream, "w", zipfile.ZIP_DEFLATED, compresslevel=_COMPRESSION_LEVEL
    ) as archive:
        yield ArchiveWriter(archive)


def write_archive(stream: BinaryIO, files: Mapping[str, Iterable[str]]) -> None:
    """Write an archive of text files, given as lines."""
    with writing_archive(stream) as archive:
        for name, lines in files.items():
            archive.add(name, lines)


def write_lines(stream: IO[bytes], lines: Iterable[str]) -> None:
    """Write text in UTF-8, many lines at a time."""
    for part in lines:
        stream.write(part.encode())


def write_file(path: Path, lines: Iterable[str]) -> None:
    """Write a file of text; an old one is replaced when the new one is complete.

    Raises `InvalidInput` if it cannot be written.
    """
    with replacing(path) as stream:
        write_lines(stream, lines)


def _refuse_unsafe(member: zipfile.ZipInfo) -> None:
    if _ESCAPES.search(member.orig_filename):
        raise Unreadable(
            f"holds '{member.orig_filename[:80]}', a path outside its folder; make the archive "
            "again with plain file names"
        )
    if stat.S_IFMT(member.external_attr >> 16) not in _KINDS:
        raise Unreadable(
            f"holds '{member.filename[:80]}', a link or special file; put in the file itself"
        )


def _too_many_members() -> Unreadable:
    return Unreadable(f"holds more than {limits.ARCHIVE_MEMBERS:,} files; leave out the others")


def _too_large(allowed: int) -> Unreadable:
    return Unreadable(f"is too large: at most {allowed // limits.MIB} MiB can be read")
