"""Release dates drawn anew: the same bags, as they might come on another day."""

from dataclasses import replace

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags


def mean_gap(bags: ArrivingBags) -> float:
    """Seconds from one release to the next, on average; 0 if all bags come at once."""
    release = bags.release[bags.present]
    return float(np.ptp(release)) / max(len(release) - 1, 1)


def redrawn(bags: ArrivingBags, seed: int) -> ArrivingBags:
    """The bags in a random order, with exponential gaps of the same mean. The first of them comes
    when the first one came.
    """
    rng = np.random.default_rng(seed)
    here, gap = bags.present, mean_gap(bags)
    dates = float(bags.release[here].min()) + np.append(
        0.0, np.cumsum(rng.exponential(gap, len(here) - 1))
    )
    release = bags.release.copy()
    release[rng.permutation(here)] = dates
    return replace(bags, release=release)
