"""The verdict: what was checked, in sentences, and the result."""

from dataclasses import dataclass
from typing import Final

from core.vocabulary.problems import Problem

TASKS_ONCE: Final = "every task is placed exactly once"
NO_TASK_TWICE: Final = "no task is placed more than once"
MACHINES_ONCE: Final = "every machine of the system is there exactly once"
MACHINES_EXIST: Final = "every machine named is one of the system"
POSSIBLE_PAIRS: Final = "every task sits on a machine that can run it"
DURATIONS: Final = "every block of tasks lasts their number times the time of one"
NO_OVERLAP: Final = "no machine runs two tasks at once"
NO_GAP: Final = "no machine waits before its last task has ended"
SAME_MAKESPAN: Final = "the makespan is the longest of the machines' times, added up again"
SAME_ENERGY: Final = "the energy is that of all machines, at work and idle, added up again"


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
