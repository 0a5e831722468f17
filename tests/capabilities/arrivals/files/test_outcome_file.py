"""An outcome that is written reads back to rows that the judge accepts; a changed one does not."""

import io
import tomllib
from dataclasses import replace
from pathlib import Path

import books
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from capabilities.arrivals.files.test_workload_file import equal
from engines.replay.workloads import policies, small_workloads
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from interpreted import interpreted

from core.capabilities.arrivals.files.outcome_file import (
    OUTCOME_COLUMNS,
    inspect_outcome,
    inspect_outcome_bytes,
    is_outcome,
    notes_beside,
    workload_beside,
    write_outcome,
)
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_reader import inspect_workload, is_workload
from core.capabilities.arrivals.files.workload_writer import write_workload
from core.capabilities.arrivals.judging import judged
from core.capabilities.arrivals.policies import policy_named
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.judge import judge_stated
from core.engines.replay.outcome import NOT_RUN, ReplayOutcome
from core.engines.replay.policy import Blocked, Measure, Order, Policy
from core.engines.replay.stopping.rules import Stopping
from core.engines.replay.workload import (
    ArrivingJobs,
    Horizon,
    Options,
    Pools,
    StopRights,
    Truth,
    Workload,
)
from core.files import limits
from core.files.samples.named import sample_folder, workload_folder
from core.vocabulary.problems import InvalidInput

EASY = Policy("easy", Order.ARRIVAL, Measure.EARLIEST, Blocked.RESERVE_FIRST)


@examples(10)
@given(
    small_workloads(),
    policies(),
    st.sampled_from([np.inf, 2e5]),
    st.sampled_from([".csv", ".parquet"]),
)
def test_it_reads_back_and_is_accepted(
    tmp_path_factory: pytest.TempPathFactory,
    drawn: tuple[Workload, Truth],
    policy: Policy,
    budget: float,
    suffix: str,
) -> None:
    workload, truth = drawn
    asked = ReplaySettings(EnergyWindows.daily(workload.horizon, budget), seed=5)
    outcome = replay(workload, policy, truth, asked)
    path = tmp_path_factory.mktemp("files") / f"run{suffix}"
    write_outcome(outcome, path, asked, budget)
    file = inspect_workload(workload_beside(path)).require()
    assert equal(file, WorkloadFile(workload, truth, budget))
    reading = inspect_outcome(path, file)
    assert reading.problems == ()
    stated, notes = reading.require().stated, reading.require().notes
    verdict = judge_stated(stated)
    assert verdict.problems == ()
    assert verdict.dropped == np.count_nonzero(outcome.dropped)
    assert np.array_equal(stated.option, outcome.option)
    assert np.array_equal(stated.end, outcome.end, equal_nan=True)
    assert equal(stated.windows.joules, asked.windows and asked.windows.joules)
    assert notes is not None
    assert (notes.policy, notes.every, notes.seed) == ("drawn", 60, 5)
    assert stated.total_joules == outcome.joules


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_jobs_that_were_stopped_read_back_in_parts(tmp_path: Path, suffix: str) -> None:
    jobs = ArrivingJobs.plain(np.array([0.0, 60.0, 90.0]))
    rights = StopRights.of(3, [False, True, False], [True, False, True], [0, 2, 1])
    jobs = replace(jobs, priority=np.array([1.0, 9.0, 1.0]), rights=rights)
    workload = Workload(Pools.of(["p"], [1]), jobs, Options.of(3, 0, 1, [600.0, 60.0, 60.0], 5.0))
    kept = ReplaySettings(stopping=Stopping(50.0, 10.0, 20.0, whom="least-lost"))
    with interpreted():
        outcome = replay(workload, policy_named("util-greedy").policy, settings=kept)
    assert len(outcome.stops) == 1
    path = tmp_path / f"run{suffix}"
    write_outcome(outcome, path, kept)
    file = inspect_workload(workload_beside(path)).require()
    assert all(map(np.array_equal, file.workload.jobs.rights or (), rights))
    reading = inspect_outcome(path, file)
    assert reading.problems == ()
    stated = reading.require().stated
    assert stated.stopping == kept.stopping
    assert judge_stated(stated).problems == ()
    again = stated.outcome("again")
    for one, other in zip(again.pieces, outcome.pieces, strict=True):
        assert np.array_equal(one, other)
    assert again.worth == outcome.worth
    if suffix == ".csv":
        head, _, *others = path.read_bytes().splitlines(keepends=True)
        (problem,) = inspect_outcome_bytes("run.csv", head + b"".join(others), file).problems
        assert (problem.row, problem.column) == ("line 2", "part")
        assert problem.message == (
            "is 2, but by its start the row is part 1 of the job '1'; give a row for each part, "
            "from 1 on by their starts"
        )


