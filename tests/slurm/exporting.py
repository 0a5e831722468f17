"""A system is solved, and its schedule exported, by the command as users give it."""

import csv
from pathlib import Path

from slurm.cluster import Cluster

from core import System, solve, write_schedule, write_system
from core.shells.cli import main
from core.vocabulary.budget import Effort

COLUMNS = "JobID,JobName,State,Start,End,ElapsedRaw,AllocCPUS,NNodes,NodeList,ConsumedEnergyRaw"
"""Of `sacct`: all that our readers need."""


def exported(
    system: System, inside: Path, places: str, command: str, words_too: tuple[str, ...] = ()
) -> Path:
    """The folder of the scripts, beside `system` and `schedule.csv` in this folder.

    `places` are the rows of the map, `command` is that of every task type, and `words_too` are
    further arguments of the command.
    """
    write_system(system, inside / "system")
    write_schedule(solve(system, effort=Effort(0)).schedule, inside / "schedule.csv")
    (inside / "map.csv").write_text(f"machine_type,machine,node,constraint\n{places}")
    with (inside / "commands.csv").open("w", newline="") as stream:
        rows = [(name, command) for name in system.task_names]
        csv.writer(stream).writerows([("task_type", "command"), *rows])
    words = ["export", inside / "system", inside / "schedule.csv", "--to", "slurm"]
    words += ["--map", inside / "map.csv", "--commands", inside / "commands.csv"]
    words += words_too
    assert main([*map(str, words), "-o", str(inside / "scripts")]) == 0
    return inside / "scripts"


def submit(cluster: Cluster, scripts: Path) -> str:
    """What `submit.sh` says."""
    return cluster.run("bash", str(scripts / "submit.sh"))


def of_our_jobs(cluster: Cluster, run: str = "") -> list[list[str]]:
    """The cells of `COLUMNS` for each task of exported schedules, or of one run of `submit.sh`."""
    said = cluster.sacct("--allocations", "--noheader", "--parsable2", f"--format={COLUMNS}")
    rows = [line.split("|") for line in said.splitlines() if "|wf-" in line]
    return [row for row in rows if not run or row[1].split("-")[2] == run]
