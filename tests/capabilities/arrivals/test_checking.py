"""`wattfront check` says what a workload or a table of classes is, or what is wrong with it."""

from pathlib import Path

import pytest

from core.capabilities.arrivals.checking import checked
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_writer import write_workload
from core.capabilities.arrivals.made.urgent import UrgentSettings, draw_urgent_day
from core.files.samples.named import sample_folder
from core.shells.cli.answer import BAD_INPUT


@pytest.fixture(params=["", ".zip", ".xlsx", ".json"])
def workload(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A day of a few urgent jobs, in each format."""
    path = tmp_path / f"day{request.param}"
    file = WorkloadFile.as_estimated(draw_urgent_day(UrgentSettings(a_day=20, cores=50)), 3e9)
    write_workload(file, path)
    return path


def test_a_workload_is_said(workload: Path) -> None:
    answer = checked(workload)
    assert answer is not None
    assert answer.data["ok"]
    jobs, units = answer.data["jobs"], answer.data["units"]
    assert isinstance(jobs, int)
    assert (units, answer.data["pools"]) == (50, 5)
    assert answer.text.startswith(f"{workload}: a workload, no problems\n")
    assert f"{jobs:,} jobs of " in answer.text
    assert "5 pools of 50 units" in answer.text
    assert f"{answer.data['options']:,} ways to run the jobs" in answer.text
    assert "of the jobs may stop others" in answer.text
    assert "3 GJ a day" in answer.text
    assert "name      urgent, 20 jobs a day, seed 0" in answer.text


@pytest.mark.parametrize(
    ("file", "line", "place", "said"),
    [
        ("jobs.csv", "x,job,soon\n", ("jobs.csv", "line 2", "arrival"), "'soon' is not a number"),
        ("options.csv", None, ("day", "", ""), "has no table options; add it"),
        ("pools.csv", None, ("day", "", ""), "has no table pools; add it"),
    ],
)
def test_each_problem_of_a_workload_has_its_place(
    tmp_path: Path, file: str, line: str | None, place: tuple[str, str, str], said: str
) -> None:
    """It was read as a system, with a fault in each of its jobs."""
    folder = tmp_path / "day"
    folder.mkdir()
    (folder / "pools.csv").write_text("pool,units\nP,2\n")
    (folder / "jobs.csv").write_text("job,job_type,arrival\nx,job,0\n")
    (folder / "options.csv").write_text("job,pool,units,seconds\nx,P,1,60\n")
    if line is None:
        (folder / file).unlink()
    else:
        (folder / file).write_text("job,job_type,arrival\n" + line)
    answer = checked(folder)
    assert answer is not None
    assert (answer.status, answer.data["jobs"]) == (BAD_INPUT, None)
    (problem,) = answer.problems
    assert (problem.file, problem.row, problem.column) == place
    assert said in problem.message


def test_what_is_assumed_of_a_table_of_jobs_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("arrival,seconds\n0,60\n5,70\n")
    answer = checked(path)
    assert answer is not None
    assert "note: The file does not say how many units pools have" in answer.text
    notes = answer.data["notes"]
    assert isinstance(notes, list)
    assert len(notes) == 1


def test_warnings_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("arrival,seconds,colour\n0,60,red\n")
    answer = checked(path)
    assert answer is not None
    assert "jobs.csv: a workload, 1 warning\n" in answer.text
    assert "name " not in answer.text
    assert "of 1 type," in answer.text


def test_classes_are_shown_as_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("qos,worth\nhigh,9\n")
    answer = checked(path)
    assert answer is not None
    assert answer.data["classes"] == 1
    assert "c.csv: 1 row of classes of jobs, no problems" in answer.text
    assert "high  9 " in answer.text
    path.write_text("qos,worth\nhigh,many\n")
    refused = checked(path)
    assert refused is not None
    assert (refused.status, refused.problems[0].row) == (BAD_INPUT, "line 2")
    assert refused.data["classes"] is None


def test_sizes_are_shown_as_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("size,cores,memory_gb,price,seconds:FT\nsmall,2,8,0.5,\nlarge,4,8,,7\n")
    answer = checked(path)
    assert answer is not None
    assert answer.data["sizes"] == 2
    assert "s.csv: 2 sizes, no problems" in answer.text
    said = [line.split() for line in answer.text.splitlines()]
    assert ["small", "2", "8", "0.5"] in said
    assert ["large", "4", "8", "7"] in said
    path.write_text("size,cores,memory_gb\nsmall,2,much\n")
    refused = checked(path)
    assert refused is not None
    assert (refused.status, refused.problems[0].row) == (BAD_INPUT, "line 2")
    assert refused.data["sizes"] is None


def test_a_sample_is_found_and_what_is_neither_is_for_others(tmp_path: Path) -> None:
    answer = checked(Path("small-day"))
    assert answer is not None
    assert answer.data["ok"]
    assert checked(sample_folder("two-by-two")) is None
    assert checked(tmp_path / "nothing") is None
    assert checked(tmp_path) is None
