"""Names of jobs: each says what its job array runs, so that Slurm's records say it, too.

`wf-1a2b3c4d-5e6f7a8b-2-13-5-1000`: the schedule, the run of its scripts, the machine type (1 is the
first of the system), the number of the machine, the task type, and the index of its first task.
Task a of the job array then has the index 1000 + a.
"""

import hashlib
import re
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from core.vocabulary.schedule import Blocks
from core.vocabulary.system import System

PREFIX: Final = "wf"
_NAME: Final = re.compile(
    PREFIX + r"-([0-9a-f]{8})-([0-9a-f]{8})-([1-9][0-9]{0,8})-([1-9][0-9]{0,8})-([1-9][0-9]{0,8})"
    r"-(0|[1-9][0-9]{0,12})"
)


@dataclass(frozen=True, slots=True)
class JobName:
    """What the name of a job says.

    `schedule` is a `schedule_digest`; `run` differs each time that the scripts of a schedule are
    submitted anew. Types are positions in the system; `machine` 1 is the first of its type. The
    job array runs the tasks from `first_index` on.
    """

    schedule: str
    run: str
    machine_type: int
    machine: int
    task_type: int
    first_index: int

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """What a name says; None for the name of another job."""
        match = _NAME.fullmatch(text)
        if match is None:
            return None
        machine_type, machine, task_type, first_index = map(int, match.groups()[2:])
        return cls(match[1], match[2], machine_type - 1, machine, task_type - 1, first_index)

    def __str__(self) -> str:
        return f"{PREFIX}-{self.schedule}-{self.run}-{self.ending}"

    @property
    def ending(self) -> str:
        """The part of the name that is known before the run."""
        numbers = (self.machine_type + 1, self.machine, self.task_type + 1, self.first_index)
        return "-".join(map(str, numbers))


def schedule_digest(blocks: Blocks, system: System) -> str:
    """Eight digits for the timeline of a system; others if a task is elsewhere or in another order.

    The same schedule has the same digest from a file of any format. Times are not looked at.
    """
    names = "\n".join((*system.task_names, "", *system.machine_names))
    digest = hashlib.sha256(names.encode())
    for column in (blocks.machine_type, blocks.first_machine, blocks.task_type, blocks.count):
        digest.update(np.ascontiguousarray(column, "<i8").tobytes())
    return digest.hexdigest()[:8]
