"""A small schedule, and dumps of `sacct` of what became of it."""

from dataclasses import dataclass

import numpy as np
import pytest

from core import write_schedule, write_system
from core.capabilities.compare_run.comparison import compare_run
from core.capabilities.compare_run.recorded import read_recorded
from core.engines.logs.reading.logs import read_logs
from core.engines.slurm.job_arrays import job_arrays_of
from core.engines.slurm.job_names import JobName
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

RUN = "00000001"
HEADER = "JobID|JobName|State|Start|End|NodeList|ConsumedEnergyRaw"


@dataclass(frozen=True)
class Row:
    """What `sacct` says of a start of task `task` of job array number `array` of a plan."""

    array: int
    task: int
    start: int
    end: int
    state: str = "COMPLETED"
    node: str = ""
    joules: str = ""
    run: str = RUN

    def line(self, plan):
        blocks = plan.blocks
        kind, machine = int(blocks.machine_type[self.array]), int(blocks.first_machine[self.array])
        name = JobName(
            plan.digest,
            self.run,
            kind,
            machine,
            int(blocks.task_type[self.array]),
            int(plan.first_index[self.array]),
        )
        job = 1000 * int(self.run, 16) + self.array
        cells = (f"{job}_{self.task}", name, self.state, 1_000_000 + self.start)
        node = self.node or f"n{kind}-{machine}"
        return "|".join(map(str, (*cells, 1_000_000 + self.end, node, self.joules)))


@pytest.fixture(scope="session")
def small():
    """Machine A 1 runs 3 tasks of type x (4 s) and then 2 of type y (2 s), A 2 runs 1 of type x,
    B 1 runs 4 of type y (1 s), B 2 is idle; x draws 10 W on A, y 20 W there and 5 W on B.
    """
    system = System(
        tuple(map(TaskType, "xy", (4, 6))),
        tuple(map(MachineType, "AB", (2, 2))),
        np.array([[4.0, np.inf], [2.0, 1.0]]),
        np.array([[10.0, np.nan], [20.0, 5.0]]),
    )
    return Schedule(
        system,
        np.array([0, 0, 1, 1]),
        np.array([1, 1, 1, 1]),
        np.array([[3, 2], [1, 0], [0, 4], [0, 0]]),
    )


@pytest.fixture(scope="session")
def plan(small):
    """Job arrays 0 and 1 are of machine A 1, 2 of A 2, 3 of B 1."""
    return job_arrays_of(small.blocks(), small.system)


AS_PLANNED = (
    *(Row(0, k, 4 * k, 4 * k + 4) for k in range(3)),
    *(Row(1, k, 12 + 2 * k, 14 + 2 * k) for k in range(2)),
    Row(2, 0, 0, 4),
    *(Row(3, k, k, k + 1) for k in range(4)),
)


def dump(plan, rows, *others):
    return "\n".join([HEADER, *(row.line(plan) for row in rows), *others]) + "\n"


@pytest.fixture
def compared(plan, tmp_path):
    """What comes of these rows and lines in a log; or of a log as it is."""

    def make(*rows, lines=(), text="", run=None):
        path = tmp_path / "jobs.txt"
        path.write_text(text or dump(plan, rows, *lines), encoding="utf-8")
        store = read_logs([path], "sacct", folder=tmp_path)
        try:
            return compare_run(read_recorded(plan, store, run))
        finally:
            store.close()

    return make


@pytest.fixture
def files(small, plan, tmp_path, monkeypatch):
    """A system, its schedule, and a log of what was planned, by these names here."""
    monkeypatch.chdir(tmp_path)
    write_system(small.system, tmp_path / "system.json")
    write_schedule(small, tmp_path / "schedule.csv")
    (tmp_path / "log").write_text(dump(plan, AS_PLANNED))
    return tmp_path
