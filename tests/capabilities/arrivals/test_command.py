"""`wattfront replay` and `wattfront generate-workload` answer, and say what is wrong."""

import gzip
import json
import math
import re
import tempfile
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from interpreted import interpreted

from core import replay
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_reader import inspect_workload
from core.capabilities.arrivals.files.workload_writer import write_workload
from core.capabilities.arrivals.made.job_sizes import SpeedUp
from core.capabilities.arrivals.uncertain.bags import UncertainSettings, draw_uncertain
from core.capabilities.arrivals.uncertain.methods import WEIGHED, BagSettings, bag_bound, run_method
from core.engines.replay.workload import ArrivingJobs, Options, Pools, StopRights, Workload
from core.shells.cli.entry import main
from core.vocabulary.problems import InvalidInput


def _ran(capsys, *words: str) -> tuple[int, str, str]:
    status = main([str(word) for word in words])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.thorough
def test_an_outcome_is_written_and_judged(capsys, tmp_path: Path) -> None:
    out = tmp_path / "o.csv"
    status, text, _ = _ran(capsys, "replay", "testbed", "--policy", "max-upr", "--json", "-o", out)
    data = json.loads(text)
    assert (status, data["path"]) == (0, str(out))
    assert data["policies"]["max-upr"]["verified"] is True
    status, text, _ = _ran(capsys, "verify", tmp_path / "o.workload.zip", out, "--json")
    assert status == 0
    judged = json.loads(text)
    assert judged["worth"] == pytest.approx(data["policies"]["max-upr"]["worth"])
    assert judged["policy"] == "max-upr"


def test_replay_and_verify_round_the_worth_alike(capsys, tmp_path: Path) -> None:
    """Of three days, since the worth of one may be rounded alike by chance."""
    for seed in range(3):
        words = ("testbed", "--policy", "easy", "--no-bound", "--seed", seed)
        replayed = _ran(capsys, "replay", *words, "-o", tmp_path / "o.csv")[1]
        judged = _ran(capsys, "verify", tmp_path / "o.workload.zip", tmp_path / "o.csv")[1]
        (said,) = re.findall(r"^  EASY backfilling +([\d.]+) ", replayed, re.M)
        assert f"worth      {said}\n" in judged


@pytest.fixture
def urgent(tmp_path: Path) -> Path:
    """A short job that is worth much comes while a long one runs, which may be stopped."""
    jobs = ArrivingJobs.plain(np.array([0.0, 600.0]))
    rights = StopRights.of(2, [False, True], [True, False])
    jobs = replace(jobs, priority=np.array([1.0, 9.0]), rights=rights)
    workload = Workload(Pools.of(["p"], [1]), jobs, Options.of(2, 0, 1, [6000.0, 60.0]))
    write_workload(WorkloadFile.as_estimated(workload), tmp_path / "urgent.zip")
    return tmp_path / "urgent.zip"


def test_what_stopping_costs_is_said(capsys, urgent: Path, monkeypatch) -> None:
    monkeypatch.setattr("core.capabilities.arrivals.trials.load_kernels", lambda _: None)
    words = ("replay", urgent, "--policy", "max-upt", "--stop", "greedy", "--kept", "5min")
    words = (*words, "--resume-cost", "30s", "--no-bound", "-o", urgent.with_name("o.csv"))
    with interpreted():
        status, text, _ = _ran(capsys, *words, "--json")
    one = json.loads(text)["policies"]["upt-greedy"]
    assert (status, one["stops"], one["verified"]) == (0, 1, True)
    assert one["lost_core_seconds"] == 0
    assert one["urgent_wait"] == {"mean": 0, "p95": 0, "can": None, "never": 0}
    assert one["other_flow"] == 6000 + 60 + 30
    notes = tomllib.loads(urgent.with_name("o.toml").read_text())
    assert notes["stopping"]["checkpoints"] == 300
    assert (
        _ran(capsys, "verify", urgent.with_name("o.workload.zip"), urgent.with_name("o.csv"))[0]
        == 0
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--policy", "easy", "--stop", "greedy"), "easy stops no job by 'greedy'"),
        (("--policy", "easy", "--kept", "1h"), "no policy stops a job"),
        (("--stop", "greedy", "--kept", "some"), "--kept"),
        (("--stop", "greedy", "--stop-cost", "-1s"), "--stop-cost"),
        (("--stop", "greedy", "--whom", "nobody"), "--whom"),
    ],
)
def test_ways_to_stop_that_cannot_be_are_refused(capsys, urgent: Path, words, said) -> None:
    status, _, error = _ran(capsys, "replay", urgent, *words)
    assert status == 2
    assert said in error


