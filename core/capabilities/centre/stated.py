"""The program of a day as a reader would write it, in cvxpy, and with convex rules of one's own.

It has every start of every group of jobs, and the law of the fan as the cone that it is; `bound.py`
solves the same with few starts and tangents, some hundred times as fast.
"""

from collections.abc import Callable, Sequence
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
    cp: Any = import_module("cvxpy")  # here, since it takes a second

    centre, curves, jobs, steps = day.centre, day.curves, day.jobs, day.steps
    law, cooling, hours = centre.heat(day.step), centre.cooling, day.step / HOUR
    counts = centre.counts[:, None].astype(float)
    group, start = _all_starts(day)
    starts = cp.Variable(len(group), nonneg=True)
    shape = len(centre.kinds), steps
    executing, awake, ready = (cp.Variable(shape, nonneg=True) for _ in range(3))
    power, grid, over = (cp.Variable(steps, nonneg=True) for _ in range(3))
    speed, blown, idly = (cp.Variable(steps, nonneg=True) for _ in range(3))
    taken, compressor = (cp.Variable(steps, nonneg=True) for _ in range(2))
    inside = cp.Variable(steps)
    peak = cp.Variable(nonneg=True)

    kept = [_assigned(day, group) @ starts == jobs.count]
    kept += [executing[k] == _busy(day, group, start, k) @ starts for k in range(shape[0])]
    kept += [executing <= awake, awake <= counts]
    starting = []
    for k, lead in enumerate(centre.start_steps(day.step).tolist()):
        if not lead:
            kept.append(ready[k] == 0)
            starting.append(ready[k] * 0)
            continue
        # Until a start can have ended, no more are awake than before.
        kept += [ready[k, : min(lead, steps)] == 0, ready[k, 1:] >= awake[k, 1:] - awake[k, :-1]]
        ahead = sum(np.eye(steps, k=each) for each in range(1, min(lead, steps - 1) + 1))
        starting.append((ahead + np.zeros((steps, steps))) @ ready[k])
        kept.append(awake[k] + starting[k] <= counts[k])
    start_watts = centre.start_watts(day.step) - centre.asleep
    servers = day.base_watts + sum(
        (centre.busy - centre.idle)[k] * executing[k]
        + (centre.idle - centre.asleep)[k] * awake[k]
        + start_watts[k] * starting[k]
        for k in range(shape[0])
    )
    low, outside = day.coolest, curves.outside
    fan, most = cooling.fan_watts / _KW, day.most_watts / _KW
    before = np.append(centre.first, np.full(steps - 1, centre.limit))
    colder = np.maximum(before - outside, 0.0) if law.by_difference else np.ones(steps)
    then = cp.hstack([np.array([centre.first]), inside[:-1]])
    kept += [
        compressor + speed <= 1,
        blown >= (cp.power(speed, 3) if cooling.fan_law == "cubic" else speed),
        blown <= 1,
        idly <= (curves.price < day.feed_in),
        taken <= cp.multiply(colder, speed),
        inside <= centre.limit,
        inside >= low[1:],
        inside
        >= law.kept * then
        + law.outside * outside
        + law.per_watt * servers
        - law.fan * taken
        - law.compressor * compressor,
        power == servers / _KW + fan * (blown + idly) + cooling.compressor_watts / _KW * compressor,
        power <= most,
        grid >= power - curves.green / _KW,
        over >= power - curves.target / _KW,
        grid <= peak,
        peak <= min(caps.peak, most),
    ]
    if law.by_difference and steps > 1:
        warmer = np.maximum(outside - low[:-1], 0.0)
        least = np.minimum(outside, low[:-1])
        kept.append((taken + cp.multiply(warmer, speed) - then)[1:] <= -least[1:])
    slope, extra, constant = money(day)
    late = jobs.lateness(group, start)
    counted = {
        "cost": slope @ power + extra @ grid + day.peak_price * peak + constant,
        "carbon": hours * curves.carbon @ grid,
        "energy": hours * cp.sum(power),
        "excess": hours * cp.sum(over),
        "lateness": late @ starts,
    }
    kept += [counted[aim] <= most for aim in AIMS if np.isfinite(most := getattr(caps, aim))]
    said = StatedDay(executing, awake, ready, power, grid, inside, speed, compressor)
    for rule in rules:
        found = rule(said)
        kept += found if isinstance(found, list) else [found]
    aim = sum(getattr(weights, aim) * counted[aim] for aim in AIMS)
    problem = cp.Problem(cp.Minimize(aim), kept)
    problem.solve(solver=cp.CLARABEL)
    if problem.status not in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
        raise NoScheduleFound(f"no plan keeps all caps and rules: the program is {problem.status}")
    return float(problem.value)


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
