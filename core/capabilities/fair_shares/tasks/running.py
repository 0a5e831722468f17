"""A replay of whole tasks that stops where its policy plans anew, and goes on."""

from copy import copy
from typing import Final

import numpy as np

from core.capabilities.fair_shares.tasks.events import PLAN_AGAIN, STUCK, run_tasks
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.outcome import TaskOutcome
from core.capabilities.fair_shares.tasks.state import (
    BAG,
    MACHINE,
    MOMENT,
    TASK,
    TaskClock,
    TaskFacts,
    TaskPlan,
    TaskRules,
)
from core.engines.compute.records import RecordRows, zeros
from core.vocabulary.arrays import FloatArray, IntArray

_NOTHING: Final = -1


class NothingMoves(RuntimeError):
    """A plan leaves tasks over that it sends to no machine."""


class OpenTasks:
    """Whole tasks of bags, and where each stands. Times count from the first release."""

    def __init__(self, work: MachineWork, rules: TaskRules) -> None:
        self.work, self.rules = work, rules
        self.facts = facts_of(work)
        self.plan = no_plan(work)
        self.clock = _clock_of(work)

    def run(self, until: float = np.inf) -> bool:
        """Run up to `until` (s), or until a policy has to plan anew; returns whether it has to.

        What ends at `until` has ended. Raises `NothingMoves`.
        """
        stopped = run_tasks(self.facts, self.rules, self.plan, self.clock, until)
        if stopped == STUCK:
            left = int(self.clock.moment[0].unfinished)
            raise NothingMoves(f"{left} tasks wait that no plan sends")
        return bool(stopped == PLAN_AGAIN)

    def follow(self, plan: TaskPlan) -> None:
        """Follow a plan from now on; what waited in front of links returns to the master."""
        self.plan = plan
        moment, clock = self.clock.moment[0], self.clock
        moment.interval = moment.places = moment.plan_again = 0
        clock.sent[:] = clock.given[:] = 0
        clock.machines.queue_first[:] = clock.machines.queue_last[:] = _NOTHING
        clock.bags.queued[:] = 0
        there = (self.work.release <= moment.now) & (plan.rates > 0)
        clock.bags.next[:] = np.where(there, moment.now, np.inf)

    @property
    def now(self) -> float:
        return float(self.clock.moment[0].now)

    @property
    def unsent(self) -> IntArray:
        """How many tasks of each bag have not been sent."""
        return np.array(self.clock.bags.unsent)

    @property
    def unfinished(self) -> IntArray:
        """How many tasks of each bag have not ended."""
        return np.array(self.clock.bags.unfinished)

    @property
    def present(self) -> FloatArray:
        """Tasks of each bag on each machine that wait, or of which data are sent there, and of
        those that run what is left: a share.
        """
        here = np.zeros(self.work.seconds.shape)
        clock, now = self.clock, self.now
        sent = int(clock.moment[0].tasks)
        waits = np.flatnonzero(np.isinf(clock.tasks.start[:sent]))
        np.add.at(here, (clock.tasks.bag[waits], clock.tasks.machine[waits]), 1.0)
        for m in np.flatnonzero(clock.machines.running >= 0).tolist():
            machine = clock.machines[m]
            k = clock.tasks[machine.running].bag
            here[k, m] += (machine.ends - now) / self.work.seconds[k, m]
        return here

    def outcome(self, policy: str) -> TaskOutcome:
        """What came of all tasks that were sent, if they have ended."""
        work = self.work
        sent = int(self.clock.moment[0].tasks)
        tasks: RecordRows = self.clock.tasks[:sent].view(np.recarray)
        begin = float(work.bags.release[work.bags.present].min())
        order = np.argsort(work.machine_type, kind="stable")
        number = np.empty(work.machines, np.int64)
        types = work.machine_type[order]
        number[order] = np.arange(work.machines) - np.searchsorted(types, types)
        return TaskOutcome(
            work.bags,
            policy,
            tasks.bag.copy(),
            work.machine_type[tasks.machine],
            number[tasks.machine],
            tasks.sent + begin,
            tasks.arrived + begin,
            tasks.start + begin,
            tasks.end + begin,
        )

    def rehearsed(self, plan: TaskPlan, policy: str) -> TaskOutcome:
        """What came, and what would come if no bag were released any more and a plan were followed
        from now on. This replay stays where it is. Raises `NothingMoves`.
        """
        known = self.work.release <= self.now
        ahead = copy(self)
        ahead.clock = copied(self.clock)
        ahead.clock.moment.unfinished[0] = int(self.unfinished[known].sum())
        ahead.facts = self.facts._replace(release=np.where(known, self.work.release, np.inf))
        ahead.follow(plan)
        ahead.run()
        return ahead.outcome(policy)


def compile_replays(work: MachineWork, rules: TaskRules) -> None:
    """Compile what all replays run, on the first event of one: later ones do not wait for it."""
    OpenTasks(work, rules).run(0.0)


def copied(clock: TaskClock, to: TaskClock | None = None) -> TaskClock:
    """A copy that changes on its own, perhaps in place of another one of the same bags."""
    if to is None:
        records = (clock.moment.copy(), clock.machines.copy(), clock.bags.copy())
        numbers = (clock.sent, clock.given, clock.place_bag, clock.place_next)
        return TaskClock(*records, clock.tasks.copy(), *(part.copy() for part in numbers))
    for part, now in zip(to, clock, strict=True):
        part[...] = now
    return to


def facts_of(work: MachineWork) -> TaskFacts:
    """What does not change, as kernels take it."""
    return TaskFacts(
        work.release,
        work.data,
        work.seconds,
        work.links,
        work.memory,
        float(work.bags.network.bandwidth),
        work.ideal,
        work.counts / work.ideal,
        np.argsort(work.links, kind="stable"),
    )


def no_plan(work: MachineWork) -> TaskPlan:
    """For policies that do not plan."""
    bags, machines = work.seconds.shape
    return TaskPlan(
        np.empty(0),
        np.empty((bags, len(work.alike), 0)),
        np.zeros(bags, np.int64),
        work.worker,
        np.empty((bags, machines)),
        np.empty((bags, machines), np.int64),
        np.zeros(bags),
        np.zeros(bags),
        np.zeros((bags, machines)),
        np.arange(bags),
        np.zeros((bags, machines), np.bool_),
        np.full((bags, machines), np.inf),
        np.inf,
        np.inf,
    )


def _clock_of(work: MachineWork) -> TaskClock:
    total, shape = int(work.counts.sum()), work.seconds.shape
    moment = zeros(MOMENT, 1)
    moment.unfinished = total
    machines = zeros(MACHINE, work.machines)
    for name in ("sending", "running", "first", "last", "queue_first", "queue_last"):
        machines[name] = _NOTHING
    machines.arrives = machines.ends = np.inf
    bags = zeros(BAG, len(work.counts))
    bags.unsent = bags.unfinished = work.counts
    bags.next = np.inf
    tasks = zeros(TASK, total)
    tasks.start = tasks.arrived = tasks.end = np.inf
    return TaskClock(
        moment,
        machines,
        bags,
        tasks,
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(total, np.int64),
        np.zeros(total, np.int64),
    )
