"""`wattfront compare-run` says what became of a schedule, or why a log cannot say it."""

import csv
import json
import tempfile
from dataclasses import replace

import numpy as np
import pytest
from capabilities.compare_run.conftest import AS_PLANNED, HEADER, Row, dump
from options import options

from core import Schedule, System, write_schedule, write_system
from core.capabilities.compare_run import CAPABILITY, command
from core.engines.slurm.job_arrays import job_arrays_of
from core.vocabulary.kinds import MachineType, TaskType


@pytest.fixture
def compare(wattfront, files):
    def run(*words):
        return wattfront("compare-run", "system.json", "schedule.csv", *words)

    return run


def test_what_was_planned_happened(compare):
    outcome = compare("log")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.startswith(
        "schedule.csv: Planned for 16 s; it took 16 s (0 %).\n\nMachines that deviate most\n"
        "  Machine  Node  Planned  Measured  Later  Waited  Remarks\n"
        "  A #1     n0-1  16 s     16 s      0 s    0 s\n"
    )
    assert outcome.out.endswith(
        "\n\nAll 10 tasks ran.\nEvery machine kept the order of the schedule.\n"
    )


def test_programs_get_everything(compare, files, plan):
    rows = [
        replace(AS_PLANNED[0], state="FAILED", joules="9"),
        *AS_PLANNED[1:8],
        replace(AS_PLANNED[8], end=9, joules="30"),
    ]
    other = AS_PLANNED[0].line(plan).replace("wf-", "other-")
    (files / "log").write_text(dump(plan, rows, other))
    data = compare("log", "--json").data
    assert data["makespan"] == {"planned": 16, "measured": 16}
    assert data["energy"] == {"planned": 5, "measured": 30, "tasks": 1}
    assert [data[key] for key in ("tasks", "ran", "failed", "missing")] == [10, 8, 1, 1]
    assert [data[key] for key in ("again", "overlapping", "elsewhere", "running")] == [0, 0, 0, 0]
    assert (data["in_order"], data["waited"]) == (True, 0)
    assert (data["not_of_this_schedule"], data["other_runs"]) == (1, [])
    assert [one["machine"] for one in data["machines"]] == [1, 2, 1]
    assert data["machines"][2] == {
        **{"machine_type": "B", "machine": 1, "nodes": ["n1-1"], "tasks": 4, "ran": 3},
        **{"failed": 0, "missing": 1, "again": 0, "overlapping": 0, "elsewhere": 0},
        **{"planned": 4, "measured": 9, "began": 0, "waited": 0, "in_order": True},
    }
    assert data["pairs"][1] == {
        **{"task_type": "y", "machine_type": "A", "planned": 2, "measured": 2, "ran": 2}
    }
    assert data["pairs"][2] == {
        **{"task_type": "y", "machine_type": "B", "planned": 1, "measured": 1, "ran": 3}
    }


def test_the_file_has_a_row_for_each_machine(compare, files, plan):
    """Two tasks in the other order; of the other machines nothing is there."""
    rows = [replace(AS_PLANNED[3], start=-2, end=0), *AS_PLANNED[:3], AS_PLANNED[4]]
    (files / "log").write_text(dump(plan, rows))
    outcome = compare("log", "-o", "machines.csv")
    assert "  written to  machines.csv\n" in outcome.out
    rows = list(csv.DictReader((files / "machines.csv").open()))
    assert [row["missing"] for row in rows] == ["0", "1", "4"]
    assert [row["measured (s)"] for row in rows] == ["18", "", ""]
    assert rows[0]["nodes"] == "n0-1"
    assert [row["in_order"] for row in rows] == ["no", "yes", "yes"]


def test_words_have_a_limited_table(wattfront, files, largest_fleet):
    plan, rows = largest_fleet
    (files / "log").write_text(dump(plan, rows))
    outcome = wattfront("compare-run", "fleet.json", "fleet.csv", "log")
    said = outcome.out.splitlines()
    assert said[4].startswith("  A #12 ")  # the most late
    assert said[14] == "  … and 2 machines that deviate less"