@pytest.mark.thorough
def test_a_share_and_a_filter_reach_the_outcome(capsys, tmp_path: Path) -> None:
    words = ("--budget-share", "0.5", "--filter", "task:2", "--drop", "-1", "--every", "30s")
    out = tmp_path / "o.parquet"
    status, text, _ = _ran(
        capsys, "replay", "testbed", "--policy", "max-upr", *words, "--json", "-o", out
    )
    one = json.loads(text)["policies"]["max-upr"]
    assert status == 0
    assert one["energy"] <= one["budget"]
    assert one["dropped"] == 0
    assert _ran(capsys, "verify", tmp_path / "o.workload.zip", out)[0] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("testbed", "--policy", "esay"), "did you mean easy"),
        (("tesbed",), "no sample workload is called 'tesbed'"),
        (
            ("budget-50",),
            "uncertain, urgent, value, value-testbed, budget-N and urgent-N with N",
        ),
        (("budget-50",), "(100 to 20,000)"),
        (("testbed", "--filter", "energy:3"), "'energy:3' is no filter"),
        (("testbed", "--filter", "task:0"), "out of range"),
        (("testbed", "--budget", "much"), "not a quantity of energy"),
        (("testbed", "--budget", "1", "--budget-share", "1"), "not allowed with"),
        (("testbed", "--policy", "all", "-o", "x.csv"), "the outcome of one policy"),
        (("testbed", "--policy", "easy", "-o", "x.txt"), "name a .csv or .parquet"),
        (("uncertain", "--budget", "1"), "knows no energy budget"),
        (
            ("uncertain", "--drop", "0.5"),
            "offline-maxmin does all jobs and drops none; leave --drop",
        ),
        (("uncertain", "--filter", "task"), "offline-maxmin uses no energy filter; leave --filter"),
        (
            ("uncertain", "--policy", "greedy-min", "--every", "30s"),
            "greedy-min plans at no fixed times; leave --every out",
        ),
        (
            ("uncertain", "--policy", "batch-maxmin", "--exchange-rate", "5"),
            "--exchange-rate is for the method weighed",
        ),
        (("testbed", "--exchange-rate", "5"), "--exchange-rate is for the method weighed"),
        (("uncertain", "--exchange-rate", "-1"), "out of range; give 0 to 1e+15 J/s"),
        (("testbed", "--engine", "cloud"), "'cloud' is no engine"),
        (
            ("small-day", "--policy", "weighed"),
            "takes more than one core; methods for bags take tasks of one core each",
        ),
    ],
)
def test_what_is_wrong_is_said(capsys, words: tuple[str, ...], message: str) -> None:
    status, out, err = _ran(capsys, "replay", *words)
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.thorough
def test_bags_have_bounds_of_makespan_and_energy(capsys) -> None:
    words = ("uncertain", "--policy", "weighed", "--policy", "greedy-min", "--every", "60s")
    data = json.loads(_ran(capsys, "replay", *words, "--json")[1])
    case = draw_uncertain(UncertainSettings())
    bound = bag_bound(*case)
    assert (data["makespan_bound"], data["energy_bound"]) == (bound.makespan, bound.joules)
    for method in ("weighed", "greedy-min"):
        assert data["policies"][method]["makespan"] > bound.makespan
        assert data["policies"][method]["energy"] > bound.joules
    said = _ran(capsys, "replay", *words)[1]
    assert re.search("No method could have taken less than 21 h 3. min, or less than 66.83 k", said)
    assert "Bags end first under the method weighed: after 1 d " in said
    assert re.search(r"^  Makespan +1 d ", said, re.M)
    assert "Worth" not in said, "it is the same under all methods"


