"""`wattfront derive` writes a system and its provenance, and says what was not used and why."""

import csv
import hashlib
import json
import re
import tempfile
from pathlib import Path

import pytest
from log_stores import dump
from options import options

from core.capabilities.derive import CAPABILITY, command
from core.engines.logs.derived import derivation
from core.files import read_system

ROWS = [
    {"JobName": name, "Partition": partition, "NodeList": f"{partition}{k}", "AllocCPUS": 8}
    for name, partition in [("sort", "cpu"), ("sort", "gpu"), ("md", "cpu")]
    for k in range(4)
]
FAILED = {"State": "FAILED", "JobName": '=cmd|"x"', "Partition": "cpu"}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "jobs.txt"
    path.write_text(dump(*ROWS, FAILED) + "99|cut off")
    return path


def test_the_answer_counts_rows_types_and_pairs(wattfront, log, tmp_path):
    found = wattfront("derive", log, "-o", tmp_path / "s.json", "--json").data
    assert found.pop("seconds").keys() == {"read", "derive"}
    assert found == {
        "rows": 14,
        "steps": 0,
        "jobs": 13,
        "used": 12,
        "rejected": {"cut off at the end of the log": 1, "ended as FAILED": 1},
        "task_types": 2,
        "machine_types": 2,
        "pairs": {"measured": 3, "estimated": 0, "impossible": 1},
        "held_out_error": None,
        "requeued_jobs": 0,
        "lost_core_seconds": 0.0,
        "placement": {"machine_seconds": 720.0, "joules": None, "recorded_joules": None},
    }
    allowed = ("--allow", "md", "gpu", "--json")
    found = wattfront("derive", log, "-o", tmp_path / "s.json", *allowed).data
    assert found["pairs"] == {"measured": 3, "estimated": 1, "impossible": 0}
    system = read_system(tmp_path / "s.json")
    assert system.estimated.tolist() == [[False, False], [False, True]]


def test_the_origin_says_which_log_rules_and_runs(wattfront, log, tmp_path):
    rules = ("--task-type", "name", "--min-runs", "2", "--allow", "md", "*")
    wattfront("derive", log, "-o", tmp_path / "s.xlsx", *rules)
    origin = json.loads((tmp_path / "s.provenance.json").read_text())
    (source,) = origin["logs"]
    assert source["name"] == "jobs.txt"
    assert source["sha256"] == hashlib.sha256(log.read_bytes()).hexdigest()
    assert (source["rows"], source["format"]) == (14, "sacct")
    rules = [origin["rules"][name] for name in ("machine_type", "min_runs", "rare_below")]
    assert rules == ["prefix", 2, 3]
    assert [pair["origin"] for pair in origin["pairs"]].count("measured") == 3


def test_rows_not_used_are_written_with_their_reasons(wattfront, log, tmp_path):
    out = tmp_path / "rejected.csv"
    wattfront("derive", log, "-o", tmp_path / "s", "--rejected", out)
    cut, failed = csv.DictReader(out.read_text().splitlines())
    assert (cut["reason"], cut["row"]) == ("cut off at the end of the log", "99|cut off")
    assert (cut["log"], cut["line"], cut["job"]) == ("jobs.txt", "15", "")
    assert (failed["reason"], failed["line"], failed["job"]) == ("ended as FAILED", "14", "13")
    assert failed["name"] == '\'=cmd|"x"'


def test_rules_of_machines_may_come_from_a_table(wattfront, log, tmp_path):
    table = tmp_path / "nodes.csv"
    table.write_text(
        "node,type,cores,idle_watts,busy_watts\n"
        '"cpu[0-3]",slow,16,50,200\n"gpu[0-9]",fast,8,100,900\n'
    )
    out = tmp_path / "s.json"
    wattfront("derive", log, "-o", out, "--nodes", table, "--no-estimates")
    system = read_system(out)
    assert system.machine_names == ("slow", "fast")
    assert system.machine_counts.tolist() == [4, 10]
    assert system.idle_power.tolist() == [50, 100]
    assert system.etc.tolist() == [[30, 60], [30, float("inf")]]
    assert system.apc[0].tolist() == [200, 900]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-o", "s.txt"], "a system cannot be .txt"),
        (["-o", "nowhere/s.json"], "there is no such folder; make it first"),
        (["-o", "s.json", "--rejected", "r.txt"], "name a .csv file"),
        (["-o", "s.json", "--task-type", "pattern:("], "is no regular expression"),
        (["-o", "s.json", "--machine-type", "colour"], "is no column of this log"),
        (["-o", "s.json", "--state", "paused"], "12 ended as COMPLETED"),
        (["-o", "s.json", "--min-runs", "5"], "ask for fewer runs"),
        (["-o", "s.json", "--min-runs", "5", "--state", "cd"], "ask for fewer runs"),
        (
            ["-o", "s.json", "--allow", "md", "GPU"],
            "'GPU' is no machine type of this log; they are",
        ),
        (["-o", "s.json", "--allow", "no", "*"], "'no' is no task type of this log; they are"),
        (["-o", "s.json", "--min-runs", "0"], "1 to 1e+06 runs"),
        (["-o", "s.json", "--nodes", "missing.csv"], "missing.csv"),
        (["-o", "s.json", "--format", "swf"], "is not recognised; give an SWF log"),
    ],
)
def test_what_cannot_be_done_is_said_with_the_remedy(
    wattfront, log, tmp_path, monkeypatch, options, said
):
    monkeypatch.chdir(tmp_path)
    outcome = wattfront("derive", log, *options)
    assert any(said in line for line in outcome.complaints), outcome.complaints
    assert outcome.status != 0
    assert not (tmp_path / "s.json").exists()


