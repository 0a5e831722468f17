"""A real Slurm takes the lines that stop jobs, and stops and starts them as the replay says."""

import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pytest
from patience import PATIENCE
from slurm.cluster import Cluster, started
from slurm.configuration import OFTEN
from slurm.packages import missing_packages

from core.capabilities.arrivals.made.from_logs import LogWork, LogWorkload, workload_of_log
from core.capabilities.arrivals.policies import policy_named
from core.engines.logs.reading.logs import read_logs
from core.engines.replay.classes import JobClass, classes_of_rows
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.stopping.rules import NOTHING, Stopping
from core.engines.slurm.preemption import PreemptMode, preemption_lines, qos_commands

CLASSES: Final = (
    JobClass(partition="high", tier=1, may_stop_others=True),
    JobClass(partition="low", may_be_stopped=True),
)
BY_QOS: Final = (
    JobClass(qos="high", tier=2, may_stop_others=True),
    JobClass(qos="mid", tier=1, may_be_stopped=True),
    JobClass(qos="low", may_be_stopped=True),
)
REQUEUED: Final = Stopping(checkpoints=NOTHING, whom="youngest")
GRANULARITY: Final = 6.0
"""Seconds within which Slurm ends a job, looks again and starts another; several times in a row."""
COLUMNS: Final = (
    "JobID,JobName,Partition,State,Submit,Start,End,ElapsedRaw,Timelimit,AllocCPUS,NNodes"
)

pytestmark = pytest.mark.thorough


class Submitted(NamedTuple):
    """A job of the day: when it is submitted (s), its nodes, seconds, and minutes of its limit."""

    at: float
    name: str
    nodes: int
    seconds: int
    limit: int = 1

    @property
    def partition(self) -> str:
        return "high" if self.name.startswith("h") else "low"


DAY: Final = (
    Submitted(0, "long", 1, 40),
    Submitted(5, "twice", 1, 45, limit=5),
    Submitted(10, "hurried", 1, 20),
    Submitted(42, "brief", 1, 30),
    Submitted(50, "huge", 2, 20),
    Submitted(55, "wide", 2, 10),
    Submitted(80, "filler", 1, 8),
)
"""On two nodes: `twice` is stopped for `hurried`, and with `brief` for `huge`; `filler` begins
before `wide`, which would not begin earlier without it.
"""


def scheduling(stopping: Stopping, mode: PreemptMode) -> str:
    """The lines to copy, added to what the cluster has."""
    lines = preemption_lines(stopping, mode, CLASSES)
    lines = lines.replace("SchedulerParameters=", f"SchedulerParameters={OFTEN},")
    lines = re.sub(
        r"^(PartitionName=.*)$", r"\1 Nodes=cpu[1-2] MaxTime=INFINITE", lines, flags=re.M
    )
    return f"{lines}PartitionName=all Nodes=ALL Default=YES PriorityTier=10 PreemptMode=OFF\n"


