"""How shares are said whose mean is known within an interval: never narrower than it is."""

import math


def share_within(mean: float, half_width: float) -> str:
    """A share with its interval, in tenths of a percent: "78.3 ± 0.5 %"."""
    return f"{points(mean)} ± {points_up(half_width)} %"


def points(fraction: float) -> str:
    """A fraction in percentage points, without the unit: "78.3"."""
    return _tenths(round(1000 * fraction))


def points_up(fraction: float) -> str:
    """A fraction in percentage points, rounded up, without the unit."""
    return _tenths(math.ceil(round(1000 * fraction, 6)))


def _tenths(number: int) -> str:
    sign = "−" if number < 0 else ""
    return f"{sign}{abs(number) // 10}.{abs(number) % 10}"
