"""Archives are read in memory, within limits; the hostile and the damaged are refused."""

import io
import stat
import zipfile

import pytest

from core.files import inspect_system_bytes, limits
from core.files.archive import ZipArchive, write_archive, writing_archive
from core.files.findings import Unreadable

ETC = "x,M\nT,1\n"


def zipped(files, compression=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def read(data):
    return inspect_system_bytes("system.zip", data)


def refusal(data):
    reading = read(data)
    assert not reading.ok
    return reading.problems[0].message


@pytest.mark.parametrize("folder", ["", "mine/", "a/b/"])
def test_tables_may_be_in_a_folder_beside_other_things(folder):
    data = zipped(
        {
            "__MACOSX/mine/._etc.csv": "junk",
            ".hidden/etc.csv": "junk",
            f"{folder}ETC.csv": ETC,
            f"{folder}Tasks.CSV": "task_type,count\nT,3\n",
            f"{folder}README.md": "# junk",
            f"{folder}inner.zip": zipped({"etc.csv": "junk"}),
        }
    )
    assert read(data).require().tasks == 3


def special(kind):
    info = zipfile.ZipInfo("etc.csv")
    info.external_attr = (kind | 0o777) << 16
    return {info: "/etc/passwd"}


OUTSIDE = ["../etc.csv", "a/../../etc.csv", "/etc.csv", "C:/etc.csv", "a\\etc.csv", "..", "a/.."]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"a/etc.csv": ETC, "b/etc.csv": ETC}, "several folders"),
        ({"etc.csv": ETC, "ETC.CSV": ETC}, "twice"),
        ({"README.md": "hello"}, "is missing"),
        ({}, "is missing"),
        *(({"etc.csv": ETC, name: "x"}, "outside its folder") for name in OUTSIDE),
        *((special(kind), "special file") for kind in (stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR)),
    ],
)
def test_what_is_ambiguous_missing_or_unsafe_is_refused(files, said):
    assert said in refusal(zipped(files))


def test_the_same_name_twice_is_refused():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("etc.csv", ETC)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("etc.csv", ETC)
    assert "two files of the same name" in refusal(stream.getvalue())


def test_too_many_members_are_refused():
    files = {f"{i}.txt": "" for i in range(limits.ARCHIVE_MEMBERS)}
    assert "more than 1,000 files" in refusal(zipped(files | {"etc.csv": ETC}))
    del files["0.txt"]
    assert len(ZipArchive(zipped(files | {"etc.csv": ETC})).names) == 1000


def test_an_endless_directory_is_refused_before_it_is_parsed():
    data = zipped({"etc.csv": ETC})
    entry = data[data.index(b"PK\x01\x02") : data.index(b"PK\x05\x06")]
    assert "more than 1,000 files" in refusal(data + entry * 10_000)
    assert "damaged" in refusal(data + entry * 9_999), "so far it is looked at"


def test_encrypted_members_and_unusual_compressions_are_refused():
    data = bytearray(zipped({"etc.csv": ETC}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert "encrypted" in refusal(bytes(data))
    assert "unusual way" in refusal(zipped({"etc.csv": ETC}, compression=zipfile.ZIP_LZMA))


def test_a_bomb_is_refused_by_what_it_declares_or_really_is(monkeypatch):
    data = bytearray(zipped({"etc.csv": b"\n" * 5_000_000}))
    monkeypatch.setattr(limits, "FILE_BYTES", 4 * limits.MIB)
    assert "at most 4 MiB" in refusal(bytes(data))
    directory = data.index(b"PK\x01\x02")
    data[22:26] = data[directory + 24 : directory + 28] = (100).to_bytes(4, "little")
    assert not read(bytes(data)).ok


def test_members_are_bounded_together(monkeypatch):
    archive = ZipArchive(zipped({"a": b"x" * 3_000_000, "b": b"x" * 3_000_000}))
    monkeypatch.setattr(limits, "ARCHIVE_BYTES", 4 * limits.MIB)
    assert len(archive.read("a")) == 3_000_000
    with pytest.raises(Unreadable, match="too large"):
        archive.read("b")


def test_what_is_declared_too_large_is_refused_before_it_is_read():
    data = bytearray(zipped({"etc.csv": ETC}))
    for at in (22, data.index(b"PK\x01\x02") + 24):
        data[at : at + 4] = (limits.FILE_BYTES + 1).to_bytes(4, "little")
    assert "is too large" in refusal(bytes(data))


def test_a_member_whose_content_is_damaged_is_refused():
    data = bytearray(zipped({"etc.csv": ETC}, zipfile.ZIP_STORED))
    data[data.index(b"T,1")] = ord("U")
    with pytest.raises(Unreadable, match="is damaged in the zip archive; make it again"):
        ZipArchive(bytes(data)).read("etc.csv")


@pytest.mark.parametrize(("left_over", "read"), [(-1, False), (0, True), (1, True)])
@pytest.mark.parametrize("limit", ["FILE_BYTES", "ARCHIVE_BYTES"])
def test_members_may_be_as_large_as_the_limits_say(monkeypatch, limit, left_over, read):
    archive = ZipArchive(zipped({"a": b"x" * 3000}))
    monkeypatch.setattr(limits, limit, 3000 + left_over)
    if read:
        assert len(archive.read("a")) == 3000
    else:
        with pytest.raises(Unreadable, match="too large"):
            archive.read("a")


@pytest.mark.parametrize("end", [4, 30, 60, -30, -1])
def test_damaged_archives_are_refused(end):
    assert not read(zipped({"etc.csv": ETC})[:end]).ok


def test_any_flipped_byte_is_survived():
    data = zipped({"etc.csv": ETC, "tasks.csv": "task_type,count\nT,2\n"})
    for at in range(0, 120, 3):
        reading = read(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
        assert reading.ok or reading.problems, at


def test_a_member_without_a_name_is_survived():
    data = zipped({"etc.csv": ETC, "x": "y"})
    directory = data.rindex(b"PK\x01\x02")
    assert read(data[: directory + 46] + b"\0" + data[directory + 47 :]).problems


def test_files_have_the_permissions_they_are_given():
    stream = io.BytesIO()
    with writing_archive(stream) as archive:
        archive.add_with_mode("run.sh", ["echo ", "é\n"], 0o750)
    with zipfile.ZipFile(stream) as found:
        (info,) = found.infolist()
        assert stat.filemode(info.external_attr >> 16) == "-rwxr-x---"
        assert (info.create_system, info.compress_type) == (3, zipfile.ZIP_DEFLATED)
        assert found.read("run.sh").decode() == "echo é\n"


def test_archives_are_the_same_whenever_written():
    one, other = io.BytesIO(), io.BytesIO()
    write_archive(one, {"etc.csv": [ETC]})
    write_archive(other, {"etc.csv": [ETC]})
    assert one.getvalue() == other.getvalue()
    with zipfile.ZipFile(one) as archive:
        assert archive.read("etc.csv").decode() == ETC
        assert archive.infolist()[0].date_time == (1980, 1, 1, 0, 0, 0)
