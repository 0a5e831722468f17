"""How uncertain a plan is, and futures drawn from that.

The empirical law has factors as they were seen, in shares of their mean. Nothing is drawn beyond
the least and the largest value seen. Between two neighbours, all values are equally likely.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from scipy.optimize import brentq, nnls
from scipy.special import ndtr, ndtri

from core.capabilities.provision.plan import Plan
from core.engines.operations.factors import Operations
from core.vocabulary.arrays import FloatArray
from core.vocabulary.ranges import Range
from core.vocabulary.setting import NumberIn, OneOf, setting


@dataclass(frozen=True, eq=False)
class Scenarios:
    """Equally likely futures, a line each: `arrivals` (scenarios x task types, tasks a second),
    `times` and `powers` (scenarios, or 1 if all are alike, x task types x machine types; seconds,
    infinity where a pair cannot run, and watts above idle power).

    If they are `sets` above 1, they are so many sets of equal size, one after the other. Scenarios
    of a set are spread evenly, and only sets are independent of each other.
    """

    arrivals: FloatArray
    times: FloatArray
    powers: FloatArray | None = None
    sets: int = 1

    def __len__(self) -> int:
        return len(self.arrivals)

    def part(self, first: int, last: int, step: int = 1) -> "Scenarios":
        """Some of them."""
        one = slice(first, last, step)
        powers = self.powers if self.powers is None or len(self.powers) == 1 else self.powers[one]
        times = self.times if len(self.times) == 1 else self.times[one]
        return Scenarios(self.arrivals[one], times, powers)

    @classmethod
    def of_sets(cls, sets: "Sequence[Scenarios]") -> "Scenarios":
        """Several sets as one; what is alike in all scenarios of one is alike in all sets."""

        def joined(parts: list[FloatArray]) -> FloatArray:
            alike = len(sets[0]) > 1 and len(parts[0]) == 1
            return parts[0] if alike else np.concatenate(parts)

        powers = [one.powers for one in sets if one.powers is not None]
        return cls(
            np.concatenate([one.arrivals for one in sets]),
            joined([one.times for one in sets]),
            joined(powers) if powers else None,
            len(sets),
        )


def mean_future(plan: Plan) -> Scenarios:
    """One scenario: everything is as on average."""
    powers = None if plan.powers is None else plan.powers[None]
    return Scenarios(plan.arrival_rates[None], plan.times[None], powers)


_HIGHEST: Final = 64.0
"""The largest power: then nearly all that varies is the largest value."""
_KEPT: Final = 4096


def empirical_factors(
    seen: tuple[float, ...], points: FloatArray, covs: FloatArray | None = None
) -> FloatArray:
    """Factors with the mean 1 for points between 0 and 1. If columns have coefficients of variation
    of their own, `covs`, factors are powers of those seen: so they stay above 0, and those with
    the coefficient of what was seen are as seen. A law that cannot be so wide is narrowed.
    """
    if covs is None:
        return _between(seen, 1.0, points)
    columns = [
        _between(seen, _power(seen, float(cov)), column)
        for cov, column in zip(covs, points.T, strict=True)
    ]
    return np.stack(columns, axis=1)


@lru_cache(_KEPT)
def empirical_cov(seen: tuple[float, ...], power: float = 1.0) -> float:
    """The coefficient of variation of what is drawn, with few values a little less than theirs."""
    values = _raised(seen, power)
    low, high = values[:-1], values[1:]
    ends = (values[0] ** 2 + values[-1] ** 2) / 2
    square = (ends + float((low**2 + low * high + high**2).sum()) / 3) / len(values)
    return float(np.sqrt(max(square - 1.0, 0.0)))


@lru_cache(_KEPT)
def _power(seen: tuple[float, ...], cov: float) -> float:
    """The power of what was seen that varies so much."""
    if not cov:
        return 0.0
    if empirical_cov(seen, _HIGHEST) <= cov:
        return _HIGHEST
    return float(brentq(lambda power: empirical_cov(seen, power) - cov, 0.0, _HIGHEST))


def _between(seen: tuple[float, ...], power: float, points: FloatArray) -> FloatArray:
    values = _raised(seen, power)
    return np.asarray(np.interp(points, (np.arange(len(values)) + 0.5) / len(values), values))


def _raised(seen: tuple[float, ...], power: float) -> FloatArray:
    """Powers of what was seen, in order, with the mean 1."""
    values = np.sort(np.array(seen))
    values = (values / values[-1]) ** power
    return np.asarray(values / values.mean())


Law = Literal["uniform", "lognormal", "empirical"]
LAWS: Final[dict[Law, str]] = {
    "uniform": "Uniform",
    "lognormal": "Lognormal",
    "empirical": "As seen",
}
Points = Literal["independent", "latin", "sobol"]
POINTS: Final[dict[Points, str]] = {
    "independent": "Independent",
    "latin": "Latin hypercube",
    "sobol": "Sobol",
}
COV: Final = Range(0.0, 10.0, "times the mean")

MOST_UNIFORM: Final = 1 / math.sqrt(3)
"""The largest coefficient of variation of a uniform law that is nowhere below 0."""
LEAST_FACTOR: Final = 1e-6
"""No time is drawn below this share of its mean: rates are 1 / time."""
_WITHIN: Final = 2.0**-53
"""Points are so far from 0 and 1 at least, where laws have no end."""


@dataclass(frozen=True, slots=True)
class Variation:
    """How a quantity varies about its mean: a law, its coefficient of variation, and for the
    empirical law the values that were seen, of which only the ratios to their mean count. `covs`
    has a coefficient for each type, in place of the one.
    """

    cov: float = setting(0.0, NumberIn(COV), "Variation (%)", parameter="")
    law: Law = setting(
        "uniform", OneOf(LAWS, LAWS.__getitem__, private=("empirical",)), parameter="_law"
    )
    seen: tuple[float, ...] = ()
    covs: tuple[float, ...] = ()

    @property
    def varies(self) -> bool:
        return self.cov > 0 or len(self.seen) > 1 or any(self.covs)

    @property
    def own_covs(self) -> FloatArray:
        """The coefficient of variation, or those of the types, as they are drawn."""
        if self.law == "empirical":
            return np.asarray(empirical_cov(self.seen))
        return np.asarray(self.covs or self.cov)

    def factors(self, points: FloatArray, covs: FloatArray | None = None) -> FloatArray:
        """Factors with the mean 1 for points between 0 and 1; `covs` are in place of the one
        coefficient, if each column has its own. A law that would fall below 0 is narrowed.
        """
        if self.law == "empirical":
            return empirical_factors(self.seen, points, covs)
        cov = self.own_covs if covs is None else covs
        if self.law == "lognormal":
            sigma = np.sqrt(np.log1p(cov**2))
            return np.asarray(np.exp(sigma * ndtri(points) - sigma**2 / 2))
        return np.asarray(1 + np.minimum(math.sqrt(3) * cov, 1.0) * (2 * points - 1))


@dataclass(frozen=True, slots=True, eq=False)
class VaryingOperations:
    """Abstract operations that explain the times of a plan, how much the seconds of each vary, and
    the joules of each, if powers are known.

    `covs[k, j]` is the coefficient of variation of an operation of kind k on machine type j.
    """

    operations: Operations
    covs: FloatArray
    joules: FloatArray | None = None


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """How arrivals, times and powers of a plan vary.

    Arrivals vary by task type; `correlation` is that of their normal scores, from 0 (independent)
    to 1 (all rise and fall together). Times and powers vary by machine type: all task types take
    the same share more or less there. With `operations`, times vary by kind of operation and
    machine type, and powers follow from them.
    """

    arrivals: Variation = field(default_factory=Variation)
    times: Variation = field(default_factory=Variation)
    powers: Variation = field(default_factory=Variation)
    correlation: float = 0.0
    operations: VaryingOperations | None = None


def fit_covs(operations: Operations, target: FloatArray) -> FloatArray:
    """Coefficients of variation of operations that give times those of `target`, as nearly as
    non-negative least squares of the variances can: Var[time] = per_task^2 @ Var[operation]. Those
    of types without known times are 0.
    """
    wanted = np.nan_to_num((target * operations.times) ** 2)
    squares = np.nan_to_num(operations.per_task**2)
    variances = np.stack([nnls(squares, column)[0] for column in wanted.T], axis=1)
    mean = operations.per_machine
    ratios = np.divide(variances, mean**2, where=mean > 0, out=np.zeros_like(variances))
    return np.asarray(np.sqrt(ratios))


def draw(
    plan: Plan, uncertainty: Uncertainty, count: int, seed: int = 0, points: Points = "independent"
) -> Scenarios:
    """So many equally likely futures. Equal seeds give equal ones."""
    rates_vary, seconds_vary, watts_vary = (
        uncertainty.arrivals,
        uncertainty.times,
        uncertainty.powers,
    )
    operations = uncertainty.operations
    tasks, machines = plan.times.shape
    kinds = 1 if operations is None else len(operations.covs)
    widths = (tasks, machines * kinds * seconds_vary.varies, machines * watts_vary.varies)
    drawn = _points(sum(widths), count, seed, points)
    rates, seconds, watts = np.split(drawn, np.cumsum(widths)[:2], axis=1)
    arrivals = plan.arrival_rates * rates_vary.factors(_correlated(rates, uncertainty.correlation))
    times, powers = plan.times[None], None if plan.powers is None else plan.powers[None]
    if operations is not None:
        times, powers = _of_operations(plan, operations, seconds_vary, seconds)
    elif seconds_vary.varies:
        times = plan.times * np.maximum(seconds_vary.factors(seconds), LEAST_FACTOR)[:, None, :]
    if powers is not None and watts_vary.varies:
        powers = powers * np.maximum(watts_vary.factors(watts), 0.0)[:, None, :]
    return Scenarios(arrivals, times, powers)


def _of_operations(
    plan: Plan, uncertain: VaryingOperations, variation: Variation, points: FloatArray
) -> tuple[FloatArray, FloatArray | None]:
    """Times and powers; pairs that cannot run stay so."""
    operations, covs = uncertain.operations, uncertain.covs
    factors = np.ones((max(len(points), 1), covs.size))
    if variation.varies:
        factors = np.maximum(variation.factors(points, covs.ravel()), LEAST_FACTOR)
    per_machine = operations.per_machine * factors.reshape(-1, *covs.shape)
    seconds = operations.per_task @ per_machine
    times = np.where(np.isfinite(plan.times), seconds, np.inf)
    if uncertain.joules is None:
        return times, None if plan.powers is None else plan.powers[None]
    return times, (operations.per_task @ uncertain.joules) / seconds


def _points(width: int, count: int, seed: int, points: Points) -> FloatArray:
    """Points of the unit cube, a line each."""
    if points == "independent":
        # One quantity after the other, as those who draw by hand do.
        return np.random.default_rng(seed).random((width, count)).T
    from scipy.stats import qmc  # only who asks waits for scipy.stats

    if points == "latin":
        drawn = qmc.LatinHypercube(width, rng=seed).random(count)
    else:
        # The first of a power of 2, which is how many are spread evenly.
        drawn = qmc.Sobol(width, rng=seed).random_base2((count - 1).bit_length())[:count]
    return np.asarray(np.clip(drawn, _WITHIN, 1 - _WITHIN))


def _correlated(points: FloatArray, correlation: float) -> FloatArray:
    """The same points, with normal scores of which any two have this correlation.

    Each type keeps its own score, and takes a share of the mean of all: the one symmetric root of
    the matrix of correlations. Its eigenvectors would leave that open, as all but one have the same
    eigenvalue, and each processor would find others.
    """
    if not correlation:
        return points
    scores = ndtri(points)
    own = math.sqrt(1 - correlation)
    together = math.sqrt(1 - correlation + correlation * points.shape[1]) - own
    return np.asarray(ndtr(own * scores + together * scores.mean(axis=1, keepdims=True)))
