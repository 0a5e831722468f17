"""Logs are replayed: with classes of their jobs, with sizes to choose from, or refused."""

import gzip
import json
import re
import tempfile
from pathlib import Path

import pytest
from commands import ran

from core import replay
from core.capabilities.arrivals.files.workload_reader import inspect_workload
from core.capabilities.arrivals.made.job_sizes import SpeedUp
from core.vocabulary.problems import InvalidInput


def test_a_log_becomes_a_workload_with_what_was_done_to_it(capsys, tmp_path: Path) -> None:
    log = tmp_path / "a.swf"
    rows = [f"{k} {k} 5 50 4 -1 -1 4 {20 + 20 * k} -1 1 1 1 1 1 1 -1 -1" for k in range(4)]
    log.write_text("; MaxProcs: 8\n" + "\n".join(rows) + "\n")
    out = tmp_path / "w"
    words = ("log", log, "--watts", "2", "-o", out)
    status, _, err = ran(capsys, "generate-workload", *words)
    assert status == 0
    assert "2 jobs ran longer than asked for" in err
    file = inspect_workload(out).require()
    assert file.workload.options.seconds.tolist() == [50, 50, 60, 80]
    assert ran(capsys, "replay", out, "--policy", "easy")[0] == 0


def test_a_log_is_replayed_itself(capsys, tmp_path: Path) -> None:
    """As is its workload; a packed log, too. What the log does not say is noted."""
    rows = [f"{k} {k} 5 50 4 -1 -1 4 {20 + 20 * k} -1 1 1 1 1 1 1 -1 -1" for k in range(4)]
    text = "\n".join(rows) + "\n"
    log, packed = tmp_path / "a.swf", tmp_path / "a.swf.gz"
    log.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    found = []
    ran(capsys, "generate-workload", "log", log, "-o", tmp_path / "w")
    for given in (log, packed, tmp_path / "w"):
        status, said, err = ran(capsys, "replay", given, "--policy", "easy", "--json")
        assert status == 0
        assert ("assumed 16, as many as jobs had at once" in err) == (given != tmp_path / "w")
        one = json.loads(said)["policies"]["easy"]
        found.append((one["completed"], one["mean_flow"], one["makespan"], one["verified"]))
    assert found[0][0] == 4
    assert found == [found[0]] * 3


def test_classes_of_a_log_are_replayed_and_kept(capsys, tmp_path: Path) -> None:
    """Two jobs of 4 of 4 cores each; the second, of queue 2, stops the first."""
    log, classes, out = tmp_path / "a.swf", tmp_path / "c.csv", tmp_path / "w"
    rows = [f"{k} {k}00 5 500 4 -1 -1 4 500 -1 1 1 1 1 {k} 1 -1 -1" for k in (1, 2)]
    log.write_text("; MaxProcs: 4\n" + "\n".join(rows) + "\n")
    classes.write_text("qos,tier,worth,may_stop,may_be_stopped\n1,,,,yes\n2,1,9,yes,\nx,,,,\n")
    words = ("--classes", classes)
    status, _, err = ran(capsys, "generate-workload", "log", log, *words, "-o", out)
    assert status == 0
    assert "c.csv, row line 4: fits no job" in err
    found = []
    for given in ((log, *words), (out,)):
        status, said, _ = ran(capsys, "replay", *given, "--stop", "tiers", "--json")
        assert status == 0
        found.append(json.loads(said)["policies"]["easy-tiers"])
    assert found[0]["stops"] == 1
    assert found[0]["worth"] == found[1]["worth"] == 10
    day = tmp_path / "h.csv"
    day.write_text("job_type,hour,jobs\nT2,9,400\n")
    classes.write_text("name,worth\nT2,4\nT3,5\n")
    words = ("system", "two-by-two", "--by-hour", day, *words)
    status, _, err = ran(capsys, "generate-workload", *words, "-o", tmp_path / "d")
    assert status == 0
    assert "c.csv, row line 3: fits no job" in err
    assert set(inspect_workload(tmp_path / "d").require().workload.jobs.priority.tolist()) == {4}


def test_what_the_log_lost_is_said_beside_what_policies_lose(capsys, tmp_path: Path) -> None:
    """Job 1 lost half an hour on 4 cores."""
    log, classes = tmp_path / "a.txt", tmp_path / "c.csv"
    log.write_text(
        "JobID|State|Submit|Start|ElapsedRaw|AllocCPUS\n"
        "1|PREEMPTED|2024-03-04T08:00:00|2024-03-04T08:00:00|1800|4\n"
        "1|COMPLETED|2024-03-04T08:30:00|2024-03-04T08:50:00|3600|4\n"
        "2|COMPLETED|2024-03-04T08:10:00|2024-03-04T08:30:00|600|4\n"
    )
    classes.write_text("name,may_be_stopped\n*,yes\n")
    words = ("replay", log, "--policy", "easy-tiers", "--no-bound")
    status, text, err = ran(capsys, *words, "--classes", classes)
    assert status == 0
    assert re.search(r"In the log itself +1 +2\b", text)
    assert "1 job was requeued, and 2 core-hours of work were lost" in err
    assert re.search(r"Classes of jobs\n +Name .*\n +\* +1 +always +never +0 +no +yes\n", text)
    assert "c.csv" not in err
    said = json.loads(ran(capsys, *words, "--json")[1])
    assert said["log"] == {"requeued_jobs": 1, "stops": 1, "lost_core_seconds": 7200}
    assert said["jobs"] == 2


SIZES = "size,cores,memory_gb,price\nsmall,1,2,0.1\nlarge,4,8,\n"


