"""For one worker without data, the optimum is the bound of the demand between any two dates."""

import numpy as np
import pytest
from capabilities.fair_shares.made import compute_only

from core.capabilities.fair_shares.optimum import least_stretch


def demand_bound(ideal: list[int], release: list[float]) -> float:
    """The smallest stretch at which what is released and due between two dates fits, by halves."""

    def fits(stretch: float) -> bool:
        due = [r + stretch * d for r, d in zip(release, ideal, strict=True)]
        for begin in release:
            for end in due:
                inside = sum(
                    d
                    for r, d, e in zip(release, ideal, due, strict=True)
                    if r >= begin and e <= end
                )
                if inside > (end - begin) * (1 + 1e-12) + 1e-12 and inside:
                    return False
        return True

    low, high = 1.0, 1.0
    while not fits(high):
        low, high = high, 2 * high
    while high - low > 1e-11 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


@pytest.mark.parametrize("part", range(10))
def test_a_thousand_random_cases(part: int) -> None:
    rng = np.random.default_rng(part)
    for _ in range(100):
        bags = int(rng.integers(1, 9))
        ideal = rng.integers(1, 30, bags).tolist()
        release = (rng.integers(0, 60, bags) * rng.choice([0.25, 1.0, 1.7])).tolist()
        found = least_stretch(compute_only(ideal, release), early=False)
        expected = demand_bound(ideal, release)
        assert found.stretch == pytest.approx(expected, rel=1e-8)
        assert found.proven <= expected * (1 + 1e-10)
        assert found.proven >= expected * (1 - 1e-8)
