"""Planners of policies: quotas of a plan for tasks that can be split, or steady rates.

A plan for tasks that can be split becomes one for whole tasks: how many each machine gets until
when. It is made once, or anew at each release for what is left of the released bags.
"""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from core.capabilities.fair_shares.bags import BagWork
from core.capabilities.fair_shares.optimum import LeastStretch, StretchSearch, least_stretch
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.running import OpenTasks, no_plan
from core.capabilities.fair_shares.tasks.state import TaskPlan
from core.engines.lp.program import Program
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Effort
from core.vocabulary.tolerances import METHODS_AGREE, SAME


class Planner(Protocol):
    """Makes plans while tasks run. It plans at the first release, and where it is asked to."""

    at_releases: bool
    """It plans at each release, and knows only bags that have been released."""

    def plan(self, run: OpenTasks, /) -> TaskPlan:
        """The plan from now on."""


class PlanOfAll:
    """Quotas of the plan with the least worst stretch of all bags."""

    at_releases = False

    def __init__(self, work: MachineWork, _: Effort, *, sent_early: bool) -> None:
        self._work, self._sent_early = work, sent_early

    def plan(self, _: OpenTasks, /) -> TaskPlan:
        found = least_stretch(self._work.fitting, sent_early=self._sent_early)
        return quotas_of(self._work, found)


def quotas_of(work: MachineWork, found: LeastStretch) -> TaskPlan:
    """The quotas of the plan of an optimum of `work.fitting`."""
    begin = float(found.bags.release[found.bags.present].min())
    due = found.deadlines - begin
    return quotas(work, found.plan.dates[1:] - begin, found.plan.sent, work.counts, due)


class PlanOfReleased:
    """Quotas of the plan with the least worst stretch of what is left of the released bags."""

    at_releases = True

    def __init__(self, work: MachineWork, _: Effort, *, sent_early: bool) -> None:
        self._work, self._sent_early = work, sent_early

    def plan(self, run: OpenTasks) -> TaskPlan:
        work = self._work
        found = plan_remaining(what_remains(work, run), sent_early=self._sent_early)
        there = np.where(work.release <= run.now, run.unsent, 0)
        due = work.release + found.stretch * work.ideal
        return quotas(work, found.dates, found.sent, there, due)


class SteadyState:
    """Each bag advances at a steady rate, in proportion to its weight."""

    at_releases = True

    def __init__(self, work: MachineWork, weigh: Callable[[OpenTasks], FloatArray]) -> None:
        self._work, self._weigh = work, weigh

    def plan(self, run: OpenTasks) -> TaskPlan:
        work = self._work
        there = (work.release <= run.now) & (run.unsent > 0)
        weights = np.where(there, self._weigh(run), 0.0)
        rates = steady_rates(work.fitting.work, weights)
        shares = np.ascontiguousarray((rates / work.alike)[:, work.worker])
        return no_plan(work)._replace(rates=rates.sum(axis=1), shares=shares)


def quotas(
    work: MachineWork, dates: FloatArray, sent: FloatArray, unsent: IntArray, due: FloatArray
) -> TaskPlan:
    """The quotas of a plan: `sent[k, u, j]` tasks of bag k are sent to worker u in interval j,
    which ends at `dates[j]`; of each bag, `unsent` tasks are there to be sent. Deadlines are `due`.

    Machines of a worker take turns. So each gets a share of what its worker gets, and what is sent
    until a date is rounded up for some of them and down for others. Tasks without data are sent at
    once, as that takes nothing.
    """
    until = np.cumsum(sent, axis=2)
    last = np.argmax(
        until.sum(axis=1) >= (until[:, :, -1].sum(axis=1) * (1 - SAME))[:, None], axis=1
    )
    until = np.where((work.data == 0)[:, None, None], until[:, :, -1:], until)
    alike = work.alike
    until = np.ascontiguousarray(until / alike[None, :, None])
    shift = _shifts(work, until[:, :, -1] * alike)
    most = _whole(work, until[:, :, -1], shift, unsent)
    # In another order, numbers would have the replay compiled a second time.
    return no_plan(work)._replace(
        dates=dates,
        until=until,
        last=last,
        shift=np.ascontiguousarray(shift),
        most=np.ascontiguousarray(most),
        due=np.ascontiguousarray(due),
    )


def _shifts(work: MachineWork, tasks: FloatArray) -> FloatArray:
    """What is added before rounding: 0 for the only machine of a worker. Of several, one after the
    other gets its next task; whose turn is first depends on the bags before.
    """
    alike = work.alike[work.worker]
    order = np.argsort(work.worker, kind="stable")
    place = np.empty(work.machines, np.int64)
    workers = work.worker[order]
    place[order] = np.arange(work.machines) - np.searchsorted(workers, workers)
    before = np.vstack([np.zeros((1, tasks.shape[1])), np.cumsum(tasks, axis=0)[:-1]])
    turn = (place[None, :] - np.rint(before).astype(np.int64)[:, work.worker]) % alike
    shifts: FloatArray = (alike - 1 - 2 * turn) / (2 * alike)
    return shifts


