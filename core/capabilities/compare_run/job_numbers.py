"""Names of jobs as numbers of tasks of a plan, for all different names of a log at once."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.engines.slurm.job_names import PREFIX, JobName
from core.engines.slurm.plan import BatchPlan
from core.vocabulary.arrays import BoolArray, IntArray

NO_TASK: Final = -1


class TaskNumbers:
    """Numbers the tasks of a plan from 0: type by type, and within a type by their index."""

    def __init__(self, plan: BatchPlan) -> None:
        blocks = plan.blocks
        self.machine: IntArray = _machine_of_rows(plan)
        """For each row of the plan its machine, counted from 0 among those that have tasks."""
        of_type = np.zeros(len(plan.system.task_types), np.int64)
        np.add.at(of_type, blocks.task_type, blocks.count)
        self.end = np.cumsum(of_type)
        """The number, for each task type, after that of its last task."""
        self.begin = self.end - of_type
        first = self.begin[blocks.task_type] + plan.first_index
        self._by_task = np.argsort(first)
        self._first = first[self._by_task]

    def rows(self, task: IntArray) -> IntArray:
        """The rows of the plan that have these tasks."""
        found: IntArray = self._by_task[np.searchsorted(self._first, task, "right") - 1]
        return found


class JobNumbers:
    """For each name of a log: `first` is the number of the task with index 0 in its job array, or
    `NO_TASK` for a job of something else; tasks end before `end`. `machine` is that of its tasks,
    and `run` a position in `runs`.
    """

    def __init__(self, plan: BatchPlan, tasks: TaskNumbers, names: Sequence[str]) -> None:
        blocks = plan.blocks
        keys = zip(blocks.machine_type.tolist(), blocks.first_machine.tolist(), strict=True)
        positions = dict(zip(keys, tasks.machine.tolist(), strict=True))
        # One more than there are names: position -1 is for names that were not kept.
        self.first = np.full(len(names) + 1, NO_TASK)
        self.end = np.zeros(len(names) + 1, np.int64)
        self.machine = np.zeros(len(names) + 1, np.int64)
        self.run = np.zeros(len(names) + 1, np.int64)
        self.other_schedules: set[str] = set()
        runs: dict[str, int] = {}
        for number, text in enumerate(names):
            name = JobName.parse(text) if text.startswith(PREFIX) else None
            if name is None:
                continue
            machine = positions.get((name.machine_type, name.machine))
            if name.schedule != plan.digest:
                self.other_schedules.add(name.schedule)
            elif machine is not None and name.task_type < len(tasks.end):
                self.first[number] = tasks.begin[name.task_type] + name.first_index
                self.end[number] = tasks.end[name.task_type]
                self.machine[number] = machine
                self.run[number] = runs.setdefault(name.run, len(runs))
        self.runs = tuple(runs)

    @property
    def ours(self) -> BoolArray:
        """Which names are of jobs of the schedule."""
        found: BoolArray = self.first != NO_TASK
        return found


def _machine_of_rows(plan: BatchPlan) -> IntArray:
    blocks = plan.blocks
    changes = (np.diff(blocks.machine_type) | np.diff(blocks.first_machine)) != 0
    found: IntArray = np.concatenate([[0], np.cumsum(changes)])[: len(blocks)]
    return found
