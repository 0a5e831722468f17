"""Wrong files are refused without a traceback; `samples`, `reproduce` and `verify` answer."""

import io
import zipfile
from itertools import cycle
from pathlib import Path

import pytest

from core.files import read_system
from core.files.samples.named import SYSTEMS, describe, load_sample, sample_folder
from core.shells.cli.commands import reproduce


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


@pytest.mark.parametrize(
    ("command", "content"), [*zip(cycle(["check", "solve", "convert", "verify"]), HOSTILE)]
)
def test_a_hostile_file_is_refused_without_a_traceback(wattfront, tmp_path, command, content):
    """All commands read files alike: each is given some of them."""
    (tmp_path / "hostile").write_bytes(HOSTILE[content])
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


def test_every_sample_is_listed_with_its_size_and_place(wattfront):
    samples = wattfront("samples", "--json").data["samples"]
    assert [sample["name"] for sample in samples] == list(SYSTEMS)
    for sample in samples:
        system = load_sample(sample["name"])
        assert sample == {
            "name": sample["name"],
            "description": describe(sample["name"]),
            "path": str(sample_folder(sample["name"])),
            "task_types": len(system.task_types),
            "machine_types": len(system.machine_types),
            "tasks": system.tasks,
            "machines": system.machines,
            **({"estimated_pairs": 1} if sample["name"] == "university" else {}),
        }


def test_samples_are_written_as_they_are(wattfront, tmp_path):
    folder = tmp_path / "samples"
    samples = wattfront("samples", "--write", folder, "--json").data["samples"]
    for sample in samples:
        path = Path(sample["path"])
        assert path.parent == folder
        for table in path.iterdir():
            assert table.read_bytes() == (sample_folder(sample["name"]) / table.name).read_bytes()
        assert read_system(path) == load_sample(sample["name"])


def test_where_nothing_can_be_written_it_says_so(wattfront, tmp_path):
    (tmp_path / "file").write_text("")
    outcome = wattfront("samples", "--write", tmp_path / "file")
    (complaint,) = outcome.complaints
    assert "cannot be written" in complaint
    assert outcome.status == 2


def test_a_checkout_has_its_publications(wattfront):
    said = wattfront("reproduce", "--help").out
    assert "{environments,makespan,front,profit,provision,arrivals,stretch,centre}" in said


@pytest.mark.parametrize("words", [(), ("front",), ("front", "--generations", 3, "--json")])
def test_without_a_checkout_it_says_where_publications_are(wattfront, tmp_path, monkeypatch, words):
    monkeypatch.setattr(reproduce, "PUBLICATIONS", tmp_path / "publications")
    outcome = wattfront("reproduce", *words)
    assert outcome.complaints == [f"error: {reproduce.ABSENT}"]
    assert outcome.status == 2


KEYS = ["ok", "problems", "makespan", "energy", "tasks", "machines"]


@pytest.mark.parametrize("suffix", [".csv", ".json", ".xlsx"])
@pytest.mark.parametrize("idle", [[], ["--idle-power", "0.5"]])
def test_the_figures_are_those_of_solve(wattfront, tmp_path, suffix, idle):
    path = tmp_path / f"schedule{suffix}"
    said = wattfront("solve", "nine", "--seconds", 0, *idle, "-o", path, "--json").data
    outcome = wattfront("verify", "nine", path, *idle, "--json")
    assert outcome.status == 0
    assert list(outcome.data) == KEYS
    assert (outcome.data["ok"], outcome.data["problems"]) == (True, [])
    for key in ("makespan", "energy", "tasks", "machines"):
        assert outcome.data[key] == pytest.approx(said[key], rel=1e-9)


def test_in_words_what_the_schedule_takes_is_rounded_up(wattfront, tmp_path):
    """100.00004 s and 700.00328 J."""
    times, powers, path = (tmp_path / name for name in ("etc.csv", "apc.csv", "schedule.csv"))
    times.write_text("task type,M\nT,100.00004\n")
    powers.write_text("task type,M\nT,7.00003\n")
    assert wattfront("solve", tmp_path, "--seconds", 0, "-o", path).status == 0
    said = wattfront("verify", tmp_path, path).out
    assert "100.001 s" in said
    assert "700.004 J" in said


@pytest.mark.parametrize("content", [b"", b"\x00\xff", b"{", b"PK\x03\x04", b"a,b\n1,2\n"])
def test_what_is_no_schedule_file_is_refused(wattfront, tmp_path, content):
    (tmp_path / "s.csv").write_bytes(content)
    outcome = wattfront("verify", "nine", tmp_path / "s.csv", "--json")
    assert (outcome.status, outcome.data["ok"]) == (2, False)
    assert outcome.complaints
