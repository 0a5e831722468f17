"""`front` gives what no schedule can beat, and verified schedules near it; or says why not."""

import csv
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
from core.engines.front.methods import METHODS, StudyProgress
from core.engines.front.study import study
from core.engines.relaxed import trace_front
from core.engines.verify.judge import verify_stated
from core.files import inspect_schedule, write_system
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


@pytest.mark.parametrize("method", [method for method in METHODS if method != "bound"])
def test_every_method_gives_schedules_that_the_front_bounds(wattfront, method):
    data = wattfront(
        "front", "two-by-two", "--method", method, "--seconds", 0.05, "--threads", 1,
        "--generations" if "nsga2" in method else "--seed", 3, "--json",
    ).data  # fmt: skip
    assert (data["method"], data["verified"]) == (method, True)
    front = trace_front(load_sample("two-by-two"))
    energy, makespan = np.array(data["schedules"]).T
    assert (np.diff(energy) > 0).all()
    assert (np.diff(makespan) < 0).all()
    least = [front.least_energy(deadline) for deadline in makespan]
    assert (np.array(data["gaps"]) >= 0).all()
    assert (np.array(data["gaps"]) <= energy / least - 1 + 1e-9).all()
    assert min(data["gaps"]) >= 0
    area = data["area"]
    assert area["outer"] - area["inner"] == pytest.approx(area["between"])
    assert area["between"] <= area["loose"]


def test_the_bound_is_the_vertices_alone(wattfront):
    data = wattfront("front", "nine", "--method", "bound", "--json").data
    assert set(data) == KEYS
    assert data["schedules"] == data["gaps"] == []
    assert data["vertices"] == trace_front(load_sample("nine")).points.tolist()
    assert data["nadir"] == np.max(data["vertices"], axis=0).tolist()
    assert data["area"]["between"] == data["area"]["outer"]
    out = wattfront("front", "nine", "--method", "bound").out
    assert "If tasks can be split, " in out
    assert "92 vertices, and no others (proven)" in out
    assert "verified" not in out


def test_idle_power_moves_the_front(wattfront):
    data = wattfront("front", "nine", "--idle-power", 0.1, "--method", "bound", "--json").data
    nine = load_sample("nine").with_idle_fraction(0.1)
    assert data["vertices"] == trace_front(nine).points.tolist()
    assert len(data["slower"]) > 0


def test_a_finer_spacing_gives_more_schedules(wattfront):
    coarse, fine = (
        len(wattfront("front", "nine", "--seconds", 0, "--spacing", spacing, "--json").data["gaps"])
        for spacing in (1, 0.05)
    )
    assert coarse < fine


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


@pytest.mark.thorough
def test_the_same_work_gives_the_same_file(wattfront, tmp_path):
    files = [tmp_path / name for name in ("first.json", "second.json")]
    for file in files:
        wattfront("front", "nine", "--work", 0.1, "--spacing", 0.5, "--study", file, "--json")
    first, second = (inspect_study(file).require() for file in files)
    assert (first.points == second.points).all()
    assert first.settings.work == second.settings.work == 0.1


class TestSweep:
    def test_it_is_a_front_for_each_idle_power(self, wattfront):
        data = wattfront("front", "nine", "--idle-power", "0:0.2:0.1", "--json").data
        assert [entry["idle_power"] for entry in data["sweep"]] == [0, 0.1, 0.2]
        for entry in data["sweep"]:
            alone = wattfront(
                "front", "nine", "--method", "bound", "--idle-power", entry["idle_power"], "--json"
            ).data
            assert entry["vertices"] == alone["vertices"]
            assert entry["nadir"] == alone["nadir"]

    def test_words_have_a_line_for_each(self, wattfront):
        out = wattfront("front", "two-by-two", "--idle-power", "0,0.25").out
        assert "2 idle powers\n" in out
        assert "  0 %  " in out
        assert "  25 %  " in out

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
    def test_every_undominated_schedule_is_written(self, wattfront, tmp_path):
        folder = tmp_path / "front"
        data = wattfront(*TWO, "-o", folder, "--json").data
        with (folder / "index.csv").open() as stream:
            rows = list(csv.DictReader(stream))
        assert [[float(row["energy (J)"]), float(row["makespan (s)"])] for row in rows] == data[
            "schedules"
        ]
        assert [float(row["gap"]) for row in rows] == data["gaps"]
        system = load_sample("two-by-two")
        for row in rows:
            stated = inspect_schedule(folder / row["file"], system).require()
            verdict = verify_stated(stated, system)
            assert verdict.ok
            assert verdict.energy == pytest.approx(float(row["energy (J)"]))

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


class TestTable:
    def test_the_front_is_one_table_with_units(self, wattfront, tmp_path):
        path = tmp_path / "front.csv"
        outcome = wattfront(*TWO, "--csv", path, "--json")
        with path.open() as stream:
            rows = list(csv.DictReader(stream))
        points = [[float(row["energy (J)"]), float(row["makespan (s)"])] for row in rows]
        assert points == outcome.data["vertices"] + outcome.data["schedules"]
        gaps = [row["at most above the bound (%)"] for row in rows if row["what"] == "schedule"]
        assert [float(gap) / 100 for gap in gaps] == pytest.approx(outcome.data["gaps"])


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
