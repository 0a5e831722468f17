"""A plan of a day: when jobs start, which servers are awake, and how it is cooled."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.capabilities.centre.day import CentreDay, Curves
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.say.words import JOULES_PER_KWH


@dataclass(frozen=True)
class DayPlan:
    """`count[r]` jobs of group `group[r]` start at step `start[r]`; `awake[k, t]` servers of kind k
    are awake in step t; the fan runs at `speed[t]`, or else the compressor where `compressor[t]`.
    """

    group: IntArray
    start: IntArray
    count: IntArray
    awake: IntArray
    speed: FloatArray
    compressor: BoolArray


@dataclass(frozen=True)
class DayMeasures:
    """What comes of a plan. Energies are in joules, powers in watts, temperatures in °C, lateness
    in seconds, carbon in grams.
    """

    busy: FloatArray
    idle: FloatArray
    asleep: FloatArray
    starting: FloatArray
    fans: FloatArray
    compressor: FloatArray
    grid: FloatArray
    green_used: FloatArray
    over: FloatArray
    inside: FloatArray
    cost: float
    carbon: float
    excess: float
    lateness: float
    late_jobs: int
    on_time_share: float
    relative_excess: float
    energy: float
    grid_energy: float
    green_energy: float
    cooling_energy: float

    @cached_property
    def power(self) -> FloatArray:
        """Watts of the whole centre in each step."""
        return self.servers + self.fans + self.compressor

    @cached_property
    def servers(self) -> FloatArray:
        """Watts of all servers in each step."""
        return self.busy + self.idle + self.asleep + self.starting

    @property
    def peak(self) -> float:
        """The highest grid power."""
        return float(self.grid.max())

    @property
    def hottest(self) -> float:
        """The highest inside temperature after the first step."""
        return float(self.inside[1:].max())

    @property
    def green_share(self) -> float:
        """The share of the energy that is green."""
        return self.green_energy / self.energy if self.energy else 0.0


def executing(day: CentreDay, group: IntArray, start: IntArray, count: IntArray) -> IntArray:
    """Servers of each kind that execute in each step, those of jobs that run already with them."""
    change = np.zeros((len(day.centre.kinds), day.steps + 1), np.int64)
    jobs = day.jobs
    np.add.at(change, (jobs.kind[group], start), count * jobs.width[group])
    np.add.at(change, (jobs.kind[group], start + jobs.length[group]), -count * jobs.width[group])
    busy = change.cumsum(axis=1)[:, :-1]
    return np.asarray(busy if day.begun is None else busy + day.begun.busy)


def started(day: CentreDay, awake: IntArray) -> IntArray:
    """Servers of each kind whose start ends when each step begins. All are awake before a day."""
    before = awake[:, :1] if day.begun is None else day.begun.before[:, None]
    rise = np.diff(awake, axis=1, prepend=before)
    return np.asarray(np.maximum(rise, 0))


def starting(day: CentreDay, awake: IntArray) -> IntArray:
    """Servers of each kind that start in each step."""
    begun = np.zeros_like(awake)
    ready = started(day, awake)
    for kind, steps in enumerate(day.centre.start_steps(day.step).tolist()):
        for ahead in range(1, min(steps, day.steps - 1) + 1):
            begun[kind, : day.steps - ahead] += ready[kind, ahead:]
    return begun


def server_powers(day: CentreDay, busy: IntArray, awake: IntArray) -> FloatArray:
    """Watts of the servers that execute, are idle, sleep and start: a row each, in each step."""
    centre, start = day.centre, starting(day, awake)
    return np.array(
        (
            centre.busy @ busy,
            centre.idle @ (awake - busy),
            centre.asleep @ (centre.counts[:, None] - awake - start),
            centre.start_watts(day.step) @ start,
        )
    )


def inside(day: CentreDay, servers: FloatArray, plan: DayPlan, curves: Curves) -> FloatArray:
    """The inside temperature when each step begins, and when the day ends."""
    heat = day.centre.heat(day.step)
    temperature = [day.centre.first]
    for outside, watts, speed, compressor in zip(
        curves.outside.tolist(),
        servers.tolist(),
        plan.speed.tolist(),
        plan.compressor.tolist(),
        strict=True,
    ):
        now = temperature[-1]
        colder = max(now - outside, 0.0) if heat.by_difference else 1.0
        temperature.append(
            heat.kept * now
            + heat.outside * outside
            + heat.per_watt * watts
            - heat.fan * speed * colder
            - heat.compressor * compressor
        )
    return np.array(temperature)


def measured(day: CentreDay, plan: DayPlan, curves: Curves | None = None) -> DayMeasures:
    """What comes of a plan under the curves of its day, or under those that came instead."""
    curves = curves or day.curves
    centre, step = day.centre, day.step
    busy = executing(day, plan.group, plan.start, plan.count)
    parts = server_powers(day, busy, plan.awake)
    at_work, idle, asleep, begun = parts
    fans = centre.cooling.fan_power(plan.speed)
    compressor = np.where(plan.compressor, centre.cooling.compressor_watts, 0.0)
    servers = parts.sum(axis=0)
    power = servers + fans + compressor
    grid, left = np.maximum(power - curves.green, 0.0), np.maximum(curves.green - power, 0.0)
    over = np.maximum(power - curves.target, 0.0)
    late = day.jobs.lateness(plan.group, plan.start)
    lateness, execution = float(plan.count @ late), day.jobs.execution_steps
    target = float(curves.target.sum())
    highest = max(float(grid.max()), 0.0 if day.begun is None else day.begun.peak)
    return DayMeasures(
        busy=at_work,
        idle=idle,
        asleep=asleep,
        starting=begun,
        fans=fans,
        compressor=compressor,
        grid=grid,
        green_used=np.minimum(power, curves.green),
        over=over,
        inside=inside(day, servers, plan, curves),
        cost=float(grid @ curves.price - left.sum() * day.feed_in) * step / JOULES_PER_KWH
        + day.peak_price * highest / 1000,
        carbon=float(grid @ curves.carbon) * step / JOULES_PER_KWH,
        excess=float(over.sum()) * step,
        lateness=lateness * step,
        late_jobs=int(plan.count[late > 0].sum()),
        on_time_share=1 - lateness / execution if execution else 1.0,
        relative_excess=float(over.sum()) / target if target else 0.0,
        energy=float(power.sum()) * step,
        grid_energy=float(grid.sum()) * step,
        green_energy=float(np.minimum(power, curves.green).sum()) * step,
        cooling_energy=float((fans + compressor).sum()) * step,
    )
