"""The published loop as it is written: a list of what every node does, and everything looked at
again after each decision. Plain Python, which shares no code with the clock.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from core.engines.replay.energy import EnergyWindows
from core.engines.replay.policy import Blocked, Filter, Measure, Order, Policy, Prices, Switch
from core.engines.replay.workload import Truth, Workload


@dataclass
class Run:
    """An option of a job from `start` on; `end` is estimated, `real_end` is when it really ends."""

    job: int
    option: int
    start: float
    end: float
    real_end: float
    nodes: list[int] | None = None
    """None: it has a promise, or holds a place."""


@dataclass
class Found:
    """The option that was found for a job, when it starts, and its measure."""

    job: int
    option: int
    start: float
    value: float


@dataclass
class PerNode:
    """`draw(job, event)` is a number from 0 to below 1, for policies that draw options, and
    `draw_order(job, event)` one for those that take jobs in any order;
    `draw_sequence(job, event, sequence)` is one for policies that draw orders of jobs.
    """

    workload: Workload
    truth: Truth
    policy: Policy
    windows: EnergyWindows
    draw: Callable[[int, float], float]
    prices: Prices
    draw_sequence: Callable[[int, float, int], float] = lambda *_: 0.5
    draw_order: Callable[[int, float], float] = lambda *_: 0.5
    underway: list[Run] = field(default_factory=list)
    held: list[Run] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)
    started: dict[int, Run] = field(default_factory=dict)
    dropped: dict[int, float] = field(default_factory=dict)
    arrived: int = 0
    now: float = 0.0

    def __post_init__(self) -> None:
        self.left: list[float] = self.windows.joules.tolist()
        self.options: list[tuple[int, int, float, float, int]] = list(
            zip(
                self.workload.options.pool.tolist(),
                self.workload.options.units.tolist(),
                self.workload.options.seconds.tolist(),
                self.workload.options.watts.tolist(),
                self.workload.options.state.tolist(),
                strict=True,
            )
        )
        options, pools = self.workload.options, self.workload.pools
        self.extra: list[float] = options.added.tolist()
        self.further: list[list[float]] = (
            [[] for _ in self.options] if options.further is None else options.further.tolist()
        )
        self.has: list[list[float]] = (
            [[] for _ in pools.names] if pools.further is None else pools.further.tolist()
        )
        self.cores: list[int] = self.workload.pools.cores.tolist()
        self.size: list[int] = self.workload.pools.units.tolist()
        self.arrival: list[float] = self.workload.jobs.arrival.tolist()

    def run(self, every: float = 60.0) -> None:
        """All events until the horizon ends, or until nothing happens any more."""
        event = 0
        while self.now < self.workload.horizon.end:
            self.decide_event()
            for_ever = self.waiting and math.isfinite(self.workload.horizon.end)
            if self.arrived == len(self.arrival) and not self.underway and not for_ever:
                return
            event += 1
            self.now = event * every

    def decide_event(self) -> None:
        self.held = []
        if self.leave() and self.policy.blocked in (Blocked.RESERVE, Blocked.RESERVE_FIRST):
            self.pull_forward()
            self.leave()
        while self.arrived < len(self.arrival) and self.arrival[self.arrived] <= self.now:
            self.waiting.append(self.arrived)
            self.arrived += 1
        self.drop()
        self.left_now = list(self.left)
        self.set_limits()
        self.measure = self.policy.measure
        if self.policy.switch != Switch.NEVER and self.waiting:
            spent = self.budget() - self.left[self.window()]
            over = math.isfinite(self.budget()) and spent > self.goal()
            self.measure = Measure.PER_ENERGY if over else Measure.PER_RESOURCE
        if self.policy.order == Order.BEST:
            self.decide_by_measure()
        else:
            self.measure = self.policy.measure
            for job in self.in_line():
                found = self.best(job)
                if found is not None:
                    self.take(found)
        self.waiting = [
            job for job in self.waiting if job not in self.started and job not in self.dropped
        ]

    def decide_by_measure(self) -> None:
        self.tilt = dict.fromkeys(self.waiting, 1.0)
        if self.policy.sequences > 1:
            sequences = [self.tilted(sequence) for sequence in range(self.policy.sequences)]
            # The first of those whose plans are worth the most.
            self.tilt = max(sequences, key=self.planned)
        self.take_turns(self.take)

    def tilted(self, sequence: int) -> dict[int, float]:
        """By how much each waiting job comes earlier in a sequence."""
        if sequence == 0:
            return self.tilt
        return {
            job: math.exp(0.6 * (2 * self.draw_sequence(job, self.now, sequence) - 1))
            for job in self.waiting
        }

    def planned(self, tilt: dict[int, float]) -> float:
        """What a plan in this order is worth above its price; nothing starts."""
        self.tilt, worth = tilt, []

        def hold(found: Found) -> None:
            _, _, seconds, watts, _ = self.options[found.option]
            end = found.start + seconds
            self.held.append(Run(found.job, found.option, found.start, end, end))
            spend(self.left_now, self.windows, found.start, end, watts)
            worth.append(self.worth(found.job, end, found.option) - self.price(found.option))

        self.take_turns(hold)
        self.held, self.left_now = [], list(self.left)
        return sum(worth)

    def take_turns(self, take: Callable[[Found], None]) -> None:
        undecided = list(self.waiting)
        while True:
            all_found = [found for job in undecided if (found := self.best(job)) is not None]
            undecided = [job for job in undecided if job not in self.dropped]
            if not all_found:
                return
            first = max(all_found, key=lambda found: (self.turn(found), -found.job))
            take(first)
            undecided.remove(first.job)
            spent = self.budget() - self.left_now[self.window()]
            upr = self.measure == Measure.PER_RESOURCE
            if self.policy.switch == Switch.BY_TASK and upr and spent >= self.goal():
                self.measure = Measure.PER_ENERGY

    def in_line(self) -> list[int]:
        if self.policy.order == Order.ARRIVAL:
            return list(self.waiting)
        if self.policy.order == Order.ANY:
            return sorted(self.waiting, key=lambda job: -self.draw_order(job, self.now))
        most = max((self.mean_size(job) for job in range(self.arrived)), default=0.0)
        queues: list[list[int]] = [[], [], []]
        for job in self.waiting:
            size = self.mean_size(job)
            queues[0 if size > 0.6 * most else 2 if size < 0.3 * most else 1].append(job)
        line: list[int] = []
        while any(queues):
            for queue, count in zip(queues, (1, 4, 8), strict=True):
                line += queue[:count]
                del queue[:count]
        return line

    def take(self, found: Found) -> None:
        """Starts what can start now; the others wait, hold a place or get a promise."""
        blocked = self.policy.blocked
        if found.start > self.now:
            promised = any(run.nodes is None for run in self.underway)
            if blocked == Blocked.WAIT or (blocked == Blocked.RESERVE_FIRST and promised):
                return
        _, _, seconds, watts, _ = self.options[found.option]
        end = found.start + seconds
        real = found.start + self.real_seconds(found.job, seconds)
        run = Run(found.job, found.option, found.start, end, real)
        spend(self.left_now, self.windows, run.start, end, watts)
        if found.start > self.now and blocked == Blocked.HOLD:
            self.held.append(run)
            return
        spend(self.left, self.windows, run.start, end, watts)
        self.started[found.job] = run
        self.underway.append(run)
        if found.start <= self.now:
            self.give_nodes(run)

    def give_nodes(self, run: Run) -> None:
        """Nodes on which nothing runs that was expected to, or did, end later."""
        pool, units, *_ = self.options[run.option]
        busy = {
            node
            for other in self.underway
            if other.nodes is not None and self.options[other.option][0] == pool
            if min(other.end, other.real_end) > run.start
            for node in other.nodes
        }
        free = [node for node in range(self.size[pool]) if node not in busy]
        if len(free) < units:
            raise AssertionError("what was planned finds no nodes")
        run.nodes = free[:units]

    def real_seconds(self, job: int, seconds: float) -> float:
        share = float(self.truth.time[job])
        return seconds if share == 1.0 else seconds * share

    def leave(self) -> bool:
        """Whether a node came back before it was expected to."""
        for run in sorted(self.underway, key=lambda run: run.start):
            if run.nodes is None and run.start <= self.now:
                self.give_nodes(run)
        over = [run for run in self.underway if run.nodes is not None and run.real_end <= self.now]
        for run in over:
            watts = self.options[run.option][3]
            power = float(self.truth.power[run.job])
            if run.end > run.real_end or power != 1.0:
                spend(self.left, self.windows, run.start, run.end, -watts)
                spend(self.left, self.windows, run.start, run.real_end, watts * power)
        self.underway = [run for run in self.underway if run not in over]
        return any(run.end > self.now for run in over)

    def pull_forward(self) -> None:
        for run in sorted(
            (run for run in self.underway if run.nodes is None),
            key=lambda run: (run.start, run.job),
        ):
            _, _, seconds, watts, _ = self.options[run.option]
            self.underway.remove(run)
            start = self.earliest(run.option)
            self.underway.append(run)
            spend(self.left, self.windows, run.start, run.end, -watts)
            if start < run.start and self.affordable(self.left, start, start + seconds, watts):
                run.start, run.end = start, start + seconds
                run.real_end = start + self.real_seconds(run.job, seconds)
                if start <= self.now:
                    self.give_nodes(run)
            spend(self.left, self.windows, run.start, run.end, watts)

    def drop(self) -> None:
        if self.policy.drop_below < 0:
            return
        for job in list(self.waiting):
            end = self.now + min(self.options[o][2] for o in self.ways(job))
            reach = max(self.worth(job, end, option) for option in self.ways(job))
            if reach < self.policy.drop_below or reach <= 0:
                self.waiting.remove(job)
                self.dropped[job] = self.now

    def ways(self, job: int) -> range:
        first = self.workload.options.first
        return range(int(first[job]), int(first[job + 1]))

    def best(self, job: int) -> Found | None:
        """The first of the best options of a job, in the present plan. A job that is worth nothing
        on any of them is dropped, if the policy does so.
        """
        ways = list(self.ways(job))
        if self.measure == Measure.ANY:
            ways = [ways[int(self.draw(job, self.now) * len(ways))]]
        found: Found | None = None
        worths: list[float] = []
        for option in ways:
            _, _, seconds, watts, state = self.options[option]
            if (self.policy.fastest_only and state != 0) or self.filtered(option):
                continue
            start = self.earliest(option)
            within = start < self.workload.horizon.end
            worths.append(self.worth(job, start + seconds, option) if within else 0.0)
            if not within:
                continue
            if not self.affordable(self.left_now, start, start + seconds, watts):
                continue
            value = self.value(job, option, start)
            if value == -math.inf:
                continue
            if found is None or value > found.value:
                found = Found(job, option, start, value)
        if self.policy.drops and worths and max(worths) <= 0:
            self.dropped[job] = self.now
        return found

    def earliest(self, option: int) -> float:
        """The first moment, now or when something ends, at which enough nodes are free."""
        pool, _, seconds, *_ = self.options[option]
        others = [run for run in self.underway + self.held if self.options[run.option][0] == pool]
        for start in sorted({self.now} | {run.end for run in others if run.end > self.now}):
            mine = Run(-1, option, start, start + seconds, start + seconds)
            runs = [*others, mine]
            if self.lays_out(runs, self.size[pool]) and self.shares(runs, pool):
                return start
        raise AssertionError

    def shares(self, runs: list[Run], pool: int) -> bool:
        """Whether all runs find as much of each further resource as they take."""
        for moment in {max(run.start, self.now) for run in runs}:
            there = [self.further[run.option] for run in runs if run.start <= moment < run.end]
            for resource, has in enumerate(self.has[pool]):
                if sum(taken[resource] for taken in there) > has:
                    return False
        return True

    def lays_out(self, runs: list[Run], nodes: int) -> bool:
        """Whether all runs find nodes, one after the other by their starts."""
        free_from = [0.0] * nodes
        for run in sorted(runs, key=lambda run: (run.nodes is None, run.start)):
            there = [node for node in range(nodes) if free_from[node] <= run.start]
            chosen = run.nodes if run.nodes is not None else there[: self.options[run.option][1]]
            if len(chosen) < self.options[run.option][1]:
                return False
            for node in chosen:
                free_from[node] = run.end
        return True

    def value(self, job: int, option: int, start: float) -> float:
        pool, units, seconds, watts, _ = self.options[option]
        end = start + seconds
        worth = self.worth(job, end, option)
        if self.policy.drops and worth <= 0:
            return -math.inf
        match self.measure:
            case Measure.WORTH:
                return worth
            case Measure.PER_TIME:
                return worth / seconds
            case Measure.PER_RESOURCE:
                return worth / (seconds * units * self.cores[pool])
            case Measure.PER_ENERGY:
                return worth / max(seconds * watts, 1e-200)
            case Measure.PER_SHARE:
                of_units, of_further = self.policy.weights
                shares = of_units * units / self.size[pool]
                for taken, has in zip(self.further[option], self.has[pool], strict=True):
                    shares += of_further * taken / has
                return worth / max(seconds * shares, 1e-200)
            case Measure.EARLIEST:
                return -start
            case Measure.ANY:
                return 0.0
        surplus = worth - self.price(option)
        return surplus / self.option_size(option) if surplus > 0 else -math.inf

    def turn(self, found: Found) -> float:
        """By how much a job comes before others."""
        if self.measure != Measure.SURPLUS:
            return found.value
        least = min(self.option_size(option) for option in self.ways(found.job))
        return found.value * self.tilt[found.job] / least

    def price(self, option: int) -> float:
        _, _, seconds, *_ = self.options[option]
        return self.rate(option) * seconds

    def rate(self, option: int) -> float:
        """The price of a second."""
        pool, units, _, watts, _ = self.options[option]
        return self.prices.core_second * (units * self.cores[pool]) + self.prices.joule * watts

    def option_size(self, option: int) -> float:
        pool, units, seconds, *_ = self.options[option]
        rate = self.rate(option)
        return math.sqrt(seconds * math.sqrt(rate if rate > 0 else units * self.cores[pool]))

    def overlaps(self, start: float, end: float) -> Iterator[float]:
        edges = self.windows.edges.tolist()
        for window in range(len(edges) - 1):
            yield max(0.0, min(end, edges[window + 1]) - max(start, edges[window]))

    def affordable(self, left: list[float], start: float, end: float, watts: float) -> bool:
        return all(
            overlap == 0 or watts * overlap <= joules
            for joules, overlap in zip(left, self.overlaps(start, end), strict=True)
        )

    def worth(self, job: int, end: float, option: int) -> float:
        """What a job is worth that ends then on an option."""
        share = self.share(job, end)
        worth = float(self.workload.jobs.priority[job]) * share
        return worth + self.extra[option] if share > 0 else 0.0

    def share(self, job: int, end: float) -> float:
        jobs = self.workload.jobs
        delay = end - self.arrival[job]
        pieces = self.workload.curves.pieces[int(jobs.curve[job])]
        which = max(k for k, piece in enumerate(pieces) if piece.begin <= delay)
        begin, high, low, decay = pieces[which]
        if decay > 0:
            urgency = float(jobs.urgency[job])
            return low + (high - low) * math.exp(-urgency * decay * (delay - begin))
        if which + 1 == len(pieces):
            return high
        length = pieces[which + 1].begin - begin
        return high + (low - high) * (delay - begin) / length

    def mean_size(self, job: int) -> float:
        sizes = [
            self.options[o][2] * (self.options[o][1] * self.cores[self.options[o][0]])
            for o in self.ways(job)
            if self.options[o][4] == 0
        ]
        return sum(sizes) / max(len(sizes), 1)

    def window(self) -> int:
        edges = self.windows.edges[1:-1].tolist()
        return sum(edge <= self.now for edge in edges)

    def budget(self) -> float:
        return float(self.windows.joules[self.window()])

    def goal(self) -> float:
        begin, end = map(float, self.windows.edges[self.window() : self.window() + 2])
        return self.budget() * (self.now - begin) / (end - begin)

    def set_limits(self) -> None:
        self.limits = (math.inf, math.inf)
        window = self.window()
        until = min(float(self.windows.edges[window + 1]), self.workload.horizon.end)
        if math.isinf(self.left[window]) or not self.arrived:
            return
        remaining = 0.0
        for pool, size in enumerate(self.size):
            used = sum(
                self.options[run.option][1]
                * max(0.0, min(run.end, until) - max(run.start, self.now))
                for run in self.underway
                if self.options[run.option][0] == pool
            )
            remaining += self.cores[pool] * (size * (until - self.now) - used)
        if remaining > 0:
            each = self.policy.leniency * self.left[window] / remaining
            mean = sum(self.mean_size(job) for job in range(self.arrived)) / self.arrived
            self.limits = (each * mean, each)

    def filtered(self, option: int) -> bool:
        pool, units, seconds, watts, _ = self.options[option]
        if self.policy.filter == Filter.PER_TASK:
            return seconds * watts > self.limits[0]
        if self.policy.filter == Filter.PER_RESOURCE:
            return watts > self.limits[1] * units * self.cores[pool]
        return False


def spend(
    left: list[float], windows: EnergyWindows, start: float, end: float, watts: float
) -> None:
    edges = windows.edges.tolist()
    for window in range(len(left)):
        left[window] -= watts * max(0.0, min(end, edges[window + 1]) - max(start, edges[window]))
