"""The report on work that arrives has every figure, drawn, and is ready for JSON."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from small_days import small_measured

from benchmarks.publications import publication
from benchmarks.publications.arrivals import publication as arrivals
from benchmarks.publications.arrivals import urgent, urgent_figures, value_figures
from benchmarks.publications.figure import Figure
from benchmarks.publications.pictures import draw
from core.engines.compute.executors import ENGINE_VARIABLE, HERE
from core.vocabulary.problems import InvalidInput

FIGURES = [
    *(f"Figure {number}" for number in (25, 26, 27, 28, 29, 30, 31, 32, 33)),
    "Table 6.2",
    "Table 6.3",
    "Table 6.4",
]


@pytest.fixture(scope="module")
def small_figures() -> Sequence[Figure]:
    return arrivals.figures(small_measured())


def test_all_figures_are_there_and_judged(small_figures: Sequence[Figure]) -> None:
    names = [figure.name for figure in small_figures]
    assert names[: len(FIGURES)] == FIGURES
    assert names[-1] == "Figure D"
    for figure in small_figures:
        assert figure.panels or figure.table
        for claim in figure.claims:
            assert type(claim.holds) is bool


def test_pictures_name_what_they_hold(small_figures: Sequence[Figure], tmp_path: Path) -> None:
    for figure in small_figures:
        if figure.panels:
            path = tmp_path / f"{figure.file_stem}.svg"
            draw(figure, path)
            words = path.read_text(encoding="utf-8")
            for panel in figure.panels:
                assert panel.x_label in words
                if len(panel.series) > 1:
                    assert all(series.name in words for series in panel.series)


def test_the_report_is_written_and_summed_up(
    small_figures: Sequence[Figure], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = []
    monkeypatch.setenv(ENGINE_VARIABLE, HERE)
    monkeypatch.setattr(arrivals, "measure", lambda trials, *_: asked.append(trials))
    monkeypatch.setattr(arrivals, "figures", lambda _: small_figures)
    monkeypatch.setattr(urgent, "measure", lambda trials, *_: asked.append(trials))
    monkeypatch.setattr(urgent_figures, "figures", lambda _: small_figures[:1])
    monkeypatch.setattr(value_figures, "measure", lambda trials, *_: asked.append(trials))
    monkeypatch.setattr(value_figures, "figures", lambda _: small_figures[1:2])
    monkeypatch.setattr(publication, "draw", lambda figure, path: path.write_text(figure.name))
    summary = json.loads(json.dumps(arrivals.reproduce(tmp_path / "new", 12)))
    arrivals.reproduce(tmp_path / "usual")
    assert asked == [12, 16, 12, 48, 64, 48]
    assert summary["figures"] == [one.number for one in (*small_figures, *small_figures[:2])]
    for only, part in (("budget", 48), ("urgent", 64), ("value", 48)):
        one = arrivals.reproduce(tmp_path / only, only=only)
        assert asked[6:] == [part]
        asked.pop()
        assert [str(path) for path in (tmp_path / only).glob("*.md")] == [one["report"]]
    report, of_urgent, of_value = (
        (tmp_path / "new" / f"{name}.md").read_text(encoding="utf-8")
        for name in ("arrivals", "arrivals-urgent", "arrivals-value")
    )
    assert "drew 12 days" in report
    assert "drew 16 days of each kind, and 2 smaller ones for Pair" in of_urgent
    assert "50 bags of each kind" in report
    assert "drew 12 days for each environment" in of_value
    for picture in summary["pictures"]:
        assert f"({picture})" in report + of_urgent + of_value


def test_a_log_that_cannot_be_read_is_refused_before_anything_is_measured(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no-log"):
        arrivals.reproduce(tmp_path, 1, log=tmp_path / "no-log")
