"""The verdict: what was checked, in sentences, the faults found, and the result."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.vocabulary.arrays import BoolArray
from core.vocabulary.problems import Problem

LISTED_PER_CHECK: Final = 10


class Faults:
    """The problems found of a table: of each kind the first few, and the number of the rest."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.problems: list[Problem] = []

    def add(self, row: str, column: str, message: str) -> None:
        self.problems.append(Problem(self.table, row, column, message))

    def each(
        self, faulty: BoolArray, column: str, row: Callable[[int], str], say: Callable[[int], str]
    ) -> None:
        positions = np.flatnonzero(faulty).tolist()
        for position in positions[:LISTED_PER_CHECK]:
            self.add(row(position), column, say(position))
        rest = len(positions) - LISTED_PER_CHECK
        if rest > 0:
            self.add("", column, f"and {rest:,} more like the one above")


TASKS_ONCE: Final = "every task is placed exactly once"
NO_TASK_TWICE: Final = "no task is placed more than once"
MACHINES_ONCE: Final = "every machine of the system is there exactly once"
MACHINES_EXIST: Final = "every machine named is one of the system"
POSSIBLE_PAIRS: Final = "every task sits on a machine that can run it"
DURATIONS: Final = "every block of tasks lasts their number times the time of one"
NO_OVERLAP: Final = "no machine runs two tasks at once"
NO_GAP: Final = "no machine waits before its last task has ended"
KEEPS_CAP: Final = "at no moment do all machines together draw more than the cap"
SAME_MAKESPAN: Final = "the makespan is the longest of the machines' times, added up again"
SAME_ENERGY: Final = "the energy is that of all machines, at work, idle or asleep, added up again"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was checked, what is wrong, and the recomputed figures.

    `tasks` is the number of placed tasks, `machines` that of machines that run any of them.
    `makespan` is in seconds, `energy` in joules (None without APC). Busy, idle and waiting are
    machine-seconds up to the makespan over all machines of the system; waiting is the part of idle
    before a machine's last task. The figures are valid only if `ok`. Of each kind of fault at most
    `LISTED_PER_CHECK` are listed, followed by the number of the rest.
    """

    problems: tuple[Problem, ...]
    checks: tuple[str, ...]
    tasks: int
    machines: int
    makespan: float
    energy: float | None
    busy_seconds: float
    idle_seconds: float
    waiting_seconds: float

    @property
    def ok(self) -> bool:
        return not self.problems
