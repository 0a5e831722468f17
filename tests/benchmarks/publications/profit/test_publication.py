"""The profit report has every figure, drawn, and its summary is ready for JSON."""

import json
from xml.etree import ElementTree

import pytest

from benchmarks.publications import publication
from benchmarks.publications.figure import Plane
from benchmarks.publications.pictures import draw
from benchmarks.publications.profit import publication as profit

FIGURES = ["4.1", "4.2", "4.3", "4.4", "4.5", "A", "B", "C"]


@pytest.fixture(scope="module")
def small_figures():
    return profit.measure(1, lambda _: None, polish_seconds=0.01)


def test_all_figures_are_there_and_judged(small_figures):
    assert [figure.number for figure in small_figures] == FIGURES
    assert all(type(claim.holds) is bool for figure in small_figures for claim in figure.claims)


def test_each_figure_is_drawn_with_all_that_it_holds_named(small_figures, tmp_path):
    for figure in small_figures:
        path = tmp_path / f"{figure.file_stem}.svg"
        draw(figure, path)
        words = "".join(ElementTree.parse(path).getroot().itertext())  # noqa: S314  # our own file
        for panel in figure.panels:
            named = panel.curves if isinstance(panel, Plane) else panel.series
            assert all(each.name in words for each in named)


def test_report_and_pictures_are_written_and_summed_up(small_figures, monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(
        profit, "measure", lambda *arguments: asked.append(arguments) or small_figures
    )
    monkeypatch.setattr(publication, "draw", lambda figure, path: path.write_text(figure.name))
    summary = json.loads(json.dumps(profit.reproduce(tmp_path / "new", 3)))
    profit.reproduce(tmp_path / "as published")
    assert [arguments[0] for arguments in asked] == [3, 100]
    assert summary["figures"] == FIGURES
    report = (tmp_path / "new" / "profit.md").read_text(encoding="utf-8")
    for picture in summary["pictures"]:
        assert f"({picture})" in report
        assert (tmp_path / "new" / picture).exists()
    assert len(summary["pictures"]) == len(FIGURES)
    assert "drew 3 bags" in report
    assert summary["holding"] == sum(
        claim["holds"] and not (claim["ours"] or claim["again"]) for claim in summary["claims"]
    )


def test_no_trials_are_refused(tmp_path):
    with pytest.raises(ValueError, match="at least one trial"):
        profit.reproduce(tmp_path, trials=0)
