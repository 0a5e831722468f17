"""The report of the centre has every table, says what is assumed, and is ready for JSON."""

import json
from pathlib import Path

import pytest
from made_centre_runs import as_published

from benchmarks.publications import publication
from benchmarks.publications.centre import publication as centre
from benchmarks.publications.pictures import draw

FIGURES = [
    *("Table 3.2", "Table 3.3", "Figure 3.6", "Figure 3.7", "Figure 3.8", "Table A"),
    *("Table 3.4", "Figure 3.9", "Table B", "Table C"),
]


def test_the_report_is_written_and_summed_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = []
    monkeypatch.setattr(
        centre,
        "measure",
        lambda *given: asked.append((given[0], given[1], given[4])) or as_published(),
    )
    monkeypatch.setattr(publication, "draw", lambda figure, path: path.write_text(figure.name))
    monkeypatch.setenv("WATTFRONT_ENGINE", "here")
    summary = json.loads(json.dumps(centre.reproduce(tmp_path, 3, record=tmp_path / "r")))
    assert asked == [(3, False, tmp_path / "r")]
    report = (tmp_path / "centre.md").read_text(encoding="utf-8")
    assert "3 runs of 1,000 generations of each method on each of 81 days, 486 in all" in report
    assert "20,020 evaluations a run of NSGA-II and 8,100 of ev-MOGA" in report
    assert "**Assumed, since not printed**" in report
    assert summary["published"] == len(
        [claim for claim in summary["claims"] if not claim["ours"] and not claim["of_row"]]
    )
    assert summary["pictures"] == [f"centre-figure-3-{number}.png" for number in (6, 7, 8, 9)]
    centre.reproduce(tmp_path, 1, quick=True)
    glance = (tmp_path / "centre.md").read_text(encoding="utf-8")
    assert "1 runs of 50 generations of each method on each of 9 days, 18 in all" in glance


def test_every_figure_is_there_and_can_be_drawn(tmp_path: Path) -> None:
    found = centre.figures(as_published())
    assert [figure.name for figure in found] == FIGURES
    for figure in found:
        assert figure.claims
        assert figure.panels or figure.table
        if figure.panels:
            path = tmp_path / f"{figure.file_stem}.svg"
            draw(figure, path)
            words = path.read_text(encoding="utf-8")
            assert all(panel.y_label in words for panel in figure.panels)


def test_what_it_is_asked_on_the_command_line(
    wattfront: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = []
    report = {"report": "r.md", "holding": 1, "published": 2, "claims": []}

    def reproduce(folder: Path, trials: int, say: object, **options: object) -> object:
        asked.append((folder, trials, options))
        return report

    monkeypatch.setattr(centre, "reproduce", reproduce)
    run = wattfront
    assert callable(run)
    run("reproduce", "centre", "-o", tmp_path)
    run("reproduce", "centre", "--quick", "--record", tmp_path / "r", "--trials", 2, "-o", tmp_path)
    assert asked == [
        (tmp_path, 5, {}),
        (tmp_path, 2, {"quick": True, "record": tmp_path / "r"}),
    ]
    refused = run("reproduce", "makespan", "--quick", "-o", tmp_path)
    assert refused.status == 2
    assert "--quick is for reproduce centre" in refused.err
