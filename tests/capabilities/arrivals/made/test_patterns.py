"""Arrivals come as often as their pattern says, at every time of the day."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.capabilities.arrivals.made.patterns import (
    ArrivalPattern,
    bursts,
    constant,
    draw_arrivals,
    hourly,
    sinusoidal,
    work_hours,
)

DAY = 86_400.0


def _drawn(pattern: ArrivalPattern, midnight: float = 0.0, a_day: float = 40_000) -> np.ndarray:
    return draw_arrivals(np.random.default_rng(7), pattern, a_day, 2 * DAY, midnight)


def test_work_hours_keep_the_mean_of_the_day() -> None:
    """9 hours at twice the mean leave 6 of 24 for the other 15: 0.4 times the mean."""
    rates = work_hours().rates
    assert rates[9:18] == (2.0,) * 9
    assert rates[:9] + rates[18:] == pytest.approx((0.4,) * 15)


def test_a_sinusoid_has_its_peak_and_its_swing() -> None:
    rates = np.array(sinusoidal(0.5).rates)
    assert (len(rates), rates.mean()) == (24 * 60, pytest.approx(1))
    assert rates.argmax() in (719, 720)
    assert (rates.max(), rates.min()) == pytest.approx((1.5, 0.5), abs=1e-4)


@pytest.mark.parametrize(
    "pattern", [constant(), sinusoidal(0.8), work_hours(), hourly(range(24)), bursts(40)]
)
@pytest.mark.parametrize("midnight", [0.0, 4 * 3600.0, -90.0])
def test_each_hour_has_its_share_of_the_arrivals(pattern: ArrivalPattern, midnight: float) -> None:
    drawn = _drawn(pattern, midnight)
    assert (np.diff(drawn) >= 0).all()
    assert 0 <= drawn[0] <= drawn[-1] <= 2 * DAY
    hours = np.floor((drawn - midnight) % DAY / 3600).astype(int)
    found = np.bincount(hours, minlength=24) / 80_000
    minutes = (
        np.interp(np.arange(1440), np.linspace(0, 1440, len(pattern.rates) + 1)[1:], pattern.rates)
        if len(pattern.rates) > 24
        else np.repeat(pattern.rates, 1440 // len(pattern.rates))
    )
    expected = minutes.reshape(24, 60).mean(axis=1) / 24
    slack = 6 * np.sqrt(expected * pattern.burst / 80_000) + 1e-3
    assert (abs(found - expected) <= slack).all()


def test_hours_without_arrivals_have_none() -> None:
    drawn = _drawn(hourly([0.0] * 8 + [1.0] * 4 + [0.0] * 12))
    hour = drawn % DAY / 3600
    assert ((hour >= 8) & (hour <= 12)).all()


def test_a_burst_comes_at_once() -> None:
    times, counts = np.unique(_drawn(bursts(16)), return_counts=True)
    assert set(counts.tolist()) == {16}
    assert len(times) == pytest.approx(80_000 / 16, rel=0.1)


def test_the_same_seed_draws_the_same_arrivals() -> None:
    assert (_drawn(sinusoidal(0.3)) == _drawn(sinusoidal(0.3))).all()


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30), st.integers(1, 5))
@example([0.0, 5e-324], 1)
@example([0.0, 5e-324, 5e-324], 1)
def test_rates_are_scaled_to_a_mean_of_one(rates: list[float], burst: int) -> None:
    if not sum(rates) > 0:
        with pytest.raises(ValueError, match="one above 0"):
            ArrivalPattern.of(rates, burst)
        return
    assert np.mean(ArrivalPattern.of(rates, burst).rates) == pytest.approx(1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sinusoidal(1.1), "swing"),
        (lambda: hourly([1.0] * 23), "24 rates"),
        (lambda: bursts(0), "at least one job"),
        (lambda: ArrivalPattern.of([1.0, -1.0]), "at least 0"),
        (lambda: ArrivalPattern.of([np.nan]), "at least 0"),
    ],
)
def test_what_is_no_pattern_is_refused(make, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
