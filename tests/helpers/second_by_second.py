"""The shortest schedule under a cap on the power at every moment, found by trying all of them.

It knows nothing of orders or states: every task gets a machine and a whole second at which it
begins, and the watts of every second are added up. Times of tasks are whole seconds, so the
shortest schedule begins every task at a whole second, too: at 0 or when others end.
"""

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
    tasks = [i for i, kind in enumerate(system.task_types) for _ in range(kind.count)]
    longest = int(np.where(np.isfinite(system.etc), system.etc, 0).max(axis=1)[tasks].sum())
    for seconds in range(1, longest + 1):
        if _possible(system, watts, tasks, [], seconds):
            return seconds
    return None


def _possible(
    system: System, watts: float, tasks: list[int], placed: list[Placed], seconds: int
) -> bool:
    """Whether the tasks that are not placed yet can be, so that all end within so many seconds."""
    at = len(placed)
    if at == len(tasks):
        return bool((_watts(system, tasks, placed, seconds) <= watts + 1e-9).all())
    alike = at > 0 and tasks[at] == tasks[at - 1]
    for kind, machine in enumerate(system.machine_types):
        lasts = system.etc[tasks[at], kind]
        if not np.isfinite(lasts):
            continue
        for number in range(machine.count):
            on_it = [(a, b) for j, n, a, b in placed if (j, n) == (kind, number)]
            if number and not any((j, n) == (kind, number - 1) for j, n, _, _ in placed):
                continue  # machines of a type are alike
            for begin in range(seconds - int(lasts) + 1):
                end = begin + int(lasts)
                one = (kind, number, begin, end)
                if alike and (begin, one) < (placed[-1][2], placed[-1]):
                    continue  # tasks of a type are alike
                if any(begin < b and a < end for a, b in on_it):
                    continue
                tried = [*placed, one]
                # More tasks only draw more, unless one draws less than idle.
                if (
                    not _cool(system)
                    and (_watts(system, tasks, tried, seconds) > watts + 1e-9).any()
                ):
                    continue
                if _possible(system, watts, tasks, tried, seconds):
                    return True
    return False


def _cool(system: System) -> bool:
    assert system.apc is not None
    idle = np.array([machine.idle_power for machine in system.machine_types])
    return bool((system.apc < idle).any())


def _watts(system: System, tasks: list[int], placed: list[Placed], seconds: int) -> np.ndarray:
    """The watts of each second."""
    assert system.apc is not None
    total = np.zeros(seconds)
    for kind, machine in enumerate(system.machine_types):
        asleep = machine.asleep_watts
        rest = machine.idle_power if asleep is None else min(asleep, machine.idle_power)
        for number in range(machine.count):
            drawn = np.full(seconds, rest)
            mine = [
                (tasks[k], a, b)
                for k, (j, n, a, b) in enumerate(placed)
                if (j, n) == (kind, number)
            ]
            drawn[: max((b for _, _, b in mine), default=0)] = machine.idle_power
            for task, a, b in mine:
                drawn[a:b] = system.apc[task, kind]
            total += drawn
    return total
