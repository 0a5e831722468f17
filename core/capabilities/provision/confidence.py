"""How sure the numbers of a plan are that come from a sample of scenarios."""

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from scipy.special import fdtri

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.futures.uncertainty import Points, Scenarios, Uncertainty, draw
from core.capabilities.provision.objectives import objectives_of
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.second_stages import SecondStages, Weights
from core.vocabulary.arrays import FloatArray
from core.vocabulary.intervals import CONFIDENCE, Interval

SETS: Final = 10
"""Independent sets of points that are spread evenly within each."""
_LEAST_OF_SET: Final = 10
REPETITIONS: Final = 16
"""How often fresh scenarios are drawn: each time gives a mean, independent of the others."""
_LEAST_FRESH: Final = 64


@dataclass(frozen=True, slots=True)
class Sampling:
    """Scenarios to draw, again and again if wanted: equal settings give equal ones."""

    uncertainty: Uncertainty
    count: int = 3000
    seed: int = 0
    points: Points = "sobol"

    def scenarios(self, plan: Plan) -> Scenarios:
        """The scenarios that a purchase is chosen on. Points that are spread evenly come in `SETS`
        sets, so that these say how sure their mean is.
        """
        size, rest = divmod(self.count, SETS)
        if self.points == "independent" or rest or size < _LEAST_OF_SET:
            return draw(plan, self.uncertainty, self.count, self.seed, self.points)
        return Scenarios.of_sets([self.fresh(plan, k - SETS, size) for k in range(SETS)])

    def fresh(self, plan: Plan, repetition: int, count: int | None = None) -> Scenarios:
        """Others, independent of those and of all other repetitions."""
        state = np.random.SeedSequence((self.seed, 1 + SETS + repetition)).generate_state(
            2, np.uint32
        )
        seed = int(state[0]) << 32 | int(state[1])
        return draw(plan, self.uncertainty, count or self.count, seed, self.points)

    @property
    def repeated(self) -> "Sampling":
        """With the count of each of `REPETITIONS`, all together about as many as decide."""
        return replace(self, count=max(self.count // REPETITIONS, _LEAST_FRESH))


@dataclass(frozen=True, slots=True, eq=False)
class OutOfSample:
    """What a purchase leads to on fresh scenarios: the aim and the four objectives
    (`core.capabilities.provision.objectives`); power is NaN if the plan has no powers.
    """

    aim: Interval
    objectives: tuple[Interval, ...]


def out_of_sample(
    plan: Plan, purchase: Purchase, weights: Weights, sampling: Sampling
) -> OutOfSample:
    """What a purchase leads to on `REPETITIONS` of fresh scenarios. Each gives one mean, and
    the intervals are those of independent means, so they hold for all kinds of points.
    """
    aims, means = np.empty(REPETITIONS), np.empty((REPETITIONS, 4))
    for k in range(REPETITIONS):
        stages = SecondStages(plan, sampling.fresh(plan, k), weights)
        worth = stages.of(purchase.counts, thrifty=True)
        aims[k] = stages.aim(purchase, worth)
        means[k] = objectives_of(stages, purchase, worth.busy).mean(axis=0)
    return OutOfSample(Interval.of(aims), tuple(Interval.of(mean) for mean in means.T))


def known_out_of_sample(plan: Plan, weights: Weights, sampling: Sampling) -> Interval:
    """The mean of what is maximised if each of the fresh scenarios of `out_of_sample` is known
    before machines are bought: no purchase has a larger mean on these.
    """
    drawn = (sampling.fresh(plan, k) for k in range(REPETITIONS))
    known = [SecondStages(plan, one, weights).wait_and_see().values.mean() for one in drawn]
    return Interval.of(np.array(known))


@dataclass(frozen=True, slots=True, eq=False)
class ConfidenceRegion:
    """An ellipse (an ellipsoid) around means of several objectives: each line of `axes` is half of
    an axis, from the centre.
    """

    centre: FloatArray
    axes: FloatArray

    def outline(self, corners: int = 64) -> FloatArray:
        """Points around an ellipse of two objectives."""
        angles = np.linspace(0.0, 2 * math.pi, corners)
        return self.centre + np.stack([np.cos(angles), np.sin(angles)], axis=1) @ self.axes


def confidence_region(mean: FloatArray, covariance: FloatArray, count: int) -> ConfidenceRegion:
    """Where the true means are, with 95 % confidence, after `count` independent estimates with this
    mean and unbiased covariance (Hotelling). It has no end where there are no more estimates than
    objectives.
    """
    values, vectors = np.linalg.eigh(np.atleast_2d(covariance))
    size = region_size(len(values), count)
    if math.isinf(size):
        return ConfidenceRegion(mean, np.full_like(vectors, math.inf))
    squared = np.maximum(values, 0.0) * size
    return ConfidenceRegion(mean, np.sqrt(squared)[:, None] * vectors.T)


def region_size(objectives: int, count: int) -> float:
    """The square of the half-axes of the region, where the covariance is that of units."""
    if count <= objectives:
        return math.inf
    times = (count - 1) * objectives / ((count - objectives) * count)
    return times * float(fdtri(objectives, count - objectives, CONFIDENCE))
