"""Schedules that keep a cap on the power at every moment, by events.

Machines that are free begin tasks while they fit under the cap; when some end, others may begin.
Many tasks begin as one block, and blocks become shorter towards the end, so the number of events
grows with the logarithm of the number of tasks; machines that begin the same at the same moment are
one event, so it does not grow with the number of machines either.

A machine that has a task to come is on, and waits at its idle power; after its last task it may be
switched off and draw less. Read backwards in time, a machine is off until its first task and then
on; so the machines of a type that are on are the most that were at work at once so far. Where
machines may be switched off, the events run backwards, and their times are turned round at the end.
"""

import bisect
import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from core.engines.peak.mixes import Cap, Mix
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.schedule import Blocks, Schedule
from core.vocabulary.system import System
from core.vocabulary.timed import TimedSchedule
from core.vocabulary.tolerances import SAME

# Of many free machines, at least this share begins at once.
TOGETHER: Final = 1 / 64


class Run(NamedTuple):
    """`machines` of a set each run `tasks` tasks of type `task` from `start` to `end` seconds."""

    place: int
    task: int
    machines: int
    tasks: int
    start: float
    end: float


_Row = tuple[int, int, int, int, int, float, float]
"""Machine type, first machine, machines, task type, tasks, start and end of a block."""


@dataclass(frozen=True)
class MachineSets:
    """Machines as events see them, in sets that begin the same tasks: set s is `machines[s]`
    machines of type `kind[s]`, numbered from `first[s]`.

    `work[i][s]` are the watts of a task beyond idle (infinity where none of the set can run it),
    `waking[s]` those of a machine that is on and idle beyond one without work; `spare` are left
    under the cap. A task that draws less than idle counts as idle. A set runs at most `most[i][s]`
    tasks of type i, and should do `needs[i, s]` machine-seconds of them. A block has the share
    `block` of the tasks of its pair that are left for one machine, and all orders together begin
    about `begun` blocks.
    """

    kind: list[int]
    first: list[int]
    machines: list[int]
    block: float
    begun: int
    seconds: list[list[float]]
    work: list[list[float]]
    waking: list[float]
    spare: float
    most: list[list[float]]
    needs: FloatArray

    @classmethod
    def of_types(cls, cap: Cap, mix: Mix) -> "MachineSets":
        """The machines of each type as a set, with the machine-seconds of a mix to do."""
        kinds = np.flatnonzero(cap.system.machine_counts > 0)
        ones = np.ones(len(kinds), np.int64)
        most = np.full((len(cap.more), len(kinds)), np.inf)
        machines = cap.system.machine_counts[kinds]
        return cls._of(cap, (kinds, ones, machines), most, mix.work[:, kinds])

    @classmethod
    def of_schedule(cls, cap: Cap, plan: Schedule) -> "MachineSets":
        """The machines of each group as a set, which runs its tasks of the plan and no others."""
        kinds, machines = plan.machine_type, plan.machines
        first, tasks = plan.first_machine, plan.tasks
        if machines.sum() <= MOST_SINGLE:
            first = np.concatenate(
                [
                    np.arange(a, a + m)
                    for a, m in zip(first.tolist(), machines.tolist(), strict=True)
                ]
            )
            kinds, tasks = np.repeat(kinds, machines), np.repeat(tasks, machines, axis=0)
            machines = np.ones_like(kinds)
        most = (tasks * machines[:, None]).T.astype(float)
        seconds = np.where(np.isfinite(cap.system.etc), cap.system.etc, 0.0)
        needs = most * seconds[:, kinds]
        found = cls._of(cap, (kinds, first, machines), most, needs)
        return replace(found, block=BLOCK_OF_PLAN, begun=BEGUN_OF_PLAN)

    @classmethod
    def _of(
        cls,
        cap: Cap,
        machines: tuple[IntArray, IntArray, IntArray],
        most: FloatArray,
        needs: FloatArray,
    ) -> "MachineSets":
        system, (kinds, first, counts) = cap.system, machines
        waking = system.waiting_power
        work = np.where(np.isfinite(cap.more), np.maximum(cap.more - waking, 0.0), np.inf)
        return cls(
            kinds.tolist(),
            first.tolist(),
            counts.tolist(),
            BLOCK,
            BEGUN,
            system.etc[:, kinds].tolist(),
            work[:, kinds].tolist(),
            waking[kinds].tolist(),
            cap.spare,
            most.tolist(),
            needs,
        )


