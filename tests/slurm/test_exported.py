"""A schedule is exported, submitted, and runs as it says; its log becomes a system again."""

import json
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from slurm.cluster import Cluster

from core import System, load_sample, solve, write_schedule, write_system
from core.batch.job_names import JobName
from core.cli import main
from core.derive.derivation import derive
from core.logs.reading import read_logs
from core.model.budget import Effort
from core.model.kinds import MachineType, TaskType
from core.runs.settings import RunSettings

Capture = pytest.CaptureFixture[str]
HOSTILE = "$(touch pwned)"
MAP = "machine_type,machine,node\nCPU,,cpu[1-2]\nGPU,,gpu1\n"
COLUMNS = "JobID,JobName,State,Start,End,ElapsedRaw,AllocCPUS,NNodes,NodeList,ConsumedEnergyRaw"


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
    write_system(system, inside / "system")
    write_schedule(solve(system, effort=Effort(0)).schedule, inside / "schedule.csv")
    (inside / "map.csv").write_text(MAP)
    (inside / "commands.csv").write_text(
        f'task_type,command\n{HOSTILE},"sleep {{seconds}}; echo {{task_type}} {{index}}"\n'
        'short,"sleep {seconds}; echo {task_type} {index}"\n'
    )
    words = ["export", inside / "system", inside / "schedule.csv", "--to", "slurm"]
    words += ["--map", inside / "map.csv", "--commands", inside / "commands.csv"]
    assert main([*map(str, words), "-o", str(inside / "scripts")]) == 0
    return inside / "scripts"


@pytest.fixture(scope="module")
def rows(cluster: Cluster, folder: Path) -> list[list[str]]:
    """What `sacct` says of each task, after submit.sh has run twice."""
    for _ in range(2):
        cluster.run("bash", str(folder / "submit.sh"))
    cluster.wait_until_done(seconds=120)

    def known() -> list[list[str]]:
        said = cluster.sacct("--allocations", "--noheader", "--parsable2", f"--format={COLUMNS}")
        return [line.split("|") for line in said.splitlines() if "|wf-" in line]

    cluster.wait_for(lambda: sum(row[2] == "COMPLETED" for row in known()) >= 9)
    return known()


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


def test_jobs_can_be_cancelled(cluster: Cluster, tmp_path: Path) -> None:
    system = load_sample("two-by-two")
    write_schedule(solve(system, effort=Effort(0)).schedule, tmp_path / "schedule.csv")
    (tmp_path / "commands.csv").write_text(
        "task_type,command\n" + "".join(f"{name},sleep 600\n" for name in system.task_names)
    )
    (tmp_path / "map.csv").write_text("machine_type,machine,node\nA,,cpu1\nB,,cpu2\n")
    words = ["export", "two-by-two", tmp_path / "schedule.csv", "--to", "slurm"]
    words += ["--map", tmp_path / "map.csv", "--commands", tmp_path / "commands.csv"]
    assert main([*map(str, words), "-o", str(tmp_path / "scripts")]) == 0
    cluster.run("bash", str(tmp_path / "scripts" / "submit.sh"))
    assert "wf-" in cluster.run("squeue", "--noheader", "--format=%j")
    cluster.run("bash", str(tmp_path / "scripts" / "cancel.sh"))
    cluster.wait_until_done()
    assert "wf-" not in cluster.run("squeue", "--noheader", "--format=%j")