@pytest.fixture
def file() -> WorkloadFile:
    workload = Workload(
        Pools.of(["A", "=B"], [2, 3]),
        ArrivingJobs(
            np.array([0.0, 0.0, 500.0]),
            np.array([0, 1, 1]),
            ("short", "@long"),
            np.array([4.0, 2.0, 1.0]),
            np.zeros(3),
            np.zeros(3, int),
            ("one", "=two", "three"),
        ),
        Options.of(
            [0, 0, 1, 2],
            [0, 1, 1, 0],
            [2, 3, 2, 1],
            [80.0, 90.0, 100.0, 50.0],
            [100.0, 70.0, 30.0, 5.0],
        ),
        horizon=Horizon(0, 400),
    )
    return WorkloadFile(workload, Truth.as_estimated(3), 1e9)


def outcome_of(file: WorkloadFile) -> ReplayOutcome:
    return replay(file.workload, EASY, file.truth, ReplaySettings(file.windows))


def test_the_file_has_a_row_for_each_job(tmp_path: Path, file: WorkloadFile) -> None:
    path = tmp_path / "run.csv"
    write_outcome(outcome_of(file), path, ReplaySettings(), 1e9)
    assert path.read_text(encoding="utf-8").splitlines() == [
        "job,job_type,pool,option,units,start,end,worth,energy,estimated_end",
        "one,short,A,1,2,0.0,80.0,4.0,8000.0,80.0",
        "'=two,'@long,'=B,1,2,0.0,100.0,2.0,3000.0,100.0",
        "three,'@long,,,,,,0.0,0.0,",
    ]
    notes = notes_beside(path).read_text(encoding="utf-8")
    assert 'policy = "easy"' in notes
    assert tomllib.loads(notes)["budget"]["begins"] == [0.0]
    answer = judged(workload_beside(path), path)
    assert answer is not None
    assert "2 of 3 jobs ran, 1 waiting at the end\n" in answer.text


HEADER = "job,job_type,pool,option,units,start,end,worth,energy,estimated_end\n"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("one,short,A,1,2,0,80,4,8000,80\none,short,A,1,2,80,160,4,8000,160", "is there twice"),
        ("one,short,A,3,2,0,80,4,8000,80", "row one, column option: is no option of this job"),
        ("one,short,A,0,2,0,80,4,8000,80", "row one, column option: is no option of this job"),
        ("one,short,C,1,2,0,80,4,8000,80", "column pool: is no pool of the workload, but option 1"),
        # the type of an unknown job is not looked at
        ("who,@long,A,1,2,0,80,4,8000,80", "row 1, column job: is no job of the workload"),
        ("one,short,A,1,2,0,80,4,8000,", "column estimated_end: is nan s"),
        ("one,short,A,1,2,,80,4,8000,80", "column start: is no time"),
        ("one,short,A,1,2,0,81,4,8000,80", "column end: is 81 s after the start"),
        ("one,short,A,1,2,0,80,5,8000,80", "column worth: is 5, but should be 4"),
        ("one,short,A,1,2,0,80,4,,80", "column energy: is 0 J, but should be 8000 J"),
    ],
)
def test_what_cannot_have_happened_is_noticed(file: WorkloadFile, row: str, message: str) -> None:
    reading = inspect_outcome_bytes("run.csv", f"{HEADER}{row}\n".encode(), file)
    said = [str(problem) for problem in judge_stated(reading.require().stated).problems]
    assert any(message in one for one in said), said


