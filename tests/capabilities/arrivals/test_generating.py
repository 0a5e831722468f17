"""`wattfront generate-workload` draws workloads, and says what is wrong."""

import json
import math
from pathlib import Path

import pytest
from commands import ran

from core.capabilities.arrivals.files.workload_reader import inspect_workload


@pytest.mark.parametrize(
    ("words", "jobs"),
    [
        (("budget", "--jobs", "40", "--cores", "2000"), range(20, 80)),
        (("uncertain", "--tasks", "30"), [30]),
        (("urgent", "--jobs", "40", "--cores", "5", "--burst", "4"), range(15, 90)),
        (("testbed",), range(60, 120)),
        (("system", "six", "--jobs", "50"), range(25, 80)),
        (
            (
                *("system", "six", "--pattern", "hourly", "--jobs", "60"),
                *("--rates", ",".join(["1"] * 24), "--hours", "12"),
            ),
            range(10, 60),
        ),
    ],
)
def test_each_kind_is_written_and_reads_back(capsys, tmp_path: Path, words, jobs) -> None:
    out = tmp_path / "w.zip"
    status, text, _ = ran(capsys, "generate-workload", *words, "-o", out, "--json")
    found = json.loads(text)
    assert (status, found["path"]) == (0, str(out))
    assert found["jobs"] in jobs
    assert len(inspect_workload(out).require().workload.jobs) == found["jobs"]


def test_jobs_arrive_by_hour_and_type(capsys, tmp_path: Path) -> None:
    """The sample two-by-two has the types T1 and T2."""
    hours, out = tmp_path / "h.csv", tmp_path / "w.zip"
    hours.write_text("job_type,hour,jobs\nT2,9,400\n")
    words = ("system", "two-by-two", "--by-hour", hours, "--fades", "2")
    assert ran(capsys, "generate-workload", *words, "-o", out)[0] == 0
    workload = inspect_workload(out).require().workload
    assert 300 < len(workload.jobs) < 500
    assert {workload.jobs.types[kind] for kind in workload.jobs.type.tolist()} == {"T2"}
    assert (workload.jobs.arrival // 3600 == 9).all()
    assert [piece.begin for piece in workload.curves.pieces[0]] == [0, 7200]


@pytest.mark.thorough
def test_a_published_day_has_its_published_budget(capsys, tmp_path: Path) -> None:
    for cores, joules in ((100_000, 12e9), (99_999, math.inf)):
        ran(capsys, "generate-workload", "budget", "--cores", cores, "-o", tmp_path / "w")
        assert inspect_workload(tmp_path / "w").require().day_joules == joules


def test_the_seed_decides_what_is_drawn(capsys, tmp_path: Path) -> None:
    texts = []
    for name, seed in (("a.json", 1), ("b.json", 1), ("c.json", 2)):
        ran(capsys, "generate-workload", "testbed", "--seed", seed, "-o", tmp_path / name)
        texts.append((tmp_path / name).read_text())
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "choose from 'budget', 'uncertain'"),
        (("days",), "invalid choice: 'days'"),
        (("log", "nowhere.swf"), "nowhere.swf"),
        (("budget", "--pattern", "hourly"), "unrecognized arguments: --pattern hourly"),
        (("system", "six", "--rates", "1,2"), "no profile of a day"),
        (("system", "six", "--rates", ",".join(["1"] * 24)), "give both or none"),
        (("system", "six", "--swing", "1"), "needs --pattern sinusoidal"),
        (("system", "six", "--burst", "3"), "needs --pattern bursts"),
        (("system", "six", "--by-hour", "h.csv", "--jobs", "5000"), "leave --jobs out"),
        (("system", "six", "--fades", "2"), "--fades needs --by-hour"),
        (("system", "six", "--by-hour", "h.csv", "--pattern", "constant"), "leave --pattern out"),
        (("system", "six", "--by-hour", "nowhere.csv"), "nowhere.csv"),
        (("system", "sixx"), "did you mean"),
        (("urgent", "--jobs", "1", "--burst", "100000"), "no job was drawn"),
    ],
)
def test_what_cannot_be_drawn_is_said(capsys, tmp_path: Path, words, message: str) -> None:
    status, _, err = ran(capsys, "generate-workload", *words, "-o", tmp_path / "w")
    assert status == 2
    assert message in err
    assert not (tmp_path / "w").exists()


def test_an_output_that_cannot_be_written_is_refused_first(capsys, tmp_path: Path) -> None:
    status, _, err = ran(capsys, "generate-workload", "testbed", "-o", tmp_path / "no" / "w.zip")
    assert status == 2
    assert "no such folder" in err
