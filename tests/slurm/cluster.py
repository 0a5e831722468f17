"""A real Slurm of six nodes on this computer, with accounting, in a folder of its own.

Nothing of an installed Slurm is used but its programs: configuration, keys, ports, sockets,
database and logs are the cluster's own, and end with it.

    with started() as cluster:
        job = cluster.submit("--constraint=gpu", script="sleep 2")
        cluster.wait_until_done(job)
        cluster.sacct("--parsable2", "--format=JobID,NodeList,Elapsed")
"""

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from getpass import getuser
from pathlib import Path
from typing import Final

from patience import PATIENCE
from slurm import meters
from slurm.configuration import NODES, SCHEDULING, write_configuration
from slurm.daemons import Daemons
from slurm.packages import PLACES

ONCE_MORE: Final = '[ "${SLURM_RESTART_COUNT:-0}" -gt 0 ] || sleep 600'
"""A script that runs until it is started again."""
UNSETTLED: Final = {"PENDING", "RUNNING", "REQUEUED", "SUSPENDED"}
FOREIGN: Final = ("SLURM", "SBATCH", "SQUEUE", "SACCT", "SCANCEL", "SINFO", "MYSQL")
"""Variables of an environment that change what the commands do begin like these."""


class CommandFailed(Exception):
    """Says what the command wrote to standard error."""