def test_cells_that_do_not_matter_may_be_empty(file: WorkloadFile) -> None:
    """A type is that of the job; what never ran has no units, and earned and drew nothing."""
    rows = f"{HEADER}one,,A,1,2,0,80,4,8000,80\n=two,,'=B,1,2,0,100,2,3000,100\nthree,,,,,,,,,\n"
    stated = inspect_outcome_bytes("run.csv", rows.encode(), file).require().stated
    assert judge_stated(stated).problems == ()
    assert stated.option.tolist() == [0, 2, NOT_RUN]
    assert (stated.units[2], stated.worth[2], stated.joules[2]) == (0, 0, 0)


def test_a_file_that_is_too_large_is_refused(
    file: WorkloadFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FILE_BYTES", 100)
    for data in ((HEADER * 2).encode(), parquet()):
        (problem,) = inspect_outcome_bytes("run", data, file).problems
        assert (problem.file, problem.row, problem.column) == ("run", "", "")
        assert "is larger than" in problem.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HEADER}one,short,A,x,2,0,80,4,8000,80\n", "run.csv, row line 2, column option: 'x'"),
        (f"{HEADER}one,@long,A,1,2,0,80,4,8000,80\n", "column job_type: is '@long', but the job"),
        (f"{HEADER}'=two,other,B,1,2,0,100,2,3000,100\n", "column job_type: is 'other', but the"),
        (f"{HEADER},short,A,1,2,0,80,4,8000,80\n", "column job: is empty"),
        ("job,pool\none,A\n", "run.csv, column option: column option is missing"),
        ("", "column job is missing"),
        ("PAR1 and no more", "is not a Parquet file that can be read"),
    ],
)
def test_what_cannot_be_read_is_named(file: WorkloadFile, text: str, message: str) -> None:
    reading = inspect_outcome_bytes("run.csv", text.encode(), file)
    said = [str(problem) for problem in reading.problems]
    assert not reading.ok
    assert {problem.file for problem in reading.problems} == {"run.csv"}
    assert any(message in one for one in said), said


@pytest.mark.parametrize(
    ("notes", "message"),
    [
        ("seed = -1", "run.toml, column seed: -1 is out of range"),
        ("worth = 'much'", "run.toml, column worth: 'much' is text"),
        ("budget = 5", "column budget: is not a group"),
        ("[budget]\nbegins = [0.0]\njoules = []", "column budget: has no lists of numbers"),
        ("[budget]\nbegins = [5.0, 0.0]\njoules = [1.0, 1.0]", "column budget: windows need ris"),
        ("= 5", "run.toml: is not valid TOML"),
    ],
)
def test_notes_that_cannot_be_read_are_named(file: WorkloadFile, notes: str, message: str) -> None:
    reading = inspect_outcome_bytes("run.csv", HEADER.encode(), file, notes.encode())
    said = [str(problem) for problem in reading.problems]
    assert not reading.ok
    assert {problem.file for problem in reading.problems} == {"run.toml"}
    assert any(message in one for one in said), said


def test_notes_say_with_what_a_workload_was_replayed(file: WorkloadFile) -> None:
    """-1 J: a window has no limit."""
    notes = "mood = 5\n[budget]\nbegins = [0.0, 100.0]\njoules = [-1.0, 5.0]\nend = 400.0\n"
    reading = inspect_outcome_bytes("run.csv", HEADER.encode(), file, notes.encode())
    (unused,) = reading.problems
    assert (unused.file, unused.severity) == ("run.toml", "warning")
    assert "mood" in str(unused)
    windows, found = reading.require().stated.windows, reading.require().notes
    assert (windows.edges.tolist(), windows.joules.tolist()) == ([0, 100, 400], [np.inf, 5])
    assert found is not None
    assert (found.policy, found.seed) == ("", 0)


