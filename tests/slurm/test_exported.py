"""A schedule is exported, submitted, and runs as it says; its log becomes a system again."""

import json
import shutil
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from slurm.cluster import Cluster
from slurm.exporting import COLUMNS, exported, of_our_jobs, submit
from slurm.packages import PLACES

from core import System, solve
from core.engines.logs.derived.derivation import derive
from core.engines.logs.reading.logs import read_logs
from core.engines.logs.types.settings import RunSettings
from core.engines.slurm.binding import read_binding
from core.engines.slurm.job_arrays import job_arrays_of
from core.engines.slurm.job_names import JobName
from core.engines.slurm.requested import Requested
from core.engines.slurm.scripts import script_files, write_scripts
from core.files.findings import Findings
from core.files.table_file import sheet_of_table
from core.shells.cli import main
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.requests import LogRequests, Request

Capture = pytest.CaptureFixture[str]
HOSTILE = "$(touch pwned)"
WITH_FEATURES = "CPU,,,cpu\nGPU,,,gpu\n"
ON_NODES = "CPU,,cpu[1-2],\nGPU,,gpu1,\n"


@pytest.fixture(scope="module")
def system() -> System:
    """Tasks of a second or two: nine in all, on three machines."""
    return System(
        (TaskType(HOSTILE, 4), TaskType("short", 5)),
        (MachineType("CPU", 2), MachineType("GPU", 1)),
        np.array([[2.0, 1.0], [1.0, 2.0]]),
    )


