"""What the figures on provisioning call the ways to choose, and what all of them say."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from scipy.stats import t as student

from core.vocabulary.arrays import FloatArray

NAMES: Final[Mapping[str, str]] = {
    "h1": "H1",
    "h2": "H2",
    "h3": "H3",
    "mvp": "MVP",
    "rp": "RP",
    "ws": "WS",
}
"""What the publication calls the ways to choose."""


def by_method(said: Mapping[str, str]) -> str:
    """What is said of each."""
    return "; ".join(f"{NAMES[method]}: {text}" for method, text in said.items())


def machines(counts: Sequence[float] | FloatArray, digits: int = 1) -> str:
    """Numbers of machines in the order of their types; none is 0."""
    texts = (f"{round(float(n), digits) + 0.0:.{digits}f}" for n in counts)
    return ", ".join("0" if float(text) == 0 else text for text in texts)


def half_width_share(values: FloatArray) -> float:
    """Half of the one-sided interval of a mean with 95 % confidence, as a share of it."""
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return float(student.ppf(0.95, len(values) - 1)) * error / float(values.mean())
