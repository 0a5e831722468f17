"""All that is proven of a system: one curve that no schedule of whole tasks is below.

A schedule of makespan T needs `P T` joules to keep all machines on, where P is their idle power,
and the joules that its tasks draw above that. For the latter, the lines of the divisible front and
the steps of whole tasks each prove a least amount that falls with T. Together they are a curve of
energy over makespan, made of straight pieces. Every question about what is possible is answered by
this curve.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.engines.peak.capped import PeakProof
from core.engines.recover.along import points_of
from core.engines.recover.settling import Settled
from core.engines.relaxed import Bound, Front, soonest, trace_front
from core.engines.relaxed.whole import are_few, few_task_steps
from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.boundaries import distinct
from core.vocabulary.plane.points import Steps
from core.vocabulary.tolerances import BOUND_MET, NOT_DIVISIBLE, PRODUCT_ROUNDING


class _Pieces(NamedTuple):
    """From `begins[k]` to before `ends[k]` seconds (the last one is infinity), energy is at least
    `value[k] - rate[k] x makespan`; that is `left[k]` joules at the beginning and `right[k]` at the
    end.
    """

    begins: FloatArray
    ends: FloatArray
    value: FloatArray
    rate: FloatArray
    left: FloatArray
    right: FloatArray


@dataclass(frozen=True, eq=False)
class Proven:
    """What the lines of a front and the steps of whole tasks prove together. If the system is
    settled, its best schedules are the exact answer.
    """

    front: Front
    steps: Steps
    settled: Settled | None = None
    peaks: tuple[PeakProof, ...] = ()

    @classmethod
    def of(
        cls,
        front: Front,
        patterns: Steps | None = None,
        settled: Settled | None = None,
        not_before: float = 0.0,
        peaks: tuple[PeakProof, ...] = (),
    ) -> "Proven":
        """The bounds of the system, with further proofs; `not_before` is another lower bound on the
        makespan, in seconds.
        """
        whole = soonest(front.system, float(front.lines.value[-1]))
        steps = few_task_steps(front, max(whole, not_before))
        steps = steps if patterns is None else steps.raised_to(patterns)
        return cls(front, steps, settled, peaks)

    @property
    def soonest(self) -> float:
        """A lower bound on the makespan, in seconds."""
        return float(self._pieces.begins[0])

    @cached_property
    def latest(self) -> float:
        """An upper bound on the makespan, in seconds: all tasks one after another, each where it is
        slowest.
        """
        system = self.front.system
        slowest = np.where(system.can_run, system.etc, 0.0).max(axis=1)
        return float(system.task_counts @ slowest) * (1 + 1e3 * PRODUCT_ROUNDING)

    @cached_property
    def thriftiest(self) -> float:
        """A lower bound on the energy, in joules."""
        return float(self._least[-1])

    def least_energy(self, deadlines: npt.ArrayLike) -> FloatArray:
        """A lower bound, in joules, for schedules of at most so many seconds; infinity if there are
        none.
        """
        seconds = np.asarray(deadlines, float)
        pieces = self._pieces
        place = np.searchsorted(pieces.begins, seconds, side="right") - 1
        here = np.maximum(place, 0)
        least = np.minimum(pieces.left[here], pieces.value[here] - pieces.rate[here] * seconds)
        before = np.append(np.inf, self._least)[here]
        return np.where(place >= 0, np.minimum(least, before), np.inf)

    def above_idle(self, makespans: FloatArray) -> FloatArray:
        """A lower bound on the joules above idle power for schedules of these makespans; infinity
        if there are none.
        """
        pieces = self._pieces
        place = np.searchsorted(pieces.begins, makespans, side="right") - 1
        idle = self.front.system.total_idle_power
        fallen = (pieces.rate[place] + idle) * makespans
        joules = pieces.value[place] - fallen
        joules -= (
            4 * PRODUCT_ROUNDING * (np.abs(pieces.value[place]) + idle * makespans + np.abs(fallen))
        )
        return np.where(place >= 0, joules, np.inf)

    def least_makespan(self, budgets: npt.ArrayLike) -> FloatArray:
        """A lower bound, in seconds, for schedules of at most so many joules; infinity if there are
        none.
        """
        joules = np.asarray(budgets, float)
        pieces = self._pieces
        place = np.searchsorted(-self._least, -joules)
        here = np.minimum(place, len(pieces.begins) - 1)
        begins, rate = pieces.begins[here], pieces.rate[here]
        falls = (pieces.left[here] > joules) & (rate > 0)
        reached = np.divide(pieces.value[here] - joules, rate, out=np.array(begins), where=falls)
        reached = np.clip(reached, begins, pieces.ends[here])
        return np.where(place < len(pieces.begins), reached, np.inf)

    def least_makespan_at_power(self, watts: float) -> float:
        """A lower bound, in seconds, for schedules that draw at most so many watts on average;
        infinity if there are none.
        """
        seconds = self.least_period(watts)
        return seconds if seconds <= self.latest else np.inf

    def least_makespan_below(self, watts: float) -> float:
        """A lower bound, in seconds, for schedules that at no moment draw more than so many watts,
        and whose machines may wait; infinity if there are none.
        """
        proofs = (proof.seconds for proof in self.peaks if proof.watts >= watts)
        return max((self.soonest, *proofs))

    def least_period(self, watts: float) -> float:
        """A lower bound, in seconds, on makespan and wait together if at most so many watts are
        drawn on average; infinity if more are always drawn.
        """
        if watts == np.inf:
            return self.soonest
        above = self._with_price_of_time(-watts)
        within = np.flatnonzero(np.minimum(above.left, above.right) <= 0)
        if not len(within):
            return np.inf
        first = int(within[0])
        seconds = float(above.begins[first])
        if above.left[first] > 0:
            reached = above.value[first] / above.rate[first]
            seconds = float(np.clip(reached, seconds, above.ends[first]))
        return seconds

    @property
    def least_power(self) -> float:
        """A lower bound on the average power, in watts."""
        pieces = self._pieces
        ends = np.minimum(pieces.ends, np.maximum(self.latest, pieces.begins))
        return float((pieces.value / np.array([pieces.begins, ends]) - pieces.rate).min())

    def least_weighed(self, joules_per_second: float) -> float:
        """A lower bound on energy plus so many joules for each second of makespan, in joules."""
        weighed = self._with_price_of_time(joules_per_second)
        return float(np.minimum(weighed.left, weighed.right).min())

    def most_a_second(self, amount: float, watts: float = np.inf) -> float:
        """An upper bound on (`amount` less the joules above idle power) over the period, a second.

        The period is the makespan and the wait until the next batch, in which the machines draw at
        most so many watts on average; minus infinity if they always draw more.
        """
        pieces = self._pieces
        idle = self.front.system.total_idle_power
        soonest = self.least_period(watts)
        if soonest == np.inf:
            return -np.inf
        ends = np.array([np.maximum(pieces.begins, soonest), pieces.ends])
        with np.errstate(invalid="ignore"):
            gained = (amount - pieces.value) / ends
        return float((gained + pieces.rate + idle)[:, pieces.ends > soonest].max())

    def energy_gaps(self, points: FloatArray) -> FloatArray:
        """How far the energy of each point (joules, seconds) is above the lower bound for its
        makespan at most, as a share of the bound; infinity where the bound is not above 0.
        """
        waiting = self.front.system.total_idle_power * points[:, 1]
        return above(points[:, 0], self.least_energy(points[:, 1]), waiting)

    def time_gaps(self, points: FloatArray) -> FloatArray:
        """The same for the makespan, with the lower bound for its energy."""
        return above(points[:, 1], self.least_makespan(points[:, 0]), points[:, 1])

    def boundary(self, nadir: FloatArray) -> FloatArray:
        """The lower left boundary of what is not proven impossible, as rows of (joules, seconds) up
        to a nadir.

        It runs from the top to the right side of the box below the nadir; energy never falls and
        makespan never rises. No points if nothing in the box is possible.
        """
        most, longest = nadir.tolist()
        if longest < self.soonest:
            return np.empty((0, 2))
        whole = self._pieces
        kept = whole.begins <= longest
        begins, value, rate = whole.begins[kept], whole.value[kept], whole.rate[kept]
        pieces = _pieces(begins, np.minimum(whole.ends[kept], longest), value, rate)
        before = np.append(np.inf, self._least[: len(begins) - 1])
        # Pieces that begin above earlier ones rise: the lines that fall are lower the later.
        high = np.minimum(pieces.left, before)
        chain = np.empty((2 * len(begins), 2))
        chain[::2] = np.column_stack([high, begins])
        chain[1::2] = np.column_stack([np.minimum(high, pieces.right), pieces.ends])
        return distinct(_chain_up_to(chain, most)[::-1])

    def _with_price_of_time(self, joules_per_second: float) -> _Pieces:
        """The curve, with so many joules added for each second of makespan."""
        pieces = self._pieces
        return _pieces(pieces.begins, pieces.ends, pieces.value, pieces.rate - joules_per_second)

    @cached_property
    def _least(self) -> FloatArray:
        """A lower bound on the joules of schedules up to the end of each piece."""
        return np.minimum.accumulate(np.minimum(self._pieces.left, self._pieces.right))

    @cached_property
    def _pieces(self) -> _Pieces:
        if self.settled is not None:
            return _settled_pieces(self.settled)
        value, rate, bends = _envelope(self.front)
        steps, idle = self.steps, self.front.system.total_idle_power * (1 - PRODUCT_ROUNDING)
        inner = np.union1d(bends, steps.begins)
        begins = np.append(steps.begins[0], inner[inner > steps.begins[0]])
        ends = np.append(begins[1:], np.inf)
        line = np.searchsorted(bends, begins, side="right")
        value, rate = value[line], rate[line]
        joules = steps.needed(begins)
        joules = joules - PRODUCT_ROUNDING * np.abs(joules)
        # A line is above a step up to where they meet, because the line falls and the step is
        # level.
        falls, over = rate + idle, value - joules
        meets = np.where(over > 0, np.inf, begins)
        np.divide(over, falls, out=meets, where=(over > 0) & (falls > NOT_DIVISIBLE))
        meets = np.clip(meets, begins, ends)
        return _pieces_until_they_meet(
            begins, meets, ends, (value, joules), (rate, np.full(len(rate), -idle))
        )


def raised(bound: Bound) -> Bound:
    """A bound on only the makespan or only the energy, with the value that whole tasks prove if
    that is higher.
    """
    system = bound.system
    if not bound.objective.energy:
        return replace(bound, value=soonest(system, bound.value))
    if not are_few(system):
        return bound
    return replace(bound, value=max(bound.value, Proven.of(trace_front(system)).thriftiest))


def above(values: FloatArray, bounds: FloatArray, sizes: FloatArray) -> FloatArray:
    """How far each value is above its lower bound, as a share of the bound: the gap.

    It is 0 where the bound is met, and infinity where the bound is next to nothing and not met.
    `sizes` are those of the sums that both come from: differences that are rounding errors of these
    count as 0.

    Every gap that Wattfront states is computed here.
    """
    excess = np.full(len(values), np.inf)
    np.divide(values, bounds, out=excess, where=(bounds > NOT_DIVISIBLE) & (bounds < np.inf))
    excess -= 1
    met = values - bounds <= BOUND_MET * (np.abs(values) + np.abs(sizes))
    return np.where(met, 0.0, excess)


def share_above(value: float, bound: float, size: float = 0.0) -> float:
    """`above` of one value."""
    return float(above(np.array([value]), np.array([bound]), np.array([size]))[0])


def _pieces(begins: FloatArray, ends: FloatArray, value: FloatArray, rate: FloatArray) -> _Pieces:
    """The pieces of these values, with the joules at both ends of each."""
    fallen = np.zeros(len(ends))
    np.multiply(rate, ends, out=fallen, where=rate != 0)
    return _Pieces(begins, ends, value, rate, value - rate * begins, value - fallen)


def _pieces_until_they_meet(
    begins: FloatArray,
    meets: FloatArray,
    ends: FloatArray,
    value: tuple[FloatArray, FloatArray],
    rate: tuple[FloatArray, FloatArray],
) -> _Pieces:
    """In each interval the first straight piece up to where both meet, and the second from there
    on.
    """
    pairs = ((begins, meets), (meets, ends), value, rate)
    halves = [np.column_stack(pair).ravel() for pair in pairs]
    there = halves[0] < halves[1]
    return _pieces(*(half[there] for half in halves))


def _settled_pieces(settled: Settled) -> _Pieces:
    """Between each of the best schedules and the next slower one, no schedule needs less energy
    than the least so far, or draws less on average.
    """
    points = points_of(list(settled.schedules)) * (1 - settled.rounding)
    begins = points[:, 1]
    ends = np.append(begins[1:], np.inf)
    energy = np.minimum.accumulate(points[:, 0])
    power = np.minimum.accumulate(points[:, 0] / points[:, 1]) * (1 - PRODUCT_ROUNDING)
    meets = np.full(len(begins), np.inf)
    np.divide(energy, power, out=meets, where=power > NOT_DIVISIBLE)
    flat = np.zeros(len(begins))
    return _pieces_until_they_meet(
        begins, np.clip(meets, begins, ends), ends, (energy, flat), (flat, -power)
    )


def _envelope(front: Front) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The lines that are above all others somewhere, from the steepest on, as `value` and `rate`
    (energy is at least `value - rate x makespan`); and the makespans at which one line takes over
    from the other.
    """
    lines = front.lines.chosen(slice(0, -1)).followed_by(front.slower_lines)
    value, rate = lines.value, lines.weights[:, 1]
    order = np.lexsort((-value, -rate))
    order = order[np.append(True, np.diff(rate[order]) < 0)]
    value, rate = value[order], rate[order]
    while True:
        bends: FloatArray = np.diff(value) / np.diff(rate)
        hidden = bends[:-1] >= bends[1:]
        if not hidden.any():
            return value, rate, bends
        # Only the first of neighbours, because without it the next may not be hidden.
        hidden[1:] &= ~hidden[:-1]
        kept = np.append(np.append(True, ~hidden), True)
        value, rate = value[kept], rate[kept]


def _chain_up_to(chain: FloatArray, most: float) -> FloatArray:
    """The part of a chain, by falling energy, of at most so many joules, and the point where the
    chain reaches them.
    """
    within = np.flatnonzero(chain[:, 0] <= most)
    if not len(within):
        return chain[:0]
    first = int(within[0])
    enters = chain[first, 1]
    if first:
        (high, begins), (low, ends) = chain[first - 1 : first + 1].tolist()
        enters = ends + (begins - ends) * (most - low) / (high - low)
    return np.vstack([[most, enters], chain[first:]])
