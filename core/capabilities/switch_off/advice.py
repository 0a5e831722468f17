"""Which nodes may sleep: chosen by the first half of a log, and judged by the second."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

import numpy as np

from core.capabilities.switch_off.levels import levels_of
from core.capabilities.switch_off.settings import START, SwitchOffSettings
from core.capabilities.switch_off.sleeping import (
    NodePowers,
    SleepPlan,
    SleepTable,
    Slept,
    best_plan,
    least_by_time,
    least_joules,
    times_to_try,
)
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.node_use import NodeUse
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import YEAR
from core.vocabulary.system import System
from core.vocabulary.without_work import ASLEEP

SHARES: Final = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 1.0)
"""The shares of jobs that may wait for which the front has plans."""
AS_GOOD: Final = 0.01
"""A plan stays advised if nodes without work draw at most so much more than with the best one."""
_HALVINGS: Final = 20
_TIMES_IDLE: Final = Range(0.0, 5.0, "times the idle power")
Assumed = Literal["idle", "asleep", "start"]


@dataclass(frozen=True, eq=False)
class LogSpan:
    """A part of the log: how long it is (s), and a table for each machine type."""

    seconds: float
    tables: tuple[SleepTable, ...]

    @property
    def jobs(self) -> int:
        return sum(table.levels.jobs for table in self.tables)

    def drawn(self, powers: NodePowers) -> list[FloatArray]:
        """For each machine type, the joules of nodes without work in each cell of its table."""
        return [
            table.joules(idle, powers.asleep, start)
            for table, idle, start in zip(self.tables, powers.idle, powers.start, strict=True)
        ]


@dataclass(frozen=True, eq=False)
class SleepOutcome:
    """What comes of a plan in a span, for each machine type."""

    span: LogSpan
    powers: NodePowers
    plan: SleepPlan

    @cached_property
    def slept(self) -> tuple[Slept, ...]:
        tables, awake = self.span.tables, self.plan.awake
        return tuple(
            table.at(self.plan.row, number) for table, number in zip(tables, awake, strict=True)
        )

    @property
    def starts(self) -> int:
        return sum(one.starts for one in self.slept)

    @property
    def waits(self) -> int:
        return sum(one.waits for one in self.slept)

    @property
    def share_of_waits(self) -> float:
        """The share of the jobs that wait for a start."""
        return self.waits / max(self.span.jobs, 1)

    @property
    def busy_joules(self) -> float:
        """What nodes draw at work."""
        return float(self.powers.busy @ [one.levels.busy_seconds for one in self.span.tables])

    @property
    def always_on(self) -> float:
        """What nodes without work draw if all stay on (J)."""
        return float(self.powers.idle @ [one.levels.idle_seconds for one in self.span.tables])

    @cached_property
    def saved_by_type(self) -> FloatArray:
        """Joules less than if all nodes stay on."""
        seconds, starts, _ = np.array(self.slept).reshape(-1, 3).T
        kept = (self.powers.idle - self.powers.asleep) * seconds
        saved: FloatArray = kept - self.powers.start * starts
        return saved

    @property
    def saved(self) -> float:
        return float(self.saved_by_type.sum())

    @property
    def joules(self) -> float:
        """What nodes without work draw, starts included."""
        return self.always_on - self.saved

    @property
    def least(self) -> float:
        """What nodes without work draw at least if no job waits (J)."""
        powers = self.powers
        return sum(
            least_joules(table.levels, idle, powers.asleep, start)
            for table, idle, start in zip(self.span.tables, powers.idle, powers.start, strict=True)
        )

    @property
    def share_saved(self) -> float:
        """The share that is saved of what all nodes draw, at work and without."""
        return self.saved / (self.always_on + self.busy_joules)

    def a_year(self, joules: float) -> float:
        """As much in a year as in the time of the span."""
        return joules * YEAR / self.span.seconds


@dataclass(frozen=True, slots=True)
class Holds:
    """From `low` to `high` of an assumed number, now `value`, the plan stays as good as the best
    but for 1 %. An end is None if it holds as far as the number may go. The number is the idle
    power as a multiple of what it is now, the power asleep (W), or the time of a start (s).
    """

    name: Assumed
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, eq=False)
class SleepAdvice:
    """The plan that is advised, as it did in the half by which it was `chosen` and in that by which
    it is `judged`; `front` has the different plans for `SHARES` of jobs that may wait, likewise.
    """

    use: NodeUse
    powers: NodePowers
    settings: SwitchOffSettings
    chosen: SleepOutcome
    judged: SleepOutcome
    front: tuple[tuple[SleepOutcome, SleepOutcome], ...]
    holds: tuple[Holds, ...]

    @property
    def plan(self) -> SleepPlan:
        return self.judged.plan

    @property
    def may_sleep(self) -> IntArray:
        """How many nodes of each machine type may sleep."""
        awake = np.minimum(self.plan.awake, self.use.nodes)
        return self.use.nodes - awake if np.isfinite(self.plan.after) else 0 * awake

    @property
    def asleep(self) -> FloatArray:
        """How many nodes of each machine type sleep on average, where the plan is judged."""
        return np.array([one.seconds for one in self.judged.slept]) / self.judged.span.seconds


def known_in(use: NodeUse, system: System) -> NodeUse | None:
    """The use of the machine types that the system still has, with as many nodes as it has now;
    None if it has none of them.
    """
    kept = [k for k, name in enumerate(use.names) if name in system.machine_names]
    if not kept:
        return None
    places = [system.machine_names.index(use.names[k]) for k in kept]
    machines = use.machines[kept]
    changes = tuple(use.changes[k] for k in kept)
    there = np.ceil(system.machine_counts[places] / machines).astype(np.int64)
    renumbered = np.full(len(use.names), -1)
    renumbered[kept] = np.arange(len(kept))
    types = renumbered[use.node_types]
    named = np.flatnonzero(types >= 0)
    return replace(
        use,
        names=tuple(use.names[k] for k in kept),
        nodes=np.maximum(there, [one.most for one in changes]),
        machines=machines,
        changes=changes,
        node_names=tuple(use.node_names[k] for k in named),
        node_types=types[named],
        node_busy=use.node_busy[named],
    )


def advise(system: System, use: NodeUse, settings: SwitchOffSettings | None = None) -> SleepAdvice:
    """Which nodes may sleep. The system has the machine types of `use`."""
    settings = settings or SwitchOffSettings()
    powers = NodePowers.of(system, use, settings)
    middle = use.begin + use.seconds / 2
    halves = (use.begin, middle), (middle, use.end)
    levels = [
        [
            levels_of(one.within(*half), nodes, *half)
            for one, nodes in zip(use.changes, use.nodes.tolist(), strict=True)
        ]
        for half in halves
    ]
    after = times_to_try(levels[0], powers)
    first, second = (
        LogSpan(use.seconds / 2, tuple(SleepTable.of(one, after) for one in half))
        for half in levels
    )
    drawn = first.drawn(powers)
    every = [best_plan(first.tables, drawn, one) for one in reversed(SHARES)]
    different = {(plan.row, plan.awake): plan for plan in every}.values()
    advised = best_plan(first.tables, drawn, settings.most_waits)
    (chosen, judged), *front = [
        (SleepOutcome(first, powers, plan), SleepOutcome(second, powers, plan))
        for plan in (advised, *reversed(different))
    ]
    holds = tuple(_holds(chosen, settings.most_waits))
    return SleepAdvice(use, powers, settings, chosen, judged, tuple(front), holds)


def _holds(chosen: SleepOutcome, most_waits: float) -> Iterator[Holds]:
    """The ranges in which the plan stays advised. What a plan draws is linear in each number, so
    the least of all plans is concave, and where the plan is as good as that is an interval.
    """
    span, powers, plan = chosen.span, chosen.powers, chosen.plan

    def is_as_good(now: NodePowers) -> bool:
        least, _ = least_by_time(span.tables, span.drawn(now), most_waits)
        return SleepOutcome(span, now, plan).joules <= (1 + AS_GOOD) * float(least.min())

    def end(good: float, bad: float, changed: Callable[[float], NodePowers]) -> float | None:
        if is_as_good(changed(bad)):
            return None
        for _ in range(_HALVINGS):
            middle = (good + bad) / 2
            good, bad = (middle, bad) if is_as_good(changed(middle)) else (good, middle)
        return good

    ways: tuple[tuple[Assumed, float, Range, Callable[[float], NodePowers]], ...] = (
        ("idle", 1.0, _TIMES_IDLE, lambda x: replace(powers, idle=x * powers.idle)),
        ("asleep", powers.asleep, ASLEEP, lambda x: replace(powers, asleep=x)),
        ("start", powers.start_seconds, START, lambda x: replace(powers, start_seconds=x)),
    )
    for name, now, allowed, changed in ways:
        yield Holds(name, now, end(now, allowed.low, changed), end(now, allowed.high, changed))
