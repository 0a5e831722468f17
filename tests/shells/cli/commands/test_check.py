"""`check` says what a system is, or every problem of its files, and where."""

import io
import zipfile

import pytest

KEYS = {"ok", "problems", "notes", "mends", "task_types", "machine_types", "tasks", "machines"}
PROBLEM_KEYS = {"file", "row", "column", "message", "severity"}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "etc.csv").write_text("task,A,B\nT1,1,2\nT2,3,\n")
    (tmp_path / "apc.csv").write_text("task,A,B\nT1,10,20\nT2,30,\n")
    (tmp_path / "tasks.csv").write_text("task_type,count\nT1,5\nT2,1\n")
    (tmp_path / "machines.csv").write_text("machine_type,count,idle_power\nA,2,1\nB,1,2\n")
    return tmp_path


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


def test_a_sound_system_is_summed_up(wattfront, folder):
    outcome = wattfront("check", folder)
    assert (outcome.status, outcome.err) == (0, "")
    assert "no problems" in outcome.out
    assert "2 task types (6 tasks) on 2 machine types (3 machines)" in outcome.out
    assert "3 of 4 pairs of types can run (75 %)" in outcome.out
    assert "1 to 3 s" in outcome.out
    assert "10 to 30 W at work" in outcome.out
    assert "1 to 2 W" in outcome.out


def test_the_same_as_data(wattfront, folder):
    outcome = wattfront("check", folder, "--json")
    assert outcome.status == 0
    assert outcome.data == {
        "ok": True,
        "problems": [],
        "notes": [],
        "mends": [],
        "task_types": 2,
        "machine_types": 2,
        "tasks": 6,
        "machines": 3,
    }


def test_without_powers_it_says_what_cannot_be_asked(wattfront, folder):
    (folder / "apc.csv").unlink()
    assert "only the makespan" in wattfront("check", folder).out


def test_a_warning_stops_nothing(wattfront, folder):
    (folder / "machines.csv").write_text("machine_type,count,idle_power\nA,2,99\nB,1,2\n")
    outcome = wattfront("check", folder, "--json")
    (problem,) = outcome.data["problems"]
    assert set(problem) == PROBLEM_KEYS
    assert (problem["file"], problem["row"], problem["column"], problem["severity"]) == (
        "machines.csv",
        "A",
        "idle_power",
        "warning",
    )
    assert (outcome.status, outcome.data["ok"], outcome.data["tasks"]) == (0, True, 6)
    outcome = wattfront("check", folder)
    assert "1 warning" in outcome.out
    assert len(outcome.complaints) == 1


def test_every_error_is_located_in_one_pass(wattfront, folder):
    (folder / "etc.csv").write_text("task,A,B\nT1,-1,soon\nT2,0,\n")
    outcome = wattfront("check", folder, "--json")
    assert outcome.status == 2
    assert set(outcome.data) == KEYS
    assert outcome.data["ok"] is False
    sizes = KEYS - {"ok", "problems", "notes", "mends"}
    assert {outcome.data[key] for key in sizes} == {None}
    places = {(p["file"], p["row"], p["column"]) for p in outcome.data["problems"]}
    assert places >= {("etc.csv", "T1", "A"), ("etc.csv", "T1", "B"), ("etc.csv", "T2", "A")}
    assert len(outcome.complaints) == len(outcome.data["problems"])


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


def test_what_was_taken_for_granted_and_what_is_mended_in_a_click_is_said(wattfront, folder):
    for name in ("tasks.csv", "machines.csv", "apc.csv"):
        (folder / name).unlink()
    (folder / "etc.csv").write_text("task;A;B\nT1;1,5;2\nT2;3;N/A\n")
    (folder / "list.csv").write_text("Job,Number\nT1,70\nT2,3\n")
    (folder / "jobs.xlsx").touch()
    outcome = wattfront("check", folder)
    assert "note: Not used, because only .csv files" in outcome.out
    assert "note: No counts of tasks were given, so there is one task of each type" in outcome.out
    assert "can do this: Write 1 number as 1234.5" in outcome.out
    assert "'1,5' becomes 1.5 (etc.csv, line 2)" in outcome.out
    said = "\n".join(outcome.complaints)
    assert "list.csv" in said
    assert "it is probably tasks: give it this name" in said
    data = wattfront("check", folder, "--json").data
    assert len(data["notes"]) == 3
    assert [mend["action"].split()[0] for mend in data["mends"]] == ["Write", "Leave"]