@pytest.mark.parametrize("words", [("--no-bound",), ("--policy", "easy")])
def test_policies_that_may_drop_jobs_have_no_bound_of_makespan(capsys, words) -> None:
    data = json.loads(
        _ran(capsys, "replay", "uncertain", "--policy", "greedy-min", *words, "--json")[1]
    )
    assert data["makespan_bound"] is data["energy_bound"] is None
    assert (data["bound"] is None) == ("--no-bound" in words)


@pytest.fixture
def bag(tmp_path: Path) -> Path:
    """Three jobs of 100 s and 1 kJ on one core."""
    (tmp_path / "pools.csv").write_text("pool,units\nA,1\n")
    (tmp_path / "jobs.csv").write_text("job,arrival\na,0\nb,10\nc,20\n")
    rows = "".join(f"{job},A,1,100,10\n" for job in "abc")
    (tmp_path / "options.csv").write_text(f"job,pool,units,seconds,watts\n{rows}")
    return tmp_path


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ('end = "250s"', "workload, column end: is 250 s; methods for bags do all jobs, so leave"),
        ('budget = "500J"', "greedy-min knows no energy budget, and the workload has one; add "),
    ],
)
def test_methods_for_bags_refuse_what_they_would_not_keep(
    capsys, bag: Path, settings: str, message: str
) -> None:
    (bag / "workload.toml").write_text(settings)
    status, out, err = _ran(capsys, "replay", bag, "--policy", "easy", "--policy", "greedy-min")
    assert (status, out) == (2, "")
    assert message in err
    assert _ran(capsys, "replay", bag, "--policy", "easy", "--no-bound")[0] == 0


@pytest.mark.parametrize("settings", ["", 'begin = "50s"', 'budget = "500J"'])
def test_methods_for_bags_replay_a_bag_without_its_budget(capsys, bag: Path, settings: str) -> None:
    (bag / "workload.toml").write_text(settings)
    words = ("--policy", "greedy-min", "--budget", "none", "--json")
    status, text, _ = _ran(capsys, "replay", bag, *words)
    one = json.loads(text)["policies"]["greedy-min"]
    assert (status, one["completed"], one["makespan"], one["budget"]) == (0, 3, 300.0, None)
    assert one["worth_share"] <= 1


@pytest.mark.thorough
def test_the_exchange_rate_reaches_the_weighed_method(capsys) -> None:
    words = ("uncertain", "--policy", "weighed", "--no-bound", "--json")
    case = draw_uncertain(UncertainSettings())
    for rate in (None, "0", "10000"):
        given = () if rate is None else ("--exchange-rate", rate)
        found = json.loads(_ran(capsys, "replay", *words, *given)[1])["policies"]["weighed"]
        settings = BagSettings(exchange=None if rate is None else float(rate))
        outcome = run_method(*case, WEIGHED, settings)
        assert (found["makespan"], found["energy"]) == (outcome.makespan, outcome.joules)


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
    status, text, _ = _ran(capsys, "generate-workload", *words, "-o", out, "--json")
    found = json.loads(text)
    assert (status, found["path"]) == (0, str(out))
    assert found["jobs"] in jobs
    assert len(inspect_workload(out).require().workload.jobs) == found["jobs"]


