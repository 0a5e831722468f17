"""A stretch that is possible whatever the network: bags take turns on the whole system.

A bag that has a part of every second of all links and machines advances at that part of its
throughput alone. So what remains is one machine and one task a bag, of its ideal duration, that can
be split. All deadlines can be kept if and only if, from each release to each deadline, the bags
that are released and due in between fit.
"""

import numpy as np

from core.capabilities.fair_shares.epochs import LEAST_STRETCH
from core.vocabulary.arrays import FloatArray
from core.vocabulary.tolerances import METHODS_AGREE


def stretch_in_turns(
    release: FloatArray,
    ideal: FloatArray,
    baseline: FloatArray | None = None,
    start: float = 0.0,
) -> float:
    """A worst stretch that bags have in turns, at most a millionth above the least of these. With a
    baseline, stretches are multiples of it. Nothing is done before the `start` (s).
    """
    baseline = ideal if baseline is None else baseline
    opens = np.maximum(release, start)
    if _fit(release, opens, ideal, baseline, LEAST_STRETCH):
        return LEAST_STRETCH
    low, high = LEAST_STRETCH, 2 * LEAST_STRETCH
    while not _fit(release, opens, ideal, baseline, high):
        low, high = high, 2 * high
    while high - low > METHODS_AGREE * high:
        middle = (low + high) / 2
        if _fit(release, opens, ideal, baseline, middle):
            high = middle
        else:
            low = middle
    return high


def _fit(
    release: FloatArray,
    opens: FloatArray,
    ideal: FloatArray,
    baseline: FloatArray,
    stretch: float,
) -> bool:
    due = release + stretch * baseline
    order = np.argsort(due)
    begins = np.unique(opens)[:, None]
    counts = opens[order] >= begins
    until_due = np.cumsum(np.where(counts, ideal[order], 0.0), axis=1)
    return bool((~counts | (until_due <= due[order] - begins)).all())
