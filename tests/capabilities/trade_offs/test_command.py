"""`front` gives what no schedule can beat, and verified schedules near it; or says why not."""

import io
import os
import signal
from types import SimpleNamespace

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from strategies import systems

from core.capabilities.trade_offs import command
from core.engines.front.methods import StudyProgress
from core.engines.front.study import study
from core.engines.relaxed import trace_front
from core.files import write_system
from core.files.samples.named import load_sample
from core.shells.cli import progress
from core.shells.studies import StudySettings, inspect_study
from core.vocabulary.budget import Cancelled
from core.vocabulary.without_work import WithoutWork

TWO = ("front", "two-by-two", "--seconds", 0)
KEYS = {
    *("method", "vertices", "exact", "utopia", "nadir", "exchange_rates", "slower", "schedules"),
    *("gaps", "area", "knee", "largest_gap", "seconds", "verified"),
}


def test_the_json_has_just_these_keys(wattfront):
    data = wattfront(*TWO, "--json").data
    assert set(data) == KEYS
    assert data["vertices"] == [[900, 30], [1140, 18], [1404, pytest.approx(10.8)]]
    assert (data["exact"], data["verified"], data["method"]) == (True, True, "lp")
    assert data["utopia"] == [900, pytest.approx(10.8)]
    assert data["exchange_rates"] == pytest.approx([20, 36 + 2 / 3])
    assert list(data["seconds"]) == ["read", "bound", "recover", "verify"]


@examples(8)
@given(system=systems(dyadic=True))
def test_any_system_with_powers_has_a_front(wattfront, tmp_path_factory, system):
    path = tmp_path_factory.mktemp("any") / "system.json"
    write_system(system, path)
    outcome = wattfront("front", path, "--method", "bound", "--json")
    if system.apc is None:
        assert outcome.status == 2
        assert "has no APC matrix" in outcome.err
    else:
        assert outcome.status == 0
        assert outcome.data["vertices"] == sorted(outcome.data["vertices"])


class TestSweep:
    def test_those_that_were_not_begun_are_left_out(self, wattfront, monkeypatch):
        def interrupted(system, fractions, should_stop):
            os.kill(os.getpid(), signal.SIGINT)
            assert should_stop()
            return [trace_front(system.with_idle_fraction(fractions[0]))]

        monkeypatch.setattr(command, "sweep_idle_power", interrupted)
        sweep = ("front", "two-by-two", "--idle-power", "0,0.5,1")
        assert len(wattfront(*sweep, "--json").data["sweep"]) == 1
        assert "1 idle power, 2 left out because of the stop" in wattfront(*sweep).out


class TestOutput:
    def test_what_cannot_be_written_is_refused_before_the_work(
        self, wattfront, tmp_path, monkeypatch
    ):
        monkeypatch.setattr(command, "study", None)
        (tmp_path / "index.csv").write_text("mine")
        outcome = wattfront(*TWO, "-o", tmp_path)
        assert "cannot be written: index.csv there is not from an earlier front" in outcome.err
        assert outcome.status == 2

    def test_schedules_that_are_wrong_are_not_written(
        self, wattfront, tmp_path, monkeypatch, study_that_is_wrong
    ):
        monkeypatch.setattr(command, "study", study_that_is_wrong)
        outcome = wattfront(*TWO, "-o", tmp_path / "front", "--json")
        assert outcome.status == 1
        assert outcome.data["verified"] is False
        assert "independent check disagrees" in outcome.err
        assert not (tmp_path / "front").exists()


class TestRefusals:
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["e1", "--idle-power", "0,1"], ["e1: this system has no APC matrix"]),
            (["nine", "--spacing", "0"], ["out of range"]),
            (["nine", "--generations", "5"], ["--generations is not for --method lp"]),
            (["nine", "--work", "0"], ["out of range"]),
            (["nine", "--work", "1", "--method", "paper"], ["--work is for schedules by"]),
            (["nine", "--work", "1", "--idle-power", "0,1"], ["--work is for schedules by"]),
            (["nine", "--work", "1", "--seconds", "1"], ["not allowed with"]),
            (["nine", "--idle-power", "0,1", "--csv", "x.csv"], ["a CSV table holds one front"]),
            (["nine", "--csv", "x.txt"], ["x.txt cannot be written: name a .csv file"]),
            (
                ["nine", "--idle-power", "0,1", "--method", "paper", "-o", "x"],
                ["several idle powers", "there are no schedules to write"],
            ),
        ],
    )
    def test_all_that_is_wrong_is_said_at_once(self, wattfront, words, said):
        outcome = wattfront("front", *words, "--json")
        assert len(outcome.complaints) == len(said)
        for complaint, part in zip(outcome.complaints, said, strict=True):
            assert part in complaint
        assert (outcome.status, outcome.data["ok"]) == (2, False)


class TestInterruption:
    def test_the_best_so_far_is_given(self, wattfront, monkeypatch):
        def interrupted(*arguments, should_stop, **options):
            os.kill(os.getpid(), signal.SIGINT)
            assert should_stop()
            return study(*arguments, **options)

        monkeypatch.setattr(command, "study", interrupted)
        outcome = wattfront(*TWO, "--json")
        assert outcome.status == 0
        assert outcome.data["schedules"]

    def test_with_nothing_to_show_it_is_an_interruption(self, wattfront, monkeypatch):
        def cancelled(*_, **__):
            os.kill(os.getpid(), signal.SIGINT)
            raise Cancelled("stopped while sweeping")

        monkeypatch.setattr(command, "study", cancelled)
        assert wattfront(*TWO, "--method", "paper").status == 130


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_progress_is_shown_on_a_terminal_only(wattfront, monkeypatch, stream):
    def reporting(*arguments, report, **options):
        if report:
            report(StudyProgress("polish", 0.5, 2.0, np.array([[1.0, 60.0], [2.0, 30.0]])))
        return study(*arguments, **options)

    stderr = stream()
    monkeypatch.setattr(command, "study", reporting)
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=stderr))
    assert wattfront(*TWO, "--json").data["verified"] is True
    assert ("0.5 of 2 s: 2 schedules, 30 s to 60 s" in stderr.getvalue()) == stderr.isatty()
    assert stderr.isatty() or not stderr.getvalue()


def test_a_study_file_tells_how_to_do_it_again(wattfront, tmp_path):
    file = tmp_path / "study.json"
    wattfront("front", "nine", "--idle-power", 0.1, "--seconds", 0, "--threads", 2,
              "--study", file, "--json")  # fmt: skip
    saved = inspect_study(file).require()
    assert saved.settings == StudySettings("nine", "nine", WithoutWork(0.1), seconds=0.0, threads=2)
    assert saved.agrees_with(trace_front(load_sample("nine").with_idle_fraction(0.1)))


@pytest.mark.parametrize(
    ("flags", "remedy"),
    [
        (("--study", "study.txt"), "name a .json file"),
        (("--study", "nowhere/study.json"), "there is no such folder"),
        (("--study", "study.json", "--idle-power", "0,0.1"), "a study file holds one front"),
    ],
)
def test_a_study_that_cannot_be_written_is_refused_before_work(wattfront, flags, remedy):
    answer = wattfront("front", "nine", *flags)
    assert answer.status == 2
    assert remedy in answer.err
