"""`solve` gives a verified schedule, its bound and its gap; or says why it cannot."""

import io
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from strategies import systems

from core.cli.commands import solve as command
from core.files import read_schedule, write_system
from core.problems import Problem
from core.rivals import MissingExtra
from core.samples import load_sample
from core.solve import METHODS, Progress, solve
from core.verify import verify_stated

KEYS = [
    "method",
    "lower_bound",
    "makespan",
    "energy",
    "gap",
    "tasks",
    "machines",
    "seconds",
    "verified",
]
SUFFIXES = [".csv", ".json", ".xlsx"]


def test_the_json_has_just_these_keys(wattfront):
    data = wattfront("solve", "nine", "--seconds", 0, "--json").data
    assert list(data) == KEYS
    assert list(data["seconds"]) == ["read", "bound", "round", "assign", "polish"]
    assert (data["method"], data["tasks"], data["machines"]) == ("lp", 1100, 36)
    assert data["verified"] is True
    assert data["gap"] == data["makespan"] / data["lower_bound"] - 1
    assert data["energy"] > 0


@pytest.mark.parametrize("method", METHODS)
def test_every_method_can_be_asked_for(wattfront, method):
    data = wattfront(
        "solve", "two-by-two", "--method", method, "--seconds", 0.2, "--threads", 1, "--json"
    ).data
    assert (data["method"], data["verified"]) == (method, True)
    assert data["gap"] >= 0


def test_without_powers_the_energy_is_null(wattfront):
    outcome = wattfront("solve", "e1", "--method", "paper", "--json")
    assert outcome.data["energy"] is None
    assert "unknown" in wattfront("solve", "e1", "--method", "paper").out


def test_energy_can_be_minimised(wattfront):
    least = wattfront("solve", "nine", "--minimise", "energy", "--seconds", 0, "--json").data
    fastest = wattfront("solve", "nine", "--seconds", 0, "--json").data
    assert least["energy"] < fastest["energy"]
    assert least["makespan"] > fastest["makespan"]
    assert least["gap"] == least["energy"] / least["lower_bound"] - 1


def test_words_have_units_and_the_proven_gap(wattfront):
    out = wattfront("solve", "testbed", "--method", "paper").out
    assert "4 task types (90 tasks) on 4 machine types (4 machines)" in out
    assert " s (4 h " in out
    assert "kWh" in out
    assert "% above what any schedule could reach (proven)" in out


@settings(max_examples=15)
@given(system=systems(dyadic=True))
def test_any_system_is_solved(wattfront, tmp_path_factory, system):
    path = tmp_path_factory.mktemp("any") / "system.json"
    write_system(system, path)
    outcome = wattfront("solve", path, "--method", "paper", "--json")
    assert outcome.status == 0
    assert outcome.data["verified"] is True
    assert outcome.data["tasks"] == system.tasks


class TestOutput:
    @pytest.mark.parametrize("suffix", SUFFIXES)
    def test_the_schedule_is_written_as_its_suffix_says(self, wattfront, tmp_path, suffix):
        path = tmp_path / f"schedule{suffix}"
        data = wattfront("solve", "nine", "--seconds", 0, "-o", path, "--json").data
        nine = load_sample("nine")
        verdict = verify_stated(read_schedule(path, nine).require(), nine)
        assert verdict.ok
        assert verdict.makespan == pytest.approx(data["makespan"], rel=1e-12)

    @pytest.mark.parametrize("name", ["s.txt", "s", "missing/s.csv"])
    def test_what_cannot_be_written_is_refused_before_the_work(
        self, wattfront, tmp_path, name, monkeypatch
    ):
        monkeypatch.setattr(command, "solve", None)
        outcome = wattfront("solve", "nine", "-o", tmp_path / name)
        (complaint,) = outcome.complaints
        assert "cannot be written" in complaint
        assert outcome.status == 2

    def test_a_schedule_that_is_wrong_is_neither_praised_nor_written(
        self, wattfront, tmp_path, monkeypatch
    ):
        def wrong(*arguments, **options):
            solution = solve(*arguments, **options)
            fault = Problem("schedule", "T1", "count", "1 of 6 tasks are missing; add them")
            return replace(solution, verdict=replace(solution.verdict, problems=(fault,)))

        monkeypatch.setattr(command, "solve", wrong)
        path = tmp_path / "s.csv"
        outcome = wattfront("solve", "two-by-two", "--seconds", 0, "-o", path, "--json")
        assert outcome.status == 1
        assert list(outcome.data) == KEYS
        assert outcome.data["verified"] is False
        assert "1 of 6 tasks are missing" in outcome.err
        assert not path.exists()
        assert "do not use this schedule" in wattfront("solve", "two-by-two", "--seconds", 0).out


class TestRefusals:
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["e1", "--minimise", "energy"], "e1: this system has no APC matrix"),
            (["e1", "--idle-power", "0.1"], "e1: this system has no APC matrix"),
            (["nine", "--minimise", "energy", "--method", "mct"], "makespan only"),
            (["nine", "--method", "cp-sat", "--seconds", "0"], "needs time"),
            (["nine", "--method", "cp-sat", "--seconds", "1e-9"], "allow more seconds"),
        ],
    )
    def test_what_cannot_be_answered_is_one_message(self, wattfront, words, said):
        outcome = wattfront("solve", *words, "--json")
        (complaint,) = outcome.complaints
        assert said in complaint
        assert (outcome.status, outcome.data["ok"]) == (2, False)

    def test_a_missing_extra_is_named(self, wattfront, monkeypatch):
        def missing(*_, **__):
            raise MissingExtra("cp-sat needs OR-tools: pip install 'wattfront[cp-sat]'")

        monkeypatch.setattr(command, "solve", missing)
        outcome = wattfront("solve", "nine", "--method", "cp-sat")
        assert outcome.complaints == [
            "error: nine: cp-sat needs OR-tools: pip install 'wattfront[cp-sat]'"
        ]
        assert outcome.status == 2


class Terminal(io.StringIO):
    def isatty(self):
        return True


class TestProgress:
    @pytest.mark.parametrize("stream", [Terminal, io.StringIO])
    def test_it_is_shown_on_a_terminal_only(self, wattfront, monkeypatch, stream):
        def reporting(*arguments, report, **options):
            if report:
                report(Progress(0.5, 2.0, 0.0123))
            return solve(*arguments, **options)

        stderr = stream()
        monkeypatch.setattr(command, "solve", reporting)
        monkeypatch.setattr(command, "sys", SimpleNamespace(stderr=stderr))
        outcome = wattfront("solve", "two-by-two", "--seconds", 0, "--json")
        shown = "0.5 of 2 s: at most 1.23 % above what any schedule could reach (proven)"
        assert (shown in stderr.getvalue()) == stderr.isatty()
        assert stderr.isatty() or not stderr.getvalue()
        assert outcome.data["verified"] is True
