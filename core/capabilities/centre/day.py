"""A day of a centre: a grid of steps with what holds in each, and the jobs to be done."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.capabilities.centre.centre import Centre
from core.vocabulary.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class DayJobs:
    """Rigid jobs, in groups of equal ones: `count[g]` jobs that each take `width[g]` servers of
    kind `kind[g]` for `length[g]` steps, may start from step `release[g]` on and are due at
    `due[g]`, in steps, which need not be whole.
    """

    kind: IntArray
    width: IntArray
    length: IntArray
    release: IntArray
    due: FloatArray
    count: IntArray
    names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def total(self) -> int:
        """How many jobs there are."""
        return int(self.count.sum())

    def lateness(self, group: IntArray, start: IntArray) -> FloatArray:
        """By how many steps a job of each group is late if it starts at that step."""
        return np.asarray(np.maximum(0.0, start + self.length[group] - self.due[group]))

    @cached_property
    def execution_steps(self) -> float:
        """The sum of the lengths of all jobs, in steps: what lateness is a share of."""
        return float(self.count @ self.length)


@dataclass(frozen=True)
class Curves:
    """What holds in each step: the price of a kWh from the grid (money), its carbon (g), the
    outside temperature (°C), green power of one's own (W), and the target that the centre's power
    should not exceed (W).
    """

    price: FloatArray
    carbon: FloatArray
    outside: FloatArray
    green: FloatArray
    target: FloatArray

    def __post_init__(self) -> None:
        if len({len(one) for one in vars(self).values()}) != 1:
            raise ValueError("the curves of a day have as many steps")
        if not all(np.isfinite(one).all() for one in vars(self).values()):
            raise ValueError("the curves of a day have numbers in all steps")
        if min(self.carbon.min(), self.green.min(), self.target.min()) < 0:
            raise ValueError("carbon, green power and target must be 0 or more")

    def __len__(self) -> int:
        return len(self.price)


@dataclass(frozen=True)
class Begun:
    """What is decided when the rest of a day begins: `busy[k, t]` servers of kind k are at work in
    step t for jobs that run already, `before[k]` were awake in the step before, and `ready[k, t]`
    starts end when step t begins, if they began before. The highest grid power was `peak` watts.
    """

    busy: IntArray
    before: IntArray
    ready: IntArray
    peak: float = 0.0

    def allowed(self, counts: IntArray, start_steps: IntArray) -> IntArray:
        """How many servers of each kind can be awake in each step."""
        most = np.repeat(counts[:, None], self.busy.shape[1], axis=1)
        for kind, steps in enumerate(start_steps.tolist()):
            most[kind, :steps] = self.before[kind] + self.ready[kind, :steps].cumsum()
        return most


@dataclass(frozen=True)
class CentreDay:
    """Jobs of a centre on a grid of steps of `step` seconds.

    Energy that is left over is paid for with `feed_in` a kWh, and the highest grid power of the day
    costs `peak_price` a kW. The first step begins at `begins`, in seconds since 1970 (UTC). What is
    the rest of a day has `begun`; before a whole day, all servers are awake and none is at work.
    """

    centre: Centre
    jobs: DayJobs
    curves: Curves
    step: float
    feed_in: float = 0.0
    peak_price: float = 0.0
    begins: float = 0.0
    begun: Begun | None = None

    def __post_init__(self) -> None:
        jobs, steps = self.jobs, len(self.curves)
        self.centre.heat(self.step)
        if len(jobs) and (
            (jobs.release < 0).any()
            or (jobs.length < 1).any()
            or (jobs.release + jobs.length > steps).any()
        ):
            raise ValueError("each job can start and end within the day")
        if (jobs.width > self.centre.counts[jobs.kind]).any() or (jobs.width < 1).any():
            raise ValueError("a job is at most as wide as its kind has servers")
        if self.peak_price < 0:
            raise ValueError("the price of the highest power must be 0 or more")

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self.curves)

    @cached_property
    def base_watts(self) -> float:
        """What all servers draw while they sleep."""
        return float(self.centre.counts @ self.centre.asleep)

    @cached_property
    def taken(self) -> IntArray:
        """Servers of each kind that no job can have in each step: at work, or not yet awake."""
        counts, begun = self.centre.counts, self.begun
        if begun is None:
            return np.zeros((len(counts), self.steps), np.int64)
        allowed = begun.allowed(counts, self.centre.start_steps(self.step))
        return np.asarray(begun.busy + counts[:, None] - allowed)

    @cached_property
    def coolest(self) -> FloatArray:
        """It is never cooler inside when each step begins, and when the day ends."""
        law = self.centre.heat(self.step)
        low = np.full(self.steps + 1, self.centre.first)
        for step, outside in enumerate(self.curves.outside.tolist()):
            by_itself = law.kept * low[step] + law.outside * outside
            low[step + 1] = min(by_itself + law.per_watt * self.base_watts, self.centre.coolest)
        return low

    @cached_property
    def most_watts(self) -> float:
        """More power than the centre can draw."""
        starts = self.centre.start_watts(self.step)
        each = np.maximum(self.centre.busy, starts)
        cooling = self.centre.cooling
        return float(self.centre.counts @ each) + max(cooling.fan_watts, cooling.compressor_watts)


def grouped(rows: Sequence[tuple[int, int, int, int, float]]) -> DayJobs:
    """Jobs given as (kind, width, length, release, due), equal ones as one group."""
    table = np.array(rows, float).reshape(-1, 5)
    each, count = np.unique(table, axis=0, return_counts=True)
    kind, width, length, release = each[:, :4].astype(np.int64).T
    return DayJobs(kind, width, length, release, each[:, 4].copy(), count.astype(np.int64))
