"""Tables of more rows than are read cell by cell: bounded, with faults at their places, whole."""

from pathlib import Path

import numpy as np
import pytest

from core.capabilities.arrivals.files.outcome_file import inspect_outcome_bytes
from core.capabilities.arrivals.files.workload_reader import inspect_workload
from core.files import limits

JOBS = "arrival,seconds\n" + "".join(f"{k},{k + 1}\n" for k in range(9))


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """4 rows with names, 9 rows without, faults looked for 2 rows at a time."""
    monkeypatch.setattr(limits, "JOB_ROWS", 4)
    monkeypatch.setattr(limits, "NAMELESS_JOB_ROWS", 9)
    monkeypatch.setattr(limits, "FEW_TEXTS", 2)
    monkeypatch.setattr(limits, "ROWS", 2)


def problems_of(tmp_path: Path, text: str, name: str = "jobs.csv") -> list[str]:
    path = tmp_path / name
    path.write_text(text)
    reading = inspect_workload(path)
    assert (reading.value is None) == bool(reading.problems)
    return [str(problem) for problem in reading.problems]


@pytest.mark.parametrize("text", [JOBS, JOBS.rstrip("\n")])
def test_all_rows_are_read_up_to_the_limit(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    workload = inspect_workload(path).require().workload
    assert workload.jobs.arrival.tolist() == list(range(9))
    assert workload.options.seconds.tolist() == list(range(1, 10))
    assert [workload.jobs.name(job) for job in (0, 8)] == ["1", "9"]


@pytest.mark.parametrize("more", ["9,10\n", "9,10"])
def test_one_row_more_is_refused_with_count_limit_and_remedy(tmp_path: Path, more: str) -> None:
    assert problems_of(tmp_path, JOBS + more) == [
        "error: jobs.csv: is too large: it has 10 rows, but at most 9 can be read; give fewer"
    ]


def test_names_take_more_memory_so_fewer_rows_can_be_read(tmp_path: Path) -> None:
    def named(rows: int) -> str:
        return "job,arrival,seconds\n" + "".join(f"j{k},{k},1\n" for k in range(rows))

    assert problems_of(tmp_path, named(4)) == []
    assert problems_of(tmp_path, named(5)) == [
        "error: jobs.csv: is too large: it has 5 rows, but at most 4 can be read; give fewer"
    ]


@pytest.mark.parametrize(
    ("line", "row", "said"),
    [
        (2, "x,5", "line 2, column arrival: 'x' is not a number"),
        (6, "4,five", "line 6, column seconds: 'five' is not a number"),
        (10, "8,", "line 10, column seconds: "),
        (7, "5", "line 7 has 1 cells"),
        (9, "7,inf", "line 9, column seconds: 'inf' is infinite"),
    ],
)
def test_faults_have_their_places(tmp_path: Path, line: int, row: str, said: str) -> None:
    lines = JOBS.splitlines()
    lines[line - 1] = row
    (problem,) = problems_of(tmp_path, "\n".join(lines) + "\n")
    assert said in problem


def test_faults_of_several_parts_are_all_there(tmp_path: Path) -> None:
    lines = JOBS.splitlines()
    lines[3], lines[8] = "2,a", "b,8"
    found = problems_of(tmp_path, "\n".join(lines))
    assert ["line 4" in found[0], "line 9" in found[1], len(found)] == [True, True, 2]


def test_what_contradicts_itself_is_named_by_its_line(tmp_path: Path) -> None:
    lines = JOBS.splitlines()
    lines[5], lines[7] = "1,5", "6,-1"
    assert any(
        "seconds: is -1" in one and "line 8" in one
        for one in problems_of(tmp_path, "\n".join(lines))
    )
    lines[7] = "6,1"
    (late,) = problems_of(tmp_path, "\n".join(lines))
    assert "line 6, column arrival: is 1 s, before the job above it; sort by arrival" in late


@pytest.mark.parametrize(
    "text",
    [
        JOBS.replace("0,1\n", '"0",1\n', 1),
        JOBS.replace("arrival,seconds", "arrival;seconds").replace(",", ";"),
        "arrival,seconds,colour\n" + "".join(f"{k},1,red\n" for k in range(9)),
    ],
)
def test_files_that_are_not_plain_are_refused_with_what_to_do(tmp_path: Path, text: str) -> None:
    (problem,) = problems_of(tmp_path, text)
    assert "has 9 rows; more than 4 can be read only if it is plain" in problem


def test_blank_lines_alone_are_no_fault_but_not_plain(tmp_path: Path) -> None:
    found = problems_of(tmp_path, JOBS.replace("3,4\n", "\n3,4\n").replace("8,9\n", ""))
    assert any("can be read only if it is plain" in one for one in found)


def test_many_types_take_memory_as_names_do(tmp_path: Path) -> None:
    def typed(types: int) -> str:
        rows = "".join(f"{k},1,t{k % types}\n" for k in range(9))
        return "arrival,seconds,type\n" + rows

    assert problems_of(tmp_path, typed(2)) == []
    (problem,) = problems_of(tmp_path, typed(3))
    assert "has 3 different texts in column type" in problem


def test_tables_of_a_folder_have_the_lower_limit(tmp_path: Path) -> None:
    (tmp_path / "pools.csv").write_text("pool,units\nA,9\n")
    (tmp_path / "jobs.csv").write_text("arrival\n" + "".join(f"{k}\n" for k in range(5)))
    options = "job,pool,units,seconds\n" + "".join(f"{k},A,1,1\n" for k in range(1, 5))
    (tmp_path / "options.csv").write_text(options)
    (problem,) = map(str, inspect_workload(tmp_path).problems)
    assert problem == (
        "error: jobs.csv: is too large: it has 5 rows, but at most 4 can be read; give fewer"
    )
    (tmp_path / "jobs.csv").write_text("arrival\n" + "".join(f"{k}\n" for k in range(4)))
    workload = inspect_workload(tmp_path).require().workload
    assert np.array_equal(workload.jobs.arrival, range(4))


def test_an_outcome_of_too_many_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(JOBS)
    file = inspect_workload(path).require()
    head = "job,pool,option,units,start,end,worth,energy,estimated_end\n"
    many = head + "1,cluster,1,1,0,1,1,0,1\n" * 5
    (problem,) = map(str, inspect_outcome_bytes("o.csv", many.encode(), file).problems)
    assert problem.startswith("error: o.csv: is too large: it has 5 rows, but at most 4 can be")
    four = head + "1,cluster,1,1,0,1,1,0,1\n" * 4
    assert inspect_outcome_bytes("o.csv", four.encode(), file).problems == ()