def test_jobs_of_a_log_run_in_sizes(capsys, tmp_path: Path) -> None:
    """Each has one of both; a workload that is made of them is the same."""
    log, sizes, out = tmp_path / "a.swf", tmp_path / "s.csv", tmp_path / "w"
    rows = [f"{k} {k} 5 500 4 -1 -1 4 500 524288 1 1 1 1 1 1 -1 -1" for k in (1, 2)]
    log.write_text("; MaxProcs: 8\n" + "\n".join(rows) + "\n")
    sizes.write_text(SIZES)
    words = ("--sizes", sizes, "--speed-up", "amdahl", "--parallel-share", "0.5")
    flags = (*words, "--memory", "16", "--watts", "2")
    assert ran(capsys, "generate-workload", "log", log, *flags, "-o", out)[0] == 0
    options = inspect_workload(out).require().workload.options
    assert options.seconds == pytest.approx([800, 500] * 2)
    assert options.watts.tolist() == [2, 8] * 2
    status, said, err = ran(capsys, "replay", log, "--policy", "max-vptr", *words, "--no-bound")
    assert (status, "assumed 4 GB, as much as jobs asked for at once" in err) == (2, False)
    assert "line 3, column memory_gb: is 8, but the cluster has 4 GB; leave the size out" in err
    sizes.write_text(SIZES.replace("4,8", "4,4"))
    status, said, err = ran(capsys, "replay", log, "--policy", "max-vptr", *words, "--no-bound")
    assert status == 0
    assert "assumed 4 GB, as much as jobs asked for at once" in err
    assert re.search(r"Sizes\n +Size .*\n +(1 core, 2|4 cores, 4) GB +\d", said)
    assert re.search(r"Price an hour\n +small +1 +2 +0.1\n +large +4 +4\n", said)
    asked = replay(log, policies=["easy"], sizes=sizes, bound=False)
    assert asked.complete
    few = ("--sizes", sizes, "--memory", "4.5", "--policy", "easy", "--no-bound")
    assert ran(capsys, "replay", log, *few)[0] == 0, "a day of value needs 40 GB, a log does not"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--parallel-share", "0.5"], "--parallel-share needs --sizes FILE"),
        (["--speed-up", "downey"], "--speed-up needs --sizes FILE"),
        (["--memory", "5"], "--memory needs --sizes FILE"),
        (["--sizes", "s.csv", "--sigma", "2"], "--sigma needs --speed-up downey"),
        (
            ["--sizes", "s.csv", "--speed-up", "downey", "--parallel-share", "1"],
            "--parallel-share needs --speed-up amdahl",
        ),
        (["--sizes", "s.csv", "--speed-up", "downey", "--sigma", "0.5"], "--sigma"),
        (["--sizes", "none.csv"], "none.csv"),
    ],
)
def test_flags_of_sizes_go_together(
    capsys, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.csv").write_text(SIZES)
    Path("a.swf").write_text("1 0 5 50 4 -1 -1 4 60 524288 1 1 1 1 1 1 -1 -1\n")
    status, _, err = ran(capsys, "generate-workload", "log", "a.swf", *words, "-o", "w")
    assert status == 2
    assert said in err
    assert not Path("w").exists()


def test_the_library_refuses_what_flags_refuse(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(SIZES)
    with pytest.raises(InvalidInput, match="parallel_share is 2; give 0 to 1"):
        replay("small-day", speed_up=SpeedUp(parallel_share=2))
    with pytest.raises(InvalidInput, match="small-day is none; leave --sizes out"):
        replay("small-day", sizes=tmp_path / "s.csv")


@pytest.mark.parametrize("workload", ["small-day", "testbed"])
def test_classes_of_what_is_no_log_are_refused(capsys, tmp_path: Path, workload: str) -> None:
    (tmp_path / "c.csv").write_text("name\na\n")
    status, _, err = ran(capsys, "replay", workload, "--classes", tmp_path / "c.csv")
    assert status == 2
    assert f"{workload} is none; leave --classes out, and say of each job in jobs.csv" in err


def test_a_table_of_jobs_that_looks_like_a_log_is_a_workload(capsys, tmp_path: Path) -> None:
    """A table of runs has a task, a machine and seconds; jobs have a time of arrival, too."""
    path = tmp_path / "jobs.csv"
    path.write_text("task,machine,seconds,arrival\na,m,100,0\nb,m,100,50\n")
    status, text, err = ran(capsys, "replay", path, "--policy", "easy", "--no-bound", "--json")
    assert status == 0
    assert json.loads(text)["policies"]["easy"]["makespan"] == 160
    assert "busy for 80 % of the time" in err


def test_no_runs_of_a_log_stay_behind(
    capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "a.swf"
    log.write_text("1 0 5 50 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n")
    behind = tmp_path / "temporary"
    behind.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(behind))
    assert ran(capsys, "replay", log, "--policy", "easy")[0] == 0
    assert list(behind.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.swf", "1 2" + " -1" * 16 + "\n", "has no job that can be replayed"),
        ("a.csv", "arrival,second\n1,2\n", "a.csv"),
        ("a.json", '{"jobs": [["job"]]}', "format"),
        (
            "dump.txt",
            "7|train|COMPLETED|00:05:00\n8|train|FAILED|00:00:01\n",
            "error: dump.txt: has no header; dump it again without --noheader\n",
        ),
    ],
)
def test_what_is_no_log_and_no_workload_is_said(
    capsys, tmp_path: Path, name: str, text: str, message: str
) -> None:
    (tmp_path / name).write_text(text)
    status, out, err = ran(capsys, "replay", tmp_path / name)
    assert (status, out) == (2, "")
    assert message in err