def test_jobs_arrive_by_hour_and_type(capsys, tmp_path: Path) -> None:
    """The sample two-by-two has the types T1 and T2."""
    hours, out = tmp_path / "h.csv", tmp_path / "w.zip"
    hours.write_text("job_type,hour,jobs\nT2,9,400\n")
    words = ("system", "two-by-two", "--by-hour", hours, "--fades", "2")
    assert _ran(capsys, "generate-workload", *words, "-o", out)[0] == 0
    workload = inspect_workload(out).require().workload
    assert 300 < len(workload.jobs) < 500
    assert {workload.jobs.types[kind] for kind in workload.jobs.type.tolist()} == {"T2"}
    assert (workload.jobs.arrival // 3600 == 9).all()
    assert [piece.begin for piece in workload.curves.pieces[0]] == [0, 7200]


@pytest.mark.thorough
def test_a_published_day_has_its_published_budget(capsys, tmp_path: Path) -> None:
    for cores, joules in ((100_000, 12e9), (99_999, math.inf)):
        _ran(capsys, "generate-workload", "budget", "--cores", cores, "-o", tmp_path / "w")
        assert inspect_workload(tmp_path / "w").require().day_joules == joules


def test_the_seed_decides_what_is_drawn(capsys, tmp_path: Path) -> None:
    texts = []
    for name, seed in (("a.json", 1), ("b.json", 1), ("c.json", 2)):
        _ran(capsys, "generate-workload", "testbed", "--seed", seed, "-o", tmp_path / name)
        texts.append((tmp_path / name).read_text())
    assert texts[0] == texts[1] != texts[2]


def test_a_log_becomes_a_workload_with_what_was_done_to_it(capsys, tmp_path: Path) -> None:
    log = tmp_path / "a.swf"
    rows = [f"{k} {k} 5 50 4 -1 -1 4 {20 + 20 * k} -1 1 1 1 1 1 1 -1 -1" for k in range(4)]
    log.write_text("; MaxProcs: 8\n" + "\n".join(rows) + "\n")
    out = tmp_path / "w"
    words = ("log", log, "--watts", "2", "-o", out)
    status, _, err = _ran(capsys, "generate-workload", *words)
    assert status == 0
    assert "2 jobs ran longer than asked for" in err
    file = inspect_workload(out).require()
    assert file.workload.options.seconds.tolist() == [50, 50, 60, 80]
    assert _ran(capsys, "replay", out, "--policy", "easy")[0] == 0


def test_a_log_is_replayed_itself(capsys, tmp_path: Path) -> None:
    """As is its workload; a packed log, too. What the log does not say is noted."""
    rows = [f"{k} {k} 5 50 4 -1 -1 4 {20 + 20 * k} -1 1 1 1 1 1 1 -1 -1" for k in range(4)]
    text = "\n".join(rows) + "\n"
    log, packed = tmp_path / "a.swf", tmp_path / "a.swf.gz"
    log.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    found = []
    _ran(capsys, "generate-workload", "log", log, "-o", tmp_path / "w")
    for given in (log, packed, tmp_path / "w"):
        status, said, err = _ran(capsys, "replay", given, "--policy", "easy", "--json")
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
    status, _, err = _ran(capsys, "generate-workload", "log", log, *words, "-o", out)
    assert status == 0
    assert "c.csv, row line 4: fits no job" in err
    found = []
    for given in ((log, *words), (out,)):
        status, said, _ = _ran(capsys, "replay", *given, "--stop", "tiers", "--json")
        assert status == 0
        found.append(json.loads(said)["policies"]["easy-tiers"])
    assert found[0]["stops"] == 1
    assert found[0]["worth"] == found[1]["worth"] == 10
    day = tmp_path / "h.csv"
    day.write_text("job_type,hour,jobs\nT2,9,400\n")
    classes.write_text("name,worth\nT2,4\nT3,5\n")
    words = ("system", "two-by-two", "--by-hour", day, *words)
    status, _, err = _ran(capsys, "generate-workload", *words, "-o", tmp_path / "d")
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
    status, text, err = _ran(capsys, *words, "--classes", classes)
    assert status == 0
    assert re.search(r"In the log itself +1 +2\b", text)
    assert "1 job was requeued, and 2 core-hours of work were lost" in err
    assert re.search(r"Classes of jobs\n +Name .*\n +\* +1 +always +never +0 +no +yes\n", text)
    assert "c.csv" not in err
    said = json.loads(_ran(capsys, *words, "--json")[1])
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
    assert _ran(capsys, "generate-workload", "log", log, *flags, "-o", out)[0] == 0
    options = inspect_workload(out).require().workload.options
    assert options.seconds == pytest.approx([800, 500] * 2)
    assert options.watts.tolist() == [2, 8] * 2
    status, said, err = _ran(capsys, "replay", log, "--policy", "max-vptr", *words, "--no-bound")
    assert (status, "assumed 4 GB, as much as jobs asked for at once" in err) == (2, False)
    assert "line 3, column memory_gb: is 8, but the cluster has 4 GB; leave the size out" in err
    sizes.write_text(SIZES.replace("4,8", "4,4"))
    status, said, err = _ran(capsys, "replay", log, "--policy", "max-vptr", *words, "--no-bound")
    assert status == 0
    assert "assumed 4 GB, as much as jobs asked for at once" in err
    assert re.search(r"Sizes\n +Size .*\n +(1 core, 2|4 cores, 4) GB +\d", said)
    assert re.search(r"Price an hour\n +small +1 +2 +0.1\n +large +4 +4\n", said)
    asked = replay(log, policies=["easy"], sizes=sizes, bound=False)
    assert asked.complete


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
    status, _, err = _ran(capsys, "generate-workload", "log", "a.swf", *words, "-o", "w")
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
    status, _, err = _ran(capsys, "replay", workload, "--classes", tmp_path / "c.csv")
    assert status == 2
    assert f"{workload} is none; leave --classes out, and say of each job in jobs.csv" in err


def test_a_table_of_jobs_that_looks_like_a_log_is_a_workload(capsys, tmp_path: Path) -> None:
    """A table of runs has a task, a machine and seconds; jobs have a time of arrival, too."""
    path = tmp_path / "jobs.csv"
    path.write_text("task,machine,seconds,arrival\na,m,100,0\nb,m,100,50\n")
    status, text, err = _ran(capsys, "replay", path, "--policy", "easy", "--no-bound", "--json")
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
    assert _ran(capsys, "replay", log, "--policy", "easy")[0] == 0
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
    status, out, err = _ran(capsys, "replay", tmp_path / name)
    assert (status, out) == (2, "")
    assert message in err


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
    ],
)
def test_what_cannot_be_drawn_is_said(capsys, tmp_path: Path, words, message: str) -> None:
    status, _, err = _ran(capsys, "generate-workload", *words, "-o", tmp_path / "w")
    assert status == 2
    assert message in err
    assert not (tmp_path / "w").exists()


