"""A workload that is written reads back equal, in every format."""

import json
import re
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from engines.replay.workloads import small_workloads
from examples import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.capabilities.arrivals.files.workload_file import TABLES, WorkloadFile
from core.capabilities.arrivals.files.workload_reader import (
    inspect_workload,
    inspect_workload_bytes,
)
from core.capabilities.arrivals.files.workload_writer import write_workload
from core.engines.replay.workload import ArrivingJobs, Options, Pools, States, Truth, Workload
from core.vocabulary.problems import InvalidInput

HOSTILE = (
    "=1+2",
    "'=x",
    "a,b",
    'with "quotes"',
    "‮evil",
    "@me",
    "-5",
    "'2.10",
    "2.10",
    "x" * 60,
    "ü \t z",
)


def equal(one: object, other: object) -> bool:
    """Whether records of arrays are equal, bit for bit."""
    if isinstance(one, np.ndarray):
        return isinstance(other, np.ndarray) and np.array_equal(one, other)
    if isinstance(one, Workload | Pools | Options | ArrivingJobs | Truth | WorkloadFile):
        names = [field.name for field in fields(one)]
        return all(equal(getattr(one, name), getattr(other, name)) for name in names)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return tuple(one) == tuple(other)
    return one == other


@settings(examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    small_workloads(),
    st.sampled_from(["", ".zip", ".json", ".xlsx"]),
    st.sampled_from([np.inf, 12e9]),
)
def test_it_reads_back_equal(
    tmp_path_factory: pytest.TempPathFactory,
    drawn: tuple[Workload, Truth],
    suffix: str,
    budget: float,
) -> None:
    workload, truth = drawn
    path = tmp_path_factory.mktemp("files") / f"day{suffix}"
    file = WorkloadFile(workload, truth, budget)
    write_workload(file, path)
    reading = inspect_workload(path)
    assert reading.problems == ()
    assert equal(reading.require(), file)


@pytest.mark.parametrize("suffix", ["", ".zip", ".json", ".xlsx"])
def test_names_stay_as_they_are(tmp_path: Path, suffix: str) -> None:
    names = [name for name in HOSTILE if "\t" not in name]
    jobs = len(names)
    plain = ArrivingJobs.plain(np.arange(jobs, dtype=float), np.arange(jobs), tuple(names))
    workload = Workload(
        Pools.of(names, [1] * jobs),
        replace(plain, names=names),
        Options.of(jobs, np.arange(jobs), 1, 0.1, 0, States(("", *names[1:]), np.arange(jobs))),
        name="5.0",
    )
    file = WorkloadFile(workload, Truth.as_estimated(jobs))
    write_workload(file, tmp_path / f"day{suffix}")
    assert equal(inspect_workload(tmp_path / f"day{suffix}").require(), file)
    if not suffix:
        text = (tmp_path / "day" / "jobs.csv").read_text(encoding="utf-8")
        assert "\n=1+2" not in text


def test_an_old_workload_is_replaced_and_other_folders_are_not(tmp_path: Path) -> None:
    one = WorkloadFile(tiny(), Truth(np.array([0.5, 1]), np.ones(2)))
    write_workload(one, tmp_path / "day")
    assert (tmp_path / "day" / "truth.csv").exists()
    other = replace(one, truth=Truth.as_estimated(2))
    write_workload(other, tmp_path / "day")
    assert equal(inspect_workload(tmp_path / "day").require(), other)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"no jobs\.csv; choose another"):
        write_workload(one, tmp_path / "mine")
    with pytest.raises(InvalidInput, match=r"name a folder, or a \.zip"):
        write_workload(one, tmp_path / "day.csv")
    with pytest.raises(InvalidInput, match="there is no such folder"):
        write_workload(one, tmp_path / "none" / "day")


