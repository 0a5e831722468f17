"""The report on fair shares has every table, judged, and is ready for JSON."""

import json
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.publications import publication
from benchmarks.publications.pictures import draw
from benchmarks.publications.stretch import publication as stretch
from benchmarks.publications.stretch.scenario_runs import (
    COMPARED,
    FIRST_SEED,
    SCORES,
    SHAPES,
    DrawnScenario,
    ScenarioSample,
    measure,
    place_of,
    run_scenario,
)
from benchmarks.publications.stretch.tables import MEASURED, SIMULATED
from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES

TABLES = [*(f"Table {number}" for number in range(1, 7)), "Figure A"]


def sample(count: int, worst: float = 1.0) -> ScenarioSample:
    """Scores as published, but for the worst stretch, which is so many times the published one;
    DD has the rows of RR, and our policies have 1 everywhere.
    """
    scores = np.ones((count, len(TASK_POLICIES), len(SCORES)))
    for s, score in enumerate(SCORES):
        for name, row in SIMULATED[score].items():
            scores[:, place_of(name), s] = row.mean * (worst if score == "max_stretch" else 1)
    return ScenarioSample(scores, np.ones(count), 0, np.full(count, 1.1), np.full((count, 2), 3.0))


def test_all_that_is_printed_is_there():
    assert [*SIMULATED] == [
        *dict.fromkeys(("max_stretch", "sum_stretch", "makespan", "max_flow", "sum_flow"))
    ]
    assert all(len(rows) == 18 for rows in SIMULATED.values())
    assert set(SIMULATED["makespan"]) < set(TASK_POLICIES)
    assert SIMULATED["max_stretch"]["cbs3m-edf-online"] == (1.003, 1.163, 0.118, 1.93, 64.0)
    assert SIMULATED["sum_flow"]["swrpt-dd"] == (1.079, 2.706, 1.049, 9.03, 0.0)
    assert len(MEASURED) == 12
    assert MEASURED["cbs3m-edf-online"] == 1.31
    assert len(COMPARED) == 14


def test_what_is_as_published_holds():
    """All but the shares of the best: with means alone, one policy is the best everywhere."""
    found = stretch.figures(sample(3), sample(2))
    assert [figure.name for figure in found] == TABLES
    wrong = [claim.claim for figure in found[:5] for claim in figure.claims if not claim.holds]
    assert wrong == []
    for figure in found:
        assert figure.panels or figure.table
        for claim in figure.claims:
            assert type(claim.holds) is bool


def test_what_is_not_as_published_does_not_hold():
    far = stretch.figures(sample(3, 1.6), sample(2, 1.6))
    rows = [claim for claim in far[0].claims if claim.claim.startswith("The mean of")]
    assert len(rows) == 14
    assert not any(claim.holds for claim in rows)
    assert all(claim.cause for claim in rows)
    turned = sample(3)
    turned.scores[:, :, 0] = turned.scores[:, ::-1, 0]
    claims = stretch.figures(turned, sample(2))[0].claims
    assert [claim.holds for claim in claims if " < " in claim.claim] == [False]


def test_means_that_may_be_equal_are_undecided():
    """Offline is once much better, and once as much worse."""
    found = sample(4)
    found.scores[:, place_of("cbs3m-edf-offline"), 0] = [1.0, 1.4, 1.0, 1.4]
    claims = {claim.claim: claim for claim in stretch.figures(found, sample(2))[0].claims}
    first = claims["CBS3M EDF online is at least as good as offline, on average"]
    assert first.verdict == "undecided"
    assert first.here == "1.163 against 1.200"
    assert first.difference == "better by +0.037 ± 0.367"
    assert not [claim for claim in claims.values() if claim.of_row and claim.undecided]


def test_causes_are_measured():
    found = sample(3)
    found.scores[:, place_of("mwma-ms"), 2] = 2.0
    drawn = replace(sample(3, 1.8), in_turn=np.array([[5.0, 3.0], [7, 4], [6, 5]]))
    figures = stretch.figures(found, drawn)
    causes = {claim.claim: claim.cause for figure in figures for claim in figure.claims}
    assert (
        "the last one is 9.7 % after the best end"
        in causes["MWMA and CBS3M are within 8 % of the best"]
    )
    said = next(
        cause
        for claim, cause in causes.items()
        if "FIFO RR (read" in claim and "turns" in cause.lower()
    )
    assert said.endswith("it is 6.0 with 0.2 of the fastest and 4.0 with 0.3 of the fastest.")


def test_tables_have_deviations():
    found = sample(4)
    found.scores[:, place_of("fifo-rr"), 0] = [10, 12, 10, 12]
    table = stretch.figures(found, sample(2))[0].table
    at = table.head.index("deviation, published")
    assert table.rows[0][at : at + 2] == ["7.897", "1.000"]
    assert table.rows[-1][at : at + 2] == ["", "0.000"]


def test_a_scenario_is_run_under_all_policies(monkeypatch):
    monkeypatch.setitem(SHAPES, "measured", (4, 3, 1, 76.8, 800.0))
    run = run_scenario(DrawnScenario("measured", 7, 1e-4))
    scores = np.array(run.scores)
    assert scores.shape == (20, 5)
    assert run.faulty == 0
    assert run.due > 0
    assert len(run.in_turn) == 2
    assert min(run.in_turn) >= 1
    assert (scores[:, 0] >= run.least * (1 - 1e-9)).all()


def test_the_engine_and_the_order_do_not_matter(monkeypatch):
    monkeypatch.setitem(SHAPES, "measured", (3, 2, 1, 76.8, 800.0))
    found = measure("measured", 3, units=1e-4)
    alone = [run_scenario(DrawnScenario("measured", FIRST_SEED + k, 1e-4)) for k in range(3)]
    np.testing.assert_array_equal(found.scores, [run.scores for run in alone])
    assert found.least.tolist() == [run.least for run in alone]


def test_best_shares_count_ties_for_all():
    found = sample(4)
    found.scores[:, :, 2] = 5.0
    found.scores[2:, place_of("fifo-rr"), 2] = 4.0
    assert found.best("makespan", ["fifo-rr"]) == 1.0
    assert found.best("makespan", ["spt-rr"]) == 0.5
    assert found.mean("makespan", "spt-rr") == pytest.approx((2 + 2.5) / 4)


def test_the_report_is_written_and_summed_up(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(
        stretch, "measure", lambda kind, count, *_: asked.append((kind, count)) or sample(count)
    )
    monkeypatch.setattr(publication, "draw", lambda figure, path: path.write_text(figure.name))
    monkeypatch.setenv("WATTFRONT_ENGINE", "here")
    summary = json.loads(json.dumps(stretch.reproduce(tmp_path, 6)))
    assert asked == [("simulated", 6), ("measured", 2)]
    report = (tmp_path / "stretch.md").read_text(encoding="utf-8")
    assert "drew 6 scenarios" in report
    assert summary["pictures"] == ["stretch-table-1.png", "stretch-figure-a.png"]


def test_pictures_name_what_they_hold(tmp_path):
    for figure in stretch.figures(sample(3), sample(2)):
        if figure.panels:
            path = tmp_path / f"{figure.file_stem}.svg"
            draw(figure, path)
            words = path.read_text(encoding="utf-8")
            assert all(panel.y_label in words for panel in figure.panels)
