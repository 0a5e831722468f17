"""Days of jobs in several sizes, for figures 7 and 8: what is replayed, and what it comes to."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from benchmarks.publications.arrivals.days import (
    DaysOfKinds,
    DayTask,
    each_trial,
    replayed,
    undropped,
)
from core.capabilities.arrivals.made.value import ENVIRONMENTS, ValueSettings, draw_value_day
from core.engines.compute.compiled import compile_from_now_on
from core.engines.compute.executors import Engine
from core.engines.replay.bound import bound
from core.engines.replay.workload import Workload
from core.vocabulary.arrays import FloatArray

PUBLISHED_TRIALS: Final = 48
VPTR: Final = "max-vptr"
VARIANTS: Final = ("max-value", "max-vpt", "max-vpc", "max-vpm")
SIMPLE, SIMPLE_DP = "simple", "simple-dp"
HALVES: Final = ("simple-d", "simple-p")
"""Simple with dropping alone, or with place-holders alone."""
OURS: Final = "value-prices"
ALL: Final = (OURS, VPTR, *VARIANTS, SIMPLE_DP, *HALVES, SIMPLE)
LABELS: Final[Mapping[str, str]] = {
    OURS: "Wattfront",
    VPTR: "Max VPTR",
    "max-value": "Max Value",
    "max-vpt": "Max Value per Time",
    "max-vpc": "Max Value per Compute Resource",
    "max-vpm": "Max Value per Memory Resource",
    SIMPLE_DP: "Simple d&p",
    "simple-d": "Simple with dropping",
    "simple-p": "Simple with place-holders",
    SIMPLE: "Simple",
}

USUAL: Final = ValueSettings()
BY_CORES: Final = {cores: replace(USUAL, cores=cores) for cores in ENVIRONMENTS}
BY_MEMORY: Final = {memory: replace(USUAL, memory=float(memory)) for memory in ENVIRONMENTS}
KINDS_OF_DAY: Final = tuple(dict.fromkeys([*BY_CORES.values(), *BY_MEMORY.values()]))
"""Ten environments, of which one is in both series."""


class BoundedDay(NamedTuple):
    """The bound on the worth of a day, and the processor time that proved it (s)."""

    value: float
    seconds: float


@dataclass(frozen=True)
class ValueDays(DaysOfKinds[ValueSettings]):
    """What came of each environment, and what no schedule of the same days earns more than."""

    bounds: Mapping[ValueSettings, list[BoundedDay]]

    def bound_shares(self, kind: ValueSettings) -> FloatArray:
        """The bound of each trial, in percent of the published maximum."""
        scores = self.days[kind].scores[undropped(VPTR)]
        proven = zip(self.bounds[kind], scores, strict=True)
        return np.array([100 * day.value / score.maximum for day, score in proven])

    def reached(self, kind: ValueSettings, policy: str) -> FloatArray:
        """What a policy earns in each trial, in percent of the bound."""
        return 100 * self.shares(kind, policy) / self.bound_shares(kind)

    @property
    def trials(self) -> int:
        return len(self.shares(USUAL, VPTR))


def drawn_day(kind: ValueSettings, trial: int) -> Workload:
    return draw_value_day(replace(kind, seed=trial)).workload


def measure(trials: int, engine: Engine, say: Callable[[str], None]) -> ValueDays:
    """All environments under all policies, and their bounds."""
    days, bounds = {}, {}
    settings = [undropped(name) for name in ALL]
    for place, kind in enumerate(KINDS_OF_DAY, start=1):
        say(f"value, environment {place} of {len(KINDS_OF_DAY)}: {trials} trials")
        draw = partial(drawn_day, kind)
        tasks = [DayTask(draw, trial, settings) for trial in range(trials)]
        days[kind] = replayed(tasks, engine, say)
        say("  their bounds")
        bounds[kind] = each_trial(bounded_day, tasks, engine, say)
    return ValueDays(days, bounds)


def bounded_day(task: DayTask) -> BoundedDay:
    """The bound of the day of a task."""
    compile_from_now_on()
    workload = task.draw(task.trial)
    began = time.thread_time()
    value = bound(workload).value
    return BoundedDay(value, time.thread_time() - began)
