"""Schedules as somebody states them: the rows of a file, and claims that nothing has checked."""

import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final

import numpy as np
from strategies import schedules, systems

from core.engines.verify.verdict import Verdict
from core.vocabulary.arrays import IntArray
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Blocks, Schedule, StatedBlocks
from core.vocabulary.system import System

anything = schedules(systems())
exact = schedules(systems(dyadic=True, max_count=12))


class Stated(StatedBlocks):
    """The rows of a schedule file, to be changed."""

    def take(self, rows: object) -> "Stated":
        return Stated(*(np.atleast_1d(getattr(self, f.name)[rows]) for f in fields(self)))

    def set(self, row: int, **values: float) -> "Stated":
        changed = {name: getattr(self, name).copy() for name in values}
        for name, value in values.items():
            changed[name][row] = value
        return replace(self, **changed)


def stated(schedule: Schedule) -> Stated:
    """The schedule as its file would say it: a row a block of each single machine."""
    b = schedule.blocks()
    row = np.repeat(np.arange(len(b)), b.machines)
    within = np.arange(len(row)) - np.repeat(np.cumsum(b.machines) - b.machines, b.machines)
    machine = b.first_machine[row] + within
    order = np.lexsort((row, machine, b.machine_type[row]))
    row, machine = row[order], machine[order]
    columns = (b.task_type[row], b.count[row], b.start[row], b.end[row])
    return Stated(b.machine_type[row], machine, *columns)


@dataclass
class Claim:
    """Whatever somebody hands in as a schedule, unchecked."""

    system: System
    machine_type: IntArray
    machines: IntArray
    tasks: IntArray
    timeline: Blocks
    makespan: float
    energy_if_known: float | None
    may_wait: bool = False

    def blocks(self) -> Blocks:
        return self.timeline


def claim(schedule: Schedule) -> Claim:
    return Claim(
        schedule.system,
        schedule.machine_type.copy(),
        schedule.machines.copy(),
        schedule.tasks.copy(),
        schedule.blocks(),
        schedule.makespan,
        schedule.energy_if_known,
    )


def sample() -> Schedule:
    """Three machines A, of which the first two do the same, two B, of which one is idle.

    A #1 and #2: 2 x T2 to 6 s, 1 x T1 to 7 s. A #3: 2 x T2 to 6 s. B #1: 4 x T1 to 8 s.
    T2 cannot run on B.
    """
    system = System(
        (TaskType("T1", 6), TaskType("T2", 6)),
        (MachineType("A", 3, 1.0), MachineType("B", 2, 2.0)),
        np.array([[1.0, 2.0], [3.0, np.inf]]),
        np.array([[10.0, 20.0], [30.0, np.nan]]),
    )
    return Schedule(
        system,
        np.array([0, 0, 1, 1]),
        np.array([2, 1, 1, 1]),
        np.array([[1, 2], [0, 2], [4, 0], [0, 0]]),
    )


def places(verdict: Verdict) -> set[tuple[str, str]]:
    assert all(problem.file == "schedule" for problem in verdict.problems)
    return {(problem.row, problem.column) for problem in verdict.problems}


def said(verdict: Verdict) -> list[str]:
    """All that a verdict says: where, and what is wrong and what to do."""
    return [f"{p.row} | {p.column} | {p.message}" for p in verdict.problems]


RECORDED: Final = tomllib.loads(
    (Path(__file__).parents[1] / "engines" / "verify" / "said.toml").read_text(encoding="utf-8")
)
"""What the judge says of broken schedules and of rows of files, word for word."""
