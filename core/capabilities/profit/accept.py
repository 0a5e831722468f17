"""Chooses which tasks to accept if not all of them pay, or can be run in time, and schedules them.

The divisible optimum is rounded and assigned to machines. A machine that would end late gives back
the tasks that earn least for each second, and free time takes the tasks that earn most.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.capabilities.profit.program import (
    CapTooLow,
    ProfitBound,
    most_profit_of_part,
    placed_total,
)
from core.capabilities.profit.terms import Terms, keeps_terms
from core.engines.recover import assign, round_rows
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.power import peak_power
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import NOT_DIVISIBLE, SUM_ROUNDING, WHOLE


@dataclass(frozen=True, eq=False)
class Acceptance:
    """The accepted part of one batch: `accepted[i]` tasks of type i, which `schedule` runs within
    the bound's period and cap; None if no task is accepted.

    `power` is the average watts of the machines over the period; `profit` is money a second.
    """

    system: System
    bound: ProfitBound
    accepted: IntArray
    schedule: Schedule | None
    power: float
    profit: float
    verified: bool

    @cached_property
    def peak(self) -> float:
        """The most watts of the machines at any moment."""
        if self.schedule is None:
            return self.system.total_idle_power
        return peak_power(self.schedule)

    @property
    def gap(self) -> float:
        """At most so much more money a second could be earned."""
        return max(self.bound.value - self.profit, 0.0)


def accept(system: System, terms: Terms, rewards: FloatArray, period: float) -> Acceptance:
    """The tasks worth accepting within `period` seconds, in which all machines are on.

    `rewards[i]` is money for each task of type i that is run; a batch's price and overhead do not
    depend on how many are run. Raises the errors of `most_profit`.
    """
    bound = most_profit_of_part(system, terms, rewards, period)
    order = _Order(system, terms, rewards, period, bound.cap_price)
    down = np.floor(bound.placed + WHOLE).astype(np.int64)
    whole = np.floor(bound.placed.sum(axis=1) + WHOLE).astype(np.int64)
    nearest = round_rows(bound.placed, np.minimum(whole, system.task_counts))
    found = [_accepted(order, bound, placed) for placed in (down, nearest, np.zeros_like(down))]
    best = max(found, key=lambda each: (each.verified, each.profit))
    if terms.spare_power(system) < 0 and not best.verified:
        raise CapTooLow(terms, min(each.power for each in found), proven=False)
    return best


def _accepted(order: "_Order", bound: ProfitBound, placed: IntArray) -> Acceptance:
    """The acceptance that starts from these tasks on machine types."""
    system, terms, period = order.system, bound.terms, order.period
    groups = list(order.filled(order.on_time(order.within_cap(placed))))
    placed = _placed(groups, placed.shape)
    accepted = placed.sum(axis=1)
    joules = placed_total(placed, system.dynamic_energy)
    money = placed_total(placed, order.money)
    schedule = _schedule(system, accepted, groups) if accepted.any() else None
    return Acceptance(
        system,
        bound,
        accepted,
        schedule,
        joules / period + system.total_idle_power,
        (terms.revenue + money) / period - terms.standing_costs(system),
        order.joules >= 0 if schedule is None else keeps_terms(schedule, terms, period),
    )


@dataclass(frozen=True, slots=True)
class _Group:
    """Machines of type `kind` that all run `tasks` and are busy for `load` seconds."""

    kind: int
    machines: int
    tasks: IntArray
    load: float

    def changed(self, task: int, number: int, seconds: float) -> "_Group":
        """The group with so many more, or fewer, tasks on each machine."""
        tasks = self.tasks.copy()
        tasks[task] += number
        return replace(self, tasks=tasks, load=self.load + number * seconds)


class _Order:
    """The tasks to choose from: what each earns on each machine type, and the limits of all.

    `money` is the reward of a task less its costs, `worth` is that less the price of the power it
    draws under the cap; both are minus infinity where the task cannot run. `limit` is in seconds,
    `joules` are those above idle power that all tasks may take, and `draw` those that one takes, 0
    if next to nothing.
    """

    def __init__(
        self, system: System, terms: Terms, rewards: FloatArray, period: float, cap_price: float
    ) -> None:
        self.system, self.period = system, period
        self.limit = period * (1 + SUM_ROUNDING)
        self.joules = terms.spare_power(system) * period
        # Under a cap of 0 W nothing that draws can run, however little it draws.
        possible = system.can_run & ((terms.cap > 0) | (system.dynamic_energy <= 0))
        self.money = np.where(possible, rewards[:, None] - terms.task_costs(system), -np.inf)
        draw = np.where(possible, system.dynamic_energy, 0.0)
        self.draw = np.where(np.abs(draw) > NOT_DIVISIBLE, draw, 0.0)
        self.worth = self.money - cap_price * self.draw
        self.density = self.worth / np.where(possible, system.etc, 1.0)

    def within_cap(self, placed: IntArray) -> IntArray:
        """The tasks without those that earn least for each joule, as many as the cap demands."""
        placed = np.where(np.isfinite(self.money), placed, 0)
        draw = self.draw
        beyond = placed_total(placed, draw) - self.joules
        task, machine = np.nonzero((placed > 0) & (draw > 0))
        for k in np.argsort(self.money[task, machine] / draw[task, machine]):
            if beyond <= abs(self.joules) * SUM_ROUNDING:
                break
            cell = task[k], machine[k]
            returned = min(int(placed[cell]), math.ceil(beyond / draw[cell]))
            placed[cell] -= returned
            beyond -= returned * draw[cell]
        return placed

    def on_time(self, placed: IntArray) -> Iterator[_Group]:
        """The groups of machines that run these tasks, without those that would end too late."""
        if not placed.any():
            for kind in np.flatnonzero(self.system.machine_counts).tolist():
                none = np.zeros(len(placed), np.int64)
                yield _Group(kind, int(self.system.machine_counts[kind]), none, 0.0)
            return
        schedule = assign(_with_tasks(self.system, placed.sum(axis=1)), placed)
        for kind, machines, tasks, load in zip(
            schedule.machine_type.tolist(),
            schedule.machines.tolist(),
            schedule.tasks,
            schedule.load.tolist(),
            strict=True,
        ):
            group = _Group(kind, machines, tasks, load)
            for task in np.argsort(self.density[:, kind]).tolist():
                seconds = float(self.system.etc[task, kind])
                late = group.load - self.limit
                if late > 0 and tasks[task]:
                    returned = min(int(tasks[task]), math.ceil(late / seconds))
                    group = group.changed(task, -returned, seconds)
            yield group

    def filled(self, on_time: Iterator[_Group]) -> Iterator[_Group]:
        """The same groups, or parts of them, with all further tasks that fit and pay."""
        system = self.system
        of_kind: dict[int, list[_Group]] = {}
        for group in on_time:
            of_kind.setdefault(group.kind, []).append(group)
        placed = _placed([g for groups in of_kind.values() for g in groups], self.worth.shape)
        left = system.task_counts - placed.sum(axis=1)
        joules = self.joules + abs(self.joules) * SUM_ROUNDING
        joules -= placed_total(placed, self.draw)
        tasks, kinds = np.nonzero((self.worth > 0) & (left > 0)[:, None])
        for k in np.argsort(-self.density[tasks, kinds]):
            task, kind = int(tasks[k]), int(kinds[k])
            draw = float(self.draw[task, kind])
            number = int(left[task])
            if draw > 0 and math.isfinite(joules):
                number = min(number, max(math.floor(joules / draw), 0))
            of_kind[kind], rest = self._hand_out(of_kind[kind], task, number)
            left[task] -= number - rest
            joules -= (number - rest) * draw
        for groups in of_kind.values():
            yield from groups

    def _hand_out(self, groups: list[_Group], task: int, number: int) -> tuple[list[_Group], int]:
        """Give up to `number` tasks to groups of one machine type; the groups, and the rest."""
        given = []
        for group in groups:
            seconds = float(self.system.etc[task, group.kind])
            fits = max(math.floor((self.limit - group.load) / seconds), 0)
            each, some = divmod(min(fits * group.machines, number), group.machines)
            number -= each * group.machines + some
            if some:
                given.append(replace(group, machines=some).changed(task, each + 1, seconds))
            rest = replace(group, machines=group.machines - some)
            given.append(rest.changed(task, each, seconds) if each else rest)
        return given, number


def _placed(groups: list[_Group], shape: tuple[int, ...]) -> IntArray:
    """Tasks of each type (rows) on each machine type (columns)."""
    placed = np.zeros(shape, np.int64)
    for group in groups:
        placed[:, group.kind] += group.machines * group.tasks
    return placed


def _schedule(system: System, accepted: IntArray, groups: list[_Group]) -> Schedule:
    return Schedule.from_groups(
        _with_tasks(system, accepted),
        np.array([group.kind for group in groups]),
        np.array([group.machines for group in groups]),
        np.array([group.tasks for group in groups]),
    )


def _with_tasks(system: System, counts: IntArray) -> System:
    return system.with_counts(counts, system.machine_counts)