@pytest.fixture(scope="module")
def preempting() -> Iterator[Cluster]:
    if missing_packages():
        pytest.skip("Slurm is not installed")
    with started(scheduling(REQUEUED, "REQUEUE")) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def day(preempting: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `sacct` says of the day."""
    begin, todo = time.monotonic(), list(DAY)
    while todo:
        if time.monotonic() >= begin + todo[0].at:
            job = todo.pop(0)
            words = (f"--job-name={job.name}", f"--partition={job.partition}", "--exclusive")
            words += (f"--nodes={job.nodes}", f"--time={job.limit}")
            preempting.submit(*words, script=f"sleep {job.seconds}")
        preempting.end_delays()
        time.sleep(0.2)

    def all_have_ended() -> bool:
        preempting.end_delays()
        return not preempting.run("squeue", "--noheader")

    preempting.wait_for(all_have_ended, PATIENCE + sum(job.seconds for job in DAY))
    preempting.wait_until_done()
    path = tmp_path_factory.mktemp("day") / "jobs.txt"
    words = ("--duplicates", "--allocations", "--parsable2", f"--format={COLUMNS}")
    path.write_text(preempting.sacct(*words))
    return path


@pytest.fixture(scope="module")
def made(day: Path) -> LogWorkload:
    """The workload of its log: 2 nodes, and classes by partition."""
    store = read_logs([day])
    try:
        return workload_of_log(store, LogWork("nodes", 2, classes=classes_of_rows(CLASSES)))
    finally:
        store.close()


def test_a_day_is_stopped_and_started_again_as_the_replay_says(
    day: Path, made: LogWorkload
) -> None:
    header, *rows = [line.split("|") for line in day.read_text().splitlines()]
    cells = [dict(zip(header, row, strict=True)) for row in rows]
    moments = {
        column: np.array([row[column] for row in cells], "datetime64[s]").astype(float)
        for column in ("Submit", "Start", "End")
    }
    begin = moments["Submit"].min()
    order = np.lexsort(([int(row["JobID"]) for row in cells], moments["Start"]))
    file = made.file
    settings = ReplaySettings(every=1.0, stopping=REQUEUED)
    outcome = replay(file.workload, policy_named("easy-tiers").policy, file.truth, settings)
    pieces = outcome.pieces.at(np.lexsort((outcome.pieces.job, outcome.pieces.start)))
    names = [DAY[job].name for job in pieces.job.tolist()]
    assert [cells[row]["JobName"] for row in order] == names
    stopped = [cells[row]["State"] == "PREEMPTED" for row in order]
    assert stopped == (pieces.kept == 0).tolist()
    assert sum(stopped) == 3
    for column, said in (("Start", pieces.start), ("End", pieces.end)):
        assert np.abs(moments[column][order] - begin - said).max() <= GRANULARITY
    lost = float((pieces.end - pieces.start) @ (pieces.kept == 0))
    assert (made.lost.jobs, made.lost.attempts) == (2, 3)
    assert abs(made.lost.node_seconds - lost) <= 3 * GRANULARITY


@pytest.mark.parametrize(
    ("stopping", "mode", "said"),
    [
        (Stopping(least_run=90.0, stop_seconds=29.5), "CANCEL", ("CANCEL", "00:01:30", 30)),
        (Stopping(least_run=7200.0), "REQUEUE", ("REQUEUE", "02:00:00", 0)),
        (Stopping(least_run=60.0), "SUSPEND", ("GANG,SUSPEND", "00:00:00", 0)),
    ],
)
def test_slurm_takes_the_lines(
    preempting: Cluster, stopping: Stopping, mode: PreemptMode, said: tuple[str, str, int]
) -> None:
    path = preempting.folder / "slurm.conf"
    head = path.read_text().partition("PreemptType=")[0]
    path.write_text(head + scheduling(stopping, mode))
    preempting.run("scontrol", "reconfigure")
    words = ("scontrol", "show")
    of_all = dict(re.findall(r"^(\w+) *= (.*)$", preempting.run(*words, "config"), re.M))
    found = dict(re.findall(r"(\w+)=(\S+)", preempting.run(*words, "partition", "low")))
    assert of_all["PreemptMode"] == said[0]
    assert (of_all["PreemptExemptTime"], int(found["GraceTime"])) == said[1:]
    assert of_all["PreemptType"] == "preempt/partition_prio"
    assert "preempt_strict_order,preempt_reorder_count=1" in of_all["SchedulerParameters"]
    assert found["PriorityTier"] == "1"
    assert found["PreemptMode"] == mode
    high = preempting.run(*words, "partition", "high")
    assert "PriorityTier=2" in high
    assert "PreemptMode=OFF" in high


@pytest.mark.parametrize("order", [("low", "mid"), ("mid", "low")])
def test_by_qos_the_lowest_tier_is_stopped_first(order: tuple[str, str]) -> None:
    """On two nodes; the commands also take back what a QOS could stop that still stops others."""
    if missing_packages():
        pytest.skip("Slurm is not installed")
    asked = Stopping(NOTHING, whom="oldest")
    lines = preemption_lines(asked, None, BY_QOS)
    lines = lines.replace("SchedulerParameters=", f"SchedulerParameters={OFTEN},")
    partitions = "PartitionName=two Nodes=cpu[1-2] MaxTime=INFINITE\n"
    partitions += "PartitionName=all Nodes=ALL Default=YES\n"
    with started(f"{lines}{partitions}") as cluster:
        for row in BY_QOS:
            cluster.run("sacctmgr", "-i", "add", "qos", row.qos)
        cluster.run("sacctmgr", "-i", "modify", "qos", "high", "set", "Preempt=normal")
        for line in qos_commands(asked, None, BY_QOS).splitlines():
            cluster.run(*shlex.split(line))
        words = ("sacctmgr", "-nP", "show", "qos", "format=Name,Priority,Preempt,PreemptMode")
        known = {row.split("|")[0]: row for row in cluster.run(*words).splitlines()}
        assert {known[row.qos] for row in BY_QOS} == {
            "high|3|low,mid|cluster",
            "mid|2||requeue",
            "low|1||requeue",
        }

        def begun(qos: str, seconds: int) -> str:
            words = (f"--qos={qos}", "--partition=two", "--exclusive", "--time=5")
            return cluster.submit(*words, script=f"sleep {seconds}")

        running = {}
        for qos in order:
            running[qos] = begun(qos, 300)
            cluster.wait_until("RUNNING", running[qos])
        cluster.wait_until("COMPLETED", begun("high", 1))
        states = ("--duplicates", "--allocations", "--format=State")
        stopped = {
            qos: "PREEMPTED" in cluster.sacct(*states, f"--jobs={job}")
            for qos, job in running.items()
        }
    assert stopped == {"low": True, "mid": False}
