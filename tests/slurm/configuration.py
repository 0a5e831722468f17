"""What the cluster of the tests is: its nodes, and the files that tell Slurm so."""

import os
import random
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from getpass import getuser
from pathlib import Path
from typing import Final

ADDRESS: Final = "127.0.0.1"
PORTS: Final = range(20_000, 32_000)
"""Below those that the system gives to outgoing connections, which come and go."""


@dataclass(frozen=True)
class Node:
    """`watts` is what its meter reads, whatever the node does."""

    name: str
    feature: str
    watts: int
    gpus: int = 0


NODES: Final = (
    *(Node(f"cpu{number}", "cpu", 100) for number in range(1, 5)),
    *(Node(f"gpu{number}", "gpu", 300, gpus=1) for number in range(1, 3)),
)

SLURM_CONF: Final = """\
ClusterName=wattfront
SlurmctldHost={host}({address})
SlurmctldPort={control}
SlurmUser={user}
SlurmdUser={user}
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmdParameters=config_overrides
MailProg=/bin/true
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1,energy=1
AcctGatherEnergyType=acct_gather_energy/{energy}
AcctGatherNodeFreq=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/basic
KillWait=1
RequeueExit=99
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost={address}
AccountingStoragePort={accounting}
AccountingStoragePass={folder}/munge.socket
AccountingStorageTRES=gres/gpu
AccountingStoreFlags=job_comment
GresTypes=gpu
Licenses=watts:250
{nodes}
{scheduling}"""
OFTEN: Final = "bf_interval=1,sched_interval=1,sched_min_interval=0,batch_sched_delay=0"
"""Parameters of a scheduler that looks every second."""
SCHEDULING: Final = f"""\
SchedulerParameters={OFTEN}
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE PriorityTier=10 PreemptMode=OFF
PartitionName=brief Nodes=ALL DefaultTime=1 MaxTime=INFINITE PriorityTier=10 PreemptMode=OFF
PartitionName=spare Nodes=ALL MaxTime=INFINITE PriorityTier=1
"""
"""The usual partitions; jobs of spare are cancelled for others."""
NODE: Final = (
    "NodeName={name} NodeHostname={host} NodeAddr={address} Port={port}"
    " CPUs=4 RealMemory=1000 Feature={feature} Gres={gres}"
)
SLURMDBD_CONF: Final = """\
DbdHost=localhost
DbdAddr={address}
DbdPort={accounting}
SlurmUser={user}
AuthInfo=socket={folder}/munge.socket
LogFile={folder}/slurmdbd.log
PidFile={folder}/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser={user}
StorageLoc=slurm
"""


def write_configuration(folder: Path, scheduling: str, *, metered: bool) -> None:
    """Writes all that the daemons read into an empty folder, with these lines of partitions. Others
    cannot read secrets there.
    """
    free = free_ports()
    known = {
        "address": ADDRESS,
        "host": socket.gethostname(),
        "folder": folder,
        "user": getuser(),
        "energy": "pm_counters" if metered else "none",
        "control": next(free),
        "accounting": next(free),
    }
    nodes = [
        NODE.format(
            **known, name=node.name, feature=node.feature, gres=f"gpu:{node.gpus}", port=next(free)
        )
        for node in NODES
    ]
    gpus = [f"NodeName={node.name} Name=gpu File=/dev/null" for node in NODES if node.gpus]
    files = {
        "slurm.conf": SLURM_CONF.format(**known, nodes="\n".join(nodes), scheduling=scheduling),
        "slurmdbd.conf": SLURMDBD_CONF.format(**known),
        "gres.conf": "\n".join(gpus) + "\n",
        # Without a word on it, daemons look for control groups, which a container may not have.
        "cgroup.conf": "CgroupPlugin=cgroup/v1\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "slurmdbd.conf").chmod(0o600)
    (folder / "munge.key").write_bytes(os.urandom(128))
    (folder / "munge.key").chmod(0o600)
    for name in ("state", "spool"):
        (folder / name).mkdir()
    (folder / "data").mkdir(mode=0o700)
    folder.chmod(0o711)  # jobs of other users reach their scripts


def free_ports() -> Iterator[int]:
    """Ports on which nobody listens, in an order that two clusters do not share."""
    for port in random.SystemRandom().sample(PORTS, len(PORTS)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((ADDRESS, port))
            except OSError:
                continue
        yield port