def test_an_output_that_cannot_be_written_is_refused_first(capsys, tmp_path: Path) -> None:
    status, _, err = _ran(capsys, "generate-workload", "testbed", "-o", tmp_path / "no" / "w.zip")
    assert status == 2
    assert "no such folder" in err


def _vptr(capsys, *words: str) -> dict[str, object]:
    said = "--policy", "max-vptr", "--no-bound", "--json"
    status, text, err = _ran(capsys, "replay", *words, *said)
    assert status == 0, err
    found = json.loads(text)["policies"]["max-vptr"]
    return {name: value for name, value in found.items() if not name.startswith("seconds")}


def test_a_day_of_value_has_other_cores_memory_and_weights(capsys, tmp_path: Path) -> None:
    _ran(capsys, "generate-workload", "value", "-o", tmp_path / "day")
    usual = _vptr(capsys, "value")
    assert _vptr(capsys, "value", "--weights", tmp_path / "day") == usual
    few = _vptr(capsys, "value", "--cores", 128)
    assert few["worth"] < usual["worth"]
    assert few == _vptr(capsys, "value-128-256")
    assert _vptr(capsys, "value", "--memory", 384) == _vptr(capsys, "value-256-384")
    weights = tmp_path / "day" / "weights.csv"
    rows = weights.read_text().splitlines()
    weights.write_text("\n".join([rows[0], *(f"{row.rsplit(',', 1)[0]},0" for row in rows[1:])]))
    assert _vptr(capsys, "value", "--weights", weights)["value_energy"] == 0
    assert _vptr(capsys, "value", "--memory-weight", 0)["worth"] != usual["worth"]
    assert _vptr(capsys, "value", "--memory-weight", 1) == usual
    by_price = _vptr(capsys, "value", "--weights", "tariff", "--day-tariff", "0:0.1,12:0.3")
    assert by_price["value_energy"] not in (0, usual["value_energy"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("budget", "--cores", 64), "--cores: for the workload value only, and budget is another"),
        (("value", "--cores", 8), "8 is out of range"),
        (("value", "--weights", "tariff"), "the same at all hours; give --day-tariff"),
        (
            ("budget", "--weights", "tariff", "--day-tariff", "0:1,9:2"),
            "the jobs have no value functions; leave it out",
        ),
        (("value", "--weights", "none.csv"), "none.csv: does not exist"),
    ],
)
def test_weights_and_amounts_that_are_not_for_a_workload_are_said(capsys, words, message) -> None:
    status, _, err = _ran(capsys, "replay", *words)
    assert status == 2
    assert message in err
