"""Plans as whole numbers, genes, that methods of evolution recombine and mutate.

For each step there is a gene of how it is cooled (1 to 100: the fan at so many percent, to 200: the
compressor, to 300: nothing). Then, for each kind of server and each step, there are the watts of
the servers that are awake, as if all of these executed. Best Fit Hole finds the starts of jobs.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from dataclasses import replace
from typing import Final, Literal, NamedTuple

import numpy as np

from core.capabilities.centre.centre import Centre
from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.placing import GroupArrays
from core.capabilities.centre.plan import DayPlan, server_powers
from core.capabilities.centre.rivals.best_fit_hole import (
    NOWHERE,
    FirstHoles,
    Queue,
    fill_holes,
    starts_of,
)
from core.capabilities.centre.rivals.figures import DayArrays, account, execute
from core.capabilities.centre.rivals.sleeping import keep_awake
from core.capabilities.centre.rivals.thermostat import as_wished
from core.engines.compute.compiled import Kernel
from core.engines.moea.operators import Children, cut_in_blocks, linear
from core.engines.moea.problem import Judged
from core.vocabulary.arrays import FloatArray, IntArray

HighReading = Literal["power", "literal"]
HIGH_READINGS: Final[tuple[HighReading, ...]] = ("power", "literal")
"""Where half of the first plans are drawn: where most power is drawn, by the compressor and at
least 80 % of the servers; or in the upper 20 % of the genes as printed, where nothing cools."""

_FAN, _COMPRESSOR, _COOLING = 100, 200, 300
_HIGH: Final = 0.8


class _Decoder(NamedTuple):
    """What genes mean. `mode_watts[m]` is what is drawn in mode m: 0 is nothing, 101 the
    compressor, and others are the fan at m percent.
    """

    day: DayArrays
    jobs: GroupArrays
    queue: Queue
    mode_watts: FloatArray
    watts_each: FloatArray
    all_are_holes: bool


class _Decoded(NamedTuple):
    """The plan of one row of genes; `start` is by the queue, `cooling_watts` by step."""

    awake: IntArray
    busy: IntArray
    speed: FloatArray
    runs: FloatArray
    cooling_watts: FloatArray
    start: IntArray

    @classmethod
    def of(cls, kinds: int, steps: int, jobs: int) -> "_Decoded":
        awake, busy = np.zeros((2, kinds, steps), np.int64)
        speed, runs, watts = np.zeros((3, steps))
        return cls(awake, busy, speed, runs, watts, np.zeros(jobs, np.int64))


class DayGenes:
    """The genes of a day: how they are drawn and changed, and what comes of them."""

    def __init__(self, day: CentreDay, high: HighReading, first_holes: FirstHoles) -> None:
        self.day, self.high, self.steps = day, high, day.steps
        centre = day.centre
        watts_each = np.maximum(centre.busy, 1.0)
        most = np.ceil(centre.counts * watts_each).astype(np.int64)
        self.most = np.repeat(np.append(_COOLING, most), self.steps)
        self.least = np.repeat(np.append(1, np.zeros_like(most)), self.steps)
        self.decoder = _Decoder(
            # The publication has no least temperature; what is cooled too far is mended in the end.
            DayArrays.of(day)._replace(coolest=-np.inf),
            GroupArrays.of(day.jobs),
            Queue.of(day),
            _mode_watts(centre),
            watts_each,
            first_holes == "awake",
        )
        self.decoded = _Decoded.of(len(centre.kinds), day.steps, day.jobs.total)

    def begun(self, random: np.random.Generator, count: int) -> IntArray:
        """Rows of which half are from anywhere, on average, the others from where much is drawn."""
        high, most = np.ceil(_HIGH * self.most).astype(np.int64), self.most.copy()
        cooling = slice(0, self.steps)
        if self.high == "power":
            high[cooling], most[cooling] = _FAN + 1, _COMPRESSOR
        else:
            high[cooling] += 1
        anywhere = random.integers(self.least, self.most + 1, (count, len(most)))
        much = random.integers(high, most + 1, (count, len(most)))
        return np.where(random.random((count, 1)) < 0.5, anywhere, much)

    def cut(self, random: np.random.Generator, one: IntArray, other: IntArray) -> Children:
        """Three-point crossover: cooling and servers of a step stay together."""
        cut = random.integers(1, max(self.steps, 2), len(one))
        return cut_in_blocks(one, other, cut, self.steps)

    def between(self, random: np.random.Generator, one: IntArray, other: IntArray) -> Children:
        """Linear recombination, with a share of its own for each gene."""
        return linear(one, other, random.random(one.shape))

    def mutated(self, random: np.random.Generator, rows: IntArray, each: float) -> IntArray:
        """Each gene changes with a probability: cooling moves on, servers are drawn anew."""
        steps = self.steps
        drawn = random.integers(self.least, self.most + 1, rows.shape)
        drawn[:, :steps] = moved_on(rows[:, :steps], random.random((len(rows), steps)))
        return np.where(random.random(rows.shape) < each, drawn, rows)

    def judged(self, rows: IntArray) -> Judged:
        """Excess (J), cost and lateness (steps) of each row, and its violation: the kelvins above
        the limit in all steps, and the steps of servers that jobs without room would need.
        """
        values, violation = np.empty((len(rows), 3)), np.empty(len(rows))
        _judge(self.decoder, self.decoded, rows, values, violation)
        return values, violation

    def bred(self, row: IntArray) -> DayPlan:
        """The plan of a row as its genes say, in which all jobs have room."""
        self.judged(row[None, :])
        found = self.decoded
        starts = starts_of(self.decoder.queue.group, found.start)
        return DayPlan(*starts, found.awake.copy(), found.speed.copy(), found.runs > 0)

    def plan(self, row: IntArray) -> DayPlan:
        """The same, but that it is never cooled too far.

        Raises `NoScheduleFound` if it then gets too warm later, however much is cooled.
        """
        plan = self.bred(row)
        watts = server_powers(self.day, self.decoded.busy, plan.awake).sum(axis=0)
        speed, compressor = as_wished(self.day, watts, plan.speed, plan.compressor)
        return replace(plan, speed=speed, compressor=compressor)


def moved_on(cooling: IntArray, share: FloatArray) -> IntArray:
    """Genes of cooling, moved by a share of their circle."""
    return 1 + (cooling - 1 + np.floor(_COOLING * share).astype(np.int64)) % _COOLING


def _mode_watts(centre: Centre) -> FloatArray:
    shares = np.arange(_FAN + 1) / _FAN
    return np.append(centre.cooling.fan_power(shares), centre.cooling.compressor_watts)


@Kernel
def _judge(decoder, decoded, rows, values, violation):
    for row in range(len(rows)):
        _decode(decoder, decoded, rows[row])
        day, jobs, group, start = decoder.day, decoder.jobs, decoder.queue.group, decoded.start
        execute(decoded.busy, jobs, group, start)
        excess, cost, too_warm = account(
            day, decoded.busy, decoded.awake, decoded.cooling_watts, decoded.speed, decoded.runs
        )
        late = without = 0.0
        for place in range(len(group)):
            this = group[place]
            if start[place] == NOWHERE:
                without += jobs.width[this] * jobs.length[this]
            else:
                late += max(start[place] + jobs.length[this] - jobs.due[this], 0.0)
        values[row, 0], values[row, 1], values[row, 2] = excess, cost, late
        violation[row] = too_warm + without


@Kernel
def _decode(decoder, decoded, row):
    """Fill in the plan of a row of genes."""
    kinds, steps = decoded.awake.shape
    for step in range(steps):
        gene = row[step]
        blows, runs = gene <= _FAN, _FAN < gene <= _COMPRESSOR
        decoded.speed[step] = gene / _FAN if blows else 0.0
        decoded.runs[step] = 1.0 if runs else 0.0
        decoded.cooling_watts[step] = decoder.mode_watts[gene if blows else _FAN + 1 if runs else 0]
    for kind in range(kinds):
        servers = decoder.day.counts[kind]
        for step in range(steps):
            watts = row[(1 + kind) * steps + step]
            decoded.awake[kind, step] = min(int(watts // decoder.watts_each[kind]), servers)
        keep_awake(decoded.awake[kind], servers, decoder.day.start_steps[kind])
    fill_holes(decoder.queue, decoder.jobs, decoded.awake, decoder.all_are_holes, decoded.start)