@pytest.fixture
def largest_fleet(files):
    """Twelve machines with a task each; the last is the most late."""
    system = System((TaskType("x", 12),), (MachineType("A", 12),), np.array([[5.0]]))
    schedule = Schedule(system, np.array([0]), np.array([12]), np.array([[1]]))
    write_system(system, files / "fleet.json")
    write_schedule(schedule, files / "fleet.csv")
    return job_arrays_of(schedule.blocks(), system), [Row(k, 0, 0, 5 + k) for k in range(12)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "log: is empty; give a log with its rows"),
        (HEADER + "\n", "error: log: has no jobs; dump them with sacct --parsable2"),
        ("JobID|State|Start|Elapsed\n1|CD|5|00:01:00\n", "log, column JobName: is missing; dump"),
        ("JobID|JobName|Elapsed\n1|a|00:01:00\n", "error: log, column Start: is missing; dump"),
        ("JobName|Start|Elapsed\na|5|00:01:00\n", "error: log, column JobID: is missing; dump"),
        (HEADER + "\n1|a|CD|1|2|n|\n", "log: has no job of this schedule that started"),
        (
            HEADER + "\n1_0|wf-12345678-0000000a-1-1-1-0|CD|1|2|n|\n",
            "jobs of 1 other schedule (12345678), so give the system and the schedule that were",
        ),
        (HEADER + "\n1_0|wf-123456+|CD|1|2|n|\n", "column JobName: has names that are cut off"),
        (
            HEADER + "\n7|wf-DIGEST-0000000a-1-1-1-0|CD|1|2|n|\n",
            "column JobID: does not say the tasks of job arrays, as JobIDRaw does not; dump",
        ),
        (
            HEADER + "\n7_[0-3]|wf-DIGEST-0000000a-1-1-1-0|PENDING|Unknown|Unknown||\n",
            "log: has no job of this schedule that started",
        ),
        ("task,machine,seconds\na,b,1\n", "a dump of sacct with its header"),
    ],
)
def test_a_log_that_cannot_say_it(compare, files, plan, text, said):
    (files / "log").write_text(text.replace("DIGEST", plan.digest))
    outcome = compare("log", "-o", "machines.csv")
    assert outcome.status == 2
    (complaint,) = outcome.complaints
    assert said in complaint
    assert not (files / "machines.csv").exists()


def test_what_cannot_be_compared_and_what_is_odd_is_said(wattfront, compare, files):
    refused = compare("log", "--run", "0000000f").err
    assert "has no run '0000000f' of this schedule; give one of 00000001" in refused
    assert compare("log", "--run", "00000001").status == 0
    other = wattfront("compare-run", "two-by-two", "schedule.csv", "log", "--json")
    assert (other.status, other.data["ok"]) == (2, False)
    document = json.loads((files / "system.json").read_text())
    (files / "system.json").write_text(json.dumps({**document, "colour": 1}))
    (problem,) = compare("log", "--json").data["problems"]
    assert (problem["severity"], problem["file"]) == ("warning", "system.json")


def test_a_part_of_the_batch(compare, files, plan):
    lines = (files / "schedule.csv").read_text().splitlines(keepends=True)
    (files / "schedule.csv").write_text("".join(lines[:-1]))
    assert "are missing" in compare("log").err
    assert "other schedule" in compare("log", "--part").err


def test_every_option_is_explained():
    assert options(command.declare) == {
        "system": ("SYSTEM", True),
        "schedule": ("SCHEDULE", True),
        "logs": ("LOG", True),
        "--part": (None, False),
        "--run": ("RUN", False),
        "--output": ("FILE", False),
        "--amiss": ("FILE", False),
        "--sizes": (("TASKS", "MACHINES"), False),
    }
    assert (CAPABILITY.command, bool(CAPABILITY.summary)) == ("compare-run", True)


def test_the_store_of_the_log_goes(compare, files, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(files))
    assert compare("log").status == 0
    assert compare("log", "--run", "0000000f").status == 2
    assert list(files.glob("wattfront-runs-*")) == []


def test_a_file_that_cannot_be_written_is_said_before(compare):
    assert "r.txt cannot be written" in compare("missing", "-o", "r.txt").err
    assert "r.txt cannot be written" in compare("missing", "--amiss", "r.txt").err


def test_every_machine_is_in_the_json(compare, files, plan):
    rows = [
        replace(AS_PLANNED[0], end=5, node="z"),
        *AS_PLANNED[1:4],
        replace(AS_PLANNED[4], state="REQUEUED", start=14, end=15),
        replace(AS_PLANNED[4], start=20, end=23),
        replace(AS_PLANNED[5], start=1, state="RUNNING"),
    ]
    (files / "log").write_text(dump(plan, rows))
    data = compare("log", "--json").data
    assert data["machines"][:2] == [
        {
            **{"machine_type": "A", "machine": 1, "nodes": ["n0-1", "z"], "tasks": 5, "ran": 5},
            **{"failed": 0, "missing": 0, "again": 1, "overlapping": 1, "elsewhere": 1},
            **{"planned": 16, "measured": 23, "began": 0, "waited": 5, "in_order": True},
        },
        {
            **{"machine_type": "A", "machine": 2, "nodes": [], "tasks": 1, "ran": 0},
            **{"failed": 0, "missing": 1, "again": 0, "overlapping": 0, "elsewhere": 0},
            **{"planned": 4, "measured": None, "began": None, "waited": 0, "in_order": True},
        },
    ]
    totals = ("again", "overlapping", "elsewhere", "running", "waited", "run")
    assert [data[name] for name in totals] == [1, 1, 1, 1, 5, "00000001"]
    assert data["energy"] == {"planned": None, "measured": None, "tasks": 0}
    assert data["ok"] is True
