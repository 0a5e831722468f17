"""Records anew what a real `sacct` prints of jobs of every kind: `python -m slurm.record_dumps`,
with `tests` and the project on PYTHONPATH, as root. It takes two minutes, for a job that is late.

The dumps are in tests/engines/logs/dumps/real/, each with the words that made it in `DUMPS`. Paths
of the computer become /home/ana. Times, numbers of processes and measured joules differ from run to
run.
"""

import sys
from pathlib import Path
from typing import Final

from slurm.cluster import ONCE_MORE, Cluster, started

FOLDER: Final = Path(__file__).parents[1] / "engines" / "logs" / "dumps" / "real"
COLUMNS: Final = (
    "JobID,JobName,User,Account,Partition,NNodes,AllocCPUS,ReqMem,NodeList,"
    "Submit,Start,End,Elapsed,State,ExitCode,ConsumedEnergy"
)
SOME: Final = "--name=blast,wide,parts,cancelled,again,running,waiting,$(touch pwned)"
DUMPS: Final = {
    "parsable2.txt": ("--parsable2", f"--format={COLUMNS}"),
    "parsable.txt": ("--parsable", f"--format={COLUMNS}"),
    "all-columns.txt": ("--parsable", "--format=ALL", SOME),
    "fixed-width.txt": (),
    "fixed-width-long.txt": ("--long", SOME),
    "fixed-width-chosen.txt": (
        "--format=JobID%-12,JobName%30,Partition,NodeList%20,Start,Elapsed,State%20,ConsumedEnergy",
    ),
    "comma.txt": ("--parsable2", "--delimiter=,", f"--format={COLUMNS}"),
    "tab-no-header.txt": ("--noheader", "--parsable2", "--delimiter=\t", f"--format={COLUMNS}"),
    "allocations-raw.txt": (
        *("--allocations", "--parsable2"),
        "--format=JobIDRaw,JobName,ElapsedRaw,NodeList,AllocTRES,State,ConsumedEnergyRaw",
    ),
    "duplicates.txt": ("--duplicates", "--parsable2", f"--format={COLUMNS}"),
    "epoch-times.txt": ("--parsable2", f"--format={COLUMNS}"),
    "dbv0.0.38.json": ("--json", SOME),
}
"""The arguments of `sacct` for each."""
ENVIRONMENTS: Final = {"epoch-times.txt": {"SLURM_TIME_FORMAT": "%s"}}
NAMES: Final = (
    "$(touch pwned)",
    "a|b",
    "x,y",
    "two\nlines",
    'say "hello"',
    "=SUM(A1)",
    "<b>bold</b>",
    "Wärme_溶接",
    "n" * 300,
)


def submit_all(cluster: Cluster) -> None:
    """Jobs of every kind, which end in every state that this cluster can bring about."""
    late = cluster.submit("--job-name=late", "--time=1", script="sleep 300")
    for feature in ("cpu", "gpu"):
        for kind, seconds in (("blast", 2), ("fft", 3)):
            cluster.submit(
                f"--constraint={feature}",
                f"--job-name={kind}",
                "--account=physics",
                script=f"srun sleep {seconds}",
            )
    cluster.submit(
        "--job-name=other", "--uid=nobody", "--chdir=/", "--account=chemistry", "--comment=a,b|c"
    )
    cluster.submit("--job-name=gpus", "--gpus=1", "--mem=100M", script="srun sleep 2")
    cluster.submit("--job-name=array", "--array=0-5%2", "--nodelist=cpu1")
    cluster.submit(
        "--job-name=wide", "--nodes=3", "--exclusive", script="srun sleep 2; srun sleep 1"
    )
    cluster.submit("--job-name=parts", "--constraint=cpu", ":", "--constraint=gpu")
    cluster.submit("--job-name=status", script="exit 3")
    cluster.submit("--job-name=step-failed", script="srun false; sleep 1")
    cluster.submit("--job-name=killed", script="kill -9 $$")
    for name in NAMES:
        cluster.submit(f"--job-name={name}")
    cluster.wait_until("RUNNING", late)

    running = cluster.submit("--job-name=cancelled", script="srun sleep 60")
    again = cluster.submit("--job-name=again", "--requeue", script=ONCE_MORE)
    cluster.wait_until("RUNNING", running)
    cluster.wait_until("RUNNING", again)
    cluster.run("scancel", running)
    cluster.requeue(again)
    first = cluster.submit("--job-name=first", script="exit 1")
    never = cluster.submit("--job-name=never", f"--dependency=afterok:{first}")
    pending = cluster.submit("--job-name=pending-cancelled", "--begin=now+1hour")
    cluster.run("scancel", never, pending)

    lost = cluster.submit("--job-name=lost", "--nodelist=cpu4", "--no-requeue", script="sleep 60")
    cluster.wait_until("RUNNING", lost)
    cluster.run("scontrol", "update", "nodename=cpu4", "state=down", "reason=unplugged")
    cluster.wait_until("NODE_FAIL", lost)
    cluster.run("scontrol", "update", "nodename=cpu4", "state=resume")

    spare = cluster.submit(
        "--job-name=spare", "--partition=spare", "--nodelist=gpu2", "--exclusive", script="sleep 60"
    )
    cluster.wait_until("RUNNING", spare)
    cluster.submit("--job-name=first-served", "--nodelist=gpu2", "--exclusive")
    cluster.wait_until_done(seconds=150)


def leave_some(cluster: Cluster) -> None:
    """One job that runs and tasks that wait while the dumps are made."""
    rest = ("--exclude=cpu4", "--exclusive")
    running = cluster.submit("--job-name=running", "--nodes=5", *rest, script="srun sleep 600")
    cluster.wait_until("RUNNING", running)
    waiting = cluster.submit("--job-name=waiting", "--array=0-2", *rest)
    cluster.wait_until("PENDING", waiting)


def record(cluster: Cluster) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, words in DUMPS.items():
        text = cluster.sacct(*words, **ENVIRONMENTS.get(name, {}))
        for path in (str(cluster.folder), str(cluster.folder).replace("/", r"\/")):
            text = text.replace(path, "/home/ana")
        (FOLDER / name).write_text(text, encoding="utf-8", errors="surrogateescape")


def main() -> None:
    with started() as cluster:
        if not cluster.metered:
            sys.exit("Nodes need meters: run this as root where mounting is allowed.")
        submit_all(cluster)
        leave_some(cluster)
        record(cluster)


if __name__ == "__main__":
    main()
