"""`wattfront verify WORKLOAD OUTCOME` says whether the outcome can have come of the workload."""

from pathlib import Path

import pytest
from capabilities.arrivals.test_outcome_files import EASY, HEADER

from core.capabilities.arrivals.files.outcome_file import workload_beside, write_outcome
from core.capabilities.arrivals.files.workload_reader import is_workload, read_workload
from core.capabilities.arrivals.files.workload_writer import write_workload
from core.capabilities.arrivals.judging import judged
from core.engines.replay.clock import ReplaySettings, replay
from core.files.samples.named import sample_folder, workload_folder
from core.vocabulary.problems import InvalidInput

JOBS = "job,arrival,seconds,units,watts\none,0,60,1,100\ntwo,0,120,1,50\nthree,9,60,1,10\n"


@pytest.fixture
def outcome(tmp_path: Path) -> Path:
    """The outcome of three jobs on a pool of one unit."""
    (tmp_path / "jobs.csv").write_text(JOBS, encoding="utf-8")
    file = read_workload(tmp_path / "jobs.csv")
    run = replay(file.workload, EASY, file.truth)
    write_outcome(run, tmp_path / "run.csv", ReplaySettings())
    return tmp_path / "run.csv"


def test_an_outcome_of_the_workload_is_accepted(outcome: Path) -> None:
    answer = judged(workload_beside(outcome), outcome)
    assert answer is not None
    assert (answer.status, answer.data["ok"], answer.data["policy"]) == (0, True, "easy")
    assert answer.data["energy"] == 60 * 100 + 120 * 50 + 60 * 10
    assert (answer.data["completed"], answer.data["waiting"]) == (3, 0)
    assert f"{outcome} is an outcome of {workload_beside(outcome)}" in answer.text
    assert "no pool has more units at work than it has" in answer.text


def test_a_sample_goes_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = read_workload(workload_folder("small-day"))
    run = replay(file.workload, EASY, file.truth)
    write_outcome(run, tmp_path / "run.csv", ReplaySettings())
    answer = judged(Path("small-day"), tmp_path / "run.csv")
    assert answer is not None
    assert answer.data["ok"]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small-day").write_text("time,M\nT,1\n")
    assert judged(Path("small-day"), tmp_path / "run.csv") is None


def test_a_changed_outcome_is_refused(outcome: Path) -> None:
    text = outcome.read_text(encoding="utf-8")
    outcome.write_text(text.replace(",60.0,1.0,6000.0,", ",60.0,1.0,5999.0,"), encoding="utf-8")
    answer = judged(workload_beside(outcome), outcome)
    assert answer is not None
    assert (answer.status, answer.data["ok"], answer.data["worth"]) == (2, False, None)
    assert [str(problem) for problem in answer.problems] == [
        "error: outcome, row one, column energy: is 5999 J, but should be 6000 J"
    ]


def test_what_cannot_be_read_is_refused(outcome: Path) -> None:
    outcome.write_text(f"{HEADER}one,job,cluster,1,1,x,,,,\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"run\.csv, row line 2, column start: 'x'"):
        judged(workload_beside(outcome), outcome)


@pytest.mark.parametrize("suffix", ["", ".zip", ".json", ".xlsx"])
def test_a_workload_is_told_from_a_system(tmp_path: Path, outcome: Path, suffix: str) -> None:
    write_workload(read_workload(workload_beside(outcome)), tmp_path / f"day{suffix}")
    assert is_workload(tmp_path / f"day{suffix}")
    assert is_workload(tmp_path / "jobs.csv")
    assert not is_workload(sample_folder("two"))
    assert not is_workload(sample_folder("two") / "etc.csv")
    assert not is_workload(tmp_path / "none")
    assert judged(sample_folder("two"), outcome) is None


def test_the_command_judges_both_systems_and_workloads(wattfront, outcome):
    said = wattfront("verify", workload_beside(outcome), outcome, "--json")
    assert said.status == 0
    assert list(said.data) == [
        *("ok", "problems", "worth", "energy", "makespan", "mean_flow"),
        *("jobs", "completed", "dropped", "waiting", "policy"),
    ]
    refused = wattfront("verify", "two-by-two", outcome)
    assert refused.status == 2