def parquet(**columns: object) -> bytes:
    usual: dict[str, object] = {
        "job": ["one"],
        "job_type": ["short"],
        "pool": ["A"],
        "option": [1],
        "units": [2],
        "start": [0.0],
        "end": [80.0],
        "worth": [4.0],
        "energy": [8000.0],
        "estimated_end": [80.0],
    }
    stream = io.BytesIO()
    pq.write_table(pa.table(usual | columns), stream)
    return stream.getvalue()


def test_parquet_of_others_is_read(file: WorkloadFile) -> None:
    usual = inspect_outcome_bytes("run.parquet", parquet(), file).require().stated
    assert judge_stated(usual).problems == ()
    whole = parquet(start=[0], end=pa.array([80], pa.int32()), option=[1.0])
    assert judge_stated(inspect_outcome_bytes("run.parquet", whole, file).require().stated).ok
    coded = parquet(pool=pa.array(["A"]).dictionary_encode())
    assert judge_stated(inspect_outcome_bytes("run.parquet", coded, file).require().stated).ok


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"start": ["soon"]}, "run.parquet: has no numbers in column start"),
        ({"pool": [[1]]}, "has no texts in column pool"),
        ({"option": [1.5]}, "row row 1, column option: is not a whole number"),
        ({"job": [None]}, "row row 1, column job: is empty"),
        ({"job": ["x" * 5000]}, "column job: is longer than"),
    ],
)
def test_parquet_that_cannot_be_read_is_named(
    file: WorkloadFile, columns: dict[str, object], message: str
) -> None:
    reading = inspect_outcome_bytes("run.parquet", parquet(**columns), file)
    said = [str(problem) for problem in reading.problems]
    assert any(message in one for one in said), said


def test_other_names_are_refused_before_anything_is_written(
    tmp_path: Path, file: WorkloadFile
) -> None:
    for name, message in (
        ("run.txt", r"name a \.csv or \.parquet file"),
        ("none/run.csv", "there is no such folder"),
    ):
        with pytest.raises(InvalidInput, match=message):
            write_outcome(outcome_of(file), tmp_path / name, ReplaySettings())
    assert list(tmp_path.iterdir()) == []


JOBS = "job,arrival,seconds,units,watts\none,0,60,1,100\ntwo,0,120,1,50\nthree,9,60,1,10\n"


@pytest.fixture
def outcome(tmp_path: Path) -> Path:
    """The outcome of three jobs on a pool of one unit."""
    (tmp_path / "jobs.csv").write_text(JOBS, encoding="utf-8")
    file = inspect_workload(tmp_path / "jobs.csv").require()
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
    file = inspect_workload(workload_folder("small-day")).require()
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
        "error: run.csv, row one, column energy: is 5999 J, but should be 6000 J"
    ]


def test_what_cannot_be_read_is_refused(outcome: Path) -> None:
    outcome.write_text(f"{HEADER}one,job,cluster,1,1,x,,,,\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"run\.csv, row line 2, column start: 'x'"):
        judged(workload_beside(outcome), outcome)


@pytest.mark.parametrize("suffix", ["", ".zip", ".json", ".xlsx"])
def test_a_workload_is_told_from_a_system(tmp_path: Path, outcome: Path, suffix: str) -> None:
    write_workload(inspect_workload(workload_beside(outcome)).require(), tmp_path / f"day{suffix}")
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


@pytest.mark.parametrize(
    ("data", "outcome"),
    [
        (books.zipped({"a.csv": "", "a.workload.zip": ""}), True),
        (books.zipped({"a.csv": "", "workload.zip": ""}), False),
        (b"PK\x03\x04", False),
        (b"job,part,pool\n", False),
        (f"{','.join(OUTCOME_COLUMNS)},more\n".encode(), True),
        (b"PAR1" + bytes(9) + b"PAR1", True),
        (b"", False),
    ],
    ids=str,
)
def test_content_says_that_it_is_an_outcome(data: bytes, outcome: bool) -> None:
    assert is_outcome(data) is outcome