@dataclass(frozen=True)
class Cluster:
    """`metered`: whether nodes measure their energy."""

    folder: Path
    environment: dict[str, str]
    metered: bool

    def attempt(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """What comes of a command for this cluster, with more in its environment."""
        return subprocess.run(
            words,
            env=self.environment | environment,
            cwd=self.folder,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",  # columns of fixed width end in the middle of a letter
            check=False,
        )

    def run(self, *words: str, **environment: str) -> str:
        """What the command says; `CommandFailed` if it fails."""
        answer = self.attempt(*words, **environment)
        if answer.returncode:
            raise CommandFailed(f"{' '.join(words)}: {answer.stderr}")
        return answer.stdout

    def submit(self, *arguments: str, script: str = "sleep 1") -> str:
        """The id of a new job: `sbatch` with these arguments, and a script of these shell lines."""
        words = ("sbatch", "--parsable", "--output=/dev/null", *arguments, f"--wrap={script}")
        return self.run(*words).strip()

    def sacct(self, *arguments: str, **environment: str) -> str:
        """What `sacct` prints of every job since the cluster started, unless told otherwise."""
        return self.run("sacct", "--starttime=now-1days", *arguments, **environment)

    def states(self, *jobs: str) -> list[str]:
        """The state of each job, task of an array and part of a heterogeneous job."""
        words = ("--noheader", "--parsable2", "--allocations", "--format=State")
        chosen = [f"--jobs={','.join(jobs)}"] if jobs else []
        return [line.split()[0] for line in self.sacct(*words, *chosen).splitlines()]

    def wait_until(self, state: str, *jobs: str) -> None:
        """Until one of them is in this state."""
        self.wait_for(lambda: state in self.states(*jobs), PATIENCE)

    def wait_until_done(self, *jobs: str, seconds: float = PATIENCE) -> None:
        """Until these have ended and accounting knows all of them; without jobs, until all have."""
        self.wait_for(lambda: self._done(jobs), seconds)

    def requeue(self, job: str) -> None:
        """Ends a job that runs and starts it again, without the two minutes that Slurm waits."""
        self.run("scontrol", "requeue", job)
        self.wait_until("PENDING", job)
        self.run("scontrol", "update", f"jobid={job}", "starttime=now")

    def end_delays(self) -> None:
        """Lets jobs that were requeued begin, without the two minutes that Slurm waits."""
        waiting = self.run("squeue", "--noheader", "--states=PENDING", "--format=%r %A")
        for job in re.findall(r"BeginTime (\d+)", waiting):
            self.run("scontrol", "update", f"jobid={job}", "starttime=now")

    def cancel_all(self) -> None:
        """Ends every job, and waits until none runs."""
        jobs = self.run("squeue", "--noheader", "--format=%A").split()
        if jobs:
            self.attempt("scancel", *jobs)
        self.wait_for(lambda: not self.run("squeue", "--noheader"), PATIENCE)

    def _done(self, jobs: tuple[str, ...]) -> bool:
        def listed(*words: str) -> list[list[str]]:
            """The own id and the nodes of each job, task of an array and part."""
            said = self.run("squeue", "--noheader", "--format=%i|%A|%N", *words)
            rows = [line.split("|") for line in said.splitlines()]
            return [row[1:] for row in rows if not jobs or re.split("[_+]", row[0])[0] in jobs]

        if listed():
            return False
        words = ("--noheader", "--parsable2", "--allocations", "--format=JobIDRaw,State")
        states = dict(line.split("|") for line in self.sacct(*words).splitlines())
        # Accounting hears of a job a second or two later, and leaves out some that never ran.
        ran = [job for job, nodes in listed("--states=all") if nodes]
        return all(states.get(job, "PENDING") not in UNSETTLED for job in ran)

    def wait_for(self, done: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Until something is so."""
        give_up = time.monotonic() + seconds
        while not done():
            if time.monotonic() > give_up:
                raise TimeoutError(f"after {seconds} s:\n{self.run('squeue')}\n{self.sacct('-X')}")
            time.sleep(0.2)


@contextmanager
def started(scheduling: str = SCHEDULING) -> Iterator[Cluster]:
    """A cluster whose nodes are all idle, with these lines of partitions; when the block ends, so
    does all that belongs to it.
    """
    metered = meters.can_be_read()
    with ExitStack() as ending:
        # Sockets have short paths, so the folder is not below that of a test.
        folder = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="wattfront-slurm-")))
        write_configuration(folder, scheduling, metered=metered)
        environment = _environment(folder)
        daemons = Daemons(folder, environment)
        cluster = Cluster(folder, environment, metered)
        ending.callback(daemons.stop)
        if metered:
            ending.enter_context(meters.running(folder))
        _start_accounting(daemons, cluster)
        _start_nodes(daemons, cluster)
        ending.callback(cluster.cancel_all)
        yield cluster


def _environment(folder: Path) -> dict[str, str]:
    ours = {
        "PATH": PLACES,
        "SLURM_CONF": str(folder / "slurm.conf"),
        "MYSQL_UNIX_PORT": str(folder / "data" / "socket"),
        "TZ": "UTC",
    }
    others = {key: value for key, value in os.environ.items() if not key.startswith(FOREIGN)}
    return others | ours


def _start_accounting(daemons: Daemons, cluster: Cluster) -> None:
    """Keys, the database, and the daemon that writes into it."""
    folder = cluster.folder
    daemons.start(
        "munged",
        *("munged", "--foreground", "--force"),
        f"--key-file={folder}/munge.key",
        f"--socket={folder}/munge.socket",
        f"--pid-file={folder}/munged.pid",
        f"--log-file={folder}/munged.log",
        f"--seed-file={folder}/munge.seed",
    )
    database = (
        "--no-defaults",
        f"--datadir={folder}/data",
        f"--user={getuser()}",
        "--character-set-server=utf8mb4",
        "--innodb-log-file-size=8M",
        "--innodb-buffer-pool-size=32M",
        "--innodb-flush-log-at-trx-commit=0",
    )
    install = ("mariadb-install-db", *database, "--auth-root-authentication-method=normal")
    cluster.run(*install, "--skip-test-db", "--skip-name-resolve")
    socket_path = Path(cluster.environment["MYSQL_UNIX_PORT"])
    daemons.start(
        "mariadbd",
        *("mariadbd", *database, "--skip-networking", "--skip-grant-tables"),
        f"--socket={socket_path}",
        f"--pid-file={folder}/mariadb.pid",
    )
    daemons.wait_for("the database", socket_path.exists)
    daemons.start("slurmdbd", "slurmdbd", "-D", "-s")
    asked = ("sacctmgr", "--noheader", "show", "qos")
    daemons.wait_for("accounting", lambda: not cluster.attempt(*asked).returncode)


def _start_nodes(daemons: Daemons, cluster: Cluster) -> None:
    """The controller, and a daemon for each node."""
    daemons.start("slurmctld", "slurmctld", "-D")
    for node in NODES:
        words = ("slurmd", "-D", "-N", node.name)
        if cluster.metered:
            words = meters.beside_meter(cluster.folder, node, *words)
        daemons.start(node.name, *words)
    words = ("sinfo", "--noheader", "--states=idle", "--Node", "--partition=all")
    daemons.wait_for(
        "the nodes", lambda: len(cluster.attempt(*words).stdout.splitlines()) == len(NODES)
    )
