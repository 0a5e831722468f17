"""Small bags of tasks, for tests."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from core.engines.replay.workload import ArrivingJobs, Options, Pools, Workload


def workload_of(
    arrival: list[float], seconds: np.ndarray, watts: np.ndarray, cores: list[int], idle: float
) -> Workload:
    """Tasks that run wherever `seconds[task, machine]` is finite; a core draws `idle` watts."""
    wide = len(cores)
    job, pool = np.nonzero(np.isfinite(seconds))
    pools = Pools.of([f"m{k}" for k in range(wide)], cores, idle_watts=idle, whole=True)
    options = Options.of(job, pool, 1, seconds[job, pool], watts[job, pool])
    jobs = ArrivingJobs.plain(np.array(arrival), types=("task",))
    return Workload(pools, jobs, options)


Queues = list[list[int]]


@dataclass
class NaiveBag:
    """Task t takes `seconds[t][m]` on a core of machine m, and draws `watts[t][m]`; core c is part
    of machine `machine[c]`. `truth[t]` is the share of its estimate that a task really takes.
    """

    arrival: Sequence[float]
    seconds: Sequence[Sequence[float]]
    watts: Sequence[Sequence[float]]
    machine: Sequence[int]
    idle_watts: float
    truth: Sequence[float]
    ran: dict[int, tuple[int, float, float]] = field(default_factory=dict)
    """Machine, start and end of each task that has started."""

    def choose(self, free: list[float], task: int, onto: str) -> tuple[int, int]:
        """The machine and the core that a task gets."""
        latest = max(free)
        keys = []
        for machine in sorted(set(self.machine)):
            end = self.end(free, task, machine)
            own = self.seconds[task][machine] * self.watts[task][machine]
            more = max(end - latest, 0) * self.idle_watts
            cores = [free[core] for core, of in enumerate(self.machine) if of == machine]
            idle = self.idle_watts * len(cores) / len(free)
            energy = {
                "Min": end,
                "MIN": own + more,
                "MIN of the task": own,
                "MIN of the machine": own + max(end - max(cores), 0) * idle,
            }[onto]
            if end < math.inf:
                keys.append((energy, end, machine))
        machine = min(keys)[2]
        cores = [core for core, of in enumerate(self.machine) if of == machine]
        return machine, min(cores, key=lambda core: (free[core], core))

    def end(self, free: list[float], task: int, machine: int) -> float:
        first = min(free[core] for core, of in enumerate(self.machine) if of == machine)
        return max(first, self.arrival[task]) + self.seconds[task][machine]

    def two_phases(self, tasks: list[int], free: list[float], first: str, onto: str) -> Queues:
        free, left = list(free), sorted(tasks)
        queues: Queues = [[] for _ in free]
        while left:

            def key(task: int) -> float:
                ends = sorted(self.end(free, task, m) for m in set(self.machine))
                if first == "Max":
                    return ends[0]
                return ends[1] - ends[0] if len(ends) > 1 else math.inf

            task = max(left, key=lambda one: (key(one), -one))
            left.remove(task)
            machine, core = self.choose(free, task, onto)
            free[core] = self.end(free, task, machine)
            queues[core].append(task)
        return queues

    def start(self, task: int, core: int, now: float) -> None:
        machine = self.machine[core]
        self.ran[task] = (machine, now, now + self.seconds[task][machine] * self.truth[task])

    def offline(self, first: str, onto: str) -> None:
        free = [0.0] * len(self.machine)
        queues = self.two_phases(list(range(len(self.arrival))), free, first, onto)
        for core, queue in enumerate(queues):
            now = 0.0
            for task in queue:
                self.start(task, core, max(now, self.arrival[task]))
                now = self.ran[task][2]

    def greedy(self, onto: str) -> None:
        queues: Queues = [[] for _ in self.machine]
        running: list[int | None] = [None] * len(self.machine)
        for task, now in enumerate(self.arrival):
            self.go_on(queues, running, now, through=True)
            free = self.expected(queues, running, now)
            _, core = self.choose(free, task, onto)
            queues[core].append(task)
            self.start_idle(queues, running, now)
        self.go_on(queues, running, math.inf, through=True)

    def batch(self, first: str, onto: str, every: float) -> None:
        queues: Queues = [[] for _ in self.machine]
        running: list[int | None] = [None] * len(self.machine)
        tick, arrived = 0.0, 0
        while len(self.ran) < len(self.arrival) or any(one is not None for one in running):
            news = self.go_on(queues, running, tick, through=False)
            for core, task in enumerate(running):
                if task is not None and self.ran[task][2] == tick:
                    running[core], news = None, True
            known = sum(arrival <= tick for arrival in self.arrival)
            if news or known > arrived:
                arrived = known
                waiting = [task for task in range(known) if task not in self.ran]
                free = self.expected([[] for _ in queues], running, tick)
                queues = self.two_phases(waiting, free, first, onto)
                self.start_idle(queues, running, tick)
            tick += every

    def expected(self, queues: Queues, running: list[int | None], now: float) -> list[float]:
        """When each core is free, by estimates."""
        free = []
        for core, task in enumerate(running):
            until = now
            if task is not None:
                machine, start, _ = self.ran[task]
                until = max(now, start + self.seconds[task][machine])
            for ahead in queues[core]:
                until += self.seconds[ahead][self.machine[core]]
            free.append(until)
        return free

    def start_idle(self, queues: Queues, running: list[int | None], now: float) -> None:
        for core, queue in enumerate(queues):
            if running[core] is None and queue:
                running[core] = queue.pop(0)
                self.start(running[core], core, now)

    def go_on(
        self, queues: Queues, running: list[int | None], until: float, *, through: bool
    ) -> bool:
        """Tasks end before a time (through it), and the next of their cores start."""
        ended = False
        for core, queue in enumerate(queues):
            while running[core] is not None:
                end = self.ran[running[core]][2]
                if end > until or (end == until and not through):
                    break
                running[core], ended = None, True
                if queue:
                    running[core] = queue.pop(0)
                    self.start(running[core], core, end)
        return ended
