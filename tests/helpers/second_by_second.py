"""The shortest schedule under a cap on the power at every moment, found by trying all of them.

It knows nothing of orders or states: every task gets a machine and a whole second at which it
begins, and the watts of every second are added up. Times of tasks are whole seconds, so the
shortest schedule begins every task at a whole second, too: at 0 or when others end.
"""

import math
from dataclasses import dataclass

import numpy as np

from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

Placed = tuple[int, int, int, int]
"""The machine type, the number of the machine, the begin and the end of a task."""


def random_system(seed: int, *, cool: bool = False) -> System:
    """One to three task types and machine types, at most five tasks and three machines of a type.
    With `cool`, a machine may draw less at work than idle.
    """
    random = np.random.default_rng(seed)
    tasks, kinds = int(random.integers(1, 4)), int(random.integers(1, 4))
    counts = random.multinomial(int(random.integers(tasks, 6)) - tasks, [1 / tasks] * tasks) + 1
    machines = random.integers(1, 3, kinds)
    etc = random.integers(1, 5, (tasks, kinds)).astype(float)
    etc[random.random((tasks, kinds)) < 0.15] = np.inf
    etc[:, 0] = np.where(np.isfinite(etc).any(axis=1), etc[:, 0], 2.0)
    idle = random.choice([0.0, 10.0, 25.0], kinds)
    asleep = [random.choice([None, None, 3.0]) for _ in range(kinds)]
    apc = random.integers(-20 if cool else 0, 60, etc.shape) + idle
    apc = np.where(np.isfinite(etc), np.maximum(apc, 0), np.nan)
    return System(
        [TaskType(f"t{i}", int(count)) for i, count in enumerate(counts)],
        [MachineType(f"m{j}", int(machines[j]), float(idle[j]), asleep[j]) for j in range(kinds)],
        etc,
        apc,
    )


def caps_to_try(system: System, seed: int) -> list[float]:
    """Caps (W) that hardly anything keeps, and that many schedules keep."""
    assert system.apc is not None
    random = np.random.default_rng(seed)
    idle = sum(machine.count * machine.idle_power for machine in system.machine_types)
    low = float(system.total_idle_power)
    most = float(np.nanmax(system.apc)) + idle
    return [float(round(low + share * (1.4 * most - low))) for share in random.random(2)]


def least_makespan(system: System, watts: float) -> int | None:
    """The fewest seconds in which some schedule does all tasks and keeps the cap; None if none."""
    every = _EveryPlacing.of(system, watts + 1e-9)
    etc = np.where(np.isfinite(system.etc), system.etc, 0)
    for seconds in range(1, int(etc.max(axis=1)[every.tasks].sum()) + 1):
        if every.possible([], [every.at_rest] * seconds):
            return seconds
    return None


@dataclass(frozen=True)
class _EveryPlacing:
    """A system under a cap in plain numbers, as millions of schedules are tried: `at_rest` is what
    all machines draw that never run. Where `only_more`, no task draws less than an idle machine.
    """

    tasks: list[int]
    etc: list[list[float]]
    apc: list[list[float]]
    machines: list[tuple[int, float, float]]
    watts: float
    at_rest: float
    only_more: bool

    @classmethod
    def of(cls, system: System, watts: float) -> "_EveryPlacing":
        assert system.apc is not None
        # Where these come first, it is soon found that nothing is possible.
        hungriest = np.argsort(-np.nanmin(system.apc, axis=1))
        kinds = system.machine_types
        machines = [(one.count, one.idle_power, one.watts_without_work) for one in kinds]
        return cls(
            [i for i in hungriest.tolist() for _ in range(system.task_types[i].count)],
            system.etc.tolist(),
            system.apc.tolist(),
            machines,
            watts,
            sum(count * rest for count, _, rest in machines),
            not (system.apc < [idle for _, idle, _ in machines]).any(),
        )

    def possible(self, placed: list[Placed], drawn: list[float]) -> bool:
        """Whether the tasks that are not placed yet can be, so that all end within the seconds of
        `drawn`, the watts of those that are.
        """
        at, seconds = len(placed), len(drawn)
        if at == len(self.tasks):
            return max(drawn) <= self.watts
        task = self.tasks[at]
        alike = at > 0 and task == self.tasks[at - 1]
        for kind, (count, idle, rest) in enumerate(self.machines):
            if not math.isfinite(self.etc[task][kind]):
                continue
            lasts = int(self.etc[task][kind])
            for number in range(count):
                on_it = [(a, b) for j, n, a, b in placed if (j, n) == (kind, number)]
                if number and not any((j, n) == (kind, number - 1) for j, n, _, _ in placed):
                    continue  # machines of a type are alike
                last = max((b for _, b in on_it), default=0)
                for begin in range(seconds - lasts + 1):
                    end = begin + lasts
                    one = (kind, number, begin, end)
                    if alike and (begin, one) < (placed[-1][2], placed[-1]):
                        continue  # tasks of a type are alike
                    if any(begin < b and a < end for a, b in on_it):
                        continue
                    now = drawn.copy()
                    for second in range(last, end):
                        now[second] += idle - rest
                    for second in range(begin, end):
                        now[second] += self.apc[task][kind] - idle
                    if self.only_more and max(now) > self.watts:
                        continue
                    if self.possible([*placed, one], now):
                        return True
        return False