def test_watts_of_monitoring_are_said_and_kept(wattfront, tmp_path):
    whole = {"AllocCPUS": 8, "NodeList": "n1", "Elapsed": "00:30:00"}
    starts = [{**whole, "Start": f"2024-03-01T{hour:02}:00:00"} for hour in range(4)]
    (tmp_path / "jobs.txt").write_text(dump(*starts))
    moments = [f"2024-03-01 0{k // 12}:{k % 12 * 5:02}:01" for k in range(40)]
    rows = [f"{moment},n1,{210 if k % 12 < 6 else 90}\n" for k, moment in enumerate(moments)]
    (tmp_path / "w.csv").write_text("time,node,watts\n" + "".join(rows))
    words = ("-o", tmp_path / "s.json", "--watts", tmp_path / "w.csv")
    answer = wattfront("derive", tmp_path / "jobs.txt", *words)
    said = " ".join(answer.out.split())
    assert "Measured idle watts of a node, while nothing ran on it: n 90 W (18 samples" in said
    assert "Powers of measured pairs: 1 pair from samples on nodes that ran one task type" in said
    system = read_system(tmp_path / "s.json")
    assert (system.idle_power.tolist(), system.apc.tolist()) == ([90], [[210]])
    origin = json.loads((tmp_path / "s.provenance.json").read_text())
    assert origin["powers_from"] == "samples"
    idle = {"machine_type": "n", "runs": 18, "value": 90, "confidence95": None}
    assert origin["idle_watts"] == [{**idle, "half_between": [90, 90]}]


def test_the_sample_log_brings_its_nodes(wattfront, tmp_path, monkeypatch):
    """So there is a trade-off from the first command on; a file of its name has precedence."""
    found = wattfront("derive", "university", "-o", tmp_path / "s.json", "--json").data
    assert (found["jobs"], found["task_types"], found["machine_types"]) == (4000, 13, 5)
    system = read_system(tmp_path / "s.json")
    assert dict(zip(system.machine_names, system.idle_power.tolist(), strict=True))["compute"] == 62
    assert system.machine_counts.sum() == 40
    monkeypatch.chdir(tmp_path)
    Path("university").write_text(dump(*ROWS))
    assert wattfront("derive", "university", "-o", "s.json", "--json").data["jobs"] == 12


def test_every_option_is_explained():
    assert options(command.declare) == {
        "logs": ("LOG", True),
        "--output": ("SYSTEM", True),
        "--format": (("auto", "sacct", "swf", "runs"), False),
        "--task-type": ("RULE", False),
        "--machine-type": ("RULE", False),
        "--machine": (("node", "core", "gpu", "job"), False),
        "--nodes": ("FILE", False),
        "--watts": ("FILE", False),
        "--state": ("STATE", False),
        "--statistic": (("mean", "median", "trimmed"), False),
        "--min-runs": ("N", False),
        "--rare": (("gather", "drop"), False),
        "--rare-below": ("N", False),
        "--no-estimates": (None, False),
        "--allow": (("TASK", "MACHINE"), False),
        "--rejected": ("FILE", False),
        "--spread": ("FILE", False),
    }
    assert (CAPABILITY.command, bool(CAPABILITY.summary)) == ("derive", True)


def test_every_option_is_a_rule_of_the_provenance(wattfront, log, tmp_path):
    words = "--task-type stem --machine-type partition --machine core --state failed"
    more = "--state completed --statistic trimmed --min-runs 1 --rare drop --rare-below 2 "
    more += "--allow sort cpu --allow * gpu"
    wattfront("derive", log, "-o", tmp_path / "s.json", *words.split(), *more.split())
    assert json.loads((tmp_path / "s.provenance.json").read_text())["rules"] == {
        "task_type": "stem",
        "machine_type": "partition",
        "machine": "core",
        "states": ["FAILED", "COMPLETED"],
        "statistic": "trimmed",
        "min_runs": 1,
        "rare": "drop",
        "rare_below": 2,
        "allowed": [["sort", "cpu"], ["*", "gpu"]],
        "begin": None,
        "end": None,
    }


def test_the_words_are_all_that_happened(wattfront, log, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(derivation.time, "perf_counter", iter([100.0, 102.0, 105.0]).__next__)
    outcome = wattfront("derive", log, "-o", "s.json")
    assert outcome.err == ""
    lead, *figures = outcome.out.partition("\n\n")[0].splitlines()
    assert lead == "s.json: 12 of 13 jobs are used"
    assert [tuple(re.split(" {2,}", line.strip())) for line in figures[1:]] == [
        ("Pairs", "3 pairs measured, 0 estimated, 1 impossible"),
        ("The log's own placement", "0.2 node-hours"),
        ("Took", "read 2 s, derive 3 s"),
        ("Written to", "s.json, and its origin to s.provenance.json"),
    ]
    _, table, sentences = outcome.out.split("\n\n")
    assert [tuple(re.split(" {2,}", line.strip())) for line in table.splitlines()] == [
        ("Not used",),
        ("How many", "Why"),
        ("1 row", "cut off at the end of the log"),
        ("1 job", "ended as FAILED"),
    ]
    assert sentences.startswith("Task types: ")


def test_the_store_goes(wattfront, log, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    wattfront("derive", log, "-o", tmp_path / "s.json")
    wattfront("derive", log, "-o", tmp_path / "t.json", "--min-runs", "5")
    assert list(tmp_path.glob("wattfront-runs-*")) == []
