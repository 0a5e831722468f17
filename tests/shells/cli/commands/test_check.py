"""`check` says what a system is, or every problem of its files, and where."""

import io
import zipfile

import pytest


def zipped(**members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


HOSTILE = {
    "nothing": b"",
    "binary": bytes(range(256)) * 10,
    "half a zip": b"PK\x03\x04" + b"\x00" * 40,
    "a zip that escapes": zipped(**{"../etc.csv": "x,A\nT,1\n"}),
    "a zip of one endless cell": zipped(**{"etc.csv": "x," + "9" * 2_000_000 + "\n"}),
    "deep JSON": b'{"a":' * 100_000,
    "JSON of another kind": b'{"format": "else", "version": 1}',
    "formulas": b"x,=cmd|' /C calc'!A0\nT,=1+1\n",
    "a million columns": b"x" + b",7" * 1_000_000 + b"\n",
    "many errors": b"x,A\n" + b"".join(b"T%d,-1\n" % i for i in range(20_000)),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("command", ["check", "solve", "convert", "verify"])
def test_a_hostile_file_is_refused_without_a_traceback(wattfront, tmp_path, command, content):
    (tmp_path / "hostile").write_bytes(content)
    more = {"convert": [tmp_path / "out.json"], "verify": [tmp_path / "hostile"]}
    outcome = wattfront(command, tmp_path / "hostile", *more.get(command, []), "--json")
    assert outcome.status == 2
    assert outcome.data["ok"] is False
    assert 1 <= len(outcome.data["problems"]) <= 1_200
    assert len(outcome.complaints) == len(outcome.data["problems"])
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/proc/self/mem", "/", "\0", ""])
def test_so_is_what_is_no_file(wattfront, path):
    outcome = wattfront("check", path, "--json")
    assert (outcome.status, outcome.data["ok"]) == (2, False)
