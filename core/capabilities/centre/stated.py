"""The program of a day as a reader would write it, in cvxpy, and with convex rules of one's own.

It has every start of every group of jobs, and the law of the fan as the cone that it is; `bound.py`
solves the same with few starts and tangents, some hundred times as fast.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.objectives import AIMS, NO_CAPS, DayCaps, DayWeights
from core.capabilities.centre.program import money
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import NoScheduleFound
from core.vocabulary.say.words import HOUR

_KW = 1000.0


@dataclass(frozen=True)
class StatedDay:
    """The variables of a day that rules may be about: a row for each kind of servers, a column for
    each step. Powers are in kW, temperatures in °C.

    `executing` servers work, `awake` ones work or are idle, and `ready` ones end their start;
    `power` is that of the whole centre, and `grid` what of it comes from the grid; `inside` is the
    temperature when a step ends; `speed` of the fan and `compressor` are shares.
    """

    executing: Any
    awake: Any
    ready: Any
    power: Any
    grid: Any
    inside: Any
    speed: Any
    compressor: Any


DayRule = Callable[[StatedDay], Any]
"""A rule: from the variables of a day to a convex constraint of cvxpy, or a list of these."""


def stated_bound(
    day: CentreDay,
    weights: DayWeights,
    caps: DayCaps = NO_CAPS,
    rules: Sequence[DayRule] = (),
) -> float:
    """What no plan that keeps caps and rules is below, as the solver says: a sum of aims by their
    weights. Raises `NoScheduleFound` if no plan keeps them.
    """
    stated = _Statement(day)
    counted = stated.counted()
    kept = [*stated.jobs(), *stated.servers(), *stated.room(), *stated.grid(caps)]
    kept += [counted[aim] <= most for aim in AIMS if np.isfinite(most := getattr(caps, aim))]
    for rule in rules:
        found = rule(stated.said)
        kept += found if isinstance(found, list) else [found]
    cp = stated.cp
    aim = sum(getattr(weights, aim) * counted[aim] for aim in AIMS)
    problem = cp.Problem(cp.Minimize(aim), kept)
    problem.solve(solver=cp.CLARABEL)
    if problem.status not in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
        raise NoScheduleFound(f"no plan keeps all caps and rules: the program is {problem.status}")
    return float(problem.value)


class _Statement:
    """The variables of a day, and its constraints by what they are about."""

    def __init__(self, day: CentreDay) -> None:
        self.day = day
        cp: Any = import_module("cvxpy")  # here, since it takes a second
        self.cp, steps, shape = cp, day.steps, (len(day.centre.kinds), day.steps)
        self.group, self.start = _all_starts(day)
        self.starts = cp.Variable(len(self.group), nonneg=True)
        executing, awake, ready = (cp.Variable(shape, nonneg=True) for _ in range(3))
        power, grid, speed, compressor = (cp.Variable(steps, nonneg=True) for _ in range(4))
        inside = cp.Variable(steps)
        self.said = StatedDay(executing, awake, ready, power, grid, inside, speed, compressor)
        self.over, self.blown, self.idly, self.taken = (
            cp.Variable(steps, nonneg=True) for _ in range(4)
        )
        self.peak = cp.Variable(nonneg=True)

    def jobs(self) -> Iterator[Any]:
        """Each job starts once, and executes on servers that are awake."""
        day, said = self.day, self.said
        yield _assigned(day, self.group) @ self.starts == day.jobs.count
        for kind in range(len(day.centre.kinds)):
            busy = _busy(day, self.group, self.start, kind)
            yield said.executing[kind] == busy @ self.starts
        yield said.executing <= said.awake

    def servers(self) -> Iterator[Any]:
        """Servers are awake, start or sleep. Until a start can have ended, no more are awake than
        before.
        """
        day, said = self.day, self.said
        for kind, lead in enumerate(day.centre.start_steps(day.step).tolist()):
            awake, ready = said.awake[kind], said.ready[kind]
            yield awake + self._starting(kind) <= float(day.centre.counts[kind])
            yield ready[: min(max(lead, 0), day.steps)] == 0 if lead else ready == 0
            if lead:
                yield ready[1:] >= awake[1:] - awake[:-1]

    def _starting(self, kind: int) -> Any:
        """Servers of a kind that start in each step."""
        lead = int(self.day.centre.start_steps(self.day.step)[kind])
        steps = self.day.steps
        ahead = np.zeros((steps, steps))
        for each in range(1, min(lead, steps - 1) + 1):
            ahead += np.eye(steps, k=each)
        return ahead @ self.said.ready[kind]

    def _watts(self) -> Any:
        """What all servers draw in each step."""
        centre, said = self.day.centre, self.said
        of_start = centre.start_watts(self.day.step) - centre.asleep
        return self.day.base_watts + sum(
            (centre.busy - centre.idle)[kind] * said.executing[kind]
            + (centre.idle - centre.asleep)[kind] * said.awake[kind]
            + of_start[kind] * self._starting(kind)
            for kind in range(len(centre.kinds))
        )

    def room(self) -> Iterator[Any]:
        """Fan and compressor keep the room below its limit. A room that is said to be warmer than
        it is gains nothing.
        """
        day, said, cp = self.day, self.said, self.cp
        centre, outside, low = day.centre, day.curves.outside, day.coolest
        law = centre.heat(day.step)
        before = np.append(centre.first, np.full(day.steps - 1, centre.limit))
        colder = np.maximum(before - outside, 0.0) if law.by_difference else np.ones(day.steps)
        now = cp.hstack([np.array([centre.first]), said.inside[:-1]])
        yield said.compressor + said.speed <= 1
        cubic = centre.cooling.fan_law == "cubic"
        yield self.blown >= (cp.power(said.speed, 3) if cubic else said.speed)
        yield self.blown <= 1
        # Where power brings money, the fan may blow for nothing.
        yield self.idly <= (day.curves.price < day.feed_in)
        yield self.taken <= cp.multiply(colder, said.speed)
        if law.by_difference and day.steps > 1:
            warmer = np.maximum(outside - low[:-1], 0.0)
            least = np.minimum(outside, low[:-1])
            yield (self.taken + cp.multiply(warmer, said.speed) - now)[1:] <= -least[1:]
        yield said.inside >= low[1:]
        yield said.inside <= centre.limit
        warmed = law.kept * now + law.outside * outside + law.per_watt * self._watts()
        yield said.inside >= warmed - law.fan * self.taken - law.compressor * said.compressor

    def grid(self, caps: DayCaps) -> Iterator[Any]:
        """Power, and what of it is from the grid, above the target, and the highest."""
        day, said, cooling = self.day, self.said, self.day.centre.cooling
        fan = cooling.fan_watts * (self.blown + self.idly)
        compressor = cooling.compressor_watts * said.compressor
        yield said.power == (self._watts() + fan + compressor) / _KW
        most = day.most_watts / _KW
        yield said.power <= most
        yield said.grid >= said.power - day.curves.green / _KW
        yield self.over >= said.power - day.curves.target / _KW
        yield said.grid <= self.peak
        yield self.peak <= min(caps.peak, most)

    def counted(self) -> dict[str, Any]:
        """What is counted of each aim."""
        day, said, hours = self.day, self.said, self.day.step / HOUR
        slope, extra, constant = money(day)
        return {
            "cost": slope @ said.power + extra @ said.grid + day.peak_price * self.peak + constant,
            "carbon": hours * day.curves.carbon @ said.grid,
            "energy": hours * self.cp.sum(said.power),
            "excess": hours * self.cp.sum(self.over),
            "lateness": day.jobs.lateness(self.group, self.start) @ self.starts,
        }


def _all_starts(day: CentreDay) -> tuple[IntArray, IntArray]:
    """Group and step of every start that ends within the day."""
    steps, jobs = np.arange(day.steps), day.jobs
    ends = steps + jobs.length[:, None]
    group, start = np.nonzero((steps >= jobs.release[:, None]) & (ends <= day.steps))
    return group, start


def _assigned(day: CentreDay, group: IntArray) -> FloatArray:
    """The group of each start."""
    return np.asarray(group == np.arange(len(day.jobs))[:, None], float)


def _busy(day: CentreDay, group: IntArray, start: IntArray, kind: int) -> FloatArray:
    """How many servers of a kind each start has at work in each step."""
    jobs, steps = day.jobs, np.arange(day.steps)[:, None]
    there = (start <= steps) & (steps < start + jobs.length[group])
    return np.asarray(there * (jobs.width * (jobs.kind == kind))[group], float)
