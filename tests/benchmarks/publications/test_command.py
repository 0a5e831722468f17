"""A checkout's `reproduce` hands over to the publication, and passes on what it says."""

import pytest

from benchmarks.publications.environments import publication as calibration
from benchmarks.publications.front import publication as front
from benchmarks.publications.makespan import publication as makespan
from benchmarks.publications.profit import publication as profit

REPORT = {"report": "r.md", "holding": 1, "published": 2, "claims": []}


@pytest.fixture
def asked(monkeypatch):
    """What the reproduction was asked for; it draws nothing."""
    asked = []

    def reproduce(folder, trials, say):
        asked.append((folder, trials))
        say("figure 2")
        return REPORT

    monkeypatch.setattr(makespan, "reproduce", reproduce)
    return asked


def test_the_report_is_the_answer(wattfront, tmp_path, asked):
    out = tmp_path / "new" / "report"
    outcome = wattfront("reproduce", "makespan", "--trials", 5, "-o", out, "--json")
    assert asked == [(out, 5)]
    assert out.is_dir()
    assert outcome.data == REPORT
    assert outcome.err == "figure 2\n"
    assert outcome.status == 0


def test_in_words_it_says_how_many_claims_hold(wattfront, tmp_path, asked, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = wattfront("reproduce", "makespan").out
    assert "1 of 2 published claims hold here; which, and by how much we differ: r.md" in said
    assert str(asked[0][0]) == "docs/reproduction"


def test_a_place_that_cannot_be_written_is_refused_before_the_work(wattfront, tmp_path, asked):
    (tmp_path / "file").write_text("")
    outcome = wattfront("reproduce", "makespan", "-o", tmp_path / "file")
    assert "cannot be written" in outcome.err
    assert outcome.status == 2
    assert not asked


def test_fronts_are_asked_for_with_their_generations(wattfront, tmp_path, monkeypatch):
    asked = []

    def reproduce(folder, trials, say, generations=None):
        asked.append((folder, trials, generations))
        return REPORT

    monkeypatch.setattr(front, "reproduce", reproduce)
    wattfront("reproduce", "front", "-o", tmp_path)
    outcome = wattfront("reproduce", "front", "--generations", 7, "--trials", 3, "-o", tmp_path)
    assert asked == [(tmp_path, front.TRIALS, None), (tmp_path, 3, 7)]
    assert outcome.status == 0


def test_profits_are_asked_for_with_their_trials(wattfront, tmp_path, monkeypatch):
    asked = []

    def reproduce(folder, trials, say):
        asked.append((folder, trials))
        return REPORT

    monkeypatch.setattr(profit, "reproduce", reproduce)
    wattfront("reproduce", "profit", "-o", tmp_path)
    assert wattfront("reproduce", "profit", "--trials", 3, "-o", tmp_path).status == 0
    assert asked == [(tmp_path, profit.TRIALS), (tmp_path, 3)]


def test_environments_are_said_to_be_measured_and_claim_nothing(wattfront, tmp_path, monkeypatch):
    report = REPORT | {"report": "e.md", "holding": 0, "published": 0}
    monkeypatch.setattr(calibration, "reproduce", lambda folder, trials, say: report)
    outcome = wattfront("reproduce", "environments", "-o", tmp_path)
    assert outcome.out == "e.md says which environments are nearest\n"


def test_generations_are_for_fronts_only(wattfront, tmp_path, asked):
    outcome = wattfront("reproduce", "makespan", "--generations", 7, "-o", tmp_path)
    assert "--generations" in outcome.err
    assert outcome.status == 2
    assert not asked