def tiny() -> Workload:
    """Two jobs on one pool of four units."""
    return Workload(
        Pools.of(["A"], [4]),
        ArrivingJobs.plain(np.array([0.0, 5.0])),
        Options.of(2, 0, [1, 4], [10.0, 20.0], [1.0, 2.0]),
    )


FOLDER = {
    "pools.csv": "pool,units,cores\nA,64,1\nB,8,4\n",
    "jobs.csv": "job,job_type,arrival,cores\none,type 1,0,8\ntwo,type 1,5,24\nthree,type 3,9,40\n",
    "types.csv": (
        "job_type,pool,units,seconds\n"
        "type 1,A,1,100\ntype 1,A,2,70\ntype 1,A,4,50\ntype 1,A,16,25\ntype 1,A,32,30\n"
        "type 3,A,8,100\ntype 3,A,16,80\ntype 3,A,64,70\n"
        "type 1,B,2,40\ntype 1,B,6,20\ntype 7,B,1,1\n"
    ),
}


def written(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_times_between_the_listed_numbers_of_units_are_interpolated(tmp_path: Path) -> None:
    workload = inspect_workload(written(tmp_path / "day", FOLDER)).require().workload
    options = workload.options
    found = [
        (int(job), int(pool), int(units), round(float(seconds), 3))
        for job, pool, units, seconds in zip(
            options.job, options.pool, options.units, options.seconds, strict=True
        )
    ]
    assert found == [
        (0, 0, 8, 41.667),  # as published, with 24 and 40 units
        (0, 1, 2, 40.0),
        (1, 0, 24, 27.5),
        (1, 1, 6, 20.0),
        (2, 0, 40, 75.0),
    ]


def problems(tmp_path: Path, changes: dict[str, str]) -> list[str]:
    reading = inspect_workload(written(tmp_path / "day", {**FOLDER, **changes}))
    assert not reading.ok
    return [str(problem) for problem in reading.problems]


def test_numbers_of_units_outside_the_listed_ones_are_refused(tmp_path: Path) -> None:
    jobs = "job,job_type,arrival,cores\none,type 3,0,4\n"
    (said,) = problems(tmp_path, {"jobs.csv": jobs})
    assert said == (
        "error: jobs.csv, row line 2, column cores: 4 cores are 4 units of A, but times of this "
        "type are listed for 8 to 64; list more, or change the cores"
    )


PLAIN = {
    "pools.csv": "pool,units\nA,4\n",
    "jobs.csv": "job,arrival,priority,curve\none,0,1,c\ntwo,5,2,c\n",
    "options.csv": "job,pool,units,seconds,watts\none,A,1,10,1\ntwo,A,4,20,2\n",
    "curves.csv": "curve,begin,high,low,decay\nc,0,1,0.5,1\nc,60,0.5,0,0\n",
    "truth.csv": "job,time\ntwo,0.5\n",
    "workload.toml": 'name = "mine"\nend = "2h"\nbudget = "1MJ"\n',
}


def test_a_folder_by_hand_is_read(tmp_path: Path) -> None:
    file = inspect_workload(written(tmp_path / "day", PLAIN)).require()
    assert file.workload.horizon == (0.0, 7200.0)
    assert file.day_joules == 1e6
    assert file.windows.joules.tolist() == pytest.approx([1e6 / 12])
    assert file.truth.time.tolist() == [1.0, 0.5]
    assert file.workload.jobs.names == ["one", "two"]


BAD = [
    (
        "jobs.csv",
        "job,arrival\none,5\ntwo,0\n",
        "jobs.csv, row two, column arrival: is 0 s, before",
    ),
    ("jobs.csv", "job,arrival\none,-5\ntwo,0\n", "jobs.csv, row one, column arrival: is -5; use"),
    ("jobs.csv", "job,arrival\none,x\ntwo,0\n", "row line 2, column arrival: 'x' is not a number"),
    ("jobs.csv", "job,arrival\none,\ntwo,0\n", "row line 2, column arrival: is blank"),
    ("jobs.csv", "job,arrival\none,1\none,2\n", "row line 3, column job: job 'one' is there twice"),
    ("jobs.csv", "job\none\n", "jobs.csv, column arrival: column arrival is missing"),
    ("jobs.csv", "job,arrival\n", "jobs.csv: has no row"),
    (
        "jobs.csv",
        "job,arrival,curve\none,1,z\ntwo,2,c\n",
        "line 2, column curve: 'z' is not a curve",
    ),
    ("jobs.csv", "job,arrival\none,0\ntwo,0\nno,0\n", "jobs.csv, row no: can run nowhere"),
    (
        "options.csv",
        "job,pool,units,seconds\none,A,5,10\ntwo,A,1,1\n",
        "options.csv, row one, column units: takes 5 units of A, which has 4",
    ),
    (
        "options.csv",
        "job,pool,units,seconds\none,A,1,0\ntwo,A,1,1\n",
        "options.csv, row one, column seconds: is 0; use",
    ),
    ("options.csv", "job,pool,units,seconds\nwho,A,1,1\n", "column job: 'who' is not a job of"),
    ("options.csv", "job,pool,units,seconds\none,B,1,1\n", "column pool: 'B' is not a pool of"),
    ("options.csv", "job,pool,units,seconds\none,A,1.5,1\n", "'1.5' is not a whole number"),
    ("curves.csv", "curve,begin,high\nc,0,0.5\nc,9,0.8\n", "curves.csv, row c, column high: rises"),
    ("truth.csv", "job,time\none,1.5\n", "row line 2, column time: is 1.5; give a share"),
    ("truth.csv", "job,time,power\none,1,-1\n", "row line 2, column power: is -1; give at least 0"),
    ("pools.csv", "pool,units\nA,0\n", "pools.csv, row A, column units: is 0; use"),
    (
        "pools.csv",
        "pool,units\n,4\n",
        "pools.csv, row line 2, column pool: is empty; give it a name",
    ),
    ("pools.csv", "pool,units\nA,4\nA,4\n", "pools.csv, row A: is there twice"),
    ("pools.csv", "pool,units,one_machine\nA,4,perhaps\n", "'perhaps' is neither yes nor no"),
    ("workload.toml", "ende = 5\n", "workload.toml, column ende: is not a key of a workload; did"),
    ("workload.toml", "end = 0\n", "column end: is 0 s, not after the begin at 0 s"),
    ("workload.toml", 'switching = "sometimes"\n', "column switching: 'sometimes' is not one of"),
    ("workload.toml", 'budget = "5 apples"\n', "column budget: 'apples' is not a unit of energy"),
    ("workload.toml", "= 5\n", "workload.toml: is not valid TOML"),
    (
        "workload.toml",
        'job_types = ["a", "a"]\n',
        "job_types: has something that is no text",
    ),
    ("types.csv", "job_type,pool,units,seconds\n", "types.csv: is there beside options"),
]


@pytest.mark.parametrize(("name", "text", "message"), BAD)
def test_what_is_wrong_is_named_with_its_place(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    reading = inspect_workload(written(tmp_path / "day", {**PLAIN, name: text}))
    said = [str(problem) for problem in reading.problems]
    assert not reading.ok
    assert any(message in one for one in said), said


@pytest.mark.parametrize("missing", ["pools", "jobs", "options"])
def test_a_table_that_is_missing_is_named(tmp_path: Path, missing: str) -> None:
    files = {name: text for name, text in PLAIN.items() if name != f"{missing}.csv"}
    reading = inspect_workload(written(tmp_path / "day", files))
    assert any(missing in problem.message for problem in reading.problems)


def test_a_table_of_jobs_alone_is_a_workload() -> None:
    text = (
        "job,type,arrival,seconds,units,requested\n"
        "a,short,0,100,2,200\nb,long,50,900,1,300\nc,short,100,60,4,\n"
    )
    reading = inspect_workload_bytes("jobs.csv", text.encode())
    file = reading.require()
    assert file.workload.options.seconds.tolist() == [200, 900, 60]
    assert file.truth.time.tolist() == [0.5, 1, 1]
    # 2 * 100 + 900 + 4 * 60 unit-seconds in 100 s, at 80 %
    assert file.workload.pools.units.tolist() == [17]
    assert (
        "assumed so many that each is busy for 80 % of the time (cluster: 17)" in reading.notes[0]
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("arrival,seconds\n0,-1\n", "column seconds: is -1; give more than 0 s"),
        ("arrival,seconds,units\n0,1,0\n", "column units: is 0; give at least 1"),
        ("arrival,seconds\n9,1\n0,1\n", "line 3, column arrival: is 0 s, before the job above it"),
        ("arrival,seconds\n0,1\n5,1e180\n", "line 3, column seconds: is 1e+180; use"),
        ("arrival,seconds,worth\n0,1,-1\n", "line 2, column worth: is -1; use"),
        ("arrival,seconds,job,worth\n0,1,2,1\n0,1,a,-1\n", "row a, column worth: is -1; use"),
        ("arrival,seconds,pool,units\n0,1,2,1e18\n", "row 2, column units: is 1e+18; use"),
        ("arrival,seconds,units\n0,1,1e18\n", "row cluster, column units: is 1e+18; use"),
        ("arrival,seconds\n", "has no job"),
        ("arrival\n0\n", "column seconds is missing"),
        ("", "column arrival is missing"),
        ("arrival,seconds,job\n0,1,a\n0,1,a\n", "job 'a' is there twice (line 2 and line 3)"),
    ],
)
def test_what_is_wrong_with_a_table_of_jobs_is_named(text: str, message: str) -> None:
    reading = inspect_workload_bytes("mine.csv", text.encode())
    said = [str(problem) for problem in reading.problems]
    assert not reading.ok
    assert any("mine.csv" in one and message in one for one in said), said


def test_a_document_of_another_form_is_refused() -> None:
    for document in (
        {"format": "wattfront-system", "version": 1},
        {"format": "wattfront-workload", "version": 1, "jobs": 5},
        {"format": "wattfront-workload", "version": 1, "workload": [], "jobs": [["arrival"], [1]]},
    ):
        assert not inspect_workload_bytes("day.json", json.dumps(document).encode()).ok


def test_many_wrong_cells_are_counted() -> None:
    rows = "".join("x,1\n" for _ in range(5000))
    reading = inspect_workload_bytes("jobs.csv", f"arrival,seconds\n{rows}".encode())
    assert len(reading.problems) == 1001
    assert reading.problems[-1].message.startswith("... and 4,000 more errors")


GUIDE = (Path(__file__).parents[4] / "docs" / "arrivals.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["pools", "jobs", "options", "curves"])
def test_columns_and_defaults_are_documented_as_they_are_read(name: str) -> None:
    section = GUIDE.partition(f"\n`{name}.csv`: ")[2].partition("\n\n`")[0]
    lines = (line.split("|")[1:4] for line in section.splitlines() if line.startswith("| `"))
    documented = {
        column: default.strip()
        for columns, _, default in lines
        for column in re.findall(r"`(\w+)`", columns)
    }
    schema = {column.name: column for column in TABLES[name]}
    assert [*documented] == [*schema]
    for column, default in documented.items():
        assert (default == "") == schema[column].is_needed
        if default.isdigit():
            assert float(default) == schema[column].blank


@pytest.mark.parametrize("name", ["truth", "types"])
def test_columns_of_other_tables_are_named(name: str) -> None:
    sentence = GUIDE.rpartition(f"`{name}.csv`")[2].partition("\n\n")[0]
    assert {column.name for column in TABLES[name]} <= {*re.findall(r"`(\w+)`", sentence)}
