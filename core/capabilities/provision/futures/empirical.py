"""The empirical law: factors as they were seen, in shares of their mean.

Nothing is drawn beyond the least and the largest value seen. Between two neighbours, all values are
equally likely.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from scipy.optimize import brentq

from core.vocabulary.arrays import FloatArray

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
    """The coefficient of variation of what is drawn: of few values, it is a little less than that
    of the values.
    """
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
