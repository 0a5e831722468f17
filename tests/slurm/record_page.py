"""Runs a schedule on a real Slurm and writes docs/slurm.md about it: `python -m slurm.record_page`,
with `tests` and the project on PYTHONPATH, as root. It takes a minute.
"""

import io
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path
from string import Template
from typing import Final

import numpy as np
from slurm.cluster import Cluster, started
from slurm.configuration import NODES
from slurm.exporting import COLUMNS, exported, submit

from core import System
from core.shells.cli import main as wattfront
from core.vocabulary.kinds import MachineType, TaskType

PAGE: Final = Path(__file__).parents[2] / "docs" / "slurm.md"
KINDS: Final = ("cpu", "gpu")
SECONDS: Final = {"render": (8, (10.0, 4.0)), "train": (4, (24.0, 8.0)), "index": (12, (5.0, 5.0))}
"""The count of each task type, and what a task takes on each machine type."""
TEXT: Final = Template("""\
# A schedule on a real Slurm

The tests start a Slurm of six nodes on one computer (`tests/slurm/`), and run an exported schedule
on it. `tests/slurm/test_exported.py` asserts that every task ran once, on the node of its machine,
one after the other, and in the order of the schedule. `make test` runs it.

Here is a larger run, planned and measured, on four machines `cpu` and two machines `gpu`. Each is a
node of $version, with accounting in MariaDB and a meter of energy in each node. A task is
`srun sleep` for its planned seconds:

$table

```
wattfront export system/ schedule.csv --to slurm --map map.csv --commands commands.csv -o scripts/
bash scripts/submit.sh
sacct --parsable2 --duplicates \\
  --format=$columns > log.txt
wattfront compare-run system/ schedule.csv log.txt
```

says, when all jobs have ended:

```
$said
```

What is added is the time that Slurm takes to start and end a job. `sacct` knows whole seconds only,
so a task of a few seconds may count as one second more. This is little for tasks of minutes, and
much for tasks of seconds: let one job do several of those.

`PYTHONPATH=.:tests:tests/helpers python -m slurm.record_page` runs this again and writes this
page. The seconds that are added differ from run to run, and are more on a busy computer.
""")


def system() -> System:
    """Machines are the nodes of the cluster, and take what their meters read."""
    nodes = {kind: [node for node in NODES if node.feature == kind] for kind in KINDS}
    times = np.array([seconds for _, seconds in SECONDS.values()])
    watts = np.array([float(nodes[kind][0].watts) for kind in KINDS])
    return System(
        tuple(TaskType(name, count) for name, (count, _) in SECONDS.items()),
        tuple(MachineType(kind, len(nodes[kind])) for kind in KINDS),
        times,
        np.broadcast_to(watts, times.shape),
    )


def run(cluster: Cluster, inside: Path) -> str:
    """What `compare-run` says of the schedule after its jobs have ended."""
    places = "cpu,,cpu[1-4],\ngpu,,gpu[1-2],\n"
    submit(cluster, exported(system(), inside, places, "srun sleep {seconds}"))
    cluster.wait_until_done(seconds=300)
    log = inside / "log.txt"
    log.write_text(cluster.sacct("--parsable2", "--duplicates", f"--format={COLUMNS}"))
    said = io.StringIO()
    with redirect_stdout(said):
        status = wattfront(
            ["compare-run", str(inside / "system"), str(inside / "schedule.csv"), str(log)]
        )
    assert status == 0
    return said.getvalue().rstrip()


def main() -> None:
    with started() as cluster, tempfile.TemporaryDirectory() as inside:
        if not cluster.metered:
            sys.exit("Nodes need meters: run this as root where mounting is allowed.")
        version = cluster.run("sbatch", "--version").strip().replace("slurm-wlm", "Slurm")
        said = run(cluster, Path(inside))
    head = f"| task type | tasks | {' | '.join(f'seconds on {kind}' for kind in KINDS)} |"
    rows = [
        f"| {name} | {count} | {' | '.join(f'{one:g}' for one in seconds)} |"
        for name, (count, seconds) in SECONDS.items()
    ]
    table = "\n".join([head, "|---" * (2 + len(KINDS)) + "|", *rows])
    text = TEXT.substitute(version=version, table=table, columns=COLUMNS, said=said)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