def _whole(work: MachineWork, total: FloatArray, shift: FloatArray, unsent: IntArray) -> IntArray:
    """How many whole tasks of each bag each machine gets; the last few go where they exceed the
    plan by the least time.
    """
    tasks = total[:, work.worker]
    whole = np.floor(tasks + METHODS_AGREE).astype(np.int64)
    seconds = work.seconds + work.data[:, None] / work.links
    for k in range(len(unsent)):
        left = int(unsent[k] - whole[k].sum())
        costs = (whole[k] + 1 - tasks[k] - shift[k]) * seconds[k]
        ahead = [(float(costs[m]), m) for m in np.flatnonzero(np.isfinite(seconds[k])).tolist()]
        heapq.heapify(ahead)
        for _ in range(left):
            cost, m = ahead[0]
            whole[k, m] += 1
            heapq.heapreplace(ahead, (cost + float(seconds[k, m]), m))
    return whole


@dataclass(frozen=True, eq=False)
class Remaining:
    """The bags at `now` (s after the first release): `unsent` tasks of each bag, and `present`
    tasks of each on each worker, parts of running ones among them. `left` are the bags with any.
    """

    work: BagWork
    ideal: FloatArray
    now: float
    unsent: IntArray
    present: FloatArray

    @property
    def left(self) -> IntArray:
        released = self.work.release <= self.now
        return np.flatnonzero(released & ((self.unsent > 0) | (self.present > 0).any(axis=1)))

    def search(self) -> StretchSearch:
        """The search for the least worst stretch of the bags that are left."""
        work, left = self.work, self.left
        rest = replace(
            work,
            counts=self.unsent[left].astype(float),
            release=work.release[left],
            data=work.data[left],
            seconds=work.seconds[left],
            joules=work.joules[left],
            tasks=work.counts[left],
            stock=self.present[left],
            start=self.now,
        )
        return StretchSearch(rest, self.ideal[left])


class LeastRemaining(NamedTuple):
    """The least worst `stretch`. No schedule has one below `proven`: the same but for rounding."""

    stretch: float
    proven: float


class RemainingPlan(NamedTuple):
    """A plan with the worst stretch `stretch`: `sent[k, u, j]` tasks of bag k are sent to worker u
    in interval j, which ends at `dates[j]` (s after the first release).
    """

    stretch: float
    dates: FloatArray
    sent: FloatArray


def what_remains(work: MachineWork, run: OpenTasks) -> Remaining:
    """What is left of the bags of a replay."""
    present = np.zeros(work.fitting.work.seconds.shape)
    np.add.at(present.T, work.worker, run.present.T)
    return Remaining(work.fitting.work, work.ideal, run.now, run.unsent, present)


def least_remaining(remaining: Remaining) -> LeastRemaining:
    """The least worst stretch of the bags that are left. Raises `SolverFailed`."""
    search = remaining.search()
    stretch, _ = search.least()
    return LeastRemaining(stretch, min(search.proven, stretch))


def plan_remaining(remaining: Remaining, *, sent_early: bool = False) -> RemainingPlan:
    """A plan of the bags that are left with a millionth more than their least worst stretch, in
    which tasks end early, and if asked are sent early, too. Raises `SolverFailed`.
    """
    search = remaining.search()
    stretch = search.least()[0] * (1 + METHODS_AGREE)
    shares = search.early(stretch, sent_early=sent_early)
    dates = shares.epochs.dates(stretch)[1:]
    sent = np.zeros((*remaining.work.seconds.shape, len(dates)))
    bag, worker, interval, _ = shares.routes
    bag = remaining.left[bag]
    np.add.at(sent, (bag, worker, interval), shares.shares * remaining.unsent[bag])
    return RemainingPlan(stretch, dates, sent)


def steady_rates(work: BagWork, weights: FloatArray) -> FloatArray:
    """Tasks a second of each bag (line) on each worker (column).

    Each bag advances in proportion to its weight, as fast as links, machines and master allow; a
    bag of weight 0 not at all.
    """
    rates = np.zeros(work.seconds.shape)
    bags = np.flatnonzero(weights > 0)
    if not len(bags):
        return rates
    alone = work.throughput[bags]
    shares = weights[bags] / alone
    shares = shares / shares.max()
    program = Program(solver="simplex")
    workers = work.seconds.shape[1]
    together = program.add_rows(np.zeros(len(bags)), 0.0)
    cpus = program.add_rows(-np.inf, np.ones(workers))
    links = program.add_rows(-np.inf, np.ones(workers))
    master = program.add_rows(-np.inf, np.ones(1))
    bag, worker = np.nonzero(np.isfinite(work.seconds[bags]))
    columns = program.add_columns(
        [
            (together[bag], 1.0),
            (cpus[worker], (alone[:, None] * work.seconds[bags])[bag, worker]),
            (links[worker], (alone[:, None] * work.link_seconds[bags])[bag, worker]),
            (np.repeat(master, len(bag)), (alone * work.master_seconds[bags])[bag]),
        ]
    )
    program.add_columns([(together[None], -shares[None])], costs=-1.0)
    found = np.maximum(program.minimise().values[columns], 0.0)
    rates[bags[bag], worker] = found * alone[bag]
    return rates