@pytest.fixture(scope="module")
def folder(system: System, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The exported scripts; what their tasks print says which they are."""
    inside = tmp_path_factory.mktemp("exported")
    return exported(system, inside, ON_NODES, "sleep {seconds}; echo {task_type} {index}")


@pytest.fixture(scope="module")
def rows(cluster: Cluster, folder: Path) -> list[list[str]]:
    """What `sacct` says of each task, after submit.sh has run twice."""
    assert submit(cluster, folder).endswith(" 0 before.\n")
    assert ": 0 now, " in submit(cluster, folder)
    run = (folder / "submitted" / "run").read_text().split()[0]
    cluster.wait_until_done(seconds=120)
    assert ": 0 now, " in submit(cluster, folder)
    return of_our_jobs(cluster, run)


def test_every_task_runs_once(rows: list[list[str]], folder: Path) -> None:
    assert [row[2] for row in rows] == ["COMPLETED"] * 9
    printed = [path.read_text().strip() for path in (folder / "output").iterdir()]
    wanted = [f"{HOSTILE} {k}" for k in range(4)] + [f"short {k}" for k in range(5)]
    assert sorted(printed) == sorted(wanted)


def test_nothing_of_a_name_is_executed(rows: list[list[str]], folder: Path) -> None:
    assert rows
    assert not [*folder.parent.rglob("pwned")]


def test_each_machine_runs_one_task_after_the_other_on_its_node(rows: list[list[str]]) -> None:
    machines: dict[tuple[int, int], list[list[str]]] = defaultdict(list)
    for row in rows:
        name = JobName.parse(row[1])
        assert name is not None
        machines[name.machine_type, name.machine].append(row)
    nodes = {machine: {row[8] for row in of_one} for machine, of_one in machines.items()}
    assert nodes == {(0, 1): {"cpu1"}, (0, 2): {"cpu2"}, (1, 1): {"gpu1"}}
    for of_one in machines.values():
        ordered = sorted(of_one, key=lambda row: row[3])
        for before, after in pairwise(ordered):
            assert before[4] <= after[3]


def test_the_log_becomes_a_system_again(
    cluster: Cluster, rows: list[list[str]], tmp_path: Path
) -> None:
    assert rows
    for arguments in (("--parsable2",), ("--parsable",), ("--delimiter=,", "--parsable2")):
        log = tmp_path / "dump.txt"
        log.write_text(cluster.sacct(*arguments, f"--format={COLUMNS}"))
        store = read_logs([log], folder=tmp_path)
        rule = r"pattern:^wf-\w+-\w+-\d+-\d+-(\d+)"
        found = derive(store, RunSettings(rule, "prefix", "job", min_runs=1, rare_below=1))
        store.close()
        assert found.used == 9
        assert found.system.machine_names == ("cpu", "gpu")
        assert sorted(found.system.task_counts.tolist()) == [4, 5]
        assert found.system.etc[found.measured].max() <= 4  # seconds, of tasks of at most 2


def test_what_happened_is_set_beside_what_was_planned(
    cluster: Cluster, rows: list[list[str]], folder: Path, tmp_path: Path, capsys: Capture
) -> None:
    assert rows
    log = tmp_path / "dump.txt"
    log.write_text(cluster.sacct("--parsable2", "--duplicates", f"--format={COLUMNS}"))
    words = ["compare-run", folder.parent / "system", folder.parent / "schedule.csv", log]
    assert main([*map(str, words), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["tasks"], found["ran"], found["in_order"]) == (9, 9, True)
    amiss = ("failed", "missing", "again", "overlapping", "elsewhere")
    assert [found[kind] for kind in amiss] == [0] * 5
    assert [one["nodes"] for one in found["machines"]] == [["cpu1"], ["cpu2"], ["gpu1"]]
    # Slurm cuts moments off to seconds.
    assert found["makespan"]["measured"] >= found["makespan"]["planned"] - 1
    assert sum(pair["ran"] for pair in found["pairs"]) == 9


@pytest.mark.thorough
def test_slurm_keeps_a_cap_at_every_moment_by_licences(cluster: Cluster, tmp_path: Path) -> None:
    """`slurm.conf` has 250 licences; idle machines draw 30 W, so the cap is 280 W. Two tasks fit
    under it, and there are three machines.
    """
    system = System(
        (TaskType("busy", 6),),
        (MachineType("CPU", 2, 10.0), MachineType("GPU", 1, 10.0)),
        np.full((1, 2), 2.0),
        np.full((1, 2), 120.5),
    )
    scripts = exported(system, tmp_path, ON_NODES, "sleep {seconds}", ("--peak-cap", "280W"))
    assert "`Licenses=watts:250`" in (scripts / "README.md").read_text()
    submit(cluster, scripts)
    run = (scripts / "submitted" / "run").read_text().split()[0]
    cluster.wait_until_done(seconds=120)
    rows = of_our_jobs(cluster, run)
    assert [row[2] for row in rows] == ["COMPLETED"] * 6
    begins = [row[3] for row in rows]
    at_once = [sum(row[3] <= begin < row[4] for row in rows) for begin in begins]
    assert max(at_once) == 2


@pytest.mark.thorough
def test_killed_in_the_middle_it_goes_on_where_it_was(
    cluster: Cluster, system: System, tmp_path: Path
) -> None:
    """Slurm takes the second job array, and submit.sh does not learn of it."""
    scripts = exported(system, tmp_path, WITH_FEATURES, "true")
    arrays = sum(line.startswith("array ") for line in (scripts / "submit.sh").open())
    assert arrays > 2
    (tmp_path / "bin").mkdir()
    fatal = tmp_path / "bin" / "sbatch"
    fatal.write_text(
        f"""#!/bin/bash
        {shutil.which("sbatch", path=PLACES)} "$@" || exit
        echo >>{tmp_path}/taken
        if [ "$(wc -l <{tmp_path}/taken)" = 2 ]; then kill -KILL 0; fi
        """
    )
    fatal.chmod(0o755)
    path = f"{fatal.parent}:{cluster.environment['PATH']}"
    words = ("setsid", "--wait", "bash", str(scripts / "submit.sh"))
    assert cluster.attempt(*words, PATH=path).returncode == -9
    assert submit(cluster, scripts).endswith(f" {arrays - 2} now, 2 before.\n")
    cluster.wait_until_done()
    run = (scripts / "submitted" / "run").read_text().split()[0]
    rows = of_our_jobs(cluster, run)
    assert [row[2] for row in rows] == ["COMPLETED"] * 9
    assert len({row[0].split("_")[0] for row in rows}) == len({row[1] for row in rows}) == arrays
    for row in rows:
        name = JobName.parse(row[1])
        assert name is not None
        assert row[8].startswith(["cpu", "gpu"][name.machine_type])


@pytest.mark.thorough
def test_a_task_may_take_longer_than_the_partition_says(cluster: Cluster, tmp_path: Path) -> None:
    """Issue 33, point 12: a task that is planned to take two minutes is not ended after the one
    minute of the partition's DefaultTime, and has its node alone.
    """
    system = System((TaskType("long", 1),), (MachineType("CPU", 1),), np.array([[120.0]]))
    scripts = exported(system, tmp_path, "CPU,1,cpu3,\n", "sleep 1")
    answer = cluster.run("bash", str(scripts / "submit.sh"), SBATCH_PARTITION="brief")
    job = cluster.run("scontrol", "show", "job", answer.split()[1])
    assert "Partition=brief" in job
    assert "TimeLimit=00:09:00" in job
    assert "OverSubscribe=NO" in job
    cluster.wait_until_done()
    run = (scripts / "submitted" / "run").read_text().split()[0]
    (row,) = of_our_jobs(cluster, run)
    assert (row[2], row[6]) == ("COMPLETED", "4"), "all processors of the node"


@pytest.mark.thorough
def test_what_a_log_asked_for_runs_on_nodes_that_have_it(
    cluster: Cluster, system: System, tmp_path: Path
) -> None:
    """Issue 35: a node has 4 cores, 1000 MiB, and a GPU on gpu1. What fits is run; Slurm refuses
    what is said to lack.
    """
    nodes = {"CPU": Request(4, 0, 1000.0), "GPU": Request(4, 1, 1000.0)}
    most = dict.fromkeys(system.task_names, Request(2, 1, 500.0, 1800.0))
    least = dict.fromkeys(system.task_names, Request(1))
    asked = Requested(system, LogRequests(least, most, nodes, {}))
    arrays = job_arrays_of(solve(system, effort=Effort(0)).schedule.blocks(), system, 1001)
    table = b"machine_type,node,partition\nCPU,cpu[1-2],brief\nGPU,gpu1,brief\n"
    sheet = sheet_of_table("map.csv", table, "map", Findings())
    bound = read_binding(sheet, system, Findings())
    assert not [*asked.lacking(arrays)]
    write_scripts(script_files(arrays, bound, None, asked), tmp_path / "fits")
    answer = submit(cluster, tmp_path / "fits")
    jobs = [line.split()[1] for line in answer.splitlines() if line.startswith("wf-")]
    details = [cluster.run("scontrol", "show", "job", job) for job in jobs]
    assert all("Partition=brief" in one and "TimeLimit=00:30:00" in one for one in details)
    assert any("gres/gpu" in one for one in details)
    cluster.wait_until_done()
    run = (tmp_path / "fits" / "submitted" / "run").read_text().split()[0]
    assert [row[2] for row in of_our_jobs(cluster, run)] == ["COMPLETED"] * 9
    more = replace(asked, typed={0: {"cores": 5.0}, 1: {"cores": 5.0}})
    assert [*more.lacking(arrays)]
    write_scripts(script_files(arrays, bound, None, more), tmp_path / "lacks")
    assert cluster.attempt("bash", str(tmp_path / "lacks" / "submit.sh")).returncode != 0


@pytest.mark.thorough
def test_jobs_can_be_cancelled(cluster: Cluster, system: System, tmp_path: Path) -> None:
    # Not `;`: bash may get its signal after `sleep` has, and goes on in between.
    scripts = exported(system, tmp_path, ON_NODES, "sleep 600 && echo ended")
    submit(cluster, scripts)
    run = (scripts / "submitted" / "run").read_text().split()[0]
    cluster.wait_for(lambda: "RUNNING" in [row[2] for row in of_our_jobs(cluster, run)])
    cluster.run("bash", str(scripts / "cancel.sh"))
    cluster.wait_until_done()
    states = {row[2].split()[0] for row in of_our_jobs(cluster, run)}
    assert states == {"CANCELLED"}
    assert not any("ended" in path.read_text() for path in (scripts / "output").iterdir())
    refused = cluster.attempt("bash", str(scripts / "submit.sh"))
    assert (refused.returncode, "cancel.sh cancelled" in refused.stderr) == (1, True)
