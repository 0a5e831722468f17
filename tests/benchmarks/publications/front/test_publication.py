"""The fronts' report has every figure and table, and its summary is ready for JSON."""

import json

import pytest

from benchmarks.publications import publication
from benchmarks.publications.front import publication as front
from benchmarks.publications.front.environments import MethodEffort


@pytest.fixture
def measured(monkeypatch, small_environments, small_front_scaling):
    """What was asked to be measured."""
    asked = []
    monkeypatch.setattr(
        front.environments,
        "measure",
        lambda effort, say: asked.append(effort) or small_environments,
    )
    monkeypatch.setattr(
        front.front_scaling,
        "measure",
        lambda trials, say: asked.append(trials) or small_front_scaling,
    )
    return asked


def test_report_and_pictures_are_written_and_summed_up(measured, monkeypatch, tmp_path):
    monkeypatch.setattr(publication, "draw", lambda figure, path: path.write_text(figure.name))
    summary = json.loads(json.dumps(front.reproduce(tmp_path / "new", 2, generations=20)))
    assert measured == [MethodEffort(generations=20), 2]
    assert summary["figures"] == ["3.1", "3.2", *(f"3.{number}" for number in range(5, 13))]
    assert len(summary["pictures"]) == 8  # tables have none
    report = (tmp_path / "new" / "front.md").read_text(encoding="utf-8")
    for picture in summary["pictures"]:
        assert f"({picture})" in report
        assert (tmp_path / "new" / picture).exists()
    assert "## Table 3.1:" in report
    assert "20 generations from basic seeds" in report
    assert "matplotlib" not in report
    assert summary["holding"] == sum(
        claim["holds"] and not claim["ours"] for claim in summary["claims"]
    )


def test_without_matplotlib_there_are_tables_and_no_pictures(measured, monkeypatch, tmp_path):
    monkeypatch.setattr(publication, "can_draw", lambda: False)
    assert front.reproduce(tmp_path)["pictures"] == []
    assert [path.name for path in tmp_path.iterdir()] == ["front.md"]
    assert "matplotlib" in (tmp_path / "front.md").read_text(encoding="utf-8")


def test_no_trials_are_refused(tmp_path):
    with pytest.raises(ValueError, match="at least one trial"):
        front.reproduce(tmp_path, trials=0)


def test_as_many_generations_as_published_by_default():
    assert MethodEffort().generations == 1_000_000
    assert MethodEffort().seeded_generations == MethodEffort().weights == 1_000
