"""`samples` lists what there is, where it is, and draws it anew."""

from pathlib import Path

from core.files import read_system
from core.files.samples.named import describe, load_sample, sample_folder, sample_names


def test_every_sample_is_listed_with_its_size_and_place(wattfront):
    samples = wattfront("samples", "--json").data["samples"]
    assert [sample["name"] for sample in samples] == list(sample_names())
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
        }


def test_in_words_a_line_each(wattfront):
    lines = wattfront("samples").out.splitlines()
    assert len(lines) == len(sample_names())
    for name, line in zip(sample_names(), lines, strict=True):
        assert line.split()[0] == name
        assert describe(name) in line


def test_samples_can_be_drawn_anew(wattfront, tmp_path):
    folder = tmp_path / "samples"
    samples = wattfront("samples", "--write", folder, "--json").data["samples"]
    for sample in samples:
        path = Path(sample["path"])
        assert path.parent == folder
        assert read_system(path) == load_sample(sample["name"])


def test_where_nothing_can_be_written_it_says_so(wattfront, tmp_path):
    (tmp_path / "file").write_text("")
    outcome = wattfront("samples", "--write", tmp_path / "file")
    (complaint,) = outcome.complaints
    assert "cannot be written" in complaint
    assert outcome.status == 2
