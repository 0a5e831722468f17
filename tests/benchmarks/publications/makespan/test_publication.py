"""The command's answer is JSON, and what it writes is what it says: report, pictures, claims."""

import json

import pytest

from benchmarks.publications import publication
from benchmarks.publications.makespan import publication as makespan

PUBLISHED = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "A.12", "A.13", "A.14", "A.15"]


@pytest.fixture
def measured(monkeypatch, small_figures):
    heard = []

    def measure(trials, say):
        heard.append(trials)
        say("measuring")
        return small_figures

    monkeypatch.setattr(makespan, "measure", measure)
    return heard


def test_report_and_pictures_are_written_and_summed_up(measured, monkeypatch, tmp_path):
    monkeypatch.setattr(publication, "draw", lambda figure, path: path.write_text(figure.number))
    said = []
    summary = makespan.reproduce(tmp_path / "new" / "folder", trials=3, say=said.append)
    assert measured == [3]
    assert "measuring" in said
    assert summary["figures"] == PUBLISHED
    report = (tmp_path / "new" / "folder" / "makespan.md").read_text(encoding="utf-8")
    for picture in summary["pictures"]:
        assert f"({picture})" in report
    drawn = [(tmp_path / "new" / "folder" / name).read_text() for name in summary["pictures"]]
    assert drawn == PUBLISHED
    assert "3 bags or systems" in report


def test_the_summary_is_json_with_every_claim(measured, small_figures, monkeypatch, tmp_path):
    monkeypatch.setattr(publication, "can_draw", lambda: False)
    summary = json.loads(json.dumps(makespan.reproduce(tmp_path)))
    claims = summary["claims"]
    assert len(claims) == sum(len(figure.claims) for figure in small_figures)
    for claim in claims:
        assert set(claim) == {
            *("figure", "claim", "published", "here", "holds", "difference"),
            *("ours", "cannot_fail", "again", "cause", "of_row", "undecided"),
        }
        assert isinstance(claim["holds"], bool)
        assert (claim["of_row"], claim["undecided"]) == (False, False)  # it has none
    assert summary["holding"] == sum(claim["holds"] and not claim["ours"] for claim in claims)


def test_without_matplotlib_tables_are_written_and_no_pictures(measured, monkeypatch, tmp_path):
    monkeypatch.setattr(publication, "can_draw", lambda: False)
    summary = makespan.reproduce(tmp_path)
    assert summary["pictures"] == []
    assert [path.name for path in tmp_path.iterdir()] == ["makespan.md"]
    assert "matplotlib" in (tmp_path / "makespan.md").read_text(encoding="utf-8")


def test_no_trials_are_refused(tmp_path):
    with pytest.raises(ValueError, match="at least one trial"):
        makespan.reproduce(tmp_path, trials=0)


def test_figures_come_in_the_order_of_the_publication(
    monkeypatch, small_bags, small_systems, small_scaling
):
    monkeypatch.setattr(makespan.bags, "measure", lambda trials: small_bags)
    monkeypatch.setattr(makespan.methods, "measure", lambda trials, say: small_systems)
    monkeypatch.setattr(makespan.scaling, "measure", lambda trials, say: small_scaling)
    said = []
    figures = makespan.measure(1, said.append)
    assert [figure.number for figure in figures] == PUBLISHED
    assert len(said) == 3
