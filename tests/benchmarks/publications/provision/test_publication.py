"""The report on provisioning has every figure, drawn, and is ready for JSON."""

import json

import pytest

from benchmarks.publications import publication
from benchmarks.publications.pictures import draw
from benchmarks.publications.provision import publication as provision

FIGURES = [
    "Figure 5.2",
    "Table 5.2",
    "Figure 5.3",
    "Figure 5.4",
    "Figure 5.5",
    "Figure 5.6",
    "Table 5.4",
    "Figure 5.7",
    "Figure 5.8",
    "Table 5.6",
    "Figure A",
]


@pytest.fixture(scope="module")
def small_figures():
    return provision.measure(2, lambda _: None, (200, 250, 100), starts=2)


def test_all_figures_are_there_and_judged(small_figures):
    assert [figure.name for figure in small_figures] == FIGURES
    for figure in small_figures:
        assert figure.panels or figure.table
        for claim in figure.claims:
            assert type(claim.holds) is bool


def test_pictures_name_what_they_hold(small_figures, tmp_path):
    for figure in small_figures:
        if figure.panels:
            path = tmp_path / f"{figure.file_stem}.svg"
            draw(figure, path)
            words = path.read_text(encoding="utf-8")
            assert all(panel.x_label in words for panel in figure.panels)


def test_the_report_is_written_and_summed_up(small_figures, monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(
        provision, "measure", lambda *arguments: asked.append(arguments[0]) or small_figures
    )
    monkeypatch.setattr(publication, "draw", lambda figure, path: path.write_text(figure.name))
    summary = json.loads(json.dumps(provision.reproduce(tmp_path / "new", 3)))
    provision.reproduce(tmp_path / "usual")
    assert asked == [3, 40]
    report = (tmp_path / "new" / "provision.md").read_text(encoding="utf-8")
    assert "drew 3 samples" in report
    assert len(summary["pictures"]) == 4
    for picture in summary["pictures"]:
        assert f"({picture})" in report