class _Moment:
    """What runs at a moment of a schedule in the making."""

    def __init__(self, pool: MachineSets, counts: Sequence[int]) -> None:
        self.pool = pool
        self.now = 0.0
        self.left = list(counts)
        self.most = [list(row) for row in pool.most]
        self.free = list(pool.machines)
        self.on = [0] * len(pool.machines)
        self.spare = pool.spare
        self.ends: list[tuple[float, int, int, int]] = []
        self.runs: list[Run] = []

    def fits(self, task: int, place: int) -> int:
        """How many machines of a set may begin tasks of a type now."""
        most = int(min(self.free[place], self.left[task], self.most[task][place]))
        each, waking = self.pool.work[task][place], self.pool.waking[place]
        if most <= 0 or self.spare < 0:
            return 0
        some = most if each <= 0 else int(min(most, self.spare / each))
        if waking <= 0:
            return some
        awake = self.on[place] - (self.pool.machines[place] - self.free[place])
        if some <= awake:
            return some
        return min(most, awake + max(int((self.spare - awake * each) / (each + waking)), 0))

    def begin(self, task: int, place: int, machines: int, count: int) -> None:
        pool = self.pool
        end = self.now + count * pool.seconds[task][place]
        self.runs.append(Run(place, task, machines, count, self.now, end))
        self.left[task] -= machines * count
        self.most[task][place] -= machines * count
        self.free[place] -= machines
        waking = max(pool.machines[place] - self.free[place] - self.on[place], 0)
        self.on[place] += waking
        self.spare -= machines * pool.work[task][place] + waking * pool.waking[place]
        heapq.heappush(self.ends, (end, place, task, machines))

    def go_on(self) -> list[tuple[int, int, int]]:
        """To the next moment at which tasks end. Returns (task, set, machines) of these."""
        self.now = self.ends[0][0]
        ended, pool = [], self.pool
        while self.ends and self.ends[0][0] <= self.now:
            _, place, task, machines = heapq.heappop(self.ends)
            self.free[place] += machines
            self.spare += machines * pool.work[task][place]
            ended.append((task, place, machines))
        if not self.ends:  # without the rounding errors of all sums so far
            on = zip(self.on, pool.waking, strict=True)
            self.spare = pool.spare - sum(number * watts for number, watts in on)
        return ended


@dataclass(frozen=True)
class Precedence:
    """Which pair begins first. `ahead` weighs how far a pair is ahead of its share of the work,
    `length` how short its tasks are, and `watts` how little they draw. With `strict`, nothing
    begins before what should begin first and does not fit. `jitter` disturbs the order by random
    numbers of a seed.
    """

    ahead: float = 1.0
    length: float = 0.0
    watts: float = 0.0
    strict: bool = False
    jitter: float = 0.0
    seed: int = 0


ORDERS: Final = (
    Precedence(length=0.2),
    Precedence(),
    Precedence(ahead=0.0, length=1.0),
    Precedence(strict=True),
    Precedence(ahead=0.0, watts=1.0),
)
MOST_TRIES: Final = 40
# Blocks, and how many all orders together begin, where machines of a type share a mix, and where
# each has its own plan, which takes longer. Tried on nine with 1,000 times the tasks: blocks of 0.1
# come to within 1 to 2 % of the bound, blocks of 0.7 to within 30 %; plans to within 5 %.
BLOCK: Final = 0.1
BEGUN: Final = 10_000
BLOCK_OF_PLAN: Final = 0.5
BEGUN_OF_PLAN: Final = 4_000
MOST_SINGLE: Final = 200
"""So many machines have plans of their own; of more, groups that run the same have one."""


def paced(
    system: System, pool: MachineSets, should_stop: Callable[[], bool], enough: float
) -> list[Run] | None:
    """The shortest runs of several orders, until one takes at most `enough` seconds; None if in
    none of them all tasks fit.
    """
    best: list[Run] | None = None
    least, begun = math.inf, 0
    for number in range(MOST_TRIES):
        if number and (should_stop() or begun > pool.begun or least <= enough):
            break
        order = ORDERS[number % len(ORDERS)]
        if number >= len(ORDERS):
            order = replace(order, jitter=0.3, seed=number)
        runs = _in_order(system, pool, order)
        if runs is None:
            continue
        begun += len(runs)
        seconds = max((run.end for run in runs), default=0.0)
        if seconds < least:
            best, least = runs, seconds
    return best


