"""`report` makes one page of a study file, or says what is wrong with the file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.engines.front.study import study
from core.files.samples.named import load_sample
from core.shells.studies import StudySettings, write_study
from core.vocabulary.budget import Effort


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = study(load_sample("two-by-two"), effort=Effort(0))
    write_study(
        found, StudySettings("two-by-two", "two-by-two", seconds=0.0), tmp_path / "study.json"
    )
    return tmp_path / "study.json"


def change(path: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    document = json.loads(path.read_text())
    edit(document)
    path.write_text(json.dumps(document))


def test_the_page_is_where_it_was_wanted(wattfront, path, tmp_path):
    outcome = wattfront("report", path, "-o", tmp_path / "out.html", "--json")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.data["path"] == str(tmp_path / "out.html")
    assert outcome.data["tasks"] == 12
    assert outcome.data["ok"] is True
    assert "wattfront front two-by-two" in (tmp_path / "out.html").read_text()


def test_or_beside_the_study(wattfront, path):
    outcome = wattfront("report", path)
    assert outcome.status == 0
    assert "study.html: " in outcome.out
    assert path.with_suffix(".html").exists()


def test_a_front_that_is_another_is_told_and_not_shown(wattfront, path):
    change(path, lambda document: document["vertices"].pop())
    outcome = wattfront("report", path)
    assert outcome.status == 0
    (complaint,) = outcome.complaints
    assert "the front in the file is not the one found here" in complaint


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda d: d["schedules"][0].update(makespan=1.0), "but its groups add up"),
        (lambda d: d["settings"].update(spacing=0), "spacing: 0 is out of range"),
        (lambda d: d["system"].pop("etc"), "[system] [etc]"),
    ],
)
def test_a_file_that_is_wrong_gives_no_page(wattfront, path, edit, said):
    change(path, edit)
    outcome = wattfront("report", path, "--json")
    assert (outcome.status, outcome.data["ok"]) == (2, False)
    assert said in outcome.err
    assert not path.with_suffix(".html").exists()


@pytest.mark.parametrize("output", ["r.pdf", "missing/r.html"])
def test_what_cannot_be_written_is_refused(wattfront, path, tmp_path, output):
    outcome = wattfront("report", path, "-o", tmp_path / output)
    (complaint,) = outcome.complaints
    assert "cannot be written" in complaint
    assert outcome.status == 2


@pytest.mark.parametrize("place", [".", "/", ""])
def test_a_folder_is_no_study(wattfront, place):
    outcome = wattfront("report", place)
    assert outcome.status == 2
    assert "is not a regular file" in outcome.err


@pytest.mark.parametrize("content", [b"", b"\0", b"{}", b"x,y\n1,2\n", b'{"a":' * 9_999])
def test_what_is_no_study_is_refused(wattfront, tmp_path, content):
    (tmp_path / "s.json").write_bytes(content)
    outcome = wattfront("report", tmp_path / "s.json", "--json")
    assert (outcome.status, outcome.data["ok"]) == (2, False)
    assert len(outcome.complaints) >= 1