def _in_order(system: System, pool: MachineSets, order: Precedence) -> list[Run] | None:
    moment = _Moment(pool, system.task_counts.tolist())
    work = np.array(pool.work)
    possible = np.isfinite(work) & (np.array(pool.most) > 0)
    wanted = possible & (pool.needs > 0)
    lost = ~wanted.any(axis=1)  # such task types may run anywhere
    wanted |= possible & lost[:, None]
    pairs = np.argwhere(wanted)
    total = float(pool.needs.sum())
    little = max(total, 1.0) * SAME
    noise = 1 + order.jitter * np.random.default_rng(order.seed).uniform(-1, 1, len(pairs))
    longest = float(system.etc[np.isfinite(system.etc)].max())
    most = max(float(work[possible].max(initial=0.0)), little)
    machines_at_once = np.array(pool.machines) / np.maximum(pool.needs.sum(axis=0), little)
    tasks, places = pairs.T.tolist() if len(pairs) else ([], [])
    needs = np.maximum(pool.needs[tasks, places], little).tolist()
    at_once = (np.array(needs) * machines_at_once[places]).tolist()
    place = {pair: k for k, pair in enumerate(zip(tasks, places, strict=True))}
    begun, running = [0.0] * len(pairs), [0] * len(pairs)
    fixed = [
        (order.length * pool.seconds[i][s] / longest + order.watts * pool.work[i][s] / most)
        for i, s in zip(tasks, places, strict=True)
    ]

    def rank(k: int) -> float:
        ahead = (begun[k] + 0.5 * pool.seconds[tasks[k]][places[k]]) / needs[k]
        return float((order.ahead * ahead - fixed[k]) * noise[k])

    heads = sorted((rank(k), k) for k in range(len(pairs)))
    left, free = moment.left, moment.free
    while any(left):
        at = 0
        while at < len(heads):
            _, k = heads[at]
            task, chosen = tasks[k], places[k]
            if not left[task] or moment.most[task][chosen] <= 0:
                del heads[at]
                continue
            if not free[chosen]:
                at += 1
                continue
            fits = moment.fits(task, chosen)
            if not fits:
                if order.strict:
                    break
                at += 1
                continue
            lot = min(fits, max(1, math.ceil(TOGETHER * pool.machines[chosen])))
            seconds = pool.seconds[task][chosen]
            others = max(math.ceil(at_once[k]) - running[k], lot)
            rest = (needs[k] - begun[k]) / seconds
            if rest < 1:
                rest = float(left[task])  # of a pair that has its share, if others have no room
            most_each = int(min(left[task], moment.most[task][chosen])) // lot
            count = max(1, min(int(pool.block * rest / others), most_each))
            moment.begin(task, chosen, lot, count)
            begun[k] += lot * count * seconds
            running[k] += lot
            del heads[at]
            bisect.insort(heads, (rank(k), k))
        if not any(left):
            break
        if not moment.ends:
            return None
        for task, chosen, machines in moment.go_on():
            running[place[task, chosen]] -= machines
    return moment.runs


def schedule_of(system: System, pool: MachineSets, runs: Sequence[Run]) -> TimedSchedule:
    """The schedule of runs, on machines numbered so that those of the lowest numbers run first;
    blocks that follow each other become one.
    """
    if system.may_sleep:
        runs = _backwards(runs)
        numbered = _numbered(pool, sorted(runs, key=lambda run: (-run.end, -run.start)), True)
    else:
        numbered = _numbered(pool, sorted(runs, key=lambda run: (run.start, run.end)), False)
    return TimedSchedule.of_timeline(system, _rows(numbered))


def _backwards(runs: Sequence[Run]) -> list[Run]:
    """The same runs, of which the last one comes first."""
    whole = max((run.end for run in runs), default=0.0)
    return [run._replace(start=max(whole - run.end, 0.0), end=whole - run.start) for run in runs]


def _numbered(pool: MachineSets, runs: Sequence[Run], back: bool) -> list[_Row]:
    """Rows (type, first machine, machines, task type, count, start, end) of machines that are free
    when a run begins (or ends, if they are given `back` in time), those of the lowest number first.
    """
    rows = []
    free: list[list[tuple[int, int]]] = [
        [(first, count)] for first, count in zip(pool.first, pool.machines, strict=True)
    ]
    busy: list[tuple[float, int, int, int]] = []
    for run in runs:
        opens, closes = (-run.end, -run.start) if back else (run.start, run.end)
        while busy and busy[0][0] <= opens:
            _, chosen, first, machines = heapq.heappop(busy)
            heapq.heappush(free[chosen], (first, machines))
        wanted = run.machines
        while wanted:
            first, machines = heapq.heappop(free[run.place])
            used = min(machines, wanted)
            if used < machines:
                heapq.heappush(free[run.place], (first + used, machines - used))
            rows.append(
                (pool.kind[run.place], first, used, run.task, run.tasks, run.start, run.end)
            )
            heapq.heappush(busy, (closes, run.place, first, used))
            wanted -= used
    return rows


def _rows(rows: Sequence[_Row]) -> Blocks:
    """Timeline rows on ranges of machines that always run the same."""
    cuts: dict[int, set[int]] = {}
    for kind, first, machines, *_ in rows:
        cuts.setdefault(kind, set()).update((first, first + machines))
    edges = {kind: np.array(sorted(found)) for kind, found in cuts.items()}
    split: dict[tuple[int, int, int], list[_Row]] = {}
    for row in rows:
        kind, first, machines = row[:3]
        at = edges[kind]
        low, high = np.searchsorted(at, [first, first + machines])
        for begin, until in pairwise(at[low : high + 1].tolist()):
            key = (kind, begin, until - begin)
            split.setdefault(key, []).append((*key, *row[3:]))
    merged: list[_Row] = []
    for blocks in split.values():
        first_block = len(merged)
        for row in sorted(blocks, key=lambda row: row[5]):
            before = merged[-1] if len(merged) > first_block else None
            if before is not None and before[3] == row[3] and before[6] == row[5]:
                merged[-1] = (*row[:4], before[4] + row[4], before[5], row[6])
            else:
                merged.append(row)
    columns = [np.array(column) for column in zip(*merged, strict=True)]
    return Blocks(np.zeros_like(columns[0]), *columns)


def seconds_of(runs: Sequence[Run]) -> float:
    """The makespan of runs."""
    return max((run.end for run in runs), default=0.0)
